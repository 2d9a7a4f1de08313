"""Patterns: the yaku that are in the tiles.

`kinds` is the set of all kinds of a hand, melds too; `triplets` that of its triplets and kans. Runs are counted in one
number, BITS bits for each of the seven runs of each suit (see reading.py).
"""

import numpy as np

from tefuda.games.mahjong.reading import RUN_BITS
from tefuda.games.mahjong.tiles import DRAGONS, HONOUR_KINDS, ORPHANS, TERMINALS, WINDS, mask_of
from tefuda.games.mahjong.yaku import (
    CHANTA,
    CHINITSU,
    CHINROUTOU,
    CHUUREN,
    DAISANGEN,
    DAISUUSHII,
    HAKU,
    HONITSU,
    HONROUTOU,
    IIPEIKOU,
    ITTSUU,
    JUNCHAN,
    JUNSEI_CHUUREN,
    ROUND_EAST,
    RYANPEIKOU,
    RYUUIISOU,
    SANKANTSU,
    SANSHOKU_DOUJUN,
    SANSHOKU_DOUKOU,
    SEAT_EAST,
    SHOUSANGEN,
    SHOUSUUSHII,
    SUUKANTSU,
    TANYAO,
    TOITOI,
    TSUUIISOU,
)
from tefuda.kernel.bits import ZERO, bit, count, has
from tefuda.kernel.compile import kernel

_GREEN = mask_of(19, 20, 21, 23, 25, 32)  # 2, 3, 4, 6, 8 of bamboos and the green dragon
_FOUR_WINDS, _THREE_DRAGONS = mask_of(*range(27, 31)), mask_of(31, 32, 33)
_SUIT = np.uint64(0x1FF)  # the kinds of one suit
_9, _18 = np.uint64(9), np.uint64(18)
_ONES = sum(1 << 3 * run for run in range(21))  # the lowest bit of each run's count
_OUTSIDE = sum(0o1000001 << RUN_BITS * suit for suit in range(3))  # the runs 123 and 789
_STRAIGHT = 0o1001001  # 123, 456, 789
_GATES = 0o311111113  # nine gates less one tile
_TILES = 0o111111111  # one tile of each kind


@kernel
def yaku_of_kinds(kinds, open_tanyao):
    """The yaku that depend on nothing but which kinds are in a hand."""
    if kinds & ORPHANS == ZERO:
        yaku = bit(TANYAO) if open_tanyao else ZERO
    elif kinds & ~TERMINALS == ZERO:
        yaku = bit(CHINROUTOU)
    elif kinds & ~HONOUR_KINDS == ZERO:
        return bit(TSUUIISOU)
    elif kinds & ~ORPHANS == ZERO:
        yaku = bit(HONROUTOU)
    else:
        yaku = ZERO
    suits = 0
    if kinds & _SUIT != ZERO:
        suits += 1
    if (kinds >> _9) & _SUIT != ZERO:
        suits += 1
    if (kinds >> _18) & _SUIT != ZERO:
        suits += 1
    if suits == 1:
        yaku |= bit(HONITSU) if kinds & HONOUR_KINDS != ZERO else bit(CHINITSU)
        if kinds & ~_GREEN == ZERO:
            yaku |= bit(RYUUIISOU)
    return yaku


@kernel
def yaku_of_honours(triplets, pair, seat_wind, round_wind):
    """Winds and dragons."""
    if triplets & HONOUR_KINDS == ZERO:
        return ZERO
    yaku = ((triplets & _THREE_DRAGONS) >> np.uint64(DRAGONS)) << np.uint64(HAKU)  # their yaku stand in their order
    if has(triplets, WINDS + seat_wind):
        yaku |= bit(SEAT_EAST + seat_wind)
    if has(triplets, WINDS + round_wind):
        yaku |= bit(ROUND_EAST + round_wind)
    dragons, winds = count(triplets & _THREE_DRAGONS), count(triplets & _FOUR_WINDS)
    if dragons == 3:
        yaku |= bit(DAISANGEN)
    elif dragons == 2 and has(_THREE_DRAGONS, pair):
        yaku |= bit(SHOUSANGEN)
    if winds == 4:
        yaku |= bit(DAISUUSHII)
    elif winds == 3 and has(_FOUR_WINDS, pair):
        yaku |= bit(SHOUSUUSHII)
    return yaku


@kernel
def yaku_of_runs(runs, is_open):
    """Equal runs and straights."""
    yaku = ZERO
    once, twice, four = runs | (runs >> 1) | (runs >> 2), (runs >> 1) | (runs >> 2), runs >> 2
    if (once & (once >> RUN_BITS) & (once >> (2 * RUN_BITS))) & _ONES != 0:
        yaku |= bit(SANSHOKU_DOUJUN)
    for suit in range(3):
        if (once >> (RUN_BITS * suit)) & _STRAIGHT == _STRAIGHT:
            yaku |= bit(ITTSUU)
    if not is_open:
        doubles = count(np.uint64(twice & _ONES)) + count(np.uint64(four & _ONES))
        if doubles == 2:
            yaku |= bit(RYANPEIKOU)
        elif doubles == 1:
            yaku |= bit(IIPEIKOU)
    return yaku


@kernel
def yaku_of_sets(runs, triplets, pair, kans):
    """Triplets, kans, and whether every group has a terminal or an honour."""
    yaku = ZERO
    if triplets & (triplets >> _9) & (triplets >> _18) & _SUIT != ZERO:
        yaku |= bit(SANSHOKU_DOUKOU)
    if runs == 0:
        yaku |= bit(TOITOI)
    elif (runs | (runs >> 1) | (runs >> 2)) & _ONES & ~_OUTSIDE == 0:
        groups = triplets | bit(pair)
        if groups & ~TERMINALS == ZERO:
            yaku |= bit(JUNCHAN)
        elif groups & ~ORPHANS == ZERO:
            yaku |= bit(CHANTA)
    if count(kans) == 4:
        yaku |= bit(SUUKANTSU)
    elif count(kans) == 3:
        yaku |= bit(SANKANTSU)
    return yaku


@kernel
def yaku_of_gates(word, winning):
    """Nine gates, if a packed suit is 1112345678999 and one tile more; both are one tile's packed number."""
    extra = word - _GATES
    if extra <= 0 or extra & (extra - 1) != 0 or extra & _TILES == 0:
        return ZERO
    return bit(JUNSEI_CHUUREN) if extra == winning else bit(CHUUREN)
