"""Places in memory as whole numbers, for calls of compiled code by its address."""

from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

INT64 = types.int64
PLACES = 11  # arguments of a function that `call_address` calls


@intrinsic
def memory_of(typingctx: Any, thing: Any) -> Any:
    """Where an array's numbers, or a record, lie."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = args[0]
        if isinstance(thing, types.Array):
            value = context.make_array(thing)(context, builder, value).data
        return builder.ptrtoint(value, cgutils.intp_t)

    return INT64(thing), codegen


@cache
def array_at(dtype: np.dtype) -> Any:
    """A kernel array(place, length) that sees the memory at a place as an array of one dtype."""
    element = from_dtype(dtype)
    array = types.Array(element, 1, "C")
    size = dtype.itemsize

    @intrinsic
    def seen_at(typingctx: Any, place: Any, length: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place, length = args
            made = context.make_array(array)(context, builder)
            step = context.get_constant(types.intp, size)
            populate_array(
                made, data=builder.inttoptr(place, made.data.type), shape=(length,), strides=(step,), itemsize=step,
                meminfo=None,
            )  # fmt: skip
            return made._getvalue()

        return array(INT64, INT64), codegen

    return seen_at


@intrinsic
def call_address(
    typingctx: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any, j: Any, k: Any
) -> Any:
    """Call the compiled function at an address with whole numbers; it gives one. Such functions raise nothing."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        convention, taken = context.call_conv, signature.args[1:]
        function = convention.get_function_type(INT64, taken)
        pointer = builder.inttoptr(args[0], function.as_pointer())
        _, result = convention.call_function(builder, pointer, INT64, taken, args[1:])
        return result

    return INT64(*[INT64] * (PLACES + 1)), codegen
