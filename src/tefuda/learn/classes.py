"""Networks that foretell a class from small whole numbers: each number is told as steps (n of its s inputs are 1).

The network is that of engine/network.py, learned in torch with Adam: positions in a new order each pass, a learning
rate that rises and falls. One position in HOLD is not learned from: there the loss is measured. Positions are those of
sampled.py, read from files (position_files.py), which are made first where they are not there.

The learner knows no game: a game's `sampled` gives the positions, and the steps of their bytes.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from tefuda.contract import Game, Rules, Sampled
from tefuda.engine.network import MOST_BLOCKS, MOST_UNITS
from tefuda.errors import Problem
from tefuda.files.policy import load_for
from tefuda.kernel.threads import chunks
from tefuda.learn import position_files
from tefuda.learn.method import Method, Offer, Task, Trained
from tefuda.learn.run import run
from tefuda.learn.sampled import sampled_of, seats_of

HOLD = 50  # one position of so many is kept apart
RISE = 0.05  # of the run: the learning rate rises
SHOWN = 1 << 16  # rows that are measured at once


@dataclass(frozen=True)
class Arguments:
    """How to learn; stored with the result."""

    MOST: ClassVar = {"batch": 1 << 24}

    positions: str = ""  # a folder of `tefuda positions`; empty: they are made in the folder of the run
    player: str = ""  # who plays; empty: the usual one
    opponent: str = ""  # who sits in the other seats; empty: the usual one
    exploring: str = "random"  # how the action before a position is chosen; see `tefuda positions`
    deals: int = 100_000  # of which each gives one position at most
    passes: int = 4  # over all positions
    units: int = 256  # of each layer
    blocks: int = 2
    rate: float = 2e-3  # learning rate at its highest
    decay: float = 0.05  # of weights, times the rate, at each step
    batch: int = 8192  # positions of a step
    start: str = ""  # a policy file of the same shape to begin with

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if not 1 <= self.units <= MOST_UNITS or not 0 <= self.blocks <= MOST_BLOCKS:
            raise Problem(f"units are 1 to {MOST_UNITS}, and blocks 0 to {MOST_BLOCKS}")
        if not 2 * HOLD <= self.deals <= 1_000_000_000 or not 1 <= self.passes <= 1000 or self.batch < 1:
            raise Problem(f"deals are {2 * HOLD} to 1,000,000,000, passes 1 to 1,000, and batch is at least 1")
        if not 0 < self.rate < 1 or not 0 <= self.decay < 10:
            raise Problem("rate lies between 0 and 1, and decay between 0 and 10")


class Fitting:
    """The state of a run; `advance` makes one step. numbers [rows, bytes] and came [rows] are arrays."""

    def __init__(self, numbers: np.ndarray, came: np.ndarray, steps: np.ndarray, classes: int, arguments: Arguments,
                 seed: int, device: str = "cpu", begin_with: np.ndarray | None = None) -> None:  # fmt: skip
        from tefuda.learn.deep.network import NetworkShape
        from tefuda.learn.deep.torch import torch

        self.torch, self.arguments, self.seed = torch, arguments, seed
        self.numbers, self.came = torch.as_tensor(numbers).to(device), torch.as_tensor(came).to(device)
        # The last output stands where networks that play have their value: it is a class here.
        self.shape = NetworkShape(int(steps.sum()), arguments.units, arguments.blocks, classes - 1)
        first = self.shape.initial(seed) if begin_with is None else np.asarray(begin_with, np.float32)
        if first.shape != (self.shape.size,):
            raise Problem(f"start has {first.size:,} weights, but a network of this shape {self.shape.size:,}")
        self.flat = torch.tensor(first, device=device, requires_grad=True)
        self.which = torch.tensor(np.repeat(np.arange(len(steps)), steps), device=device)
        above = np.concatenate([np.arange(each) for each in steps]).astype(np.uint8)
        self.above = torch.tensor(above, device=device)
        self.optimizer = torch.optim.AdamW([self.flat], lr=arguments.rate, weight_decay=arguments.decay)
        self.precision = torch.bfloat16 if device == "cuda" else torch.float32
        rows = torch.arange(len(came), device=device)
        self.apart, self.learned = rows[rows % HOLD == 0], rows[rows % HOLD != 0]
        self.batch = min(arguments.batch, max(1, len(self.learned)))
        self.in_pass = -(-len(self.learned) // self.batch)  # steps
        self.total = self.in_pass * arguments.passes
        self.made = 0
        self.lines: list[tuple[float, float, float]] = []  # of each pass: positions, the loss while learning, and apart
        self.recent = 0.0
        self.order = self._order(0)

    def _order(self, number: int) -> Any:
        """The positions of a pass, in an order of its own."""
        order = np.random.default_rng((self.seed, number)).permutation(len(self.learned))
        return self.learned[self.torch.as_tensor(order).to(self.learned.device)]

    @property
    def done(self) -> bool:
        return self.made >= self.total

    def _losses(self, chosen: Any, parts: Any) -> Any:
        from tefuda.learn.deep.network import forward

        inputs = (self.numbers[chosen][:, self.which] > self.above).to(self.precision)
        logits, last = forward(parts, inputs)
        outputs = self.torch.cat([logits, last[:, None]], dim=1).float()
        return self.torch.nn.functional.cross_entropy(outputs, self.came[chosen].long())

    def loss_apart(self) -> float:
        """The mean loss of positions that are not learned from."""
        with self.torch.no_grad():
            parts = self.shape.parts(self.flat, self.precision)
            sums = [float(self._losses(some, parts)) * len(some) for some in self.apart.split(SHOWN)]
        return sum(sums) / len(self.apart)

    def advance(self) -> float:
        """One step."""
        place, part = self.made % self.in_pass, self.made / self.total
        for group in self.optimizer.param_groups:
            group["lr"] = self.arguments.rate * (part / RISE if part < RISE else (1 - part) / (1 - RISE))
        some = self.order[place * self.batch : (place + 1) * self.batch]
        loss = self._losses(some, self.shape.parts(self.flat, self.precision))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.recent += float(loss.detach())
        self.made += 1
        if self.made % self.in_pass == 0:
            seen = self.made // self.in_pass * len(self.learned)
            self.lines.append((seen, self.recent / self.in_pass, self.loss_apart()))
            self.recent, self.order = 0.0, self._order(self.made // self.in_pass)
        return self.made

    @property
    def weights(self) -> np.ndarray:
        return self.flat.detach().cpu().numpy()

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        moments = self.optimizer.state.get(self.flat, {})
        empty = np.zeros(self.shape.size, np.float32)
        first, second = (
            moments[key].cpu().numpy() if key in moments else empty for key in ("exp_avg", "exp_avg_sq")
        )  # fmt: skip
        return {
            "weights": self.weights.copy(), "first": first.copy(), "second": second.copy(),
            "made": np.array(self.made), "recent": np.array(self.recent),
            "lines": np.array(self.lines, np.float64).reshape(-1, 3),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        torch, device = self.torch, self.flat.device
        with torch.no_grad():
            self.flat.copy_(torch.as_tensor(state["weights"]).to(device))
        self.made, self.recent = int(state["made"]), float(state["recent"])
        if self.made:
            self.optimizer.state[self.flat] = {
                "step": torch.tensor(float(self.made)),
                "exp_avg": torch.as_tensor(state["first"]).to(device),
                "exp_avg_sq": torch.as_tensor(state["second"]).to(device),
            }
        self.lines = [tuple(line) for line in state["lines"].tolist()]
        self.order = self._order(self.made // self.in_pass)


def positions_of(task: Task, sampled: Sampled) -> tuple[np.ndarray, np.ndarray]:
    """The bytes and the classes of all positions; those that are not there yet are made."""
    seats, arguments = seats_of(task, sampled), task.arguments
    folder = Path(arguments.positions) if arguments.positions else task.out / "positions"
    if not arguments.positions:
        position_files.make(task.game, sampled, seats, task.seed, arguments.deals, folder, task.threads, task.device)
    maker = position_files.made_by(task.game, sampled, seats, task.seed)
    found = [
        position_files.piece_of(folder, maker, first, last, sampled.most)
        for first, last in chunks(arguments.deals, position_files.PIECE)
    ]
    return np.concatenate([each.plain for each in found]), np.concatenate([each.came for each in found])


def train(task: Task) -> Trained:
    """The whole run. The curve has a line for each pass."""
    sampled, arguments = sampled_of(task), task.arguments
    assert sampled.steps is not None
    numbers, came = positions_of(task, sampled)
    start = load_for(task.game, Path(arguments.start))[1] if arguments.start else None
    fitting = Fitting(numbers, came, sampled.steps, len(sampled.classes), arguments, task.seed, task.device, start)
    run(fitting, fitting.advance, fitting.total, "steps", task.out, task.identity)
    head = ("positions", "loss while learning", "loss of positions kept apart")
    variant = f"units={arguments.units}+blocks={arguments.blocks}"
    return Trained(fitting.weights, [head, *fitting.lines], variant=variant)


def offer(game: Game, rules: Rules) -> Offer | None:
    sampled = game.learning.sampled
    if sampled is None or sampled.steps is None:
        return None
    about = f"a network for the chances of {len(sampled.classes)} classes, from features that are not combined"
    return Offer(sampled.network, about, sampled.network)


def check(task: Task) -> Task:
    seats_of(task, sampled_of(task))
    position_files.polars()
    return task


METHOD = Method(
    Arguments, offer, check, train, lambda task: task.game.players.default_opponent, torch=True, cuda=True
)  # fmt: skip
