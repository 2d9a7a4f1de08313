"""Our players at OpenSpiel's games: Kuhn poker, Leduc poker, Hearts, and our own games there.

    from tefuda.interop.openspiel import bot
    theirs = pyspiel.load_game("hearts(pass_cards=false)")
    bots = [bot(theirs, seat, "champion") for seat in range(4)]      # pyspiel.Bot, for its evaluate_bots and so on

A state of OpenSpiel is followed by a table of ours with the same cards, and the player is given what its seat may know
there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda import games, outside
from tefuda.contract import Game, Rules
from tefuda.errors import Problem, unknown
from tefuda.games.tricks.cards import CARDS, CLUBS, DIAMONDS, HEARTS, RANKS, SPADES
from tefuda.games.tricks.rules import begin_play
from tefuda.games.tricks.state import SEATS
from tefuda.interop.openspiel.game import SpielGame, pyspiel
from tefuda.kernel.bits import mask_of
from tefuda.kernel.random import DEAL, PLAYER, stream
from tefuda.players.resolve import Player, entrant_of
from tefuda.table.table import Table

SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)  # OpenSpiel: card = 4 * rank + suit, suits in this order
TO_SPIEL = [len(SUITS) * (card % RANKS) + SUITS.index(card // RANKS) for card in range(CARDS)]
FROM_SPIEL = [TO_SPIEL.index(card) for card in range(CARDS)]
PASSING = ("off", "left", "across", "right")  # in the order of OpenSpiel's numbers, which say how many seats further
OPTIONS = {  # ours, with OpenSpiel's parameter for it and what that is when nothing is said
    "break_hearts": ("must_break_hearts", True),
    "queen_breaks": ("qs_breaks_hearts", True),
    "jack": ("jd_bonus", False),
}
UNKNOWN_TO_US = ("can_lead_any_club", "avoid_all_tricks_bonus", "can_lead_hearts_instead_of_qs")


@dataclass(frozen=True)
class Followed:
    """How a game of OpenSpiel is followed by one of ours."""

    game: Game
    rules: Callable[[Sequence[int]], Rules]  # what chance has drawn so far -> our rules
    dealt: Callable[[Sequence[int]], np.ndarray]  # the same -> our table [1]
    ours: Callable[[int], int] = int  # their action -> ours
    theirs: Callable[[int], int] = int  # ours -> theirs


def followed(game: Any) -> Followed:
    """How a game of OpenSpiel is followed."""
    if isinstance(game, SpielGame):
        dealing, rules = game.dealing, game.rules
        return Followed(game.contract, lambda _: rules, lambda drawn: dealing.node(drawn).position.copy().states)
    name = game.get_type().short_name
    if name not in FOLLOWED:
        raise unknown("game of OpenSpiel that our players play", name, (*FOLLOWED, "tefuda_…"))
    return FOLLOWED[name](game.get_parameters())


def _kuhn(parameters: dict[str, Any]) -> Followed:
    return _poker("kuhn", parameters, lambda tables, drawn: (tables["card"][:, : len(drawn)] == drawn).all(axis=1))


def _leduc(parameters: dict[str, Any]) -> Followed:
    def fits(tables: np.ndarray, drawn: Sequence[int]) -> np.ndarray:
        cards = np.column_stack([tables["hand"], tables["public"]])
        return (cards[:, : len(drawn)] == drawn).all(axis=1)

    return _poker("leduc", parameters, fits)


def _poker(
    name: str, parameters: dict[str, Any], fits: Callable[[np.ndarray, Sequence[int]], np.ndarray]
) -> Followed:  # fmt: skip
    """A small game: any deal with the cards that chance has drawn. Those that come later are hidden until then."""
    if int(parameters.get("players", 2)) != 2 or parameters.get("suit_isomorphism", False):
        raise Problem(f"our players play OpenSpiel's {name} with two players, and every card by itself")
    game = games.find(name)
    rules = game.rulebook.make()
    assert game.chance is not None
    _, tables = game.chance.deals(game.blank(rules))
    return Followed(game, lambda _: rules, lambda drawn: tables[fits(tables, list(drawn))][:1].copy())


def _hearts(parameters: dict[str, Any]) -> Followed:
    asked = [key for key in UNKNOWN_TO_US if parameters.get(key, False)]
    if asked:
        raise Problem(f"our Hearts has no {asked[0]}: leave this parameter of OpenSpiel's hearts out")
    game = games.find("tricks")
    changes = [f"{key}={_yes(parameters.get(theirs, usual))}" for key, (theirs, usual) in OPTIONS.items()]
    changes += ["moon=others", f"first_points={_yes(not parameters.get('no_pts_on_first_trick', True))}"]

    def rules(drawn: Sequence[int]) -> Rules:
        return game.rulebook.make("hearts", [*changes, f"passing={PASSING[drawn[0]]}"])

    def dealt(drawn: Sequence[int]) -> np.ndarray:
        states = game.blank(rules(drawn))
        game.kernels.deal(states[0], np.array([stream(0, 0, 0, DEAL)], np.uint64))  # all but the cards
        cards = [FROM_SPIEL[card] for card in drawn[1:]]
        for seat in range(SEATS):
            states[0].hand[seat] = mask_of(*cards[seat::SEATS])
        if drawn[0] == 0:
            begin_play(states[0])
        return states

    return Followed(game, rules, dealt, FROM_SPIEL.__getitem__, TO_SPIEL.__getitem__)


def _yes(value: bool) -> str:
    return "yes" if value else "no"


FOLLOWED: dict[str, Callable[[dict[str, Any]], Followed]] = {
    "kuhn_poker": _kuhn, "leduc_poker": _leduc, "hearts": _hearts,
}  # fmt: skip


class Delegate(pyspiel.Bot):
    """One of our players in a seat of OpenSpiel's game."""

    def __init__(self, game: Any, seat: int, player: Player, seed: int = 1) -> None:
        super().__init__()
        self.followed = followed(game)
        self.seat = outside.whole("seat", seat, 0, self.followed.game.seats - 1)
        self.player, self.seed, self.games = player, outside.seed(seed), 0
        self._drawn: list[int] = []  # what chance had drawn at the last look
        self._done: list[int] = []  # what had been done, in their numbers
        self._table: Table | None = None

    def player_id(self) -> int:
        """The seat."""
        return self.seat

    def restart_at(self, state: Any) -> None:
        """Another game: nothing of the last one is kept."""
        self.restart()

    def restart(self) -> None:
        """The same."""
        self._table, self._drawn, self._done = None, [], []
        self.games += 1

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Nothing: all is read from the state when the seat is asked."""

    def step(self, state: Any) -> int:
        """The action that our player takes, in OpenSpiel's number."""
        table = self.table_of(state)
        return int(self.followed.theirs(table.ask(self._entrant)))

    def table_of(self, state: Any) -> Table:
        """Our table in the same situation."""
        history = state.full_history()
        drawn = [each.action for each in history if each.player == pyspiel.PlayerId.CHANCE]
        done = [each.action for each in history if each.player != pyspiel.PlayerId.CHANCE]
        table = self._table
        known = drawn[: len(self._drawn)] == self._drawn and done[: len(self._done)] == self._done
        if table is None or not known:
            self.games += table is not None
            table = self._opened(drawn)
        elif drawn != self._drawn:  # a card was turned up
            table, before = self._opened(drawn), table
            table.rngs = before.rngs
        for action in done[len(table.history) :]:
            table.apply(self.followed.ours(action))
        self._drawn, self._done, self._table = drawn, done, table
        return table

    def _opened(self, drawn: list[int]) -> Table:
        """A table with the cards that chance has drawn, and streams of its own."""
        game, rules = self.followed.game, self.followed.rules(drawn)
        self._entrant = entrant_of(game, self.player, rules)
        table = Table(game, rules, self.seed, self.games, states=self.followed.dealt(drawn))
        table.rngs = np.array([stream(self.seed, self.games, seat, PLAYER) for seat in range(game.seats)], np.uint64)
        return table


def bot(game: Any, seat: int, player: Player, seed: int = 1) -> Delegate:
    """One of our players, by name, class or object, in a seat of a game that `pyspiel.load_game` gave."""
    return Delegate(game, seat, player, seed)
