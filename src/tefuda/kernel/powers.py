"""Powers of e that are the same bit for bit on every machine, on the CPU and on CUDA.

The libraries of both are right to the last bit but one, and differ there. That is enough to make two plans that are
worth the same differ, and so a player choose otherwise. Here nothing but sums and products is used, in a fixed order.
"""

import math

import numpy as np

from tefuda.kernel.compile import kernel

# The logarithm of 2 in two parts: the first has so few bits that its product with any power of two here is exact.
_BITS = 32
_LOG_2_LOW_DIGITS = 0.0000000000000000231904681384629955842  # the logarithm of 2 less its float64
_LOG_2_HIGH = math.floor(math.log(2.0) * 2.0**_BITS) / 2.0**_BITS
_LOG_2_LOW = (math.log(2.0) - _LOG_2_HIGH) + _LOG_2_LOW_DIGITS
_PER_LOG_2 = 1.0 / math.log(2.0)
_LEAST, _MOST = -745.2, 709.8  # below it is 0, above it is no number any more
_ORDER = 13  # the rest lies within 0.35 of 0: its series is right to 2 ** -57 of the result
_TERMS = tuple(1.0 / math.factorial(n) for n in range(_ORDER + 1))
_FRACTION, _BIAS = np.int64(52), np.int64(1023)  # bits of a float64 behind its exponent, and the exponent of 1


@kernel
def power_of_two(exponent):
    """Two to a whole number from -1022 to 1023."""
    return np.int64((np.int64(exponent) + _BIAS) << _FRACTION).view(np.float64)


@kernel
def exp(x):
    """The power of e, to the last bit but one."""
    x = np.float64(x)
    if x < _LEAST:
        return 0.0
    if not x <= _MOST:  # too large, or no number
        return x + math.inf
    doublings = math.floor(x * _PER_LOG_2 + 0.5)
    rest = (x - doublings * _LOG_2_HIGH) - doublings * _LOG_2_LOW
    series = _TERMS[13]
    series = series * rest + _TERMS[12]
    series = series * rest + _TERMS[11]
    series = series * rest + _TERMS[10]
    series = series * rest + _TERMS[9]
    series = series * rest + _TERMS[8]
    series = series * rest + _TERMS[7]
    series = series * rest + _TERMS[6]
    series = series * rest + _TERMS[5]
    series = series * rest + _TERMS[4]
    series = series * rest + _TERMS[3]
    series = series * rest + _TERMS[2]
    result = (series * rest * rest + rest) + 1.0
    # In two steps, since the first power alone may be too large or too small where the result is neither.
    whole = np.int64(doublings)
    half = whole // 2
    return result * power_of_two(half) * power_of_two(whole - half)
