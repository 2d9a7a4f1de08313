"""Sparse models (sparse.py) that learn on CUDA: a thread for each row of a batch, then one for each feature of a row.

Gradients are added up as whole numbers, so that the order in which threads come does not matter: a run gives the same
weights each time.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.kernel.device import driver, launch, launchable
from tefuda.learn.sparse import MOST_OUTPUTS, PARTS, SparseModel, batch_of, move, write_gradient

cuda: Any = None  # Numba's module, once it is needed; global, since the simulator replaces it there


@cache
def _kernels() -> SimpleNamespace:
    global cuda
    cuda = driver()

    def add(active, came, first, batch, model, now, rate, decay, ordered, losses):
        """Add the gradients of a batch, which begins at row `first`, to the sums."""
        place = cuda.grid(1)
        if place >= batch:
            return
        row = first + place
        if came[row] < 0:
            return
        weights, squares, sums, seen = model
        outputs = weights.shape[1]
        gradient = cuda.local.array(MOST_OUTPUTS, np.float64)
        losses[row] = write_gradient(
            active[row], np.int64(came[row]), weights, squares, seen, now, rate, decay, ordered, gradient[:outputs]
        )  # fmt: skip
        for i in range(active.shape[1]):
            feature = np.int64(active[row, i])
            if feature < 0:
                break
            for each in range(outputs):
                part = np.int32(round(gradient[each] * PARTS))
                cuda.atomic.add(sums, (feature, each), part)

    def step(active, came, first, batch, model, now, rate, decay):
        """Move the weights of each feature that was on; the first thread that comes to a feature does it."""
        place = cuda.grid(1)
        row, i = first + place // active.shape[1], place % active.shape[1]
        if place >= batch * active.shape[1] or came[row] < 0 or active[row, i] < 0:
            return
        weights, squares, sums, seen = model
        feature = np.int64(active[row, i])
        before = np.int64(cuda.atomic.exch(seen, feature, np.int32(now + batch)))
        if before != now + batch:
            move(weights, squares, sums, feature, before, now, batch, rate, decay)

    return SimpleNamespace(add=launchable(add), step=launchable(step))


class LearningOnGpu:
    """A model on the GPU."""

    def __init__(self, model: SparseModel) -> None:
        assert model.outputs <= MOST_OUTPUTS
        self.model, self.kernels = model, _kernels()
        self.arrays = tuple(map(driver().to_device, (model.weights, model.squares, model.sums, model.seen)))

    def learn(self, active: Any, came: Any, losses: Any, first: int, last: int) -> None:
        """Learn from rows first to last - 1 of arrays on the GPU, as SparseModel.learn does; returns at once."""
        model = self.model
        rate, decay = np.float64(model.rate), np.float64(model.decay)
        while first < last:
            batch = min(last - first, batch_of(model.rows))
            launch(
                self.kernels.add, batch, active, came, first, batch, self.arrays, model.rows, rate, decay,
                model.ordered, losses,
            )  # fmt: skip
            lanes = batch * active.shape[1]
            launch(self.kernels.step, lanes, active, came, first, batch, self.arrays, model.rows, rate, decay)
            model.rows += batch
            first += batch

    def fetch(self) -> SparseModel:
        """The model as it is now."""
        model = self.model
        model.weights, model.squares, model.sums, model.seen = (each.copy_to_host() for each in self.arrays)
        return model
