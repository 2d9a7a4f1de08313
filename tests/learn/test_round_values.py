"""Values between rounds: the learner of Saichugen's `learned` player against games by hand, and its runs."""

import os
from collections import Counter

import numpy as np
import pytest

from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.saichugen import GAME
from tefuda.games.saichugen.players import learned
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import LEARNER, below, stream, unit
from tefuda.learn import q_learning, training
from tefuda.learn.q_learning import SELF
from tefuda.learn.round_values import Arguments, RoundValueLearning, values_of
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.games.saichugen.plain_features import features

PAPER, STAKE = GAME.rulebook.make("paper"), GAME.rulebook.make("stake")
POLICY = GAME.players.policy("learned")
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


# ── the learner ──


def learner_of(rules=PAPER, seed: int = 1, **arguments) -> RoundValueLearning:
    return RoundValueLearning(GAME, rules, Arguments(**arguments), seed)


def close(one: np.ndarray, other: np.ndarray, most: float = 1e-9) -> bool:
    return one.shape == other.shape and bool((np.abs(one - other) < most).all())


class ByHand:
    """The learner at tables in Python: games first, then the update of every table between rounds."""

    def __init__(self, rules, arguments: Arguments, seed: int) -> None:
        self.rules, self.arguments, self.seed = rules, arguments, seed
        self.weights = np.zeros(learned.SIZE)
        self.saved: list[np.ndarray] = []
        self.explored = self.decisions = self.selves = 0

    def others(self) -> list[Entrant]:
        """The players to the learner's left and right."""
        if self.arguments.opponent != SELF:
            return [resolve(GAME, self.arguments.opponent, self.rules)] * 2
        rng = np.array([stream(self.seed, len(self.saved), 0, LEARNER)], np.uint64)
        drawn = [int(below(rng, len(self.saved) + 1)) for _ in range(2)]
        self.selves += sum(which < len(self.saved) for which in drawn)
        every = [*(Entrant("past", POLICY, each.astype(float)) for each in self.saved), resolve(GAME, "random")]
        return [every[which] for which in drawn]

    def play(self, game: int) -> None:
        arguments, table = self.arguments, Table(GAME, self.rules, self.seed, game)
        luck = np.array([stream(self.seed, game, 1, LEARNER)], np.uint64)
        own, others, met = game % 3, self.others(), []
        while not table.over:
            if table.to_move != own:
                table.apply(table.ask(others[(table.to_move - own) % 3 - 1]))
            else:
                self.decisions += 1
                if unit(luck) < arguments.explore:
                    self.explored += 1
                    table.apply(table.legal[int(below(luck, len(table.legal)))])
                else:
                    table.apply(table.ask(Entrant("learner", POLICY, self.weights)))
            if len(table.history) in (9, 18, 27, 36):
                met.append(features(table.states, own))
        rate = arguments.step * (arguments.decay / (arguments.decay + game) if arguments.decay else 1)
        gain = arguments.discount * table.scores[own]
        for each in met:
            error = gain - sum(self.weights[index] * amount for index, amount in each.items())
            for index, amount in each.items():
                self.weights[index] += rate * error * amount
        if arguments.opponent == SELF and (game + 1) % arguments.every == 0:
            self.saved.append(self.weights.astype(np.float32))


@slow_uncompiled
@pytest.mark.parametrize(
    ("rules", "chosen"),
    [
        (PAPER, {"opponent": "random", "explore": 0.0}),
        (PAPER, {"opponent": "S-base+3t+4r", "explore": 1.0, "decay": 5.0}),
        (PAPER, {"discount": 0.5, "decay": 0.0, "step": 0.2, "explore": 0.3}),
        (STAKE, {"every": 1, "step": 0.3}),
        (STAKE, {"every": 4, "explore": 0.5, "opponent": SELF}),
    ],
)
def test_updates_agree_with_those_by_hand(rules, chosen):
    """In nine games the learner sits in every seat; all but the first begin with weights that are not 0."""
    arguments = Arguments(**{"games": 30, "every": 3, **chosen})
    learner, by_hand, after = RoundValueLearning(GAME, rules, arguments, 7), ByHand(rules, arguments, 7), []
    for game in range(9):
        by_hand.play(game)
        learner.advance(1)
        assert close(learner.weights, by_hand.weights)
        after.append(by_hand.weights.copy())
    assert np.abs(learner.weights).max() > 0.02
    assert by_hand.decisions == 9 * 15
    share = by_hand.explored / by_hand.decisions
    assert share == arguments.explore if arguments.explore in (0, 1) else share < 1
    assert len(learner.saved) == len(by_hand.saved) == (9 // arguments.every if arguments.opponent == SELF else 0)
    for mine, other in zip(learner.saved, by_hand.saved, strict=True):
        assert close(mine, other, 1e-6)
    assert (by_hand.selves > 0) == (arguments.opponent == SELF)
    moved = sum(number * (new - old) for number, (old, new) in enumerate(zip([after[0], *after], after, strict=False)))
    assert close(learner.moved, moved)


@slow_uncompiled
def test_the_average_is_the_mean_over_the_second_half():
    learner, after = learner_of(games=12, average=True, explore=0.3, every=5), []
    while not learner.done:
        learner.advance(1)
        after.append(learner.weights.copy())
        assert close(learner.result, np.mean(after[6:], axis=0) if len(after) > 6 else after[-1])
    assert np.abs(learner.result - learner.weights).max() > 1e-3


def same_state(one: RoundValueLearning, other: RoundValueLearning) -> None:
    theirs = other.state()
    for key, value in one.state().items():
        assert np.array_equal(value, theirs[key]), key
        assert value.dtype == theirs[key].dtype
    assert [each.tolist() for each in one.saved] == [each.tolist() for each in other.saved]


@pytest.mark.slow
@slow_uncompiled
@pytest.mark.parametrize(
    ("rules", "chosen"), [(STAKE, {"every": 7}), (PAPER, {"opponent": "random", "explore": 1.0, "average": True})]
)
def test_any_split_and_any_restart_give_the_same(rules, chosen):
    chosen = {"games": 41, "points": 3, "seed": 3, **chosen}
    whole = learner_of(rules, **chosen)
    whole.advance(41)
    assert whole.done
    assert len(whole.curve) == 3
    pieces = learner_of(rules, **chosen)
    for size in (1, 0, 6, 1, 13, 4, 100):
        pieces.advance(size)
    same_state(whole, pieces)
    for stop in (0, 7, 20, 21, 40):
        first, second = learner_of(rules, **chosen), learner_of(rules, **chosen)
        first.advance(stop)
        second.restore({key: value.copy() for key, value in first.state().items()})
        assert second.episode == stop
        second.advance(41)
        same_state(whole, second)
    other = learner_of(rules, **{**chosen, "seed": 4})
    other.advance(41)
    assert not np.array_equal(other.weights, whole.weights)


@slow_uncompiled
def test_past_selves_and_random_sit_in_the_other_seats():
    """Drawn alike from two saved selves and one random player, each seat for itself."""
    learner = learner_of(STAKE, games=10)
    learner.saved = [np.full(learned.SIZE, 1.0 + which, np.float32) for which in range(2)]
    seen: Counter[tuple[float, ...]] = Counter()
    for seed in range(450):
        learner.seed = seed
        drawn = learner.opponents()
        assert {each.policy for each in drawn} <= {POLICY, GAME.players.policy("random")}
        seen[tuple(each.params[0] if each.policy is POLICY else 0.0 for each in drawn)] += 1
    assert len(seen) == 9
    assert all(abs(often - 50) < 5 * 50**0.5 for often in seen.values())


@pytest.mark.slow
@slow_uncompiled
def test_learning_learns():
    """After a few games against random players the whole interval is above what was won before any."""
    learner = learner_of(games=800, opponent="random", step=0.1)
    before = match(GAME, [learner.player(learner.weights, "new"), "random", "random"], 150, 5).rows[0].figure
    learner.advance(800)
    after = match(GAME, [learner.player(learner.result, "learner"), "random", "random"], 150, 5).rows[0].figure
    assert after.low > before.mean > GAME.scoring.headline.fair


# ── from the command line ──


@pytest.fixture(autouse=True)
def quick_curves(monkeypatch):
    monkeypatch.setattr(q_learning, "CURVE_DEALS", 10)


@slow_uncompiled
@pytest.mark.parametrize("preset", ["paper", "stake"])
def test_a_run_from_the_command_line_makes_a_player(preset, here):
    texts = ("--arg", "games=20", "--arg", "every=5", "--arg", "points=2", "--rules", preset)
    done = here("train", "saichugen", "learned", *texts, "--out", "run", "--deals", "5", "--seed", "3")
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert sorted(os.listdir(here.folder / "run")) == ["checkpoint.npz", "curve.csv", "policy.npz"]
    rules = GAME.rulebook.make(preset)
    card, weights = policy.load_for(GAME, here.folder / "run" / "policy.npz")
    assert (card.game, card.policy, card.rules, card.seed, card.features) == (
        "saichugen", "learned", preset, 3, learned.FEATURES,
    )  # fmt: skip
    learner = learner_of(rules, seed=3, games=20, every=5, points=2)
    learner.advance(20)
    assert np.array_equal(weights, learner.result.astype(np.float32))
    assert np.abs(weights).max() > 0.02
    lines = (here.folder / "run" / "curve.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["game", "10", "20"]
    played = here("match", "saichugen", "run/policy.npz", "random", "random", "--deals", "4", "--rules", preset)
    assert played.returncode == 0
    assert "policy" in played.stdout
    mine = resolve(GAME, str(here.folder / "run" / "policy.npz"), rules)
    assert (mine.policy, mine.params.tolist()) == (POLICY, weights.astype(float).tolist())


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["games=0"], "at least 1"), (["step=nan"], "plain numbers"), (["explore=1.5"], "lie between 0 and 1"),
        (["decay=-1"], "decay is at least 0"), (["game=5"], "did you mean 'games'"), (["games=ten"], "games is 'ten'"),
        (["opponent=nobody"], "unknown player of saichugen 'nobody'"), (["variant=after"], "takes no variant"),
        (["opponent=learned/x"], "takes no variant"), (["games"], "should be key=value"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told_in_one_line_and_nothing_is_written(texts, said, here):
    arguments = [part for text in texts for part in ("--arg", text)]
    done = here("train", "saichugen", "learned", "--out", "run", *arguments)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr
    assert os.listdir(here.folder) == []


@slow_uncompiled
def test_weights_that_grow_without_end_are_told():
    learner = learner_of(games=200, step=50.0, opponent="random")
    with pytest.raises(Problem, match="take a smaller step"):
        learner.advance(200)


@pytest.mark.slow
def test_the_help_lists_the_learner():
    listed = training.describe(GAME)["learned"]
    assert f"{learned.SIZE:,} weights" in listed["about"]
    defaults = {each["name"]: each["default"] for each in listed["arguments"]}
    assert defaults == {
        "opponent": SELF, "games": 200_000, "step": 0.05, "decay": 20_000.0, "discount": 1.0, "explore": 0.02,
        "every": 1000, "average": False, "variant": "", "points": 20,
    }  # fmt: skip
    assert all(each["meaning"] for each in listed["arguments"])
    assert values_of(GAME, PAPER) is values_of(GAME, STAKE) is learned.VALUES
