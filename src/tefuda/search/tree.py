"""A small game written out whole: every deal and every way to play it, as flat arrays that exact algorithms sweep.

The positions lie level by level, all deals first, and those that follow one decision lie side by side. So chances go
down the tree and values come up it one level at a time, for all positions of a level at once.

An information set of a `Tree` is all that a seat has seen until it decides: what `hide` left of every position on the
way there, and every action that was not secret. Nobody forgets anything. search/views.py writes larger games out.

What players do is an array of chances [information sets, actions]; each row belongs to the seat that decides there, so
that one array holds the play of all seats.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tefuda.contract import Chance, Game, Rules
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem

MOST = 2_000_000  # positions that are written out at most
END = -1  # the seat and the information set where nobody decides


@dataclass(frozen=True, eq=False)
class WrittenOut:
    """All positions of a game under some rules, and its information sets."""

    game: Game
    rules: Rules
    levels: list[slice]  # the positions after 0, 1, 2 … decisions
    deal_chances: np.ndarray  # [positions of level 0]
    parent: np.ndarray  # [positions] the position before; END for a deal
    action: np.ndarray  # [positions] what was done there
    seat: np.ndarray  # [positions] who decides
    information_set: np.ndarray  # [positions] what that seat knows
    scores: np.ndarray  # [positions, seats] what each seat got; 0 where the game goes on
    legal: np.ndarray  # [information sets, actions] whether an action is legal
    share: np.ndarray  # [positions] what part of an action, which can stand for several, led there

    @property
    def sets(self) -> int:
        return len(self.legal)

    @cached_property
    def luck(self) -> np.ndarray:
        """[positions] how likely nobody's decisions, but the deal and equal shares, lead there."""
        return self._down(self.share, self.deal_chances)

    @cached_property
    def edge(self) -> np.ndarray:
        """[positions] where the chance of the action that led here lies among all chances; 0 for a deal."""
        return np.where(self.parent == END, 0, self.information_set[self.parent] * self.legal.shape[1] + self.action)

    @cached_property
    def _families(self) -> list[tuple[slice, np.ndarray, np.ndarray]]:
        """For each level but the first, deepest first: its positions, where each family begins, and its parents."""
        found = []
        for level in reversed(self.levels[1:]):
            parents, starts = np.unique(self.parent[level], return_index=True)
            found.append((level, starts, parents))
        return found

    def own_part(self, chances: np.ndarray, seat: int) -> np.ndarray:
        """[positions] how likely the decisions of one seat lead there."""
        decided = self.seat[self.parent] == seat
        return self._down(np.where(decided, chances.ravel()[self.edge], 1.0), np.ones(len(self.deal_chances)))

    def other_part(self, chances: np.ndarray, seat: int) -> np.ndarray:
        """[positions] how likely the deal and the decisions of the other seats lead there."""
        decided = self.seat[self.parent] != seat
        return self._down(np.where(decided, chances.ravel()[self.edge], 1.0) * self.share, self.deal_chances)

    def _down(self, factors: np.ndarray, start: np.ndarray) -> np.ndarray:
        """[positions] a product of factors [positions] from the deal on."""
        result = np.empty(len(self.parent))
        result[self.levels[0]] = start
        for level in self.levels[1:]:
            result[level] = result[self.parent[level]] * factors[level]
        return result

    def up(self, chances: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """[positions, …] what is got from there on, when all decide by these chances; `scores` has what ends bring."""
        factors = chances.ravel()[self.edge] * self.share
        result = scores.copy()
        for level, starts, parents in self._families:
            part = (result[level].T * factors[level]).T
            result[parents] = np.add.reduceat(part, starts, axis=0)
        return result


@dataclass(frozen=True, eq=False)
class Tree(WrittenOut):
    """A small game, in which nobody forgets anything."""

    owner: np.ndarray  # [information sets] the seat that decides there
    depth: np.ndarray  # [information sets] how often that seat has decided before
    views: np.ndarray  # [information sets] the hidden copy that its seat is shown

    @cached_property
    def one_position(self) -> np.ndarray:
        """[information sets] one of its positions."""
        deciding = np.flatnonzero(self.seat != END)
        return deciding[np.unique(self.information_set[deciding], return_index=True)[1]]


def listed(game: Game, rules: Rules, most: int = MOST) -> Chance:
    """The part of a game that lists its deals; a Problem where it lists none by these rules, or too many."""
    chance = game.listed(rules, most)
    if chance is None:
        why = "it does not list its deals (the part `chance` of a game)"
        if game.chance is not None:
            why = f"it does not list its deals by the rules {rules}, or has more than {most:,}"
        raise Problem(f"{game.name} cannot be solved exactly: {why}")
    return chance


def write_out(game: Game, rules: Rules) -> Tree:
    """Play every deal in every way. A game that does not list its deals, or is too large, is a Problem."""
    chances, tables = listed(game, rules).deals(game.blank(rules))
    return _Writer(game, rules).write(np.asarray(chances, np.float64), tables)


@dataclass(frozen=True, eq=False)
class _Position:
    """A position that is still to be noted."""

    table: np.ndarray  # [1]
    seen: list[int]  # for each seat, a number for all that it has seen
    decided: list[int]  # how often each seat has decided
    parent: int = END
    action: int = 0


class _Writer:
    """Notes the positions of a game level by level."""

    def __init__(self, game: Game, rules: Rules) -> None:
        self.game, self.rules = game, rules
        self.positions: list[tuple[int, int, int, int]] = []  # parent, action, seat, information set
        self.scores: list[np.ndarray] = []
        self.trails: dict[tuple, int] = {}  # all that a seat can have seen, numbered
        self.looks: list[bytes] = []  # how the table looks to the seat at last, for each of these numbers
        self.sets: dict[int, int] = {}  # from such a number to that of an information set
        self.described: list[tuple[int, int, list[int], np.ndarray]] = []  # owner, depth, legal actions, view

    def write(self, chances: np.ndarray, tables: np.ndarray) -> Tree:
        game, seats = self.game, range(self.game.seats)
        levels: list[slice] = []
        waiting = [
            _Position(table, [self._sees(table, seat) for seat in seats], [0 for _ in seats])
            for table in np.split(tables, len(tables))
        ]
        while waiting:
            levels.append(slice(len(self.positions), len(self.positions) + len(waiting)))
            if levels[-1].stop > MOST:
                raise Problem(f"{game.name} has more than {MOST:,} positions: too many to solve it exactly")
            waiting = [after for position in waiting for after in self._note(position)]
        owner, depth, allowed, views = zip(*self.described, strict=True)
        legal = np.zeros((len(owner), game.spaces.actions.size), bool)
        for row, actions in zip(legal, allowed, strict=True):
            row[actions] = True
        parent, action, seat, information_set = np.array(self.positions).T
        return Tree(
            game, self.rules, levels, chances, parent, action, seat, information_set, np.array(self.scores), legal,
            np.ones(len(parent)), np.array(owner), np.array(depth), np.concatenate(views),
        )  # fmt: skip

    def _note(self, position: _Position) -> list[_Position]:
        """Note one position; returns those that can follow."""
        game, table = self.game, position.table
        seat, number, won = int(game.kernels.to_move(table[0])), len(self.positions), np.zeros(game.seats)
        self.scores.append(won)
        if seat == END:
            game.kernels.scores(table[0], won)
            self.positions.append((position.parent, position.action, END, END))
            return []
        actions = legal_actions(game, table)
        information_set = self._set(position, seat, actions)
        self.positions.append((position.parent, position.action, seat, information_set))
        decided = [times + (each == seat) for each, times in enumerate(position.decided)]
        following = []
        for action in actions:
            after = table.copy()
            game.kernels.apply(after[0], action)
            secret = game.spaces.secret is not None and game.spaces.secret(table, seat, action)
            seen = [
                self._sees(after, each, before, self._hears(each, seat, action, secret))
                for each, before in enumerate(position.seen)
            ]
            following.append(_Position(after, seen, decided, number, action))
        return following

    def _hears(self, seat: int, mover: int, action: int, secret: bool) -> tuple[int, ...]:
        """What a seat hears of an action."""
        if seat == mover or not secret:
            return mover, action
        return () if self.game.spaces.unheard else (mover,)

    def _sees(self, table: np.ndarray, seat: int, before: int = -1, heard: tuple[int, ...] = ()) -> int:
        """The number of all that a seat has seen, from that before, what it has heard and how the table looks now."""
        view = table.copy()
        self.game.kernels.hide(view[0], seat)
        look = view.tobytes()
        if before >= 0 and not heard and look == self.looks[before]:
            return before  # it has noticed nothing
        number = self.trails.setdefault((seat, before, heard, look), len(self.trails))
        if number == len(self.looks):
            self.looks.append(look)
        return number

    def _set(self, position: _Position, seat: int, actions: list[int]) -> int:
        """The information set of the seat to move; a new one is described."""
        number = self.sets.setdefault(position.seen[seat], len(self.sets))
        if number == len(self.described):
            view = position.table.copy()
            self.game.kernels.hide(view[0], seat)
            self.described.append((seat, position.decided[seat], actions, view))
        if self.described[number][2] != actions:
            raise Problem(f"{self.game.name}: seat {seat} cannot know what it may do, so that hide blanks too much")
        return number
