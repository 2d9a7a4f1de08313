"""One compiled player for all choices, tactics and strategies: it looks up its choice in a plan.

A plan has a choice for every round, standing in the game, turn, and whether the seat has scored in this round: a
strategy has picked a tactic for the first two, and this a choice for the others (tactics.py). Behind it stand a few
more numbers, the readings: what is done where the paper is silent or can be read in several ways.
"""

from tefuda.games.saichugen.cards import NUMBERS
from tefuda.games.saichugen.players.choices import (
    AIM_MIDDLE,
    AIM_MIDDLE_POINTS,
    AIM_OUTSIDE,
    AIM_POINTS,
    MOST,
    between,
    higher_other,
    lower_other,
    pick,
)
from tefuda.games.saichugen.players.exact import best_at_end, is_last_turn
from tefuda.games.saichugen.rules import ROUNDS, TURNS, unseen
from tefuda.kernel.bits import ZERO
from tefuda.kernel.compile import kernel

# Standings in the game: no points; some; some, and level with or above both others: more lead away from the middle.
WITHOUT, WITH, AHEAD = range(3)
STANDINGS = 3
PLAN = ROUNDS * STANDINGS * TURNS * 2  # choices [round, standing, turn, 1 when the seat has scored in the round]

# Readings, as places behind the plan.
NONE = PLAN  # the choice when no card of the hand fits choice5 in T-take+3t or T-takepoint, which want points
NONE_LOSES = PLAN + 1  # the choice when no card of the hand fits it in T-nottake+3t
LOSE_CARD = PLAN + 2  # the choice among the cards with which T-nottake+3t loses the round
LOSE_BY = PLAN + 3  # whether it rather goes above both others or below them
POINTS_FROM = PLAN + 4  # 0: T-takepoint takes any points up to n2 in turns 1 and 2; 1: from n1 to n2
EXACT_END = PLAN + 5  # 1: the last turn of the game is computed instead
SIZE = PLAN + 6
ABOVE, BELOW, EITHER = range(3)  # values of LOSE_BY


@kernel
def standing(view, seat):
    total = int(view.total[seat])
    if total == 0:
        return WITHOUT
    return AHEAD if total >= higher_other(view.total, seat) else WITH


@kernel
def planned(view, seat, params):
    """The choice that the plan has for this turn."""
    row = (int(view.finished) * STANDINGS + standing(view, seat)) * TURNS + int(view.turn)
    return int(params[2 * row + (1 if view.points[seat] > 0 else 0)])


@kernel
def losing_cards(view, seat, by):
    """The cards of the hand with which a seat that scores is not in the middle of the round."""
    own, hand = int(view.points[seat]), view.hand[seat]
    above = between(higher_other(view.points, seat) - own + 1, NUMBERS) & hand
    beneath = between(1, lower_other(view.points, seat) - own - 1) & hand
    if by == ABOVE and above != ZERO:
        return above
    if by == BELOW and beneath != ZERO:
        return beneath
    return above | beneath


@kernel
def fitting(view, seat, aim, least, most, params):
    """The cards of the hand that choice5 may lay: with their points the aim is reached.

    From `least` to `most` points, n1 and n2 in the paper, are wanted of the round where the aim speaks of points.
    """
    if aim == AIM_OUTSIDE:
        return losing_cards(view, seat, params[LOSE_BY])
    if aim == AIM_POINTS:
        return between(least if params[POINTS_FROM] > 0 else 1, most) & view.hand[seat]
    own = int(view.points[seat])
    low, high = lower_other(view.points, seat), higher_other(view.points, seat)
    if aim == AIM_MIDDLE_POINTS:
        low, high = max(low, least), min(high, most)
    return between(low - own, high - own) & view.hand[seat]


@kernel
def lay(choice, view, seat, least, most, params, rng):
    """The card that a choice lays; `least` and `most` are the points of the round that T-takepoint wants."""
    hand, rest = view.hand[seat], unseen(view, seat)
    if choice < AIM_MIDDLE:
        return pick(choice, hand, rest, rng)
    cards = fitting(view, seat, choice, least, most, params)
    loses = choice == AIM_OUTSIDE
    if cards == ZERO:
        return pick(params[NONE_LOSES] if loses else params[NONE], hand, rest, rng)
    return pick(params[LOSE_CARD] if loses else MOST, cards, rest, rng)


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    """Lay what the plan says; the points wanted of a round are those that bring the game score to the middle."""
    if params[EXACT_END] > 0 and is_last_turn(view):
        return best_at_end(view, seat, worlds, numbers)
    total = int(view.total[seat])
    least, most = lower_other(view.total, seat) - total, higher_other(view.total, seat) - total
    return lay(planned(view, seat, params), view, seat, least, most, params, rng)
