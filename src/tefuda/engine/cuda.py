"""Batches of games on CUDA: one game for each thread, by the same functions that the CPU runs.

Tables and guessed worlds lie in device memory, a row for each game: of some players CUDA's compiler makes wrong code
when they lie in a thread's local memory (see lanes_cuda.py).

Without a GPU the launch is tested by Numba's simulator, with NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, Occupant, parameters_of, scratch_shapes
from tefuda.kernel.device import driver, launch, launchable

cuda: Any = None  # Numba's module, once it is needed; global, since the simulator replaces it there


def prepare() -> Any:
    """Numba's CUDA module, where this module's kernels find it."""
    global cuda
    cuda = driver()
    return cuda


def policies_of(players: Sequence[Occupant]) -> tuple[Policy, ...]:
    """The policies of some players, each once: these are compiled into the loops."""
    return tuple(dict.fromkeys(player.policy for player in players if player.policy is not None))


def seated(players: Sequence[Occupant]) -> tuple[np.ndarray, ...]:
    """Players for the loops on CUDA: choosers are places among their policies, the first is 1."""
    places = {policy: place for place, policy in enumerate(policies_of(players), 1)}
    choosers = [places[player.policy] if player.policy is not None else 0 for player in players]
    return np.array(choosers, np.int64), *parameters_of(players)


def rows_of_tables(game: Game, players: Sequence[Occupant], lanes: int) -> tuple[Any, Any]:
    """Tables and guessed worlds for these players in device memory: a row for each lane."""
    (tables, _), _, _, (worlds, _), _, _ = scratch_shapes(game, players)
    return cuda.device_array((lanes, tables), game.State), cuda.device_array((lanes, worlds), game.State)


@cache
def _kernel_of(game: Game, policies: tuple[Policy, ...], shapes: tuple[tuple[int, Any], ...]) -> Any:
    """The CUDA kernel of one game with some policies."""
    prepare()
    loops = loops_of(game, policies)
    begin, play_on, scores = loops.begin, loops.play_on, game.kernels.scores
    seats = game.seats
    _, _, (words, _), _, (numbers_needed, _), _ = shapes

    def play(blank, seed, first, seating, seated, counts, all_tables, all_worlds, results, decisions, finals, streams):
        lane = cuda.grid(1)
        if lane >= results.shape[0]:
            return
        tables, worlds = all_tables[lane], all_worlds[lane]
        rngs = cuda.local.array(seats, np.uint64)
        mask = cuda.local.array(words, np.uint64)
        numbers = cuda.local.array(numbers_needed, np.float64)
        rotations = seating.shape[0]
        begin(tables, blank, rngs, seed, first + lane // rotations)
        sitting = seating[lane % rotations]
        decisions[lane] = play_on(tables, sitting, seated, rngs, mask, worlds, numbers, counts[:0])
        scores(tables[TABLE], results[lane])
        if finals.shape[0] > lane:
            finals[lane] = tables[TABLE]
            for seat in range(seats):
                streams[lane, seat] = rngs[seat]

    return launchable(play)


@cache
def _playouts_of(game: Game) -> Any:
    """The CUDA kernel of plain playouts."""
    prepare()
    loops = loops_of(game, ())
    begin, playout, scores = loops.begin, loops.playout, game.kernels.scores
    State, seats, words = game.State, game.seats, game.spaces.mask_words

    def play(blank, seed, first, results, decisions):
        lane = cuda.grid(1)
        if lane >= results.shape[0]:
            return
        tables = cuda.local.array(1, State)
        rngs = cuda.local.array(seats, np.uint64)
        mask = cuda.local.array(words, np.uint64)
        begin(tables, blank, rngs, seed, first + lane)
        decisions[lane] = playout(tables[TABLE], rngs[0:1], mask)
        scores(tables[TABLE], results[lane])

    return launchable(play, linked=True)


class Playouts:
    """Seeded playouts on the GPU, one for each deal."""

    def __init__(self, game: Game, blank: np.ndarray, deals: int) -> None:
        prepare()
        self.game, self.deals = game, deals
        self.blank = cuda.to_device(blank)
        self.results = cuda.to_device(np.zeros((deals, game.seats)))
        self.decisions = cuda.to_device(np.zeros(deals, np.int64))

    def play(self, seed: int, first: int) -> None:
        """Launch all deals from `first` on; returns at once."""
        arguments = (self.blank, np.uint64(seed), first, self.results, self.decisions)
        launch(_playouts_of(self.game), self.deals, *arguments)


class Batch:
    """Deals of one match on the GPU; the arrays stay there between launches."""

    def __init__(
        self, game: Game, blank: np.ndarray, seating: np.ndarray, players: Sequence[Occupant], deals: int,
        keep_states: bool = False,
    ) -> None:  # fmt: skip
        prepare()
        self.game, self.rotations, self.lanes = game, len(seating), deals * len(seating)
        self.kernel = _kernel_of(game, policies_of(players), tuple(scratch_shapes(game, players)))
        kept = self.lanes if keep_states else 1
        to_device = cuda.to_device
        self.tables, self.worlds = rows_of_tables(game, players, self.lanes)
        self.seating = to_device(np.ascontiguousarray(seating))
        self.seated = tuple(map(to_device, seated(players)))
        self.blank = to_device(blank)
        self.counts = to_device(np.zeros((1, 1), np.int64))
        self.results = to_device(np.zeros((self.lanes, game.seats)))
        self.decisions = to_device(np.zeros(self.lanes, np.int64))
        self.finals = to_device(np.zeros(kept, game.State))
        self.streams = to_device(np.zeros((kept, game.seats), np.uint64))

    def play(self, seed: int, first: int) -> None:
        """Launch all lanes for the deals from `first` on; returns at once."""
        launch(
            self.kernel, self.lanes, self.blank, np.uint64(seed), first, self.seating, self.seated, self.counts,
            self.tables, self.worlds, self.results, self.decisions, self.finals, self.streams,
        )  # fmt: skip

    def scores(self) -> np.ndarray:
        """[deals, rotations, seats]"""
        return self.results.copy_to_host().reshape(-1, self.rotations, self.game.seats)
