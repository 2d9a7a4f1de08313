"""Sparse models of positions that self-play samples: how likely each class is, from features that are on.

Positions are made by number, side by side on the cores, and learned from in the order of their numbers, by FOBOS with
Adagrad (sparse.py): the result is the same on any number of cores. On CUDA they go straight into the learner there
(sparse_cuda.py). Or they are read from files (position_files.py). The model is `multi-class`, or `ordered`: one output
for each class but the first, the chance of that class or a higher one.

The learner knows no game: a game's `sampled` gives the positions.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules, Sampled
from tefuda.errors import Problem
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.learn import position_files
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run
from tefuda.learn.sparse import NONE, SparseModel, batch_of, ends_behind
from tefuda.players.entrant import Entrant

MODELS = ("multi-class", "ordered")
PIECE = 200  # deals that a core plays at once
EVERY = 30.0  # seconds between checkpoints, which are large
POINTS = 100  # of the curve
LANES = 1 << 16  # deals that a GPU plays at once: more than a batch has


@dataclass(frozen=True)
class Arguments:
    """How to learn; stored with the result."""

    model: str = "multi-class"  # or `ordered`
    player: str = ""  # who plays; empty: the usual one
    opponent: str = ""  # who sits in the other seats; empty: the usual one
    exploring: str = "random"  # how the action before a position is chosen; see `tefuda positions`
    deals: int = 100_000  # of which each gives one position at most
    positions: str = ""  # a folder that `tefuda positions` has made, to read them from
    passes: int = 1  # over all deals
    rate: float = 0.01  # learning rate; a position has some hundred features that are on
    decay: float = 0.01  # λ: how much large weights cost, beside the sum of all losses
    squares: float = 0.0  # of gradients, that each weight begins with: the more, the smaller are its first steps

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if self.model not in MODELS:
            raise Problem(f"model is {self.model!r}, but takes {' or '.join(MODELS)}")
        if not 1 <= self.deals <= 1_000_000_000 or not 1 <= self.passes <= 100 or self.deals * self.passes >= 1 << 31:
            raise Problem("deals are 1 to 1,000,000,000, passes 1 to 100, and together below 2,147,483,648")
        if not 0 < self.rate <= 100 or not 0 <= self.decay <= 1e6 or not 0 <= self.squares <= 1e6:
            raise Problem("rate lies between 0 and 100, decay and squares between 0 and 1,000,000")


class Sampling:
    """The state of a run; `advance` moves it on. Any split into calls gives the same weights."""

    def __init__(self, game: Game, sampled: Sampled, arguments: Arguments, seed: int, seats: tuple[Entrant, Entrant],
                 threads: int | None = None, device: str = "cpu") -> None:  # fmt: skip
        self.game, self.sampled, self.arguments, self.seed, self.seats = game, sampled, arguments, seed, seats
        self.threads = threads or cores()
        ordered = arguments.model == "ordered"
        decay = arguments.decay / arguments.deals
        self.model = SparseModel(sampled.size, len(sampled.classes), ordered, arguments.rate, decay)
        self.model.squares[:] = arguments.squares
        self.number = 0  # of the next deal, counted on from pass to pass
        self.total = arguments.deals * arguments.passes
        self.losses = np.zeros((POINTS, 2))  # positions and the sum of their losses, before they were learned from
        self.maker = position_files.made_by(game, sampled, seats, seed) if arguments.positions else {}
        self.read: tuple[int, Any] = (-1, None)  # the file that was read last, by its first number
        self.on_gpu = _OnGpu(self) if device == "cuda" else None

    @property
    def done(self) -> bool:
        return self.number >= self.total

    def advance(self, deals: int) -> None:
        """Learn from some more deals: whole batches, and no further than to the end of a pass."""
        every = self.arguments.deals
        first, start = self.number, self.number // every * every
        last = min(ends_behind(first, deals), start + every)
        if self.on_gpu is not None:
            came, losses = self.on_gpu.learn(first - start, last - start)
        else:
            rows, came = self._rows(first - start, last - start)
            losses = self.model.learn(rows, came)
        there = came >= 0
        point = min(POINTS - 1, first * POINTS // self.total)
        self.losses[point] += int(there.sum()), float(losses[there].sum())
        self.number = last

    def _rows(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers first to last - 1 with what came of them; NONE where there is no position."""
        found = list(self._kept(first, last) if self.maker else self._played(first, last))
        rows = np.full((last - first, max(some.rows.shape[1] for some in found)), NONE, np.int32)
        came = np.full(last - first, NONE, np.int8)
        for some in found:
            inside = (some.numbers >= first) & (some.numbers < last)
            places = some.numbers[inside] - first
            rows[places, : some.rows.shape[1]], came[places] = some.rows[inside], some.came[inside]
        return rows, came

    def _played(self, first: int, last: int) -> Any:
        pieces = [(first + a, first + b) for a, b in chunks(last - first, PIECE)]

        def work(begin: int, end: int) -> Any:
            return self.sampled.piece(self.game, *self.seats, self.seed, begin, end)

        return (piece for _, _, piece in run_chunks(work, pieces, self.threads))

    def _kept(self, first: int, last: int) -> Any:
        """The files that hold some numbers."""
        every, folder = position_files.PIECE, Path(self.arguments.positions)
        for start in range(first // every * every, last, every):
            if self.read[0] != start:
                end = min(start + every, self.arguments.deals)
                self.read = start, position_files.piece_of(folder, self.maker, start, end, self.sampled.most)
            yield self.read[1]

    @property
    def whole(self) -> np.ndarray:
        """The weights as whole numbers, feature by feature."""
        self._fetch()
        self.model.settle()
        scaled = np.rint(self.model.weights.astype(np.float64) * self.sampled.scale)
        return np.clip(scaled, -self.sampled.largest, self.sampled.largest).ravel()

    def curve(self) -> list[tuple[Any, ...]]:
        """The mean loss of positions that were not learned from yet, by the number of positions before."""
        rows: list[tuple[Any, ...]] = [("positions", "mean loss")]
        before = 0
        for positions, loss in self.losses:
            if positions:
                rows.append((before, loss / positions))
                before += int(positions)
        return rows

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on; features that were never on are left out."""
        self._fetch()
        on = np.flatnonzero(self.model.seen)
        stored = {key: value[on] for key, value in self.model.state().items() if key != "rows"}
        return {"on": on, **stored, "rows": np.array(self.model.rows), "number": np.array(self.number),
                "losses": self.losses}  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        whole = self.model.state()
        for key in ("weights", "squares", "seen"):
            whole[key][state["on"]] = state[key]
        self.model.restore({**whole, "rows": state["rows"]})
        self.number, self.losses = int(state["number"]), state["losses"]
        if self.on_gpu is not None:
            self.on_gpu = _OnGpu(self)

    def _fetch(self) -> None:
        if self.on_gpu is not None:
            self.on_gpu.learning.fetch()


class _OnGpu:
    """Positions that go straight into the learner on a GPU."""

    def __init__(self, run: Sampling) -> None:
        from tefuda.kernel.device import driver
        from tefuda.learn.sparse_cuda import LearningOnGpu

        if run.sampled.lanes is None:
            raise Problem(f"{run.game.name} makes positions on the CPU only: leave out --device cuda")
        self.seed, self.lanes = run.seed, run.sampled.lanes(run.game, *run.seats, LANES)
        self.learning = LearningOnGpu(run.model)
        self.losses = driver().to_device(np.zeros(LANES, np.float32))
        self.first = -LANES  # of the launch whose positions lie there

    def learn(self, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Learn from numbers first to last - 1; returns what came of them, and their losses."""
        came, losses = [], []
        while first < last:
            end = self._end(first, last) if self.first <= first else first
            if end == first:
                self.first = first
                self.lanes.play(self.seed, first)
                end = self._end(first, last)
            places = first - self.first, end - self.first
            self.learning.learn(self.lanes.rows, self.lanes.came, self.losses, *places)
            came.append(self.lanes.came.copy_to_host()[slice(*places)])
            losses.append(self.losses.copy_to_host()[slice(*places)])
            first = end
        return np.concatenate(came), np.concatenate(losses)

    def _end(self, first: int, last: int) -> int:
        """Where the last batch ends that lies in this launch as a whole: a batch that was cut in two would learn
        otherwise than on the CPU."""
        rows = self.learning.model.rows
        while first < last:
            end = min(last, first + batch_of(rows))
            if end > self.first + LANES:
                break
            first, rows = end, rows + end - first
        return first


def seats_of(task: Task, sampled: Sampled) -> tuple[Entrant, Entrant]:
    """Who plays, and who sits in the other seats."""
    player = compiled_player(task.game, task.arguments.player or sampled.player, task.rules)
    return player, compiled_player(task.game, task.arguments.opponent or sampled.opponent, task.rules)


def sampled_of(task: Task) -> Sampled:
    """The positions of a game, by the way of exploring that was asked for."""
    assert task.game.learning.sampled is not None
    return task.game.learning.sampled.exploring_by(task.arguments.exploring)


def train(task: Task) -> Trained:
    """The whole run."""
    sampled = sampled_of(task)
    learning = Sampling(
        task.game, sampled, task.arguments, task.seed, seats_of(task, sampled), task.threads, task.device
    )  # fmt: skip

    def advance() -> float:
        learning.advance(LANES if task.device == "cuda" else 2 * PIECE * learning.threads)
        return learning.number

    run(learning, advance, learning.total, "deals", task.out, task.identity, EVERY)
    return Trained(learning.whole, learning.curve(), variant=task.arguments.model)


def offer(game: Game, rules: Rules) -> Offer | None:
    sampled = game.learning.sampled
    if sampled is None:
        return None
    return Offer(sampled.learner, f"chances of {len(sampled.classes)} classes from {sampled.size:,} features",
                 sampled.policy)  # fmt: skip


def check(task: Task) -> Task:
    seats_of(task, sampled_of(task))
    if task.device == "cuda" and task.arguments.positions:
        raise Problem("on CUDA positions are played, not read: leave out --arg positions=… or --device cuda")
    return task


METHOD = Method(Arguments, offer, check, train, lambda task: task.game.players.default_opponent, cuda=True)
