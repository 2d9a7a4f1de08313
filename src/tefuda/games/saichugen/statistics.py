"""What a match counts beside the wins: the relations of turns, rounds and games of sections 4 and 6 of the paper.

A round is won by the middle sum, with 0 points too; a round is kept when it is won with more than 0 points.
"""

from typing import Any

import numpy as np

from tefuda.games.saichugen.cards import NUMBERS
from tefuda.games.saichugen.rules import ROUNDS, TURNS, middle
from tefuda.kernel.compile import kernel

MOST_KEPT = NUMBERS  # points of a round's winner at most: who has scored twice needs another with at least as many

GAMES, GAMES_WON, TOTAL, TURNS_SCORED = range(4)
# From here on, one count for each number of …
ROUNDS_BY_SCORED = 4  # turns in which the seat scored: rounds
WON_BY_SCORED = ROUNDS_BY_SCORED + TURNS + 1  # the same: rounds won
ROUNDS_BY_GAIN = WON_BY_SCORED + TURNS + 1  # points that a round added to the game score: rounds
GAMES_BY_KEPT = ROUNDS_BY_GAIN + MOST_KEPT + 1  # rounds kept: games
WON_BY_KEPT = GAMES_BY_KEPT + ROUNDS + 1  # the same: games won
GAMES_BY_WON = WON_BY_KEPT + ROUNDS + 1  # rounds won: games
WON_BY_WON = GAMES_BY_WON + ROUNDS + 1  # the same: games won
STATISTICS = (
    "games", "games won", "points at the end", "turns scored",
    *(f"rounds with {turns} turns scored" for turns in range(TURNS + 1)),
    *(f"rounds won with {turns} turns scored" for turns in range(TURNS + 1)),
    *(f"rounds that gave {points} points" for points in range(MOST_KEPT + 1)),
    *(f"games with {rounds} rounds kept" for rounds in range(ROUNDS + 1)),
    *(f"games won with {rounds} rounds kept" for rounds in range(ROUNDS + 1)),
    *(f"games with {rounds} rounds won" for rounds in range(ROUNDS + 1)),
    *(f"games won with {rounds} rounds won" for rounds in range(ROUNDS + 1)),
)  # fmt: skip


@kernel
def tally(before, after, seat, counts, row):
    """When a decision ended a round, or the game: count what came of it for a seat."""
    if before.finished == after.finished:
        return
    scored, won = int(after.last_scored[seat]), int(after.last_won[seat])
    counts[row, TURNS_SCORED] += scored
    counts[row, ROUNDS_BY_SCORED + scored] += 1
    counts[row, WON_BY_SCORED + scored] += won
    counts[row, ROUNDS_BY_GAIN + won * int(after.last_points[seat])] += 1
    if after.finished < ROUNDS:
        return
    total = int(after.total[seat])
    wins = total == middle(int(after.total[0]), int(after.total[1]), int(after.total[2]))
    counts[row, GAMES] += 1
    counts[row, GAMES_WON] += wins
    counts[row, TOTAL] += total
    counts[row, GAMES_BY_KEPT + int(after.kept[seat])] += 1
    counts[row, WON_BY_KEPT + int(after.kept[seat])] += wins
    counts[row, GAMES_BY_WON + int(after.won[seat])] += 1
    counts[row, WON_BY_WON + int(after.won[seat])] += wins


SHARES = frozenset({"round_win_rate", "zero_rate", "turn_score_rate"})  # of the figures below: told in percent


def summary(counts: np.ndarray, games: int) -> dict[str, Any]:
    """Rates for people, from the counts of one player.

    Figures 1 and 2 of the paper are `turns scored by winners of rounds` and `rounds kept by winners of games`, its
    figures 3 and 4 `round_win_rate` and `zero_rate`.
    """

    def part(start: int, size: int) -> np.ndarray:
        return counts[start : start + size]

    def shares(start: int, size: int, what: str) -> dict[str, float]:
        here = part(start, size)
        return {f"{number} {what}": float(share) for number, share in enumerate(here / max(1, here.sum()))}

    def rates(start: int, of: int, size: int, what: str) -> dict[str, float]:
        rows = zip(part(start, size), part(of, size), strict=True)
        return {f"{what} {number}": float(some / max(1, all_)) for number, (some, all_) in enumerate(rows)}

    gains = part(ROUNDS_BY_GAIN, MOST_KEPT + 1)
    rounds = max(1, int(gains.sum()))
    return {
        "rounds": int(gains.sum()),
        "round_win_rate": int(part(WON_BY_SCORED, TURNS + 1).sum()) / rounds,
        "zero_rate": int(gains[0]) / rounds,
        "points_per_round": int(gains @ np.arange(MOST_KEPT + 1)) / rounds,
        "points_per_game": int(counts[TOTAL]) / max(1, int(counts[GAMES])),
        "turn_score_rate": int(counts[TURNS_SCORED]) / (TURNS * rounds),
        "winners_of_rounds": shares(WON_BY_SCORED, TURNS + 1, "turns scored by winners of rounds"),
        "winners_of_games": shares(WON_BY_KEPT, ROUNDS + 1, "rounds kept by winners of games"),
        "round_wins": rates(WON_BY_SCORED, ROUNDS_BY_SCORED, TURNS + 1, "rounds won when turns scored are"),
        "game_wins": rates(WON_BY_KEPT, GAMES_BY_KEPT, ROUNDS + 1, "games won when rounds kept are"),
        "game_wins_by_rounds_won": rates(WON_BY_WON, GAMES_BY_WON, ROUNDS + 1, "games won when rounds won are"),
        "round_points": shares(ROUNDS_BY_GAIN, MOST_KEPT + 1, "points from a round"),
    }
