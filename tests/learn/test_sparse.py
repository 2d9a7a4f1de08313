"""Sparse linear models: against dense ones written out in NumPy, and against the best weights there are."""

import numpy as np
import pytest

from tefuda.learn.sparse import NONE, SparseModel

pytestmark = pytest.mark.kernel
FEATURES, MOST = 9, 4


def rows_of(number: int, classes: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    active = np.full((number, MOST), NONE, np.int32)
    for row in range(number):
        on = random.choice(FEATURES - 1, size=random.integers(1, MOST), replace=False)
        active[row, : len(on) + 1] = [*on, FEATURES - 1]  # the last is always on
    return active, random.integers(0, classes, number)


def dense(active: np.ndarray) -> np.ndarray:
    found = np.zeros((len(active), FEATURES))
    for row, each in zip(found, active, strict=True):
        row[each[each != NONE]] = 1.0
    return found


def plain(active, came, classes, ordered, rate, decay):
    """The same algorithm with all weights at every row, and no shortcut."""
    outputs = classes - 1 if ordered else classes
    weights, squares = np.zeros((FEATURES, outputs)), np.zeros((FEATURES, outputs))
    for x, label in zip(dense(active), came, strict=True):
        logits = x @ weights
        if ordered:
            error = 1 / (1 + np.exp(-logits)) - (label > np.arange(outputs))
        else:
            raised = np.exp(logits - logits.max())
            error = raised / raised.sum() - np.eye(classes)[label]
        gradient = np.outer(x, error)
        squares += gradient**2
        own = np.divide(rate, np.sqrt(squares), out=np.zeros_like(squares), where=squares > 0)
        weights = (weights - own * gradient) / (1 + 2 * own * decay)
    return weights


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("decay", [0.0, 0.01])
def test_learning_is_as_with_all_weights_at_every_row(ordered, decay):
    active, came = rows_of(120, 5)
    model = SparseModel(FEATURES, 5, ordered, rate=0.3, decay=decay)
    model.learn(active[:50], came[:50])
    model.learn(active[50:], came[50:])
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
    part.learn(active[:25], came[:25])
    again = SparseModel(FEATURES, 5, False, decay=0.001)
    again.restore({key: value.copy() for key, value in part.state().items()})
    again.learn(active[25:], came[25:])
    assert np.array_equal(again.weights, whole.weights)
