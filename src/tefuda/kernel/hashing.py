"""A table as a number of 64 bits: equal tables have equal numbers, and others hardly ever."""

from functools import cache
from typing import Any

import numpy as np

from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.pointers import array_at, memory_of
from tefuda.kernel.random import mix

STEP = np.uint64(0x9E3779B97F4A7C15)


@kernel
def mixed_in(number, more):
    """A number of 64 bits, changed by another: the order of changes counts."""
    return mix((number ^ np.uint64(more)) + STEP)


@cache
def hash_of(State: np.dtype) -> Any:
    """The kernel hashed(table): a number for all that a table of some type holds."""
    word = np.dtype(np.uint64 if State.itemsize % 8 == 0 else np.uint8)
    length = State.itemsize // word.itemsize
    words_at = array_at(word)

    def hashed(table):
        number = STEP
        words = words_at(memory_of(table), length)
        for place in range(length):
            number = mixed_in(number, words[place])
        return number

    if COMPILED:
        return kernel(hashed, counted=False)

    def plain(table: Any) -> Any:
        number = STEP
        for each in np.frombuffer(table.tobytes(), word):
            number = mixed_in(number, each)
        return number

    plain.py_func = hashed  # type: ignore[attr-defined]  # what is compiled names a kernel, here too
    return plain
