"""The loop that plays one recorded deal through the engine, compiled: see replay.py."""

import numpy as np

from tefuda.games.mahjong.actions import CHI, OPEN_KAN, PASS, RIICHI, RON, TSUMOGIRI
from tefuda.games.mahjong.legal import legal
from tefuda.games.mahjong.rules import apply
from tefuda.games.mahjong.starting import start_deal
from tefuda.games.mahjong.state import CLAIM, DECLARED, NOBODY, NOTHING, ROB, TURN
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel

# Rows of `events`: whose it is, the action (or -1 for a draw), and the tile drawn (or -1).
SEAT, ACTION, TILE = 0, 1, 2
# What can go wrong.
FINE, ILLEGAL, WRONG_SEAT, WRONG_TILE, ENDED_BEFORE, GOES_ON, NOT_DRAWN, DRAWN_TWICE = range(8)


@kernel
def is_call(action):
    return CHI <= action <= OPEN_KAN


@kernel
def answer(state, before, caller, call, winners, mask, fault):
    """Answer for all who are asked about a discard or a kan: who wins, who calls, the others pass."""
    finished = np.int64(state.finished)
    while state.finished == finished and (state.phase == CLAIM or state.phase == ROB):
        seat = np.int64(state.seat)
        action = PASS
        if winners & (1 << seat) != 0:
            action = RON
        elif seat == caller:
            action = call
        legal(state, mask)
        if not has_word(mask, action):
            fault[0], fault[2], fault[3] = ILLEGAL, seat, action
            return False
        before[0] = state
        apply(state, action)
    return True


@kernel
def follow(state, before, kyoku, honba, sticks, points, wall, events, winners, last, mask, fault):
    """Play one deal; returns whether the engine went along.

    events [n, 3] are all draws and actions in order; who wins by ron on the last of them is a bit of `winners`; a last
    action of the seat in turn that is no event (tsumo, nine terminals), or -1. fault [4] gets what went wrong, at
    which event (from 0), the seat and the action or tile of the engine's. before [1] gets the table before the last
    decision: what the deal was, the engine has cleared away when it is over.
    """
    fault[0] = FINE
    start_deal(state, kyoku, honba, sticks, points, wall)
    finished = np.int64(state.finished)
    number = events.shape[0]
    told = False  # whether the record has told the draw of this turn
    for i in range(number):
        seat, action, tile = np.int64(events[i, SEAT]), np.int64(events[i, ACTION]), np.int64(events[i, TILE])
        fault[1] = i
        if state.finished != finished:
            fault[0], fault[2], fault[3] = ENDED_BEFORE, seat, state.ended
            return False
        if state.seat != seat or (state.phase != TURN and state.phase != DECLARED):
            fault[0], fault[2], fault[3] = WRONG_SEAT, state.seat, action
            return False
        if action < 0:
            if state.drawn != tile:
                fault[0], fault[2], fault[3] = WRONG_TILE, seat, state.drawn
                return False
            if told:
                fault[0], fault[2], fault[3] = DRAWN_TWICE, seat, state.drawn
                return False
            told = True
            continue
        if is_call(action):
            continue  # answered before; that the seat has the turn shows it
        if state.drawn >= 0 and not told:
            fault[0], fault[2], fault[3] = NOT_DRAWN, seat, action
            return False
        told = action == RIICHI
        legal(state, mask)
        if not has_word(mask, action):
            fault[0], fault[2], fault[3] = ILLEGAL, seat, action
            return False
        if action == TSUMOGIRI and state.drawn != tile:
            fault[0], fault[2], fault[3] = WRONG_TILE, seat, state.drawn
            return False
        before[0] = state
        apply(state, action)
        caller, call = NOBODY, NOTHING
        if i + 1 < number and is_call(np.int64(events[i + 1, ACTION])):
            caller, call = np.int64(events[i + 1, SEAT]), np.int64(events[i + 1, ACTION])
        if not answer(state, before, caller, call, winners if i + 1 == number else 0, mask, fault):
            return False
    fault[1] = number
    if last >= 0 and state.drawn >= 0 and not told:
        fault[0], fault[2], fault[3] = NOT_DRAWN, state.seat, last
        return False
    if last >= 0 and state.finished == finished:
        legal(state, mask)
        if not has_word(mask, last):
            fault[0], fault[2], fault[3] = ILLEGAL, state.seat, last
            return False
        before[0] = state
        apply(state, last)
    if state.finished == finished:
        fault[0], fault[2], fault[3] = GOES_ON, state.seat, -1
        return False
    return True


def rows(events: list[tuple[int, int, int]]) -> np.ndarray:
    return np.array(events, np.int16).reshape(-1, 3)
