"""Softmax regressions, one for each situation: chances of classes from a weighted sum of amounts.

The weights of a situation minimise the sum over its rows of −log(chance of what came) + decay × squared weights / 2, by
Newton's method.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

STEPS = 30  # of Newton's method at most; it needs about eight
SMALL = 1e-6  # a step that moves no weight further ends it


@dataclass(frozen=True)
class Shape:
    """The weights of a model: [situations, classes, amounts]."""

    situations: int
    classes: int
    amounts: int

    @property
    def size(self) -> int:
        return self.situations * self.classes * self.amounts


@dataclass(frozen=True)
class Rows:
    """What was seen, and what came."""

    game: np.ndarray  # the number of the game that a row is from
    situation: np.ndarray
    amounts: np.ndarray  # [rows, amounts], float32
    came: np.ndarray  # the class

    @classmethod
    def empty(cls, number: int, amounts: int) -> "Rows":
        """Room for so many rows."""
        columns = (np.empty(number, np.int64) for _ in range(3))
        game, situation, came = columns
        return cls(game, situation, np.empty((number, amounts), np.float32), came)

    @classmethod
    def joined(cls, pieces: "Iterable[Rows]") -> "Rows":
        pieces = list(pieces)
        return cls(*(np.concatenate([getattr(piece, each.name) for piece in pieces]) for each in fields(cls)))

    def where(self, chosen: np.ndarray) -> "Rows":
        return Rows(self.game[chosen], self.situation[chosen], self.amounts[chosen], self.came[chosen])


def fitted(rows: Rows, shape: Shape, decay: float) -> np.ndarray:
    """The weights of all situations, in one row; those of a situation that never came are 0."""
    weights = np.zeros((shape.situations, shape.classes, shape.amounts))
    for each in np.unique(rows.situation):
        here = rows.situation == each
        weights[each] = softmax_regression(rows.amounts[here].astype(np.float64), rows.came[here], shape.classes, decay)
    return weights.ravel()


def softmax_regression(amounts: np.ndarray, came: np.ndarray, classes: int, decay: float) -> np.ndarray:
    """The weights [classes, amounts] that minimise the sum over rows of −log(chance) + decay × squares / 2."""
    size = amounts.shape[1]
    weights = np.zeros((classes, size))
    wanted = np.eye(classes)[came]
    for _ in range(STEPS):
        chances = _softmax(amounts @ weights.T)
        gradient = (chances - wanted).T @ amounts + decay * weights
        curvature = np.zeros((classes, size, classes, size))
        for one in range(classes):
            for other in range(one, classes):
                shared = chances[:, one] * ((one == other) - chances[:, other])
                curvature[one, :, other] = curvature[other, :, one] = (amounts * shared[:, None]).T @ amounts
        square = curvature.reshape(classes * size, -1) + decay * np.eye(classes * size)
        step = np.linalg.solve(square, gradient.ravel()).reshape(classes, size)
        weights = _shorter(weights, step, amounts, came, decay)
        if np.abs(step).max() < SMALL:
            break
    return weights


def _shorter(weights: np.ndarray, step: np.ndarray, amounts: np.ndarray, came: np.ndarray, decay: float) -> np.ndarray:
    """The weights after a step of Newton's, halved until the loss does not rise."""

    def loss(some: np.ndarray) -> float:
        chances = _softmax(amounts @ some.T)
        return float(-np.log(chances[np.arange(len(came)), came]).sum() + decay * np.square(some).sum() / 2)

    before, share = loss(weights), 1.0
    while share > SMALL and loss(weights - share * step) > before + 1e-9 * abs(before):
        share /= 2
    return weights - share * step


def _softmax(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


def chances_of(rows: Rows, weights: np.ndarray, shape: Shape) -> np.ndarray:
    """The chance of each class in each row, by some weights."""
    shaped = weights.reshape(shape.situations, shape.classes, shape.amounts)
    return _softmax(np.einsum("rca,ra->rc", shaped[rows.situation], rows.amounts))


def log_loss(chances: np.ndarray, came: np.ndarray) -> float:
    """The mean of −log(chance of what came): 0 would be to know it."""
    return float(-np.log(np.maximum(chances[np.arange(len(came)), came], 1e-12)).mean())


def losses(rows: Rows, test: np.ndarray, weights: np.ndarray, shape: Shape) -> tuple[float, float]:
    """The mean of −log(chance) on rows held out: by the model, and by the plain shares of the classes elsewhere."""
    held = rows.where(test)
    plain = np.bincount(rows.came[~test], minlength=shape.classes) / max(1, (~test).sum())
    return (
        log_loss(chances_of(held, weights, shape), held.came),
        log_loss(np.tile(plain, (len(held.came), 1)), held.came),
    )
