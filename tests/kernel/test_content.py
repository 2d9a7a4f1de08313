"""Kernels are named by their content: the same name for whatever does the same, another for whatever does not."""

import os
import subprocess
import sys
import types
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.loops import key_of
from tefuda.kernel.content import Unnameable, name_of, reached_from

START = """
import cards
import numpy as np
from tefuda.kernel.compile import kernel

BONUS = 3
TABLE = np.array([1, 2, 3], np.int64)
PAIR = (1, 2)
UNUSED = 1

@kernel
def inner(x):
    return x + BONUS

@kernel
def middle(x):
    return 2 * inner(x)

def closed(step, called):
    def around(x, y=1, *, z=2):
        return called(x) + step
    return around

@kernel
def gain(x, more=1):
    '''What it gains.'''
    total = middle(x) + TABLE[0] + PAIR[1] + cards.BRIGHTS + np.int64(more)
    for place in range(7):
        total += place
    return total
"""
GAIN = "gain"
CLOSED = "closed(5, inner)"


def made(text: str, wanted: str = GAIN, brights: object = 20, file: str = "rules.py") -> str:
    """The name of a function in a text, whose module `cards` has one constant."""
    cards = types.ModuleType("cards")
    cards.BRIGHTS = brights
    before = sys.modules.get("cards")
    sys.modules["cards"] = cards
    try:
        namespace = {"__name__": "own.rules"}
        exec(compile(text, file, "exec"), namespace)
        return name_of(eval(wanted, namespace))
    finally:
        del sys.modules["cards"]
        if before is not None:
            sys.modules["cards"] = before


def edited(before: str, after: str) -> str:
    assert START.count(before) == 1
    return START.replace(before, after)


@pytest.mark.parametrize(
    "text",
    [
        edited("    total = middle", "    # a comment\n\n\n    total = middle"),
        edited("'''What it gains.'''", "'''Another docstring.'''"),
        edited("    '''What it gains.'''\n", ""),
        "\n\n\n# a head\n" + START,
        edited("UNUSED = 1", "UNUSED = 2"),
        edited("UNUSED = 1", "def unused(x):\n    return TABLE"),
        edited("return called(x) + step", "return called(x) - step"),
        edited("middle(x) + TABLE[0] +", "(middle(x) +\n        TABLE[0]) +"),
        edited("TABLE = np.array([1, 2, 3], np.int64)", "TABLE = np.arange(1, 4)[::1].copy()"),
    ],
    ids=["comment", "docstring", "no docstring", "lines", "unread", "function", "uncalled", "layout", "equal array"],
)
def test_what_does_the_same_has_the_same_name(text):
    assert made(text) == made(START)
    assert made(START, file="/elsewhere/other.py") == made(START)


@pytest.mark.parametrize(
    "text",
    [
        edited("range(7)", "range(8)"),
        edited("total += place", "total -= place"),
        edited("BONUS = 3", "BONUS = 4"),
        edited("BONUS = 3", "BONUS = 3.0"),
        edited("BONUS = 3", "BONUS = np.int8(3)"),
        edited("x + BONUS", "x - BONUS"),
        edited("2 * inner", "3 * inner"),
        edited("TABLE = np.array([1, 2, 3], np.int64)", "TABLE = np.array([1, 2, 4], np.int64)"),
        edited("TABLE = np.array([1, 2, 3], np.int64)", "TABLE = np.array([1, 2, 3], np.int32)"),
        edited("TABLE = np.array([1, 2, 3], np.int64)", "TABLE = np.array([[1, 2, 3]], np.int64)"),
        edited("PAIR = (1, 2)", "PAIR = (1, 3)"),
        edited("np.int64(more)", "np.int32(more)"),
        edited("more=1", "more=2"),
        edited("more=1", "more"),
        edited("more=1", "*more"),
    ],
)
def test_what_does_something_else_has_another_name(text):
    assert made(text) != made(START)


def test_the_attribute_of_a_module_counts():
    assert made(START, brights=21) != made(START)
    assert made(START, brights=np.uint64(20)) != made(START)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (START, "closed(6, inner)"),
        (START, "closed(5, middle)"),
        (START, "closed(5.0, inner)"),
        (edited("x + BONUS", "x - BONUS"), CLOSED),
        (edited("y=1", "y=2"), CLOSED),
        (edited("z=2", "z=3"), CLOSED),
    ],
)
def test_what_a_kernel_closes_over_counts(text, wanted):
    assert made(START, CLOSED) == made(edited("range(7)", "range(8)"), CLOSED)
    assert made(text, wanted) != made(START, CLOSED)


def test_a_text_that_a_kernel_reads_is_no_docstring():
    one, other = (f"def said():\n    return {text!r}" for text in ("yes", "no"))
    assert made(one, "said") != made(other, "said")
    assert made("def said():\n    'yes'", "said") == made("def said():\n    'no'", "said")


def test_constants_of_every_kind_have_names():
    for first, second in (("x[..., 0]", "x[..., 1]"), ("x[1:2]", "x[1:3]"), ("x in (1, 2)", "x in (1, 3)")):
        one, other = (f"def said(x):\n    return {text}" for text in (first, second))
        assert made(one, "said") == made(f"\n{one}", "said") != made(other, "said")


def test_what_has_no_content_is_told():
    with pytest.raises(Unnameable, match=r"own\.rules\.odd uses THING: object <object object"):
        made("THING = object()\ndef odd(x):\n    return x + THING", "odd")


def test_all_that_a_kernel_reaches_is_found_once_and_itself_last():
    deal = games.find("koikoi").kernels.apply
    if not hasattr(deal, "py_func"):
        pytest.skip("uncompiled, kernels are plain functions")
    found = reached_from(deal)
    assert found[-1] is deal
    assert len({id(each) for each in found}) == len(found) > 5


@pytest.mark.slow
def test_every_game_has_the_same_name_in_every_process():
    """Compiled or not, and whatever order sets and dictionaries have there."""
    names = games.names()
    assert len(names) >= 5
    script = (
        "from tefuda import games; from tefuda.engine.loops import key_of;"
        "print(*(key_of(games.find(name)) for name in games.names()))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "12345"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.split() == [key_of(games.find(name)) for name in names]


@pytest.mark.parametrize(
    "text", ["def f(x):\n    return f(x - 1)\n", "def g(x):\n    return f(x)\ndef f(x):\n    return g(x)\n"]
)
def test_a_kernel_that_calls_itself_is_refused_by_name(text):
    marked = "from tefuda.kernel.compile import kernel\n" + text.replace("def ", "@kernel\ndef ")
    with pytest.raises(Unnameable, match=r"own.rules.[fg] calls itself"):
        made(marked, "f")


def test_threads_name_the_same_kernels_side_by_side():
    cards = types.ModuleType("cards")
    cards.BRIGHTS = 20
    found, interval = [], sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that one thread comes upon the work of another
    try:
        for _ in range(40):
            namespace = {"__name__": "own.rules", "cards": cards}
            exec(compile(START.replace("import cards\n", ""), "rules.py", "exec"), namespace)
            with ThreadPoolExecutor(4) as pool:
                found += pool.map(name_of, [namespace["gain"]] * 4)
    finally:
        sys.setswitchinterval(interval)
    assert found == [made(START)] * 160
