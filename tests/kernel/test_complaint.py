"""A kernel that cannot be compiled is told in one line, with its own file and line."""

from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import TypingError

from tefuda.errors import Problem
from tefuda.kernel.compile import COMPILED, kernel, record_type
from tefuda.kernel.complaint import complaint
from tefuda.kernel.random import below

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@kernel
def inner(number):
    return number.nothing  # this line


@kernel
def outer(number):
    return inner(number) + 1


@kernel
def nameless(number):
    return number + nobody_knows  # noqa: F821 - this line


@kernel
def adding(number):
    return number + "text"  # this line


@kernel
def without_a_bound(number):
    return below(number)  # this line


@kernel
def calls_the_nameless(number):
    return nameless(number) + 1


@kernel
def misspelling(state):
    state.seet = 1  # this line


@kernel
def misreading(state):
    return state.seet  # this line


@kernel
def calls_the_misspelling(number):
    misspelling(STATES[0])
    return number


@kernel
def calls_the_misreading(number):
    return misreading(STATES[0]) + number


STATES = np.zeros(1, record_type([("seat", np.int8), ("led", np.int8)]))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (calls_the_nameless, "name 'nobody_knows' is not defined"),
        (calls_the_misspelling, "unknown field 'seet': did you mean 'seat'? known are seat, led ("),
        (calls_the_misreading, "unknown field 'seet': did you mean 'seat'? known are seat, led ("),
        (outer, "Unknown attribute 'nothing' of type int64"),
        (nameless, "name 'nobody_knows' is not defined"),
        (adding, "No implementation of function Function(<built-in function add>) found for signature: add(int64"),
        (without_a_bound, "missing a required argument: 'bound'"),
    ],
    ids=lambda each: each.__name__ if callable(each) else "",
)
def test_one_line_has_the_reason_and_the_place(function, said):
    with pytest.raises(Problem) as caught:
        function(3)
    line = str(caught.value)
    assert "\n" not in line
    assert line.startswith("a kernel cannot be compiled: ")
    assert said in line
    named = int(line.partition(f"({__file__}, line ")[2].partition(")")[0])
    near = Path(__file__).read_text(encoding="utf-8").splitlines()[named - 3 : named]
    assert any("this line" in each for each in near), line
    assert len(line) < 400
    assert caught.value.__cause__ is not None


def test_colours_are_left_out():
    """Numba adds them where the package colorama is installed."""
    coloured = "\x1b[1mFailed in nopython mode pipeline (step: nopython frontend)\n\x1b[1mUnknown attribute\x1b[0m\n"
    error = TypingError(coloured + "During: typing of get attribute at /theirs/own.py (7)\x1b[0m")
    told = str(complaint(error))
    assert "Unknown attribute (/theirs/own.py, line 7)" in told
    assert told.isprintable()
