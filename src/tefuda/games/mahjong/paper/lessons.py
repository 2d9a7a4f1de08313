"""Which decisions the one-player policy learns from, as the paper chooses them (section 4).

A deal teaches by one who went for a win as far as anybody can tell: who declared riichi first, until then; or, where
nobody declared riichi, who won. A discard, a call with its discard, a pass where a call was possible, and a kan are
learned. Wins and riichi itself are not: the policy always takes them. Neither is what was forced.
"""

import numpy as np

from tefuda.games.mahjong import actions
from tefuda.games.mahjong.actions import CHI, KAN, OPEN_KAN, PASS, PON, RIICHI, RON, TSUMO, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.legal import legal
from tefuda.games.mahjong.paper.hands import (
    CALLED_KAN,
    CALLED_PON,
    CHI_LOW,
    CODE,
    DISCARD,
    OWN_KAN,
    PASSED,
    done_of,
)
from tefuda.games.mahjong.rules import apply, to_move
from tefuda.games.mahjong.state import CLAIM, DECLARED, NOBODY, SEATS, TURN, WON
from tefuda.kernel.bits import count_words, has_word
from tefuda.kernel.compile import kernel

SORTS = ("discards", "calls", "declined calls")
NOT = np.int64(-1)
_SEAT = 1 << 16  # a code with its seat: what a deal's end decides on
_WAITS = np.int64(-2)  # until the discard of a call or of riichi is known


@kernel
def sort(code):
    """Which of SORTS a decision is, by what was done: a discard or a kan in the own turn, a call, a pass."""
    done = done_of(code)
    return 2 if done == PASSED else 1 if CHI_LOW <= done <= CALLED_KAN else 0


@kernel
def alike(code, other):
    """Whether the same was called, whatever was discarded then."""
    return sort(code) == 1 and done_of(code) == done_of(other)


@kernel
def discarded(state, action):
    """The kind that a discard lays down."""
    return kind_of_face(np.int64(state.drawn) if action == TSUMOGIRI else np.int64(action))


@kernel
def code_of(state, seat, action, mask):
    """The code of a decision; NOT where nothing is learned from it, _WAITS less what was done where its discard comes
    later."""
    if count_words(mask) == 1 or state.riichi[seat] != 0 or has_word(mask, TSUMO) or has_word(mask, RON):
        return NOT
    if state.phase == TURN:
        if action == RIICHI:
            return _WAITS - DISCARD
        if KAN <= action < TSUMO:
            return OWN_KAN * CODE + action - KAN
        if action <= TSUMOGIRI and state.drawn >= 0:
            return DISCARD * CODE + discarded(state, action)
        return NOT  # the discard of a call belongs to the call
    if state.phase != CLAIM:
        return NOT
    if action == PASS:
        return PASSED * CODE
    if action == OPEN_KAN:
        return CALLED_KAN * CODE
    return _WAITS - (CALLED_PON if action >= PON else CHI_LOW + (action - CHI) // 2)


@kernel
def decide(state, first, last, riichi, codes):
    """When a deal is over: keep the codes of its teachers."""
    for i in range(first, last):
        code = np.int64(codes[i])
        if code < 0:
            codes[i] = NOT
            continue
        seat = code // _SEAT
        teaches = seat == riichi
        if riichi == NOBODY and state.ended == WON:
            for winner in range(3):
                teaches = teaches or state.winners[winner] == seat
        codes[i] = code % _SEAT if teaches else NOT


@kernel
def lessons(tables, taken, codes, mask):
    """Play some actions at tables[0], and write the code of each that teaches, NOT for the others."""
    state = tables[0]
    first, waiting, caller, riichi = 0, -1, NOBODY, NOBODY
    number = taken.shape[0]
    for i in range(number):
        action, seat, finished = np.int64(taken[i]), to_move(state), np.int64(state.finished)
        legal(state, mask)
        code = code_of(state, seat, action, mask)
        if action == RIICHI and riichi == NOBODY:
            riichi = seat
        if action <= TSUMOGIRI:
            own = waiting >= 0 and caller == seat and (state.phase == DECLARED or state.drawn < 0)
            if own:
                codes[waiting] = (_WAITS - codes[waiting]) * CODE + discarded(state, action) + _SEAT * seat
            waiting = -1
        codes[i] = code + _SEAT * seat if code >= 0 else code
        if code <= _WAITS:
            waiting, caller = i, seat
        apply(state, action)
        if state.finished != finished or i == number - 1:
            decide(state, first, i + 1, riichi, codes)
            first, waiting, riichi = i + 1, -1, NOBODY
    return number


assert SEATS == 4
assert actions.DISCARD == 0
