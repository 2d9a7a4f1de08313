"""`kernel`, which compiles a function with Numba, and `record_type`, which makes the type of a table.

A kernel is a small function of scalars, fixed-size arrays and one state record; it calls nothing but other kernels.
kernel/compiled.py says how it is compiled for the CPU; numba-cuda compiles the same object again when a CUDA kernel
calls it. With NUMBA_DISABLE_JIT=1 every kernel is plain Python.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import config

COMPILED = not config.DISABLE_JIT  # type: ignore[attr-defined]

if not COMPILED:
    np.seterr(over="ignore")  # uint64 arithmetic wraps around on purpose; only uncompiled NumPy scalars warn


def record_type(fields: list) -> np.dtype:
    """A record type. Its fields have names in compiled and in plain code. It is aligned, for others copy slowly."""
    for name, *_ in fields:
        if hasattr(np.record, name):  # plain code would find the method of NumPy's, not the field
            raise ValueError(
                f"a field of a record cannot be called {name!r}: NumPy's records have a method of that name"
            )
    fields = [(name, _record(each), *shape) for name, each, *shape in fields]
    aligned = np.dtype([(name, _plain(each), *shape) for name, each, *shape in fields], align=True)
    filled: list = []
    end = 0
    for name, shape in zip(aligned.names or (), fields, strict=True):
        offset = aligned.fields[name][1]  # type: ignore[index]
        if offset > end:
            filled.append((f"gap_{end}", np.uint8, offset - end))
        filled.append(shape)
        end = offset + aligned.fields[name][0].itemsize  # type: ignore[index]
    if aligned.itemsize > end:  # gaps have names, or NumPy would not copy them and equal tables differ in bytes
        filled.append((f"gap_{end}", np.uint8, aligned.itemsize - end))
    return np.dtype((np.record, np.dtype(filled, align=True)))


def _record(each: np.dtype | type) -> np.dtype:
    """The type of a field; a record inside a record as `record_type` makes it, whoever has made it."""
    found = np.dtype(each)
    if found.subdtype is not None:
        return np.dtype((_record(found.subdtype[0]), found.subdtype[1]))
    if found.names is None or (found.type is np.record and found.itemsize == _plain(found).itemsize):
        return found
    return record_type([(name, found[name]) for name in found.names])


def _plain(each: np.dtype | type) -> np.dtype:
    """The type of a field, of a record inside a record as a plain one: NumPy does not know how records are aligned."""
    found = np.dtype(each)
    if found.subdtype is not None:  # an array of records
        return np.dtype((_plain(found.subdtype[0]), found.subdtype[1]))
    return np.dtype([(name, _plain(found[name])) for name in found.names], align=True) if found.names else found


def kernel(function: Callable[..., Any], inline: bool = False, counted: bool = True) -> Any:
    """Make a kernel of a function. With `inline` its code is put in wherever it is called.

    Compiled code releases the GIL, so that threads run it side by side, and divides like C. Numba counts the references
    to each array at each call. Where many arrays are handed on that takes most of the time, and a kernel that is not
    `counted` does without. Such a kernel cannot allocate.
    """
    if not COMPILED:
        return function
    from tefuda.kernel.compiled import Kernel

    options = {"nopython": True, "nogil": True, "error_model": "numpy", "forceinline": inline, "_nrt": counted}
    return Kernel(function, targetoptions=options)


def uncompiled(function: Any) -> Callable[..., Any]:
    """A kernel that calls no other as plain Python, for what Python reads of one table: handing a record over to
    compiled code takes longer than a few additions."""
    return getattr(function, "py_func", function)
