"""How a match stands: how far seats are ahead of each other, how much is left of it, and which place each may expect.

The expected place is a rough guess by the points and the deals left. It is meant as a measure of progress: rewards for
a learner who plays for its final place. At the end of a match it is the truth, so that the rewards of a match add up
to it.
"""

import math

import numpy as np

from tefuda.contract import BetweenRounds, Part
from tefuda.games.mahjong.end import rank_of
from tefuda.games.mahjong.options import ONE_ROUND
from tefuda.games.mahjong.state import OVER, SEATS
from tefuda.kernel.compile import kernel

GAPS = (1000.0, 4000.0, 16000.0)  # points: a gap of so many is told as a half, so that small and large ones are told
PARTS = (
    Part("gaps", (SEATS - 1) * len(GAPS), "how far oneself is ahead of each other seat, from -1 to 1: one half at a "
         "thousand, at four thousand, at sixteen thousand points"),
    Part("deals_left", 1, "deals of the match with this one, repeats and extra rounds aside, in eights"),
    Part("last_deal", 1, "1 in the last of these deals and after it"),
    Part("expected", SEATS, "the place that each seat may expect, by points and deals left: 1.5 for the first, -1.5 "
         "for the last"),
)  # fmt: skip
BETWEEN = BetweenRounds(
    parts=("points", "rank", "wind", "round", "kyoku", "honba", "sticks", *(part.key for part in PARTS), "rules"),
    rounds=("kyoku", "honba"),
)
SIZE = sum(part.size for part in PARTS)
_LEFT = (SEATS - 1) * len(GAPS)
_EXPECTED = _LEFT + 2
# By how many points two seats' gap changes in a deal, as a slope: see `chance_to_be_ahead`.
SPREAD = 9000.0


@kernel
def deals_left(state):
    """Deals of the match with the one being played, repeats and extra rounds aside; at least 1."""
    if state.rules.length == ONE_ROUND:
        return 1
    return max(1, SEATS * np.int64(state.rules.length) - np.int64(state.kyoku))


@kernel
def chance_to_be_ahead(gap, left):
    """The chance that a seat ends before another that it is ahead of by so many points, with so many deals left."""
    return 0.5 + 0.5 * gap / math.sqrt(gap * gap + SPREAD * SPREAD * left)


@kernel
def expected_place(state, seat):
    """The place that a seat may expect: 1.5 for the first, 0.5, -0.5, -1.5 for the last. At the end, its place."""
    if state.phase == OVER:
        return 1.5 - rank_of(state, seat)
    left = deals_left(state)
    place = -1.5
    for other in range(SEATS):
        if other != seat:
            place += chance_to_be_ahead(np.float64(state.points[seat]) - np.float64(state.points[other]), left)
    return place


@kernel
def places(state, out):
    """The place that each seat may expect, as `expected_place` says."""
    for seat in range(SEATS):
        out[seat] = expected_place(state, seat)


@kernel
def write_places(state, seat, out):
    """All parts."""
    own = np.float64(state.points[seat])
    for place in range(SEATS - 1):
        gap = own - np.float64(state.points[(seat + 1 + place) % SEATS])
        size = abs(gap)
        for each in range(len(GAPS)):
            out[len(GAPS) * place + each] = gap / (size + GAPS[each])
    left = deals_left(state)
    out[_LEFT], out[_LEFT + 1] = left / 8.0, left == 1
    for place in range(SEATS):
        out[_EXPECTED + place] = expected_place(state, (seat + place) % SEATS)
