"""Neural fictitious self-play in its parts: what is remembered, who plays by what, and what a best response learns."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tefuda import games
from tefuda.engine.network import variant_of
from tefuda.errors import Problem
from tefuda.kernel.compile import COMPILED
from tefuda.learn.run import parse_arguments
from tefuda.players.resolve import resolve
from tests.games.kuhn.tables import value

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(not COMPILED, reason="thousands of games: compiled only")

from tefuda.learn.deep.common import WIN_SCALE, scales_of  # noqa: E402  (needs torch)
from tefuda.learn.deep.memory import Memory  # noqa: E402
from tefuda.learn.deep.network import forward  # noqa: E402
from tefuda.learn.deep.tables import Machine  # noqa: E402
from tefuda.learn.nfsp import Arguments, FictitiousSelfPlay  # noqa: E402
from tefuda.learn.watched import variant  # noqa: E402

CPU = torch.device("cpu")
KUHN = games.find("kuhn")
MACHINE = Machine(KUHN, CPU, 1)


# --- what is remembered ---


def offered(data, memory: Memory, reservoir: bool, most: int) -> list[list[int]]:
    """Offer numbered rows in batches of any size, of which any count; returns what each place ought to hold, by the
    plain algorithm, one row after the other."""
    places: list[list[int]] = [[] for _ in range(memory.capacity)]
    seen = row = 0
    for size in data.draw(some.lists(some.integers(1, most), max_size=8)):
        counts = data.draw(some.lists(some.booleans(), min_size=size, max_size=size))
        lucks = data.draw(some.lists(some.floats(0, 1, exclude_max=True), min_size=size, max_size=size))
        numbers = torch.arange(row, row + size)
        rows = {"number": numbers, "pair": torch.stack([numbers, -numbers], dim=1)}
        luck = torch.tensor(lucks, dtype=torch.float64) if reservoir else None
        memory.add(rows, torch.tensor(counts), luck)
        for count, chance in zip(counts, lucks, strict=True):
            if count:
                place = seen % memory.capacity
                if reservoir and seen >= memory.capacity:
                    place = int(chance * (seen + 1))
                if place < memory.capacity:
                    places[place] = [row]
                seen += 1
            row += 1
    assert int(memory.seen) == seen
    return places


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(some.data(), some.booleans())
def test_a_memory_keeps_what_the_plain_algorithm_keeps(data, reservoir):
    capacity = 7
    memory = Memory(MACHINE, capacity, {"number": (0, torch.int64), "pair": (2, torch.float32)})
    places = offered(data, memory, reservoir, most=30 if reservoir else capacity)
    filled = min(int(memory.seen), capacity)
    assert memory.columns["number"][:filled].tolist() == [place[0] for place in places[:filled]]
    assert memory.columns["pair"][:filled].tolist() == [[place[0], -place[0]] for place in places[:filled]]
    assert all(not place for place in places[filled:])


def test_a_reservoir_is_an_even_sample():
    """Of 400 rows in batches of 50, 20 are kept: each of them with the chance 1 in 20, early or late."""
    kept = np.zeros(400)
    generator = torch.Generator().manual_seed(1)
    for _ in range(400):
        memory = Memory(MACHINE, 20, {"number": (0, torch.int64)})
        for first in range(0, 400, 50):
            luck = torch.rand(50, generator=generator, dtype=torch.float64)
            memory.add({"number": torch.arange(first, first + 50)}, torch.ones(50, dtype=torch.bool), luck)
        kept[memory.columns["number"][:20].numpy()] += 1
    by_batch = kept.reshape(8, 50).sum(axis=1)  # 1000 expected in each, with a deviation of about 30
    assert kept.sum() == 8000
    assert np.abs(by_batch - 1000).max() < 130


def test_rows_are_drawn_from_what_is_there():
    memory = Memory(MACHINE, 50, {"number": (0, torch.int64)})
    generator, drawn = torch.Generator().manual_seed(1), torch.zeros(2000, dtype=torch.int64)
    memory.draw(drawn, generator)
    assert set(drawn.tolist()) == {0}
    for rows, places in ((5, 5), (50, 50)):
        memory.add({"number": torch.arange(rows)}, torch.ones(rows, dtype=torch.bool))
        memory.draw(drawn, generator)
        assert set(drawn.tolist()) == set(range(places))


# --- what a window leaves ---


def learner_of(
    game: str = "kuhn", learning: type = FictitiousSelfPlay, opponent="self", seed: int = 1, by=(), **arguments
):
    found = games.find(game)
    rules = found.rulebook.make(None, by)
    chosen = {"lanes": 8, "steps": 8, "units": 8, "blocks": 1, "batch": 64, "updates": 2, **arguments}
    texts = [f"{key}={value}" for key, value in {**chosen, "opponent": opponent}.items()]
    versus = None if opponent == "self" else resolve(found, opponent, rules)
    return learning(found, [rules], versus, parse_arguments(Arguments, texts), seed, CPU, 1)


class Told(FictitiousSelfPlay):
    """Keeps all that was played."""

    def _remember_transitions(self):
        steps, keys = self.window.steps, ("observation", "allowed", "seat_of", "chosen", "ended", "rewards")
        now = {key: getattr(self.window, key)[:steps].numpy().copy() for key in keys}
        before = getattr(self, "told", {key: value[:0] for key, value in now.items()})
        self.told = {key: np.concatenate([before[key], now[key]]) for key in keys}
        super()._remember_transitions()


def row_of(observation, action, reward, next_observation, next_allowed) -> tuple:
    """A transition that can be counted, in the precision in which observations are remembered."""
    sights = [None if each is None else each.astype(np.float16).tobytes() for each in (observation, next_observation)]
    return *sights, int(action), round(float(reward), 3) + 0.0, np.asarray(next_allowed).tobytes()


def walked(told, lane: int, seats: int) -> list[tuple]:
    """What each decision in a lane led to, by a plain walk forwards."""
    found, last, pending = [], [-1] * seats, np.zeros(seats)
    observation, allowed = told["observation"][:, lane], told["allowed"][:, lane]
    nothing = np.zeros_like(allowed[0])
    for at, seat in enumerate(told["seat_of"][:, lane]):
        if last[seat] >= 0:
            then = last[seat]
            following = (pending[seat], observation[at], allowed[at])
            found.append(row_of(observation[then], told["chosen"][then, lane], *following))
        last[seat], pending[seat] = at, 0.0
        pending += told["rewards"][at, lane]
        if told["ended"][at, lane]:
            for each, then in enumerate(last):
                if then >= 0:
                    own = (observation[then], told["chosen"][then, lane], pending[each])
                    found.append(row_of(*own, None, nothing))
            last = [-1] * seats
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("game", "by"), [("kuhn", []), ("tricks", ["target=10"])])
def test_each_decision_is_remembered_once_with_what_it_led_to(game, by):
    """Across the borders of windows, for two seats and for four. Every fourth window ends with a deal of tricks, where
    what was won is still to be told when the next deal begins."""
    learner = learner_of(game, Told, by=by, steps=13, explore=0.5)
    for _ in range(20):
        learner.advance()
    wanted = [row for lane in range(8) for row in walked(learner.told, lane, learner.game.seats)]
    columns, filled = learner.ring.columns, int(learner.ring.seen)
    found = []
    for place in range(filled):
        row = {key: column[place].numpy() for key, column in columns.items()}
        going_on = row["next_allowed"].any()
        after = row["next_observation"] if going_on else None  # whatever stands there is not read
        found.append(row_of(row["observation"], row["action"], row["reward"], after, row["next_allowed"]))
    assert Counter(found) == Counter(wanted)
    assert 8 * 13 * 20 - 8 * learner.game.seats <= filled < 8 * 13 * 20
    assert any(key[3] for key in found)


def test_a_seat_keeps_to_one_way_of_playing_for_a_whole_game():
    learner = learner_of(anticipation=0.3, explore=0.0, lanes=256, steps=32)
    learner.advance()
    window, seats = learner.window, KUHN.seats
    follows, chosen = learner.follows.numpy(), window.chosen.numpy()
    assert np.array_equal(chosen[follows], learner.wanted.numpy()[follows])  # who does not explore does what it wants
    assert (
        0.2 < (chosen != learner.wanted.numpy())[~follows].mean() < 0.8
    )  # an average that knows nothing does anything
    shares, apart = [], []
    for lane in range(256):
        game: dict[int, set] = {seat: set() for seat in range(seats)}
        for at in range(1, 32):  # the first sight has given way to that of the next window
            game[int(window.seat_of[at, lane])].add(bool(follows[at, lane]))
            if window.ended[at, lane]:
                ways = [way for way in game.values() if way]
                assert all(len(way) == 1 for way in ways)
                if len(ways) == seats:
                    apart.append(ways[0] != ways[1])
                shares += [way.pop() for way in ways]
                game = {seat: set() for seat in range(seats)}
    assert np.mean(shares) == pytest.approx(0.3, abs=0.03)
    assert np.mean(apart) == pytest.approx(2 * 0.3 * 0.7, abs=0.04)  # each seat by its own luck
    assert int(learner.reservoir.seen) == follows.sum()


def test_exploring_is_as_frequent_as_is_said():
    learner = learner_of(anticipation=1.0, explore=0.4, explore_end=0.4, lanes=256, steps=32)
    learner.advance()
    assert (learner.window.chosen != learner.wanted).double().mean() == pytest.approx(0.4 / 2, abs=0.02)
    kept = learner.reservoir.columns["action"][: 256 * 32]
    assert torch.equal(kept, learner.wanted.flatten())  # the average learns what was wanted, not what was tried


# --- what is learned ---


@pytest.mark.slow
def test_the_best_response_to_a_fixed_player_is_exact():
    """Against who bets half of the time, a best response wins 11/24 chips a game: no other way to play does."""
    learner = learner_of(
        opponent="random", decisions=50_000, lanes=128, steps=16, updates=8, batch=256, rate=0.005, explore=0.5,
        explore_end=0.5, renew=20, ring=50_000,
    )  # fmt: skip
    while not learner.done:
        learner.advance()
    with torch.no_grad():
        sights = torch.zeros((12, KUHN.spaces.observation.size))
        for number in range(12):
            states = KUHN.blank(KUHN.rulebook.make())
            states["betting"], states["card"] = divmod(number, 3)
            KUHN.kernels.observe(states[0], KUHN.kernels.to_move(states[0]), sights[number].numpy())
        worth, _ = forward(learner.shape.parts(learner.best), sights)
    response, half = worth.argmax(dim=1).tolist(), [0.5] * 12
    assert (value(response, half) - value(half, response)) / 2 == pytest.approx(11 / 24, abs=0.005)
    # what a call with the king is worth after a bet: the bet and the ante
    assert float(worth[8, 1]) * learner.scale == pytest.approx(2, abs=0.1)


def test_the_policy_card_names_the_unit_of_the_first_rules():
    """By `nintendo` the match is played for, by `paper` the score: the card tells both of the first."""
    game = games.find("koikoi")
    rules = [game.rulebook.make(preset) for preset in ("nintendo", "paper")]
    learner = FictitiousSelfPlay(game, rules, None, Arguments(goal="match", lanes=4, steps=2), 1, CPU, 1)
    assert learner.goals == ["win", "score"]
    assert variant(learner) == variant_of(128, 2, WIN_SCALE, "win")
    assert learner.lanes.setting[2].tolist() == scales_of(game, rules, learner.goals, 1) != [WIN_SCALE, WIN_SCALE]


def test_a_learner_that_is_restored_goes_on_the_same():
    """Also from a moment at which rings and reservoirs have gone round."""
    small = {"ring": 100, "reservoir": 50, "anticipation": 0.5}
    one, other = learner_of(**small), learner_of(**small)
    for _ in range(9):
        one.advance()
    other.restore(one.state())
    for _ in range(5):
        one.advance()
        other.advance()
    assert int(one.reservoir.seen) > 100
    kept, again = one.state(), other.state()
    assert kept.keys() == again.keys()
    for key in kept:
        assert np.array_equal(kept[key], again[key]), key
    assert not np.array_equal(kept["average"], learner_of(seed=2, **small).state()["average"])


# --- bad input ---


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rate": 0.0}, "rates are numbers above 0"),
        ({"average_rate": float("nan")}, "rates are numbers above 0"),
        ({"reservoir": 0}, "reservoir are at least 1"),
        ({"units": 1025}, "units are 1 to 1024"),
        ({"anticipation": 0.0}, "anticipation lies above 0 and up to 1"),
        ({"explore": 1.5}, "explore_end from 0 to 1"),
        ({"precision": "double"}, "takes half or single"),
        ({"goal": "fun"}, "takes score, win, place or match"),
        ({"ring": 79}, "ring is 79, but at least 80: one window"),
    ],
)
def test_what_cannot_be_meant_is_refused(wrong, said):
    with pytest.raises(Problem, match=said):
        learner_of(**wrong)


def test_a_pool_of_past_selves_is_refused():
    with pytest.raises(Problem, match="nfsp has no pool"):
        Arguments(opponent="pool").check()
