"""The statistics behind the check of uniformity."""

import numpy as np
import pytest

from tefuda.conformance.chance import one_sample, tail, two_samples


@pytest.mark.parametrize(
    ("value", "degrees", "chance"),
    [(3.841, 1, 0.05), (10.828, 1, 1e-3), (18.307, 10, 0.05), (37.697, 15, 1e-3), (149.449, 100, 1e-3)],
)
def test_the_tail_of_chi_square_agrees_with_its_tables(value, degrees, chance):
    assert tail(value, degrees) == pytest.approx(chance, rel=0.2)


def arrangements(rng: np.random.Generator, samples: int, cards: int, weight: float = 0.0) -> np.ndarray:
    """One-hot rows of which card is in which of three places; with a weight, card 0 likes the first place."""
    keys = rng.random((samples, cards))
    keys[:, 0] -= weight
    order = keys.argsort(axis=1)[:, :3]
    rows = np.zeros((samples, cards * 3))
    for place in range(3):
        rows[np.arange(samples), order[:, place] * 3 + place] = 1
    return rows


def test_equal_distributions_pass_and_a_small_bias_fails():
    rng = np.random.default_rng(1)
    chances = [two_samples(arrangements(rng, 300, 8), arrangements(rng, 300, 8)).chance for _ in range(300)]
    assert 0.4 < np.mean(chances) < 0.6
    assert 0.02 < np.mean(np.array(chances) < 0.05) < 0.09
    assert min(chances) > 1e-4
    assert two_samples(arrangements(rng, 3000, 8), arrangements(rng, 3000, 8, 0.1)).chance < 1e-9


def test_counts_against_expected_ones():
    assert one_sample(np.array([480.0, 520.0]), np.array([500.0, 500.0])).chance > 0.1
    assert one_sample(np.array([400.0, 600.0]), np.array([500.0, 500.0])).chance < 1e-7
