"""How a match stands between two deals, and how likely each final place is from there (section 5.4: EFR).

A standing is an array: the points of the four seats, which deal it is, honba and sticks. The model is a softmax
regression for each situation: how many deals are still to come, and how far the seat sits from the dealer. Its amounts
are differences of points, each squashed at five scales, so that 1,000 points count more in a close match than in a
decided one. The seat's number follows from the situation, and with it who is ahead among equals.
"""

import numpy as np

from tefuda.engine.linear import class_chances
from tefuda.games.mahjong.end import rank_of
from tefuda.games.mahjong.options import HANCHAN, ONE_ROUND
from tefuda.games.mahjong.state import SEATS
from tefuda.kernel.compile import kernel

KYOKU, HONBA, STICKS = 4, 5, 6  # places in a standing, behind the points
STANDING = 7  # whole numbers, as float64: they lie in a policy's scratch space

DEALS = 4 * HANCHAN  # deals of the longest match, without repeats and the extra round
SITUATIONS = DEALS * SEATS
_SCALES = (0.4, 2.0, 6.0, 15.0, 40.0)  # thousands of points
AMOUNTS = (
    *(f"{scale:g}: points above the seat {other} further" for other in (1, 2, 3) for scale in _SCALES),
    *(f"3: points above the goal, {whose}" for whose in ("own", "of the best of the others")),
    "honba, by 5, at most 1", "riichi sticks, by 4, at most 1", "1",
)  # fmt: skip
FEATURES = len(AMOUNTS)
WEIGHTS = SITUATIONS * SEATS * FEATURES
ALL_PLACES = 10.0  # 1, 2, 3 and 4 together


@kernel
def read_standing(state, standing):
    """How the match of a table stands; riichi sticks of this deal are paid already."""
    for seat in range(SEATS):
        standing[seat] = state.points[seat]
    standing[KYOKU] = state.kyoku
    standing[HONBA] = state.honba
    standing[STICKS] = state.sticks


@kernel
def squashed(points, scale):
    """A difference of points, by thousands, between -1 and 1."""
    thousands = points / 1000.0
    return thousands / (scale + abs(thousands))


@kernel
def situation_of(kyoku, length, seat):
    """Which of the SITUATIONS it is: deals to come after the one that begins, and the seat's own wind."""
    last = SEATS * max(length, 1) - 1
    left = min(max(last - kyoku, 0), DEALS - 1)
    return left * SEATS + (seat - kyoku + 16) % SEATS


@kernel
def write_amounts(points, honba, sticks, goal, seat, out):
    """The amounts of a standing for a seat; `goal` in points."""
    own, best, place = np.int64(points[seat]), np.int64(-(1 << 30)), 0
    for further in range(1, SEATS):
        other = np.int64(points[(seat + further) % SEATS])
        best = max(best, other)
        for scale in _SCALES:
            out[place] = squashed(own - other, scale)
            place += 1
    out[place] = squashed(own - goal, 3.0)
    out[place + 1] = squashed(best - goal, 3.0)
    out[place + 2] = min(honba, 5) / 5.0
    out[place + 3] = min(sticks, 4) / 4.0
    out[place + 4] = 1.0


@kernel
def place_chances(weights, standing, rules, seat, amounts, out):
    """The chance of each final place, 1 to 4, for a seat when a deal begins; amounts [FEATURES], out [4]."""
    honba, sticks = np.int64(standing[HONBA]), np.int64(standing[STICKS])
    write_amounts(standing, honba, sticks, 100 * np.int64(rules.goal), seat, amounts)
    first = situation_of(np.int64(standing[KYOKU]), np.int64(rules.length), seat) * SEATS * FEATURES
    class_chances(weights[first:], amounts[:FEATURES], out[:SEATS])


@kernel
def expected_place(weights, standing, rules, seat, amounts, out):
    """The expected final rank of a seat when a deal begins: 1 is best."""
    place_chances(weights, standing, rules, seat, amounts, out)
    return out[0] + 2.0 * out[1] + 3.0 * out[2] + 4.0 * out[3]


@kernel
def balanced_place(weights, standing, rules, seat, amounts, out):
    """The expected final rank of a seat, so that those of all four add up to 10."""
    total, own = 0.0, 0.0
    for each in range(SEATS):
        expected = expected_place(weights, standing, rules, each, amounts, out)
        total += expected
        if each == seat:
            own = expected
    return own + (ALL_PLACES - total) / SEATS


# What learn/outcomes.py takes.


@kernel
def moment(before, after):
    """Whether a new deal of the match has just begun."""
    return after.rules.length != ONE_ROUND and after.finished != before.finished


@kernel
def situation(state, seat):
    return situation_of(np.int64(state.kyoku), np.int64(state.rules.length), seat)


@kernel
def write(state, seat, out):
    honba, sticks = np.int64(state.honba), np.int64(state.sticks)
    write_amounts(state.points, honba, sticks, 100 * np.int64(state.rules.goal), seat, out)


@kernel
def outcome(state, seat):
    """The final place, from 0."""
    return rank_of(state, seat)
