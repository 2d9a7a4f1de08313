"""Weights that are tied because parts of a game can be exchanged (`Learning.symmetry`), as the suits of mahjong.

The units of each hidden layer are cut into as many equal runs as there are parts that are alike, one for each, and one
run that belongs to none. Exchanging two parts exchanges their inputs, their actions and their runs of units. Weights
that are carried into each other by that are the same at the start, and the gradient's mean over them keeps them so.
Then every decision teaches what its mirror images would teach. The network stays a plain one.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda.contract import Symmetry
from tefuda.learn.deep.network import NetworkShape
from tefuda.learn.deep.torch import torch

NEAR = 1e-3  # weights that differ by no more are the same, but for rounding


def _labels(size: int, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each entry of an axis: the part that it belongs to, or -1; and its first mirror image, or itself."""
    part, image = np.full(size, -1), np.arange(size)
    for number, row in enumerate(rows):
        part[row], image[row] = number, rows[0]
    return part, image


def _keys(before: tuple[np.ndarray, np.ndarray], after: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """A number for each weight of a matrix, the same for those that are tied."""
    (from_part, from_image), (to_part, to_image) = before, after
    differ = (from_part[:, None] >= 0) & (to_part >= 0) & (from_part[:, None] != to_part)
    return ((from_image[:, None] * len(to_image) + to_image) * 2 + differ).ravel()


def runs_of(symmetry: Symmetry | None) -> int:
    """Into how many runs the units of a hidden layer are cut; the last takes what is left."""
    return 1 if symmetry is None else len(symmetry.observation) + 1


def tied_places(shape: NetworkShape, symmetry: Symmetry) -> list[np.ndarray]:
    """The places of a network's flat weights that are tied: arrays [ties, places], one for each number of places."""
    alike = len(symmetry.observation)
    run = shape.units // runs_of(symmetry)
    units = np.arange(alike * run).reshape(alike, run)
    axes = [symmetry.observation, *[units] * (shape.blocks + 1), symmetry.actions]
    found: dict[int, list[np.ndarray]] = {}
    start = 0
    for number, (before, after) in enumerate(shape.layers):
        labels = _labels(before, axes[number]), _labels(after, axes[number + 1])
        for keys in (_keys(*labels), labels[1][1]):  # of the matrix, and of the bias
            order = np.argsort(keys, kind="stable")
            _, first, times = np.unique(keys[order], return_index=True, return_counts=True)
            for size in np.unique(times[times > 1]):
                places = order[first[times == size][:, None] + np.arange(size)]
                found.setdefault(int(size), []).append(start + places)
            start += len(keys)
    return [np.concatenate(found[size]) for size in sorted(found)]


class Ties:
    """Keeps tied weights the same."""

    def __init__(self, places: Sequence[np.ndarray], device: Any) -> None:
        self.places = [torch.from_numpy(each).to(device) for each in places]

    def mean(self, flat: Any) -> None:
        """Give tied places their mean."""
        for places in self.places:
            flat[places] = flat[places].mean(dim=1, keepdim=True)

    def copy(self, flat: np.ndarray) -> np.ndarray:
        """Weights to begin with: tied places get what the first of them has."""
        flat = flat.copy()
        for places in self.places:
            where = places.cpu().numpy()
            flat[where] = flat[where[:, :1]]
        return flat

    def hold(self, flat: np.ndarray) -> bool:
        """Whether weights are tied already."""
        return bool(np.abs(self.copy(flat) - flat).max(initial=0.0) < NEAR)


def ties_of(shape: NetworkShape, symmetry: Symmetry, device: Any = "cpu") -> Ties:
    """The ties of a network of a game."""
    return Ties(tied_places(shape, symmetry), device)
