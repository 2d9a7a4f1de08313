"""Sparse models of positions that self-play samples: how likely each class is, from features that are on.

Positions are made by number, side by side on the cores, and learned from in the order of their numbers, by FOBOS with
Adagrad (sparse.py): the result is the same on any number of cores. The model is `multi-class`, or `ordered`: one output
for each class but the first, the chance of that class or a higher one.

The learner knows no game: a game's `sampled` gives the positions.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules, Sampled
from tefuda.errors import Problem
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run
from tefuda.learn.sparse import SparseModel
from tefuda.players.entrant import Entrant

MODELS = ("multi-class", "ordered")
PIECE = 200  # deals that a core plays at once
EVERY = 30.0  # seconds between checkpoints, which are large
POINTS = 100  # of the curve


@dataclass(frozen=True)
class Arguments:
    """How to learn; stored with the result."""

    model: str = "multi-class"  # or `ordered`
    player: str = ""  # who plays; empty: the usual one
    opponent: str = ""  # who sits in the other seats; empty: the usual one
    deals: int = 100_000  # of which each gives one position at most
    rate: float = 0.01  # learning rate; a position has some hundred features that are on
    decay: float = 0.01  # λ: how much large weights cost, beside the sum of all losses

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if self.model not in MODELS:
            raise Problem(f"model is {self.model!r}, but takes {' or '.join(MODELS)}")
        if not 1 <= self.deals <= 10_000_000_000:
            raise Problem("deals are 1 to 10,000,000,000")
        if not 0 < self.rate <= 100 or not 0 <= self.decay <= 1e6:
            raise Problem("rate lies between 0 and 100, and decay between 0 and 1,000,000")


class Sampling:
    """The state of a run; `advance` moves it on. Any split into calls gives the same weights."""

    def __init__(self, game: Game, sampled: Sampled, arguments: Arguments, seed: int, seats: tuple[Entrant, Entrant],
                 threads: int | None = None) -> None:  # fmt: skip
        self.game, self.sampled, self.arguments, self.seed, self.seats = game, sampled, arguments, seed, seats
        self.threads = threads or cores()
        ordered = arguments.model == "ordered"
        decay = arguments.decay / arguments.deals
        self.model = SparseModel(sampled.size, len(sampled.classes), ordered, arguments.rate, decay)
        self.number = 0  # of the next deal
        self.losses = np.zeros((POINTS, 2))  # positions and the sum of their losses, before they were learned from

    @property
    def done(self) -> bool:
        return self.number >= self.arguments.deals

    def advance(self, deals: int) -> None:
        """Learn from some more deals."""
        last = min(self.number + deals, self.arguments.deals)
        first = self.number
        pieces = [(first + a, first + b) for a, b in chunks(last - first, PIECE)]

        def work(begin: int, end: int) -> Any:
            return self.sampled.piece(self.game, *self.seats, self.seed, begin, end)

        found = [piece for _, _, piece in run_chunks(work, pieces, self.threads)]
        rows = np.concatenate([piece.rows for piece in found])
        came = np.concatenate([piece.came for piece in found]).astype(np.int64)
        chances = np.clip(self.model.chances(rows)[np.arange(len(came)), came], 1e-6, 1.0)
        point = min(POINTS - 1, first * POINTS // self.arguments.deals)
        self.losses[point] += len(came), float(-np.log(chances).sum())
        self.model.learn(rows, came)
        self.number = last

    @property
    def whole(self) -> np.ndarray:
        """The weights as whole numbers, feature by feature."""
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


def seats_of(task: Task, sampled: Sampled) -> tuple[Entrant, Entrant]:
    """Who plays, and who sits in the other seats."""
    player = compiled_player(task.game, task.arguments.player or sampled.player, task.rules)
    return player, compiled_player(task.game, task.arguments.opponent or sampled.opponent, task.rules)


def train(task: Task) -> Trained:
    """The whole run."""
    sampled = task.game.learning.sampled
    assert sampled is not None
    learning = Sampling(
        task.game, sampled, task.arguments, task.seed, seats_of(task, sampled), task.threads
    )  # fmt: skip

    def advance() -> float:
        learning.advance(2 * PIECE * learning.threads)
        return learning.number

    run(learning, advance, task.arguments.deals, "deals", task.out, task.identity, EVERY)
    return Trained(learning.whole, learning.curve(), variant=task.arguments.model)


def offer(game: Game, rules: Rules) -> Offer | None:
    sampled = game.learning.sampled
    if sampled is None:
        return None
    return Offer(sampled.learner, f"chances of {len(sampled.classes)} classes from {sampled.size:,} features",
                 sampled.policy)  # fmt: skip


def check(task: Task) -> Task:
    assert task.game.learning.sampled is not None
    seats_of(task, task.game.learning.sampled)
    return task


METHOD = Method(Arguments, offer, check, train, against=lambda task: task.game.players.default_opponent)
