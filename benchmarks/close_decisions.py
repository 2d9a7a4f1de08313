"""What settings of champion+search would gain at close decisions: judged by champions' playouts from the true table.

python probe.py OUTFILE POSITIONS THREADS SECONDS [seed]   (cwd: the checkout, PYTHONPATH=src)
"""
import importlib.util, json, sys, time
import numpy as np
from tefuda import games
from tefuda.engine.loops import loops_of
from tefuda.engine.network import forward, softmax_of, scratch_of
from tefuda.engine.seated import TABLE, VIEW, scratch, seated
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import CHECK, SEARCH, below, stream, unit
from tefuda.kernel.threads import run_chunks
from tefuda.players.resolve import resolve
from tefuda.search import pimc

out, many, threads, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
seed = int(sys.argv[5]) if len(sys.argv) > 5 else 777
began = time.time()
text = open(pimc.__file__).read()
head, rest = text.split("    def choose(view, seat, params, rng, mask, worlds, numbers):\n")
head = head.replace("def _choose(", "def values_of(")
head += '''
    from tefuda.games.mahjong.hiding import is_still_there
    from tefuda.games.mahjong.state import TILES
    from tefuda.kernel.random import below

    def shuffle(state, rng):
        count = 0
        for place in range(TILES):
            if is_still_there(state, place):
                chosen = below(rng, count + 1)
                seen = 0
                for other in range(place + 1):
                    if is_still_there(state, other):
                        if seen == chosen:
                            face = state.wall[other]
                            state.wall[other] = state.wall[place]
                            state.wall[place] = face
                            break
                        seen += 1
                count += 1

    shuffle = kernel(shuffle)

    def values(tables, seat, one, two, params, rng, mask, worlds, numbers, results):
        """tables [2]: the true one and the view; results [worlds, 2]."""
        first = HEADER + int(params[2])
        ahead, weigh, past = int(params[HEADER + 1]), int(params[HEADER + 2]), int(params[HEADER + 3])
        adviser, inner = params[first : first + int(params[5])], params[first + int(params[5]) :]
        out, more_numbers = numbers[2 * actions : numbers_used], numbers[numbers_used:]
        more_worlds = worlds[worlds_used:]
        for number in range(results.shape[0]):
            if weigh < 0:
                worlds[WORLD] = tables[0]
                shuffle(worlds[WORLD], rng)
            else:
                imagine(tables[1], worlds, seat, weigh, past, adviser, rng, mask, more_numbers.view(np.float32))
            start = draw(rng)
            for place in range(2):
                rng[0] = start
                worlds[LINE] = worlds[WORLD]
                apply(worlds[LINE], one if place == 0 else two)
                if ahead > 0:
                    play_on(worlds, seat, ahead, adviser, out, inner, rng, mask, more_worlds, more_numbers)
                else:
                    play_round(worlds, int(adviser[GOAL]), out, inner, rng, mask, more_worlds, more_numbers)
                results[number, place] = out[seat]

    return kernel(values)
'''
where = out + "_pimc.py"
open(where, "w").write(head)
spec = importlib.util.spec_from_file_location("probe_pimc", where)
probed = importlib.util.module_from_spec(spec); spec.loader.exec_module(probed)

g = games.find("mahjong"); rules = g.rulebook.make("hanchan"); blank = g.blank(rules); loops = loops_of(g)
begin, ask, to_move, apply, observe = loops.begin, loops.ask, g.kernels.to_move, g.kernels.apply, g.kernels.observe
hide, legal = g.kernels.hide, g.kernels.legal
inputs, actions = g.spaces.observation.size, g.spaces.actions.size

def collect(blank, seed, first, last, close, one_in, sitting, seated, params, scratch, space, chance, found, noted):
    """Close decisions: found [n] tables, noted [n, 5] seat, best, second, log ratio, riichi of others."""
    tables, rngs, mask, worlds, numbers, _ = scratch
    count = 0
    for number in range(first, last):
        begin(tables, blank, rngs, seed, number)
        chance[0] = stream(seed, number, 1, CHECK)
        while True:
            seat = to_move(tables[TABLE])
            if seat < 0:
                break
            action = ask(tables, seat, sitting[seat], seated, rngs, mask, worlds, numbers)
            if below(chance, one_in) == 0 and count < found.shape[0]:
                tables[VIEW] = tables[TABLE]
                hide(tables[VIEW], seat)
                legal(tables[VIEW], mask)
                observe(tables[VIEW], seat, space[actions + 1 : actions + 1 + inputs])
                forward(params, inputs, actions + 1, space)
                best = softmax_of(space, actions, 1.0, mask)
                second = -1
                for each in range(actions):
                    if each != best and has_word(mask, each) and (second < 0 or space[each] > space[second]):
                        second = each
                if second >= 0 and space[second] >= close * space[best]:
                    found[count] = tables[TABLE]
                    noted[count, 0], noted[count, 1], noted[count, 2] = seat, best, second
                    noted[count, 3] = np.log(space[second] / space[best])
                    threat = 0
                    for other in range(4):
                        threat += other != seat and tables[TABLE].riichi[other] != 0
                    noted[count, 4] = threat
                    count += 1
            apply(tables[TABLE], action)
    return count
collect = kernel(collect)

champ = resolve(g, "champion/temperature=0", rules)
matches = max(4, many // 12)
tables, notes = [], []
def gather(first, last):
    found, noted = np.zeros(64 * (last - first), g.State), np.zeros((64 * (last - first), 5))
    n = collect(blank, seed, first, last, 0.1, 6, np.zeros(4, np.int64), seated(g, [champ]), champ.params, scratch(g, [champ]),
                np.zeros(2 * scratch_of(inputs, actions + 1) + 8, np.float32), np.zeros(1, np.uint64), found, noted)
    return found[:n], noted[:n]
for _, _, (found, noted) in run_chunks(gather, [(i, i + 4) for i in range(0, matches, 4)], threads):
    tables.append(found); notes.append(noted)
tables, notes = np.concatenate(tables)[:many], np.concatenate(notes)[:many]
print(f"{len(tables)} positions from {matches} matches after {time.time() - began:.0f} s", flush=True)

def probe(name, worlds, true=False):
    entrant = resolve(g, name, rules)
    params = entrant.params.copy()
    inner = resolve(g, name.partition("playout=")[2] or "rule-based", rules)
    if true:
        params[pimc.HEADER + 2] = -1
    kern = values[inner.policy.key]
    def work(first, last):
        results = np.zeros((last - first, 2, 2))
        space, mask = (np.zeros(entrant.policy.worlds, g.State), np.zeros(entrant.policy.numbers)), np.zeros(g.spaces.mask_words, np.uint64)
        for i in range(first, last):
            pair = np.stack([tables[i], tables[i]]); seat = int(notes[i, 0])
            g.kernels.hide(pair[1], seat)
            got = np.zeros((worlds, 2))
            rng = np.array([stream(seed, i, 7 if true else 8, SEARCH)], np.uint64)
            kern(pair, seat, int(notes[i, 1]), int(notes[i, 2]), params, rng, mask, *space, got)
            diff = got[:, 1] - got[:, 0]
            half = worlds // 2
            results[i - first] = [[diff.mean(), diff.std()], [diff[:half].mean(), diff[half:].mean()]]
        return results
    t = time.process_time()
    pieces = [(i, min(i + 5, len(tables))) for i in range(0, len(tables), 5)]
    got = np.concatenate([r for _, _, r in run_chunks(work, pieces, threads)])
    return got, (time.process_time() - t) / len(tables)

values = {}
for name in ("rule-based", "champion/temperature=1"):
    e = resolve(g, name, rules)
    values[e.policy.key] = probed.values_of(g, e.policy, 0, True)
saved = {"notes": notes}
C = "champion+search/close=0.1+"
only = sys.argv[6].split(',') if len(sys.argv) > 6 else []
PLAN = [("truth", C + "worlds=50+playout=champion/temperature=1", 64, True)]
for s, w in [("weigh=1", 200), ("weigh=1+ahead=2", 100), ("weigh=1+ahead=4", 100), ("weigh=4+past=1", 200), ("weigh=0", 200), ("weigh=1+ahead=8", 100),
          ("weigh=4+past=2+ahead=4", 100), ("weigh=1+playout=champion/temperature=0", 50), ("weigh=8+past=2", 200), ("weigh=1+ahead=1", 100), ("weigh=0+ahead=4", 100),
          ("weigh=1+ahead=4+playout=champion/temperature=0", 50), ("weigh=1+ahead=8+playout=champion/temperature=0", 50), ("weigh=4+past=2+playout=champion/temperature=0", 50)]:
    PLAN.append((s, C + "worlds=50+" + s, w, False))
PLAN = [each for each in PLAN if not only or each[0] in only or each[0] == 'truth']
summary = []
for label, name, worlds, true in PLAN:
    if time.time() - began > limit:
        break
    got, cost = probe(name, worlds, true)
    saved[label] = got
    row = {"setting": label, "worlds": worlds, "positions": len(tables), "ms_a_close_decision": round(1000 * cost, 2), "std_a_world": float(got[:, 0, 1].mean()),
           "halves": float(np.corrcoef(got[:, 1, 0], got[:, 1, 1])[0, 1])}
    if not true:
        truth = saved["truth"][:, 0, 0]
        row["with_truth"] = float(np.corrcoef(got[:, 0, 0], truth)[0, 1])
        row["gains"] = {}
        for close in (0.1, 0.3):
            for trust in (0.0, 0.01, 0.02, 0.04, 0.08, 0.16):
                over = (got[:, 0, 0] + trust * notes[:, 3] > 0) & (notes[:, 3] >= np.log(close))
                gain = np.where(over, truth, 0.0)
                row["gains"][f"close={close} trust={trust}"] = [round(float(gain.mean()), 5), round(float(1.96 * gain.std() / len(gain) ** 0.5), 5), round(float(over.mean()), 3)]
    else:
        row["mean"] = [float(got[:, 0, 0].mean()), float(1.96 * got[:, 0, 0].std() / len(got) ** 0.5)]
    summary.append(row)
    print(json.dumps(row), f"[{time.time() - began:.0f} s]", flush=True)
    json.dump(summary, open(out + ".json", "w"))
    np.savez(out + ".npz", **saved)
