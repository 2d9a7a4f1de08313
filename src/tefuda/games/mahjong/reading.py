"""Readings: the ways to see a packed suit (see shanten.py) as runs, triplets and at most one pair.

A reading is one number: the places of its triplets (as the lowest bits of their counts) and, above them, the place of
its pair, SUIT for none. The runs follow from the rest, since the lowest tile left over always begins one.
`next_reading` goes from one reading to the next, so that all of them are seen without a list of them.
"""

import numpy as np

from tefuda.games.mahjong.shanten import packed_count, tripled
from tefuda.games.mahjong.tables import BITS, SUIT
from tefuda.kernel.bits import count
from tefuda.kernel.compile import kernel

NONE = np.int64(-1)  # a plain int would compile the kernels that take it once more for itself
_PLACES = BITS * SUIT  # bits of a packed suit
_TRIPLETS = (1 << _PLACES) - 1
_ONES = 0o111111111
RUN_STARTS = 7  # in a suit
RUN_BITS = BITS * RUN_STARTS  # of a suit's runs


@kernel
def tiles_in(word):
    """How many tiles a packed suit has."""
    ones, twos, fours = word & _ONES, (word >> 1) & _ONES, (word >> 2) & _ONES
    return count(np.uint64(ones)) + 2 * count(np.uint64(twos)) + 4 * count(np.uint64(fours))


@kernel
def runs_in(word):
    """How often each run is there, packed like a suit by the place of its lowest tile, if the suit is nothing but
    runs; else NONE."""
    runs = 0
    here, next_ = packed_count(word, 0), packed_count(word, 1)
    for place in range(RUN_STARTS):
        runs |= here << (BITS * place)
        here, next_ = next_ - here, packed_count(word, place + 2) - here
        if here < 0:
            return NONE
    return runs if here == 0 and next_ == 0 else NONE


@kernel
def pair_of(reading):
    """The place of the pair, SUIT for none."""
    return reading >> _PLACES


@kernel
def triplets_of(reading):
    """The places of the triplets, as the lowest bits of their counts."""
    return reading & _TRIPLETS


@kernel
def runs_of(word, reading):
    """The runs of a suit in one of its readings."""
    pair = pair_of(reading)
    rest = word - 3 * triplets_of(reading)
    return runs_in(rest - (2 << (BITS * pair)) if pair < SUIT else rest)


@kernel
def next_reading(word, with_pair, before):
    """The reading after `before` (NONE: the first), or NONE after the last. Every suit but one has no pair."""
    pair, triplets = 0 if with_pair else SUIT, 0
    again = before != NONE
    if again:
        pair, triplets = pair_of(before), triplets_of(before)
    while pair <= SUIT:
        if pair == SUIT or packed_count(word, pair) >= 2:
            rest = word - (2 << (BITS * pair)) if pair < SUIT else word
            possible = tripled(rest)
            while True:
                if again:  # the next subset of the possible triplets; after the last comes the empty one again
                    triplets = (triplets - possible) & possible
                    again = False
                    if triplets == 0:
                        break
                if runs_in(rest - 3 * triplets) != NONE:
                    return (pair << _PLACES) | triplets
                again = True
        again = False
        triplets = 0
        pair += 1
        if pair == SUIT or not with_pair:
            break
    return NONE


@kernel
def squeezed(places):
    """Nine bits from the lowest bits of nine counts: a set of kinds of the suit. (Every step halves the gaps.)"""
    places = (places ^ (places >> 2)) & 0x030C30C3
    places = (places ^ (places >> 4)) & 0x0300F00F
    places = (places ^ (places >> 8)) & 0x030000FF
    return (places ^ (places >> 16)) & 0x1FF
