"""The gradient of the softmax against finite differences."""

import numpy as np
import pytest

from tefuda.engine.linear import add_log_gradient, softmax


def numbers_of(features: np.ndarray, actions: list[int], most_rows: int) -> np.ndarray:
    """Candidates as engine/linear.py wants them."""
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
