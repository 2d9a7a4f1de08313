"""The end of a deal and of a match: who deals next, whether it goes on, the final order."""

import numpy as np

from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.options import (
    MOST_ROUNDS,
    NO_UMA,
    ONE_ROUND,
    UMA_5_10,
    UMA_10_20,
)
from tefuda.games.mahjong.state import EXHAUSTED, NAGASHI, NOBODY, NOT_YET, OVER, SEATS, WON, dealer_of
from tefuda.games.mahjong.wall import deal_wall, shuffle_wall
from tefuda.kernel.bits import ZERO
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import draw


@kernel
def place_by(points, seat):
    """The place of a seat by the points of all, from 0; among equals who dealt first is ahead."""
    place = 0
    for other in range(SEATS):
        if points[other] > points[seat] or (points[other] == points[seat] and other < seat):
            place += 1
    return place


@kernel
def leader_by(points):
    for seat in range(SEATS):
        if place_by(points, seat) == 0:
            return seat
    return NOBODY


@kernel
def rank_of(state, seat):
    """The place of a seat, from 0."""
    return place_by(state.points, seat)


@kernel
def leader(state):
    return leader_by(state.points)


@kernel
def repeats(state, dealer):
    """Who dealt deals again after a win, when ready at the end of the wall, and after an abort."""
    if state.ended == WON:
        return state.winners[0] == dealer or state.winners[1] == dealer or state.winners[2] == dealer
    if state.ended == EXHAUSTED or state.ended == NAGASHI:
        return state.ready[dealer] != 0
    return True


@kernel
def ends_match(points, kyoku, rules, stays, aborted):
    """Whether a match of several deals ends with one just paid; `stays`: the dealer would repeat."""
    lowest = np.int64(points[0])
    for seat in range(SEATS):
        lowest = min(lowest, np.int64(points[seat]))
    if rules.bankruptcy != 0 and lowest < 0:
        return True
    last = SEATS * int(rules.length) - 1  # the last deal of the match, if there is no extra round
    if kyoku < last:
        return False
    first = leader_by(points)
    reached = points[first] >= 100 * int(rules.goal)
    if stays:
        return rules.stop != 0 and reached and not aborted and first == kyoku % SEATS
    return reached or rules.extra == 0 or kyoku >= last + SEATS


@kernel
def is_over(state, stays):
    """Whether the match ends with the deal just paid; `stays`: the dealer would repeat."""
    if state.rules.length == ONE_ROUND or state.finished >= MOST_ROUNDS:
        return True
    aborted = state.ended != WON and state.ended != EXHAUSTED and state.ended != NAGASHI
    return ends_match(state.points, np.int64(state.kyoku), state.rules, stays, aborted)


@kernel
def finish_deal(state):
    """All is paid: move the honba and the dealer on, then deal again or end the match."""
    state.finished += 1
    stays = repeats(state, dealer_of(state))
    over = is_over(state, stays)
    if over:
        if state.rules.length != ONE_ROUND:
            state.points[leader(state)] += STICK * np.int64(state.sticks)
            state.sticks = 0
        state.phase = OVER
        return
    state.honba = 0 if state.ended == WON and not stays else np.int64(state.honba) + 1
    if not stays:
        state.kyoku += 1
    begin_deal(state)


@kernel
def forget_win(state):
    """No winner yet."""
    state.win_from = NOBODY
    for i in range(3):
        state.winners[i] = NOBODY
        state.win_yaku[i] = ZERO
        state.win_han[i] = 0
        state.win_fu[i] = 0
        for j in range(3):
            state.win_dora[i, j] = 0


@kernel
def begin_deal(state):
    shuffle_wall(state)
    deal_wall(state)


@kernel
def deal(state, rng):
    state.key[0] = draw(rng)
    for seat in range(SEATS):
        state.points[seat] = 100 * np.int64(state.rules.start)
        state.paid[seat] = 0
        state.ready[seat] = 0
    state.kyoku = 0
    state.honba = 0
    state.sticks = 0
    state.finished = 0
    state.ended = NOT_YET
    forget_win(state)
    begin_deal(state)


@kernel
def uma_of(state, rank):
    """Thousands of points for a final place."""
    uma = np.int64(state.rules.uma)
    if uma == NO_UMA:
        return 0
    far = 10 if uma == UMA_5_10 else 20 if uma == UMA_10_20 else 30
    near = 5 if uma == UMA_5_10 else 10
    return far if rank == 0 else near if rank == 1 else -near if rank == 2 else -far


@kernel
def rounded(points):
    """Points to thousands, a half away from nothing."""
    return (points + 500) // 1000 if points >= 0 else -((500 - points) // 1000)


@kernel
def scores(state, out):
    """Thousands of points above the goal, with uma; the first has the oka besides, and what rounding leaves."""
    goal, start = 100 * np.int64(state.rules.goal), 100 * np.int64(state.rules.start)
    left_over = SEATS * (goal - start) / 1000.0
    for seat in range(SEATS):
        points = np.int64(state.points[seat])
        counted = 1000 * rounded(points) if state.rules.rounded != 0 else points
        left_over += (points - counted) / 1000.0
        out[seat] = (counted - goal) / 1000.0 + uma_of(state, rank_of(state, seat))
    out[leader(state)] += left_over
