"""Random numbers as an explicit state of one uint64, the same on any number of threads, on CPU and CUDA.

A stream is made by hashing (seed, deal, seat, purpose) with a mixer of full avalanche, so that neighbouring seeds,
deals and seats have nothing in common. `rng` is always an array of one uint64 that a draw advances (SplitMix64).
"""

import numpy as np

from tefuda.kernel.compile import kernel

# What a stream is for. Seats have their own streams, so that a deal is the same for whoever sits there.
DEAL, PLAYER, SEARCH, LEARNER, CHECK = 1, 2, 3, 4, 5

_STEP = np.uint64(0x9E3779B97F4A7C15)
_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(11)
_UNIT = 1.0 / 9007199254740992.0  # 2 to the power of -53


@kernel
def mix(x):
    """A permutation of the 64-bit numbers: a change of any bit of x changes about half of the bits of the result."""
    x = (x ^ (x >> _30)) * _A
    x = (x ^ (x >> _27)) * _B
    return x ^ (x >> _31)


@kernel
def stream(seed, deal, seat, purpose):
    """The first state of the stream for one purpose of one seat of one deal."""
    x = mix(np.uint64(seed) + _STEP)
    x = mix((x ^ np.uint64(deal)) + _STEP)
    x = mix((x ^ np.uint64(seat)) + _STEP)
    return mix((x ^ np.uint64(purpose)) + _STEP)


@kernel
def draw(rng):
    """The next 64 random bits."""
    rng[0] = rng[0] + _STEP
    return mix(rng[0])


@kernel
def below(rng, bound):
    """A whole number from 0 to bound - 1, uniform but for a bias of less than bound / 2**32."""
    return np.int64(((draw(rng) >> _32) * np.uint64(bound)) >> _32)


@kernel
def unit(rng):
    """A real number from 0 up to, but not including, 1."""
    return np.float64(draw(rng) >> _11) * _UNIT


@kernel
def drawn(weights, count, point):
    """Lay the weights end to end from 0 on: the place of the one that a point falls on, never one of weight 0."""
    last = -1
    for place in range(count):
        if weights[place] > 0.0:
            last = place
            point -= weights[place]
            if point < 0.0:
                break
    return last
