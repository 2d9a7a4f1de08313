"""Tables in play: people and programs at their seats, who is asked, who has left, and guests who are told of it.

Only what lies on the disk is told.
"""

import asyncio
import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any

from tefuda.errors import Problem
from tefuda.log import log
from tefuda.players.entrant import Entrant
from tefuda.table.play import Play
from tefuda.table.record import PERSON
from tefuda.web import refusals, telling
from tefuda.web.guests import Guest
from tefuda.web.refusals import Refusal
from tefuda.web.store import KeptTable, Store
from tefuda.web.telling import Telling

if TYPE_CHECKING:
    from tefuda.web.house import House

AWAY = 60.0  # seconds after which a program plays for somebody who is asked and not there, while others wait
BREATH = 8  # decisions of quick programs after which other tables have their turn


class LiveTable:
    """A table in memory. The file has all of it: it can be dropped whenever nobody is there."""

    def __init__(self, house: "House", kept: KeptTable, play: Play) -> None:
        self.house, self.kept, self.play = house, kept, play
        self.kept_steps = len(play.steps)  # decisions that lie on the disk
        self.branch = 0  # goes up when decisions are taken back
        self.guests: set[Guest] = set()
        self.lock = asyncio.Lock()  # held by who changes the table
        self.away: set[int] = set()  # seats whose people were gone for too long
        self.stand_in: Entrant | None = None  # plays for people who have left
        self.running: asyncio.Task[None] | None = None  # of watching
        self._timer: asyncio.TimerHandle | None = None

    # What is the case

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, name in enumerate(self.kept.players) if name == PERSON]

    @property
    def over(self) -> bool:
        """Whether the game has ended, as far as it is kept."""
        return self.play.over and self.kept_steps == len(self.play.steps)

    @property
    def open_hands(self) -> bool:
        """Whether all hands may be shown."""
        return not self.people or self.over

    def here(self, seat: int) -> bool:
        """Whether somebody is connected to a seat."""
        return any(guest.seat == seat for guest in self.guests)

    def telling_for(self, guest: Guest) -> Telling:
        return Telling(telling.reader_of(self.kept.players, guest.view, guest.seat))

    def seats_data(self) -> list[dict[str, Any]]:
        """Who sits where."""
        return [
            {
                "seat": seat,
                "who": "program" if name != PERSON or seat in self.kept.left_by else "person",
                "name": name,
                "here": name != PERSON or self.here(seat),
            }
            for seat, name in enumerate(self.kept.players)
        ]

    def turns_data(
        self, before: int | None, turns: list[dict[str, Any]], seats: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """The message that tells turns."""
        told = {
            "type": "turns", "table": self.kept.id, "from": before, "turns": turns, "over": self.over, "seats": seats,
            "practice": self.kept.practice, "secret": self.kept.secret,
        }  # fmt: skip
        return told if self.kept.secret and not self.over else told | {"deal": self.kept.deal}

    def about(self) -> dict[str, Any]:
        """Which game by which rules this is."""
        return {"game": self.kept.game, "preset": self.kept.preset, "options": self.kept.options}

    def result_data(self, reader: Any) -> dict[str, Any]:
        """The message that tells the result."""
        lines = telling.result_lines(self.play, reader)
        return {"type": "result", "lines": lines, "deal": self.kept.deal, "seed": str(self.kept.seed), **self.result()}

    def result(self) -> dict[str, Any]:
        """Scores and places of a game that is over."""
        scores = self.play.table.scores
        places = telling.places_of(self.play.game, self.play.rules, scores)
        return {"scores": scores.tolist(), "places": places}

    def turn_of(self, guest: Guest) -> int:
        """The turn that a guest's next move must name."""
        return telling.turn_at(self.play, guest.view, self.kept_steps)

    # Guests

    def enter(self, guest: Guest) -> None:
        """Somebody connects; who was only gone for too long sits down again."""
        self.guests.add(guest)
        if guest.seat in self.away:
            self.away.discard(guest.seat)
            self.house.spawn(self.sit(guest))
        self._wake()

    def leave(self, guest: Guest) -> None:
        """A connection is closed."""
        self.guests.discard(guest)
        self._wake()
        self._watch_absent()
        if not self.guests:
            self._stop_running()
            self.house.drop(self)

    def _wake(self) -> None:
        for guest in self.guests:
            guest.wake()

    # What people do. Each raises a Refusal where it is not possible.

    async def move(self, guest: Guest, turn: int, action: int) -> None:
        """A person's decision. One for another turn changes nothing and is answered with the table as it is."""
        seat = self._seat_of(guest)
        if turn != self.turn_of(guest):  # told at once, also while a program thinks
            guest.answer_again()
            return
        async with self.lock:
            if turn != self.turn_of(guest):
                guest.answer_again()
                return
            if self.over:
                raise Refusal(409, refusals.OVER)
            if seat in self.kept.left_by:
                raise Refusal(409, refusals.YOU_LEFT)
            if self.play.asked != seat:
                raise Refusal(409, refusals.NOT_YOUR_TURN)
            if action not in self.play.table.legal:
                raise Refusal(409, self.house.why_not(self.play, seat, action, guest.telling.reader))
            self.play.take(action)
            await self._advance()

    async def back(self, guest: Guest, turn: int) -> None:
        """Take back a person's last decision, in a practice game."""
        seat = self._seat_of(guest)
        if not self.kept.practice:
            raise Refusal(409, refusals.NO_TAKING_BACK)
        async with self.lock:
            if turn != self.turn_of(guest):
                guest.answer_again()
                return
            if not self.play.has_decided(seat):
                raise Refusal(409, refusals.NOTHING_TO_TAKE_BACK)
            place = self.play.since_own(seat)
            try:
                await self.house.store.write(*Store.taking_back(self.kept.id, place))
            except sqlite3.Error:
                raise Refusal(507, refusals.NOT_KEPT) from None
            self.play.go_back(place)
            self.kept.result, self.kept_steps = None, place
            self.branch += 1
            self._wake()

    async def go_away(self, guest: Guest) -> None:
        """A program plays on for a person, where other people sit at the table."""
        seat = self._seat_of(guest)
        if len(self.people) > 1:
            await self._hand_over(seat)

    async def sit(self, guest: Guest) -> None:
        """A person takes the seat back from the program."""
        seat = self._seat_of(guest)
        async with self.lock:
            if seat in self.kept.left_by:
                await self._write_left([each for each in self.kept.left_by if each != seat])
                self._wake()

    async def step(self, guest: Guest) -> None:
        """Watching: one decision."""
        self._only_watched()
        self._stop_running()
        async with self.lock:
            await self._advance(most=1)

    def run(self, guest: Guest, pace: float) -> None:
        """Watching: a decision every `pace` seconds."""
        self._only_watched()
        self._stop_running()
        self.running = self.house.spawn(self._run(pace))

    def pause(self, guest: Guest) -> None:
        """Watching: stand still."""
        self._only_watched()
        self._stop_running()

    def look(self, guest: Guest, seat: int | None) -> None:
        """See another hand, or all."""
        if not self.open_hands and seat != guest.seat:
            raise Refusal(403, refusals.SECRET)
        if seat is not None and seat >= self.play.game.seats:
            raise Refusal(404, refusals.NO_SEAT)
        guest.look(seat)

    # How it is done

    def _seat_of(self, guest: Guest) -> int:
        if guest.seat is None:
            raise Refusal(403, refusals.ONLY_WATCHING)
        return guest.seat

    def _only_watched(self) -> None:
        if self.people:
            raise Refusal(403, refusals.ONLY_FOR_WATCHING)

    def _stop_running(self) -> None:
        if self.running is not None:
            self.running.cancel()
            self.running = None

    async def _run(self, pace: float) -> None:
        while not self.over:
            async with self.lock:
                await self._advance(most=1)
            await asyncio.sleep(pace)

    async def begin(self) -> None:
        """Let programs decide that are asked now: at a new table, and after the server was started again."""
        if self.people and not self.lock.locked():
            async with self.lock:
                await self._advance()

    async def _advance(self, most: int | None = None) -> None:
        """Let programs decide until a person is asked, and keep it. Slow ones think in a thread of their own, after
        all that was decided before them is kept and told."""
        decided = 0
        while not self.play.over and decided != most and (entrant := self._program()) is not None:
            if entrant.slow:
                await self._keep()
            try:
                if entrant.slow:
                    action = await self.house.think(self.play.ask)
                else:
                    action = self.play.ask()
                self.play.program_takes(action)
            except Problem as problem:
                log.warning(f"table {self.kept.id[:8]}…: {problem}")
                await self._keep()
                raise Refusal(500, refusals.AN_ERROR_OF_A_PROGRAM) from None
            decided += 1
            if decided % BREATH == 0:
                await asyncio.sleep(0)
        await self._keep()
        self._watch_absent()
        if not self.guests:  # all have gone meanwhile
            asyncio.get_running_loop().call_soon(self.house.drop, self)

    def _program(self) -> Entrant | None:
        """The program that is asked now; None where a person is."""
        return self.play.entrants[self.play.asked]

    async def _keep(self) -> None:
        """Write the decisions that are not written yet, and tell them. What cannot be written was not decided."""
        first, steps = self.kept_steps, self.play.steps[self.kept_steps :]
        if not steps:
            return
        statements = Store.acting(self.kept.id, first, [(step.seat, step.action) for step in steps])
        if self.play.over:
            self.kept.result = self.result()
            statements.append(Store.ending(self.kept.id, self.kept.result))
        try:
            await self.house.store.write(*statements)
        except sqlite3.Error as error:
            log.error(f"table {self.kept.id[:8]}… cannot be kept: {error}")
            self.kept.result = None
            self.play.go_back(first)
            raise Refusal(507, refusals.NOT_KEPT) from None
        self.kept_steps = first + len(steps)
        self._wake()

    # People who have left

    async def _hand_over(self, seat: int) -> None:
        async with self.lock:
            if seat not in self.kept.left_by and not self.over:
                await self._write_left([*self.kept.left_by, seat])
                self._wake()
                await self._advance()

    async def _write_left(self, seats: list[int]) -> None:
        try:
            await self.house.store.write(Store.leaving(self.kept.id, seats))
        except sqlite3.Error:
            raise Refusal(507, refusals.NOT_KEPT) from None
        self.kept.left_by = seats
        self.fill_seats()

    def fill_seats(self) -> None:
        """Put the stand-in into the seats of people who have left, and people into their own."""
        if self.kept.left_by and self.stand_in is None:
            self.stand_in = self.house.stand_in(self.play)
        for seat in self.people:
            self.play.entrants[seat] = self.stand_in if seat in self.kept.left_by else None

    def _watch_absent(self) -> None:
        """When a person is asked who is not there, and others are, a program plays for that person after a while."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.over or len(self.people) < 2 or self._program() is not None:
            return
        seat, place = self.play.asked, len(self.play.steps)
        if not self.here(seat) and any(self.here(other) for other in self.people):
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(AWAY, lambda: self.house.spawn(self._take_over(seat, place)))

    async def _take_over(self, seat: int, place: int) -> None:
        if len(self.play.steps) == place and not self.here(seat) and self.guests:
            self.away.add(seat)
            with contextlib.suppress(Refusal):
                await self._hand_over(seat)
