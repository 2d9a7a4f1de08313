"""The rules of mahjong as kernels on one state record: what each decision brings about.

In the own turn a seat discards, declares riichi (its discard is the next decision), makes a kan or wins. After a
discard those who can claim it are asked, first who can win, then who can pon, then who can chi; each once, with all
that it may do, and not at all when an answer already given outranks all of that. What was answered, and who was
asked, is nobody's knowledge until all is decided: so nobody learns from it what others could have claimed.
"""

import numpy as np

from tefuda.games.mahjong import end, payment
from tefuda.games.mahjong.actions import (
    CHI,
    KAN,
    NINE,
    OPEN_KAN,
    PON,
    RIICHI,
    RON,
    TSUMO,
    TSUMOGIRI,
    kind_of_face,
)
from tefuda.games.mahjong.calls import call, can_any_chi, can_pon, four_kans, may_call, own_kan
from tefuda.games.mahjong.legal import STICK, legal
from tefuda.games.mahjong.options import DOUBLE, HEAD, NO_UMA, ONE_ROUND
from tefuda.games.mahjong.state import (
    CLAIM,
    DECLARED,
    ENDED,
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    NAGASHI,
    NINE_TERMINALS,
    NOBODY,
    NOT_YET,
    NOTHING,
    OVER,
    ROB,
    SEATS,
    TRIPLE_RON,
    TSUMOGIRI_MARK,
    WON,
    State,
    left_in_wall,
    look_at_hand,
    put_tile,
    take_tile,
)
from tefuda.games.mahjong.tiles import DRAGONS, ORPHANS, WINDS
from tefuda.games.mahjong.wall import begin_turn, draw_replacement, draw_tile, turn_waiting_indicators
from tefuda.games.mahjong.win import can_ron
from tefuda.kernel.bits import ZERO, bit, has
from tefuda.kernel.compile import kernel

__all__ = ["LONGEST", "State", "apply", "deal", "end_here", "legal", "scores", "to_move"]

# Decisions of a deal: 86 discards (70 draws, 16 calls) with three answers to each, four riichi, kans and their answers.
LONGEST = 86 * 4 + 4 + 4 * 4

deal, scores = end.deal, end.scores


@kernel
def to_move(state):
    return -1 if state.phase == OVER else np.int64(state.seat)


@kernel
def may_claim(state, seat):
    """Whether a seat that has not answered could call the discard, chi aside."""
    return state.answers[seat] == NOTHING and may_call(state, seat)


@kernel
def ask_next(state):
    """Let the next seat that can claim the discard or rob the kan decide; True when nobody is left to be asked."""
    discarder = np.int64(state.discarder)
    called, won = False, False
    for each in range(SEATS):
        answer = np.int64(state.answers[each])
        if answer == RON:
            won = True
        elif answer >= PON and answer <= OPEN_KAN:
            called = True
    if not won or state.rules.ron != HEAD:
        for distance in range(1, SEATS):
            seat = (discarder + distance) % SEATS
            if state.waits[seat] != ZERO and state.answers[seat] == NOTHING and can_ron(state, seat):
                state.seat = seat
                return False
    if won or called or state.phase == ROB:
        return True
    for distance in range(1, SEATS):
        seat = (discarder + distance) % SEATS
        if can_pon(state, seat) and may_claim(state, seat):
            state.seat = seat
            return False
    seat = (discarder + 1) % SEATS
    if state.answers[seat] == NOTHING and can_any_chi(state, seat) and may_call(state, seat):
        state.seat = seat
        return False
    return True


@kernel
def open_account(state, how):
    """The deal ends: remember how, and note in `paid` what it brings."""
    for seat in range(SEATS):
        state.paid[seat] = 0
        state.ready[seat] = 0
    end.forget_win(state)
    state.ended = how


@kernel
def abort(state, how):
    """The deal ends, and nobody pays."""
    open_account(state, how)
    state.phase = ENDED


@kernel
def claim_wins(state):
    """Pay those who answered ron, the nearest first; three may abort the deal. Returns whether there are any."""
    wins = 0
    for each in range(SEATS):
        if state.answers[each] == RON:
            wins += 1
    if wins == 0:
        return False
    open_account(state, TRIPLE_RON if wins == 3 and state.rules.ron == DOUBLE else WON)
    if state.ended == WON:
        number = payment.FIRST
        for distance in range(1, SEATS):
            seat = (np.int64(state.discarder) + distance) % SEATS
            if state.answers[seat] == RON:
                payment.win(state, number, seat, np.int64(state.discarder), np.int64(state.tile))
                number += 1
    state.phase = ENDED
    return True


@kernel
def let_pass(state):
    """Nobody won on the tile: all others have missed it, and a riichi declared with it stands."""
    kind = kind_of_face(np.int64(state.tile))
    for seat in range(SEATS):
        if seat != state.discarder:
            state.missed[seat] = state.missed[seat] | bit(kind)
    if state.declaring != NOBODY:
        state.points[state.declaring] -= STICK
        state.sticks += 1
        state.declaring = NOBODY


@kernel
def break_ippatsu(state):
    """A call or a kan ends ippatsu and the first go-around."""
    state.untouched = 0
    for seat in range(SEATS):
        state.ippatsu[seat] = 0


@kernel
def carry_out(state):
    """All are asked: win, call, or go on."""
    rob = state.phase == ROB
    discarder = np.int64(state.discarder)
    if claim_wins(state):
        return
    let_pass(state)
    if rob:
        for seat in range(SEATS):
            state.answers[seat] = NOTHING
        complete_kan(state)
        return
    caller, action = NOBODY, NOTHING
    for seat in range(SEATS):
        answer = np.int64(state.answers[seat])
        state.answers[seat] = NOTHING
        if CHI <= answer <= OPEN_KAN and answer > action:  # pon and kan outrank chi, and only one seat can make them
            caller, action = seat, answer
    if caller == NOBODY:
        go_on(state, (discarder + 1) % SEATS)
        return
    call(state, caller, action)
    break_ippatsu(state)
    if action == OPEN_KAN:
        state.waiting_indicators = 1
        draw_replacement(state, caller)
        look_at_hand(state, caller)
    else:
        forbidden = state.forbidden
        state.drawn = NOTHING
        state.replaced = 0
        begin_turn(state, caller)
        state.forbidden = forbidden


@kernel
def abort_after_discard(state):
    """The abort that a discard brings about which nobody has claimed, or NOT_YET."""
    if state.rules.aborts == 0:
        return NOT_YET
    riichi, winds = 0, 0
    first = np.int64(state.river[0, 0]) % TSUMOGIRI_MARK
    for seat in range(SEATS):
        riichi += state.riichi[seat] != 0
        winds += state.discards[seat] == 1 and np.int64(state.river[seat, 0]) % TSUMOGIRI_MARK == first
    if winds == SEATS and state.untouched != 0 and WINDS <= first < DRAGONS:
        return FOUR_WINDS
    if riichi == SEATS:
        return FOUR_RIICHI
    if four_kans(state):
        return FOUR_KANS
    return NOT_YET


@kernel
def go_on(state, seat):
    """Nobody claimed the discard: the next seat draws, unless the deal is aborted or the wall is exhausted."""
    reason = abort_after_discard(state)
    if reason != NOT_YET:
        abort(state, reason)
    elif left_in_wall(state) == 0:
        exhaust(state)
    else:
        draw_tile(state, seat)


@kernel
def exhaust(state):
    """No tile is left to draw."""
    open_account(state, EXHAUSTED)
    for seat in range(SEATS):
        state.ready[seat] = 1 if state.waits[seat] != ZERO else 0
    if state.rules.nagashi != 0 and payment.pay_nagashi(state):
        state.ended = NAGASHI
    else:
        payment.pay_noten(state)
    state.phase = ENDED


@kernel
def begin_asking(state, phase):
    state.phase = phase
    for seat in range(SEATS):
        state.answers[seat] = NOTHING
    if ask_next(state):
        carry_out(state)


@kernel
def discard(state, action):
    """Lay a tile down, and ask who claims it."""
    seat = np.int64(state.seat)
    turn_waiting_indicators(state)
    face, mark = action, 0
    if action == TSUMOGIRI:
        face, mark = np.int64(state.drawn), TSUMOGIRI_MARK
    else:
        if state.drawn >= 0:
            put_tile(state, seat, np.int64(state.drawn))
        take_tile(state, seat, face)
        look_at_hand(state, seat)
    kind = kind_of_face(face)
    place = np.int64(state.discards[seat])
    state.river[seat, place] = face + mark
    state.when[seat, place] = state.turned
    state.turned += 1
    state.thrown[seat] = state.thrown[seat] | bit(kind)
    if not has(ORPHANS, kind):
        state.nagashi[seat] = 0
    state.ippatsu[seat] = 0
    if state.riichi[seat] == 0:
        state.missed[seat] = ZERO
    if state.phase == DECLARED:
        state.riichi[seat] = 2 if state.untouched != 0 and place == 0 else 1
        state.riichi_at[seat] = place
        state.ippatsu[seat] = 1
        state.declaring = seat
    state.discards[seat] = place + 1
    state.discarder = seat
    state.tile = face
    state.drawn = NOTHING
    state.replaced = 0
    begin_asking(state, CLAIM)


@kernel
def declare_kan(state, kind):
    """A closed or added kan: others may rob it first."""
    own_kan(state, np.int64(state.seat), kind)
    state.drawn = NOTHING
    if state.closed_kan != 0 and state.rules.rob_closed == 0:
        complete_kan(state)
    else:
        begin_asking(state, ROB)


@kernel
def complete_kan(state):
    """Nobody has robbed the kan: turn indicators, and draw a tile for it."""
    seat = np.int64(state.discarder)
    turn_waiting_indicators(state)
    if state.closed_kan != 0:
        state.indicators += 1
    else:
        state.waiting_indicators = 1
    break_ippatsu(state)
    look_at_hand(state, seat)
    draw_replacement(state, seat)


@kernel
def take_turn(state, action):
    """A decision in the own turn."""
    seat = np.int64(state.seat)
    if action < RIICHI:
        discard(state, action)
    elif action == RIICHI:
        state.phase = DECLARED
    elif action == TSUMO:
        open_account(state, WON)
        payment.win(state, payment.FIRST, seat, seat, np.int64(state.drawn))
        state.phase = ENDED
    elif action == NINE:
        abort(state, NINE_TERMINALS)
    else:
        declare_kan(state, action - KAN)


@kernel
def apply(state, action):
    if state.phase == CLAIM or state.phase == ROB:
        state.answers[state.seat] = action
        if ask_next(state):
            carry_out(state)
    else:
        take_turn(state, action)
    if state.phase == ENDED:
        payment.settle(state)
        end.finish_deal(state)


@kernel
def end_here(state):
    """Make the deal being played the last one, and what it brings the score: no uma for places in the middle."""
    state.rules.length = ONE_ROUND
    state.rules.uma = NO_UMA
    state.rules.goal = state.rules.start
