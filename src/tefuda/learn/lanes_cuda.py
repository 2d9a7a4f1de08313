"""The lanes of learn/lanes.py on CUDA: a thread for each, with its scratch space in local memory."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game
from tefuda.kernel.cuda import driver
from tefuda.learn.lanes import lanes_of

cuda = driver()


@cache
def kernels_of(game: Game, opponent: str = "") -> SimpleNamespace:
    """The CUDA kernels of one game; their arguments are those of the loops over lanes on the CPU."""
    lanes = lanes_of(game, opponent)
    start_one, step_one, tell_one = lanes.start, lanes.step, lanes.tell
    judge_one, follow_one = lanes.judge, lanes.follow
    State, seats, words, worlds_needed, numbers_needed = (
        game.State, game.seats, game.words, lanes.worlds, lanes.numbers
    )  # fmt: skip

    def start(first_lane, last_lane, fresh, own, setting, sight):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        scratch = (
            cuda.local.array(2, State), cuda.local.array(words, np.uint64), cuda.local.array(worlds_needed, State),
            cuda.local.array(numbers_needed, np.float64), cuda.local.array(seats, np.float64),
            cuda.local.array(seats, np.float64),
        )  # fmt: skip
        start_one(lane, fresh, own, setting, sight, scratch)

    def step(first_lane, last_lane, own, setting, logits, result, sight):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        scratch = (
            cuda.local.array(2, State), cuda.local.array(words, np.uint64), cuda.local.array(worlds_needed, State),
            cuda.local.array(numbers_needed, np.float64), cuda.local.array(seats, np.float64),
            cuda.local.array(seats, np.float64),
        )  # fmt: skip
        step_one(lane, own, setting, logits, result, sight, scratch)

    def tell(first_lane, last_lane, own, setting, answer):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        scratch = (
            cuda.local.array(2, State), cuda.local.array(words, np.uint64), cuda.local.array(worlds_needed, State),
            cuda.local.array(numbers_needed, np.float64), cuda.local.array(seats, np.float64),
            cuda.local.array(seats, np.float64),
        )  # fmt: skip
        tell_one(lane, own, setting, answer, scratch)

    def judge(first_lane, last_lane, fade, story, judgement):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        ahead, gain = cuda.local.array(seats, np.float64), cuda.local.array(seats, np.float64)
        pending, known = cuda.local.array(seats, np.float64), cuda.local.array(seats, np.float64)
        judge_one(lane, fade, story, judgement, ahead, gain, pending, known)

    def follow(first_lane, last_lane, story, link):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        pending, after = cuda.local.array(seats, np.float64), cuda.local.array(seats, np.float64)
        follow_one(lane, story, link, pending, after)

    return SimpleNamespace(
        start_some=cuda.jit(start), step_some=cuda.jit(step), tell_some=cuda.jit(tell), judge_some=cuda.jit(judge),
        follow_some=cuda.jit(follow),
    )  # fmt: skip
