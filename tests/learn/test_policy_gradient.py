"""Policy gradient: updates by hand, learning that learns, and learners that go on where they stopped."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.engine.linear import sample, softmax
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.games.koikoi.players import linear
from tefuda.learn import positions
from tefuda.learn.policy_gradient import Arguments, PolicyGradient
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")
OPPONENT = "random/always-stop"  # no playouts in the other seat: quick


def learner_of(seed: int = 1, opponent: str = OPPONENT, **arguments) -> PolicyGradient:
    chosen = Arguments(opponent=opponent, **arguments)
    return PolicyGradient(KOIKOI, KOIKOI.rulebook.make(), resolve(KOIKOI, opponent), chosen, seed)


def strength_of(weights: np.ndarray, path) -> float:
    card = policy.PolicyCard("koikoi", "pg-linear", "paper", KOIKOI.players.policies[2].features, 1, "", {})
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


def updates_by_hand(learner: PolicyGradient, episodes: int) -> tuple[np.ndarray, list[float]]:
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
            numbers = np.zeros(linear.NUMBERS)
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
        PolicyGradient(KUHN, KUHN.rulebook.make(), resolve(KUHN, "random"), Arguments(), 1)
    path = player_file("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    own = f"{path}:Mine"
    with pytest.raises(Problem, match="only compiled players"):
        learner_of(opponent=own)
    with pytest.raises(Problem, match="only compiled players"):
        positions.collect(KOIKOI, KOIKOI.rulebook.make(), resolve(KOIKOI, own), positions.Arguments(positions=1), 1)
    with pytest.raises(Problem, match="kuhn has no after-states"):
        positions.collect(KUHN, KUHN.rulebook.make(), resolve(KUHN, "random"), positions.Arguments(positions=1), 1)
