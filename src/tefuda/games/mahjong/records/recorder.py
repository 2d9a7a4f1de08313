"""Write down what is played at a table of the engine: a match that every format can be written from."""

from typing import Any

import numpy as np

from tefuda.contract import Rules
from tefuda.games.mahjong import rules
from tefuda.games.mahjong.actions import KAN, NINE, RIICHI, TSUMO, TSUMOGIRI
from tefuda.games.mahjong.calls import pon_of
from tefuda.games.mahjong.hand import CHI, PON, meld_type
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.outcome import note_end
from tefuda.games.mahjong.records.paifu import Deal, Event, Match
from tefuda.games.mahjong.state import (
    CLAIM,
    HAND,
    INDICATORS,
    OVER,
    ROB,
    SEATS,
    URA_INDICATORS,
)

_CALLS = {CHI: paifu.CHI, PON: paifu.PON}


class Recorder:
    """A table, and the match that is played at it: `take` every action here instead of at the table."""

    def __init__(
        self, states: np.ndarray, chosen: Rules, name: str = "", players: tuple[str, ...] = ("0", "1", "2", "3")
    ) -> None:
        self.states, self.state = states, states[0]
        self.match = Match(name, chosen, players=players)
        self.begin()

    @property
    def deal(self) -> Deal:
        return self.match.deals[-1]

    def begin(self) -> None:
        """A deal begins, as it now lies on the table."""
        state = self.state
        self.wall = [int(face) for face in state.wall]
        dealer = int(state.kyoku) % SEATS
        firsts = [HAND * ((seat - dealer) % SEATS) for seat in range(SEATS)]
        hands = tuple(tuple(self.wall[first : first + HAND]) for first in firsts)
        points = tuple(int(each) for each in state.points)
        deal = Deal(
            int(state.kyoku), int(state.honba), int(state.sticks), points, hands, [self.wall[INDICATORS]], cut=True
        )
        self.match.deals.append(deal)
        self._note_draw()

    def _note_draw(self) -> None:
        if self.state.drawn >= 0:
            self.deal.events.append(Event(paifu.DRAW, int(self.state.seat), int(self.state.drawn)))

    def _note_indicators(self, number: int) -> None:
        """Indicators that are open now."""
        for place in range(len(self.deal.indicators), number):
            face = self.wall[INDICATORS + place]
            self.deal.indicators.append(face)
            self.deal.events.append(Event(paifu.DORA, -1, face))

    def take(self, action: int) -> None:
        """One action, as at the table."""
        state = self.state
        seat, finished, melds = int(state.seat), int(state.finished), state.meld_count.tolist()
        asked, tile, source = state.phase in (CLAIM, ROB), int(state.tile), int(state.discarder)
        before = self.states.copy()
        if not asked and action not in (TSUMO, NINE):
            self._note_own(seat, action)
        rules.apply(state, action)
        if state.finished != finished:
            self._end(before[0], int(before["drawn"][0]) if action == TSUMO else tile)
            return
        self._note_indicators(int(state.indicators))
        seat = int(state.seat)
        if state.phase in (CLAIM, ROB) or action == RIICHI:
            return
        if asked and state.meld_count[seat] > melds[seat]:
            self._note_call(seat, tile, source)
        self._note_draw()

    def _note_own(self, seat: int, action: int) -> None:
        """What the seat in turn does; the indicators of an open kan are turned before its discard."""
        state = self.state
        if action == RIICHI:
            event = Event(paifu.RIICHI, seat)
        elif action >= KAN:
            kind = int(action - KAN)
            pon = int(pon_of(state, seat, kind)) >= 0
            event = self._own_kan(seat, kind, pon)
        else:
            self._note_indicators(int(state.indicators) + int(state.waiting_indicators))
            drawn = bool(action == TSUMOGIRI)
            event = Event(paifu.DISCARD, seat, int(state.drawn) if drawn else int(action), drawn)
        self.deal.events.append(event)

    def _own_kan(self, seat: int, kind: int, pon: bool) -> Event:
        """A closed or added kan; the red five is in it where there is one."""
        after = self.states.copy()
        rules.apply(after[0], KAN + kind)
        if pon:
            return Event(paifu.ADDED_KAN, seat, int(after[0].tile))
        slot = int(self.state.meld_count[seat])
        own = faces_of_meld(int(after[0].melds[seat, slot]), int(after[0].called[seat, slot]))
        return Event(paifu.CLOSED_KAN, seat, kind, own=tuple(own))

    def _note_call(self, seat: int, tile: int, source: int) -> None:
        state = self.state
        slot = int(state.meld_count[seat]) - 1
        meld = int(state.melds[seat, slot])
        own = faces_of_meld(meld, int(state.called[seat, slot]))
        own.remove(tile)
        event_type = _CALLS.get(int(meld_type(meld)), paifu.OPEN_KAN)
        self.deal.events.append(Event(event_type, seat, tile, own=tuple(own), source=source))

    def _end(self, before: Any, winning: int) -> None:
        """The deal is over: what it brought."""
        state, deal = self.state, self.deal
        note_end(deal, before, state, winning)
        deal.cut = False
        if any(win.riichi for win in deal.wins):
            deal.ura = [self.wall[URA_INDICATORS + i] for i in range(len(deal.indicators))]
        if state.phase == OVER:
            out = np.zeros(SEATS)
            rules.scores(state, out)
            self.match.points = tuple(int(each) for each in state.points)
            self.match.scores = tuple(float(each) for each in out)
        else:
            self.begin()
