"""Sparse linear models: against dense ones written out in NumPy, and against the best weights there are."""

import os
import subprocess
import sys

import numpy as np
import pytest

from tefuda.learn.sparse import LARGEST, NONE, SMALLEST, SparseModel, batch_of, ends_behind

pytestmark = pytest.mark.kernel
FEATURES, MOST = 9, 4


def rows_of(number: int, classes: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    active = np.full((number, MOST), NONE, np.int32)
    for row in range(number):
        on = random.choice(FEATURES - 1, size=random.integers(1, MOST), replace=False)
        active[row, : len(on) + 1] = [*on, FEATURES - 1]  # the last is always on
    return active, random.integers(0, classes, number).astype(np.int8)


def dense(active: np.ndarray) -> np.ndarray:
    found = np.zeros((len(active), FEATURES))
    for row, each in zip(found, active, strict=True):
        row[each[each != NONE]] = 1.0
    return found


def plain(active, came, classes, ordered, rate, decay):
    """The same algorithm with all weights at every batch, and no shortcut."""
    outputs = classes - 1 if ordered else classes
    weights, squares = np.zeros((FEATURES, outputs)), np.zeros((FEATURES, outputs))
    inputs, first = dense(active), 0
    while first < len(came):
        last = min(len(came), first + batch_of(first))
        gradient = np.zeros_like(weights)
        for x, label in zip(inputs[first:last], came[first:last], strict=True):
            logits = x @ weights
            if ordered:
                error = 1 / (1 + np.exp(-logits)) - (label > np.arange(outputs))
            else:
                raised = np.exp(logits - logits.max())
                error = raised / raised.sum() - np.eye(classes)[label]
            gradient += np.outer(x, error) if label != NONE else 0.0
        before = squares.copy()
        squares += gradient**2
        own = np.divide(rate, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        on = inputs[first:last][came[first:last] != NONE].any(axis=0)[:, None]
        moved = (weights - own * gradient) / (1 + 2 * own * decay * (last - first))
        idle = np.divide(rate, np.sqrt(before), out=np.zeros_like(before), where=before > 0)
        weights = np.where(on, moved, weights / (1 + 2 * idle * decay) ** (last - first))
        first = last
    return weights


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("decay", [0.0, 0.01])
def test_learning_is_as_with_all_weights_at_every_row(ordered, decay):
    active, came = rows_of(120, 5)
    model = SparseModel(FEATURES, 5, ordered, rate=0.3, decay=decay)
    came[::7] = NONE
    cut = ends_behind(0, 50)
    model.learn(active[:cut], came[:cut])
    model.learn(active[cut:], came[cut:])
    model.settle()
    assert np.allclose(model.weights, plain(active, came, 5, ordered, 0.3, decay), atol=2e-5)


@pytest.mark.parametrize("ordered", [False, True])
def test_chances_add_up_to_one(ordered):
    active, came = rows_of(60, 5)
    model = SparseModel(FEATURES, 5, ordered)
    model.learn(active, came)
    chances = model.chances(active)
    assert chances.shape == (60, 5)
    assert np.allclose(chances.sum(axis=1), 1.0)


def test_an_ordered_model_gives_the_chance_of_a_class_or_a_higher_one():
    model = SparseModel(FEATURES, 3, ordered=True)
    model.weights[0] = [2.0, -1.0]
    chances = model.chances(np.array([[0, NONE]], np.int32))[0]
    at_least = 1 / (1 + np.exp(-np.array([2.0, -1.0])))
    assert chances == pytest.approx([1 - at_least[0], at_least[0] - at_least[1], at_least[1]])


def test_many_passes_come_near_the_best_weights():
    """The mean loss, without decay, is close to that of the best weights, which a general optimiser finds."""
    optimize = pytest.importorskip("scipy.optimize")
    active, came = rows_of(80, 3)
    x, rows = dense(active), np.arange(80)

    def loss(flat):
        logits = x @ flat.reshape(FEATURES, 3)
        return (np.log(np.exp(logits).sum(axis=1)) - logits[rows, came]).mean()

    best = optimize.minimize(loss, np.zeros(FEATURES * 3), method="BFGS").fun
    model = SparseModel(FEATURES, 3, ordered=False, rate=0.2)
    for _ in range(60):
        model.learn(active, came)
    assert best <= loss(model.weights.astype(float).ravel()) < best + 0.01 < loss(np.zeros(FEATURES * 3))


def test_a_stored_model_goes_on_to_the_same_weights():
    active, came = rows_of(40, 5)
    whole, part = (SparseModel(FEATURES, 5, False, decay=0.001) for _ in range(2))
    whole.learn(active, came)
    cut = ends_behind(0, 20)
    part.learn(active[:cut], came[:cut])
    again = SparseModel(FEATURES, 5, False, decay=0.001)
    again.restore({key: value.copy() for key, value in part.state().items()})
    again.learn(active[cut:], came[cut:])
    assert np.array_equal(again.weights, whole.weights)


def test_batches_begin_small_and_end_alike_wherever_a_run_was_cut():
    ends = [0]
    while ends[-1] < 4_000_000:
        ends.append(ends[-1] + batch_of(ends[-1]))
    sizes = np.diff(ends)
    assert sizes[0] == SMALLEST
    assert sizes[-1] == LARGEST
    assert (np.diff(sizes) >= 0).all()
    for first in ends[:3000:97]:
        assert ends_behind(first, 1000) == next(end for end in ends if end >= first + 1000)


def test_losses_are_those_before_learning():
    active, came = rows_of(8, 3)
    losses = SparseModel(FEATURES, 3, ordered=False).learn(active, came)
    assert losses == pytest.approx(np.log(3))


SIMULATED = """
import numpy as np
from tests.learn.test_sparse import NONE, rows_of, FEATURES
from tefuda.kernel.device import driver
from tefuda.learn.sparse import SparseModel
from tefuda.learn.sparse_cuda import LearningOnGpu
for ordered in (False, True):
    active, came = rows_of(60, 5)
    came[::7] = NONE
    here, there = (SparseModel(FEATURES, 5, ordered, 0.3, 0.01) for _ in range(2))
    losses = here.learn(active, came)
    learning = LearningOnGpu(there)
    put = driver().to_device
    lost = put(np.zeros(60, np.float32))
    learning.learn(put(active), put(came), lost, 0, 40)
    learning.learn(put(active), put(came), lost, 40, 60)
    assert np.array_equal(learning.fetch().weights, here.weights)
    assert np.array_equal(lost.copy_to_host(), losses)
    assert there.weights.any()
"""


@pytest.mark.slow
def test_simulated_cuda_learns_the_same_weights():
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], check=True, env=environment)
