"""The value network against finite differences, and the positions that it learns from."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.learn import positions, value_network
from tefuda.players.resolve import resolve

KOIKOI = games.find("koikoi")


# --- the value network ---


def little_positions(generator: np.random.Generator, count: int, inputs: int) -> positions.ValuedPositions:
    """Random positions of 1 to 4 active inputs, padded with -1."""
    active = np.full((count, 4), -1, np.int64)
    for row in range(count):
        chosen = generator.choice(inputs, generator.integers(1, 5), replace=False)
        active[row, : len(chosen)] = chosen
    return positions.ValuedPositions(active, generator.normal(size=count))


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
    learner = value_network.ValueNetworkTraining(inputs, data, chosen, seed=1)
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
    learner = value_network.ValueNetworkTraining(5, data, chosen, seed=2)
    before = learner.weights.copy()
    learner.advance()
    assert sorted(learner.order.tolist()) == list(range(7))
    expected = before.copy()
    for rows in (learner.order[:3], learner.order[3:6], learner.order[6:]):
        single = positions.ValuedPositions(data.active[rows], data.values[rows])
        alone = value_network.ValueNetworkTraining(5, single, replace(chosen, batch=len(rows)), seed=2)
        alone.weights = expected
        alone.advance()
        expected = alone.weights
    assert learner.weights == pytest.approx(expected, abs=1e-12)


def synthetic(count: int, seed: int) -> positions.ValuedPositions:
    """A function of 12 binary inputs that no linear function fits: a sum, and a product."""
    generator = np.random.default_rng(seed)
    ones = generator.random((count, 12)) < 0.4
    ones[:, 0] = True
    values = 2.0 * ones[:, 1] - 1.0 * ones[:, 2] + 3.0 * (ones[:, 3] & ones[:, 4]) - 1.0
    active = np.full((count, 12), -1, np.int64)
    for row in range(count):
        chosen = np.flatnonzero(ones[row])
        active[row, : len(chosen)] = chosen
    return positions.ValuedPositions(active, values)


def test_the_network_learns_a_function_that_is_not_linear():
    train, test = synthetic(1500, 4), synthetic(400, 5)
    chosen = value_network.Arguments(hidden=12, step=0.1, batch=10, epochs=60)
    learner = value_network.ValueNetworkTraining(12, train, chosen, seed=3)
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
        learner = value_network.ValueNetworkTraining(12, train, chosen, seed=4)
        for _ in range(30):
            learner.advance()
        norms[divide], errors[divide] = float(np.abs(learner.weights).sum()), learner.error(train)
    assert norms[False] < 0.5 * norms[True]
    assert errors[False] > 2 * errors[True]


def test_a_restored_network_goes_on_bit_for_bit():
    train = synthetic(50, 7)
    chosen = value_network.Arguments(hidden=4, epochs=6, batch=7)
    whole, first, second = (value_network.ValueNetworkTraining(12, train, chosen, seed=5) for _ in range(3))
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
        value_network.ValueNetworkTraining(12, synthetic(10, 8), value_network.Arguments(**chosen), 1)


def test_positions_of_other_inputs_are_refused():
    with pytest.raises(Problem, match="more than 5 inputs"):
        value_network.ValueNetworkTraining(5, synthetic(10, 8), value_network.Arguments(), 1)
    empty = positions.ValuedPositions(np.zeros((0, 4), np.int64), np.zeros(0))
    with pytest.raises(Problem, match="no positions"):
        value_network.ValueNetworkTraining(5, empty, value_network.Arguments(), 1)


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
