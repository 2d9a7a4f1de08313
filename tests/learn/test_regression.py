"""Softmax regressions agree with a general optimiser."""

import numpy as np
import pytest

from tefuda.learn.regression import Rows, Shape, chances_of, fitted, softmax_regression


def test_the_fit_is_what_a_general_optimiser_finds():
    optimize = pytest.importorskip("scipy.optimize")
    random = np.random.default_rng(3)
    amounts = np.column_stack([random.normal(size=(400, 3)), np.ones(400)])
    truth = random.normal(size=(4, 4))
    noise = -np.log(-np.log(random.random((400, 4))))
    outcome = (amounts @ truth.T + noise).argmax(axis=1)

    def loss(flat):
        logits = amounts @ flat.reshape(4, 4).T
        picked = logits[np.arange(400), outcome]
        return (np.log(np.exp(logits).sum(axis=1)) - picked).sum() + 0.7 * np.square(flat).sum() / 2

    found = softmax_regression(amounts, outcome, 4, 0.7)
    other = optimize.minimize(loss, np.zeros(16), method="BFGS", options={"gtol": 1e-8})
    assert np.allclose(found.ravel(), other.x, atol=1e-4)


def test_a_fit_of_rows_that_decide_everything_stays_finite():
    amounts = np.column_stack([np.repeat([-1.0, 1.0], 50), np.ones(100)])
    found = softmax_regression(amounts, np.repeat([0, 1], 50), 2, 0.01)
    assert np.isfinite(found).all()
    assert found[1, 0] > 2 > -2 > found[0, 0]


def test_each_situation_has_weights_of_its_own():
    ones = np.ones((40, 1), np.float32)
    situation, came = np.repeat([0, 2], 20), np.array([0] * 15 + [1] * 5 + [1] * 20)
    rows, shape = Rows(np.zeros(40, np.int64), situation, ones, came), Shape(3, 2, 1)
    weights = fitted(rows, shape, 1e-6)
    assert weights.reshape(3, 2)[1].tolist() == [0.0, 0.0]
    chances = chances_of(rows, weights, shape)
    assert chances[0] == pytest.approx([0.75, 0.25], abs=1e-4)
    assert chances[39, 1] > 0.99
