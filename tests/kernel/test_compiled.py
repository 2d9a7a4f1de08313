"""How kernels are compiled: for one signature, once in a process, with a line that says what and how far."""

import os
import pty
import re
import subprocess
import sys
import time

import numpy as np
import pytest

from tefuda.kernel import cache
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.watch import watch

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.fixture(autouse=True)
def nothing_kept(tmp_path, monkeypatch):
    """Whatever earlier runs have left is compiled again here."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)


# --- one signature ---


def test_a_kernel_is_translated_once_whatever_width_its_numbers_have():
    @kernel
    def shifted(x):
        return x * 1000 + 1

    @kernel
    def around(small, byte, whole):
        return shifted(small[0]), shifted(byte[0]), shifted(whole), shifted(7), shifted(-1), shifted(small.shape[0])

    found = around(np.array([-3], np.int8), np.array([250], np.uint8), 5)
    assert found == (-2999, 250_001, 5001, 7001, -999, 1001)
    assert len(shifted._inner) == 1
    assert not shifted.overloads  # nobody outside has called it, so that it was not optimised by itself


def test_masks_keep_their_sign_apart():
    @kernel
    def positive(x):
        return x > 0

    @kernel
    def around(mask, number):
        return positive(mask), positive(number)

    assert around(np.uint64(2**64 - 1), -3) == (True, False)
    assert len(positive._inner) == 2


def test_a_call_from_python_compiles_once_for_all_whole_numbers():
    @kernel
    def doubled(x):
        return 2 * x

    assert doubled(np.int8(-100)) == -200
    before = watch.seconds
    assert [int(doubled(each)) for each in (np.uint8(200), np.int32(-5), np.int64(-6), 7)] == [400, -10, -12, 14]
    assert watch.seconds == before
    assert len(doubled.overloads) == 1


def test_kernels_of_the_same_content_share_their_code():
    def made(step):
        def gain_of_sharing(x):
            return 11 * x + step

        return kernel(gain_of_sharing)

    first, second, other = made(1), made(1), made(2)
    assert first(1) == 12
    before = watch.seconds
    assert second(1) == 12
    assert watch.seconds == before
    assert other(1) == 13
    assert watch.seconds > before
    assert first.address(*first.signatures[0]) == second.address(*second.signatures[0])


def test_defaults_and_names_with_underscores():
    def made(bonus):
        def inner__gain(x, more=bonus):
            return x + more

        inner = kernel(inner__gain)

        def outer__gain(x):
            return inner(x)

        return kernel(outer__gain)

    assert [made(bonus)(1) for bonus in (10, 20)] == [11, 21]


# --- the line ---

TWO = """
import sys
import numpy as np
from tefuda.kernel.compile import kernel
from tefuda.kernel.watch import watch

@kernel
def inner(x):
    return x + 1

@kernel
def outer(x):
    return 2 * inner(x)

@kernel
def other(x):
    return 3 * inner(x)

@kernel
def broken(x):
    return inner(x).nothing
"""


def on_terminal(script: str, cache) -> str:
    """What a process writes to the terminal that its standard error is."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TEFUDA_CACHE": str(cache)}
    process = subprocess.Popen(
        [sys.executable, "-c", script], stderr=theirs, stdout=subprocess.DEVNULL, env=environment
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 10_000)
        except OSError:  # nobody is left on the other side
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(timeout=100) == 0
    return shown.decode()


@pytest.mark.slow
def test_a_terminal_shows_what_is_compiled_and_how_far(tmp_path):
    calls = "outer(1)\nother(1)\ntry:\n    broken(1)\nexcept Exception:\n    print('caught', file=sys.stderr)"
    shown = on_terminal(TWO + calls, tmp_path)
    lines = [each for each in re.split(r"\r|\n", shown.replace("\x1b[K", "")) if each]
    assert [re.sub(r"\d+ s$", "N s", line) for line in lines] == [
        "tefuda: compiling outer of __main__ (once): 0 of 2 functions, N s",
        "tefuda: compiling outer of __main__ (once): making machine code, N s",
        "tefuda: compiling other of __main__ (once): making machine code, N s",
        "tefuda: compiling broken of __main__ (once): making machine code, N s",
        "caught",
    ]
    assert shown.count("\r\x1b[K") == 3  # the line is taken away after each, also after one that failed
    assert shown.rstrip().endswith("\r\x1b[Kcaught")
    assert on_terminal(TWO + "outer(1)", tmp_path) == ""


@pytest.mark.slow
def test_where_nobody_watches_it_is_said_once(tmp_path):
    environment = {**os.environ, "TEFUDA_CACHE": str(tmp_path)}
    command = [sys.executable, "-c", TWO + "outer(1)\nother(1)"]
    first, second = (subprocess.run(command, capture_output=True, text=True, env=environment) for _ in range(2))
    assert first.stderr == "tefuda: compiling for this machine (once; later runs start at once) …\n"
    assert (second.returncode, second.stderr) == (0, "")


def test_seconds_are_counted():
    @kernel
    def counted(x):
        total = 0
        for place in range(x):
            total += place * 12_345
        return total

    before, began = watch.seconds, time.perf_counter()
    assert counted(3) == 37_035
    took = time.perf_counter() - began
    assert 0 < watch.seconds - before < took
    before = watch.seconds
    counted(3)
    assert watch.seconds == before
