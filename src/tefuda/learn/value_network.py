"""A network of one hidden layer that learns values from positions, by stochastic gradient descent.

Inputs are binary and few of them are 1, so that a position is the list of its active inputs. Hidden units are
sigmoid, the output is linear, the loss is half the squared error with an L2 term on the weights (not the biases).
Weights lie in one row: input to hidden [inputs, hidden], hidden biases, hidden to output, output bias.
"""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.files.archive import read_archive, write_archive
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, below, stream
from tefuda.learn import positions
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.positions import ValuedPositions
from tefuda.learn.run import run


@dataclass(frozen=True)
class Arguments:
    """How to learn. The defaults are the paper's where it says."""

    MOST: ClassVar = {"hidden": 1 << 14, "batch": 1 << 24, "positions": 10**8}

    hidden: int = 200  # units between the inputs and the output
    step: float = 0.05  # learning rate
    decay: float = 0.1  # coefficient of the L2 term
    divide_decay: bool = True  # divide it by the number of positions; the other reading is plain weight decay
    batch: int = 10  # positions for one step
    epochs: int = 100  # passes over all positions

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if not (math.isfinite(self.step) and math.isfinite(self.decay)):
            raise Problem("step and decay are plain numbers")
        if min(self.hidden, self.batch, self.epochs) < 1 or self.step <= 0 or self.decay < 0:
            raise Problem("hidden, batch and epochs are at least 1, step is above 0 and decay at least 0")


@dataclass(frozen=True)
class GameArguments(Arguments):
    """A value network for the whole game, and the positions that it learns from."""

    teacher: str = "rule-based"  # who plays the games that value positions
    positions: int = 100_000  # to learn from, each from a deal of its own
    games: int = 10  # games that value a position
    explore: float = 0.5  # share of positions that follow a random action instead of the teacher's


def initial_weights(inputs: int, hidden: int, seed: int) -> np.ndarray:
    """Small random weights: normal, with the spread that keeps sigmoid units off their flat ends; biases 0."""
    generator = np.random.Generator(np.random.PCG64(int(stream(seed, 0, 1, LEARNER))))
    return np.concatenate([
        generator.normal(0, 1 / math.sqrt(inputs), inputs * hidden), np.zeros(hidden),
        generator.normal(0, 1 / math.sqrt(hidden), hidden), np.zeros(1),
    ])  # fmt: skip


@kernel
def _forward(active, row, hidden, weights, inputs, units):
    """Fill hidden [units] and return the output for one position."""
    biases, output = inputs * units, inputs * units + units
    for unit in range(units):
        hidden[unit] = weights[biases + unit]
    for i in range(active.shape[1]):
        if active[row, i] < 0:
            break
        start = active[row, i] * units
        for unit in range(units):
            hidden[unit] += weights[start + unit]
    result = weights[output + units]
    for unit in range(units):
        hidden[unit] = 1.0 / (1.0 + math.exp(-hidden[unit]))
        result += weights[output + unit] * hidden[unit]
    return result


@kernel
def _outputs(active, weights, inputs, units, out):
    hidden = np.empty(units)
    for row in range(active.shape[0]):
        out[row] = _forward(active, row, hidden, weights, inputs, units)


@kernel
def _epoch(active, values, order, weights, inputs, units, step, shrink, batch, rng):
    """One pass over the positions in a random order."""
    count = active.shape[0]
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    biases, output = inputs * units, inputs * units + units
    gradient = np.zeros(weights.shape[0])
    hidden = np.empty(units)
    for first in range(0, count, batch):
        last = min(first + batch, count)
        for position in range(first, last):
            row = order[position]
            error = _forward(active, row, hidden, weights, inputs, units) - values[row]
            gradient[output + units] += error
            for unit in range(units):
                gradient[output + unit] += error * hidden[unit]
                hidden[unit] = error * weights[output + unit] * hidden[unit] * (1.0 - hidden[unit])
                gradient[biases + unit] += hidden[unit]
            for i in range(active.shape[1]):
                if active[row, i] < 0:
                    break
                start = active[row, i] * units
                for unit in range(units):
                    gradient[start + unit] += hidden[unit]
        rate = step / (last - first)
        for i in range(weights.shape[0]):
            is_bias = biases <= i < output or i == output + units
            weights[i] = weights[i] * (1.0 if is_bias else shrink) - rate * gradient[i]
            gradient[i] = 0.0


class ValueNetworkTraining:
    """A network under training; `advance` makes one epoch."""

    def __init__(self, inputs: int, train: ValuedPositions, arguments: Arguments, seed: int) -> None:
        arguments.check()
        if len(train.values) == 0 or train.active.max() >= inputs:
            raise Problem(f"there are no positions to learn from, or they have more than {inputs} inputs")
        self.inputs, self.train, self.arguments = inputs, train, arguments
        self.weights = initial_weights(inputs, arguments.hidden, seed)
        self.order = np.arange(len(train.values))
        self.rng = np.array([stream(seed, 0, 2, LEARNER)], np.uint64)
        self.epoch = 0
        self.errors = np.zeros(0)  # of an epoch each, on positions held out, where there are some

    def advance(self) -> None:
        """One epoch of stochastic gradient descent."""
        arguments = self.arguments
        decay = arguments.decay / len(self.train.values) if arguments.divide_decay else arguments.decay
        weights, order, rng = self.weights.copy(), self.order.copy(), self.rng.copy()
        _epoch(
            self.train.active, self.train.values, order, weights, self.inputs, arguments.hidden,
            arguments.step, 1.0 - arguments.step * decay, arguments.batch, rng,
        )  # fmt: skip
        self.weights, self.order, self.rng, self.epoch = weights, order, rng, self.epoch + 1

    def predict(self, active: np.ndarray) -> np.ndarray:
        """The outputs for some positions."""
        out = np.zeros(len(active))
        _outputs(active, self.weights, self.inputs, self.arguments.hidden, out)
        return out

    def error(self, positions: ValuedPositions) -> float:
        """The mean squared error."""
        return float(np.mean((self.predict(positions.active) - positions.values) ** 2))

    @property
    def done(self) -> bool:
        return self.epoch >= self.arguments.epochs

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        return {"weights": self.weights, "order": self.order, "rng": self.rng, "epoch": np.array(self.epoch),
                "errors": self.errors}  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.weights, self.order, self.rng = state["weights"], state["order"], state["rng"]
        self.epoch, self.errors = int(state["epoch"]), state["errors"]


def train(task: Task) -> Trained:
    """The whole run: collect positions, learn from nine tenths of them, measure the error on the rest."""
    arguments, after = task.arguments, task.game.learning.after_states
    assert after is not None  # `offer` has seen it
    data = collected(task)
    held_out = len(data.values) // 10
    test = ValuedPositions(data.active[:held_out], data.values[:held_out])
    learning = ValueNetworkTraining(
        after.inputs, ValuedPositions(data.active[held_out:], data.values[held_out:]), arguments, task.seed
    )

    def advance() -> float:
        learning.advance()
        learning.errors = np.append(learning.errors[: learning.epoch - 1], learning.error(test))
        return learning.epoch

    run(learning, advance, arguments.epochs, "epochs", task.out, task.identity)
    curve: list[tuple] = [("epoch", "squared error on positions held out")]
    curve += [(epoch, float(error)) for epoch, error in enumerate(learning.errors, 1)]
    return Trained(learning.weights, curve)


def collected(task: Task) -> ValuedPositions:
    """The positions of a run. They are costly: they are kept beside the checkpoint for a run that goes on."""
    path, name = task.out / "positions.npz", repr(sorted(task.identity.items()))
    if path.exists():
        return _stored(path, name)
    arguments = task.arguments
    teacher = compiled_player(task.game, arguments.teacher, task.rules)
    wanted = positions.Arguments(arguments.teacher, (), arguments.positions, arguments.games, arguments.explore)
    data = positions.collect(task.game, task.rules, teacher, wanted, task.seed, task.threads)
    write_archive(path, {"identity": np.array(name), "active": data.active, "values": data.values}, packed=True)
    return data


def _stored(path: Path, name: str) -> ValuedPositions:
    try:
        found = read_archive(path)
        stored, data = str(found["identity"]), ValuedPositions(found["active"], found["values"])
    except (Problem, KeyError) as error:
        raise Problem(f"{path} is damaged; remove it to begin anew, or choose another --out") from error
    if stored != name:
        raise Problem(f"{path.parent} holds another run; choose another --out")
    return data


def offer(game: Game, rules: Rules) -> Offer | None:
    after = game.learning.after_states
    if after is None:
        return None
    return Offer(after.policy, f"a {after.inputs}-{after.hidden}-1 network of the value of after-states", after.policy)


def check(task: Task) -> Task:
    compiled_player(task.game, task.arguments.teacher, task.rules)
    after = task.game.learning.after_states
    if after is not None and task.arguments.hidden != after.hidden:
        raise Problem(f"hidden is {task.arguments.hidden}, but the player has {after.hidden} hidden units")
    return task


METHOD = Method(GameArguments, offer, check, train, against=lambda task: task.arguments.teacher)
