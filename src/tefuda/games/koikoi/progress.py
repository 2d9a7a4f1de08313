"""Yaku on their way: those that a pile has well begun, and that the other's pile does not rule out."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from tefuda.games.koikoi.cards import DRY_BRIGHTS, PACK_OF, RAIN_MAN, SAKE_CUP
from tefuda.games.koikoi.yaku import (
    AKATAN,
    AME_SHIKO,
    AOTAN,
    GOKO,
    HANAMI,
    INOSHIKACHO,
    KASU,
    NEEDED,
    SANKO,
    SHIKO,
    TAN,
    TANE,
    TSUKIMI,
    YAKU,
    bright_yaku,
    points_of,
)
from tefuda.kernel.bits import ZERO, cards_of, count, mask_of


class BegunYaku(NamedTuple):
    """A yaku that is not there yet and can still come."""

    which: int
    have: int
    need: int
    missing: np.uint64  # cards that would help and that the other has not captured

    @property
    def any_will_do(self) -> bool:
        """Whether any cards of the kind do, so that the missing ones need not be named."""
        return count(YAKU[self.which].cards) > YAKU[self.which].needed and self.which > SANKO


def progress(pile: np.uint64, other: np.uint64, calls: int, rules: np.record) -> list[BegunYaku]:
    """The yaku that a pile has well begun, that the other's does not rule out and that would pay, the nearest first."""
    begun = []
    for which, wanted in _wanted(pile, rules):
        need = int(NEEDED[rules.pack, which])
        have, missing = int(count(pile & wanted)), wanted & PACK_OF[rules.pack] & ~pile & ~other
        row = BegunYaku(which, have, need, missing)
        if min(YAKU[which].told, need - 1) <= have < need and _would_pay(row, pile, calls, rules):
            begun.append(row)
    return sorted(begun, key=lambda row: (row.need - row.have, row.which))


def _would_pay(row: BegunYaku, pile: np.uint64, calls: int, rules: np.record) -> bool:
    """Whether some of the missing cards make the yaku pay: the rules may switch it off, or pay another instead."""
    return any(
        points_of(row.which, pile | mask_of(*more), calls, rules) > 0
        for more in combinations(cards_of(row.missing), row.need - row.have)
    )


def _wanted(pile: np.uint64, rules: np.record) -> list[tuple[int, np.uint64]]:
    """The yaku that may come next, each with its cards."""
    wanted = [(which, YAKU[which].cards) for which in (INOSHIKACHO, AKATAN, AOTAN, TANE, TAN, HANAMI, TSUKIMI)]
    wanted.append((KASU, YAKU[KASU].cards | (mask_of(SAKE_CUP) if rules.sake_kasu else ZERO)))
    return _next_bright(pile) + wanted


def _next_bright(pile: np.uint64) -> list[tuple[int, np.uint64]]:
    """The bright yaku that come next, each with its cards."""
    made = bright_yaku(pile)
    if made == SANKO:
        return [(SHIKO, YAKU[SHIKO].cards), (AME_SHIKO, pile & DRY_BRIGHTS | mask_of(RAIN_MAN))]
    if made >= 0:
        return [(GOKO, YAKU[GOKO].cards)] if made != GOKO else []
    if count(pile & YAKU[GOKO].cards) == 3:  # two and the rain man: another makes it four
        return [(AME_SHIKO, YAKU[AME_SHIKO].cards)]
    return [(SANKO, YAKU[SANKO].cards)]
