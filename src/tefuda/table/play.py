"""A game in play, whoever sits at it: people and programs at any of the seats, without any screen or file.

The moves are the truth: taking back and going on later deal the cards again and take the moves, so no table is ever
patched. A program's decision then depends on the table and its place in the game alone: before each one its random
stream is set anew from (seed, deal, seat, number of the decision).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.kernel.random import PLAYER, stream
from tefuda.players.asking import answer, made
from tefuda.players.entrant import Entrant
from tefuda.table.record import Step, take
from tefuda.table.table import Table


class Play:
    """One game between people and programs."""

    def __init__(
        self, game: Game, rules: Rules, entrants: Sequence[Entrant | None], seed: int = 0, deal: int = 0,
        moves: Sequence[tuple[int, int]] = (),
    ) -> None:  # fmt: skip
        """`entrants` has a program for each seat, and None for a person's; `moves` are (seat, action)."""
        if len(entrants) != game.seats:
            raise Problem(f"{game.name} has {game.seats} seats, but {len(entrants)} were filled")
        self.game, self.rules, self.seed, self.deal = game, rules, seed, deal
        self.entrants = list(entrants)
        self.steps: list[Step] = []
        self._objects: dict[int, Any] = {}  # players of one's own, one for each of their seats
        self.rebuild(moves)

    # What is the case

    @property
    def over(self) -> bool:
        return self.table.over

    @property
    def asked(self) -> int:
        """The seat that decides now, or -1."""
        return self.table.to_move

    @property
    def asks_program(self) -> bool:
        """Whether a program is to decide."""
        return not self.over and self.entrants[self.asked] is not None

    @property
    def moves(self) -> list[tuple[int, int]]:
        """All decisions so far: (seat, action)."""
        return [(step.seat, step.action) for step in self.steps]

    def since_own(self, seat: int) -> int:
        """The place of a seat's last decision among all; 0 when it has taken none."""
        return next((place for place in reversed(range(len(self.steps))) if self.steps[place].seat == seat), 0)

    def has_decided(self, seat: int) -> bool:
        """Whether a seat has taken a decision that it could take back."""
        return any(step.seat == seat for step in self.steps)

    # What is done

    def ask(self) -> int:
        """What the program whose turn it is does now; nothing is taken."""
        seat, table = self.asked, self.table
        entrant = self.entrants[seat]
        if entrant is None:
            raise Problem(f"seat {seat} is a person's: no program is asked for it")
        first = np.uint64(stream(np.uint64(table.seed), np.uint64(table.deal), seat, PLAYER))
        begin = int(stream(first, np.uint64(len(self.steps)), seat, PLAYER))
        table.rngs[seat] = np.uint64(begin)
        table.randoms[seat].seed(begin)
        if entrant.policy is not None:
            return table.ask(entrant)
        where = f"player {entrant.name}, move {len(self.steps) + 1}"
        return answer(entrant, self._objects[seat], table.view(seat), where)

    def take(self, action: int) -> Step:
        """Take a decision of the seat that is asked; an illegal one changes nothing."""
        step = take(self.table, action)
        self.steps.append(step)
        return step

    def program_takes(self, action: int) -> Step:
        """Take what a program has answered; its name is told where that is illegal."""
        entrant = self.entrants[self.asked]
        try:
            return self.take(action)
        except Problem as problem:
            name = entrant.name if entrant is not None else "person"
            raise Problem(f"{name}, move {len(self.steps) + 1}: {problem}") from None

    def go_back(self, place: int) -> None:
        """Take back all decisions from this place on."""
        self.rebuild(self.moves[:place])

    def rebuild(self, moves: Sequence[tuple[int, int]]) -> None:
        """Deal again and take some moves. Players of one's own are asked again: they may remember things."""
        self.table = Table(self.game, self.rules, self.seed, self.deal)
        self.steps = []
        self._objects = {
            seat: made(entrant)
            for seat, entrant in enumerate(self.entrants)
            if entrant is not None and entrant.policy is None
        }
        for seat, action in list(moves):
            if seat in self._objects:
                self.ask()
            self.take(action)
