"""Intervals cover what they should: of means, of few values, of rates, and of matches."""

import math

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.intervals import Z95, Interval, interval_of, rate_interval, student
from tefuda.players.resolve import resolve
from tests.games.kuhn.tables import value as exact_value

KUHN = games.find("kuhn")


def test_an_interval_covers_the_mean_in_95_of_100_cases():
    generator = np.random.default_rng(1)
    covered = 0
    for _ in range(1000):
        found = interval_of(generator.normal(0.7, 3, 200))
        covered += found.low <= 0.7 <= found.high
    assert 930 <= covered <= 970  # 950 ± 20, 2.9 standard deviations


def test_the_interval_of_a_match_covers_the_exact_value():
    """Kuhn poker has an exact value, so that the intervals of 400 short matches can be counted."""
    tables = [resolve(KUHN, name).params for name in ("random", "equilibrium")]
    first, second = exact_value(*tables), -exact_value(*reversed(tables))
    truths = {"both": (first + second) / 2, "first": first, "second": second}
    covered = dict.fromkeys(truths, 0)
    for number in range(400):
        row = match(KUHN, ["random", "equilibrium"], 100, seed=16_000 + number, threads=1).rows[0]
        for (key, value), found in zip(truths.items(), (row.figure, *row.seats), strict=True):
            covered[key] += found.low <= value <= found.high
    assert all(366 <= count <= 394 for count in covered.values()), covered  # 380 ± 14, 3.2 standard deviations


def test_an_interval_by_hand():
    """Four values, with the 97.5 % point of Student's distribution for three degrees of freedom: 3.182."""
    found = interval_of(np.array([1.0, 2.0, 3.0, 6.0]))
    half = 3.182446 * math.sqrt(14 / 3 / 4)
    assert (found.mean, found.low, found.high) == pytest.approx((3, 3 - half, 3 + half), abs=0.01)
    assert Interval(3.0, 0.883, 5.117).text(2) == "+3.00 ± 2.12"
    alone = interval_of(np.array([5.0]))
    assert (alone.mean, alone.low, alone.high) == (5, -math.inf, math.inf)


@pytest.mark.parametrize(
    ("freedom", "point"),
    [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (10, 2.228),
        (30, 2.042),
        (100, 1.984),
        (10**6, 1.960),
    ],
)
def test_few_values_have_the_interval_of_student(freedom, point):
    """As printed in tables of the distribution."""
    assert student(freedom) == pytest.approx(point, abs=0.01)


def test_an_interval_of_five_values_covers_the_mean_in_95_of_100_cases():
    """Learners are compared over a handful of seeds."""
    generator = np.random.default_rng(13)
    found = [interval_of(generator.normal(0.7, 3, 5)) for _ in range(2000)]
    assert 1870 <= sum(each.low <= 0.7 <= each.high for each in found) <= 1930


@pytest.mark.parametrize(("successes", "count"), [(0, 10), (3, 10), (10, 10), (1, 1), (400, 1000)])
def test_a_rate_has_the_bounds_of_wilson(successes, count):
    """At both bounds p the observed rate lies 1.96 standard deviations of p away."""
    found = rate_interval(successes, count)
    assert found.mean == successes / count
    for bound in (found.low, found.high):
        assert -1e-12 <= bound <= 1 + 1e-12
        assert (found.mean - bound) ** 2 == pytest.approx(Z95**2 * bound * (1 - bound) / count, abs=1e-12)
    assert found.low <= found.mean + 1e-12
    assert found.mean <= found.high + 1e-12


def test_a_rate_is_covered_in_95_of_100_cases():
    generator = np.random.default_rng(2)
    found = [rate_interval(successes, 80) for successes in generator.binomial(80, 0.1, 2000)]
    assert 1860 <= sum(each.low <= 0.1 <= each.high for each in found) <= 1950


def test_nothing_is_known_of_a_rate_without_cases():
    found = rate_interval(0, 0)
    assert math.isnan(found.mean)
    assert (found.low, found.high) == (0, 1)
