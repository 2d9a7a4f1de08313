"""One compiled player for all choices, tactics and strategies: it looks up its choice in a plan.

A plan has a choice for every round, standing in the game, turn, and whether the seat has scored in this round. What
choice5 does where the paper is silent or can be read in several ways are a few more numbers behind it: the readings.
"""

from tefuda.games.saichugen.players.choices import (
    AIM_MIDDLE,
    AIM_MIDDLE_POINTS,
    AIM_OUTSIDE,
    AIM_POINTS,
    between,
    higher_other,
    lower_other,
    pick,
)
from tefuda.games.saichugen.cards import NUMBERS
from tefuda.games.saichugen.rules import ROUNDS, TURNS, unseen
from tefuda.kernel.bits import ZERO
from tefuda.kernel.compile import kernel

# Standings in the game, by which a strategy picks a tactic.
WITHOUT, WITH, AHEAD = range(3)  # no points yet; some; no points would bring the seat to the middle
STANDINGS = 3
PLAN = ROUNDS * STANDINGS * TURNS * 2  # [round, standing, turn, 1 if scored in the round]

# Readings, as places behind the plan; values are choices unless it says otherwise.
MISSING = PLAN  # when no card of the hand has the points aimed at
IMPOSSIBLE = PLAN + 1  # when no card at all could have them
OUTSIDE = PLAN + 2  # which card to lay of those that would leave the middle
POINTS_FROM = PLAN + 3  # 1: choice5 in turns 1 and 2 of T-takepoint aims at n1 points or more, 0: at 1 or more
AHEAD_FROM = PLAN + 4  # by how much a seat is to be above both others to be ahead: 0 or 1
EXACT_END = PLAN + 5  # 1: the last turn of the game is computed
SIZE = PLAN + 6


@kernel
def standing(view, seat, params):
    total = int(view.total[seat])
    if total - higher_other(view.total, seat) >= params[AHEAD_FROM] and total>0:
        return AHEAD
    return WITH if total > 0 else WITHOUT


@kernel
def planned(view, seat, params):
    """The choice that the plan has for this turn."""
    row = (int(view.finished) * STANDINGS + standing(view, seat, params)) * TURNS + int(view.turn)
    return int(params[2 * row + (view.points[seat] > 0)])


@kernel
def aimed_at(view, seat, aim, params):
    """The set of cards with which choice5 would reach its aim, could it score with them."""
    own = int(view.points[seat])
    low, high = lower_other(view.points, seat), higher_other(view.points, seat)
    if aim == AIM_OUTSIDE:
        return between(1, low - own - 1) | between(high - own + 1, NUMBERS)
    total = int(view.total[seat])
    least, most = lower_other(view.total, seat) - total, higher_other(view.total, seat) - total  # n1, n2
    if aim == AIM_POINTS:
        return between(least if params[POINTS_FROM] > 0 else 1, most)
    if aim == AIM_MIDDLE_POINTS:
        low, high = max(low, least), min(high, most)
    return between(low - own, high - own)


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    hand, unknown = view.hand[seat], unseen(view, seat)
    choice = planned(view, seat, params)
    if choice < AIM_MIDDLE:
        return pick(choice, hand, unknown, rng)
    wanted = aimed_at(view, seat, choice, params)
    if wanted == ZERO:
        return pick(params[IMPOSSIBLE], hand, unknown, rng)
    if wanted & hand == ZERO:
        return pick(params[MISSING], hand, unknown, rng)
    return pick(params[OUTSIDE] if choice == AIM_OUTSIDE else 1.0, wanted & hand, unknown, rng)
