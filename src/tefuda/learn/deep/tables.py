"""Lanes of tables (engine/lanes.py) beside torch: kernels and networks work on the same memory, on CPU or CUDA."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.courses import LEARNS, OTHER
from tefuda.engine.goals import GOALS
from tefuda.engine.lanes import hidden_size
from tefuda.engine.machine import OUTSIDE, LaneMachine
from tefuda.learn.deep.torch import torch
from tefuda.players.entrant import Entrant


def sitting_of(seats: int, lanes: int, versus: int) -> np.ndarray:
    """Which player sits where: the learner everywhere, but in the first lanes its opponent in all seats but one."""
    lane, seat = np.arange(lanes)[:, None], np.arange(seats)
    return np.where((lane < versus) & (seat != lane % seats), OTHER, LEARNS)


class Machine(LaneMachine):
    """Where the work is done: how kernels are launched there and how they see a tensor."""

    def __init__(self, game: Game, device: Any, threads: int | None, opponent: Entrant | None = None) -> None:
        """`opponent`: a compiled player who sits at some tables, or teaches; None when all are asked from outside."""
        players = [OUTSIDE, opponent or OUTSIDE]  # in the order of LEARNS and OTHER
        super().__init__(game, players, device.type == "cuda", threads)
        self.device = device

    def tensor(self, shape: Sequence[int], dtype: Any) -> Any:
        return torch.zeros(tuple(shape), dtype=dtype, device=self.device)

    def seen(self, tensor: Any) -> Any:
        """A tensor as kernels see it: the same memory."""
        return self.cuda.as_cuda_array(tensor) if self.cuda else tensor.numpy()


HELD = (
    "observation", "allowed", "seat_of", "asked_of", "others", "chosen", "log_chance", "ended", "rewards", "values",
)  # fmt: skip


class Window:
    """A stretch of decisions of all lanes: what was known, done and gained. [steps, lanes, …]"""

    def __init__(self, game: Game, machine: Machine, steps: int, lanes: int, open_cards: bool = False) -> None:
        """`open_cards`: what is hidden from the seat to move is written down too."""
        self.steps, self.lanes = steps, lanes
        tensor = machine.tensor
        # what the seat to move can know: one step more, the first of the next window
        self.observation = tensor((steps + 1, lanes, game.spaces.observation.size), torch.float32)
        self.allowed = tensor((steps + 1, lanes, game.spaces.actions.size), torch.bool)
        self.seat_of = tensor((steps + 1, lanes), torch.int8)
        self.asked_of = tensor((steps + 1, lanes), torch.int8)
        beside = hidden_size(game) if open_cards else 1  # kernels take no array without columns
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

    def arrays(self) -> dict[str, np.ndarray]:
        """All that it holds, in the same memory."""
        return {key: getattr(self, key).numpy() for key in HELD}

    def take(self, first: int, arrays: dict[str, np.ndarray]) -> None:
        """Take over what another window holds of the lanes from `first` on."""
        for key, array in arrays.items():
            getattr(self, key)[:, first : first + array.shape[1]].copy_(torch.tensor(array))

    def go_on(self) -> None:
        """The last sight becomes the first of the next stretch."""
        for each in (self.observation, self.allowed, self.seat_of, self.asked_of, self.others):
            each[0].copy_(each[self.steps])


class LearnerLanes:
    """Many tables of a game in step."""

    def __init__(
        self, game: Game, machine: Machine, rules: Sequence[Rules], goals: Sequence[str], scales: Sequence[float],
        lanes: int, seed: int, versus: int = 0, share: int = 1,
    ) -> None:  # fmt: skip
        """`versus`: in so many lanes the opponent plays all seats but one, which is the lane's number modulo them."""
        self.game, self.machine, self.count = game, machine, lanes
        put = machine.put
        self.setting = (
            put(np.concatenate([game.blank(each) for each in rules])),
            put(np.array([GOALS[goal] for goal in goals], np.int64)),
            put(np.array(scales, np.float64)),
            put(sitting_of(game.seats, lanes, versus)),
            machine.seated,
            np.uint64(seed),
            share,
            put(np.zeros((1, 1), np.int64)),
        )
        self.own = (
            put(np.zeros(lanes, game.State)),
            put(np.zeros((lanes, game.seats), np.uint64)),
            put(np.zeros(lanes, np.int64)),
            machine.seen(luck := machine.tensor((lanes, game.seats), torch.float32)),
            machine.seen(first := machine.tensor((lanes, game.seats + 1), torch.float64)),
        )
        self.luck, self.first = luck, first

    def start(self, window: Window) -> None:
        """Deal the first games."""
        self.machine.run("start_some", self.count, True, self.own, self.setting, window.sights[0], playing=True)

    def step(self, window: Window, at: int, logits: Any) -> None:
        """Act by the logits [lanes, actions] in the step `at` of the window, and look at the next."""
        seen = self.machine.seen(logits)
        arguments = (self.own, self.setting, seen, window.results[at], window.sights[at + 1])
        self.machine.run("step_some", self.count, *arguments, playing=True)

    def tell(self, answer: Any) -> None:
        """Ask the compiled player what it would do in every lane: answer [lanes]."""
        arguments = (self.own, self.setting, self.machine.seen(answer))
        self.machine.run("tell_some", self.count, *arguments, playing=True)

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
        self.machine.run("start_some", self.count, False, self.own, self.setting, window.sights[0], playing=True)
