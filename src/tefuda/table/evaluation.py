"""What each legal action is worth: every one is tried in the same guessed worlds, and a chosen player plays them on.

    evaluation = Evaluation(view, player)
    for values in evaluation.search(seconds=2):     # first values soon, then better ones
        print(values)
    values = evaluation.more(1000)                  # a thousand worlds on top of those already played

All that is shown or kept is a `Values`: a hint at the table, `tefuda hint`, `tefuda.evaluate`, a page that is told of
every step. Since all actions meet the same worlds, what an action loses against the best is known far better than
either value: the interval of a loss is that of the paired difference.
"""

import math
import random
import time
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Name
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.errors import Problem, counted
from tefuda.files.frames import Columns, Framed
from tefuda.intervals import Interval, interval_of
from tefuda.kernel.random import PLAYER, SEARCH, stream
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.kernel.watch import watch
from tefuda.players.asking import answer, made
from tefuda.players.entrant import Entrant
from tefuda.table.table import Table, View

MOST_WORLDS = 1_000_000
FIRST_WORLDS = 8  # before the first values are told
STEP = 0.25  # seconds between one telling and the next, about
THIS_ROUND, FINAL_SCORE = Name("この局の得点", "points this round"), Name("最後の得点", "final score")
PIECES = 4  # of a step for each core, so that none waits for long


def unit_of(game: Game) -> Name:
    """In what `this_round` values moves."""
    return THIS_ROUND if game.kernels.end_here else FINAL_SCORE


def action_name(view: View, action: int) -> Name:
    """What an action is called at the table of a view."""
    return Name(*(view.game.words.action_name(view.state, action, lang) for lang in ("ja", "en", "both")))


@dataclass(frozen=True)
class Valued:
    """An action with the mean score that follows it, and what it loses against the best one."""

    action: int
    name: Name  # as it is called at this table
    value: Interval
    loss: Interval  # the paired difference to the best action; 0 for that one

    @property
    def equal(self) -> bool:
        """Whether it is the best, or cannot be told apart from it: the interval of its loss reaches 0."""
        return self.loss.low <= 0.0

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "action": self.action, "name": self.name.en, "value": self.value.data(), "loss": self.loss.data(),
            "equal": self.equal,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class Values(Framed, Sequence[Valued]):
    """The legal actions with their values, best first."""

    moves: tuple[Valued, ...]
    worlds: int  # guessed worlds in which each of them was tried
    player: str  # who played on
    seed: int

    def __len__(self) -> int:
        return len(self.moves)

    @overload
    def __getitem__(self, place: int) -> Valued: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Valued]: ...
    def __getitem__(self, place: int | slice) -> Valued | Sequence[Valued]:
        return self.moves[place]

    @property
    def equals(self) -> tuple[Valued, ...]:
        """The best action, and all that cannot be told apart from it."""
        return tuple(valued for valued in self.moves if valued.equal)

    def data(self) -> dict[str, Any]:
        """For JSON."""
        moves = [valued.data() for valued in self.moves]
        return {"player": self.player, "worlds": self.worlds, "seed": self.seed, "moves": moves}

    def columns(self) -> Columns:
        """A row for each move."""
        rows = [
            {
                "action": valued.action, "move": valued.name.en, "value": valued.value.mean, "low": valued.value.low,
                "high": valued.value.high, "loss": valued.loss.mean, "loss_low": valued.loss.low,
                "loss_high": valued.loss.high, "equal": valued.equal,
            }
            for valued in self.moves
        ]  # fmt: skip
        return {key: [row[key] for row in rows] for key in rows[0]}

    def heading(self) -> str:
        return f"{counted(self.worlds, 'guessed world')}, then {self.player}"

    def __repr__(self) -> str:
        best = self.moves[0]
        tried = f"{counted(len(self), 'move')} in {counted(self.worlds, 'world')}"
        return f"<{tried}, best {best.name.en} {best.value.text(2)}>"

    def __str__(self) -> str:
        """A line for each move: its value, what it loses, its name."""
        rows = [("best" if valued is self.moves[0] else valued.loss.text(3, sign=False)) for valued in self.moves]
        width = max(map(len, rows))
        lines = [
            f"{valued.value.mean:+8.3f}  {row:>{width}} {'=' if valued.equal else ' '} {valued.name.en}"
            for valued, row in zip(self.moves, rows, strict=True)
        ]
        return "\n".join(
            [f"{'value':>8}  {'loses':>{width}}   {counted(self.worlds, 'world')}, then {self.player}", *lines]
        )


class Evaluation:
    """The values of the legal actions of one view, which get better with every world that is played.

    Whatever the steps in which worlds are played, so many worlds give the same values.
    """

    def __init__(
        self, view: View, player: Entrant, seed: int = 0, threads: int | None = None, this_round: bool = False,
        actions: Sequence[int] | None = None,
    ) -> None:  # fmt: skip
        """`this_round`: value what this round adds to the scores, where the game can end with a round. `actions`: value
        these legal actions alone; all when not given."""
        game = view.game
        if int(game.kernels.to_move(view.state[0])) != view.seat:
            raise Problem(f"seat {view.seat} is not to move: only the seat that decides now has actions to value")
        seed, threads = outside.seed(seed), outside.threads(threads)
        self.view, self.player, self.seed, self.threads = copy(view), player, seed, threads
        self.seconds = 0.0  # spent on searching
        tried = view.legal if actions is None else list(actions)
        self.actions = np.array(tried)
        self.names = [action_name(view, action) for action in tried]
        self.so_far = 0.0  # what the seat has already, where only a round is valued
        if this_round and game.kernels.end_here:
            self.view.state = view.state.copy()
            game.kernels.end_here(self.view.state[0])
            scores = np.zeros(game.seats)
            game.kernels.scores(self.view.state[0], scores)
            self.so_far = float(scores[view.seat])
        self.results = np.zeros((0, len(self.actions)))  # [worlds, actions]
        self._one_for_all = made(player) if player.form == "batch" else None

    @property
    def worlds(self) -> int:
        """How many were played so far."""
        return len(self.results)

    def more(self, worlds: int) -> Values:
        """Play so many worlds on top of those already played."""
        outside.whole("games", worlds, 1, MOST_WORLDS - self.worlds)
        self._play(worlds)
        return self.values()

    def search(self, seconds: float = math.inf, most: int = MOST_WORLDS) -> Iterator[Values]:
        """Play more worlds for so long, or until there are `most` in all; gives the values after every step."""
        left, size = seconds, FIRST_WORLDS
        while self.worlds < most and left > 0:
            started, size = _now(), min(size, most - self.worlds)
            self._play(size)
            passed = max(_now() - started, 1e-6)
            self.seconds += passed
            left -= passed
            yield self.values()
            size = max(1, int(size / passed * min(STEP, left)))

    def values(self) -> Values:
        """What the worlds say that were played so far."""
        if not self.worlds:
            raise Problem("no world was played yet: ask for some with more() or search()")
        means = self.results.mean(axis=0)
        order = np.argsort(-means, kind="stable")
        best = self.results[:, order[0]]
        moves = tuple(
            Valued(
                int(self.actions[place]), self.names[place], interval_of(self.results[:, place]),
                interval_of(best - self.results[:, place]) if place != order[0] else Interval(0.0, 0.0, 0.0),
            )
            for place in order
        )  # fmt: skip
        return Values(moves, self.worlds, self.player.name, self.seed)

    def _play(self, worlds: int) -> None:
        """The next worlds. They count once all of them are played: an interrupted step changes nothing."""
        first, last = self.worlds, self.worlds + worlds
        if self.player.form == "compiled":
            found = self._play_compiled(first, last)
        else:
            found = [self._play_one(number) for number in range(first, last)]
        self.results = np.concatenate([self.results, *(results - self.so_far for results in found)])

    def _play_compiled(self, first: int, last: int) -> list[np.ndarray]:
        view, game = self.view, self.view.game
        players, sitting = seated(game, [self.player]), np.zeros(game.seats, np.int64)
        try_actions = loops_of(game).try_actions

        def work(start: int, end: int) -> np.ndarray:
            results, world = np.zeros((end - start, len(self.actions))), np.zeros(1, game.State)
            try_actions(
                view.state, view.seat, self.actions, start, end, self.seed, sitting, players,
                scratch(game, [self.player]), world, results,
            )  # fmt: skip
            return results

        size = -(-(last - first) // (PIECES * (self.threads or cores())))
        pieces = [(first + start, first + end) for start, end in chunks(last - first, size)]
        return [results for _, _, results in run_chunks(work, pieces, self.threads)]

    def _play_one(self, number: int) -> np.ndarray:
        """One world by a player of one's own, who sits down now: it is the same world as for a compiled player."""
        seat = self.view.seat
        world = self.view.guess(_Begun(int(stream(self.seed, number, seat, SEARCH))))
        results = np.zeros((1, len(self.actions)))
        for place, action in enumerate(self.actions):
            table = world.copy()
            for each, luck in enumerate(table.randoms):
                luck.seed(int(stream(self.seed, number, each, PLAYER)))
            table.apply(int(action))
            results[0, place] = self._play_on(table, number, place)[seat]
        return results

    def _play_on(self, table: Table, number: int, place: int) -> np.ndarray:
        sitting: dict[int, Any] = {}
        while not table.over:
            seat, where = table.to_move, f"player {self.player.name}, world {number}, seat {table.to_move}"
            if seat not in sitting:
                sitting[seat] = made(self.player) if self._one_for_all is None else self._one_for_all
            table.apply(answer(self.player, sitting[seat], table.view(seat), where, (number, place)))
        return table.scores


class _Begun(random.Random):
    """Gives the state with which a stream begins, so that `View.guess` makes the world of that stream."""

    def __init__(self, begin: int) -> None:
        super().__init__(0)
        self.begin = begin

    def getrandbits(self, bits: int, /) -> int:
        return self.begin


def _now() -> float:
    """Seconds, without those that went into compiling."""
    return time.perf_counter() - watch.seconds


def evaluate(view: View, player: Entrant, games: int = 300, seed: int = 0, threads: int | None = None) -> Values:
    """The legal actions with the score that follows each, best first, when `player` plays all seats from then on."""
    return Evaluation(view, player, seed, threads).more(games)
