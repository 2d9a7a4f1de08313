"""The quantities of what a hand can become: useful tiles, flushes, simples, outside hands, dora, and its waits."""

import numpy as np

from tefuda.games.mahjong import hand
from tefuda.games.mahjong.hand import meld_kind, meld_type
from tefuda.games.mahjong.paper import quantities as of
from tefuda.games.mahjong.paper.hands import (
    CLOSED,
    COLOURS,
    DORA,
    DORAS,
    NUMBER,
    OPEN_TANYAO,
    REDS,
    ROUND_WIND,
    SEAT_WIND,
    SLOTS,
    THROWN,
    UNSEEN,
    WAITS,
    WORDS,
    tiles_held,
)
from tefuda.games.mahjong.paper.outside import outside_shanten
from tefuda.games.mahjong.paper.shape import counts_as_yaku, ones
from tefuda.games.mahjong.players.efficient import with_tiles
from tefuda.games.mahjong.reading import squeezed, tiles_in
from tefuda.games.mahjong.score import OPEN_TANYAO as OPEN_TANYAO_FLAG
from tefuda.games.mahjong.score import TSUMO, score_packed
from tefuda.games.mahjong.shanten import packed_count, paired, standard_packed, there, useful_packed
from tefuda.games.mahjong.tables import SUIT
from tefuda.games.mahjong.tiles import HONOURS, ORPHANS
from tefuda.kernel.bits import ZERO, bit, has, lowest, without_lowest
from tefuda.kernel.compile import kernel

FAR = 9  # the shanten of what cannot be made any more
_SIMPLES = 0o077777770  # the places 2 to 8 of a packed suit
_OUTSIDE = 0o777000777  # the places 1, 2, 3, 7, 8, 9
_RUN = 0b111


@kernel
def own_tiles(work, kind):
    """Tiles of a kind in the hand and the melds."""
    tiles = tiles_held(work, kind)
    for slot in range(work[NUMBER]):
        tiles += hand.meld_copies(work[SLOTS + slot], kind)
    return tiles


@kernel
def measure_useful(work):
    """Tiles that lower the shanten; COLOURS gets those of each suit. Needs the shanten. Returns the kinds."""
    kinds = useful_packed(work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3], work[NUMBER])
    total, orphans = np.int64(0), np.int64(0)
    for suit in range(4):
        work[COLOURS + suit] = 0
    left = kinds
    while left != ZERO:
        kind = lowest(left)
        left = without_lowest(left)
        tiles = work[UNSEEN + kind]
        total += tiles
        work[COLOURS + kind // SUIT] += tiles
        if has(ORPHANS, kind):
            orphans += tiles
    work[of.USEFUL], work[of.USEFUL_4], work[of.USEFUL_ORPHANS] = total, total // 4, orphans
    return kinds


@kernel
def measure_melds(work):
    """What the melds leave possible: simples, outside hands; returns the suits of melds, as bits (3: honours)."""
    called, simples, outside = np.int64(0), True, True
    for slot in range(work[NUMBER]):
        meld = work[SLOTS + slot]
        kind = meld_kind(meld)
        called |= 1 << (kind // SUIT)
        if meld_type(meld) == hand.CHI:
            edge = kind % SUIT == 0 or kind % SUIT == 6
            simples, outside = simples and not edge, outside and edge
        else:
            orphan = has(ORPHANS, kind)
            simples, outside = simples and not orphan, outside and orphan
    simples = simples and (work[CLOSED] != 0 or work[OPEN_TANYAO] != 0)
    work[of.SIMPLES_POSSIBLE], work[of.OUTSIDE_POSSIBLE] = (1 if simples else 0), (1 if outside else 0)
    return called


@kernel
def melds_in(work, suit):
    """How many melds are of a suit."""
    melds = np.int64(0)
    for slot in range(work[NUMBER]):
        if meld_kind(work[SLOTS + slot]) // SUIT == suit:
            melds += 1
    return melds


@kernel
def measure_flush(work, called):
    """Flushes of the suit with the most tiles, among those that the melds allow. FLUSH_TILES is that of a half flush,
    NUMBER that of a full one."""
    numbers = called & _RUN
    most, best, flush = np.int64(0), np.int64(-1), np.int64(-1)
    for suit in range(3):
        tiles = tiles_in(work[WORDS + suit]) + 3 * melds_in(work, suit)
        most = max(most, tiles)
        if (numbers == 0 or numbers == 1 << suit) and tiles > flush:
            best, flush = np.int64(suit), tiles
    work[of.SUIT_TILES_6] = max(0, most - 6)
    work[of.FLUSH_TILES], work[of.NUMBER], work[of.FLUSH_SHANTEN] = of.IMPOSSIBLE, of.IMPOSSIBLE, FAR
    if best < 0:
        return
    honours = tiles_in(work[WORDS + 3]) + 3 * melds_in(work, 3)
    work[of.FLUSH_TILES] = flush + honours
    if called & 8 == 0:
        work[of.NUMBER] = flush
    none = np.int64(0)
    man, pin, sou = work[WORDS], work[WORDS + 1], work[WORDS + 2]
    work[of.FLUSH_SHANTEN] = standard_packed(
        man if best == 0 else none, pin if best == 1 else none, sou if best == 2 else none, work[WORDS + 3],
        work[NUMBER],
    )  # fmt: skip


@kernel
def measure_simples(work):
    """How near to a hand of simples it is. Needs the shanten, the melds and the dora."""
    man, pin, sou = work[WORDS] & _SIMPLES, work[WORDS + 1] & _SIMPLES, work[WORDS + 2] & _SIMPLES
    far, melds = np.int64(FAR), np.int64(0)
    if work[of.SIMPLES_POSSIBLE] != 0:
        far = standard_packed(man, pin, sou, np.int64(0), work[NUMBER])
    for slot in range(work[NUMBER]):
        kind = meld_kind(work[SLOTS + slot])
        run = meld_type(work[SLOTS + slot]) == hand.CHI
        simple = not has(ORPHANS, kind) and not (run and has(ORPHANS, kind + 2))
        melds += 1 if simple else 0
    tiles = tiles_in(man) + tiles_in(pin) + tiles_in(sou) + 3 * melds
    work[of.SIMPLES_SHANTEN] = far
    work[of.SIMPLES_SAME] = 1 if far <= work[of.SHANTEN] else 0
    work[of.SIMPLES_MORE] = max(0, far - work[of.SHANTEN])
    work[of.SIMPLES_TILES_9], work[of.SIMPLES_TILES_11] = max(0, tiles - 9), max(0, tiles - 11)
    work[of.SIMPLES_PAIRS] = ones(paired(man)) + ones(paired(pin)) + ones(paired(sou))


@kernel
def side_has_block(word, outer, middle, inner):
    """Whether three kinds, the terminal first, hold a set, a pair or two of a run."""
    a, b, c = packed_count(word, outer), packed_count(word, middle), packed_count(word, inner)
    return a >= 2 or min(a, 1) + min(b, 1) + min(c, 1) >= 2


@kernel
def measure_outside(work):
    """How near to an outside hand it is. Needs the shanten and the melds."""
    honours = work[WORDS + 3]
    tiles, blocks = tiles_in(honours), ones(paired(honours))
    for suit in range(3):
        word = work[WORDS + suit]
        tiles += tiles_in(word & _OUTSIDE)
        blocks += 1 if side_has_block(word, 0, 1, 2) else 0
        blocks += 1 if side_has_block(word, 8, 7, 6) else 0
    for slot in range(work[NUMBER]):
        kind = meld_kind(work[SLOTS + slot])
        outside = kind % SUIT == 0 or kind % SUIT == 6
        if meld_type(work[SLOTS + slot]) != hand.CHI:
            outside = has(ORPHANS, kind)
        tiles, blocks = tiles + (3 if outside else 0), blocks + (1 if outside else 0)
    work[of.OUTSIDE_TILES_6], work[of.OUTSIDE_BLOCKS] = max(0, tiles - 6), blocks
    far, least = np.int64(FAR), 13 - tiles  # it lacks at least so many tiles
    if work[of.OUTSIDE_POSSIBLE] != 0 and (least < 4 or least < work[of.SHANTEN] + 3):
        far = outside_shanten(work[WORDS], work[WORDS + 1], work[WORDS + 2], honours, work[NUMBER])
    elif work[of.OUTSIDE_POSSIBLE] != 0:
        far = least
    work[of.OUTSIDE_SHANTEN], work[of.OUTSIDE_MORE] = far, max(0, far - work[of.SHANTEN])


@kernel
def suit_there(work, suit):
    """The places of a suit of which the hand has a tile, as nine bits."""
    return squeezed(there(work[WORDS + suit]))


@kernel
def with_runs(work, suit, places, first):
    """Some places of a suit, and those of a called run that begins at a place."""
    for slot in range(work[NUMBER]):
        if work[SLOTS + slot] == hand.meld_of(hand.CHI, SUIT * suit + first):
            return places | (_RUN << first)
    return places


@kernel
def three_colours(work, first):
    """Which tiles of the runs from a place on the hand has, three bits a suit."""
    bits = np.int64(0)
    for suit in range(3):
        bits |= ((with_runs(work, suit, suit_there(work, suit), first) >> first) & _RUN) << (3 * suit)
    return bits


@kernel
def straight(work, suit):
    """Which tiles of a straight the hand has, nine bits."""
    places = suit_there(work, suit)
    for first in range(0, SUIT, 3):
        places = with_runs(work, suit, places, first)
    return places


@kernel
def measure_dora(work):
    """Dora and red fives in the hand and the melds."""
    total, simples = work[REDS], work[REDS]
    for i in range(work[DORAS]):
        kind = work[DORA + i]
        tiles = own_tiles(work, kind)
        total += tiles
        simples += 0 if has(ORPHANS, kind) else tiles
    work[of.DORA], work[of.REDS], work[of.SIMPLES_DORA] = total, work[REDS], simples


@kernel
def dora_of_kind(work, kind):
    """How often a kind is dora."""
    times = np.int64(0)
    for i in range(work[DORAS]):
        times += 1 if work[DORA + i] == kind else 0
    return times


@kernel
def han_with(work, kind, flags):
    """The han of a win on a kind, without riichi; 0 without a yaku."""
    words = with_tiles((work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3]), kind, np.int64(1))
    man, pin, sou, honours = words
    flags |= OPEN_TANYAO_FLAG if work[OPEN_TANYAO] != 0 else 0
    dora = work[of.DORA] + dora_of_kind(work, kind)
    return score_packed(
        man, pin, sou, honours, work[SLOTS : SLOTS + 4], kind, flags, work[SEAT_WIND], work[ROUND_WIND], dora
    )[1]  # fmt: skip


@kernel
def measure_waits(work, kinds):
    """What a ready hand waits for; WAITS gets the kinds of which a tile is unseen. Needs all other quantities."""
    work[of.FURITEN], work[of.YAKU_WAITS], work[of.BARE_WAITS], work[of.SPECIAL], work[WAITS] = 0, 0, 0, 0, 0
    if work[of.SHANTEN] > 0:
        work[of.YAKU] = hoped_yaku(work)
        return
    work[of.SPECIAL] = 1 if work[of.STANDARD] > 0 else 0
    work[of.FURITEN] = 1 if kinds & np.uint64(work[THROWN]) != ZERO else 0
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        tiles = work[UNSEEN + kind]
        if tiles > 0:
            work[WAITS] |= np.int64(bit(kind))
            work[of.YAKU_WAITS if han_with(work, kind, np.int64(0)) > 0 else of.BARE_WAITS] += tiles
    work[of.YAKU] = of.NO_YAKU
    if work[of.YAKU_WAITS] > 0:
        work[of.YAKU] = of.HAS_YAKU if work[of.BARE_WAITS] == 0 else of.SOME_YAKU


@kernel
def hoped_yaku(work):
    """Of a hand that is not ready: has it a yaku already, can it have one without a higher shanten, or neither?"""
    if work[of.HONOUR_TRIPLETS] > 0:
        return np.int64(of.HAS_YAKU)
    far = work[of.SHANTEN]
    if min(work[of.SIMPLES_SHANTEN], min(work[of.OUTSIDE_SHANTEN], work[of.FLUSH_SHANTEN])) <= far:
        return np.int64(of.SOME_YAKU)
    for place in range(7):
        alive = packed_count(work[WORDS + 3], place) == 2 and work[UNSEEN + HONOURS + place] > 0
        if alive and counts_as_yaku(work, place):
            return np.int64(of.SOME_YAKU)
    return np.int64(of.NO_YAKU)


@kernel
def tsumo_gain(work, kind, han):
    """How many han more a win on a kind has when it is drawn."""
    return max(0, han_with(work, kind, np.int64(TSUMO)) - han)
