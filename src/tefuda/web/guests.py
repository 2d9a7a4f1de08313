"""Guests: the connections of pages to a table, each with what it has been told.

Whatever happens at a table, each guest is woken and told all that is new since it was told last, so that nothing is
sent twice and nothing is missed.
"""

import asyncio
from typing import TYPE_CHECKING, Any

from tefuda.web import telling

if TYPE_CHECKING:
    from tefuda.web.tables import LiveTable


class Guest:
    """One connection: where it sits, what it sees, and what it has been told."""

    def __init__(self, table: "LiveTable", seat: int | None) -> None:
        self.table, self.seat = table, seat  # None: watches
        self.view = seat  # the seat whose cards it sees; None: all
        self.telling = table.telling_for(self)
        self.branch = -1  # of the table, when it was told last; another one: it is told anew
        self.seats: list[dict[str, Any]] = []  # as they were told last
        self.result_told = False
        self.woken = asyncio.Event()
        self.more: list[dict[str, Any]] = []  # messages for this guest alone

    def wake(self) -> None:
        """There is something new."""
        self.woken.set()

    def say(self, message: dict[str, Any]) -> None:
        """Tell this guest something."""
        self.more.append(message)
        self.woken.set()

    def look(self, seat: int | None) -> None:
        """See the table from another seat, or all hands."""
        self.view, self.branch = seat, -1
        self.telling = self.table.telling_for(self)
        self.wake()

    def answer_again(self) -> None:
        """Tell the table as it is, though nothing has changed."""
        self.seats = []
        self.wake()

    def begin(self, seen: int | None) -> None:
        """What a page has seen already is not told again."""
        if seen is not None:
            place = telling.place_of_turn(self.table.play, self.view, seen, self.table.kept_steps)
            if place is not None and self.table.kept_steps - place <= telling.MOST_NEW:
                self.telling.go_to(self.table.play, place)
                self.branch = self.table.branch
        self.wake()

    def messages(self) -> list[dict[str, Any]]:
        """All that is new for this guest, in its order."""
        table, own = self.table, self.telling
        seats, upto = table.seats_data(), table.kept_steps
        told: list[dict[str, Any]] = []
        if self.branch != table.branch or upto - own.place > telling.MOST_NEW:
            last = own.whole(table.play, upto)
            message = table.turns_data(None, [last], seats) | table.about() | {"log": own.log(table.play, upto)}
            told, self.branch, self.result_told = [message], table.branch, False
        elif own.place < upto or seats != self.seats:
            before = own.turn
            told = [table.turns_data(before, own.news(table.play, upto), seats)]
        self.seats = seats
        if table.over and not self.result_told:
            self.result_told = True
            told.append(table.result_data(own.reader))
        more, self.more = self.more, []
        return told + more
