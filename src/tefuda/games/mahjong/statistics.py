"""What a match counts beside the scores: places, and how deals end for a player."""

from typing import Any

import numpy as np

from tefuda.games.mahjong.end import rank_of
from tefuda.games.mahjong.state import DECLARED, EXHAUSTED, NAGASHI, OVER, SEATS, WON, is_closed
from tefuda.kernel.compile import kernel

(
    DEALS, WINS, TSUMO, RIICHI_WINS, OPEN_WINS, WON_POINTS, DEALT_IN, LOST_POINTS, RIICHI, OPEN, EXHAUSTIONS, READY,
) = range(12)  # fmt: skip
PLACES = 12  # from here on: matches in which it was first, second, third, last
STATISTICS = (
    "deals", "wins", "wins by tsumo", "wins in riichi", "wins with called tiles", "points won", "deals dealt in",
    "points dealt in", "riichi", "deals with called tiles", "deals to the end of the wall", "ready at that end",
    "first", "second", "third", "fourth",
)  # fmt: skip


@kernel
def tally(before, after, seat, counts, row):
    """Count a riichi when it is declared, a deal when a decision ended it, a place at the end of the match."""
    if before.phase == DECLARED and before.seat == seat:
        counts[row, RIICHI] += 1
    if before.finished == after.finished:
        return
    called = not is_closed(before, seat)
    counts[row, DEALS] += 1
    counts[row, OPEN] += called
    if after.ended == WON:
        won = after.winners[0] == seat or after.winners[1] == seat or after.winners[2] == seat
        if won:
            counts[row, WINS] += 1
            counts[row, TSUMO] += after.win_from == seat
            counts[row, RIICHI_WINS] += before.riichi[seat] != 0
            counts[row, OPEN_WINS] += called
            counts[row, WON_POINTS] += after.paid[seat]
        elif after.win_from == seat:
            counts[row, DEALT_IN] += 1
            counts[row, LOST_POINTS] -= after.paid[seat]
    elif after.ended == EXHAUSTED or after.ended == NAGASHI:
        counts[row, EXHAUSTIONS] += 1
        counts[row, READY] += after.ready[seat]
    if after.phase == OVER:
        counts[row, PLACES + rank_of(after, seat)] += 1


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


SHARES = frozenset(
    {
        "won_deals_rate",
        "deal_in_rate",
        "riichi_rate",
        "call_rate",
        "tsumo_wins_rate",
        "riichi_wins_rate",
        "open_wins_rate",
        "ready_rate",
    }
)  # of the figures below: told in percent


def summary(counts: np.ndarray, games: int) -> dict[str, Any]:
    """Rates for people, from the counts of one player. Points won are with honba and sticks."""
    number = [int(each) for each in counts]
    deals, wins, places = number[DEALS], number[WINS], number[PLACES : PLACES + SEATS]
    return {
        "mean_rank": _share(sum((place + 1) * often for place, often in enumerate(places)), sum(places)),
        "places": {str(place + 1): _share(often, sum(places)) for place, often in enumerate(places)},
        "deals": deals,
        "won_deals_rate": _share(wins, deals),
        "deal_in_rate": _share(number[DEALT_IN], deals),
        "riichi_rate": _share(number[RIICHI], deals),
        "call_rate": _share(number[OPEN], deals),
        "tsumo_wins_rate": _share(number[TSUMO], wins),
        "riichi_wins_rate": _share(number[RIICHI_WINS], wins),
        "open_wins_rate": _share(number[OPEN_WINS], wins),
        "mean_win": _share(number[WON_POINTS], wins),
        "mean_deal_in": _share(number[LOST_POINTS], number[DEALT_IN]),
        "ready_rate": _share(number[READY], number[EXHAUSTIONS]),
    }
