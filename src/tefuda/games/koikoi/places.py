"""How a match stands: the chance of each seat to win it, as a rough guess by the points and the rounds left.

It is meant as a measure of progress: rewards for a learner who plays to win the match come at the end of each round,
not at the end of the match alone. There it is the truth, so that the rewards of a match add up to the win.
"""

import math

from tefuda.games.koikoi.rules import OVER, SEATS
from tefuda.kernel.compile import kernel

SPREAD = 4.0  # by how many points a round changes the score, as a slope: see `places`
DOUBLED = 1.6  # by how much more where points are doubled or multiplied


@kernel
def spread_of(rules):
    """How far apart the results of rounds lie by some rules."""
    spread = SPREAD
    if rules.double_seven:
        spread *= DOUBLED
    if rules.double_koikoi:
        spread *= DOUBLED
    if rules.koikoi_points:
        spread *= DOUBLED
    return spread


@kernel
def places(state, out):
    """The place that each seat may expect: 0.5 for the first, who has won the match, -0.5 for the last."""
    for seat in range(SEATS):
        score = float(state.score[seat])
        if state.phase == OVER:
            out[seat] = 0.5 if score > 0.0 else -0.5 if score < 0.0 else 0.0
        else:
            left = int(state.rules.rounds) - int(state.finished)
            spread = spread_of(state.rules)
            out[seat] = 0.5 * score / math.sqrt(score * score + spread * spread * left)
