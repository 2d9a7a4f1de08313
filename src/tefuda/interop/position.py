"""One table as environments step it: a true table and the streams of its seats, without any memory of what was told.

`tefuda.table.Table` remembers what each seat was told, and costs several times as much a step.
"""

from functools import cached_property

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, scratch, seated
from tefuda.engine.single import actions_in, single_of
from tefuda.errors import Problem
from tefuda.players.asking import illegal_move, is_whole
from tefuda.players.entrant import Entrant


class Position:
    """A table: who decides, what may be done, what each seat can know and has. The games of `tefuda.table`."""

    def __init__(self, game: Game, states: np.ndarray, rngs: np.ndarray) -> None:
        self.game, self.states, self.rngs = game, states, rngs
        self._single = single_of(game)

    @classmethod
    def dealt(cls, game: Game, rules: Rules, seed: int, deal: int) -> "Position":
        """A numbered deal."""
        tables, rngs = np.zeros(2, game.State), np.zeros(game.seats, np.uint64)
        loops_of(game).begin(tables, game.blank(rules), rngs, outside.seed(seed), outside.deal(deal))
        return cls(game, tables[:1].copy(), rngs)

    @property
    def to_move(self) -> int:
        """The seat that decides now, or -1."""
        return int(self._single.to_move(self.states))

    @property
    def legal(self) -> list[int]:
        """What that seat may do, lowest first; nothing when the game is over."""
        if self.to_move < 0:
            return []
        words = np.zeros(self.game.spaces.mask_words, np.uint64)
        self._single.legal(self.states, words)
        return actions_in(words, self.game.spaces.actions.size)

    def mask(self, seat: int) -> np.ndarray:
        """[actions] int8: 1 where a seat may take an action now, so that it is all 0 for one that is not to move."""
        mask = np.zeros(self.game.spaces.actions.size, np.int8)
        if seat == self.to_move:
            mask[self.legal] = 1
        return mask

    def observe(self, seat: int) -> np.ndarray:
        """[inputs] float32: what a seat can know."""
        numbers = np.zeros(self.game.spaces.observation.size, np.float32)
        self._single.observe(self.states, seat, numbers)
        return numbers

    @property
    def scores(self) -> np.ndarray:
        """[seats] what each seat has."""
        out = np.zeros(self.game.seats)
        self._single.scores(self.states, out)
        return out

    def apply(self, action: int) -> None:
        """Take one action; an illegal one is a Problem that names the legal ones, and changes nothing."""
        self.check(action)
        self._single.apply(self.states, int(action))

    def check(self, action: int) -> None:
        """A Problem for an action that may not be taken now."""
        legal = self.legal
        if not legal:
            raise Problem("the game is over: reset begins the next one")
        if not is_whole(action) or action not in legal:
            raise Problem(illegal_move(self.game, action, legal))

    def copy(self) -> "Position":
        """An independent table in the same situation."""
        twin = np.empty(1, self.game.State)
        self._single.copy(self.states, twin)
        return Position(self.game, twin, self.rngs.copy())


class Opponents:
    """Compiled players who sit around one seat, and move on until it is asked."""

    def __init__(self, game: Game, players: list[Entrant], seat: int) -> None:
        """`players`: one for each other seat, in their order after `seat`."""
        self.game, self.players, self.seat = game, players, seat

    @cached_property
    def _room(self) -> tuple:
        """What asking them takes: scratch space, and the players as loops take them."""
        return scratch(self.game, self.players), seated(self.game, self.players)

    def move_on(self, position: Position) -> None:
        """Let them decide until the own seat does, or the game is over."""
        (tables, _, mask, worlds, numbers, _), players = self._room
        ask, single, seats = loops_of(self.game).ask, single_of(self.game), self.game.seats
        while (mover := position.to_move) not in (self.seat, -1):
            single.copy(position.states, tables[TABLE : TABLE + 1])
            place = (mover - self.seat) % seats - 1
            action = ask(tables, mover, place, players, position.rngs, mask, worlds, numbers)
            single.apply(position.states, int(action))
