"""Learning: gradients against finite differences, learning that learns, and runs that go on as if never stopped."""

import contextlib
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
from tefuda.engine.linear import add_log_gradient, sample, softmax
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.koikoi.players import linear
from tefuda.learn import policy_gradient, positions, run, training, value_network
from tefuda.learn.policy_gradient import Arguments, Learner
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")
OPPONENT = "random/always-stop"  # no playouts in the other seat: quick


# --- the gradient of the softmax ---


def numbers_of(features: np.ndarray, actions: list[int], most_rows: int) -> np.ndarray:
    """Candidates as kernel/linear.py wants them."""
    rows, count = features.shape
    numbers = np.zeros(most_rows * (count + 1) + most_rows)
    for row in range(rows):
        numbers[row * (count + 1)] = actions[row]
        numbers[row * (count + 1) + 1 : (row + 1) * (count + 1)] = features[row]
    return numbers


def log_probability(features: np.ndarray, actions: list[int], weights: np.ndarray, action: int) -> float:
    """log of the sum over all candidates that mean the action, written down with NumPy."""
    exponentials = np.exp(features @ weights)
    return float(np.log(exponentials[np.array(actions) == action].sum() / exponentials.sum()))


@pytest.mark.parametrize("actions", [[3, 7, 1, 0, 9, 2], [4, 4, 6, 6, 6, 1], [5, 5, 5, 5, 5, 5]])
def test_the_log_gradient_agrees_with_finite_differences(actions):
    """Also where several candidates mean the same action; one certain action has no gradient."""
    generator = np.random.default_rng(1)
    features, weights = generator.normal(size=(6, 5)), generator.normal(size=5)
    for action in set(actions):
        numbers = numbers_of(features, actions, 9)
        softmax(numbers, 6, 9, 5, weights)
        gradient = np.full(5, 10.0)  # it is added to what is there
        add_log_gradient(numbers, 6, 9, 5, action, gradient)
        step = 1e-6
        expected = [
            (log_probability(features, actions, weights + step * unit, action)
             - log_probability(features, actions, weights - step * unit, action)) / (2 * step)
            for unit in np.eye(5)
        ]  # fmt: skip
        assert gradient - 10 == pytest.approx(expected, abs=1e-8)
        assert len(set(actions)) == 1 or np.abs(expected).max() > 0.1


# --- policy gradient ---


def learner_of(seed: int = 1, opponent: str = OPPONENT, **arguments) -> Learner:
    chosen = Arguments(opponent=opponent, **arguments)
    return Learner(KOIKOI, KOIKOI.rulebook.make(), resolve(KOIKOI, opponent), chosen, seed)


def strength_of(weights: np.ndarray, path) -> float:
    card = policy.Card("koikoi", "pg-linear", "paper", KOIKOI.players.policies[2].features, 1, "", {})
    policy.save(path, card, weights)
    return match(KOIKOI, [f"{path}/always-stop", OPPONENT], 1000, seed=101).rows[0].figure.mean


def test_policy_gradient_learns_and_its_sign_matters(tmp_path):
    """From no knowledge at all, 0 points against random; the same learner with the sign turned learns to lose."""
    chosen = {"episodes": 4000, "low": 0.0, "high": 0.0, "step": 0.02, "decay": 0.0, "baseline": 0.02, "seats": "all"}
    learner, turned = learner_of(**chosen), learner_of(**chosen)
    turned.arguments = replace(turned.arguments, step=-learner.arguments.step)
    assert strength_of(learner.weights, tmp_path / "before.npz") == pytest.approx(0, abs=0.35)
    learner.advance(4000)
    turned.advance(4000)
    assert strength_of(learner.weights, tmp_path / "after.npz") > 1.2
    assert strength_of(turned.weights, tmp_path / "turned.npz") < -0.4
    assert learner.rewards[-1000:].mean() > learner.rewards[:500].mean() + 0.5


def updates_by_hand(learner: Learner, episodes: int) -> tuple[np.ndarray, list[float]]:
    """The weights after some episodes, by the paper's update written down at tables in Python."""
    arguments, weights = learner.arguments, learner.weights.copy()
    opponent, own = resolve(KOIKOI, arguments.opponent), resolve(KOIKOI, "pg-linear")
    own = replace(own, params=np.concatenate([own.params[:2], np.zeros(linear.FEATURES)]))
    baselines, waiting, rewards = np.zeros(2), np.zeros(len(weights)), []
    for episode in range(episodes):
        table = Table(KOIKOI, learner.rules, learner.seed, episode)
        loop_streams(table)
        seat_of_learner = episode % 2 if arguments.seats == "all" else 0
        total = np.zeros(len(weights))
        while not table.over:
            seat = table.to_move
            numbers = np.zeros(KOIKOI.numbers)
            view = table.view()
            rows = linear.candidates(view.state[0], seat, numbers) if seat == seat_of_learner else 0
            if rows == 0:
                table.apply(table.ask(own if seat == seat_of_learner else opponent))
                continue
            softmax(numbers, rows, linear.ROWS, linear.FEATURES, weights)
            action = sample(numbers, rows, linear.ROWS, linear.FEATURES, table.rngs[seat : seat + 1])
            candidates = numbers[: rows * linear.STRIDE].reshape(rows, linear.STRIDE)
            features, means = candidates[:, 1:], candidates[:, 0].astype(int) == action
            chances = np.exp(features @ weights)
            of_action = chances * means
            total += of_action @ features / of_action.sum() - chances @ features / chances.sum()
            table.apply(action)
        reward = table.scores[seat_of_learner]
        rewards.append(reward)
        waiting += (reward - baselines[seat_of_learner]) * total
        baselines[seat_of_learner] += arguments.baseline * (reward - baselines[seat_of_learner])
        if (episode + 1) % arguments.batch == 0:
            rate = arguments.step * (arguments.decay / (arguments.decay + episode) if arguments.decay else 1)
            weights += rate * waiting / arguments.batch
            waiting[:] = 0
    return weights, rewards


def loop_streams(table: Table) -> None:
    """A fresh table has the streams of its seats as a match begins them."""
    assert len(set(table.rngs.tolist())) == table.game.seats


@pytest.mark.parametrize(
    "chosen",
    [
        {},  # the paper's: η = 0.5 × 100 / (100 + episodes), always the first seat
        {"baseline": 0.1, "seats": "all", "batch": 4, "decay": 0.0, "step": 0.05},
    ],
)
def test_the_update_is_that_of_the_paper(chosen):
    learner = learner_of(seed=5, episodes=12, **chosen)
    expected, rewards = updates_by_hand(learner, 12)
    assert not np.array_equal(expected, learner.weights)
    learner.advance(12)
    assert learner.rewards.tolist() == rewards
    assert learner.weights == pytest.approx(expected, abs=1e-9)


def test_the_learning_rate_falls_as_in_the_paper():
    """0.5 at first, about 0.0017 after 30,000 episodes."""
    chosen = Arguments()
    assert (chosen.step, chosen.decay, chosen.episodes, chosen.seats) == (0.5, 100, 30_000, "first")
    assert chosen.step * chosen.decay / (chosen.decay + 30_000) == pytest.approx(0.00166, abs=1e-5)
    weights = learner_of(seed=9).weights
    assert weights.min() >= 0
    assert weights.max() <= 1
    assert weights.std() > 0.2


def test_any_split_into_calls_gives_the_same_weights():
    chosen = {"episodes": 300, "batch": 7, "baseline": 0.05, "seats": "all", "step": 0.1}
    whole = learner_of(seed=3, **chosen)
    whole.advance(300)
    pieces = learner_of(seed=3, **chosen)
    for size in (1, 1, 5, 13, 100, 150, 500):
        pieces.advance(size)
    assert whole.done
    assert pieces.done
    assert pieces.episode == 300
    for key, value in whole.state().items():
        assert np.array_equal(value, pieces.state()[key]), key
    other = learner_of(seed=4, **chosen)
    other.advance(300)
    assert not np.array_equal(other.weights, whole.weights)


def test_a_restored_learner_goes_on_bit_for_bit():
    chosen = {"episodes": 200, "batch": 7, "baseline": 0.05}
    whole = learner_of(seed=6, **chosen)
    whole.advance(200)
    first = learner_of(seed=6, **chosen)
    first.advance(95)  # in the middle of a batch
    second = learner_of(seed=6, **chosen)
    second.restore({key: value.copy() for key, value in first.state().items()})
    second.advance(200)
    for key, value in whole.state().items():
        assert np.array_equal(value, second.state()[key]), key


@pytest.mark.parametrize(
    "chosen",
    [{"episodes": 0}, {"batch": 0}, {"seats": "second"}, {"decay": -1.0}, {"baseline": 2.0}, {"low": 1.0, "high": 0.0}],
)
def test_arguments_that_cannot_be_meant_are_refused(chosen):
    with pytest.raises(Problem):
        learner_of(**chosen)


def test_what_cannot_be_learned_is_refused(player_file):
    with pytest.raises(Problem, match="kuhn has no features"):
        Learner(KUHN, KUHN.rulebook.make(), resolve(KUHN, "random"), Arguments(), 1)
    path = player_file("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    own = f"{path}:Mine"
    with pytest.raises(Problem, match="only compiled players"):
        learner_of(opponent=own)
    with pytest.raises(Problem, match="only compiled players"):
        positions.collect(KOIKOI, KOIKOI.rulebook.make(), resolve(KOIKOI, own), positions.Arguments(positions=1), 1)
    with pytest.raises(Problem, match="kuhn has no after-states"):
        positions.collect(KUHN, KUHN.rulebook.make(), resolve(KUHN, "random"), positions.Arguments(positions=1), 1)


# --- the value network ---


def little_positions(generator: np.random.Generator, count: int, inputs: int) -> value_network.Positions:
    """Random positions of 1 to 4 active inputs, padded with -1."""
    active = np.full((count, 4), -1, np.int64)
    for row in range(count):
        chosen = generator.choice(inputs, generator.integers(1, 5), replace=False)
        active[row, : len(chosen)] = chosen
    return value_network.Positions(active, generator.normal(size=count))


def output_by_hand(weights: np.ndarray, active: np.ndarray, inputs: int, hidden: int) -> np.ndarray:
    ones = np.zeros((len(active), inputs))
    for row, chosen in enumerate(active):
        ones[row, chosen[chosen >= 0]] = 1
    to_hidden, rest = weights[: inputs * hidden].reshape(inputs, hidden), weights[inputs * hidden :]
    units = 1 / (1 + np.exp(-(ones @ to_hidden + rest[:hidden])))
    return units @ rest[hidden : 2 * hidden] + rest[-1]


@pytest.mark.parametrize(("decay", "divide"), [(0.0, True), (0.3, True), (0.3, False)])
def test_one_step_goes_along_the_gradient(decay, divide):
    """With one batch of all positions: half the mean squared error, and the L2 term on all but the biases."""
    generator = np.random.default_rng(2)
    inputs, hidden, count, step = 6, 3, 8, 0.01
    data = little_positions(generator, count, inputs)
    chosen = value_network.Arguments(hidden=hidden, step=step, decay=decay, divide_decay=divide, batch=count, epochs=1)
    learner = value_network.Learner(inputs, data, chosen, seed=1)
    learner.weights += generator.normal(0, 0.5, len(learner.weights))  # biases away from 0
    before = learner.weights.copy()
    counted = np.ones(len(before))
    counted[inputs * hidden : inputs * hidden + hidden] = 0
    counted[-1] = 0

    def loss(weights):
        errors = output_by_hand(weights, data.active, inputs, hidden) - data.values
        coefficient = decay / count if divide else decay
        return (errors**2).mean() / 2 + coefficient / 2 * (counted * weights**2).sum()

    small = 1e-6
    gradient = np.array([
        (loss(before + small * unit) - loss(before - small * unit)) / (2 * small) for unit in np.eye(len(before))
    ])  # fmt: skip
    assert learner.predict(data.active) == pytest.approx(output_by_hand(before, data.active, inputs, hidden))
    learner.advance()
    assert learner.weights - before == pytest.approx(-step * gradient, abs=1e-9)
    assert np.abs(gradient).max() > 0.1


def test_the_last_batch_may_be_smaller():
    """Seven positions in batches of three: every position is used once an epoch, by its own batch's mean."""
    generator = np.random.default_rng(3)
    data = little_positions(generator, 7, 5)
    chosen = value_network.Arguments(hidden=2, step=0.1, decay=0.0, batch=3, epochs=1)
    learner = value_network.Learner(5, data, chosen, seed=2)
    before = learner.weights.copy()
    learner.advance()
    assert sorted(learner.order.tolist()) == list(range(7))
    expected = before.copy()
    for rows in (learner.order[:3], learner.order[3:6], learner.order[6:]):
        single = value_network.Positions(data.active[rows], data.values[rows])
        alone = value_network.Learner(5, single, replace(chosen, batch=len(rows)), seed=2)
        alone.weights = expected
        alone.advance()
        expected = alone.weights
    assert learner.weights == pytest.approx(expected, abs=1e-12)


def synthetic(count: int, seed: int) -> value_network.Positions:
    """A function of 12 binary inputs that no linear function fits: a sum, and a product."""
    generator = np.random.default_rng(seed)
    ones = generator.random((count, 12)) < 0.4
    ones[:, 0] = True
    values = 2.0 * ones[:, 1] - 1.0 * ones[:, 2] + 3.0 * (ones[:, 3] & ones[:, 4]) - 1.0
    active = np.full((count, 12), -1, np.int64)
    for row in range(count):
        chosen = np.flatnonzero(ones[row])
        active[row, : len(chosen)] = chosen
    return value_network.Positions(active, values)


def test_the_network_learns_a_function_that_is_not_linear():
    train, test = synthetic(1500, 4), synthetic(400, 5)
    chosen = value_network.Arguments(hidden=12, step=0.1, batch=10, epochs=60)
    learner = value_network.Learner(12, train, chosen, seed=3)
    spread = float(test.values.var())
    ones = np.zeros((400, 12))
    for row, active in enumerate(test.active):
        ones[row, active[active >= 0]] = 1
    linear_fit = ones @ np.linalg.lstsq(ones, test.values, rcond=None)[0]
    linear_error = float(((linear_fit - test.values) ** 2).mean())
    assert learner.error(test) > 0.8 * spread
    while not learner.done:
        learner.advance()
    assert learner.epoch == 60
    assert learner.error(test) < 0.05 * spread < linear_error


def test_plain_weight_decay_shrinks_the_weights():
    """The other reading of the paper's L2 coefficient: 0.1, not divided, holds the network down."""
    train = synthetic(300, 6)
    norms, errors = {}, {}
    for divide in (True, False):
        chosen = value_network.Arguments(hidden=12, step=0.1, decay=0.1, divide_decay=divide, epochs=30)
        learner = value_network.Learner(12, train, chosen, seed=4)
        for _ in range(30):
            learner.advance()
        norms[divide], errors[divide] = float(np.abs(learner.weights).sum()), learner.error(train)
    assert norms[False] < 0.5 * norms[True]
    assert errors[False] > 2 * errors[True]


def test_a_restored_network_goes_on_bit_for_bit():
    train = synthetic(50, 7)
    chosen = value_network.Arguments(hidden=4, epochs=6, batch=7)
    whole, first, second = (value_network.Learner(12, train, chosen, seed=5) for _ in range(3))
    for _ in range(6):
        whole.advance()
    for _ in range(3):
        first.advance()
    second.restore({key: value.copy() for key, value in first.state().items()})
    while not second.done:
        second.advance()
    for key, value in whole.state().items():
        assert np.array_equal(value, second.state()[key]), key


@pytest.mark.parametrize("chosen", [{"hidden": 0}, {"batch": 0}, {"epochs": 0}, {"step": 0.0}, {"decay": -0.1}])
def test_a_network_that_cannot_be_meant_is_refused(chosen):
    with pytest.raises(Problem):
        value_network.Learner(12, synthetic(10, 8), value_network.Arguments(**chosen), 1)


def test_positions_of_other_inputs_are_refused():
    with pytest.raises(Problem, match="more than 5 inputs"):
        value_network.Learner(5, synthetic(10, 8), value_network.Arguments(), 1)
    empty = value_network.Positions(np.zeros((0, 4), np.int64), np.zeros(0))
    with pytest.raises(Problem, match="no positions"):
        value_network.Learner(5, empty, value_network.Arguments(), 1)


# --- positions ---


def collected(threads: int = 1, seed: int = 7, teacher: str = "rule-based/always-stop", **chosen):
    arguments = positions.Arguments(teacher=teacher, **chosen)
    return positions.collect(KOIKOI, KOIKOI.rulebook.make(), resolve(KOIKOI, teacher), arguments, seed, threads)


def test_positions_do_not_depend_on_threads():
    one = collected(1, positions=90, games=3, explore=0.3)
    for threads in (2, 3):
        several = collected(threads, positions=90, games=3, explore=0.3)
        assert np.array_equal(one.active, several.active)
        assert np.array_equal(one.values, several.values)
    assert len(one.values) == 90
    fewer = collected(2, positions=40, games=3, explore=0.3)
    assert np.array_equal(fewer.active, one.active[:40])
    assert not np.array_equal(collected(seed=8, positions=90, games=3).values, one.values)


@pytest.mark.parametrize(("stage", "held"), [(1, 7), (2, 7), (7, 4), (11, 2), (16, 0)])
def test_a_position_is_of_the_wanted_turn(stage, held):
    """After the card of turn 7 the first seat has played four of its eight; 48 cards are each in one place."""
    found = collected(positions=25, games=1, stages=(stage,))
    for active in found.active:
        inputs = active[active >= 0]
        assert sorted((inputs[:48] % 48).tolist()) == list(range(48))
        assert ((inputs[:48] // 48) == 0).sum() == held
        assert (inputs[48:] >= 240).all()


def test_values_are_mean_scores_of_the_seat_that_acted():
    """After the first card the mean value is what the first seat makes in a match of the teacher with itself."""
    teacher = "rule-based/always-stop"
    found = collected(positions=600, games=4, stages=(1,), teacher=teacher)
    first = match(KOIKOI, [teacher, teacher], 4000, seed=9).rows[0].seats[0]
    error = np.hypot(found.values.std(ddof=1) / np.sqrt(600), (first.high - first.low) / 3.92)
    assert abs(found.values.mean() - first.mean) < 4 * error
    second = collected(positions=600, games=4, stages=(2,), teacher=teacher)
    assert second.values.mean() < found.values.mean()  # the other seat's, with the other sign
    assert set(np.unique(found.values * 4) % 1) == {0.0}


def test_a_stage_that_games_do_not_reach_is_told():
    with pytest.raises(Problem, match="only 0 of"):
        collected(positions=1, games=1, stages=(40,))


# --- training runs ---


def train(out, learner="pg-linear", seed=1, deals=0, **arguments):
    texts = [f"{key}={value}" for key, value in arguments.items()]
    return training.train(KOIKOI, learner, texts, out, seed, KOIKOI.rulebook.make(), deals, 1)


LINEAR = {"opponent": OPPONENT, "episodes": 15_000, "baseline": 0.01, "batch": 7}
NETWORK = {"teacher": "rule-based/always-stop", "positions": 200, "games": 1, "epochs": 8}

RUN = """
import sys
from tefuda.learn import run
run.EVERY = -1.0  # a checkpoint after every step
from tefuda.cli import main
sys.argv = ["tefuda", *sys.argv[1:]]
main()
"""


def start(out, arguments=LINEAR) -> subprocess.Popen:
    texts = [part for key, value in arguments.items() for part in ("--arg", f"{key}={value}")]
    command = [sys.executable, "-c", RUN, "train", "koikoi", "pg-linear", *texts, "--out", str(out), "--deals", "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stopped_at(out) -> int:
    with np.load(out / "checkpoint.npz") as archive:
        return int(archive["episode"])


def stop(process: subprocess.Popen, out, after: int, number: int) -> tuple[str, str]:
    """Send a signal once the run has come further than some episodes."""
    while process.poll() is None and not ((out / "checkpoint.npz").exists() and stopped_at(out) > after):
        time.sleep(0.01)
    time.sleep(0.03)  # into the middle of a step
    process.send_signal(number)
    return process.communicate(timeout=60)


def same_results(one, other) -> None:
    """The policy (weights and card), the curve and the last checkpoint of two runs are the same."""
    assert (one / "curve.csv").read_bytes() == (other / "curve.csv").read_bytes()
    (card, weights), (other_card, other_weights) = policy.load(one / "policy.npz"), policy.load(other / "policy.npz")
    assert np.array_equal(weights, other_weights)
    assert card == other_card
    with np.load(one / "checkpoint.npz") as kept, np.load(other / "checkpoint.npz") as other_kept:
        assert set(kept.files) == set(other_kept.files)
        for key in kept.files:
            assert np.array_equal(kept[key], other_kept[key]), key


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The folder of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("uninterrupted")
    train(out, **LINEAR)
    return out


def test_a_run_leaves_policy_curve_and_checkpoint(uninterrupted):
    assert sorted(path.name for path in uninterrupted.iterdir()) == ["checkpoint.npz", "curve.csv", "policy.npz"]
    lines = (uninterrupted / "curve.csv").read_text().splitlines()
    assert lines[0] == "episode,mean score of the last episodes"
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(150, 15_001, 150))
    card, weights = policy.load_for(KOIKOI, uninterrupted / "policy.npz")
    assert (card.game, card.policy, card.rules, card.seed) == ("koikoi", "pg-linear", "paper", 1)
    assert card.arguments["episodes"] == 15_000
    assert len(weights) == 36


def test_a_killed_run_goes_on_to_the_same_result(uninterrupted, tmp_path):
    process = start(tmp_path)
    stop(process, tmp_path, 1000, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert 1000 < stopped_at(tmp_path) < 15_000
    assert not (tmp_path / "policy.npz").exists()
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == sorted(
        path.name for path in uninterrupted.iterdir()
    )


def test_an_interrupted_run_says_so_in_one_line_and_goes_on_to_the_same_result(uninterrupted, tmp_path):
    for after in (500, 2500):  # interrupted twice
        process = start(tmp_path)
        output, errors = stop(process, tmp_path, after, signal.SIGINT)
        assert process.returncode in (2, 130)
        assert output == ""
        lines = errors.splitlines()
        assert len(lines) == 1, errors
        assert lines[0].startswith("tefuda: interrupted")
        assert str(tmp_path) in lines[0]
        assert after < stopped_at(tmp_path) < 15_000
        assert os.listdir(tmp_path) == ["checkpoint.npz"]
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)


class Interrupted:
    """Ctrl-C at the worst moment: as soon as the compiled step of a learner is done, before anything is noted."""

    def __init__(self, step, times: int) -> None:
        self.step, self.left = step, times

    def __call__(self, *arguments):
        self.step(*arguments)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_an_interrupt_right_after_a_compiled_step_loses_nothing(uninterrupted, tmp_path, monkeypatch):
    """Python notices Ctrl-C when compiled code returns: the step's weights are there, its episodes not yet counted."""
    with monkeypatch.context() as patched:
        episodes = Interrupted(policy_gradient._episodes_of(KOIKOI), 4)
        patched.setattr(policy_gradient, "_episodes_of", lambda game: episodes)
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, **LINEAR)
    assert 0 < stopped_at(tmp_path) < 15_000
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)


def test_a_finished_run_is_not_run_again(uninterrupted, tmp_path, monkeypatch):
    train(tmp_path, **LINEAR)
    (tmp_path / "policy.npz").unlink()
    monkeypatch.setattr(Learner, "advance", None)  # would fail if it were asked
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)


def contents(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("changes", "said"),
    [({"seed": 2}, "seed"), ({"step": 0.25}, "step"), ({"opponent": "random"}, "opponent"), ({"batch": 9}, "batch")],
)
def test_another_run_in_the_same_folder_is_refused(changes, said, uninterrupted):
    before = contents(uninterrupted)
    with pytest.raises(Problem, match=rf"holds another run \({said} differ\); choose another --out"):
        train(uninterrupted, **{**LINEAR, **changes})
    assert contents(uninterrupted) == before


@pytest.mark.parametrize("damage", ["truncated", "text", "empty", "missing array"])
def test_a_damaged_checkpoint_is_refused(damage, uninterrupted, tmp_path):
    path, whole = tmp_path / "checkpoint.npz", (uninterrupted / "checkpoint.npz").read_bytes()
    if damage == "missing array":
        with np.load(uninterrupted / "checkpoint.npz") as archive:
            np.savez(path, **{key: archive[key] for key in archive.files if key != "weights"})
    else:
        path.write_bytes({"truncated": whole[: len(whole) // 2], "text": b"not a checkpoint\n", "empty": b""}[damage])
    before = contents(tmp_path)
    with pytest.raises(Problem, match="damaged; remove it to begin anew, or choose another --out"):
        train(tmp_path, **LINEAR)
    assert contents(tmp_path) == before


@pytest.fixture(scope="module")
def network_run(tmp_path_factory):
    """The folder of an undisturbed run of the value network."""
    out = tmp_path_factory.mktemp("network")
    train(out, "ann-value", **NETWORK)
    return out


def test_a_network_run_leaves_a_policy_that_plays(network_run):
    assert (network_run / "curve.csv").read_text().splitlines()[0] == "epoch,squared error on positions held out"
    assert len((network_run / "curve.csv").read_text().splitlines()) == 1 + NETWORK["epochs"]
    result = match(KOIKOI, [f"{network_run / 'policy.npz'}/always-stop", OPPONENT], 5)
    assert result.rows[0].more["rounds"] == 10


def test_an_interrupted_network_run_goes_on_to_the_same_result(network_run, tmp_path, monkeypatch):
    """Between two epochs, and right after the compiled step; the curve keeps what was before."""
    advance = value_network.Learner.advance

    def interrupted(self):
        if self.epoch == 3:
            raise KeyboardInterrupt
        advance(self)

    with monkeypatch.context() as patched:
        patched.setattr(value_network.Learner, "advance", interrupted)
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, "ann-value", **NETWORK)
    train(tmp_path, "ann-value", **NETWORK)
    same_results(network_run, tmp_path)


def test_an_interrupt_right_after_an_epoch_loses_nothing(network_run, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(value_network, "_epoch", Interrupted(value_network._epoch, 4))
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, "ann-value", **NETWORK)
    train(tmp_path, "ann-value", **NETWORK)
    weights, expected = (policy.load(folder / "policy.npz")[1] for folder in (tmp_path, network_run))
    assert np.array_equal(weights, expected)


def test_another_network_run_in_the_same_folder_is_refused(network_run):
    before = contents(network_run)
    with pytest.raises(Problem, match=r"holds another run \(seed differ\)"):
        train(network_run, "ann-value", seed=2, **NETWORK)
    assert contents(network_run) == before


def test_damaged_positions_are_told(network_run, tmp_path):
    whole = (network_run / "positions.npz").read_bytes()
    (tmp_path / "positions.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Problem, match=r"positions\.npz"):
        train(tmp_path, "ann-value", **NETWORK)


def test_an_unwritable_folder_is_told_before_the_work(tmp_path, monkeypatch):
    """A file is where the folder should be."""
    (tmp_path / "taken").write_text("")

    def too_early(*arguments, **options):
        raise AssertionError("worked first")

    monkeypatch.setattr(positions, "collect", too_early)
    monkeypatch.setattr(Learner, "advance", too_early)
    for learner, arguments in (("pg-linear", LINEAR), ("ann-value", NETWORK)):
        with pytest.raises(Problem, match="cannot write"):
            train(tmp_path / "taken", learner, **arguments)


def test_a_network_that_the_player_cannot_read_is_refused_before_the_work(tmp_path, monkeypatch):
    """`ann-value` plays by 200 hidden units, no other number."""

    def too_early(*arguments, **options):
        raise AssertionError("worked first")

    monkeypatch.setattr(positions, "collect", too_early)
    with pytest.raises(Problem, match="hidden"):
        train(tmp_path / "out", "ann-value", **{**NETWORK, "hidden": 8})


def test_the_strength_of_a_policy_is_on_its_card(tmp_path):
    card = train(tmp_path, deals=40, opponent=OPPONENT, episodes=50)
    measured = match(KOIKOI, [str(tmp_path / "policy.npz"), OPPONENT], 40, seed=training.STRENGTH_SEED).rows[0].figure
    assert policy.load(tmp_path / "policy.npz")[0] == card
    (strength,) = card.strength
    assert strength["opponent"] == OPPONENT
    assert (strength["deals"], strength["rotations"], strength["seed"]) == (40, 2, training.STRENGTH_SEED)
    assert (strength["mean"], strength["low"], strength["high"]) == (measured.mean, measured.low, measured.high)


def test_a_strength_never_claims_more_deals_than_were_played(tmp_path, monkeypatch):
    """Ctrl-C while the result is measured: what is on the card was played, or nothing is on it."""
    from tefuda.arena import games as played_games

    play, pieces = played_games.play, []

    def interrupted(*arguments):
        if len(pieces) == 3:
            raise KeyboardInterrupt
        pieces.append(arguments[-2:])
        return play(*arguments)

    monkeypatch.setattr(played_games, "play", interrupted)
    with contextlib.suppress(KeyboardInterrupt, Problem):
        train(tmp_path, deals=400, opponent=OPPONENT, episodes=50)
    assert len(pieces) == 3
    assert sum(last - first for first, last in pieces) < 400
    for strength in policy.load(tmp_path / "policy.npz")[0].strength:
        assert strength["deals"] == sum(last - first for first, last in pieces)


# --- arguments ---


def test_arguments_are_read_by_their_kind():
    read = run.parse_arguments(
        training.NetworkArguments, ["step=0.5", "positions=12", "divide_decay=no", "teacher=random", "epochs=3"]
    )
    assert (read.step, read.positions, read.divide_decay, read.teacher, read.epochs) == (0.5, 12, False, "random", 3)
    assert run.parse_arguments(positions.Arguments, ["stages=1,7,11"]).stages == (1, 7, 11)
    assert run.parse_arguments(Arguments, []) == Arguments()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("episodes", "should be key=value"), ("episode=5", "did you mean 'episodes'"), ("episodes=1.5", "a value like"),
        ("step=fast", "takes a value like"), ("=5", "unknown argument"), ("step=nan", "step"), ("step=inf", "step"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told(text, said):
    with pytest.raises(Problem) as caught:
        run.parse_arguments(Arguments, [text]).check()
    assert said in str(caught.value)


def test_every_argument_says_what_it_means():
    described = training.describe(KOIKOI)
    assert set(described) == {"pg-linear", "ann-value", "self-play", "nfsp"}
    silent = [
        f"{name}: {argument['name']}"
        for name, entry in described.items() for argument in entry["arguments"] if not argument["meaning"]
    ]  # fmt: skip
    assert not silent
