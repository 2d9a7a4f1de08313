"""One table in Python: what a person, a player of one's own, a record and a test use."""

import random
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules, legal_actions
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.random import PLAYER, stream
from tefuda.players.asking import illegal_move
from tefuda.players.entrant import Entrant

Event = tuple[int, int | None]  # a seat, and its action; None where the action was not public


class View:
    """What a seat may know: everything here is made from a copy that went through `hide`."""

    def __init__(self, table: "Table", seat: int) -> None:
        self.game = table.game
        self.rules = table.rules
        self.seat = seat
        self.state = table.states.copy()  # [1], without what the seat cannot know
        self.game.kernels.hide(self.state[0], seat)
        self.history: list[Event] = [
            (who, None if secret and who != seat else action)
            for (who, action), secret in zip(table.history, table.secrets, strict=True)
            if who == seat or not (secret and table.game.spaces.unheard)
        ]
        self.random = table.randoms[seat]  # a random.Random of this seat and deal alone
        self._origin = (table.seed, table.deal)

    @property
    def legal(self) -> list[int]:
        """The actions that may be taken now."""
        return legal_actions(self.game, self.state)

    @property
    def legal_names(self) -> dict[str, int]:
        """The same by name, as `action_name` writes them in both languages."""
        return {self.game.words.action_name(self.state, action): action for action in self.legal}

    @property
    def observation(self) -> dict[str, np.ndarray]:
        """What the seat can know, by the names of the game's observation table."""
        numbers = np.zeros(self.game.spaces.observation.size, np.float32)
        self.game.kernels.observe(self.state[0], self.seat, numbers)
        return self.game.spaces.observation.by_name(numbers)

    def guess(self, rng: random.Random | None = None) -> "Table":
        """A whole table that agrees with all that was seen: play it on to try an idea."""
        rng = rng or self.random
        table = Table(self.game, self.rules, *self._origin, states=self.state.copy())
        bits = np.array([rng.getrandbits(64)], np.uint64)
        self.game.kernels.guess(table.states[0], self.seat, bits)
        return table

    def show(self, lang: str = "both") -> str:
        """The table as text."""
        return self.game.words.show(self.state, self.seat, lang)


class Table:
    """A table with its rules, its deal and its history; every seat has its own random stream."""

    def __init__(
        self, game: Game, rules: Rules | None = None, seed: int = 0, deal: int = 0, states: np.ndarray | None = None
    ) -> None:
        self.game = game
        self.rules = rules or game.rulebook.make()
        self.seed = seed = outside.seed(seed)
        self.deal = deal = outside.deal(deal)
        self.rngs = np.zeros(game.seats, np.uint64)
        self.history: list[tuple[int, int]] = []
        self.secrets: list[bool] = []  # whether each action of the history was hidden from the others
        self.randoms = [random.Random(int(stream(seed, deal, seat, PLAYER))) for seat in range(game.seats)]
        self._scratch: dict[Entrant, Any] = {}  # what asking each compiled player needs
        if states is not None:
            self.states = states
            return
        self.states = np.zeros(2, game.State)
        loops_of(game).begin(self.states, game.blank(self.rules), self.rngs, seed, deal)
        self.states = self.states[:1].copy()

    @property
    def to_move(self) -> int:
        """The seat that decides now, or -1."""
        return int(self.game.kernels.to_move(self.states[0]))

    @property
    def over(self) -> bool:
        return self.to_move < 0

    @property
    def legal(self) -> list[int]:
        return legal_actions(self.game, self.states)

    @property
    def scores(self) -> np.ndarray:
        out = np.zeros(self.game.seats)
        self.game.kernels.scores(self.states[0], out)
        return out

    def view(self, seat: int | None = None) -> View:
        """What a seat may know; without an argument, the seat to move."""
        if seat is None and self.over:
            raise Problem("the game is over, so that no seat is to move: name the seat whose view is wanted")
        return View(self, self.to_move if seat is None else outside.whole("seat", seat, 0, self.game.seats - 1))

    def apply(self, action: int) -> None:
        """Take one action; an illegal one is an error that names it and the legal ones."""
        legal = self.legal
        if action not in legal:
            raise Problem(illegal_move(self.game, action, legal))
        seat = self.to_move
        self.history.append((seat, int(action)))
        self.secrets.append(bool(self.game.spaces.secret and self.game.spaces.secret(self.states, seat, int(action))))
        self.game.kernels.apply(self.states[0], int(action))

    def ask(self, entrant: Entrant) -> int:
        """The action that a compiled player takes at this table for the seat to move; nothing is applied."""
        if entrant.policy is None:
            raise Problem(f"{entrant.name} is not a compiled player")
        found = self._scratch.get(entrant)
        if found is None:
            found = self._scratch[entrant] = (scratch(self.game, [entrant]), seated(self.game, [entrant]))
        (tables, _, mask, worlds, numbers, _), players = found
        tables[TABLE] = self.states[0]
        ask = loops_of(self.game).ask
        return int(ask(tables, self.to_move, 0, players, self.rngs, mask, worlds, numbers))

    def copy(self) -> "Table":
        """An independent table in the same situation."""
        twin = Table(self.game, self.rules, self.seed, self.deal, states=self.states.copy())
        twin.rngs = self.rngs.copy()
        twin.history, twin.secrets = list(self.history), list(self.secrets)
        for ours, theirs in zip(self.randoms, twin.randoms, strict=True):
            theirs.setstate(ours.getstate())
        return twin

    def show(self, seat: int | None = None, lang: str = "both") -> str:
        """The table as text: as one seat sees it, or all of it."""
        return self.game.words.show(self.states, seat, lang)
