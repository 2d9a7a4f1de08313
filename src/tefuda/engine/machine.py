"""Where lanes are played: the loops over lanes (engine/lanes.py) on all cores, or launched on CUDA."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine.lanes import lane_scratch, lane_scratch_shapes, lanes_of
from tefuda.engine.seated import Occupant, seated
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.threads import chunks, cores

SHARE = 32  # lanes that a CPU thread takes at once, at least


@dataclass(frozen=True, eq=False)
class Outside:
    """Somebody who is asked from outside: a learner, whoever that is."""

    policy: Policy | None = None
    params: np.ndarray = field(default_factory=lambda: np.zeros(0))


OUTSIDE = Outside()


class LaneMachine:
    """How the loops over lanes are run, on the cores of this machine or on its GPU."""

    def __init__(
        self, game: Game, players: Sequence[Occupant], on_cuda: bool = False, threads: int | None = None
    ) -> None:
        """`players`: who sits in the lanes, as `sitting` numbers them."""
        self.game, self.players, self.threads = game, list(players), threads or cores()
        self.cuda: Any = None
        self._spaces: dict[int, tuple[Any, ...]] = {}
        if on_cuda:
            from tefuda.engine import cuda, lanes_cuda

            self.cuda, self.kernels = cuda.driver(), lanes_cuda.kernels_of(game, cuda.policies_of(self.players))
            self.seated = tuple(map(self.put, cuda.seated(self.players)))
        else:
            self.kernels = lanes_of(game)
            self.seated = seated(game, self.players)
            self.pool = ThreadPoolExecutor(self.threads)

    def put(self, array: np.ndarray) -> Any:
        """An array where kernels can use it."""
        return self.cuda.to_device(array) if self.cuda else array

    def fetch(self, array: Any) -> np.ndarray:
        return array.copy_to_host() if self.cuda else array.copy()

    def run(self, name: str, lanes: int, *arguments: Any, playing: bool = False) -> None:
        """Run a kernel over all lanes; `playing`: it takes scratch space besides."""
        kernel = getattr(self.kernels, name)
        if self.cuda:
            from tefuda.kernel.device import launch

            space = (self._device_space(lanes),) if playing else ()
            launch(kernel, lanes, 0, lanes, *arguments, *space)
            return
        size = max(SHARE, -(-lanes // self.threads))
        pieces = [(piece, (self._space(piece[0]),) if playing else ()) for piece in chunks(lanes, size)]
        if len(pieces) == 1:
            _quietly(kernel, *pieces[0][0], *arguments, *pieces[0][1])
            return
        work = [self.pool.submit(_quietly, kernel, *piece, *arguments, *space) for piece, space in pieces]
        for each in work:
            each.result()

    def _space(self, first: int) -> tuple[Any, ...]:
        """Scratch space for the core that takes the lanes from `first` on."""
        if first not in self._spaces:
            self._spaces[first] = lane_scratch(self.game, self.players)
        return self._spaces[first]

    def _device_space(self, lanes: int) -> tuple[Any, ...]:
        """Scratch space in device memory, a row for each lane."""
        if lanes not in self._spaces:
            shapes = lane_scratch_shapes(self.game, self.players)
            self._spaces[lanes] = tuple(self.cuda.device_array((lanes, size), dtype) for size, dtype in shapes)
        return self._spaces[lanes]


def _quietly(kernel: Any, *arguments: Any) -> None:
    """Call a kernel. Uncompiled, uint64 arithmetic wraps around with a warning, which threads would not silence."""
    if COMPILED:
        kernel(*arguments)
        return
    with np.errstate(over="ignore"):
        kernel(*arguments)
