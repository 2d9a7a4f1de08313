"""Lanes of tables (learn/lanes.py) beside torch: kernels and networks work on the same memory, on CPU or CUDA."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.lanes import lanes_of
from tefuda.engine.network import GOALS
from tefuda.kernel.threads import chunks, cores
from tefuda.learn.deep.torch import torch
from tefuda.players.resolve import Entrant

SHARE = 32  # lanes that a CPU thread takes at once, at least


class Machine:
    """Where the work is done: how kernels are launched there and how they see a tensor."""

    def __init__(self, game: Game, device: Any, threads: int | None, opponent: str = "") -> None:
        """`opponent` names the policy of a compiled opponent, where there is one."""
        self.device, self.threads = device, threads or cores()
        self.cuda: Any = None
        if device.type == "cuda":
            from tefuda.engine import lanes_cuda

            self.cuda, self.kernels = lanes_cuda.cuda, lanes_cuda.kernels_of(game, opponent)
        else:
            self.kernels = lanes_of(game, opponent)
            self.pool = ThreadPoolExecutor(self.threads)

    def tensor(self, shape: Sequence[int], dtype: Any) -> Any:
        return torch.zeros(tuple(shape), dtype=dtype, device=self.device)

    def seen(self, tensor: Any) -> Any:
        """A tensor as kernels see it: the same memory."""
        return self.cuda.as_cuda_array(tensor) if self.cuda else tensor.numpy()

    def put(self, array: np.ndarray) -> Any:
        """An array where kernels can use it."""
        return self.cuda.to_device(array) if self.cuda else array

    def fetch(self, array: Any) -> np.ndarray:
        return array.copy_to_host() if self.cuda else array.copy()

    def scratch(self, lanes: int) -> tuple[Any, ...]:
        """What kernels that play take besides: on CUDA scratch space for each lane; on the CPU they make their own."""
        if not self.cuda:
            return ()
        return (tuple(self.cuda.device_array((lanes, size), dtype) for size, dtype in self.kernels.scratch),)

    def run(self, name: str, lanes: int, *arguments: Any) -> None:
        """Run a kernel over all lanes."""
        kernel = getattr(self.kernels, name)
        if self.cuda:
            from tefuda.engine.cuda import launch

            launch(kernel, lanes, 0, lanes, *arguments)
            return
        size = max(SHARE, -(-lanes // self.threads))
        work = [self.pool.submit(kernel, *piece, *arguments) for piece in chunks(lanes, size)]
        for each in work:
            each.result()


class Window:
    """A stretch of decisions of all lanes: what was known, done and gained. [steps, lanes, …]"""

    def __init__(self, game: Game, machine: Machine, steps: int, lanes: int, open_cards: bool = False) -> None:
        """`open_cards`: what the other seats can know is written down too."""
        self.steps, self.lanes = steps, lanes
        tensor = machine.tensor
        # what the seat to move can know: one step more, the first of the next window
        self.observation = tensor((steps + 1, lanes, game.spaces.observation.size), torch.float32)
        self.allowed = tensor((steps + 1, lanes, game.spaces.actions.size), torch.bool)
        self.seat_of = tensor((steps + 1, lanes), torch.int8)
        self.asked_of = tensor((steps + 1, lanes), torch.int8)
        beside = (
            (game.seats - 1) * game.spaces.observation.size if open_cards else 1
        )  # kernels take no array without columns
        self.others = tensor((steps + 1, lanes, beside), torch.float32)
        self.chosen = tensor((steps, lanes), torch.int64)
        self.log_chance = tensor((steps, lanes), torch.float32)
        self.ended = tensor((steps, lanes), torch.bool)
        self.rewards = tensor((steps, lanes, game.seats), torch.float32)
        self.values = tensor((steps, lanes), torch.float32)
        sight = (self.observation, self.allowed, self.seat_of, self.asked_of, self.others)
        result = (self.chosen, self.log_chance, self.ended, self.rewards)
        self.sights = [tuple(machine.seen(each[step]) for each in sight) for step in range(steps + 1)]
        self.results = [tuple(machine.seen(each[step]) for each in result) for step in range(steps)]

    def go_on(self) -> None:
        """The last sight becomes the first of the next stretch."""
        for each in (self.observation, self.allowed, self.seat_of, self.asked_of, self.others):
            each[0].copy_(each[self.steps])


class Lanes:
    """Many tables of a game in step."""

    def __init__(
        self, game: Game, machine: Machine, rules: Sequence[Rules], goals: Sequence[str], scales: Sequence[float],
        lanes: int, seed: int, opponent: Entrant | None = None, versus: int = 0, share: int = 1,
    ) -> None:  # fmt: skip
        """`opponent`: a compiled player, or None when opponents are asked from outside; `versus`: in so many lanes
        they play all seats but one."""
        self.game, self.machine, self.count = game, machine, lanes
        put = machine.put
        self.setting = (
            put(np.concatenate([game.blank(each) for each in rules])),
            put(np.array([GOALS[goal] for goal in goals], np.int64)),
            put(np.array(scales, np.float64)),
            put((np.arange(lanes) < versus).astype(np.int8)),
            put(np.zeros(1) if opponent is None or len(opponent.params) == 0 else opponent.params),
            np.uint64(seed),
            share,
        )
        self.own = (
            put(np.zeros(lanes, game.State)),
            put(np.zeros((lanes, game.seats), np.uint64)),
            put(np.zeros(lanes, np.int64)),
            machine.seen(luck := machine.tensor((lanes, game.seats), torch.float32)),
            machine.seen(first := machine.tensor((lanes, game.seats + 1), torch.float64)),
        )
        self.luck, self.first = luck, first
        self.scratch = machine.scratch(lanes)

    def start(self, window: Window) -> None:
        """Deal the first games."""
        self.machine.run("start_some", self.count, True, self.own, self.setting, window.sights[0], *self.scratch)

    def step(self, window: Window, at: int, logits: Any) -> None:
        """Act by the logits [lanes, actions] in the step `at` of the window, and look at the next."""
        seen = self.machine.seen(logits)
        arguments = (self.own, self.setting, seen, window.results[at], window.sights[at + 1])
        self.machine.run("step_some", self.count, *arguments, *self.scratch)

    def tell(self, answer: Any) -> None:
        """Ask the compiled player what it would do in every lane: answer [lanes]."""
        arguments = (self.own, self.setting, self.machine.seen(answer))
        self.machine.run("tell_some", self.count, *arguments, *self.scratch)

    def state(self) -> dict[str, np.ndarray]:
        """All that is needed to go on."""
        states, rngs, games, luck, first = map(self.machine.fetch, self.own)
        return {
            "lane_states": states.view(np.uint8), "lane_rngs": rngs, "lane_games": games, "lane_luck": luck,
            "lane_first": first,
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray], window: Window) -> None:
        """Go on from there."""
        put = self.machine.put
        self.luck.copy_(torch.from_numpy(state["lane_luck"]))
        self.first.copy_(torch.from_numpy(state["lane_first"]))
        states = np.ascontiguousarray(state["lane_states"]).view(self.game.State)
        self.own = (put(states), put(state["lane_rngs"]), put(state["lane_games"]), *self.own[3:])
        self.machine.run("start_some", self.count, False, self.own, self.setting, window.sights[0], *self.scratch)
