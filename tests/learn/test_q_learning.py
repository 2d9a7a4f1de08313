"""Q-learning: its updates by hand at tables in Python, and runs that go on as if never stopped."""

import csv
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.conformance.chance import SURE, one_sample
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.tricks import GAME
from tefuda.games.tricks.values import write
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import LEARNER, below, stream, unit
from tefuda.learn import q_learning, training
from tefuda.learn.q_learning import SELF, Arguments, QLearning, values_of
from tefuda.learn.strength import STRENGTH_SEED
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.learn.finished_runs import same_results, stopped_at

PLAIN, HEARTS = GAME.rulebook.make("plain"), GAME.rulebook.make("hearts")
slow_uncompiled = pytest.mark.skipif(not COMPILED, reason="too slow uncompiled")


def learner_of(rules=PLAIN, seed: int = 1, game=GAME, **arguments) -> QLearning:
    return QLearning(game, rules, Arguments(**arguments), seed)


def same_state(one: QLearning, other: QLearning) -> None:
    theirs = other.state()
    for key, value in one.state().items():
        assert np.array_equal(value, theirs[key]), key
        assert value.dtype == theirs[key].dtype


# ── the update ──


class ByHand:
    """Q-learning at tables in Python: features, gains, and the update of Watkins, one decision after another."""

    def __init__(self, rules, arguments: Arguments, seed: int) -> None:
        self.rules, self.arguments, self.seed = rules, arguments, seed
        self.values = values_of(GAME, rules)
        self.policy = GAME.players.policy(self.values.policy)
        self.weights = [0.0] * self.values.size
        self.after_games: list[np.ndarray] = []
        self.saved: list[np.ndarray] = []
        self.explored = self.decisions = 0

    def numbers(self, weights) -> np.ndarray:
        return self.policy.parameters(self.arguments.variant, np.array(weights))

    def entrant(self, weights):
        return replace(resolve(GAME, "random", self.rules), policy=self.policy, params=self.numbers(weights))

    def others(self) -> list:
        """The other seats' players, counted from the learner's left."""
        if self.arguments.opponent != SELF:
            return [resolve(GAME, self.arguments.opponent, self.rules)] * 3
        rng = np.array([stream(self.seed, len(self.saved), 0, LEARNER)], np.uint64)
        drawn = [int(below(rng, len(self.saved) + 1)) for _ in range(3)]
        every = [*map(self.entrant, self.saved), resolve(GAME, "random", self.rules)]
        return [every[which] for which in drawn]

    def features(self, view, action: int) -> list[int]:
        active = np.zeros(self.values.active, np.int64)
        number = write(view.state[0], view.seat, self.numbers(self.weights), action, active)
        return active[:number].tolist()

    def value(self, features: list[int]) -> float:
        return sum(self.weights[each] for each in features)

    def play(self, number: int) -> None:
        arguments = self.arguments
        table = Table(GAME, self.rules, self.seed, number)
        luck = np.array([stream(self.seed, number, 1, LEARNER)], np.uint64)
        own, others = number % 4, self.others()
        rate = arguments.step * (arguments.decay / (arguments.decay + number) if arguments.decay else 1)
        last: list[int] | None = None
        had = 0.0
        while True:
            if not table.over and table.to_move != own:
                table.apply(table.ask(others[(table.to_move - own) % 4 - 1]))
                continue
            has = table.scores[own] - (table.scores.mean() if self.rules.preset != "plain" else 0.0)
            best = 0.0 if table.over else max(self.value(self.features(table.view(), card)) for card in table.legal)
            if last is not None:
                change = rate * (has - had + arguments.discount * best - self.value(last))
                for each in last:
                    self.weights[each] += change
            if table.over:
                break
            had = has
            self.decisions += 1
            if unit(luck) < arguments.explore:
                action = table.legal[int(below(luck, len(table.legal)))]
                self.explored += 1
            else:
                action = table.ask(self.entrant(self.weights))
            last = self.features(table.view(), action)
            table.apply(action)
        self.after_games.append(np.array(self.weights))
        if arguments.opponent == SELF and (number + 1) % arguments.every == 0:
            self.saved.append(np.array(self.weights, np.float32))


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize(
    ("preset", "chosen"),
    [
        ("plain", {"explore": 0.0}),
        ("plain", {"explore": 1.0, "opponent": "rule-based"}),
        ("plain", {"discount": 0.0, "variant": "before"}),
        ("plain", {"discount": 1.0, "decay": 5.0, "variant": "before+softmax=0.3", "opponent": "rule-based"}),
        ("hearts", {"explore": 0.5, "every": 2, "average": True}),
        ("hearts", {"variant": "before", "step": 0.3, "every": 1}),
        ("usual", {"opponent": "random", "explore": 0.2}),
    ],
)
def test_updates_agree_with_those_by_hand(preset, chosen):
    """All games but the first begin with weights that are not 0; in four games the learner sits in every seat."""
    rules, many = GAME.rulebook.make(preset), 9 if preset != "usual" else 1
    if not COMPILED:
        many = 4 if chosen.get("every") == 1 else 1
    arguments = Arguments(**{"games": 2 * many, "every": 3, **chosen})
    learner, by_hand = QLearning(GAME, rules, arguments, 7), ByHand(rules, arguments, 7)
    for number in range(many):
        by_hand.play(number)
        learner.advance(1)
        assert learner.weights == pytest.approx(by_hand.after_games[-1], abs=1e-9)
    assert np.abs(learner.weights).max() > 0.05
    assert len(learner.saved) == len(by_hand.saved) == (many // arguments.every if arguments.opponent == SELF else 0)
    share = by_hand.explored / by_hand.decisions
    assert share == arguments.explore if arguments.explore in (0, 1) else share < 1


@pytest.mark.slow
@slow_uncompiled
@pytest.mark.parametrize("every", [7, 100])
def test_the_average_is_the_mean_over_the_second_half(every):
    """Over the weights after every game of it; before the half the result is the weights themselves."""
    for number in (1, 2, 9, 40):
        learner = learner_of(games=number, every=every, average=True, explore=0.3, decay=20.0)
        after = []
        while not learner.done:
            learner.advance(1)
            after.append(learner.weights.copy())
            half = number // 2
            expected = np.mean(after[half:], axis=0) if len(after) > half else after[-1]
            assert learner.result == pytest.approx(expected, abs=1e-9)
        if number > 2:
            assert np.abs(learner.result - learner.weights).max() > 1e-3
    plain = learner_of(games=9, every=every, explore=0.3)
    plain.advance(9)
    assert plain.result is plain.weights


# ── runs in pieces ──


@slow_uncompiled
@pytest.mark.parametrize("chosen", [{"every": 13}, {"opponent": "rule-based"}, {"every": 50, "average": True}])
def test_any_split_gives_the_same_state(chosen):
    """Also with a curve, saved selves and the half of the games in the middle of pieces."""
    whole = learner_of(seed=3, games=151, points=7, **chosen)
    whole.advance(151)
    pieces = learner_of(seed=3, games=151, points=7, **chosen)
    for size in (1, 1, 10, 1, 13, 0, 37, 20, 500):
        pieces.advance(size)
    assert whole.done
    assert pieces.episode == 151
    assert len(whole.curve) == 7
    same_state(whole, pieces)
    assert [each.tolist() for each in whole.saved] == [each.tolist() for each in pieces.saved]
    other = learner_of(seed=4, games=151, points=7, **chosen)
    other.advance(151)
    assert not np.array_equal(other.weights, whole.weights)


@slow_uncompiled
@pytest.mark.parametrize("stop", [0, 5, 13, 26, 30, 75, 76, 150])
def test_a_restored_learner_goes_on_bit_for_bit(stop):
    """Before and after a saved self, a point of the curve and the half of the games."""
    chosen = {"seed": 6, "games": 151, "every": 13, "average": True, "points": 5, "decay": 100.0}
    whole = learner_of(**chosen)
    whole.advance(151)
    first, second = learner_of(**chosen), learner_of(**chosen)
    first.advance(stop)
    stored = {key: value.copy() for key, value in first.state().items()}
    assert stored["saved"].shape == (stop // 13, 8_503)
    assert stored["saved"].dtype == stored["curve"].dtype == np.float32
    second.restore(stored)
    second.advance(151)
    same_state(whole, second)
    assert [each.tolist() for each in whole.saved] == [each.tolist() for each in second.saved]
    assert np.array_equal(whole.result, second.result)


@slow_uncompiled
def test_points_of_the_curve_are_the_results_after_so_many_games():
    for average in (False, True):
        learner = learner_of(games=50, points=5, average=average)
        results = []
        while not learner.done:
            learner.advance(1)
            results.append(learner.result.copy())
        assert [each.tolist() for each in learner.curve] == [
            results[game - 1].astype(np.float32).tolist() for game in (10, 20, 30, 40, 50)
        ]


@slow_uncompiled
def test_advance_stops_at_the_end():
    learner = learner_of(games=5)
    learner.advance(100)
    before = learner.weights.copy()
    learner.advance(100)
    assert learner.episode == 5
    assert np.array_equal(learner.weights, before)
    assert learner.state()["saved"].shape == (0, 8_503)


# ── self-play ──


@slow_uncompiled
def test_a_self_is_saved_after_every_so_many_games():
    learner = learner_of(games=40, every=7)
    for game in range(1, 41):
        learner.advance(1)
        assert len(learner.saved) == game // 7
        if game % 7 == 0:
            assert learner.saved[-1].dtype == np.float32
            assert np.array_equal(learner.saved[-1], learner.weights.astype(np.float32))
    assert len({each.tobytes() for each in learner.saved}) == 5
    fixed = learner_of(games=40, every=7, opponent="rule-based")
    fixed.advance(40)
    assert fixed.saved == []


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("saved", [0, 1, 4])
def test_opponents_are_drawn_alike_from_all_saved_and_one_random(saved):
    """Each of the three seats for itself: counts of each seat, and of equal neighbours."""
    learner = learner_of(games=10)
    learner.saved = [np.full(8_503, 1 + number, np.float32) for number in range(saved)]
    seeds = 1500 if COMPILED else 200
    counts, pairs = np.zeros((3, saved + 1)), 0
    for seed in range(seeds):
        learner.seed = seed
        drawn = learner.opponents()
        assert len(drawn) == 3
        which = []
        for entrant in drawn:
            if entrant.policy is learner.policy:
                assert len(set(entrant.params[3:])) == 1
                which.append(int(entrant.params[3]) - 1)
            else:
                assert (entrant.name, entrant.policy) == ("random", GAME.players.policy("random"))
                which.append(saved)
        for seat, each in enumerate(which):
            counts[seat, each] += 1
        pairs += which[0] == which[1]
        assert [each.params.tobytes() for each in learner.opponents()] == [each.params.tobytes() for each in drawn]
    if saved:
        for each in counts:
            assert one_sample(each, np.full(saved + 1, seeds / (saved + 1))).chance > SURE
        chance = 1 / (saved + 1)
        assert abs(pairs / seeds - chance) < 5 * (chance * (1 - chance) / seeds) ** 0.5
    else:
        assert counts[:, 0].tolist() == [seeds] * 3


@pytest.mark.kernel
def test_a_fixed_opponent_takes_all_other_seats():
    assert [each.name for each in learner_of(opponent="rule-based").opponents()] == ["rule-based"] * 3


# ── learning ──

# A random player takes 2.463 tricks against three rule-based ones, and another rule-based one takes 3.25: who is above
# the middle of these has learned more than half of what the paper's rules know. No number here comes from a learner.
HALF_WAY = (2.463 + 3.25) / 2


def tricks(learner: QLearning, opponent: str):
    return match(GAME, [learner.player(learner.result, "learner"), opponent], 500, 11, PLAIN).rows[0].figure


@slow_uncompiled
@pytest.mark.parametrize("seed", [1, 2])
def test_self_play_learns_plain_tricks(seed):
    """From no knowledge: the whole interval against random is above an equal share, by half a trick."""
    learner = learner_of(seed=seed, games=3000)
    before = tricks(learner, "rule-based")
    learner.advance(3000)
    assert tricks(learner, "random").low > 13 / 4 + 0.5
    assert tricks(learner, "rule-based").low > HALF_WAY
    assert tricks(learner, "rule-based").mean > before.mean


SCORES = GAME.kernels.scores


@kernel
def scores_of_the_next(state, out):
    """A bug: each seat is rewarded with what the seat to its left gains."""
    SCORES(state, out)
    first = out[0]
    for seat in range(3):
        out[seat] = out[seat + 1]
    out[3] = first


@slow_uncompiled
@pytest.mark.parametrize("bug", ["step", "reward"])
def test_a_learner_with_a_bug_fails_the_same_bound(bug):
    if bug == "step":
        learner = learner_of(games=3000, step=-0.001)
    else:
        game = replace(GAME, name="wrong", kernels=replace(GAME.kernels, scores=scores_of_the_next))
        learner = learner_of(game=game, games=3000)
    learner.advance(3000)
    assert tricks(learner, "rule-based").high < HALF_WAY


@slow_uncompiled
def test_hearts_is_learned_too():
    """Against random players: fewer than the equal share of 6.5 points, with the whole interval."""
    learner = learner_of(HEARTS, games=4000, opponent="random")
    learner.advance(4000)
    figure = match(GAME, [learner.player(learner.result, "learner"), "random"], 500, 11, HEARTS).rows[0].figure
    assert figure.high < 26 / 4


# ── arguments ──


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["games=0"], "games, every and points are at least 1"), (["every=0"], "at least 1"),
        (["points=0"], "at least 1"),
        (["games=-3"], "at least 1"), (["discount=1.5"], "discount and explore lie between 0 and 1"),
        (["discount=-0.1"], "lie between 0 and 1"), (["explore=2"], "lie between 0 and 1"),
        (["decay=-1"], "decay is at least 0"),
        (["step=nan"], "plain numbers"), (["explore=inf"], "plain numbers"), (["games=ten"], "argument games is 'ten'"),
        (["games=1.5"], "argument games is '1.5'"), (["average=maybe"], "takes yes or no"),
        (["game=5"], "did you mean 'games'"),
        (["games"], "should be key=value"), (["opponent=nobody"], "unknown player of tricks 'nobody'"),
        (["opponent=self-plays"], "unknown player of tricks 'self-plays'"), (["opponent=random/x"], "takes no variant"),
        (["variant=after"], "variant 'after' of a linear value"), (["variant=softmax=hot"], "softmax is 'hot'"),
        (["opponent=none.npz"], "no policy file none.npz"), (["opponent=pimc/worlds=0"], "worlds is '0'"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told_in_one_line_and_nothing_is_written(texts, said, here):
    arguments = [part for text in texts for part in ("--arg", text)]
    done = here("train", "tricks", "q-linear", "--out", "run", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
    assert os.listdir(here.folder) == []


def test_rules_without_a_learner_are_told(here):
    done = here("train", "tricks", "q-lineal", "--out", "run")
    assert done.returncode == 2
    assert "unknown learner of tricks 'q-lineal': did you mean 'q-linear'" in done.stderr
    kuhn = games.find("kuhn")
    with pytest.raises(Problem, match="kuhn has no such values"):
        QLearning(kuhn, kuhn.rulebook.make(), Arguments(), 1)


def test_opponents_of_other_rules_or_forms_are_told(tmp_path, player_file):
    hearts = GAME.players.policy("q-hearts")
    path = tmp_path / "hearts.npz"
    card = policy.PolicyCard("tricks", "q-hearts", "hearts", hearts.features, 1, "", {})
    policy.save(path, card, np.zeros(hearts.weights))
    with pytest.raises(Problem, match="goal=hearts only, but the rules are plain"):
        learner_of(opponent=str(path))
    own = player_file("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    with pytest.raises(Problem, match="Mine cannot be learned against: only compiled players can"):
        learner_of(opponent=f"{own}:Mine")


# The opponent is found before the folder is made, but whether it is compiled is asked only afterwards.
def test_an_opponent_that_is_not_compiled_leaves_no_folder(here, player_file):
    own = player_file("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    done = here("train", "tricks", "q-linear", "--out", "run", "--arg", f"opponent={own}:Mine")
    assert done.returncode == 2
    assert "only compiled players can" in done.stderr
    assert os.listdir(here.folder) == []


@pytest.mark.slow
def test_the_help_lists_the_learner_and_its_arguments(here):
    described = training.describe(GAME)
    assert set(described) == {"q-linear", "self-play", "nfsp"}
    assert described["q-linear"]["about"] == "Q-learning of 8,503 weights"
    listed = {each["name"]: each for each in described["q-linear"]["arguments"]}
    assert {name: each["default"] for name, each in listed.items()} == {
        "opponent": "self-play", "games": 100_000, "step": 0.1, "decay": 0.0, "discount": 0.8, "explore": 0.1,
        "every": 100, "average": False, "variant": "", "points": 20,
    }  # fmt: skip
    assert all(each["meaning"] for each in listed.values())
    assert listed["discount"]["meaning"] == "γ"
    assert "q-linear" in here("train", "tricks", "--list").stdout


# ── training runs ──

RUN = """
import sys
from tefuda.learn import run
run.EVERY = -1.0  # a checkpoint after every step
from tefuda.cli import main
sys.argv = ["tefuda", *sys.argv[1:]]
main()
"""
CHOSEN = {"games": 20_000, "every": 1000, "points": 2, "average": "yes", "variant": "before"}


@pytest.fixture(autouse=True)
def quick_curves(monkeypatch):
    monkeypatch.setattr(q_learning, "CURVE_DEALS", 50)


def train(out, rules=PLAIN, seed=1, deals=0, **arguments):
    texts = [f"{key}={value}" for key, value in arguments.items()]
    return training.train(GAME, "q-linear", texts, out, seed, rules, deals, 1)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The folder of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("uninterrupted")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(q_learning, "CURVE_DEALS", 50)
        train(out, **CHOSEN)
    return out


@pytest.mark.slow
@slow_uncompiled
def test_a_run_leaves_policy_curve_and_checkpoint(uninterrupted):
    assert sorted(path.name for path in uninterrupted.iterdir()) == ["checkpoint.npz", "curve.csv", "policy.npz"]
    card, weights = policy.load_for(GAME, uninterrupted / "policy.npz")
    assert (card.game, card.policy, card.rules, card.seed, card.variant) == ("tricks", "q-tricks", "plain", 1, "before")
    assert card.arguments["games"] == 20_000
    learner = learner_of(**{**CHOSEN, "average": True})
    learner.advance(20_000)
    assert np.array_equal(weights, learner.result.astype(np.float32))
    lines = list(csv.reader((uninterrupted / "curve.csv").open()))
    assert lines[0] == ["game", "tricks a game against rule-based", "low", "high"]
    assert [int(line[0]) for line in lines[1:]] == [10_000, 20_000]
    measured = match(GAME, [str(uninterrupted / "policy.npz"), "rule-based"], 50, STRENGTH_SEED, PLAIN)
    assert float(lines[-1][1]) == pytest.approx(measured.rows[0].figure.mean, abs=0.1)
    assert resolve(GAME, str(uninterrupted / "policy.npz")).params[:2].tolist() == [0, 1]


@pytest.mark.slow
@slow_uncompiled
def test_a_killed_run_goes_on_to_the_same_result(uninterrupted, tmp_path):
    texts = [part for key, value in CHOSEN.items() for part in ("--arg", f"{key}={value}")]
    command = [sys.executable, "-c", RUN, "train", "tricks", "q-linear", *texts, "--out", str(tmp_path), "--deals", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not ((tmp_path / "checkpoint.npz").exists() and stopped_at(tmp_path) > 2000):
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert 2000 < stopped_at(tmp_path) < 20_000
    assert not (tmp_path / "policy.npz").exists()
    train(tmp_path, **CHOSEN)
    same_results(uninterrupted, tmp_path)


class Interrupted:
    """Ctrl-C as soon as a compiled step is done, before anything is noted."""

    def __init__(self, step, times: int) -> None:
        self.step, self.left = step, times

    def __call__(self, *arguments):
        self.step(*arguments)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@slow_uncompiled
@pytest.mark.parametrize("times", [8, *(pytest.param(each, marks=pytest.mark.slow) for each in (1, 20, 21))])
def test_an_interrupt_right_after_a_compiled_step_loses_nothing(times, uninterrupted, tmp_path, monkeypatch):
    games_of = q_learning._games_of(GAME, values_of(GAME, PLAIN))
    with monkeypatch.context() as patched:
        step = Interrupted(games_of, times)
        patched.setattr(q_learning, "_games_of", lambda game, values: step)
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, **CHOSEN)
    assert stopped_at(tmp_path) < 20_000
    train(tmp_path, **CHOSEN)
    same_results(uninterrupted, tmp_path)


# The games are counted before what they leave (the half, a saved self, a point of the curve) is kept. When Ctrl-C comes
# in between, the checkpoint lacks that for good: here the point of the curve is taken from later weights.
@slow_uncompiled
def test_an_interrupt_while_a_point_is_kept_loses_nothing(uninterrupted, tmp_path, monkeypatch):
    result, calls = QLearning.result.fget, []

    def interrupted(self):
        calls.append(self.episode)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return result(self)

    with monkeypatch.context() as patched:
        patched.setattr(QLearning, "result", property(interrupted))
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, **CHOSEN)
    train(tmp_path, **CHOSEN)
    same_results(uninterrupted, tmp_path)


@slow_uncompiled
def test_a_finished_run_is_not_run_again(uninterrupted, tmp_path, monkeypatch):
    train(tmp_path, **CHOSEN)
    (tmp_path / "policy.npz").unlink()
    monkeypatch.setattr(QLearning, "advance", None)  # would fail if it were asked
    train(tmp_path, **CHOSEN)
    same_results(uninterrupted, tmp_path)


@slow_uncompiled
@pytest.mark.parametrize(
    ("changes", "said"),
    [({"every": 500}, "every"), ({"variant": ""}, "variant"), ({"average": "no"}, "average"), ({"seed": 2}, "seed")],
)
def test_another_run_in_the_same_folder_is_refused(changes, said, uninterrupted):
    before = {path.name: path.read_bytes() for path in uninterrupted.iterdir()}
    with pytest.raises(Problem, match=rf"holds another run \({said} differ\); choose another --out"):
        train(uninterrupted, **{**CHOSEN, **changes})
    assert {path.name: path.read_bytes() for path in uninterrupted.iterdir()} == before


@slow_uncompiled
def test_runs_of_other_rules_make_other_policies(tmp_path):
    card = train(tmp_path / "hearts", HEARTS, deals=20, games=200, points=1)
    assert (card.policy, card.rules, len(card.strength)) == ("q-hearts", "hearts", 1)
    assert card.strength[0]["opponent"] == "rule-based"
    assert card.strength[0]["figure"] == "penalty points a game"
    with pytest.raises(Problem, match="goal=hearts only"):
        resolve(GAME, str(tmp_path / "hearts" / "policy.npz"), PLAIN)


# Points that lie before the first game are measured after it, but their lines say game 0.
@slow_uncompiled
def test_every_line_of_a_curve_names_the_game_that_it_was_measured_after(tmp_path):
    train(tmp_path, games=3, points=6)
    lines = list(csv.reader((tmp_path / "curve.csv").open()))[1:]
    assert all(int(line[0]) >= 1 for line in lines)


# With up to five features a card, a step of 0.4 or more overshoots: the weights grow without end, first to infinity and
# then to no numbers at all, of which no card is the best; cards that do not exist are then played, and a file is
# written that cannot be read again. One line should tell.
@slow_uncompiled
def test_weights_that_grow_without_end_are_told(tmp_path):
    with pytest.raises(Problem, match="step"):
        train(tmp_path, games=1000, step=5.0, points=1)
    assert not (tmp_path / "policy.npz").exists()
