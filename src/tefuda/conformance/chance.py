"""How surely two samples come from different distributions, without SciPy.

The entries of one sample depend on each other (a card that is here is not there), so a plain chi-square test
has the wrong number of degrees of freedom. When both samples come from one distribution, each row could as
well stand in the other sample; over all such exchanges the mean and the variance of the statistic are known
from the rows themselves, and a chi-square distribution with this mean and variance gives its tail.
"""

import math
from dataclasses import dataclass

import numpy as np

SURE = 1e-6  # below this chance a difference is no accident
_FLOOR = 10.0  # entries counted more seldom weigh less: they are far from normal


def tail(value: float, degrees: float) -> float:
    """The chance of a larger chi-square value, by the approximation of Wilson and Hilferty."""
    if degrees <= 0 or value <= 0:
        return 1.0
    part = 2.0 / (9.0 * degrees)
    return 0.5 * math.erfc(((value / degrees) ** (1 / 3) - 1 + part) / math.sqrt(2 * part))


@dataclass(frozen=True)
class Discrepancy:
    """A statistic, with its mean and variance when nothing differs. Those of several tables add up."""

    value: float = 0.0
    mean: float = 0.0
    variance: float = 0.0
    worst: int = -1  # the entry that differs most

    def __add__(self, other: "Discrepancy") -> "Discrepancy":
        return Discrepancy(self.value + other.value, self.mean + other.mean, self.variance + other.variance)

    @property
    def chance(self) -> float:
        """The chance of so large a difference between equal distributions."""
        if self.variance <= 0:
            return 1.0
        scale = self.variance / (2 * self.mean)
        return tail(self.value / scale, 2 * self.mean**2 / self.variance)


def two_samples(one: np.ndarray, two: np.ndarray) -> Discrepancy:
    """Compare two samples of the same number of rows, [rows, entries]."""
    weights = 1 / np.maximum(one.sum(axis=0) + two.sum(axis=0), _FLOOR)
    parts = (one.sum(axis=0) - two.sum(axis=0)) ** 2 * weights
    rows = np.concatenate([one, two])
    rows = (rows - rows.mean(axis=0)) * np.sqrt(weights)
    squares = (rows**2).sum(axis=1)
    few_entries = rows.shape[1] < rows.shape[0]  # the squares of both products have the same sum
    products = rows.T @ rows if few_entries else rows @ rows.T
    variance = 2 * max(0.0, float((products**2).sum() - (squares**2).sum()))
    return Discrepancy(float(parts.sum()), float(squares.sum()), variance, int(parts.argmax()))


def one_sample(counts: np.ndarray, expected: np.ndarray) -> Discrepancy:
    """Compare counts [entries] with what is expected of each."""
    parts = (counts - expected) ** 2 / expected
    degrees = len(counts) - 1
    return Discrepancy(float(parts.sum()), degrees, 2 * degrees, int(parts.argmax()))
