"""The place of a list of counts among all such lists, in order, the first count slowest.

The paper counts only what a hand can hold: its numbers of neighbouring counts (620 of four, 2,878 of five, 11,880 of
six) and of suits (19,472) are those of lists with 14 tiles at most.
"""

from functools import cache
from math import comb
from typing import Any

import numpy as np

from tefuda.games.mahjong.shanten import packed_count
from tefuda.games.mahjong.tables import SUIT
from tefuda.kernel.compile import kernel

MOST = 14  # tiles of a list
COLOURS: Any = 20  # useful tiles of all colours of a list, at most


@cache
def lists(length: int, largest: int, tiles: int) -> int:
    """How many lists of so many counts there are, none larger than `largest`, with at most so many tiles."""
    if tiles < 0:
        return 0
    return 1 if length == 0 else sum(lists(length - 1, largest, tiles - count) for count in range(largest + 1))


def before(length: int, largest: int) -> np.ndarray:
    """[counts behind, tiles left, count]: how many lists have a smaller count there."""
    table = np.zeros((length, MOST + 1, largest + 1), np.int16)
    known = [[lists(behind, largest, tiles) for tiles in range(MOST + 1)] for behind in range(length)]
    for behind in range(length):
        for tiles in range(MOST + 1):
            for count in range(1, largest + 1):
                less = known[behind][tiles - count + 1] if tiles - count + 1 >= 0 else 0
                table[behind, tiles, count] = table[behind, tiles, count - 1] + less
    return table


# Neighbours: how many, in how many places (those from the other end are the same), lists for each.
WINDOWS = tuple((size, (SUIT - size + 2) // 2, lists(size, 4, MOST)) for size in range(2, 7))
CAPPED = lists(SUIT, 2, MOST)  # suits, a kind at most twice
_COUNTS, _CAPPED_COUNTS = 5, 3
_BEFORE, _CAPPED_BEFORE = before(6, 4).ravel(), before(SUIT, 2).ravel()
FIRST_WINDOWS = np.array([0, 0, *np.cumsum([0] + [places * number for _, places, number in WINDOWS])], np.int64)
LISTS = np.array([0, 0, *(number for _, _, number in WINDOWS)], np.int64)


@kernel
def _smaller(behind, tiles, count):
    return np.int64(_BEFORE[(behind * (MOST + 1) + tiles) * _COUNTS + count])


@kernel
def _smaller_capped(behind, tiles, count):
    return np.int64(_CAPPED_BEFORE[(behind * (MOST + 1) + tiles) * _CAPPED_COUNTS + count])


@kernel
def window_rank(word, first, size):
    """The place of `size` counts of a packed suit from a place on; windows of the upper half are read backwards."""
    mirrored = first > SUIT - size - first
    rank, left = np.int64(0), np.int64(MOST)
    for step in range(size):
        count = packed_count(word, first + size - 1 - step if mirrored else first + step)
        rank += _smaller(size - 1 - step, left, count)
        left -= count
    return rank


@kernel
def window_place(first, size):
    """A window's place from the nearer end of the suit."""
    return min(first, SUIT - size - first)


@kernel
def capped_rank(word):
    """The place of a packed suit among all, when more than two of a kind count as two."""
    rank, left = np.int64(0), np.int64(MOST)
    for place in range(SUIT):
        count = min(packed_count(word, place), 2)
        rank += _smaller_capped(SUIT - 1 - place, left, count)
        left -= count
    return rank


@kernel
def pairs_below(tiles):
    """How many pairs of numbers add up to at most so many."""
    return (tiles + 1) * (tiles + 2) // 2


@kernel
def triples_below(tiles):
    return (tiles + 1) * (tiles + 2) * (tiles + 3) // 6


@kernel
def pair_rank(one, two):
    """The place of two numbers among all pairs that add up to COLOURS at most."""
    return pairs_below(COLOURS) - pairs_below(COLOURS - one) + two


@kernel
def triple_rank(one, two, three):
    """The place of three numbers among all that add up to COLOURS at most."""
    rest = COLOURS - one
    return triples_below(COLOURS) - triples_below(rest) + pairs_below(rest) - pairs_below(rest - two) + three


PAIR_RANKS = comb(COLOURS + 2, 2)
