"""Play a record through the engine, and report each disagreement.

Records carry no walls: a wall is built that gives the recorded hands, draws and indicators. Then every recorded action
must be legal, every draw and every result the engine's, and every deal must begin as the one before has left it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tefuda.errors import Problem
from tefuda.games.mahjong import rules
from tefuda.games.mahjong.actions import (
    CHI,
    KAN,
    NINE,
    OPEN_KAN,
    PASS,
    PON,
    RIICHI,
    RON,
    TSUMO,
    TSUMOGIRI,
    kind_of_face,
)
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Deal, Event, Match
from tefuda.games.mahjong.starting import start_deal, wall_of
from tefuda.games.mahjong.state import CLAIM, NINE_TERMINALS, OVER, ROB, SEATS, TRIPLE_RON, TURN, WON, State
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import has_word

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


class Mismatch(Exception):
    """The engine does not follow the record; the rest of the deal cannot be compared."""


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


class Replay:
    """One match on one table."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.states = np.zeros(1, State)
        self.states["rules"][0] = RULEBOOK.record(match.rules)
        self.state = self.states[0]
        self.mask = np.zeros(2, np.uint64)
        self.place = (0, 0)
        rules.deal(self.state, np.zeros(1, np.uint64))

    def run(self) -> Iterator[Disagreement]:
        """All disagreements of the match."""
        for number, deal in enumerate(self.match.deals, start=1):
            self.place = (number, 0)
            yield from self.beginning(deal)
            wall = wall_of_deal(self.states, deal)
            points = np.array(deal.points, np.int64)
            start_deal(self.state, deal.kyoku, deal.honba, deal.sticks, points, wall)
            try:
                self.play(deal)
                yield from self.results(deal)
            except Mismatch as problem:
                yield self.differs(str(problem))
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

    def take(self, action: int, what: str) -> None:
        """One action, which must be legal."""
        rules.legal(self.state, self.mask)
        if not has_word(self.mask, action):
            raise Mismatch(f"{what} of seat {int(self.state.seat)} is not legal (action {action})")
        rules.apply(self.state, action)

    def answer(self, deal: Deal, following: int) -> None:
        """Answer for all who are asked about a discard or a kan, as the events that follow show."""
        state = self.state
        event = deal.events[following] if following < len(deal.events) else None
        finished = int(state.finished)
        while state.finished == finished and (state.phase == CLAIM or state.phase == ROB):
            seat = int(state.seat)
            action, what = PASS, "a pass"
            if event is None:
                triple = deal.ended == TRIPLE_RON
                if triple or any(win.seat == seat != win.source for win in deal.wins):
                    action, what = RON, "ron"
            elif event.seat == seat and event.type in (paifu.CHI, paifu.PON, paifu.OPEN_KAN):
                action, what = action_of(event), paifu.EVENT_NAMES[event.type]
            self.take(action, what)

    def play(self, deal: Deal) -> None:
        state = self.state
        finished = int(state.finished)
        for number, event in enumerate(deal.events, start=1):
            self.place = (self.place[0], number)
            what = paifu.EVENT_NAMES[event.type]
            if state.finished != finished:
                raise Mismatch(f"the engine has ended the deal ({ENDS[int(state.ended)]}) before this {what}")
            if event.type == paifu.DORA:
                continue  # what is turned when is seen from the dora of wins
            if state.phase != TURN and event.type != paifu.DISCARD:
                raise Mismatch(f"{what} of seat {event.seat}: the engine waits for seat {int(state.seat)}")
            if state.seat != event.seat:
                raise Mismatch(f"{what} of seat {event.seat}: with the engine it is the turn of seat {int(state.seat)}")
            if event.type == paifu.DRAW:
                if state.drawn != event.tile:
                    raise Mismatch(f"the engine has drawn face {int(state.drawn)}, recorded is {event.tile}")
            elif event.type in (paifu.CHI, paifu.PON, paifu.OPEN_KAN):
                continue  # answered before; that the seat has the turn shows it
            else:
                self.take(action_of(event), what)
                self.answer(deal, self.following(deal, number))
        self.place = (self.place[0], len(deal.events) + 1)
        if state.finished == finished:
            if deal.wins and deal.wins[0].seat == deal.wins[0].source:
                self.take(TSUMO, "tsumo")
            elif deal.ended == NINE_TERMINALS:
                self.take(NINE, "nine terminals")
        if state.finished == finished:
            raise Mismatch("the record ends the deal, the engine goes on")

    def following(self, deal: Deal, number: int) -> int:
        """The event after which comes next, indicators aside."""
        while number < len(deal.events) and deal.events[number].type == paifu.DORA:
            number += 1
        return number

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
