"""The best response to a player in a game whose deals can all be listed: exactly, without the game being written out.

All deals are played at once, part by part. The responder's information sets come up level by level: the tables that
lead to its first decisions, grouped by what it has seen; then, for each action there and each way in which the others
may go on, the tables at its next decisions. The others' chances weigh the tables. When the last level is done, the best
actions are chosen from the last level up; beside them the responder plays as the player itself would. It needs memory
for the tables of one part alone.

What a seat has seen is a number of 64 bits, as in search/tree.py: made of how the table looked to it after every
decision, of its own actions, and of those of the others. In a game with secret decisions it hears of others' actions by
how the table looks. Two histories of one part would have the same number once in some 10 to the power of 9 games.

Three things save time. A player is asked once for many tables: each core remembers what the player has told at the
last million views. Where nobody has a choice any more, nobody looks: the table is played to its end. And against a
player who plays alike whatever things are called that mean the same, deals that look to the responder as others do but
for such names are left out, and the others count for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from queue import Empty, SimpleQueue
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game, Policy, Rules
from tefuda.engine.solution import renamer_of
from tefuda.kernel.bits import count_words, next_of_words
from tefuda.kernel.compile import kernel as counted_kernel
from tefuda.kernel.hashing import hash_of, mixed_in
from tefuda.kernel.threads import run_chunks
from tefuda.progress import Progress
from tefuda.search.asking import asking_of
from tefuda.search.tree import listed

kernel = partial(counted_kernel, counted=False)  # many arrays are handed on

MOST_DEALS = 10_000_000
AT_ONCE = 2000  # deals that are played side by side, or all that look the same to the responder at first
WEIGHT, NEXT, RANK, FORCED = 0, 1, 2, 3  # of a frame: how likely its table is; which action is tried next, and how many
NEW = -1  # were before it, NEW before the first look; whether it is known that forced moves lead from here to a choice
FULL = -1
PLACES = 1 << 20  # views that a core remembers; the newer of two that have the same place
WIDTH = 8  # actions of a decision that is remembered, at most


@dataclass(frozen=True)
class Response:
    """What the player itself gets in a seat and what a best response gets there, and how much was gone through."""

    itself: float
    value: float
    information_sets: int  # in which the responder has a choice
    tables: int  # that the play of both leads to


class Opposition:
    """A compiled player in all seats but the responder's."""

    def __init__(self, game: Game, rules: Rules, policy: Policy, params: np.ndarray, samples: int, seed: int) -> None:
        """`samples`: how often a player that does not tell its chances is asked for each decision."""
        self.game, self.rules, self.policy = game, rules, policy
        self.chance = listed(game, rules, MOST_DEALS)
        self.params = np.concatenate([params, np.zeros(1)])  # never an empty array: kernels need a place
        self.asking = np.array([samples, seed], np.int64)
        self.kernels = _kernels_of(game, policy)
        self.depth = game.decisions_at_most(rules)
        self.free: SimpleQueue[tuple[np.ndarray, ...]] = SimpleQueue()  # scratch space that no core uses now

    def response(self, seat: int, threads: int | None = None) -> Response:
        """The most that a seat can get against the player in all others, and what the player gets there."""
        total = np.zeros(4)
        for found in self._over_all(seat, threads):
            total += found
        return Response(float(total[0]), float(total[1]), int(total[2]), int(total[3]))

    def _over_all(self, seat: int, threads: int | None) -> Iterator[np.ndarray]:
        """What each of the pieces gives into which the deals are cut."""
        number = self.chance.number(self.rules) if self.chance.number is not None else None
        done = 0
        with Progress(f"a best response in seat {seat}", number or 1, "deals") as progress:
            for chances, tables in self.chance.in_parts(self.game.blank(self.rules)):
                dealt = len(tables)
                chances, tables, trails = self._first_trails(seat, np.asarray(chances, np.float64), tables)

                def work(first: int, last: int, part: tuple = (chances, tables, trails)) -> np.ndarray:
                    return self._piece(seat, *(each[first:last] for each in part))

                for _, last, found in run_chunks(work, _pieces(trails), threads):
                    progress.update(min(number or 1, done + last * dealt // len(tables)))
                    yield found
                done += dealt

    def _first_trails(self, seat: int, chances: np.ndarray, tables: np.ndarray) -> tuple[np.ndarray, ...]:
        """The deals that are played, in the order of how they look to a seat: chances, tables and trails."""
        trails, numbers = np.zeros((2, len(tables)), np.uint64)
        self.kernels.look_at(tables, seat, trails, numbers, self._scratch())
        order = np.argsort(trails, kind="stable")
        chances, tables, trails, numbers = chances[order], tables[order], trails[order], numbers[order]
        if self.policy.alike:
            _, first, group = np.unique(numbers, return_index=True, return_inverse=True)
            kept = trails == trails[first][group]  # what looks as the first of those that mean the same
            counts = np.bincount(group, chances) / np.bincount(group[kept], chances[kept])
            chances, tables, trails = (chances * counts[group])[kept], tables[kept], trails[kept]
        return chances, tables, trails

    def _piece(self, seat: int, chances: np.ndarray, tables: np.ndarray, trails: np.ndarray) -> np.ndarray:
        """Some deals, all that look the same to the responder among them: the numbers of a `Response`."""
        try:
            scratch = self.free.get_nowait()
        except Empty:
            scratch = self._scratch()
        counted, start, sets = np.zeros(1, np.int64), np.zeros(1), 0
        edges = np.zeros(len(tables), np.int64)
        level = self._follow(seat, (tables, chances, trails, edges), True, edges, start, scratch, counted)
        brought, above = [start], []  # of every level: what ends behind its edges; the edge above each information set
        while len(level[0]):
            _, first, group = np.unique(level[2], return_index=True, return_inverse=True)
            number = np.zeros(len(first) + 1, np.int64)  # each information set has an edge for each legal action
            self.kernels.count_legal(level[0], first, number, scratch)
            starts = np.cumsum(number)
            likely, ended = np.zeros(int(starts[-1])), np.zeros(int(starts[-1]))
            self.kernels.ask_at(level[0], first, seat, scratch, self.params, self.asking, starts, likely)
            above.append((level[3][first], starts, likely))
            sets += len(first)
            level = self._follow(seat, level, False, starts[group], ended, scratch, counted)
            brought.append(ended)
        self.free.put(scratch)
        own = [each.copy() for each in brought]  # where the player itself decides
        while above:
            (edge, starts, likely), best, usual = above.pop(), brought.pop(), own.pop()
            np.add.at(brought[-1], edge, np.maximum.reduceat(best, starts[:-1]))
            np.add.at(own[-1], edge, np.add.reduceat(usual * likely, starts[:-1]))
        return np.array([own[0][0], brought[0][0], sets, counted[0]])

    def _follow(
        self, seat: int, level: tuple[np.ndarray, ...], dealt: bool, first_edges: np.ndarray, brought: np.ndarray,
        scratch: tuple, counted: np.ndarray,
    ) -> tuple[np.ndarray, ...]:  # fmt: skip
        """All tables at the responder's next decisions: tables, weights, trails and the edges that lead to them.

        What ends before that is added to `brought`, by its edge."""
        room = max(1024, 4 * len(level[0]))
        out, filled, at = self._room(room), 0, 0
        while True:
            at, filled = self.kernels.follow_all(
                level[:3], dealt, first_edges, at, seat, scratch, self.params, self.asking, brought, counted, out,
                filled,
            )  # fmt: skip
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
        """Scratch space for one core, and what it remembers of the player."""
        game, depth, policy = self.game, self.depth + 1, self.policy
        actions, words = game.spaces.actions.size, game.spaces.mask_words
        keys = np.zeros(PLACES, np.uint64)
        keys[0] = 1  # which belongs to another place: nothing is remembered yet
        return (
            np.zeros(depth, game.State), np.zeros(1, game.State), np.zeros((depth + 1, words), np.uint64),
            np.zeros(max(1, policy.worlds), game.State), np.zeros(max(actions, policy.numbers)),
            np.zeros((depth + 1, actions)), np.zeros((depth, 4)), np.zeros((depth, 2), np.uint64),
            np.zeros(1, np.uint64), np.zeros(game.seats), np.zeros(actions), np.zeros(actions), keys,
            np.zeros((PLACES, WIDTH)),
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
    actions, last_place = game.spaces.actions.size, np.uint64(PLACES - 1)
    told = game.spaces.secret is None  # all hear of all actions
    hashed, rename, ask = hash_of(game.State), renamer_of(game), asking_of(game, policy)

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
    def look_at(tables, seat, trails, numbers, scratch):
        """How tables look to a seat, as they are and with what means the same renamed."""
        view, names = scratch[1], scratch[11]
        for i in range(tables.shape[0]):
            trails[i] = look(tables[i], seat, view)
            rename(view[0], names)
            numbers[i] = hashed(view[0])

    @kernel
    def count_legal(tables, first, starts, scratch):
        """How many actions are legal in each information set, by its first table: into starts[1:]."""
        mask = scratch[2]
        for i in range(first.shape[0]):
            legal(tables[first[i]], mask[0])
            starts[i + 1] = count_words(mask[0])

    @kernel
    def weigh(table, mover, mask, scratch, params, asking, chances):
        """The chances of the legal actions of a seat at a table, lowest first; as remembered where it was asked."""
        view, worlds, numbers, rng, whole, keys, known = (
            scratch[1], scratch[3], scratch[4], scratch[8], scratch[11], scratch[12], scratch[13],
        )  # fmt: skip
        key = mixed_in(look(table, mover, view), mover)
        place, legal_actions = np.int64(key & last_place), count_words(mask)
        if keys[place] == key and legal_actions <= WIDTH:
            for rank in range(legal_actions):
                chances[rank] = known[place, rank]
            return
        for action in range(actions):
            whole[action] = 0.0
        ask(view, mover, params, mask, worlds, numbers, rng, asking, whole)
        rank, total, action = 0, 0.0, next_of_words(mask, 0)
        while action >= 0:
            chances[rank] = whole[action]
            total += whole[action]
            rank += 1
            action = next_of_words(mask, action + 1)
        for rank in range(legal_actions):
            chances[rank] /= total
        if legal_actions <= WIDTH:
            keys[place] = key
            for rank in range(legal_actions):
                known[place, rank] = chances[rank]

    @kernel
    def ask_at(tables, first, seat, scratch, params, asking, starts, likely):
        """The chances by which the player itself would act in the responder's information sets."""
        mask = scratch[2]
        for i in range(first.shape[0]):
            legal(tables[first[i]], mask[0])
            weigh(tables[first[i]], seat, mask[0], scratch, params, asking, likely[starts[i] :])

    @kernel
    def ends(stack, depth, masks, counted):
        """Whether nobody has a choice any more; then stack[depth] is played to its end."""
        stack[depth + 1] = stack[depth]
        steps = 0
        while to_move(stack[depth + 1]) >= 0:
            legal(stack[depth + 1], masks[depth + 1])
            if count_words(masks[depth + 1]) > 1:
                return False
            apply(stack[depth + 1], next_of_words(masks[depth + 1], 0))
            steps += 1
        stack[depth] = stack[depth + 1]
        counted[0] += steps
        return True

    @kernel
    def follow(seat, edge, weight, trail, looked, place, scratch, params, asking, ended, counted, out, filled):
        """Play a table, stack[0], on in every way of the others; returns how far `out` is filled, or FULL."""
        stack, view, masks, chances, frames, marks, won = (
            scratch[0], scratch[1], scratch[2], scratch[5], scratch[6], scratch[7], scratch[9],
        )  # fmt: skip
        depth = 0
        frames[0, WEIGHT], frames[0, NEXT], frames[0, FORCED] = weight, NEW, 0.0
        marks[0, 0], marks[0, 1] = trail, looked
        while depth >= 0:
            mover = to_move(stack[depth])
            if frames[depth, NEXT] == NEW:
                counted[0] += 1
                forced = False
                if mover >= 0:
                    legal(stack[depth], masks[depth])
                    forced = count_words(masks[depth]) == 1
                    if forced and frames[depth, FORCED] == 0.0 and ends(stack, depth, masks, counted):
                        mover = -1
                if mover < 0:
                    scores(stack[depth], won)
                    ended[place] += frames[depth, WEIGHT] * won[seat]
                    depth -= 1
                    continue
                if forced:
                    chances[depth, 0] = 1.0
                elif mover == seat:
                    if filled == out[0].shape[0]:
                        return FULL
                    out[0][filled] = stack[depth]
                    out[1][filled] = frames[depth, WEIGHT]
                    out[2][filled] = marks[depth, 0]
                    out[3][filled] = edge
                    filled += 1
                    depth -= 1
                    continue
                else:
                    weigh(stack[depth], mover, masks[depth], scratch, params, asking, chances[depth])
                frames[depth, NEXT], frames[depth, RANK] = 0, 0
                frames[depth + 1, FORCED] = 1.0 if forced else 0.0
            action = next_of_words(masks[depth], int(frames[depth, NEXT]))
            if action < 0:
                depth -= 1
                continue
            chance = chances[depth, int(frames[depth, RANK])]
            frames[depth, NEXT] = action + 1
            frames[depth, RANK] += 1
            if chance <= 0.0:
                continue
            stack[depth + 1] = stack[depth]
            apply(stack[depth + 1], action)
            frames[depth + 1, WEIGHT] = frames[depth, WEIGHT] * chance
            frames[depth + 1, NEXT] = NEW
            now = look(stack[depth + 1], seat, view)
            marks[depth + 1, 0] = notice(marks[depth, 0], marks[depth, 1], now, mover, action)
            marks[depth + 1, 1] = now
            depth += 1
        return filled

    @kernel
    def follow_all(
        level, dealt, first_edges, at, seat, scratch, params, asking, brought, counted, out, filled
    ):  # fmt: skip
        """Take every action at every table of a level from `at` on, and play on; returns how far it came.

        A table whose followers do not fit into `out` any more is left for the next call."""
        tables, weights, trails = level
        stack, view, masks, ended = scratch[0], scratch[1], scratch[2], scratch[10]
        last = masks.shape[0] - 1
        while at < tables.shape[0]:
            kept, edges, before = filled, 1, counted[0]
            ended[0] = 0.0
            if dealt:
                stack[0] = tables[at]
                looked = look(tables[at], seat, view)
                filled = follow(
                    seat, first_edges[at], weights[at], trails[at], looked, 0, scratch, params, asking, ended, counted,
                    out, filled,
                )  # fmt: skip
            else:
                legal(tables[at], masks[last])
                edges = 0
                action = next_of_words(masks[last], 0)
                while action >= 0 and filled != FULL:
                    ended[edges] = 0.0
                    stack[0] = tables[at]
                    apply(stack[0], action)
                    now = look(stack[0], seat, view)
                    trail = mixed_in(mixed_in(trails[at], seat * actions + action), now)
                    filled = follow(
                        seat, first_edges[at] + edges, weights[at], trail, now, edges, scratch, params, asking, ended,
                        counted, out, filled,
                    )  # fmt: skip
                    edges += 1
                    action = next_of_words(masks[last], action + 1)
            if filled == FULL:
                counted[0] = before
                return at, kept
            for edge in range(edges):
                brought[first_edges[at] + edge] += ended[edge]
            at += 1
        return at, filled

    return SimpleNamespace(look_at=look_at, count_legal=count_legal, ask_at=ask_at, follow_all=follow_all)
