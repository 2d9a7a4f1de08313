"""What each seat has seen on the way to a position: OpenSpiel's information states.

A node is a position with the way that led there. It never changes, so that states of OpenSpiel share nodes, and a copy
of a state costs nothing. What a seat has seen is told by the tables as `hide` left them, one after the other, and by
the actions that it was told, as in search/tree.py. A short hash of all that names an information state.
"""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tefuda import games
from tefuda.contract import Game
from tefuda.engine.single import single_of
from tefuda.interop.position import Position

LETTERS = 16  # of the hash that names what a seat has seen
Heard = tuple[int, int | None]  # who decided, and what; None where the action was not public


@dataclass(eq=False)
class Node:
    """A position, and the decision that led there."""

    position: Position
    parent: "Node | None" = None
    mover: int = -1
    action: int = -1
    secret: bool = False
    begun: dict[int, str] = field(default_factory=dict)  # of a node without parent: what seats had seen before
    told: dict[int, tuple[Heard, ...]] = field(default_factory=dict)  # and what they had heard
    _following: dict[int, "Node"] = field(default_factory=dict)  # in a small game, whose states come again and again
    _sights: dict[int, str] = field(default_factory=dict)
    _looks: dict[int, bytes] = field(default_factory=dict)

    def __deepcopy__(self, memo: dict) -> "Node":
        return self  # it never changes

    def __reduce__(self) -> tuple[Any, ...]:
        """As the first table and the actions since then: this is how OpenSpiel writes a state down."""
        first, *rest = self.way()
        at = first.position
        start = (self.game.name, at.states.tobytes(), at.rngs.tobytes(), first.begun, first.told)
        return _read, (*start, [node.action for node in rest])

    @property
    def game(self) -> Game:
        return self.position.game

    @cached_property
    def seat(self) -> int:
        """The seat that decides, or -1."""
        return self.position.to_move

    @cached_property
    def legal(self) -> list[int]:
        """What it may do."""
        return self.position.legal

    def after(self, action: int) -> "Node":
        """The node that an action leads to."""
        if action in self._following:
            return self._following[action]
        spaces = self.game.spaces
        secret = bool(spaces.secret and spaces.secret(self.position.states, self.seat, action))
        position = self.position.copy()
        position.apply(action)
        following = Node(position, self, self.seat, action, secret)
        if self.game.chance is not None and self.game.chance.number is None:  # small by whatever rules
            self._following[action] = following
        return following

    def hidden(self, seat: int) -> np.ndarray:
        """The table [1] without what a seat cannot know."""
        view = np.empty(1, self.game.State)
        single_of(self.game).look(self.position.states, seat, view, np.empty(self.game.spaces.mask_words, np.uint64))
        return view

    def look(self, seat: int) -> bytes:
        """The same as bytes."""
        if seat not in self._looks:
            self._looks[seat] = self.hidden(seat).tobytes()
        return self._looks[seat]

    def heard(self, seat: int) -> Heard | None:
        """What a seat was told of the decision that led here; None: nothing."""
        if seat == self.mover or not self.secret:
            return self.mover, self.action
        return None if self.game.spaces.unheard else (self.mover, None)

    def way(self) -> list["Node"]:
        """The nodes from the first one to this."""
        found: list[Node] = []
        node: Node | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def history(self, seat: int) -> list[Heard]:
        """The decisions that a seat was told, from the deal on."""
        first, *rest = self.way()
        heard = (node.heard(seat) for node in rest)
        return [*first.told.get(seat, ()), *(each for each in heard if each is not None)]

    def sight(self, seat: int) -> str:
        """A name for all that a seat has seen and heard: equal where it cannot tell two ways apart."""
        node: Node | None = self
        unnamed: list[Node] = []
        while node is not None and seat not in node._sights:
            unnamed.append(node)
            node = node.parent
        for each in reversed(unnamed):  # a loop, since games of mahjong are longer than Python recurs
            each._sights[seat] = each._named(seat)
        return self._sights[seat]

    def _named(self, seat: int) -> str:
        if self.parent is None:
            return self.begun.get(seat) or _hash("", None, self.look(seat))
        before, heard = self.parent._sights[seat], self.heard(seat)
        if heard is None and self.look(seat) == self.parent.look(seat):
            return before  # it has noticed nothing
        return _hash(before, heard, self.look(seat))

    def guessed(self, seat: int, bits: int) -> "Node":
        """A node that a seat cannot tell from this one: the unseen cards are dealt again."""
        view, world = self.hidden(seat), np.empty(1, self.game.State)
        single_of(self.game).guess(view, seat, np.array([bits], np.uint64), world)
        history = tuple(self.history(seat))
        told = dict.fromkeys(range(self.game.seats), history)
        position = Position(self.game, world, self.position.rngs.copy())
        node = Node(position, begun={seat: self.sight(seat)}, told=told)
        for other in range(self.game.seats):  # what others saw before is part of the guess: what they see now
            if other != seat:
                node.begun[other] = _hash(repr(history), None, node.look(other))
        return node


def _read(
    name: str, states: bytes, rngs: bytes, begun: dict[int, str], told: dict[int, tuple[Heard, ...]], actions: list[int]
) -> Node:
    """A node that was written down."""
    game = games.find(name)
    table = np.frombuffer(states, game.State).copy()
    node = Node(Position(game, table, np.frombuffer(rngs, np.uint64).copy()), begun=begun, told=told)
    for action in actions:
        node = node.after(action)
    return node


def _hash(before: str, heard: Heard | None, look: bytes) -> str:
    content = f"{before} {heard} ".encode() + look
    return hashlib.blake2b(content, digest_size=LETTERS // 2).hexdigest()
