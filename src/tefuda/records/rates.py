"""How often players win, deal in or call in recorded games: what a match counts beside the scores, counted in records.

The game counts by the same function as in a match (`Statistics.tally`), so that records of people stand beside matches
of our own players. All seats are counted together; where it is wanted, each player by its name too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import games
from tefuda.contract import Game
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE
from tefuda.errors import Problem
from tefuda.records.finding import OWN, Text
from tefuda.records.foreign import CHUNK, line_of, over_records, read
from tefuda.records.played import own_record
from tefuda.table.record import play_again
from tefuda.table.table import Table

ALL = "all"  # the row of all seats together
Pieces = Iterable[tuple[np.ndarray, np.ndarray]]  # tables [1], and the actions that were taken at each


@dataclass
class Rates:
    """What was counted in some records of one game."""

    game: str = ""
    records: int = 0
    counts: dict[str, np.ndarray] = field(default_factory=dict)  # by player, and of `ALL`
    seats: dict[str, int] = field(default_factory=dict)  # in how many seats each has sat
    unreadable: list[str] = field(default_factory=list)  # a line for each record that could not be read

    def add(self, other: "Rates") -> None:
        if self.game and other.game and self.game != other.game:
            raise Problem(f"these are records of {self.game} and of {other.game}: count one game at a time")
        self.game = self.game or other.game
        self.records += other.records
        for name, counts in other.counts.items():
            self.counts[name] = self.counts.get(name, 0) + counts
            self.seats[name] = self.seats.get(name, 0) + other.seats[name]
        self.unreadable += other.unreadable

    def summary(self, name: str = ALL) -> dict[str, Any]:
        """The figures of a player, as a match tells them."""
        make = games.find(self.game).statistics.summary
        assert make is not None
        return make(self.counts[name], self.seats[name])

    @property
    def names(self) -> list[str]:
        """All together first, then each player."""
        return sorted(self.counts, key=lambda name: (name != ALL, name))


def rates(
    paths: list[Path], game: str | None = None, by_name: bool = False, threads: int | None = None,
    tell: Callable[[int], None] | None = None, chunk: int = CHUNK,
) -> Rates:  # fmt: skip
    """Count in all records of some files, on all cores; `tell` is told how many bytes of them were read."""
    total = Rates()
    for found in over_records(_Counting(by_name), paths, total.unreadable, game, threads, tell, chunk):
        total.add(found)
    return total


@dataclass(frozen=True)
class _Counting:
    """Counts in some records. It holds plain values alone, so that it can be sent to another process."""

    by_name: bool

    def __call__(self, found: list[Text]) -> Rates:
        total = Rates()
        for text in found:
            total.add(self._count(text))
        return total

    def _count(self, text: Text) -> Rates:
        try:
            game, players, pieces = _pieces(text)
            counts = _counted(game, pieces)
        except Problem as problem:
            return Rates(unreadable=[line_of(text, problem)])
        rows = {ALL: list(range(game.seats))}
        for seat, name in enumerate(players if self.by_name else ()):
            rows.setdefault(name or str(seat + 1), []).append(seat)
        return Rates(
            text.game or game.name, 1, {name: counts[seats].sum(axis=0) for name, seats in rows.items()},
            {name: len(seats) for name, seats in rows.items()},
        )  # fmt: skip


def _pieces(text: Text) -> tuple[Game, tuple[str, ...], Pieces]:
    """A record as tables and actions, with who sat where."""
    if text.format == OWN:
        record, path = own_record(text, Path(text.name)), Path(text.name)
        table, steps = play_again(record, path, games.find(text.game) if text.game else None)
        fresh = Table(table.game, table.rules, record.seed, record.deal)
        actions = np.array([step.action for step in steps], np.int16)
        return table.game, tuple(record.players), [(fresh.states, actions)]
    game, match = read(text)
    records = game.records
    if records is None or records.decisions is None or records.about is None:
        raise Problem(f"records of {game.name} in the format {text.format} have no decisions to count")
    return game, records.about(match)[1], records.decisions(match)


def _counted(game: Game, pieces: Pieces) -> np.ndarray:
    """[seats, statistics]"""
    if game.statistics.tally is None or game.statistics.summary is None:
        raise Problem(f"{game.name} counts nothing beside the scores")
    loops = loops_of(game)
    counts, tables = np.zeros((game.seats, loops.counted), np.int64), np.zeros(2, game.State)
    for states, actions in pieces:
        tables[TABLE] = states[0]
        loops.count_actions(tables, actions, np.arange(game.seats), counts)
    return counts
