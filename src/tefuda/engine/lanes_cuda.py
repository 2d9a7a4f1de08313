"""The lanes of engine/lanes.py on CUDA: a thread for each.

Scratch space lies in device memory, a row for each lane, and not in the threads' local memory, for two reasons. There
the compiler of CUDA makes wrong code of some players (`apply` gets a pointer that is none). And local memory is given
to all threads that fit on the GPU, however few lanes there are: a player that searches needs too much of it.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine.courses import CREDIT_PLACES
from tefuda.engine.lanes import lanes_of
from tefuda.kernel.compile import kernel
from tefuda.kernel.device import driver, launchable

cuda = driver()


@cache
def kernels_of(game: Game, policies: tuple[Policy, ...] = ()) -> SimpleNamespace:
    """The CUDA kernels of one game. They take the arguments of the loops over lanes on the CPU; those that play take
    the scratch space of all lanes."""
    lanes = lanes_of(game, policies)
    start_one, step_one, act_one, tell_one = lanes.start, lanes.step, lanes.act, lanes.tell
    credit_one, follow_one = lanes.give_credit, lanes.follow
    seats = game.seats

    def own_row(scratch, lane):
        tables, mask, worlds, numbers, points, before = scratch
        return tables[lane], mask[lane], worlds[lane], numbers[lane], points[lane], before[lane]

    own_row = kernel(own_row, inline=True)

    def start(first_lane, last_lane, fresh, own, setting, sight, scratch):
        lane = first_lane + cuda.grid(1)
        if lane < last_lane:
            start_one(lane, fresh, own, setting, sight, own_row(scratch, lane))

    def step(first_lane, last_lane, own, setting, logits, result, sight, scratch):
        lane = first_lane + cuda.grid(1)
        if lane < last_lane:
            step_one(lane, own, setting, logits, result, sight, own_row(scratch, lane))

    def act(first_lane, last_lane, own, setting, actions, result, sight, scratch):
        lane = first_lane + cuda.grid(1)
        if lane < last_lane:
            act_one(lane, own, setting, actions, result, sight, own_row(scratch, lane))

    def tell(first_lane, last_lane, own, setting, answer, scratch):
        lane = first_lane + cuda.grid(1)
        if lane < last_lane:
            tell_one(lane, own, setting, answer, own_row(scratch, lane))

    def give_credit(first_lane, last_lane, fade, course, credit):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        credit_one(lane, fade, course, credit, cuda.local.array((CREDIT_PLACES, seats), np.float64))

    def follow(first_lane, last_lane, course, link):
        lane = first_lane + cuda.grid(1)
        if lane >= last_lane:
            return
        pending, after = cuda.local.array(seats, np.float64), cuda.local.array(seats, np.float64)
        follow_one(lane, course, link, pending, after)

    return SimpleNamespace(
        start_some=launchable(start), step_some=launchable(step), act_some=launchable(act),
        tell_some=launchable(tell), credit_some=launchable(give_credit), follow_some=launchable(follow),
    )  # fmt: skip
