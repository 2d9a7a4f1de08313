"""A kernel that cannot be compiled is told in one line, with its own file and line."""

from pathlib import Path

import pytest

from tefuda.errors import Problem
from tefuda.kernel.compile import COMPILED, kernel
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


@pytest.mark.parametrize(
    ("function", "said"),
    [
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
