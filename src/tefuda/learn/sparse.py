"""Linear models of many binary features, few of which are on: learned batch by batch with FOBOS and Adagrad.

A row is the list of its active features, and what came: one of the classes. Two sorts of models:

    multi-class   one output a class, a softmax over them:              P(class) = exp(w_class · x) / sum over classes
    ordered       one output for each class but the first, a sigmoid:   P(class or a higher one) = 1 / (1 + exp(−w · x))

The loss is the mean of −log(chance of what came) + decay × squared weights. FOBOS (Duchi, Singer) makes a step along
the gradient of the first part, then the step that is best for the second part alone: a weight shrinks by
1 / (1 + 2 × rate × decay). Adagrad (Duchi, Hazan, Singer) gives each weight a rate of its own: rate / root of the sum
of its squared gradients. A weight whose feature is off has no gradient and shrinks only; that is made up for when the
feature is on again.

The gradients of a batch are added up as whole numbers, parts of 2 ** −18: their order does not matter, so that a batch
may be learned from by many threads at once (sparse_cuda.py). Batches begin small and grow (`batch_of`). A row whose
class is NONE is passed over.
"""

import math
from dataclasses import dataclass

import numpy as np

from tefuda.engine.linear import to_chances
from tefuda.kernel.compile import kernel

NONE = -1  # behind the active features of a row; the class of a row that counts for nothing
MOST_OUTPUTS = 16
SMALLEST, LARGEST, SHARE = 8, 2048, 256  # of batches: rows at first, at most, and one of so many rows learned from
PARTS = 1 << 18  # of a gradient of one: a batch of LARGEST rows cannot leave an int32, nor can a feature twice in each


def batch_of(done: int) -> int:
    """How many rows the next batch has, by those learned from: a power of two, so that batches end alike wherever a
    run was interrupted."""
    return min(LARGEST, max(SMALLEST, 1 << max(0, (done // SHARE).bit_length() - 1)))


def ends_behind(first: int, rows: int) -> int:
    """Where the batch ends that has row first + rows - 1, if a batch begins at `first`."""
    end = first
    while end < first + rows:
        end += batch_of(end)
    return end


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
        self.sums = np.zeros((self.features, self.outputs), np.int32)  # gradients of this batch
        self.seen = np.zeros(self.features, np.int32)  # rows learned from, when each feature was last on
        self.rows = 0

    @property
    def outputs(self) -> int:
        return self.classes - 1 if self.ordered else self.classes

    def learn(self, active: np.ndarray, came: np.ndarray) -> np.ndarray:
        """Learn from rows: active [rows, most], NONE behind the last; came [rows] classes. The last batch may be cut
        short. Returns the loss of each row before it was learned from."""
        losses, first = np.zeros(len(came), np.float32), 0
        while first < len(came):
            last = min(len(came), first + batch_of(self.rows))
            arrays = self.weights, self.squares, self.sums, self.seen
            settings = np.float64(self.rate), np.float64(self.decay), self.ordered
            _learn(active[first:last], came[first:last], *arrays, self.rows, *settings, losses[first:last])
            self.rows += last - first
            first = last
        return losses

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
def shrink(weight, square, rows, rate, decay):
    """A weight after so many rows without its feature: times (1 + 2 × rate of its own × decay) ** −rows."""
    if rows <= 0 or square == 0.0 or decay == 0.0:
        return np.float64(weight)
    each = 2.0 * decay * rate / math.sqrt(square)
    if rows * each < 1e-3:  # three terms of the series are exact enough for float32
        return weight * (1.0 - rows * each * (1.0 - 0.5 * (rows + 1.0) * each))
    return weight * math.exp(-rows * math.log(1.0 + each))


@kernel
def to_outputs(ordered, out):
    """From sums of weights to chances."""
    if not ordered:
        to_chances(out)
        return
    for each in range(out.shape[0]):
        out[each] = 1.0 / (1.0 + math.exp(-out[each]))


@kernel
def loss_of(out, ordered, came):
    """How badly outputs foretell what came; of an ordered model the sum over its outputs."""
    if not ordered:
        return -math.log(max(out[came], 1e-12))
    loss = 0.0
    for each in range(out.shape[0]):
        loss -= math.log(max(out[each] if came > each else 1.0 - out[each], 1e-12))
    return loss


@kernel
def _outputs(active, weights, ordered, out):
    for row in range(active.shape[0]):
        for i in range(active.shape[1]):
            feature = np.int64(active[row, i])
            if feature < 0:
                break
            for each in range(out.shape[1]):
                out[row, each] += weights[feature, each]
        to_outputs(ordered, out[row])


@kernel
def write_gradient(active, came, weights, squares, seen, now, rate, decay, ordered, out):
    """The gradient of one row with respect to its outputs: active [most], out [outputs]; returns the loss."""
    outputs = out.shape[0]
    for each in range(outputs):
        out[each] = 0.0
    for i in range(active.shape[0]):
        feature = np.int64(active[i])
        if feature < 0:
            break
        rows = now - np.int64(seen[feature])
        for each in range(outputs):
            out[each] += shrink(weights[feature, each], squares[feature, each], rows, rate, decay)
    to_outputs(ordered, out)
    loss = loss_of(out, ordered, came)
    for each in range(outputs):
        wanted = came > each if ordered else came == each
        out[each] -= 1.0 if wanted else 0.0
    return loss


@kernel
def move(weights, squares, sums, feature, before, now, batch, rate, decay):
    """The step of one feature's weights by the gradients of a batch; it was last on `before`. Clears the sums."""
    for each in range(weights.shape[1]):
        weight = shrink(weights[feature, each], squares[feature, each], now - before, rate, decay)
        gradient = np.float64(sums[feature, each]) / PARTS
        sums[feature, each] = 0
        square = squares[feature, each] + gradient * gradient
        if square > 0.0:
            own = rate / math.sqrt(square)
            weight = (weight - own * gradient) / (1.0 + 2.0 * own * decay * batch)
        squares[feature, each] = square
        weights[feature, each] = weight


@kernel
def _learn(active, came, weights, squares, sums, seen, now, rate, decay, ordered, losses):
    """One batch."""
    gradient = np.empty(weights.shape[1], np.float64)
    batch = came.shape[0]
    for row in range(batch):
        if came[row] < 0:
            continue
        losses[row] = write_gradient(
            active[row], np.int64(came[row]), weights, squares, seen, now, rate, decay, ordered, gradient
        )  # fmt: skip
        for each in range(gradient.shape[0]):
            part = np.int32(round(gradient[each] * PARTS))
            for i in range(active.shape[1]):
                feature = np.int64(active[row, i])
                if feature < 0:
                    break
                sums[feature, each] += part
    for row in range(batch):
        if came[row] < 0:
            continue
        for i in range(active.shape[1]):
            feature = np.int64(active[row, i])
            if feature < 0:
                break
            before = np.int64(seen[feature])
            if before != now + batch:
                seen[feature] = now + batch
                move(weights, squares, sums, feature, before, now, batch, rate, decay)


@kernel
def _settle(weights, squares, seen, done, rate, decay):
    for feature in range(weights.shape[0]):
        for each in range(weights.shape[1]):
            weights[feature, each] = shrink(
                weights[feature, each], squares[feature, each], done - np.int64(seen[feature]), rate, decay
            )
        seen[feature] = done
