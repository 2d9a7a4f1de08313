"""A game as it was played: every decision with the table before and after it, and with what its seat could know.

A review, a page and an export read it. Our own records give one, and so do records of other programs, which have no
deal that could be numbered: those are a table for each round (see records/played.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.table import record as game_record
from tefuda.table.record import PERSON, GameRecord, Step, take
from tefuda.table.table import Table, View


class NothingDecided(Problem):
    """A game, or a seat of one, in which nothing was decided."""


@dataclass(frozen=True)
class Round:
    """The decisions of one round: `first` to `last` - 1."""

    first: int
    last: int
    over: bool  # whether it was played to its end


@dataclass(frozen=True, eq=False)
class Played:
    """One game, finished or as far as it has come."""

    name: str  # what people call it: its file, its deal
    game: Game
    rules: Rules
    players: tuple[str, ...]  # by seat
    steps: tuple[Step, ...]
    views: tuple[View, ...]  # what the seat of each step could know before it
    rounds: tuple[Round, ...]
    scores: tuple[float, ...] | None  # by seat, once the game is over
    record: GameRecord | None = None  # where its deal can be dealt again

    def turns_of(self, seat: int) -> list[int]:
        """The decisions of a seat, by their numbers from 0."""
        return [turn for turn, step in enumerate(self.steps) if step.seat == seat]

    def round_of(self, turn: int) -> int:
        """The round of a decision, from 0."""
        return next(number for number, each in enumerate(self.rounds) if each.first <= turn < each.last)

    def seat(self, value: int | None = None) -> int:
        """A seat of this game that has decided something; when none is named the person's, or the first one."""
        if value is None:
            people = [seat for seat, name in enumerate(self.players) if name == PERSON and self.turns_of(seat)]
            return people[0] if people else min(step.seat for step in self.steps)
        seat = outside.whole("seat", value, 0, self.game.seats - 1)
        if not self.turns_of(seat):
            raise NothingDecided(f"{self.name}: seat {seat} has decided nothing in it")
        return seat

    def before(self, turn: int) -> np.ndarray:
        """The true table [1] before a decision; behind the last one, as it was left."""
        return self.steps[turn].before if turn < len(self.steps) else self.steps[-1].after


def play_through(
    name: str, game: Game, rules: Rules, players: Sequence[str], pieces: Iterable[tuple[Table, Sequence[int]]],
    record: GameRecord | None = None,
) -> Played:  # fmt: skip
    """Take actions at tables, each of which goes on where the one before has ended a round."""
    steps: list[Step] = []
    views: list[View] = []
    rounds: list[Round] = []
    scores = None
    for table, actions in pieces:
        first, over = len(steps), table.round
        for action in actions:
            views.append(table.view())
            steps.append(take(table, int(action)))
            if table.round != over or table.over:
                rounds.append(Round(first, len(steps), True))
                first, over = len(steps), table.round
        if first < len(steps):
            rounds.append(Round(first, len(steps), False))
        scores = tuple(table.scores.tolist()) if table.over else None
    if not steps:
        raise NothingDecided(f"{name}: nothing was decided in it yet")
    return Played(name, game, rules, tuple(players), tuple(steps), tuple(views), tuple(rounds), scores, record)


def played_of(record: GameRecord, path: Path, given: Game | None = None) -> Played:
    """What a record of ours tells, once all of it has been checked. `given` is the game where it is one's own."""
    table, steps = game_record.play_again(record, path, given)
    game, rules = table.game, table.rules
    pieces = [(Table(game, rules, record.seed, record.deal), [step.action for step in steps])]
    return play_through(str(path), game, rules, record.players, pieces, record)


def round_score(game: Game, states: np.ndarray, seat: int, action: int | None = None) -> float:
    """What a seat has at a table [1], or after one more action there, when the round that is played is the last one."""
    twin, scores = states.copy(), np.zeros(game.seats)
    if game.kernels.end_here:
        game.kernels.end_here(twin[0])
    if action is not None:
        game.kernels.apply(twin[0], action)
    game.kernels.scores(twin[0], scores)
    return float(scores[seat])


def gained(played: Played, seat: int) -> list[float | None]:
    """What each round has brought a seat, as evaluations value it; None for one that is not over."""
    game, found = played.game, []
    if not game.kernels.end_here:  # valued by the final score: the game is one round
        return [played.scores[seat] if played.scores is not None else None]
    for each in played.rounds:
        last = played.steps[each.last - 1]
        begun = round_score(game, played.steps[each.first].before, seat)
        found.append(round_score(game, last.before, seat, last.action) - begun if each.over else None)
    return found
