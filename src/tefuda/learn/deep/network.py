"""The residual network of engine/network.py in torch, to be learned; weights go to and fro as one flat array.

h = x W + b;   then for each block  h = h + relu(h) W + b;   then  [logits …, value] = relu(h) W + b
"""

from itertools import pairwise
from typing import Any

import numpy as np

from tefuda.engine.network import size_of
from tefuda.learn.deep.torch import torch

Parts = list[tuple[Any, Any]]  # the matrix and the bias of every layer; with a first axis, of several networks


class NetworkShape:
    """What a network takes and gives."""

    def __init__(self, inputs: int, units: int, blocks: int, actions: int) -> None:
        self.inputs, self.units, self.blocks, self.actions = inputs, units, blocks, actions
        sizes = [inputs, *[units] * (blocks + 1)]
        self.layers = [*pairwise(sizes), (units, actions + 1)]  # (from, to) of each
        self.size = size_of(inputs, units, blocks, actions + 1)

    def initial(self, seed: int) -> np.ndarray:
        """Weights to begin with: layers keep the size of what passes through, all actions are alike, the value is 0."""
        random = np.random.default_rng(seed)
        flat = []
        for number, (before, after) in enumerate(self.layers):
            last = number == len(self.layers) - 1
            bound = 0.0 if last else np.sqrt((6.0 if number else 12.0) / before) * (0.5 if number else 1.0)
            flat += [random.uniform(-bound, bound, before * after), np.zeros(after)]
        return np.concatenate(flat).astype(np.float32)

    def with_value_of(self, other: "NetworkShape", flat: np.ndarray) -> np.ndarray:
        """Weights of this network, which gives a value alone, that make it foretell what another one of as many units
        does; it sees the inputs of the other first, and makes nothing yet of those behind them."""
        assert (self.units, self.blocks, self.actions) == (other.units, other.blocks, 0)
        start, end = other.inputs * other.units, other.size - (other.units + 1) * (other.actions + 1)
        unseen = np.zeros((self.inputs - other.inputs) * self.units, np.float32)
        last = flat[end:].reshape(other.units + 1, other.actions + 1)[:, -1]  # the bias is the last row
        return np.concatenate([flat[:start], unseen, flat[start:end], last]).astype(np.float32)

    def widened(self, other: "NetworkShape", flat: np.ndarray, runs: int) -> np.ndarray:
        """Weights of this network that give the answers of another one, which has fewer units and all else the same.

        Units lie in `runs` of one length, the last of which takes what is left; each run keeps its units in front.
        New units hear all that old ones do. Nobody listens to them yet but other new ones.
        """
        assert (self.inputs, self.blocks, self.actions) == (other.inputs, other.blocks, other.actions)
        kept = kept_units(other.units, self.units, runs)
        new = np.setdiff1d(np.arange(self.units), kept)
        into = self.initial(0)
        for number, (mine, theirs) in enumerate(zip(self.arrays(into), other.arrays(flat), strict=True)):
            rows = np.arange(self.inputs) if number == 0 else kept
            columns = np.arange(self.actions + 1) if number == self.blocks + 1 else kept
            if number > 0:
                mine[0][np.ix_(new, columns)] = 0.0
            mine[0][np.ix_(rows, columns)], mine[1][columns] = theirs
        return into

    def arrays(self, flat: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """The matrix and the bias of every layer, in the same memory."""
        found, start = [], 0
        for before, after in self.layers:
            end = start + before * after
            found.append((flat[start:end].reshape(before, after), flat[end : end + after]))
            start = end + after
        return found

    def parts(self, flat: Any, precision: Any = None) -> Parts:
        """The layers of one network, flat [size], or of several, flat [networks, size]. Hidden layers have the type
        `precision`, or float32; the last layer is float32 always, since small differences count there."""
        several = flat.shape[:-1]
        sizes = [size for before, after in self.layers for size in (before * after, after)]
        hidden = flat.to(precision or torch.float32).split(sizes, dim=-1)[:-2]
        last = flat.split([self.size - sum(sizes[-2:]), *sizes[-2:]], dim=-1)[1:]
        pieces = [*hidden, *last]
        return [
            (
                pieces[2 * number].reshape(*several, before, after),
                pieces[2 * number + 1].reshape(*several, *[1] * len(several), after),
            )
            for number, (before, after) in enumerate(self.layers)
        ]


def kept_units(few: int, many: int, runs: int) -> np.ndarray:
    """Where the units of a layer lie once it is wider. The last run may have no room for its own: numbers from `many`
    on say so."""
    unit, length = np.arange(few), few // runs
    run = np.minimum(unit // length, runs - 1) if length else runs - 1
    return many // runs * run + unit - length * run


def forward(parts: Parts, observation: Any) -> tuple[Any, Any]:
    """Logits [rows, actions] and values [rows] for observations [rows, inputs]; all with a first axis for several."""
    affine = torch.addmm if observation.dim() == 2 else torch.baddbmm
    matrix, bias = parts[0]
    hidden = affine(bias, observation.to(matrix.dtype), matrix)
    for matrix, bias in parts[1:-1]:
        hidden = hidden + affine(bias, torch.relu(hidden), matrix)
    matrix, bias = parts[-1]
    result = affine(bias, torch.relu(hidden).to(matrix.dtype), matrix)
    return result[..., :-1], result[..., -1]
