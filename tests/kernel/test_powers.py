"""Powers of e beside those of the machine's library, and of fractions without end."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp
from tefuda.sources import FOLDER

pytestmark = pytest.mark.kernel


def series(x: Fraction, terms: int) -> Fraction:
    return sum((x**n / math.factorial(n) for n in range(terms)), Fraction(0))


E = series(Fraction(1), 60)


def exactly(x: float) -> Fraction:
    """The power of e to more digits than a float64 has."""
    whole = math.floor(x)
    return E**whole * series(Fraction(x) - whole, 30)


@settings(max_examples=200, deadline=None)
@given(st.floats(-700.0, 700.0))
def test_a_power_of_e_is_right_to_the_last_bit_but_one(x):
    found = exp(x)
    assert abs(Fraction(found) - exactly(x)) <= Fraction(math.ulp(found))


@kernel
def all_of(numbers, out):
    for i in range(numbers.shape[0]):
        out[i] = exp(numbers[i])


def test_compiled_loops_and_plain_python_give_the_same_bits():
    numbers = np.random.default_rng(1).normal(0.0, 5.0, 2000)
    found = np.zeros_like(numbers)
    all_of(numbers, found)
    plain = getattr(exp, "py_func", exp)
    assert found.tolist() == [plain(float(x)) for x in numbers]


def test_what_is_too_small_is_zero_and_what_is_too_large_is_infinite():
    assert [exp(x) for x in (-math.inf, -1e308, -746.0)] == [0.0] * 3
    assert [exp(x) for x in (math.inf, 1e308, 710.0)] == [math.inf] * 3
    assert math.isnan(exp(math.nan))
    assert exp(0.0) == exp(-0.0) == 1.0


def test_results_near_the_ends_are_those_of_the_library():
    for x in (-745.0, -744.4, -708.5, 709.7):
        assert exp(x) == pytest.approx(math.exp(x), rel=1e-15, abs=5e-324)


def test_players_and_games_take_no_power_of_e_from_the_library():
    """A GPU's library would give another last bit."""
    read = [path for room in ("engine", "games", "search") for path in (FOLDER / room).rglob("*.py")]
    assert len(read) > 100
    assert [str(path) for path in read if "math.exp(" in path.read_text(encoding="utf-8")] == []
