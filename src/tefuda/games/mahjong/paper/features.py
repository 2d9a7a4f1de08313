"""From the hand of a candidate to the list of its features: see groups.py for what they mean."""

from typing import Any

import numpy as np

from tefuda.games.mahjong import hand
from tefuda.games.mahjong.hand import meld_kind, meld_type
from tefuda.games.mahjong.paper import groups, ranks
from tefuda.games.mahjong.paper import quantities as of
from tefuda.games.mahjong.paper.groups import FACTOR_PLACES, FACTOR_SIZES, FACTOR_STARTS, FIRST, WHEN
from tefuda.games.mahjong.paper.hands import (
    COLOURS,
    DORA,
    DORAS,
    LOOSE_TILES,
    NUMBER,
    ROUND_WIND,
    SEAT_WIND,
    SLOTS,
    THROWN,
    UNSEEN,
    WAITS,
    WORDS,
    lay_out,
    tiles_held,
)
from tefuda.games.mahjong.paper.ranks import (
    PAIR_RANKS,
    capped_rank,
    pair_rank,
    triple_rank,
    window_place,
    window_rank,
)
from tefuda.games.mahjong.paper.shape import (
    counts_as_yaku,
    measure_blocks,
    measure_pairs,
    measure_shanten,
    ones,
)
from tefuda.games.mahjong.paper.worth import (
    dora_of_kind,
    han_with,
    measure_dora,
    measure_flush,
    measure_melds,
    measure_outside,
    measure_simples,
    measure_useful,
    measure_waits,
    own_tiles,
    straight,
    three_colours,
    tsumo_gain,
)
from tefuda.games.mahjong.tables import SUIT
from tefuda.games.mahjong.tiles import COPIES, DRAGONS, HONOURS, KINDS, SOUTH
from tefuda.kernel.bits import ZERO, has, lowest, without_lowest
from tefuda.kernel.compile import kernel

ACTIVE = 256  # features of a candidate, at most
(
    MADE, FLUSHES, EACH_DORA, LOOSE, EACH_HONOUR, EACH_NUMBER, NEIGHBOURS, SUITS, TRIPLETS, SIMPLES, EACH_COLOURS,
    EACH_STRAIGHT, EACH_WAIT, EACH_WAIT_MORE, ALL_WAITS, ONE_FROM_READY, USEFUL_COLOURS,
) = (
    np.int64(groups.group(name))
    for name in (
        "melds made", "flush", "each dora", "loose tiles", "each honour", "each number", "neighbours", "suits",
        "triplets, pairs", "simples", "each three colours", "each straight", "each wait", "each wait, more", "waits",
        "one from ready", "useful by colour",
    )
)  # fmt: skip
_DISTANT: Any = 3  # how near a dora is at most
_NO_SUIT = 4  # one of another suit


@kernel
def first_of(group):
    """The first feature of a group."""
    return np.int64(FIRST[group])


@kernel
def _start(group):
    return np.int64(FACTOR_STARTS[group])


@kernel
def _digit(work, index, factor):
    size = np.int64(FACTOR_SIZES[factor])
    return index * size + min(work[np.int64(FACTOR_PLACES[factor])], size - 1)


@kernel
def _when(group):
    return np.int64(WHEN[group])


@kernel
def put(active, feature):
    """Add a feature to the list, whose length stands behind it."""
    active[active[ACTIVE]] = feature
    active[ACTIVE] += 1


@kernel
def put_group(work, active, group):
    """Add the feature of a group that the quantities say."""
    index = np.int64(0)
    for factor in range(_start(group), _start(group + 1)):
        index = _digit(work, index, factor)
    put(active, first_of(group) + index)


@kernel
def put_or_extra(work, active, group, possible):
    """The same for a group whose last feature means that it is impossible."""
    if possible:
        put_group(work, active, group)
    else:
        put(active, first_of(group + 1) - 1)


@kernel
def sort_of_number(kind):
    """0: terminals, 1: 2 and 8, 2: 3 and 7, 3: 4 and 6, 4: 5."""
    return min(kind % SUIT, SUIT - 1 - kind % SUIT)


@kernel
def put_melds(work, active):
    for slot in range(work[NUMBER]):
        meld = work[SLOTS + slot]
        type_ = meld_type(meld)
        work[of.SORT] = 0 if type_ == hand.CHI else 1 if type_ == hand.PON else 3 if type_ == hand.CLOSED_KAN else 2
        work[of.KIND] = meld_kind(meld)
        put_group(work, active, MADE)


@kernel
def put_flushes(work, active):
    """The half flush, and the full one, whose tiles stand in NUMBER."""
    full = work[of.NUMBER]
    work[of.FLUSH] = 0
    put_group(work, active, FLUSHES)
    work[of.FLUSH], work[of.FLUSH_TILES] = 1, full
    put_group(work, active, FLUSHES)


@kernel
def put_dora(work, active):
    for i in range(work[DORAS]):
        kind = work[DORA + i]
        tiles = own_tiles(work, kind)
        if kind < HONOURS:
            work[of.SORT] = sort_of_number(kind)
        else:
            work[of.SORT] = 5 if counts_as_yaku(work, kind - HONOURS) else 6
        work[of.NUMBER], work[of.SEEN] = tiles, COPIES - work[UNSEEN + kind] - tiles
        put_group(work, active, EACH_DORA)


@kernel
def put_loose(work, active):
    for sort in range(4):
        work[of.SORT], work[of.NUMBER] = sort, work[LOOSE_TILES + sort]
        put_group(work, active, LOOSE)


@kernel
def put_honours(work, active):
    work[of.WIND], work[of.ROUND] = work[SEAT_WIND], work[ROUND_WIND]
    for kind in range(HONOURS, KINDS):
        tiles = own_tiles(work, kind)
        work[of.SEEN], work[of.HELD] = COPIES - work[UNSEEN + kind] - tiles, tiles
        work[of.IS_DORA] = 1 if dora_of_kind(work, kind) > 0 else 0
        work[of.HONOUR] = min(kind - HONOURS, 4)
        put_group(work, active, EACH_HONOUR)


@kernel
def nearness(work, kind):
    """How far the nearest dora of the same suit is, 3 for more; or 4."""
    near = np.int64(_NO_SUIT)
    for i in range(work[DORAS]):
        dora = work[DORA + i]
        if dora < HONOURS and dora // SUIT == kind // SUIT:
            near = min(near, min(abs(dora - kind), _DISTANT))
    return near


@kernel
def put_numbers(work, active):
    """The kinds of numbers that are held."""
    for kind in range(HONOURS):
        tiles = tiles_held(work, kind)
        if tiles > 0:
            work[of.SORT], work[of.HELD], work[of.NEAR] = sort_of_number(kind), tiles, nearness(work, kind)
            put_group(work, active, EACH_NUMBER)


@kernel
def window_feature(first, size, rank, riichi):
    place = np.int64(ranks.FIRST_WINDOWS[size]) + window_place(first, size) * np.int64(ranks.LISTS[size])
    return 2 * (place + rank) + riichi


@kernel
def put_neighbours(work, active):
    """The counts of two to six neighbours, where some tile is there."""
    riichi, start = work[of.RIICHI], first_of(NEIGHBOURS)
    for suit in range(3):
        word = work[WORDS + suit]
        if word == 0:
            continue
        for size in range(2, 7):
            for first in range(SUIT - size + 1):
                rank = window_rank(word, first, size)
                if rank > 0:
                    put(active, start + window_feature(first, size, rank, riichi))


@kernel
def put_suits(work, active):
    for suit in range(3):
        put(active, first_of(SUITS) + capped_rank(work[WORDS + suit]))


@kernel
def put_patterns(work, active, useful):
    """Runs in three suits, and straights. Writes the quantities of the nearest."""
    most = np.int64(0)
    for first in range(7):
        bits = three_colours(work, first)
        most = max(most, ones(bits))
        missing = ZERO
        for suit in range(3):
            missing |= np.uint64(~(bits >> (3 * suit)) & 7) << np.uint64(SUIT * suit + first)
        work[of.EDGE] = 1 if first == 0 or first == 6 else 0
        work[of.TILES_HELD], work[of.BRINGS] = bits, 1 if useful & missing != ZERO else 0
        put_group(work, active, EACH_COLOURS)
    work[of.COLOURS_TILES] = most
    work[of.STRAIGHT_TILES] = -1
    for suit in range(3):
        bits = straight(work, suit)
        missing = np.uint64(~bits & 511) << np.uint64(SUIT * suit)
        if ones(bits) > work[of.STRAIGHT_TILES]:
            work[of.STRAIGHT_TILES], work[of.STRAIGHT_USEFUL] = ones(bits), 1 if useful & missing != ZERO else 0
        work[of.TILES_HELD] = bits
        put_group(work, active, EACH_STRAIGHT)


@kernel
def measure_honour_counts(work):
    work[of.ALL_WINDS], work[of.ALL_DRAGONS] = 0, 0
    for kind in range(HONOURS, KINDS):
        place = of.ALL_WINDS if kind < DRAGONS else of.ALL_DRAGONS
        work[place] = 4 * work[place] + min(own_tiles(work, kind), 3)


@kernel
def sort_of_wait(work, kind):
    """As of a number; 5: a wind that counts twice, 6: an honour that counts, 7: one that does not."""
    if kind < HONOURS:
        return sort_of_number(kind)
    place = kind - HONOURS
    if place == work[SEAT_WIND] and place == work[ROUND_WIND] and kind <= SOUTH:
        return np.int64(5)
    return np.int64(6) if counts_as_yaku(work, place) else np.int64(7)


@kernel
def is_suji(work, kind):
    """Whether the own discards make a wait look safe: the tiles three away on both sides, where there are such."""
    if kind >= HONOURS:
        return False
    thrown, place = np.uint64(work[THROWN]), kind % SUIT
    low = place < 3 or has(thrown, kind - 3)
    return low and (place > 5 or has(thrown, kind + 3))


@kernel
def put_waits(work, active):
    """Each wait of a ready hand, and all of them."""
    waits = np.uint64(work[WAITS])
    while waits != ZERO:
        kind = lowest(waits)
        waits = without_lowest(waits)
        han = han_with(work, kind, np.int64(0))
        work[of.SORT], work[of.WAIT_TILES], work[of.HAN] = sort_of_wait(work, kind), work[UNSEEN + kind] - 1, han
        work[of.TSUMO_HAN] = tsumo_gain(work, kind, han)
        work[of.IS_DORA] = 1 if dora_of_kind(work, kind) > 0 else 0
        work[of.SUJI] = 1 if is_suji(work, kind) else 0
        put_group(work, active, EACH_WAIT)
        put_group(work, active, EACH_WAIT_MORE)
    put_group(work, active, ALL_WAITS)


@kernel
def put_useful_colours(work, active):
    """The useful tiles of the three colours that have most, together at most COLOURS."""
    one, two, three = np.int64(0), np.int64(0), np.int64(0)
    for suit in range(4):
        tiles = work[COLOURS + suit]
        if tiles > one:
            one, two, three = tiles, one, two
        elif tiles > two:
            two, three = tiles, two
        elif tiles > three:
            three = tiles
    one = min(one, ranks.COLOURS)
    two = min(two, ranks.COLOURS - one)
    three = min(three, ranks.COLOURS - one - two)
    start = first_of(USEFUL_COLOURS)
    if one > 0:
        put(active, start + one - 1)
    put(active, start + ranks.COLOURS + pair_rank(one, two))
    put(active, start + ranks.COLOURS + PAIR_RANKS + triple_rank(one, two, three))


@kernel
def features(view, seat, code, work, active):
    """List the features of a candidate; returns how many. active [ACTIVE + 1]."""
    lay_out(view, seat, code, work)
    return features_of_hand(work, active)


@kernel
def features_of_hand(work, active):
    """List the features of the hand that lies in `work`; returns how many."""
    active[ACTIVE] = 0
    measure_shanten(work)
    measure_blocks(work)
    measure_pairs(work)
    useful = measure_useful(work)
    called = measure_melds(work)
    measure_dora(work)
    measure_flush(work, called)
    measure_simples(work)
    measure_outside(work)
    measure_honour_counts(work)
    measure_waits(work, useful)
    put_flushes(work, active)
    put_patterns(work, active, useful)
    for group in range(groups.NUMBER):
        when = _when(group)
        if when == groups.ONCE or (when == groups.CLOSED and work[NUMBER] == 0):
            put_group(work, active, group)
    put_melds(work, active)
    put_dora(work, active)
    put_loose(work, active)
    put_honours(work, active)
    put_numbers(work, active)
    put_neighbours(work, active)
    put_suits(work, active)
    put_or_extra(work, active, TRIPLETS, work[of.CHI] == 0)
    put_or_extra(work, active, SIMPLES, work[of.SIMPLES_POSSIBLE] != 0)
    if work[of.SHANTEN] == 0:
        put_waits(work, active)
    elif work[of.SHANTEN] == 1:
        put_group(work, active, ONE_FROM_READY)
    put_useful_colours(work, active)
    return active[ACTIVE]
