"""Self-play by networks: the pieces of the learner, its opponents, and that a run goes on as if never stopped."""

import os
import pickle
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.engine.network import NAME, meaning_of, packed, variant_of
from tefuda.errors import Problem
from tefuda.files.policy import PolicyCard, load, save
from tefuda.games.kuhn.rules import BET
from tefuda.learn import training
from tefuda.learn.run import parse_arguments
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

torch = pytest.importorskip("torch")

from tefuda.learn import watched  # noqa: E402
from tefuda.learn.deep.common import WIN_SCALE, goal_of, mixed, more_rules  # noqa: E402
from tefuda.learn.deep.network import NetworkShape, forward  # noqa: E402
from tefuda.learn.deep.players import without_rules  # noqa: E402
from tefuda.learn.deep.torch import as_graph, chosen_device  # noqa: E402
from tefuda.learn.self_play import Arguments, SelfPlay  # noqa: E402
from tefuda.learn.strength import Yardstick  # noqa: E402

KUHN, KOIKOI, TRICKS = (games.find(name) for name in ("kuhn", "koikoi", "tricks"))
STANDARD = KUHN.rulebook.make()
CPU = torch.device("cpu")
SMALL = Arguments(
    decisions=2048, units=8, blocks=1, lanes=16, steps=8, batch=64, epochs=2, rate=0.01, rate_end=0.001, average=0.9
)
OPPONENT = "always-bet"
SHAPE = NetworkShape(KUHN.spaces.observation.size, SMALL.units, SMALL.blocks, KUHN.spaces.actions.size)


def network(flat, temperature=1.0) -> Entrant:
    """A network as a player of Kuhn poker."""
    params = packed([SHAPE.units, SHAPE.blocks, temperature, 1.0, 0], np.asarray(flat, np.float32))
    return Entrant("a network", KUHN.players.policy(NAME), params)


def leaning(logit: float) -> np.ndarray:
    """A network that likes to bet so much more than to pass, whatever it sees."""
    flat = np.zeros(SHAPE.size, np.float32)
    flat[-2] = logit
    return flat


def learner(opponent=None, seed=3, game=KUHN, rules=None, initial=None, **changes) -> SelfPlay:
    arguments = replace(SMALL, **changes)
    return SelfPlay(game, rules or [game.rulebook.make()], opponent, arguments, seed, CPU, 1, initial)


def told(run) -> tuple:
    """Of the last window, but for its first step, whose sight is that of the next window by now: whether the opponent
    was asked, what was chosen, and whether it was learned from."""
    return run.window.asked_of[1 : SMALL.steps] != 0, run.window.chosen[1:], run.credit.counts[1:-1]


# --- networks to be learned ---


def test_layers_are_cut_from_flat_weights_and_fit_together_again():
    flat = torch.arange(SHAPE.size, dtype=torch.float32)
    parts = SHAPE.parts(flat)
    assert [tuple(matrix.shape) for matrix, _ in parts] == SHAPE.layers
    again = torch.cat([piece.flatten() for part in parts for piece in part])
    assert torch.equal(again, flat)


@pytest.mark.slow
def test_several_networks_at_once_say_what_each_says_alone():
    random = np.random.default_rng(1)
    flat = torch.from_numpy(random.normal(size=(3, SHAPE.size)).astype(np.float32))
    seen = torch.from_numpy(random.normal(size=(3, 5, SHAPE.inputs)).astype(np.float32))
    logits, values = forward(SHAPE.parts(flat), seen)
    assert logits.shape == (3, 5, 2)
    for number in range(3):
        alone, worth = forward(SHAPE.parts(flat[number]), seen[number])
        torch.testing.assert_close(logits[number], alone)
        torch.testing.assert_close(values[number], worth)


@pytest.mark.slow
def test_half_precision_is_close_and_leaves_the_last_layer_alone():
    flat = torch.from_numpy(SHAPE.initial(2)) + 0.1
    parts = SHAPE.parts(flat, torch.bfloat16)
    assert [matrix.dtype for matrix, _ in parts] == [torch.bfloat16, torch.bfloat16, torch.float32]
    seen = torch.ones((4, SHAPE.inputs))
    torch.testing.assert_close(forward(parts, seen)[0], forward(SHAPE.parts(flat), seen)[0], rtol=0.05, atol=0.05)


def test_a_network_begins_without_an_opinion():
    logits, values = forward(SHAPE.parts(torch.from_numpy(SHAPE.initial(5))), torch.eye(SHAPE.inputs))
    assert not logits.any()
    assert not values.any()
    assert np.array_equal(SHAPE.initial(5), SHAPE.initial(5))
    assert not np.array_equal(SHAPE.initial(5), SHAPE.initial(6))


def test_a_run_may_begin_with_given_weights():
    given = SHAPE.initial(9) + 0.25
    assert np.array_equal(learner(initial=given).result, given)


def trained(out: Path, *texts: str) -> PolicyCard:
    texts = ("decisions=256", "lanes=16", "steps=8", "batch=64", *texts)
    return training.train(KUHN, "self-play", list(texts), out, 1, STANDARD, 0, 1)


@pytest.mark.slow
def test_self_play_may_begin_as_a_network_of_a_file(tmp_path):
    trained(tmp_path / "first", "units=8", "blocks=1")
    file = tmp_path / "first" / "policy.npz"
    card = trained(tmp_path / "second", f"start={file}", "rate=1e-12", "rate_end=1e-12")
    assert (card.arguments["units"], card.arguments["blocks"]) == (8, 1)  # its shape is taken too
    (_, before), (_, after) = load(file), load(tmp_path / "second" / "policy.npz")
    assert np.array_equal(before, after)  # next to nothing was learned
    trained(tmp_path / "third", "units=8", "blocks=1", "rate=0.02")
    shutil.copy(tmp_path / "third" / "policy.npz", file)  # another network of the same name
    with pytest.raises(Problem, match="another run"):
        trained(tmp_path / "second", f"start={file}", "rate=1e-12", "rate_end=1e-12")
    with pytest.raises(Problem, match=r"units is 4, but .* has 8"):
        trained(tmp_path / "fourth", f"start={file}", "units=4")
    with pytest.raises(Problem, match="start is always-bet, but takes a network"):
        trained(tmp_path / "fourth", "start=always-bet")
    assert not (tmp_path / "fourth").exists()


# --- arguments ---


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        (["rate=0"], "rates are numbers above 0"),
        (["rate_end=-1"], "rates are numbers above 0"),
        (["entropy=nan"], "entropy, entropy_end, reopen, magnet and value are at least 0"),
        (["magnet=-0.1"], "at least 0"),
        (["decisions=0"], "at least 1"),
        (["lanes=0"], "at least 1"),
        (["steps=1"], "steps at least 2"),
        (["units=1025"], "units are 1 to 1024"),
        (["blocks=9"], "blocks 0 to 8"),
        (["average=1"], "average lies from 0 to below 1"),
        (["clip=0"], "clip between 0 and 1"),
        (["fade=1.5"], "fade and lessons from 0 to 1"),
        (["lessons=-1"], "fade and lessons from 0 to 1"),
        (["precision=double"], "precision is 'double', but takes half or single"),
        (["goal=glory"], "goal is 'glory', but takes score, win, place or match"),
        (["opponent=pool", "lanes=1"], "a pool takes at least 2 lanes"),
        (["opponent=rule-based", "share=0"], "share lies above 0 up to 1"),
        (["opponent=pool", "share=0.5"], "below 1 only with a player for opponent"),
        (["layers=3"], "unknown argument 'layers'"),
        (["units=many"], "argument units is 'many'"),
    ],
)
def test_arguments_that_cannot_be_meant_are_refused(texts, line):
    with pytest.raises(Problem, match=line):
        parse_arguments(Arguments, texts).check()


def test_the_goal_of_some_rules():
    paper, nintendo = KOIKOI.rulebook.make("paper"), KOIKOI.rulebook.make("nintendo")
    assert [goal_of(KOIKOI, each, "match") for each in (paper, nintendo)] == ["score", "win"]
    assert [goal_of(KOIKOI, paper, goal) for goal in ("score", "win")] == ["score", "win"]


def test_further_rules_are_written_as_on_the_command_line():
    found = more_rules(KOIKOI, "nintendo; paper rounds=3 sake=1;")
    assert [str(each) for each in found] == ["nintendo", "paper rounds=3 sake=1"]
    assert more_rules(KOIKOI, "") == []
    for wrong in ("poker", "paper rounds", "paper rounds=0", "random", "random:", "random:0", "random:many"):
        with pytest.raises(Problem):
            more_rules(KOIKOI, wrong)


def test_random_rules_are_drawn_by_the_seed_and_a_policy_file_plays_by_any_rules(tmp_path):
    drawn = more_rules(KOIKOI, "paper rounds=3; random:20", 5)
    assert [str(each) for each in drawn[:4]] == ["paper rounds=3", "paper", "nintendo", "bonus"]
    assert len(drawn) == 21
    assert (
        drawn == more_rules(KOIKOI, "paper rounds=3; random:20", 5) != more_rules(KOIKOI, "paper rounds=3; random:20")
    )
    assert {each.values["pack"] for each in drawn} == {0}  # small packs are not common
    assert {each.values["rounds"] for each in drawn} <= set(range(1, 13))
    trained(tmp_path, "also=random:3", "units=8")
    card, _ = load(tmp_path / "policy.npz")
    assert card.rules == "standard; random:3"
    resolve(KUHN, str(tmp_path / "policy.npz"), KUHN.rulebook.make(changes=["bet=9"]))
    save(tmp_path / "policy.npz", replace(card, rules="standard"), load(tmp_path / "policy.npz")[1])
    with pytest.raises(Problem, match="has learned by the rules standard"):
        resolve(KUHN, str(tmp_path / "policy.npz"), KUHN.rulebook.make(changes=["bet=9"]))


def test_schedules_go_by_equal_ratios():
    assert mixed(0.1, 0.001, 0.5) == pytest.approx(0.01)
    assert mixed(0.1, 0.001, 1.0) == pytest.approx(0.001)
    assert mixed(0.1, 0.0, 0.25) == pytest.approx(0.075)


def test_devices():
    assert chosen_device("cpu") == CPU
    with pytest.raises(Problem, match="unknown device 'tpu'"):
        chosen_device("tpu")
    with pytest.raises(Problem, match="CUDA"):
        chosen_device("cuda")


def test_work_on_the_cpu_is_not_recorded():
    done = []
    as_graph(lambda: done.append(1), CPU, [])()
    assert done == [1]


# --- playing and learning ---


def test_each_set_of_rules_is_played_by_and_scores_are_counted_in_their_own_unit():
    rules = [KUHN.rulebook.make(changes=[f"bet={bet}"]) for bet in (1, 9)]
    both = learner(rules=rules, goal="match")
    bets = both.actors.lanes.own[0]["rules"]["bet"]
    assert sorted(set(bets.tolist())) == [1, 9]
    assert both.goals == ["score", "score"]
    assert both.scale == learner(rules=rules[:1]).scale != learner(rules=rules[1:]).scale
    assert learner(goal="win").scale == WIN_SCALE


@pytest.mark.slow
def test_a_critic_that_sees_all_cards_foretells_better_and_is_no_part_of_the_player():
    """Who knows both cards knows more of what a game of Kuhn poker will bring."""
    errors = {}
    for critic in (0, 16):
        run = learner(critic=critic, decisions=1 << 17, lanes=64, steps=32, batch=512, fade=1.0, average=0.0)
        for _ in range(50):
            run.advance()
        advantage, counts = run.credit.advantage, run.credit.counts
        errors[critic] = float(advantage.square().sum() / counts.sum())
        assert run.result.shape == (SHAPE.size,)
    assert errors[16] < 0.9 * errors[0]


def test_rules_that_are_always_the_same_become_a_part_of_the_bias():
    """What a network says does not change by the rules, and by others it says the same."""
    rules = [KOIKOI.rulebook.make(changes=[f"rounds={rounds}"]) for rounds in (1, 9)]
    shape = NetworkShape(KOIKOI.spaces.observation.size, 8, 1, KOIKOI.spaces.actions.size)
    flat = np.random.default_rng(1).normal(size=shape.size).astype(np.float32)
    folded = without_rules(KOIKOI, rules[0], shape, flat)
    table = KOIKOI.blank(rules[0])
    KOIKOI.kernels.deal(table[0], np.array([5], np.uint64))
    seen = np.zeros((2, shape.inputs), np.float32)
    KOIKOI.kernels.observe(table[0], 0, seen[0])
    seen[1] = seen[0]
    seen[1, KOIKOI.spaces.observation.slices["rules"]] = 0.7
    before, _ = forward(shape.parts(torch.from_numpy(flat)), torch.from_numpy(seen))
    after, _ = forward(shape.parts(torch.from_numpy(folded)), torch.from_numpy(seen))
    assert torch.allclose(before[0], after[0], rtol=1e-3, atol=1e-3)
    assert torch.equal(after[0], after[1])
    assert not torch.allclose(before[0], before[1], rtol=1e-2, atol=1e-2)
    assert without_rules(KUHN, STANDARD, SHAPE, leaning(1.0)).shape == (SHAPE.size,)


def test_only_what_the_learner_decides_is_learned_from():
    run = learner(network(leaning(1.0)))
    run.advance()
    theirs, _, counts = told(run)
    assert counts.any()
    assert theirs.any()
    assert not counts[theirs].any()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("logit", "temperature", "low", "high"), [(50, 1, 1, 1), (0.5, 0, 1, 1), (0.5, 1, 0.3, 0.95), (-0.5, 0, 0, 0)]
)
def test_a_network_opposite_plays_as_it_would_at_a_table(logit, temperature, low, high):
    run = learner(network(leaning(logit), temperature))
    for _ in range(2):
        run.advance()
        theirs, chosen, _ = told(run)
        assert theirs.sum() > 20
        assert low <= float((chosen[theirs] == BET).float().mean()) <= high


def test_the_deals_that_are_learned_from_are_not_those_of_a_match():
    run = learner(game=TRICKS, lanes=8, seed=3)
    of_match = {tuple(Table(TRICKS, TRICKS.rulebook.make(), 3, deal).states[0].hand) for deal in range(64)}
    learned_from = {tuple(state.hand) for state in run.actors.lanes.own[0]}
    assert len(learned_from) == 8
    assert not learned_from & of_match
    other = learner(game=TRICKS, lanes=8, seed=4)
    assert not learned_from & {tuple(state.hand) for state in other.actors.lanes.own[0]}


@pytest.mark.slow
def test_a_compiled_player_opposite_is_never_asked_from_outside():
    run = learner(resolve(KUHN, OPPONENT))
    run.advance()
    assert not run.window.asked_of.any()
    seats = run.window.seat_of.numpy()
    assert (seats == np.arange(SMALL.lanes) % 2).all()


@pytest.mark.slow
def test_a_player_may_sit_opposite_at_a_share_of_the_tables():
    quarter = replace(SMALL, opponent=OPPONENT, share=0.25)
    compiled = SelfPlay(KUHN, [STANDARD], resolve(KUHN, OPPONENT), quarter, 3, CPU, 1)
    compiled.advance()
    seats = compiled.window.seat_of.numpy()
    assert (seats[:, :4] == np.arange(4) % 2).all()
    assert all(set(seats[:, lane]) == {0, 1} for lane in range(4, SMALL.lanes))
    asked = SelfPlay(KUHN, [STANDARD], network(leaning(60.0)), quarter, 3, CPU, 1)
    asked.advance()
    theirs, chosen, _ = told(asked)
    assert theirs[:, :4].any()
    assert not theirs[:, 4:].any()
    assert (chosen[theirs] == BET).all()


@pytest.mark.slow
def test_a_pool_keeps_past_selves_and_plays_against_them():
    pool = SelfPlay(KUHN, [STANDARD], None, replace(SMALL, opponent="pool", decisions=16 * 8 * 6, past=3), 3, CPU, 1)
    kept = []
    while not pool.done:
        pool.advance()
        kept.append(len(pool.past))
    assert kept == [1, 1, 1, 2, 2, 3]
    assert not torch.equal(pool.past[0], pool.past[-1])
    theirs, _, _ = told(pool)
    assert theirs[:, :8].any()
    assert not theirs[:, 8:].any()
    pool.past = [torch.from_numpy(leaning(60.0)).half()] * 3  # now all of them always bet
    pool.advance()
    theirs, chosen, _ = told(pool)
    assert (chosen[theirs] == BET).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["critic", "self", "pool", "compiled", "network", "taught"])
def test_a_run_that_goes_on_ends_in_the_same_bits(kind):
    opponent = {"compiled": resolve(KUHN, OPPONENT), "network": network(leaning(0.3))}.get(kind)
    name = kind if kind == "pool" else "self"

    def fresh():
        arguments = replace(SMALL, opponent=name, past=4, critic=4 if kind == "critic" else 0)
        if kind == "taught":  # the lessons end in the window after that which is stored
            arguments = replace(arguments, teacher="random", lessons=3 * 16 * 8 / SMALL.decisions)
        return SelfPlay(KUHN, [STANDARD], opponent, arguments, 3, CPU, 1)

    whole = fresh()
    for _ in range(5):
        whole.advance()
    part = fresh()
    for _ in range(2):
        part.advance()
    stored = {key: array.copy() for key, array in part.state().items()}
    part.advance()  # what was stored is not what goes on
    later = fresh()
    later.restore(stored)
    for _ in range(3):
        later.advance()
    assert later.done_decisions == whole.done_decisions == 5 * 16 * 8
    one, other = whole.state(), later.state()
    assert one.keys() == other.keys()
    for key in one:
        assert np.array_equal(one[key], other[key]), key
    assert not np.array_equal(whole.result, part.result)


@pytest.mark.slow
def test_windows_in_which_nothing_gets_credit_do_no_harm():
    """Two steps of a table of four: nobody is asked twice, and no game ends."""
    run = learner(game=TRICKS, lanes=4, steps=2)
    before = run.result
    run.advance()
    assert not run.credit.counts.any()
    assert np.array_equal(run.result, before)
    alone = learner(network(leaning(0.0)), lanes=1, steps=2)
    for _ in range(6):
        alone.advance()
    assert np.isfinite(alone.result).all()


@pytest.mark.slow
def test_learning_raises_what_pays():
    """Against somebody who always bets, a king calls and a jack folds."""
    run = learner(resolve(KUHN, OPPONENT), decisions=16_384, lanes=64, batch=128, magnet=0.0, entropy=0.01)
    while not run.done:
        run.advance()
    facing_a_bet = bets(run)[6:].reshape(2, 3)  # second seat, first seat; jack, queen, king
    assert (facing_a_bet[:, 0] < 0.2).all()
    assert (facing_a_bet[:, 2] > 0.8).all()


# --- lessons ---


def bets(run: SelfPlay) -> np.ndarray:
    """The chance of a bet in every situation."""
    seen = np.zeros((12, SHAPE.inputs), np.float32)
    for place in range(12):
        betting, card = divmod(place, 3)
        seen[place, [place, 12 + card, 18 + betting]] = 1.0
    logits, _ = forward(SHAPE.parts(torch.from_numpy(run.result)), torch.from_numpy(seen))
    return torch.softmax(logits, dim=1)[:, BET].numpy()


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["self", OPPONENT])
@pytest.mark.parametrize("teacher", ["always-bet", "always-pass"])
def test_a_teacher_is_imitated(opponent, teacher):
    """Betting always is bad, and so is passing always: nobody would come to it but by imitation."""
    if opponent not in ("self", teacher):
        with pytest.raises(Problem, match="with the opponent always-bet it can be no other player"):
            learner(resolve(KUHN, opponent), teacher=teacher)
        return
    versus = None if opponent == "self" else resolve(KUHN, opponent)
    run = learner(versus, decisions=4096, teacher=teacher, lessons=1.0)
    while not run.done:
        run.advance()
        wanted = BET if teacher == "always-bet" else 1 - BET
        assert (run.window.chosen == wanted).all()
    chances = bets(run) if teacher == "always-bet" else 1 - bets(run)
    assert (chances[[0, 1, 2]] > 0.9).all()  # at the first decision, whatever the card


@pytest.mark.slow
def test_after_its_lessons_a_network_decides_itself():
    run = learner(teacher="always-bet", lessons=0.5, decisions=256)
    run.advance()
    assert not run.in_lesson
    run.advance()
    assert (run.window.chosen != BET).any()


@pytest.mark.parametrize("name", ["nobody", "equilibrium+"])
def test_a_teacher_must_be_known(name):
    with pytest.raises(Problem, match="unknown player"):
        learner(teacher=name)


def test_a_teacher_does_not_take_the_place_of_networks_opposite():
    with pytest.raises(Problem, match="opponent takes self, or the teacher, no network or pool"):
        learner(opponent=network(leaning(0.3)), teacher="always-bet")
    with pytest.raises(Problem, match="opponent takes self, or the teacher, no network or pool"):
        SelfPlay(KUHN, [STANDARD], None, replace(SMALL, opponent="pool", teacher="always-bet"), 3, CPU, 1)


def test_a_network_is_no_teacher(tmp_path):
    card = PolicyCard("kuhn", NAME, str(STANDARD), meaning_of(KUHN), 1, "", {}, variant=variant_of(8, 1, 1.0, "score"))
    save(tmp_path / "policy.npz", card, leaning(1.0))
    with pytest.raises(Problem, match="takes a compiled player that is no network; begin as one with start"):
        learner(teacher=str(tmp_path / "policy.npz"))


# --- watching ---


def test_the_ladder_of_a_run_measures_what_a_match_measures(tmp_path):
    flat = np.random.default_rng(8).normal(size=SHAPE.size).astype(np.float32)
    features, variant = meaning_of(KUHN), variant_of(SHAPE.units, SHAPE.blocks, 1.0, "score")
    card = PolicyCard("kuhn", NAME, "standard", features, 1, "abc1234", {}, variant=variant)
    save(tmp_path / "policy.npz", card, flat)
    found = Yardstick(KUHN, STANDARD, [resolve(KUHN, OPPONENT), network(leaning(0.7))], 200, 77, 1).measure(SHAPE, flat)
    player = str(tmp_path / "policy.npz")
    for figure, opponent in zip(found, (OPPONENT, network(leaning(0.7))), strict=True):
        figures = match(KUHN, [player, opponent], 200, 77, STANDARD, 1).rows[0].figure
        assert (figure.mean, figure.low, figure.high) == pytest.approx((figures.mean, figures.low, figures.high))


def test_a_ladder_says_the_same_every_time():
    yardstick = Yardstick(KUHN, STANDARD, [resolve(KUHN, OPPONENT)], 50, 7, 1)
    flat = leaning(0.2)
    assert yardstick.measure(SHAPE, flat) == yardstick.measure(SHAPE, flat)


@pytest.mark.slow
def test_a_run_is_watched_and_its_curve_goes_on_too(tmp_path):
    opponents, identity = [resolve(KUHN, OPPONENT)], {"run": 1}
    whole = watched.learn(learner(), KUHN, STANDARD, tmp_path / "whole", identity, 1, opponents, 20)
    assert len(whole.curve) == watched.POINTS
    assert whole.curve[-1][0] == whole.learning.done_decisions == SMALL.decisions
    assert f"vs {OPPONENT}" in whole.note()

    class Interrupted(SelfPlay):
        def advance(self):
            if self.progress >= 0.5:
                raise KeyboardInterrupt
            super().advance()

    part = Interrupted(KUHN, [STANDARD], None, SMALL, 3, CPU, 1)
    with pytest.raises(KeyboardInterrupt):
        watched.learn(part, KUHN, STANDARD, tmp_path / "part", identity, 1, opponents, 20)
    again = watched.learn(learner(), KUHN, STANDARD, tmp_path / "part", identity, 1, opponents, 20)
    assert again.curve == whole.curve
    assert np.array_equal(again.learning.result, whole.learning.result)
    watched.write_curve(tmp_path / "curve.csv", KUHN, STANDARD, again)
    lines = (tmp_path / "curve.csv").read_text().splitlines()
    assert lines[0] == f"decisions,chips a game against {OPPONENT},low,high"
    assert len(lines) == 1 + watched.POINTS


def test_ctrl_c_waits_until_a_window_is_whole():
    reached = []

    def window():
        with watched.uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("the end")

    with pytest.raises(KeyboardInterrupt):
        window()
    assert reached == ["the end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory"),
        RuntimeError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"),  # as Numba says it
    ],
)
def test_a_gpu_without_memory_gets_advice(error):
    with pytest.raises(Problem, match="take fewer lanes or steps"), watched.enough_memory():
        raise error


def test_another_error_of_the_gpu_is_not_taken_for_a_lack_of_memory():
    with pytest.raises(RuntimeError, match="CUDA_ERROR_ILLEGAL_ADDRESS"), watched.enough_memory():
        raise RuntimeError("[700] Call to cuMemFree results in CUDA_ERROR_ILLEGAL_ADDRESS")


# --- speed ---


def test_the_benchmark_of_training_measures_playing_and_learning(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    import training

    monkeypatch.setattr(training, "GAMES", (("kuhn", "standard"),))
    monkeypatch.setattr(training, "SMALL", SMALL)
    alone, lanes, learning = training.run("cpu", 0.05, 1)
    assert alone.what == "kuhn standard, 1 × 8, playing alone, one core"
    assert (alone.ratio, lanes.baseline, learning.baseline) == (None, alone.what, alone.what)
    assert min(alone.rate, lanes.rate, learning.rate) > 0
    assert learning.rate < lanes.rate


class Sent:
    """Stands for a cluster: work and pieces are pickled as they would be on their way, and done in this process."""

    cores = 1

    def run(self, work, pieces):
        for piece in pieces:
            sent, own = pickle.loads(pickle.dumps((work, piece)))
            yield (*piece, sent(*own))


@pytest.mark.parametrize("opponent", ["self", "pool"])
def test_actors_give_two_learners_the_same_windows(opponent):
    """By the check that compares a learner on a real GPU with one on the CPU; here both are on the CPU."""
    from tests.learn.check_learner_cuda import compare

    given = replace(SMALL, actors=2, batch=16 * 8, epochs=1, critic=4, opponent=opponent)
    told = compare("kuhn", given, CPU, Sent())
    assert told.startswith(f"kuhn, opponent {opponent}: 384 decisions of 2 actors are the same")
    assert told.endswith("differs by 0.000 %" if opponent == "self" else "weights are finite")
