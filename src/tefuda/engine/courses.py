"""What the decisions of a lane led to: kernels that walk a window of them backwards, seat by seat, for learners."""

from functools import cache
from types import SimpleNamespace

import numpy as np

from tefuda.kernel.compile import kernel

CREDIT_PLACES = 7  # numbers for each seat that `give_credit` works with
LEARNS, OTHER = 0, 1  # the players of a learner's lanes: itself, and its opponent or teacher


@cache
def courses_of(seats: int) -> SimpleNamespace:
    """The kernels for a game of so many seats: those of one lane, and the loops over lanes on the CPU."""

    def give_credit(lane, fade, course, credit, places):
        """Walk a lane backwards: by how much each decision went better than its value foretold (Schulman et al. 2016).

        Each seat's decisions are taken by themselves: after one comes the seat's next, or the end of the game. The
        last decision of each seat in the window gets none, for what follows it is not known yet. Where a new round
        begins in between (`new_round`), what follows is worth its outlook: what is foretold by how the match stands
        alone. Then the luck of the new round is no credit of the one before. `begins` marks the first decisions of
        seats in such a round.
        """
        values, outlooks, new_round, seat_of, asked_of, ended, rewards = course  # [steps, lanes]; rewards [.., seats]
        advantage, target, counts, begins = credit
        known, ahead, gain, pending, outlook, crossed, next_at = (
            places[0], places[1], places[2], places[3], places[4], places[5], places[6],
        )  # fmt: skip
        for seat in range(seats):
            known[seat], ahead[seat], gain[seat], pending[seat] = 0.0, 0.0, 0.0, 0.0
            crossed[seat], next_at[seat] = 0.0, -1.0
        steps = ended.shape[0]
        for back in range(steps):
            at = steps - 1 - back
            for seat in range(seats):
                if ended[at, lane]:
                    known[seat], ahead[seat], gain[seat], pending[seat] = 1.0, 0.0, 0.0, 0.0
                    crossed[seat], next_at[seat] = 0.0, -1.0
                elif new_round[at, lane] and next_at[seat] >= 0.0:
                    crossed[seat] = 1.0
                pending[seat] += rewards[at, lane, seat]
            seat = int(seat_of[at, lane])
            advantage[at, lane], target[at, lane], counts[at, lane], begins[at, lane] = 0.0, 0.0, 0.0, 0.0
            if asked_of[at, lane] != LEARNS:
                continue
            value = values[at, lane]
            if known[seat] != 0.0:
                if crossed[seat] != 0.0:
                    ahead[seat], gain[seat] = outlook[seat], 0.0
                    begins[int(next_at[seat]), lane] = 1.0
                gain[seat] = pending[seat] + ahead[seat] - value + fade * gain[seat]
                advantage[at, lane], target[at, lane], counts[at, lane] = gain[seat], gain[seat] + value, 1.0
            else:
                known[seat], gain[seat] = 1.0, 0.0
            ahead[seat], pending[seat], crossed[seat] = value, 0.0, 0.0
            outlook[seat], next_at[seat] = outlooks[at, lane], at

    give_credit = kernel(give_credit)

    def follow(lane, course, link, pending, after):
        """Walk a lane backwards: what each decision led to. `link` gets the step of the seat's next decision and the
        reward until then. The step is -1 when the game was over before it, and -2 when the window was."""
        seat_of, ended, rewards = course
        next_at, reward = link
        steps = ended.shape[0]
        for seat in range(seats):
            after[seat], pending[seat] = -2.0, 0.0
        for back in range(steps):
            at = steps - 1 - back
            for seat in range(seats):
                if ended[at, lane]:
                    after[seat], pending[seat] = -1.0, 0.0
                pending[seat] += rewards[at, lane, seat]
            seat = int(seat_of[at, lane])
            next_at[at, lane] = int(after[seat])
            reward[at, lane] = pending[seat]
            after[seat], pending[seat] = at, 0.0

    follow = kernel(follow)

    def credit_some(first_lane, last_lane, fade, course, credit):
        places = np.empty((CREDIT_PLACES, seats), np.float64)
        for lane in range(first_lane, last_lane):
            give_credit(lane, fade, course, credit, places)

    def follow_some(first_lane, last_lane, course, link):
        places = np.empty((2, seats), np.float64)
        for lane in range(first_lane, last_lane):
            follow(lane, course, link, places[0], places[1])

    return SimpleNamespace(
        give_credit=give_credit, follow=follow,
        credit_some=kernel(credit_some), follow_some=kernel(follow_some),
    )  # fmt: skip
