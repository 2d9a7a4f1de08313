"""How a match stands: the place that each seat may expect, as a rough guess by the points and the deals left.

It is meant as a measure of progress: rewards for a learner who plays for its final place. At the end of a match it is
the truth, so that the rewards of a match add up to it.
"""

import math

from tefuda.games.tricks.rules import scores
from tefuda.games.tricks.state import OVER
from tefuda.kernel.compile import kernel

SPREAD = 10.0  # by how many points a deal changes the gap of two seats, as a slope: see `ahead`
RISE = 8.0  # points a deal of the seat that comes to the target first


@kernel
def spread_left(state, highest):
    """How far gaps may still change, squared; 0 at the end."""
    if state.phase == OVER:
        return 0.0
    deals = max(1.0, (float(state.rules.target) - highest) / RISE)
    return SPREAD * SPREAD * deals


@kernel
def ahead(own, other, spread):
    """The chance of a seat to end before another, less a half."""
    gap = own - other
    return 0.5 * gap / math.sqrt(gap * gap + spread) if gap != 0.0 else 0.0


@kernel
def places(state, out):
    """The place that each seat may expect: 1.5 for the first, 0.5, -0.5, -1.5 for the last."""
    scores(state, out)
    first, second, third, fourth = out[0], out[1], out[2], out[3]
    highest = max(max(abs(first), abs(second)), max(abs(third), abs(fourth)))
    spread = spread_left(state, highest)
    out[0] = ahead(first, second, spread) + ahead(first, third, spread) + ahead(first, fourth, spread)
    out[1] = ahead(second, first, spread) + ahead(second, third, spread) + ahead(second, fourth, spread)
    out[2] = ahead(third, first, spread) + ahead(third, second, spread) + ahead(third, fourth, spread)
    out[3] = ahead(fourth, first, spread) + ahead(fourth, second, spread) + ahead(fourth, third, spread)
