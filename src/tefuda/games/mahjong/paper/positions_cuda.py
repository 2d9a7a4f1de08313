"""Records by self-play on CUDA: one position for each thread, by the kernels of positions.py."""

from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine import cuda as engine
from tefuda.engine.seated import Occupant, scratch_shapes
from tefuda.games.mahjong.paper import hands
from tefuda.games.mahjong.paper.features import ACTIVE
from tefuda.games.mahjong.paper.positions import NONE, RULES, Positions, loop_of
from tefuda.kernel.device import launch, launchable

cuda: Any = None  # Numba's module, once it is needed; global, since the simulator replaces it there


@cache
def _kernel_of(game: Game, policies: tuple[Policy, ...], shapes: tuple[tuple[int, Any], ...]) -> Any:
    global cuda
    cuda = engine.prepare()
    play = loop_of(game, policies)
    State, seats, work_needed = game.State, game.seats, hands.SIZE
    _, _, (words, _), (worlds_needed, _), (numbers_needed, _), _ = shapes

    def positions(blank, seed, first, seated, rows, came):
        lane = cuda.grid(1)
        if lane >= came.shape[0]:
            return
        tables = cuda.local.array(2, State)
        worlds = cuda.local.array(worlds_needed, State)
        rngs = cuda.local.array(seats, np.uint64)
        mask = cuda.local.array(words, np.uint64)
        numbers = cuda.local.array(numbers_needed, np.float64)
        out = cuda.local.array(seats, np.float64)
        work = cuda.local.array(work_needed, np.int64)
        active = cuda.local.array(ACTIVE + 1, np.int64)
        scratch = (tables, rngs, mask, worlds, numbers, out)
        found = play(blank, seed, first + lane, seated, scratch, work, active)
        came[lane] = found
        rows[lane, 0] = NONE
        if found >= 0:
            for i in range(ACTIVE):
                rows[lane, i] = active[i]
                if active[i] == NONE:
                    break

    return launchable(positions)


class Lanes:
    """Pieces of positions on the GPU; the arrays stay there between launches."""

    def __init__(self, game: Game, player: Occupant, opponent: Occupant, lanes: int) -> None:
        device, players = engine.prepare(), [player, opponent]
        self.lanes = lanes
        self.kernel = _kernel_of(game, engine.policies_of(players), tuple(scratch_shapes(game, players)))
        self.blank = device.to_device(game.blank(game.rulebook.make(RULES)))
        self.seated = tuple(map(device.to_device, engine.seated(players)))
        self.rows = device.to_device(np.full((lanes, ACTIVE), NONE, np.int32))
        self.came = device.to_device(np.zeros(lanes, np.int8))

    def play(self, seed: int, first: int) -> None:
        """Launch the numbers from `first` on, one a lane; returns at once."""
        launch(self.kernel, self.lanes, self.blank, np.uint64(seed), first, self.seated, self.rows, self.came)

    def positions(self) -> Positions:
        """What the last launch has found."""
        rows, came = self.rows.copy_to_host(), self.came.copy_to_host()
        ends = np.arange(ACTIVE) > (rows == NONE).argmax(axis=1)[:, None]
        rows[ends] = NONE  # what an earlier launch has left behind
        return Positions(rows[came >= 0], came[came >= 0])
