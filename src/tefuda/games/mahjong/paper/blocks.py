"""The blocks of a suit: sets, two-sided, closed and edge blocks, pairs, single tiles, two-sided blocks preferred.

Of all ways to take a suit apart the one counts that is best by, in this order: two for a set and one for another
block or pair; most sets; most two-sided blocks; most pairs; the largest number of the layout below (so that a tile
that is left over lies as high as possible: 234 and 5, not 2 and 345).

The way found is one number of 51 bits:
    runs 3, two-sided blocks 2 each for their lower tile 2 to 7, closed blocks for their lower tile 1 to 7, edge blocks
    12 and 89, pairs, triplets, single tiles for each place.
"""

import numpy as np

from tefuda.games.mahjong.shanten import packed_count, there
from tefuda.games.mahjong.tables import SUIT
from tefuda.kernel.compile import kernel

TWO_SIDED_AT, CLOSED_AT, EDGE_AT, PAIRS_AT, TRIPLETS_AT, SINGLES_AT = 3, 15, 22, 24, 33, 42
PLACES = (1 << SUIT) - 1
_SIDE = 5  # values of a count: 0 to 4
_STATES = _SIDE * _SIDE
SPACE = 4 * _STATES  # scratch space, int64s
_NOT = np.int64(-1)
_SET, _BLOCK = (2 << 12) | (1 << 8), 1 << 12  # in a score: the sum, sets, two-sided blocks, pairs, four bits each
_TWO_SIDED, _PAIR = _BLOCK | (1 << 4), _BLOCK | 1


@kernel
def _left_over(tiles, place):
    """The score and the layout of tiles of one kind that no run and no block of two kinds takes."""
    if tiles >= 3:
        layout = np.int64(1) << (TRIPLETS_AT + place)
        return np.int64(_SET), layout | (np.int64(1) << (SINGLES_AT + place)) if tiles == 4 else layout
    if tiles == 2:
        return np.int64(_PAIR), np.int64(1) << (PAIRS_AT + place)
    return np.int64(0), np.int64(1) << (SINGLES_AT + place) if tiles == 1 else np.int64(0)


@kernel
def _two_places(place):
    """The score and the layout of a block of two neighbours whose lower one is at a place, and how many fit."""
    if place == 0 or place == 7:
        return np.int64(_BLOCK), np.int64(1) << (EDGE_AT + (1 if place == 7 else 0)), np.int64(1)
    return np.int64(_TWO_SIDED), np.int64(1) << (TWO_SIDED_AT + 2 * (place - 1)), np.int64(2)


@kernel
def blocks_of(word, space):
    """The best way to take a packed suit apart, by going from place to place.

    space [4, 25]: the best score and layout so far, for each number of tiles taken already from this place and from the
    next one; those of this place and of the next.
    """
    if word == 0:
        return np.int64(0)
    now, then = 0, 2 * _STATES
    for state in range(_STATES):
        space[state] = _NOT
    space[0], space[_STATES] = 0, 0
    here, next_ = packed_count(word, 0), packed_count(word, 1)
    for place in range(SUIT):
        after = packed_count(word, place + 2) if place < SUIT - 2 else 0
        for state in range(_STATES):
            space[then + state] = _NOT
        pair_score, pair_layout, pairs_most = _two_places(place)
        for taken in range(here + 1):
            for taken_next in range(next_ + 1):
                state = taken * _SIDE + taken_next
                score, layout = space[now + state], space[now + _STATES + state]
                if score < 0:
                    continue
                tiles, room = here - taken, next_ - taken_next
                for runs in range(min(tiles, min(room, after)) + 1):
                    for pairs in range(min(tiles - runs, min(room - runs, pairs_most)) + 1):
                        for gaps in range(min(tiles - runs - pairs, min(after - runs, 1)) + 1):
                            more, shape = _left_over(tiles - runs - pairs - gaps, place)
                            total = score + more + runs * _SET + pairs * pair_score + gaps * _BLOCK
                            shape += layout + runs + pairs * pair_layout
                            shape += (np.int64(gaps) << (CLOSED_AT + place)) if gaps > 0 else np.int64(0)
                            to = (taken_next + runs + pairs) * _SIDE + runs + gaps
                            best = space[then + to]
                            if total > best or (total == best and shape > space[then + _STATES + to]):
                                space[then + to], space[then + _STATES + to] = total, shape
        now, then = then, now
        here, next_ = next_, after
    return space[now + _STATES]


@kernel
def blocks_of_honours(word):
    """The same for packed honours: triplets, pairs, single tiles."""
    layout = np.int64(0)
    for place in range(7):
        if there(word) & (1 << (3 * place)) != 0:
            layout += _left_over(packed_count(word, place), place)[1]
    return layout


@kernel
def runs_in(layout):
    return layout & 7


@kernel
def two_sided_at(layout, place):
    """How many two-sided blocks have their lower tile at a place (1 to 6)."""
    return (layout >> (TWO_SIDED_AT + 2 * (place - 1))) & 3


@kernel
def closed_in(layout):
    """The lower places of closed blocks, as bits."""
    return (layout >> CLOSED_AT) & 127


@kernel
def edges_in(layout):
    """Bit 0: 12, bit 1: 89."""
    return (layout >> EDGE_AT) & 3


@kernel
def pairs_in(layout):
    return (layout >> PAIRS_AT) & PLACES


@kernel
def triplets_in(layout):
    return (layout >> TRIPLETS_AT) & PLACES


@kernel
def singles_in(layout):
    return (layout >> SINGLES_AT) & PLACES
