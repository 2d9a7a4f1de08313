"""What a match counts beside the points: how often each yaku is made, and how agari and koi-koi turn out."""

from typing import Any

import numpy as np

from tefuda.games.koikoi.yaku import YAKU
from tefuda.kernel.compile import kernel

ROUNDS, WON, CALLED, CALLED_AND_WON, CALLS, POINTS_WON = range(6)
FIRST_YAKU = 6
YAKU_COUNT = len(YAKU)
STATISTICS = (
    "rounds", "rounds won", "rounds with a koi-koi", "of these won", "koi-koi calls", "points of rounds won",
    *(yaku.name.en for yaku in YAKU),
)  # fmt: skip


@kernel
def tally(before, after, seat, counts, row):
    """When a decision ended a round: count its outcome for a seat."""
    if before.finished == after.finished:
        return
    counts[row, ROUNDS] += 1
    called = after.called[seat] > 0
    if called:
        counts[row, CALLED] += 1
        counts[row, CALLS] += after.called[seat]
    if after.won == seat and after.yaku != 0:  # not what the dealer takes when nobody has won
        counts[row, WON] += 1
        counts[row, POINTS_WON] += after.paid
        if called:
            counts[row, CALLED_AND_WON] += 1
        for which in range(YAKU_COUNT):
            if (int(after.yaku) >> which) & 1:
                counts[row, FIRST_YAKU + which] += 1


SHARES = frozenset({"agari_rate", "koikoi_rate", "koikoi_success"})  # of the figures below: told in percent


def summary(counts: np.ndarray, games: int) -> dict[str, Any]:
    """Rates for people, from the counts of one player."""
    rounds = max(1, int(counts[ROUNDS]))
    called = int(counts[CALLED])
    won = int(counts[WON])
    return {
        "rounds": int(counts[ROUNDS]),
        "agari_rate": won / rounds,
        "points_per_agari": float(counts[POINTS_WON]) / won if won else None,
        "koikoi_rate": called / rounds,
        "koikoi_calls": int(counts[CALLS]),
        "koikoi_success": int(counts[CALLED_AND_WON]) / called if called else None,
        "yaku": {f"{yaku.name.ja} {yaku.name.en}": int(counts[FIRST_YAKU + i]) / rounds for i, yaku in enumerate(YAKU)},
    }
