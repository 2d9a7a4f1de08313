"""One table in Python: what a person, a player of one's own, a record and a test use."""

import random
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Observation, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, scratch, seated
from tefuda.engine.single import actions_in, legal_actions, single_of
from tefuda.errors import Problem
from tefuda.kernel.random import PLAYER, stream
from tefuda.players.asking import answer, illegal_move, is_whole, made, named
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import Player, entrant_of
from tefuda.table.events import Event, Told, history_of

Plain = dict[str, Any]  # whole numbers, and lists of them


class View:
    """What a seat may know: everything here is made from a copy that went through `hide`."""

    def __init__(self, table: "Table", seat: int) -> None:
        self.game = table.game
        self.rules = table.rules
        self.seat = seat
        self._to_move = table.to_move
        self._seen = np.empty(1, table.game.State)  # [1], without what the seat cannot know
        self._mask = np.empty(table.game.spaces.mask_words, np.uint64)
        single_of(table.game).look(table.states, seat, self._seen, self._mask)
        self.random = table.randoms[seat]  # a random.Random of this seat and deal alone
        self.round = table.round  # how many rounds are over
        self._told = table.told.by_seat[seat]  # it grows; this view knows the first of them
        self._events = len(self._told)
        self._dealt = table.dealt_to(seat)
        self._origin = (table.seed, table.deal)

    @cached_property
    def state(self) -> np.ndarray:
        """The state itself, in an array [1]. It is a copy of its own: what is written there changes no guess."""
        twin = np.empty(1, self.game.State)
        single_of(self.game).copy(self._seen, twin)
        return twin

    @cached_property
    def _legal(self) -> list[int]:
        return actions_in(self._mask, self.game.spaces.actions.size)

    @property
    def legal(self) -> list[int]:
        """The actions that may be taken now."""
        return self._legal.copy()

    @cached_property
    def legal_names(self) -> dict[str, int]:
        """The same by name, as `action_name` writes them in both languages."""
        return {self.game.words.action_name(self._seen, action): action for action in self._legal}

    @cached_property
    def inputs(self) -> np.ndarray:
        """What the seat can know as float32 numbers, in the order of the game's observation table."""
        numbers = np.zeros(self.game.spaces.observation.size, np.float32)
        single_of(self.game).observe(self._seen, self.seat, numbers)
        return numbers

    @property
    def observation(self) -> Observation:
        """The same by the names of the parts of that table."""
        return self.game.spaces.observation.by_name(self.inputs)

    @cached_property
    def plain(self) -> Plain:
        """What the seat can know as whole numbers and lists of cards, by the names of the state's fields."""
        return self.game.plain(self._seen)

    @cached_property
    def dealt(self) -> Plain | None:
        """The same of the table as this round was dealt; None in a guessed table whose beginning is not known."""
        return self.game.plain(self._dealt) if self._dealt is not None else None

    @cached_property
    def scores(self) -> list[float]:
        """What each seat has so far, as far as this one can know."""
        out = np.zeros(self.game.seats)
        single_of(self.game).scores(self._seen, out)
        return out.tolist()

    @cached_property
    def events(self) -> list[Event]:
        """All that happened since the game began, as this seat was told it."""
        return self._told[: self._events]

    @cached_property
    def history(self) -> list[tuple[int, int | None]]:
        """The actions among the events, each with its seat; None where the action was not public."""
        return history_of(self.events)

    def guess(self, rng: random.Random | None = None) -> "Table":
        """A whole table that agrees with all that was seen, with what was told so far: play it on to try an idea."""
        rng = rng or self.random
        states = np.empty(1, self.game.State)
        bits = np.array([rng.getrandbits(64)], np.uint64)
        single_of(self.game).guess(self._seen, self.seat, bits, states)
        return Table.of_world(self, states)

    def show(self, lang: str = "both") -> str:
        """The table as text, in `ja`, `en` or `both` languages."""
        return self.game.words.show(self._seen, self.seat, outside.language(lang))

    def __repr__(self) -> str:
        return f"<view of {_told(self.game, self.rules, self._origin)}: seat {self.seat}, {_moves(self._to_move)}>"


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
        self.history: list[tuple[int, int | None]] = []  # None: in a guessed table, what its guesser was not told
        self.secrets: list[bool] = []  # whether each action of the history was hidden from the others
        self.told = Told(game.seats, game.spaces.unheard)
        self.randoms = [random.Random(int(stream(seed, deal, seat, PLAYER))) for seat in range(game.seats)]
        self._single = single_of(game)
        self._scratch: dict[Entrant, Any] = {}  # what asking each compiled player needs
        self._objects: dict[Any, tuple[Entrant, Any]] = {}  # players of one's own that were asked here
        self._start: np.ndarray | None = None  # the true table as this round was dealt …
        self._dealt: dict[int, np.ndarray] = {}  # … and as the seats were that have asked
        if states is not None:
            self.states = states
            self.round = game.rounds_over(states)
            return
        self.states = np.zeros(2, game.State)
        loops_of(game).begin(self.states, game.blank(self.rules), self.rngs, seed, deal)
        self.states = self.states[:1].copy()
        self.round = 0
        self._begin_round()

    @classmethod
    def of_world(cls, view: View, states: np.ndarray) -> "Table":
        """A guessed table [1], with what the guessing seat was told."""
        table = cls(view.game, view.rules, *view._origin, states=states)
        table.told = table.told.of_world(view.seat, view.events)
        table.history = list(view.history)
        table.secrets = [event.secret for event in view.events if event.what == "action"]
        if view._dealt is not None:
            table._dealt[view.seat] = view._dealt
        return table

    @classmethod
    def of_round(cls, game: Game, rules: Rules, states: np.ndarray) -> "Table":
        """A table [1] as a round was dealt by somebody else: records of other programs have no numbered deals."""
        table = cls(game, rules, states=states.copy())
        table._begin_round()
        return table

    @property
    def to_move(self) -> int:
        """The seat that decides now, or -1."""
        return int(self._single.to_move(self.states))

    @property
    def over(self) -> bool:
        return self.to_move < 0

    @property
    def legal(self) -> list[int]:
        return legal_actions(self.game, self.states)

    @property
    def scores(self) -> np.ndarray:
        out = np.zeros(self.game.seats)
        self._single.scores(self.states, out)
        return out

    def view(self, seat: int | None = None) -> View:
        """What a seat may know; without an argument, the seat to move."""
        if seat is None and self.over:
            raise Problem("the game is over, so that no seat is to move: name the seat whose view is wanted")
        return View(self, self.to_move if seat is None else outside.whole("seat", seat, 0, self.game.seats - 1))

    def apply(self, action: int | str) -> None:
        """Take one action, by its number or its name; an illegal one is an error that names it and the legal ones."""
        if self.over:
            raise Problem("the game is over: no action can be taken")
        legal = self.legal
        if isinstance(action, str):
            action = named(self.game, self.states, legal, action)
        if not is_whole(action) or action not in legal:
            raise Problem(illegal_move(self.game, action, legal))
        seat, spaces, action = self.to_move, self.game.spaces, int(action)
        secret = bool(spaces.secret and spaces.secret(self.states, seat, action))
        self.history.append((seat, action))
        self.secrets.append(secret)
        self.told.act(self.round, seat, action, secret)
        before = self._copied(self.states)
        self._single.apply(self.states, action)
        if spaces.shown:
            self.told.show(self.round, spaces.shown(before, self.states, action))
        over = self.game.rounds_over(self.states)
        if over != self.round:
            self.round = over
            if not self.over:
                self._begin_round()

    def _begin_round(self) -> None:
        self._start, self._dealt = self._copied(self.states), {}
        self.told.begin_round(self.round)

    def dealt_to(self, seat: int) -> np.ndarray | None:
        """The table [1] as this round was dealt, without what a seat cannot know; None where that is not known."""
        if seat not in self._dealt and self._start is not None:
            self._dealt[seat] = np.empty(1, self.game.State)
            mask = np.empty(self.game.spaces.mask_words, np.uint64)
            self._single.look(self._start, seat, self._dealt[seat], mask)
        return self._dealt.get(seat)

    def _copied(self, states: np.ndarray) -> np.ndarray:
        twin = np.empty(1, self.game.State)
        self._single.copy(states, twin)
        return twin

    def ask(self, player: Player) -> int:
        """The action that a player takes at this table for the seat to move; nothing is applied.

        It is a name, a class or an object of one's own, or an entrant. A class gets one object for each seat.
        """
        seat = self.to_move
        if seat < 0:
            raise Problem("the game is over: nobody is asked")
        if isinstance(player, Entrant) and player.policy is not None:
            return self._ask_compiled(player)
        key = (seat, player if isinstance(player, str) else id(player))
        if key not in self._objects:
            entrant = entrant_of(self.game, player, self.rules)
            self._objects[key] = (entrant, made(entrant))
        entrant, own = self._objects[key]
        if entrant.policy is not None:
            return self._ask_compiled(entrant)
        return answer(entrant, own, self.view(seat), f"player {entrant.name}, seat {seat}", (self.deal, 0))

    def _ask_compiled(self, entrant: Entrant) -> int:
        found = self._scratch.get(entrant)
        if found is None:
            found = self._scratch[entrant] = (scratch(self.game, [entrant]), seated_alone(self.game, entrant))
        (tables, _, mask, worlds, numbers, _), players = found
        self._single.copy(self.states, tables[TABLE : TABLE + 1])
        ask = loops_of(self.game).ask
        return int(ask(tables, self.to_move, 0, players, self.rngs, mask, worlds, numbers))

    def copy(self) -> "Table":
        """An independent table in the same situation."""
        twin = Table(self.game, self.rules, self.seed, self.deal, states=self._copied(self.states))
        twin.rngs = self.rngs.copy()
        twin.history, twin.secrets, twin.told = list(self.history), list(self.secrets), self.told.copy()
        twin._start, twin._dealt = self._start, dict(self._dealt)
        for ours, theirs in zip(self.randoms, twin.randoms, strict=True):
            theirs.setstate(ours.getstate())
        return twin

    def show(self, seat: int | None = None, lang: str = "both") -> str:
        """The table as text, in `ja`, `en` or `both` languages: as one seat sees it, or all of it."""
        if isinstance(seat, str) and seat in outside.LANGUAGES:
            raise Problem(f"{seat!r} is no seat: the language comes second, as in table.show(0, {seat!r})")
        seat = None if seat is None else outside.whole("seat", seat, 0, self.game.seats - 1)
        return self.game.words.show(self.states, seat, outside.language(lang))

    def __repr__(self) -> str:
        return f"<table of {_told(self.game, self.rules, (self.seed, self.deal))}: {_moves(self.to_move)}>"


_alone: WeakKeyDictionary[Entrant, Any] = WeakKeyDictionary()  # a network has megabytes: all tables share them


def seated_alone(game: Game, entrant: Entrant) -> Any:
    """One player as the loops take it."""
    if entrant not in _alone:
        _alone[entrant] = seated(game, [entrant])
    return _alone[entrant]


def _told(game: Game, rules: Rules, origin: tuple[int, int]) -> str:
    """Which table this is, in short."""
    return f"{game.name}, rules {rules}, seed {origin[0]}, deal {origin[1]}"


def _moves(seat: int) -> str:
    return f"seat {seat} to move" if seat >= 0 else "the game is over"
