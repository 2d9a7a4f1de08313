"""The order of events in a deal of tenhou/6, which tells what each seat took and gave, but not the order between seats.

After a discard the next seat draws, unless another has a call of this very tile from this very seat as the next thing
that it took. Where both fit (a seat can be passed over while it waits for its call), the call is tried first, and the
other way where that comes to nothing.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from tefuda.errors import Problem
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Event
from tefuda.games.mahjong.state import SEATS

MOST_TRIES = 1000  # orders of a deal that are tried


class Given(NamedTuple):
    """What a seat gave: a discard, a kan, or nothing, which stands for the discard after an open kan."""

    riichi: bool = False
    tile: int = -1
    tsumogiri: bool = False
    kan: Event | None = None
    nothing: bool = False


class Rows(NamedTuple):
    """The parts of a deal, checked."""

    counters: tuple[int, ...]
    points: tuple[int, ...]
    indicators: tuple[int, ...]
    ura: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    took: tuple[tuple[Event, ...], ...]
    gave: tuple[tuple[Given, ...], ...]
    result: list[Any]


class Order:
    """The order of what the seats did in a deal, while it is found."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.events: list[Event] = []
        self.taken, self.given = [0] * SEATS, [0] * SEATS
        self.drawn = -1
        self.calls = True  # whether a call of the last discard is tried
        self.others: list[tuple[int, list[int], list[int], int]] = []  # where it could have gone another way

    def find(self) -> list[Event]:
        """All events; a Problem where no order fits."""
        seat = self.rows.counters[0] % SEATS
        for _ in range(MOST_TRIES):
            self._play(seat)
            left = [seat for seat in range(SEATS) if self.taken[seat] < len(self.rows.took[seat])
                    or self.given[seat] < len(self.rows.gave[seat])]  # fmt: skip
            if not left:
                return self.events
            if not self.others:
                break
            number, self.taken, self.given, seat = self.others.pop()
            del self.events[number:]
            self.calls = False
        raise Problem("what the seats took and gave does not go together")

    def _play(self, seat: int) -> None:
        """Go on, from the draw of a seat or a call of the last discard, as long as it fits."""
        while True:
            caller = self._caller(seat) if self.calls else -1
            self.calls = True
            if caller >= 0:
                self.others.append((len(self.events), self.taken.copy(), self.given.copy(), seat))
                seat = caller
            if not self._take(seat, caller >= 0) or not self._give(seat):
                return
            seat = (seat + 1) % SEATS

    def _caller(self, next_seat: int) -> int:
        """Who has a call of the last discard as the next thing that it took."""
        last = self.events[-1] if self.events else None
        if last is None or last.type != paifu.DISCARD:
            return -1
        for distance in range(1, SEATS):
            seat = (last.seat + distance) % SEATS
            found = self._next(seat)
            called = found is not None and found.type != paifu.DRAW and found.tile == last.tile
            if called and found is not None and (seat + found.source) % SEATS == last.seat:
                return seat
        return -1

    def _next(self, seat: int) -> Event | None:
        place = self.taken[seat]
        return self.rows.took[seat][place] if place < len(self.rows.took[seat]) else None

    def _take(self, seat: int, called: bool) -> bool:
        """What the seat takes: its call or a draw."""
        found = self._next(seat)
        if found is None or called == (found.type == paifu.DRAW):
            return False
        self.taken[seat] += 1
        if called:
            self.events.append(replace(found, seat=seat, source=(seat + found.source) % SEATS))
            self.drawn = -1
        else:
            self.events.append(Event(paifu.DRAW, seat, found.tile))
            self.drawn = found.tile
        return True

    def _give(self, seat: int) -> bool:
        """What the seat gives: kans with their draws, and then a discard. False where it does not come to one."""
        while self.given[seat] < len(self.rows.gave[seat]):
            given = self.rows.gave[seat][self.given[seat]]
            if given.nothing != (self.events[-1].type == paifu.OPEN_KAN):
                return False
            self.given[seat] += 1
            if given.kan is not None:
                source = (seat + given.kan.source) % SEATS if given.kan.type == paifu.ADDED_KAN else -1
                self.events.append(replace(given.kan, seat=seat, source=source))
            elif not given.nothing:
                return self._discard(seat, given)
            if not self._take(seat, False):
                return False
        return False

    def _discard(self, seat: int, given: Given) -> bool:
        if given.tsumogiri and self.drawn < 0:
            return False
        if given.riichi:
            self.events.append(Event(paifu.RIICHI, seat))
        tile = self.drawn if given.tsumogiri else given.tile
        self.events.append(Event(paifu.DISCARD, seat, tile, given.tsumogiri))
        self.drawn = -1
        return True
