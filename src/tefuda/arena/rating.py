"""One number for each player of a cross table, with its interval.

A cell says what one player gets at a table where another has all the other seats. The model: it is the table's fair
share and the difference of two ratings,

    cell(A, B) = fair(B) + rating(A) − rating(B) + misfit + luck

so that a rating is the expected advantage in one seat over a player of the mean rating, which is 0, in the unit of the
cells. fair(B) is what B gets among equals. Where the scores always add up to the same it is known; elsewhere it is
measured, by cell(B, B), and fitted together with the ratings.

The luck of a cell is known from its deals: from their own spread, and, as if there were some deals more, from the mean
spread of all cells, since a few deals that happen to be alike prove nothing. The misfit is what one number a player
cannot say (A beats B, B beats C and C beats A; a table of four is not six duels): its variance is chosen so that the
weighted squares of what is left over are as many as they should be (Paule and Mandel 1982), and is 0 where luck
explains everything. Cells weigh by the inverse of both variances together.

The interval of a rating is of luck alone: how far it would move on other deals. It takes cells to be independent: each
has its own deals. On the same deals the cells of a row move together (correlations up to 0.7 in Koi-Koi), and the
intervals would be too narrow.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tefuda.intervals import Z95, Interval, student

STEPS = 30  # halvings on the way to the variance of the misfit: far below what can be told
MORE_DEALS = 10  # of the mean spread, in every cell


@dataclass(frozen=True)
class Entry:
    """A cell as the fit sees it."""

    player: int
    opponents: int
    mean: float  # higher is better
    spread: float  # the variance of one deal
    deals: int


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players, and how badly one number a player fits: the standard deviation of the misfit."""

    ratings: list[Interval]
    misfit: float


def spread_of(figure: Interval, deals: int) -> float:
    """The variance of one deal, from the interval of the mean of many."""
    return deals * ((figure.high - figure.low) / 2 / student(deals - 1)) ** 2


def luck_of(entries: Sequence[Entry]) -> np.ndarray:
    """The variance of each cell's mean."""
    deals = np.array([entry.deals for entry in entries], np.float64)
    spreads = np.array([entry.spread for entry in entries])
    usual = float((deals - 1) @ spreads / (deals - 1).sum()) or 1.0  # all alike: any number, if all have the same
    return ((deals - 1) * spreads + MORE_DEALS * usual) / (deals - 1 + MORE_DEALS) / deals


def usable(entries: Sequence[Entry], fair: float | None) -> list[Entry]:
    """Those that say something of ratings: where no fair share is known, it must have been measured in the column."""
    if fair is not None:
        return [entry for entry in entries if entry.player != entry.opponents]
    measured = {entry.opponents for entry in entries if entry.player == entry.opponents}
    return [entry for entry in entries if entry.opponents in measured]


def connected(players: int, entries: Sequence[Entry]) -> bool:
    """Whether cells lead from every player to every other: if not, there is nothing that compares them."""
    reached = {0}
    while True:
        more = {entry.opponents for entry in entries if entry.player in reached}
        more |= {entry.player for entry in entries if entry.opponents in reached}
        if more <= reached:
            return len(reached) == players
        reached |= more


def rate(players: int, entries: Sequence[Entry], fair: float | None) -> Ratings | None:
    """The ratings of players 0 to players - 1; None while the cells do not connect all of them.

    `fair` is what each of equal players gets; None: measured by the entries of players against themselves.
    """
    entries = usable(entries, fair)
    if players < 2 or not connected(players, entries):
        return None
    design = np.zeros((len(entries), players if fair is not None else 2 * players))
    for row, entry in enumerate(entries):
        design[row, entry.player] += 1.0
        design[row, entry.opponents] -= 1.0  # a player against itself: the two cancel, and the fair share is left
        if fair is None:
            design[row, players + entry.opponents] = 1.0
    means = np.array([entry.mean - (fair or 0.0) for entry in entries])
    luck = luck_of(entries)
    between = np.array([entry.player != entry.opponents for entry in entries], np.float64)
    misfit = _misfit(design, means, luck, between)
    estimate = _estimator(design, 1 / (luck + misfit * between))
    ratings = (estimate @ means)[:players]
    errors = np.sqrt((estimate**2 @ luck)[:players])
    halves = Z95 * errors
    found = [Interval(float(r), float(r - half), float(r + half)) for r, half in zip(ratings, halves, strict=True)]
    return Ratings(found, math.sqrt(misfit))


def _estimator(design: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The matrix that makes the fitted numbers of the means. All ratings may move together: of these fits the pseudo-
    inverse takes the shortest, whose ratings add up to 0."""
    weighted = design.T * weights
    return np.linalg.pinv(weighted @ design, hermitian=True) @ weighted


def _misfit(design: np.ndarray, means: np.ndarray, luck: np.ndarray, between: np.ndarray) -> float:
    """The variance that cells between players have beyond their luck."""
    freedom = len(means) - np.linalg.matrix_rank(design)

    def excess(misfit: float) -> float:
        weights = 1 / (luck + misfit * between)
        left_over = means - design @ (_estimator(design, weights) @ means)
        return float(weights @ left_over**2 - freedom)

    if freedom <= 0 or excess(0.0) <= 0:
        return 0.0
    low, high = 0.0, float(np.var(means)) + float(luck.mean())
    while excess(high) > 0:
        high *= 2
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high
