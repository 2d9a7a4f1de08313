"""Records by self-play on CUDA: one position for each thread, by the kernels of positions.py.

The tables of a lane lie in device memory, for CUDA's compiler makes wrong code of some players when they lie in a
thread's local memory (engine/lanes_cuda.py); all else that a thread writes to is local, where threads in step read and
write side by side.
"""

from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine import cuda as engine
from tefuda.engine.seated import Occupant, scratch_shapes
from tefuda.games.mahjong.paper import hands
from tefuda.games.mahjong.paper.features import ACTIVE
from tefuda.games.mahjong.paper.inputs import BYTES
from tefuda.games.mahjong.paper.positions import EXPLORING, NONE, RULES, Positions, loop_of
from tefuda.kernel.device import launch, launchable

cuda: Any = None  # Numba's module, once it is needed; global, since the simulator replaces it there
WIDTH = 192  # features of a position that are kept: more than there ever are


@cache
def _kernel_of(game: Game, policies: tuple[Policy, ...], shapes: tuple[tuple[int, Any], ...]) -> Any:
    global cuda
    cuda = engine.prepare()
    play = loop_of(game, policies)
    seats, work_needed, list_needed = game.seats, hands.SIZE, ACTIVE + 1
    _, _, (words, _), _, (numbers_needed, _), _ = shapes

    def positions(blank, seed, first, exploring, seated, tables, worlds, rows, plain, came):
        lane = cuda.grid(1)
        if lane >= came.shape[0]:
            return
        rngs = cuda.local.array(seats, np.uint64)
        mask = cuda.local.array(words, np.uint64)
        numbers = cuda.local.array(numbers_needed, np.float64)
        out = cuda.local.array(seats, np.float64)
        work = cuda.local.array(work_needed, np.int64)
        active = cuda.local.array(list_needed, np.int64)
        scratch = (tables[lane], rngs, mask, worlds[lane], numbers, out)
        found = play(blank, seed, first + lane, exploring, seated, scratch, work, active, plain[lane])
        came[lane] = found
        there = found >= 0
        for i in range(WIDTH):
            there = there and active[i] != NONE
            rows[lane, i] = active[i] if there else NONE

    return launchable(positions)


class Lanes:
    """Pieces of positions on the GPU; the arrays stay there between launches.

    rows [lanes, WIDTH], plain [lanes, BYTES] and came [lanes] are as in Positions, with a place for each number: came
    is NONE where a deal gave no position.
    """

    def __init__(
        self, game: Game, player: Occupant, opponent: Occupant, lanes: int, exploring: str = EXPLORING[0]
    ) -> None:  # fmt: skip
        device, players = engine.prepare(), [player, opponent]
        self.lanes, self.exploring = lanes, EXPLORING.index(exploring)
        self.kernel = _kernel_of(game, engine.policies_of(players), tuple(scratch_shapes(game, players)))
        self.blank = device.to_device(game.blank(game.rulebook.make(RULES)))
        self.seated = tuple(map(device.to_device, engine.seated(players)))
        self.tables, self.worlds = engine.rows_of_tables(game, players, lanes)
        self.rows = device.to_device(np.full((lanes, WIDTH), NONE, np.int32))
        self.plain = device.to_device(np.zeros((lanes, BYTES), np.uint8))
        self.came = device.to_device(np.zeros(lanes, np.int8))
        self.first = 0

    def play(self, seed: int, first: int) -> None:
        """Launch the numbers from `first` on, one a lane; returns at once."""
        self.first = first
        launch(
            self.kernel, self.lanes, self.blank, np.uint64(seed), first, self.exploring, self.seated, self.tables,
            self.worlds, self.rows, self.plain, self.came,
        )  # fmt: skip

    def positions(self) -> Positions:
        """What the last launch has found."""
        came = self.came.copy_to_host()
        there = came >= 0
        rows = np.full((int(there.sum()), ACTIVE), NONE, np.int32)
        rows[:, :WIDTH] = self.rows.copy_to_host()[there]
        numbers = self.first + np.flatnonzero(there)
        return Positions(numbers, rows, self.plain.copy_to_host()[there], came[there])
