"""Linear models of many binary features, few of which are on: learned row by row with FOBOS and Adagrad.

A row is the list of its active features, and what came: one of the classes. Two sorts of models:

    multi-class   one output a class, a softmax over them:              P(class) = exp(w_class · x) / sum over classes
    ordered       one output for each class but the first, a sigmoid:   P(class or a higher one) = 1 / (1 + exp(−w · x))

The loss is the mean of −log(chance of what came) + decay × squared weights. FOBOS (Duchi, Singer) makes a step along
the gradient of the first part, then the step that is best for the second part alone: a weight shrinks by
1 / (1 + 2 × rate × decay). Adagrad (Duchi, Hazan, Singer) gives each weight a rate of its own: rate / root of the sum
of its squared gradients. A weight whose feature is off has no gradient and shrinks only; that is made up for when the
feature is on again.
"""

import math
from dataclasses import dataclass

import numpy as np

from tefuda.engine.linear import to_chances
from tefuda.kernel.compile import kernel

NONE = -1  # behind the active features of a row


@dataclass(eq=False)
class SparseModel:
    """A model that learns."""

    features: int
    classes: int
    ordered: bool
    rate: float = 0.1
    decay: float = 0.0  # of the mean loss: a coefficient that is meant for the sum is divided by the number of rows

    def __post_init__(self) -> None:
        self.weights = np.zeros((self.features, self.outputs), np.float32)
        self.squares = np.zeros((self.features, self.outputs), np.float32)  # sums of squared gradients
        self.seen = np.zeros(self.features, np.int64)  # rows learned from, when each feature was last on
        self.rows = 0

    @property
    def outputs(self) -> int:
        return self.classes - 1 if self.ordered else self.classes

    def learn(self, active: np.ndarray, came: np.ndarray) -> None:
        """Learn from rows, one after another: active [rows, most], NONE behind the last; came [rows] classes."""
        work = np.zeros(self.outputs)
        _learn(
            active, came, self.weights, self.squares, self.seen, self.rows, self.rate, self.decay, self.ordered, work
        )
        self.rows += len(came)

    def settle(self) -> None:
        """Make up for all shrinking that is still owed: the weights are then as if every feature had been on."""
        _settle(self.weights, self.squares, self.seen, self.rows, self.rate, self.decay)

    def chances(self, active: np.ndarray) -> np.ndarray:
        """The chance of each class [rows, classes]; of an ordered model they can be negative, as differences of its
        outputs."""
        out = np.zeros((len(active), self.outputs))
        _outputs(active, self.weights, self.ordered, out)
        if not self.ordered:
            return out
        return np.diff(1.0 - out, axis=1, prepend=0.0, append=1.0)

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        return {"weights": self.weights, "squares": self.squares, "seen": self.seen, "rows": np.array(self.rows)}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.weights, self.squares, self.seen = state["weights"], state["squares"], state["seen"]
        self.rows = int(state["rows"])


@kernel
def write_outputs(active, weights, ordered, out):
    """The outputs of a model for one row: active [most], out [outputs]."""
    outputs = out.shape[0]
    for each in range(outputs):
        out[each] = 0.0
    for i in range(active.shape[0]):
        feature = np.int64(active[i])
        if feature < 0:
            break
        for each in range(outputs):
            out[each] += weights[feature, each]
    if ordered:
        for each in range(outputs):
            out[each] = 1.0 / (1.0 + math.exp(-out[each]))
        return
    to_chances(out)


@kernel
def _outputs(active, weights, ordered, out):
    for row in range(active.shape[0]):
        write_outputs(active[row], weights, ordered, out[row])


@kernel
def shrink(weight, square, rows, rate, decay):
    """A weight after so many rows without its feature."""
    if rows <= 0 or square == 0.0 or decay == 0.0:
        return weight
    return weight * (1.0 + 2.0 * decay * rate / math.sqrt(square)) ** -float(rows)


@kernel
def _learn(active, came, weights, squares, seen, done, rate, decay, ordered, work):
    outputs = work.shape[0]
    for row in range(came.shape[0]):
        now = done + row
        for i in range(active.shape[1]):
            feature = np.int64(active[row, i])
            if feature < 0:
                break
            for each in range(outputs):
                weights[feature, each] = shrink(
                    weights[feature, each], squares[feature, each], now - seen[feature], rate, decay
                )
            seen[feature] = now + 1
        write_outputs(active[row], weights, ordered, work)
        for each in range(outputs):
            wanted = came[row] > each if ordered else came[row] == each
            work[each] -= 1.0 if wanted else 0.0
        for i in range(active.shape[1]):
            feature = np.int64(active[row, i])
            if feature < 0:
                break
            for each in range(outputs):
                gradient = work[each]
                if gradient == 0.0:
                    continue
                square = squares[feature, each] + gradient * gradient
                own = rate / math.sqrt(square)
                squares[feature, each] = square
                weights[feature, each] = (weights[feature, each] - own * gradient) / (1.0 + 2.0 * own * decay)


@kernel
def _settle(weights, squares, seen, done, rate, decay):
    for feature in range(weights.shape[0]):
        for each in range(weights.shape[1]):
            weights[feature, each] = shrink(
                weights[feature, each], squares[feature, each], done - seen[feature], rate, decay
            )
        seen[feature] = done
