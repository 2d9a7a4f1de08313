"""What a match counts beside the points: tricks taken (the paper's figure 1), deals without points (its table 3)."""

from typing import Any

import numpy as np

from tefuda.games.tricks.cards import POINTS_OF, RANKS
from tefuda.games.tricks.state import is_hearts
from tefuda.kernel.compile import kernel

DEALS, TRICKS, POINTS, CLEAN, MOONS = range(5)
FIRST_TRICKS = 5  # from here on: deals with 0, 1, … 13 tricks
STATISTICS = (
    "deals", "tricks", "penalty points", "deals without penalty points", "moons shot",
    *(f"deals with {tricks} tricks" for tricks in range(RANKS + 1)),
)  # fmt: skip


@kernel
def tally(before, after, seat, counts, row):
    """When a decision ended a deal: count what a seat took in it."""
    if before.finished == after.finished:
        return
    counts[row, DEALS] += 1
    counts[row, TRICKS] += after.won[seat]
    counts[row, FIRST_TRICKS + int(after.won[seat])] += 1
    if is_hearts(after):
        counts[row, POINTS] += after.took[seat]
        if after.took[seat] == 0:
            counts[row, CLEAN] += 1
        if after.took[seat] == POINTS_OF[after.rules.pack]:
            counts[row, MOONS] += 1


SHARES = frozenset({"zero_rate", "moon_rate"})  # of the figures below: told in percent


def summary(counts: np.ndarray, games: int) -> dict[str, Any]:
    """Rates for people, from the counts of one player. Penalty points are those taken, before moon and jack."""
    deals = max(1, int(counts[DEALS]))
    return {
        "deals": int(counts[DEALS]),
        "tricks_per_deal": int(counts[TRICKS]) / deals,
        "penalty_points_per_deal": int(counts[POINTS]) / deals,
        "zero_rate": int(counts[CLEAN]) / deals,
        "moon_rate": int(counts[MOONS]) / deals,
        "tricks": {str(tricks): int(counts[FIRST_TRICKS + tricks]) / deals for tricks in range(RANKS + 1)},
    }
