"""What a match says: each player's figure with its interval, their differences on the same deals, all scores."""

from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from tefuda.arena.games import Seating
from tefuda.contract import Game, Headline, Rules
from tefuda.errors import counted
from tefuda.files.frames import Columns, Framed, frame_of
from tefuda.intervals import Interval, interval_of, rate_interval


@dataclass(frozen=True)
class Row:
    """What a match says of one player."""

    name: str
    figure: Interval  # the game's headline figure
    win: Interval  # share of games with the best score alone
    draw: Interval  # share of games with the best score shared
    seats: list[Interval]  # the headline figure by seat, 0 first
    more: dict[str, Any] = field(default_factory=dict)  # the game's own statistics
    a_round: Interval | None = None  # the figure for one round, in games of several; the number of rounds as measured

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name, **self.figure.data(), "win_rate": self.win.mean, "draw_rate": self.draw.mean,
            "by_seat": [seat.data() for seat in self.seats],
            **({"a_round": self.a_round.data()} if self.a_round else {}),
            **self.more,
        }  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """What one player got more than another, on the same deals: the mean of the differences, deal by deal."""

    player: str
    minus: str
    figure: Interval

    def data(self) -> dict[str, Any]:
        return {"player": self.player, "minus": self.minus, **self.figure.data()}


@dataclass(frozen=True, repr=False)
class MatchResult(Framed):
    """A match that was played, with all that is needed to play it again."""

    game: Game
    rules: Rules
    deals: int
    rotations: int
    seed: int
    commit: str
    rows: list[Row]  # each player once, in the order in which they were named
    decisions: int
    seconds: float  # without those that were spent on compiling
    verdict: dict[str, Any] | None = None  # of a sequential test
    differences: list[Difference] = field(default_factory=list)
    scores: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 0)))  # [deals, rotations, seats]
    seating: list[list[str]] = field(default_factory=list)  # [rotations, seats]: who sat where

    @property
    def headline(self) -> Headline:
        """The figure by which the players are compared."""
        return self.game.scoring.headline_under(self.rules)

    def __repr__(self) -> str:
        digits = self.headline.digits
        players = ", ".join(f"{row.name} {row.figure.text(digits)}" for row in self.rows)
        return f"<match of {self.heading()}: {players}>"

    def heading(self) -> str:
        return (
            f"{self.game.name}, rules {self.rules}, {self.headline.name}, {counted(self.deals, 'deal')} × "
            f"{counted(self.rotations, 'rotation')}, seed {self.seed}"
        )

    def columns(self) -> Columns:
        rows = [{"player": row.name, **_ends(row), "wins": row.win.mean, "draws": row.draw.mean} for row in self.rows]
        return {key: [row[key] for row in rows] for key in rows[0]}

    def score_columns(self) -> Columns:
        """The scores of every deal: a row for each seat of each rotation."""
        deals, rotations, seats = self.scores.shape
        deal, rotation, seat = (each.ravel() for each in np.indices((deals, rotations, seats)))
        names = np.array(self.seating, object)
        return {
            "deal": deal.tolist(), "rotation": rotation.tolist(), "seat": seat.tolist(),
            "player": names[rotation, seat].tolist(), "score": self.scores.ravel().tolist(),
        }  # fmt: skip

    def score_frame(self) -> Any:
        """The scores of every deal as a data frame of polars or pandas."""
        return frame_of(self.score_columns())

    def data(self) -> dict[str, Any]:
        """As one object of JSON."""
        result: dict[str, Any] = {
            "game": self.game.name, "rules": str(self.rules), "deals": self.deals, "rotations": self.rotations,
            "seed": self.seed, "commit": self.commit, "figure": self.headline.name,
            "players": [row.data() for row in self.rows],
            "differences": [each.data() for each in self.differences],
            "seating": self.seating, "decisions": self.decisions, "seconds": self.seconds,
        }  # fmt: skip
        if self.verdict is not None:
            result["test"] = self.verdict
        return result


def _ends(row: Row) -> dict[str, Any]:
    return {"mean": row.figure.mean, "low": row.figure.low, "high": row.figure.high}


def per_deal(headline: Headline, seating: Seating, scores: np.ndarray, index: int) -> np.ndarray:
    """One figure a deal for a player: the mean over all rotations and all seats that it had."""
    sits = seating.rotations == index  # [rotations, seats]
    return _figures(headline, scores)[:, sits].mean(axis=1)


def differences_of(headline: Headline, seating: Seating, scores: np.ndarray) -> list[Difference]:
    """Every player against every later one, on the same deals."""
    names = [entrant.name for entrant in seating.entrants]
    figures = [per_deal(headline, seating, scores, index) for index in range(len(names))]
    return [
        Difference(names[one], names[other], interval_of(figures[one] - figures[other]))
        for one, other in combinations(range(len(names)), 2)
    ]


def row_of(
    game: Game, headline: Headline, seating: Seating, index: int, scores: np.ndarray, counts: np.ndarray | None
) -> Row:
    """What some deals say of one player; `counts` [players, statistics] where they were counted."""
    sits = seating.rotations == index
    figures = _figures(headline, scores)
    ranked = figures if headline.higher_is_better else -figures
    best = ranked >= ranked.max(axis=2, keepdims=True)
    alone = best & (best.sum(axis=2, keepdims=True) == 1)
    shared = best & ~alone
    games_played = int(sits.sum()) * len(scores)
    by_seat = []
    for seat in range(game.seats):
        rotations = np.flatnonzero(sits[:, seat])
        if len(rotations):
            by_seat.append(interval_of(figures[:, rotations, seat].mean(axis=1)))
    more = (
        game.statistics.summary(counts[index], games_played) if game.statistics.summary and counts is not None else {}
    )
    figure = interval_of(per_deal(headline, seating, scores, index))
    return Row(
        seating.entrants[index].name, figure,
        rate_interval(float(alone[:, sits].sum()), games_played),
        rate_interval(float(shared[:, sits].sum()), games_played),
        by_seat, more, _a_round(figure, more.get(game.statistics.rounds, 0) / games_played),
    )  # fmt: skip


def _a_round(figure: Interval, rounds: float) -> Interval | None:
    """A figure for one of several rounds. Their mean number is taken as known: it varies much less than the figure."""
    if rounds <= 1:
        return None
    return Interval(*(each / rounds for each in (figure.mean, figure.low, figure.high)))


def _figures(headline: Headline, scores: np.ndarray) -> np.ndarray:
    return np.asarray(headline.of(scores), np.float64)
