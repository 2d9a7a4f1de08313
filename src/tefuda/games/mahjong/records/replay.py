"""Play a record through the engine, and report each disagreement.

Records carry no walls: a wall is built that gives the recorded hands, draws and indicators. Then every recorded action
must be legal, every draw and every result the engine's, and every deal must begin as the one before has left it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tefuda.errors import Problem
from tefuda.games.mahjong import rules
from tefuda.games.mahjong.actions import CHI, KAN, NINE, OPEN_KAN, PON, RIICHI, TSUMO, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.follow import (
    ENDED_BEFORE,
    ILLEGAL,
    WRONG_SEAT,
    WRONG_TILE,
    follow,
    rows,
)
from tefuda.games.mahjong.records.paifu import Deal, Event, Match
from tefuda.games.mahjong.spaces import ACTIONS
from tefuda.games.mahjong.starting import wall_of
from tefuda.games.mahjong.state import NINE_TERMINALS, OVER, SEATS, TRIPLE_RON, WON, State
from tefuda.games.mahjong.text import face_text
from tefuda.games.mahjong.tiles import KINDS

ENDS = (
    "not yet", "won", "exhausted", "nagashi mangan", "nine terminals", "four winds", "four riichi", "four kans",
    "triple ron",
)  # fmt: skip


@dataclass(frozen=True)
class Disagreement:
    """Where record and engine differ: the match, the deal (from 1), the event in it (from 1; 0: its beginning)."""

    match: str
    deal: int
    event: int
    text: str

    def __str__(self) -> str:
        return f"{self.match}, deal {self.deal}, event {self.event}: {self.text}"


def wall_of_deal(states: np.ndarray, deal: Deal) -> np.ndarray:
    """A wall that gives what a recorded deal has shown."""
    draws: list[int] = []
    replacements: list[int] = []
    after_kan = False
    for event in deal.events:
        if event.type in paifu.KANS:
            after_kan = True
        elif event.type == paifu.DRAW:
            (replacements if after_kan else draws).append(event.tile)
            after_kan = False
    return wall_of(states, deal.kyoku % SEATS, deal.hands, draws, replacements, deal.indicators, deal.ura)


def action_of(event: Event) -> int:
    """The number of a recorded action."""
    if event.type == paifu.DISCARD:
        return TSUMOGIRI if event.tsumogiri else event.tile
    if event.type == paifu.RIICHI:
        return RIICHI
    if event.type in (paifu.CLOSED_KAN, paifu.ADDED_KAN):
        return KAN + int(kind_of_face(event.tile))
    if event.type == paifu.OPEN_KAN:
        return OPEN_KAN
    red = any(face >= KINDS for face in event.own)
    if event.type == paifu.PON:
        return PON + red
    kind = int(kind_of_face(event.tile))
    place = kind - min(kind, *(int(kind_of_face(face)) for face in event.own))
    return CHI + 2 * place + red


def told(fault: int, seat: int, value: int) -> str:
    """What the engine did not go along with, in words."""
    if fault == ILLEGAL:
        return f"{ACTIONS.names[value].en} of seat {seat} is not legal"
    if fault == WRONG_SEAT:
        return f"with the engine it is seat {seat} that is to act"
    if fault == WRONG_TILE:
        return f"the engine has drawn {face_text(value) if value >= 0 else 'nothing'}"
    return f"the engine has ended the deal ({ENDS[value]})" if fault == ENDED_BEFORE else "the engine goes on"


class Replay:
    """One match on one table."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.states = np.zeros(1, State)
        self.states["rules"][0] = RULEBOOK.row(match.rules)
        self.state = self.states[0]
        self.mask = np.zeros(2, np.uint64)
        self.fault = np.zeros(4, np.int64)
        self.place = (0, 0)
        rules.deal(self.state, np.zeros(1, np.uint64))

    def run(self) -> Iterator[Disagreement]:
        """All disagreements of the match."""
        for number, deal in enumerate(self.match.deals, start=1):
            self.place = (number, 0)
            yield from self.beginning(deal)
            if problem := self.play(deal):
                yield self.differs(problem)
            else:
                yield from self.results(deal)
        yield from self.final()

    def differs(self, text: str) -> Disagreement:
        return Disagreement(self.match.name, *self.place, text)

    def beginning(self, deal: Deal) -> Iterator[Disagreement]:
        """The state that the engine brought about is the one that the next deal begins with."""
        state = self.state
        if state.phase == OVER:
            yield self.differs("the engine has ended the match, the record goes on")
            return
        ours = (int(state.kyoku), int(state.honba), int(state.sticks), tuple(int(each) for each in state.points))
        theirs = (deal.kyoku, deal.honba, deal.sticks, deal.points)
        if ours != theirs:
            yield self.differs(f"kyoku, honba, sticks and points are {ours}, recorded {theirs}")

    def play(self, deal: Deal) -> str:
        """Play one deal; returns what the engine did not go along with, or nothing."""
        events, places = [], []  # indicators left out: which were turned is seen from the dora of wins
        for place, event in enumerate(deal.events, start=1):
            if event.type != paifu.DORA:
                action = -1 if event.type == paifu.DRAW else action_of(event)
                events.append((event.seat, action, event.tile))
                places.append(place)
        places.append(len(deal.events) + 1)
        ron = sum(1 << win.seat for win in deal.wins if win.seat != win.source)
        if deal.ended == TRIPLE_RON:
            ron = (1 << SEATS) - 1
        last = NINE if deal.ended == NINE_TERMINALS else -1
        if deal.wins and not ron:
            last = TSUMO
        points = np.array(deal.points, np.int64)
        wall = wall_of_deal(self.states, deal)
        arguments = (deal.kyoku, deal.honba, deal.sticks, points, wall, rows(events), ron, last)
        if follow(self.state, *arguments, self.mask, self.fault):
            self.place = (self.place[0], places[-1])
            return ""
        kind, number, seat, value = (int(each) for each in self.fault)
        self.place = (self.place[0], places[number])
        what = "the end"
        if number < len(events):
            event = deal.events[places[number] - 1]
            what = f"{paifu.EVENT_NAMES[event.type]} of seat {event.seat}"
        return f"{what}: {told(kind, seat, value)}"

    def results(self, deal: Deal) -> Iterator[Disagreement]:
        """How the deal ended, who won with what, and what was paid."""
        state = self.state
        if deal.ended is not None and state.ended != deal.ended:
            yield self.differs(f"the deal has ended by {ENDS[int(state.ended)]}, recorded {ENDS[deal.ended]}")
            return
        if deal.paid is not None:
            paid = tuple(int(each) for each in state.paid)
            if paid != deal.paid:
                yield self.differs(f"{paid} are paid, recorded {deal.paid}")
        if deal.ready is not None:
            ready = tuple(int(each) for each in state.ready)
            if ready != deal.ready:
                yield self.differs(f"ready are {ready}, recorded {deal.ready}")
        if state.ended == WON:
            winners = [int(seat) for seat in state.winners if seat >= 0]
            if winners != [win.seat for win in deal.wins]:
                yield self.differs(f"the winners are {winners}, recorded {[win.seat for win in deal.wins]}")
                return
            for number, win in enumerate(deal.wins):
                yield from self.compare_win(number, win)

    def compare_win(self, number: int, win: paifu.Win) -> Iterator[Disagreement]:
        state = self.state
        ours = {
            "yaku": int(state.win_yaku[number]),
            "han": int(state.win_han[number]),
            "fu": int(state.win_fu[number]),
            "dora": tuple(int(each) for each in state.win_dora[number]),
        }
        theirs = {"yaku": win.yaku, "han": win.han, "fu": win.fu, "dora": win.dora}
        for what, value in theirs.items():
            if value is not None and ours[what] != value:
                yield self.differs(f"{what} of seat {win.seat} is {ours[what]}, recorded {value}")

    def final(self) -> Iterator[Disagreement]:
        match, state = self.match, self.state
        self.place = (len(match.deals), 0)
        if match.points is None:
            return
        if state.phase != OVER:
            yield self.differs("the match has ended, the engine goes on")
            return
        points = tuple(int(each) for each in state.points)
        if points != match.points:
            yield self.differs(f"the final points are {points}, recorded {match.points}")
        if match.scores is not None:
            out = np.zeros(SEATS)
            rules.scores(state, out)
            if np.abs(out - match.scores).max() > 0.05:
                yield self.differs(f"the final scores are {out.tolist()}, recorded {match.scores}")


def verify(match: Match) -> list[Disagreement]:
    """All disagreements of one match with the engine."""
    try:
        return list(Replay(match).run())
    except Problem as problem:
        return [Disagreement(match.name, 0, 0, str(problem))]
