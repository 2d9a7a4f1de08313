"""A recorded match as learners read it: each deal as a table, and every action that was taken at it, passes too."""

from collections.abc import Iterator

import numpy as np

from tefuda.errors import Problem
from tefuda.games.mahjong import rules
from tefuda.games.mahjong.actions import NINE, PASS, RON, TSUMO
from tefuda.games.mahjong.legal import legal
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.follow import ACTION, SEAT, is_call, rows
from tefuda.games.mahjong.records.paifu import Deal, Match
from tefuda.games.mahjong.records.replay import action_of, wall_of_deal
from tefuda.games.mahjong.starting import start_deal
from tefuda.games.mahjong.state import CLAIM, NINE_TERMINALS, ROB, SEATS, TRIPLE_RON, State
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel

MOST = 1024  # decisions of a deal


@kernel
def take_all(state, events, winners, last, mask, taken):
    """Play a deal that has begun to its end, and write the actions down; returns how many, or -1 where the engine does
    not go along. See follow.py for `events`, `winners` and `last`."""
    finished, number = np.int64(state.finished), events.shape[0]
    at, decisions = 0, 0
    while state.finished == finished:
        action = PASS
        if state.phase == CLAIM or state.phase == ROB:
            if at == number and winners & (1 << np.int64(state.seat)) != 0:
                action = RON
            elif at < number and is_call(np.int64(events[at, ACTION])) and events[at, SEAT] == state.seat:
                action = np.int64(events[at, ACTION])
        else:
            while at < number and (events[at, ACTION] < 0 or is_call(np.int64(events[at, ACTION]))):
                at += 1
            action = np.int64(last)
            if at < number:
                action = np.int64(events[at, ACTION])
                at += 1
        legal(state, mask)
        if action < 0 or not has_word(mask, action) or decisions == MOST:
            return -1
        taken[decisions] = action
        decisions += 1
        rules.apply(state, action)
    return decisions if at == number else -1


def decisions_of_deal(states: np.ndarray, deal: Deal) -> tuple[np.ndarray, np.ndarray]:
    """The table as it is when a deal begins, and all actions; `states` [1] has been dealt once."""
    events = [
        (event.seat, -1 if event.type == paifu.DRAW else action_of(event), event.tile)
        for event in deal.events
        if event.type != paifu.DORA
    ]
    ron = sum(1 << win.seat for win in deal.wins if win.seat != win.source)
    if deal.ended == TRIPLE_RON:
        ron = (1 << SEATS) - 1
    last = NINE if deal.ended == NINE_TERMINALS else TSUMO if deal.wins and not ron else -1
    points = np.array(deal.points, np.int64)
    start_deal(states[0], deal.kyoku, deal.honba, deal.sticks, points, wall_of_deal(states, deal))
    begun = states.copy()
    taken = np.zeros(MOST, np.int16)
    number = take_all(states[0], rows(events), ron, int(last), np.zeros(2, np.uint64), taken)
    if number < 0:
        raise Problem("a deal that does not follow the rules: `tefuda records verify` says where")
    return begun, taken[:number]


def decisions(match: Match) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All deals of a match."""
    for number, deal in enumerate(match.deals, start=1):
        states = np.zeros(1, State)
        states["rules"][0] = RULEBOOK.row(match.rules)
        rules.deal(states[0], np.zeros(1, np.uint64))
        try:
            yield decisions_of_deal(states, deal)
        except Problem as problem:
            raise Problem(f"{match.name}, deal {number}: {problem}") from None
