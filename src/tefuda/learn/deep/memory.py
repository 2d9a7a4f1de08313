"""What a learner remembers of what it has played: the last of it, or an even sample of all of it."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from tefuda.learn.deep.tables import Machine
from tefuda.learn.deep.torch import torch


class Memory:
    """Rows of which some are kept: a ring of the last, or a reservoir, an even sample of all.

    Rows that are not kept are written to a place behind all others, which nobody reads: so the device need not tell
    how many there are.
    """

    def __init__(self, machine: Machine, capacity: int, columns: Mapping[str, tuple[int, Any]]) -> None:
        """`columns`: the width (0: a single number) and the type of each."""
        self.capacity = capacity
        self.columns = {
            key: machine.tensor((capacity + 1, *([width] if width else [])), dtype)
            for key, (width, dtype) in columns.items()
        }
        self.seen = machine.tensor((), torch.int64)  # rows that were offered so far
        self.number = machine.tensor((capacity + 1,), torch.int64)  # which of them stands in a place
        self.number.fill_(-1)

    def add(self, rows: Mapping[str, Any], counts: Any, luck: Any = None) -> None:
        """Offer those rows that count, in this order. With `luck`, numbers from 0 to 1, the memory is a reservoir: the
        n-th row is kept with the chance capacity / n, in the place of any other (algorithm R, Vitter 1985)."""
        number = self.seen + counts.cumsum(0) - 1
        self.seen += counts.sum()
        place = number % self.capacity
        if luck is not None:
            place = torch.where(number < self.capacity, number, (luck * (number + 1)).long())
        kept = counts & (place < self.capacity)
        place = torch.where(kept, place, self.capacity)
        self.number.scatter_reduce_(0, place, torch.where(kept, number, -1), "amax")  # of several, the last stays
        place = torch.where(self.number[place] == number, place, self.capacity)
        for key, column in self.columns.items():
            column.index_copy_(0, place, rows[key].to(column.dtype))

    def draw(self, out: Any, generator: Any) -> None:
        """Choose as many rows as `out` has places; while there are none, the first, which is empty."""
        luck = torch.rand(out.shape, generator=generator, device=out.device, dtype=torch.float64)
        out.copy_((luck * self.seen.clamp(max=self.capacity)).long())

    def state(self, name: str) -> dict[str, np.ndarray]:
        seen = int(self.seen)
        kept = {f"{name}_{key}": column[: min(seen, self.capacity)] for key, column in self.columns.items()}
        kept[f"{name}_number"] = self.number[: min(seen, self.capacity)]
        return {f"{name}_seen": np.array(seen), **{key: tensor.cpu().numpy().copy() for key, tensor in kept.items()}}

    def restore(self, name: str, state: dict[str, np.ndarray]) -> None:
        self.seen.fill_(int(state[f"{name}_seen"]))
        for key, column in {**self.columns, "number": self.number}.items():
            kept = torch.from_numpy(state[f"{name}_{key}"])
            column[: len(kept)].copy_(kept)
