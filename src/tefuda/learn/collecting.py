"""Rows for regressions, from games that one player plays in all seats: collected piece by piece, and kept for later."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from tefuda.engine.seated import scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.threads import cores, run_chunks
from tefuda.learn.method import Task, compiled_player
from tefuda.learn.regression import Rows, Shape, fitted, losses
from tefuda.learn.run import run

EVERY = 30.0  # seconds between checkpoints, which hold all rows
HELD_OUT = 10  # one game of so many measures, and is not learned from


@dataclass(frozen=True)
class Arguments:
    """What to learn from."""

    player: str = "rule-based"  # who plays in all seats
    games: int = 20_000  # to learn from and to measure on
    decay: float = 1.0  # how much large weights cost, in rows

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if not HELD_OUT <= self.games <= 100_000_000:
            raise Problem(f"games is {self.games}, but should be {HELD_OUT} to 100,000,000")
        if not 0 < self.decay < 1e9:
            raise Problem(f"decay is {self.decay:g}, but should be above 0 and below 1e9")


@dataclass(frozen=True)
class RowSource:
    """Where the rows of one regression come from."""

    shape: Shape
    look: Callable[[int, int], Rows]  # the rows of games first to last - 1


def source_of(task: Task, shape: Shape, room: Callable[[int], int], loop: Any, *more: Any) -> RowSource:
    """Rows from games of the task's player. `loop` is compiled: it plays games first to last - 1, writes rows and
    returns how many. `room` says how many rows there can be in so many games; `more` goes to the loop."""
    player = compiled_player(task.game, task.arguments.player, task.rules)

    def look(first: int, last: int) -> Rows:
        rows = Rows.empty(room(last - first), shape.amounts)
        count = loop(
            task.game.blank(task.rules), task.seed, first, last, *more, seated(task.game, [player]),
            scratch(task.game, [player]), rows.game, rows.situation, rows.amounts, rows.came,
        )  # fmt: skip
        return rows.where(np.arange(count))

    return RowSource(shape, look)


def check(task: Task) -> Task:
    """Refuse a player that cannot be learned from."""
    compiled_player(task.game, task.arguments.player, task.rules)
    return task


class Collecting:
    """Rows by the name of their source; `advance` plays some more games."""

    def __init__(self, sources: Mapping[str, RowSource], games: int, piece: int, threads: int | None) -> None:
        self.sources, self.games, self.piece, self.threads = sources, games, piece, threads or cores()
        self.played = 0
        self.pieces = {name: [Rows.empty(0, source.shape.amounts)] for name, source in sources.items()}

    @property
    def done(self) -> bool:
        return self.played >= self.games

    def rows(self, name: str) -> Rows:
        self.pieces[name] = [Rows.joined(self.pieces[name])]
        return self.pieces[name][0]

    def advance(self) -> float:
        """Play a piece on each core, for each source."""
        last = min(self.played + self.threads * self.piece, self.games)
        pieces = [(first, min(first + self.piece, last)) for first in range(self.played, last, self.piece)]
        for name, source in self.sources.items():
            self.pieces[name] += [found for _, _, found in run_chunks(source.look, pieces, self.threads)]
        self.played = last
        return last

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        state = {"played": np.array(self.played)}
        for name in self.sources:
            rows = self.rows(name)
            state |= {f"{name}: {each.name}": getattr(rows, each.name) for each in fields(Rows)}
        return state

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.played = int(state["played"])
        for name in self.sources:
            self.pieces[name] = [Rows(*(state[f"{name}: {each.name}"] for each in fields(Rows)))]


def learned(task: Task, sources: Mapping[str, RowSource], piece: int) -> tuple[np.ndarray, list[tuple]]:
    """The whole run: collect, then fit each source. The weights, one source behind the other, and how well the games
    held out are foretold."""
    collecting = Collecting(sources, task.arguments.games, piece, task.threads)
    run(collecting, collecting.advance, task.arguments.games, "games", task.out, task.identity, EVERY)
    weights: list[np.ndarray] = []
    curve: list[tuple] = [("what", "rows learned from", "rows held out", "log loss", "log loss of the plain shares")]
    for name, source in sources.items():
        rows = collecting.rows(name)
        test = rows.game % HELD_OUT == 0
        weights.append(fitted(rows.where(~test), source.shape, task.arguments.decay))
        curve.append((name, int((~test).sum()), int(test.sum()), *losses(rows, test, weights[-1], source.shape)))
    return np.concatenate(weights), curve
