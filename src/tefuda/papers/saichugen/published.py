"""The published figures of the Saichugen paper, its players, and how large the experiments are."""

import math
from dataclasses import dataclass

from tefuda.arena.result import Row
from tefuda.intervals import Interval, rate_interval
from tefuda.papers import laboratory
from tefuda.papers.laboratory import half

# What the paper says in numbers, in percent, and how many games each of its figures is from.
RANDOM_WINS, BEST_WINS, TAKE_GAIN = 37.054, 48.416, 5.0
GAMES_OF_PAPER = 100_000
# So near counts as reproduced.
BEST_WITHIN, TAKE_WITHIN, NOT_TAKE_WITHIN = 0.5, 1.5, 2.0
FEW = 10.0  # "overwhelmingly few", in percent
# Wanted of players that are not the paper's, against two random players.
LEARNED_WINS, SEARCH_WINS = 60.0, 64.0
CLEAR = 2.0  # so near, in points, a win rate is known before it is judged: else luck decides

BEST, LEARNED, SEARCH = "S-base+3t+4r", "learned", "pimc"
TACTICS_OF_PAPER = ("T-random", "T-take", "T-take+3t", "T-nottake", "T-nottake+3t")
STRATEGIES_OF_PAPER = ("S-random", "S-base", "S-base+3t", BEST)
READINGS_OF_BEST = (
    "", "none=random", "none_loses=least", "none=random,ahead=takepoint", "none_loses=least,lose=either",
    "lose=either", "lose=below", "lose_card=least", "lose_card=random", "points=n1", "ahead=takepoint",
    "none_loses=least,ahead=takepoint",
)  # fmt: skip
READINGS_OF_TAKE = ("", "none=random")
READINGS_OF_NOT_TAKE = (
    "", "none_loses=least", "lose=either", "lose=below", "lose_card=least", "lose_card=random",
    "none_loses=least,lose=either",
)  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """How large the experiments are. A deal is played in all three seats, so that it makes three games."""

    games: int = 100_000  # of three equal players, who make one game of a deal
    deals: int = 33_334  # to evaluate a player on
    reading_deals: int = 33_334  # the same for other readings
    learned_deals: int = 10_000  # and for learned players, who look far ahead
    search_deals: int = 3_000  # and for the search player


SCALES = {
    "paper": Scale(),
    "quick": Scale(reading_deals=10_000, learned_deals=250, search_deals=100),
    "headline": Scale(),
}
Laboratory = laboratory.Laboratory[Scale]


def rounds(row: Row, key: str) -> Interval:
    """A rate of rounds, in percent."""
    return percent(row.more[key], row.more["rounds"])


def percent(rate: float, count: float) -> Interval:
    """A rate of so many cases, in percent."""
    found = rate_interval(rate * count, count)
    return Interval(100 * rate, 100 * min(rate, found.low), 100 * max(rate, found.high))


def total(parts: list[Interval]) -> Interval:
    """A sum, as if all were independent; shares of one distribution vary less."""
    mean, spread = sum(each.mean for each in parts), math.hypot(*map(half, parts))
    return Interval(mean, mean - spread, mean + spread)


def near(published: float, found: Interval) -> tuple[float, float]:
    """How far ours may lie from a published win rate: both intervals."""
    return laboratory.agreement(published, found, half(percent(published / 100, GAMES_OF_PAPER)))
