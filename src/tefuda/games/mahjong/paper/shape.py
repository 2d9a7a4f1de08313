"""The quantities of a hand's shape: its shanten, its blocks, its pairs and triplets."""

import numpy as np

from tefuda.games.mahjong import hand
from tefuda.games.mahjong.hand import meld_kind, meld_type
from tefuda.games.mahjong.paper import quantities as of
from tefuda.games.mahjong.paper.blocks import (
    blocks_of,
    blocks_of_honours,
    closed_in,
    edges_in,
    pairs_in,
    runs_in,
    singles_in,
    triplets_in,
    two_sided_at,
)
from tefuda.games.mahjong.paper.hands import (
    CACHED,
    CLOSED,
    KEYS,
    LAYOUTS,
    LOOSE_TILES,
    MAY_RIICHI,
    NUMBER,
    ROUND_WIND,
    SEAT_WIND,
    SLOTS,
    SPACE,
    TURN,
    UNSEEN,
    WORDS,
)
from tefuda.games.mahjong.shanten import (
    honour_class,
    merged,
    packed_count,
    paired,
    sets_of,
    seven_pairs_packed,
    standard_of,
    suit_class,
    thirteen_orphans_packed,
    tripled,
)
from tefuda.games.mahjong.tables import BITS, SUIT
from tefuda.games.mahjong.tiles import HONOURS
from tefuda.kernel.bits import bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel

NONE_LOOSE = 4  # the sort of the outermost loose tile where there is none
HONOUR_SORT = np.int64(3)
_INNER = 0b011000110  # 2, 3, 7, 8
_OUTER = 0b100000001


@kernel
def ones(bits):
    """How many bits a whole number has."""
    return count(np.uint64(bits))


@kernel
def sort_of_place(place):
    """0: terminals, 1: 2 and 8, 2: 3 to 7."""
    near = min(place, 8 - place)
    return min(near, 2)


@kernel
def layout_of(work, suit):
    """The blocks of a suit; what was taken apart for another candidate is found again."""
    word = work[WORDS + suit]
    slot = ((word * 0x9E3779B1) >> 20) % CACHED
    if work[KEYS + slot] != word + 1:
        work[LAYOUTS + slot] = blocks_of(word, work[SPACE:KEYS])
        work[KEYS + slot] = word + 1
    return work[LAYOUTS + slot]


@kernel
def class_of(work, suit):
    return suit_class(work[WORDS + suit]) if suit < 3 else honour_class(work[WORDS + 3])


@kernel
def others_class(work, suit):
    """The class of all suits but one."""
    first, second, third = (1 if suit == 0 else 0), (1 if suit <= 1 else 0) + 1, (2 if suit == 3 else 3)
    return merged(merged(class_of(work, first), class_of(work, second)), class_of(work, third))


@kernel
def measure_shanten(work):
    """How far the hand is, by each form."""
    man, pin, sou, honours = work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3]
    melds = work[NUMBER]
    whole = merged(merged(class_of(work, 0), class_of(work, 1)), merged(class_of(work, 2), class_of(work, 3)))
    standard = standard_of(whole, melds)
    work[of.STANDARD], work[of.SHANTEN], work[of.MELDS] = standard, standard, melds
    work[of.SEVEN_PAIRS], work[of.ORPHANS] = 7, 14
    if melds == 0:
        work[of.SEVEN_PAIRS] = seven_pairs_packed(man, pin, sou, honours)
        work[of.ORPHANS] = thirteen_orphans_packed(man, pin, sou, honours)
        work[of.SHANTEN] = min(standard, min(work[of.SEVEN_PAIRS], work[of.ORPHANS]))
    turn = work[TURN]
    work[of.TURN], work[of.TURN_2], work[of.TURN_3] = turn, turn // 2, turn // 3
    work[of.RIICHI] = work[CLOSED] & work[MAY_RIICHI]


@kernel
def add_blocks_of_suit(work, suit):
    """Add what one suit has of each sort of block."""
    layout = layout_of(work, suit)
    if layout == 0:
        return
    work[of.SETS] += runs_in(layout) + ones(triplets_in(layout))
    pairs, singles = pairs_in(layout), singles_in(layout)
    closed, edges = closed_in(layout), edges_in(layout)
    edge_waits = (4 if edges & 1 else 0) | (64 if edges & 2 else 0)
    waits, twice = (closed << 1) | edge_waits, (closed << 1) & edge_waits  # places that one block, that two wait for
    for place in range(1, 7):
        for _ in range(two_sided_at(layout, place)):
            own = (1 << (place - 1)) | (1 << (place + 2))
            twice |= waits & own
            waits |= own
    for place in range(1, 7):
        blocks = two_sided_at(layout, place)
        if blocks > 0:
            work[of.TWO_SIDED] += blocks
            if twice & ((1 << (place - 1)) | (1 << (place + 2))) != 0:
                work[of.TWICE_TWO_SIDED] += blocks
            doubled = singles & (3 << place)
            work[of.TWO_SIDED_PAIRS] += ones(doubled)
            singles &= ~doubled
    work[of.BAD] += ones(closed) + ones(edges)
    work[of.TWICE_BAD] += ones((closed << 1) & twice) + ones(edge_waits & twice)
    doubled = singles & (closed | (closed << 2) | (3 if edges & 1 else 0) | (0b110000000 if edges & 2 else 0))
    beside = singles & ~doubled & ((pairs << 1) | (pairs >> 1) | (pairs << 2) | (pairs >> 2))
    work[of.BAD_PAIRS] += ones(doubled) + ones(beside)
    work[of.BAD] += ones(beside)
    work[of.BLOCKS] += ones(closed) + ones(edges) + ones(pairs)
    add_pairs(work, pairs, 9 * suit)
    if pairs & _OUTER != 0:
        work[of.OUTER_PAIR] = 1
    if pairs & _INNER != 0:
        work[of.INNER_PAIR] = 1
    singles &= ~(doubled | beside)
    while singles != 0:
        add_loose(work, sort_of_place(lowest(np.uint64(singles))))
        singles &= singles - 1


@kernel
def add_loose(work, sort):
    """One more tile that is in no block: how many of each sort is counted in LOOSE_TILES."""
    work[of.LOOSE] = 1
    work[LOOSE_TILES + sort] += 1
    outermost = work[of.LOOSE_OUTERMOST]
    if sort == HONOUR_SORT or outermost == NONE_LOOSE or (outermost != HONOUR_SORT and sort < outermost):
        work[of.LOOSE_OUTERMOST] = sort


@kernel
def add_pairs(work, pairs, first):
    """Pairs at some places of a suit; the sorts of the first and of the last pair of all are kept."""
    while pairs != 0:
        place = lowest(np.uint64(pairs))
        sort = HONOUR_SORT if first == HONOURS else sort_of_place(place)
        if work[of.PAIRS] == 0:
            work[of.PAIR_SORTS] = 4 * sort
        work[of.PAIR_SORTS] = work[of.PAIR_SORTS] // 4 * 4 + sort
        work[of.PAIRS] += 1
        pairs &= pairs - 1


@kernel
def measure_blocks(work):
    """The blocks of the whole hand. Needs the shanten."""
    for place in range(of.SETS, of.HEADS):
        work[place] = 0
    work[of.SETS] = work[NUMBER]
    work[of.OUTER_PAIR], work[of.INNER_PAIR] = 0, 0
    work[of.LOOSE_OUTERMOST] = NONE_LOOSE
    for sort in range(4):
        work[LOOSE_TILES + sort] = 0
    for suit in range(3):
        add_blocks_of_suit(work, suit)
    layout = blocks_of_honours(work[WORDS + 3])
    pairs = pairs_in(layout)
    work[of.SETS] += ones(triplets_in(layout))
    work[of.BLOCKS] += ones(pairs)
    add_pairs(work, pairs, HONOURS)
    if pairs != 0:
        work[of.OUTER_PAIR] = 1
    for _ in range(ones(singles_in(layout))):
        add_loose(work, HONOUR_SORT)
    sets, two_sided, pairs = work[of.SETS], work[of.TWO_SIDED], work[of.PAIRS]
    work[of.BLOCKS] += sets + two_sided
    work[of.SETS_TWO_SIDED] = sets + two_sided
    work[of.HAS_PAIR] = 1 if pairs > 0 else 0
    work[of.PERFECT] = of.NOT_PERFECT
    if sets + two_sided == 4 and pairs > 0 and work[of.TWO_SIDED_PAIRS] > 0:
        if work[of.SHANTEN] == 1:
            work[of.PERFECT] = of.PERFECT_ONE
        elif work[of.SHANTEN] == 2:
            work[of.PERFECT] = of.PERFECT_TWO
    work[of.PAIRS] = pairs + work[of.TWO_SIDED_PAIRS]
    work[of.FIVE_BLOCKS] = 1 if sets + two_sided + work[of.BAD] >= 5 else 0
    work[of.FOUR_GOOD] = 1 if sets + two_sided >= 4 else 0
    work[of.BAD_LESS_PAIRS] = max(0, work[of.BAD] - work[of.PAIRS])


@kernel
def counts_as_yaku(work, place):
    """Whether a triplet of the honour at a place is a yaku."""
    return place >= 4 or place == work[SEAT_WIND] or place == work[ROUND_WIND]


@kernel
def add_melds(work):
    """What the melds have of triplets and runs."""
    for slot in range(work[NUMBER]):
        meld = work[SLOTS + slot]
        type_, kind = meld_type(meld), meld_kind(meld)
        if type_ == hand.CHI:
            work[of.CHI] = 1
            continue
        work[of.TRIPLETS] += 1
        if type_ == hand.CLOSED_KAN:
            work[of.CLOSED_TRIPLETS] += 1
        if kind >= HONOURS and counts_as_yaku(work, kind - HONOURS):
            work[of.HONOUR_TRIPLETS] += 1


@kernel
def add_pairs_of_suit(work, suit):
    """Pairs and triplets of one suit: how many, and which the shanten has room for."""
    word = work[WORDS + suit]
    twos = np.uint64(paired(word))
    if twos == np.uint64(0):
        return
    threes = np.uint64(tripled(word))
    others, melds, standard = others_class(work, suit), work[NUMBER], work[of.STANDARD]
    work[of.CLOSED_TRIPLETS] += count(threes)
    work[of.TRIPLETS] += count(threes)
    while twos != np.uint64(0):
        at = lowest(twos)
        twos = without_lowest(twos)
        place = at // BITS
        tiles = packed_count(word, place)
        rest = word - (2 << at)
        left = suit_class(rest) if suit < 3 else honour_class(rest)
        if sets_of(merged(others, left), melds) == standard:
            work[of.HEADS] += 1
        if tiles == 2:
            work[of.PLAIN_PAIRS] += 1
            if work[UNSEEN + SUIT * suit + place] == 0:
                work[of.DEAD_PAIR] = 1
        else:
            if suit < 3 and bit(place) & np.uint64(_INNER) != np.uint64(0):
                work[of.INNER_TRIPLET] = 1
            rest = word - (3 << at)
            left = suit_class(rest) if suit < 3 else honour_class(rest)
            if melds < 4 and standard_of(merged(others, left), melds + 1) == standard:
                work[of.GOOD_TRIPLETS] += 1


@kernel
def measure_pairs(work):
    """Pairs, triplets and honours. Needs the shanten."""
    for place in range(of.HEADS, of.SUIT_TILES_6):
        work[place] = 0
    work[of.INNER_TRIPLET] = 0
    add_melds(work)
    for suit in range(4):
        add_pairs_of_suit(work, suit)
    honours = work[WORDS + 3]
    for place in range(7):
        if counts_as_yaku(work, place):
            tiles = packed_count(honours, place)
            work[of.HONOUR_TRIPLETS] += 1 if tiles >= 3 else 0
            work[of.HONOUR_PAIRS] += 1 if tiles == 2 else 0
            work[of.HONOUR_SINGLES] += 1 if tiles == 1 else 0
    work[of.HONOUR_TRIPLET] = 1 if work[of.HONOUR_TRIPLETS] > 0 else 0
    work[of.HONOUR_PAIR] = 1 if work[of.HONOUR_PAIRS] > 0 else 0
    work[of.HAS_TRIPLET] = 1 if work[of.CLOSED_TRIPLETS] > 0 else 0
