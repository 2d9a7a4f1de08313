"""The best response to a player in a game whose deals can all be listed: exactly, without the game being written out.

All deals are played at once, part by part. The responder's information sets come up level by level: the tables that
lead to its first decisions, grouped by what it has seen; then, for each action there and each way in which the others
may go on, the tables at its next decisions. The others' chances weigh the tables. When the last level is done, the best
actions are chosen from the last level up. It needs memory for the tables of one part alone.

What a seat has seen is a number of 64 bits, as in search/tree.py: made of how the table looked to it after every
decision, of its own actions, and of those of the others. In a game with secret decisions it hears of others' actions by
how the table looks. Two histories of one part would have the same number once in some 10 to the power of 9 games.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy, Rules
from tefuda.kernel.bits import count_words, next_of_words
from tefuda.kernel.compile import kernel as counted_kernel
from tefuda.kernel.hashing import hash_of, mixed_in
from tefuda.kernel.random import CHECK, stream
from tefuda.kernel.threads import run_chunks
from tefuda.progress import Progress
from tefuda.search.tree import listed

kernel = partial(counted_kernel, counted=False)  # many arrays are handed on

MOST_DEALS = 10_000_000
AT_ONCE = 2000  # deals that are played side by side, or all that look the same to the responder at first
NOBODY = -1
WEIGHT, NEXT = 0, 1  # of a frame: how likely its table is, and which action is tried next, NOBODY before the first look
FULL = -1


@dataclass(frozen=True)
class Response:
    """What a best response gets in a seat, and how many information sets it has there."""

    value: float
    information_sets: int


@dataclass(frozen=True)
class Itself:
    """What a player gets in each seat with itself in all others, and how many tables its play leads to."""

    values: list[float]
    tables: int


class Opposition:
    """A compiled player in all seats, or in all but the responder's."""

    def __init__(self, game: Game, rules: Rules, policy: Policy, params: np.ndarray, samples: int, seed: int) -> None:
        """`samples`: how often a player that does not tell its chances is asked for each decision."""
        self.game, self.rules, self.policy = game, rules, policy
        self.chance = listed(game, rules, MOST_DEALS)
        self.params = np.concatenate([params, np.zeros(1)])  # never an empty array: kernels need a place
        self.asking = np.array([samples, seed], np.int64)
        self.kernels = _kernels_of(game, policy)
        self.depth = game.decisions_at_most(rules)

    def itself(self, threads: int | None = None) -> Itself:
        """What the player gets against itself, over all deals."""
        totals = np.zeros(self.game.seats + 1)
        for found in self._over_all(NOBODY, threads, "its own score"):
            totals += found
        return Itself(totals[:-1].tolist(), int(totals[-1]))

    def response(self, seat: int, threads: int | None = None) -> Response:
        """The most that a seat can get against the player in all others."""
        value, sets = 0.0, 0
        for found in self._over_all(seat, threads, f"a best response in seat {seat}"):
            value, sets = value + found[0], sets + int(found[1])
        return Response(value, sets)

    def _over_all(self, seat: int, threads: int | None, what: str) -> Iterator[np.ndarray]:
        """What each of the pieces gives into which the deals are cut."""
        number = self.chance.number(self.rules) if self.chance.number is not None else None
        done = 0
        with Progress(what, number or 1, "deals") as progress:
            for chances, tables in self.chance.in_parts(self.game.blank(self.rules)):
                chances = np.asarray(chances, np.float64)
                trails = np.zeros(len(tables), np.uint64)
                self.kernels.look_at(tables, seat, trails, self._scratch())
                order = np.argsort(trails, kind="stable")
                chances, tables, trails = chances[order], tables[order], trails[order]

                def work(first: int, last: int, part: tuple = (chances, tables, trails)) -> np.ndarray:
                    return self._piece(seat, *(each[first:last] for each in part))

                for _, last, found in run_chunks(work, _pieces(trails), threads):
                    progress.update(min(number or 1, done + last))
                    yield found
                done += len(tables)

    def _piece(self, seat: int, chances: np.ndarray, tables: np.ndarray, trails: np.ndarray) -> np.ndarray:
        """Some deals, all that look the same to the responder among them: its best value and its information sets."""
        scratch, totals = self._scratch(), np.zeros(self.game.seats + 1)
        start = np.zeros(1)
        edges = np.zeros(len(tables), np.int64)
        level = self._follow(seat, (tables, chances, trails, edges), True, edges, start, scratch, totals)
        if seat == NOBODY:
            return totals
        gained, above = [start], []  # of every level: what its edges bring, and the edge above each information set
        sets = 0
        while len(level[0]):
            _, first, group = np.unique(level[2], return_index=True, return_inverse=True)
            number = np.zeros(len(first) + 1, np.int64)  # each information set has an edge for each legal action
            self.kernels.count_legal(level[0], first, number, scratch)
            starts = np.cumsum(number)
            above.append((level[3][first], starts))
            brought = np.zeros(int(starts[-1]))
            sets += len(first)
            level = self._follow(seat, level, False, starts[group], brought, scratch, totals)
            gained.append(brought)
        while above:
            (edge, starts), brought = above.pop(), gained.pop()
            np.add.at(gained[-1], edge, np.maximum.reduceat(brought, starts[:-1]))
        return np.array([gained[0][0], sets])

    def _follow(
        self, seat: int, level: tuple[np.ndarray, ...], dealt: bool, first_edges: np.ndarray, brought: np.ndarray,
        scratch: tuple, totals: np.ndarray,
    ) -> tuple[np.ndarray, ...]:  # fmt: skip
        """All tables at the responder's next decisions: tables, weights, trails and the edges that lead to them.

        What ends before that is added to `brought`, by its edge."""
        room = max(1024, 4 * len(level[0]))
        out, filled, at = self._room(room), 0, 0
        while True:
            at, filled = self.kernels.follow_all(
                level[:3], dealt, first_edges, at, seat, scratch, self.params, self.asking, brought, totals, out, filled
            )
            if at == len(level[0]):
                return tuple(each[:filled] for each in out)
            room *= 2
            larger = self._room(room)
            for new, old in zip(larger, out, strict=True):
                new[:filled] = old[:filled]
            out = larger

    def _room(self, room: int) -> tuple[np.ndarray, ...]:
        return np.zeros(room, self.game.State), np.zeros(room), np.zeros(room, np.uint64), np.zeros(room, np.int64)

    def _scratch(self) -> tuple[np.ndarray, ...]:
        """Scratch space for one core."""
        game, depth, policy = self.game, self.depth + 1, self.policy
        actions, words = game.spaces.actions.size, game.spaces.mask_words
        return (
            np.zeros(depth, game.State), np.zeros(1, game.State), np.zeros((2, words), np.uint64),
            np.zeros(max(1, policy.worlds), game.State), np.zeros(max(actions, policy.numbers)),
            np.zeros((depth, actions)), np.zeros((depth, 2)), np.zeros((depth, 2), np.uint64),
            np.zeros(1, np.uint64), np.zeros(game.seats), np.zeros(actions),
        )  # fmt: skip


def _pieces(trails: np.ndarray) -> Iterator[tuple[int, int]]:
    """Cut sorted deals where the responder sees a difference."""
    ends = np.append(np.flatnonzero(trails[1:] != trails[:-1]) + 1, len(trails))
    first = 0
    for end in ends.tolist():
        if end - first >= AT_ONCE or end == len(trails):
            yield first, end
            first = end


@cache
def _kernels_of(game: Game, policy: Policy) -> SimpleNamespace:
    """The kernels that play on, with one player in the seats that are not the responder's."""
    to_move, legal, apply, scores, hide = (
        game.kernels.to_move, game.kernels.legal, game.kernels.apply, game.kernels.scores, game.kernels.hide,
    )  # fmt: skip
    actions, seats = game.spaces.actions.size, game.seats
    told = game.spaces.secret is None  # all hear of all actions
    hashed, ask = hash_of(game.State), _asking(game, policy)

    @kernel
    def look(table, seat, view):
        """How a table looks to a seat, as a number."""
        view[0] = table
        hide(view[0], seat)
        return hashed(view[0])

    @kernel
    def notice(seen, looked, now, mover, action):
        """All that a seat has seen, from that before, how the table looked then and looks now, and what was done."""
        if not told and looked == now:
            return seen
        return mixed_in(mixed_in(seen, mover * actions + action) if told else seen, now)

    @kernel
    def look_at(tables, seat, trails, scratch):
        for i in range(tables.shape[0]):
            trails[i] = look(tables[i], seat, scratch[1]) if seat >= 0 else np.uint64(i)

    @kernel
    def count_legal(tables, first, starts, scratch):
        """How many actions are legal in each information set, by its first table: into starts[1:]."""
        mask = scratch[2]
        for i in range(first.shape[0]):
            legal(tables[first[i]], mask[0])
            starts[i + 1] = count_words(mask[0])

    @kernel
    def weigh(table, mover, scratch, params, asking, chances):
        """The chances of a seat's actions at a table; where it has no choice it is not asked."""
        view, mask, worlds, numbers, rng = scratch[1], scratch[2], scratch[3], scratch[4], scratch[8]
        for action in range(actions):
            chances[action] = 0.0
        view[0] = table
        hide(view[0], mover)
        legal(view[0], mask[1])
        if count_words(mask[1]) == 1:
            chances[next_of_words(mask[1], 0)] = 1.0
            return
        ask(view, mover, params, mask[1], worlds, numbers, rng, asking, chances)
        total = 0.0
        for action in range(actions):
            total += chances[action]
        for action in range(actions):
            chances[action] /= total

    @kernel
    def follow(seat, edge, weight, trail, looked, place, scratch, params, asking, ended, totals, out, filled):
        """Play a table, stack[0], on in every way of the others; returns how far `out` is filled, or FULL."""
        stack, view, chances, frames, marks, won = (
            scratch[0], scratch[1], scratch[5], scratch[6], scratch[7], scratch[9],
        )  # fmt: skip
        depth = 0
        frames[0, WEIGHT], frames[0, NEXT] = weight, NOBODY
        marks[0, 0], marks[0, 1] = trail, looked
        while depth >= 0:
            if frames[depth, NEXT] == NOBODY:
                totals[seats] += 1.0
                mover = to_move(stack[depth])
                if mover < 0:
                    scores(stack[depth], won)
                    if seat >= 0:
                        ended[place] += frames[depth, WEIGHT] * won[seat]
                    for each in range(seats):
                        totals[each] += frames[depth, WEIGHT] * won[each]
                    depth -= 1
                    continue
                if mover == seat:
                    if filled == out[0].shape[0]:
                        return FULL
                    out[0][filled] = stack[depth]
                    out[1][filled] = frames[depth, WEIGHT]
                    out[2][filled] = marks[depth, 0]
                    out[3][filled] = edge
                    filled += 1
                    depth -= 1
                    continue
                weigh(stack[depth], mover, scratch, params, asking, chances[depth])
                frames[depth, NEXT] = 0
            action = int(frames[depth, NEXT])
            while action < actions and chances[depth, action] <= 0.0:
                action += 1
            if action == actions:
                depth -= 1
                continue
            frames[depth, NEXT] = action + 1
            mover = to_move(stack[depth])
            stack[depth + 1] = stack[depth]
            apply(stack[depth + 1], action)
            frames[depth + 1, WEIGHT] = frames[depth, WEIGHT] * chances[depth, action]
            frames[depth + 1, NEXT] = NOBODY
            if seat >= 0:
                now = look(stack[depth + 1], seat, view)
                marks[depth + 1, 0] = notice(marks[depth, 0], marks[depth, 1], now, mover, action)
                marks[depth + 1, 1] = now
            depth += 1
        return filled

    @kernel
    def follow_all(
        level, dealt, first_edges, at, seat, scratch, params, asking, brought, totals, out, filled
    ):  # fmt: skip
        """Take every action at every table of a level from `at` on, and play on; returns how far it came.

        A table whose followers do not fit into `out` any more is left for the next call."""
        tables, weights, trails = level
        stack, view, mask, ended = scratch[0], scratch[1], scratch[2], scratch[10]
        while at < tables.shape[0]:
            kept, edges = filled, 1
            looked = look(tables[at], seat, view) if seat >= 0 else np.uint64(0)
            ended[0] = 0.0
            if dealt:
                stack[0] = tables[at]
                filled = follow(
                    seat, first_edges[at], weights[at], trails[at], looked, 0, scratch, params, asking, ended, totals,
                    out, filled,
                )  # fmt: skip
            else:
                legal(tables[at], mask[0])
                edges = 0
                action = next_of_words(mask[0], 0)
                while action >= 0 and filled != FULL:
                    ended[edges] = 0.0
                    stack[0] = tables[at]
                    apply(stack[0], action)
                    now = look(stack[0], seat, view)
                    trail = mixed_in(mixed_in(trails[at], seat * actions + action), now)
                    filled = follow(
                        seat, first_edges[at] + edges, weights[at], trail, now, edges, scratch, params, asking,
                        ended, totals, out, filled,
                    )  # fmt: skip
                    edges += 1
                    action = next_of_words(mask[0], action + 1)
            if filled == FULL:
                return at, kept
            for edge in range(edges):
                brought[first_edges[at] + edge] += ended[edge]
            at += 1
        return at, filled

    return SimpleNamespace(look_at=look_at, count_legal=count_legal, follow_all=follow_all)


def _asking(game: Game, policy: Policy) -> Any:
    """The kernel that writes a policy's chances: as it tells them, or as it is seen to play when it is asked often."""
    tell, choose = policy.chances, policy.choose
    if tell is not None:

        @kernel
        def told(view, seat, params, mask, worlds, numbers, rng, asking, chances):
            tell(view[0], seat, params, mask, worlds, numbers, chances)

        return told

    hashed = hash_of(game.State)

    @kernel
    def asked(view, seat, params, mask, worlds, numbers, rng, asking, chances):
        number = hashed(view[0])
        for sample in range(asking[0]):
            rng[0] = stream(np.uint64(asking[1]) ^ number, sample, seat, CHECK)
            chances[choose(view[0], seat, params, rng, mask, worlds, numbers)] += 1.0

    return asked
