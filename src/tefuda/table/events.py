"""What happened at a table, as each seat was told it: rounds that began, actions, and cards that came to light."""

from collections.abc import Iterable
from typing import NamedTuple

from tefuda.contract import Shown


class Event(NamedTuple):
    """One thing that happened."""

    round: int  # the round of the game that it belongs to, from 0
    what: str  # `round`: one was dealt; `action`; or what the game says of cards: `drawn`, `turned`, `received`
    seat: int | None = None  # whose action or cards; None: nobody's
    action: int | None = None  # None where it was not public
    cards: tuple[int, ...] | None = ()  # None where the seat may not see them
    secret: bool = False  # not told to the other seats


class Told:
    """The events of a table, a list for each seat: nothing in a seat's list is hidden from it."""

    def __init__(self, seats: int, unheard: bool) -> None:
        self.by_seat: list[list[Event]] = [[] for _ in range(seats)]
        self.unheard = unheard  # a secret action is not even mentioned to the others

    def begin_round(self, number: int) -> None:
        """A round was dealt."""
        for told in self.by_seat:
            told.append(Event(number, "round"))

    def act(self, number: int, seat: int, action: int, secret: bool) -> None:
        """A seat took an action."""
        self._tell(Event(number, "action", seat, action, (), secret), seat)

    def show(self, number: int, shown: Iterable[Shown]) -> None:
        """Cards came to light."""
        for each in shown:
            event = Event(number, each.what, each.seat, None, tuple(map(int, each.cards)), each.to is not None)
            self._tell(event, each.to)

    def _tell(self, event: Event, knows: int | None) -> None:
        for seat, told in enumerate(self.by_seat):
            if not event.secret or seat == knows:
                told.append(event)
            elif event.what != "action" or not self.unheard:
                told.append(blank(event))

    def copy(self) -> "Told":
        twin = Told(len(self.by_seat), self.unheard)
        twin.by_seat = [list(told) for told in self.by_seat]
        return twin

    def of_world(self, seat: int, events: list[Event]) -> "Told":
        """The events of a guessed table, of which one seat's are known: the others know no secret of that seat."""
        twin = Told(len(self.by_seat), self.unheard)
        others = [
            blank(event) if event.secret and event.seat == seat else event
            for event in events
            if not (self.unheard and event.secret and event.what == "action" and event.seat == seat)
        ]
        twin.by_seat = [events.copy() if each == seat else others.copy() for each in range(len(self.by_seat))]
        return twin


def blank(event: Event) -> Event:
    """An event as those are told who may not know what it was about."""
    return event._replace(action=None, cards=None if event.cards else ())


def history_of(events: Iterable[Event]) -> list[tuple[int, int | None]]:
    """The actions alone: each with its seat."""
    return [(event.seat, event.action) for event in events if event.what == "action" and event.seat is not None]
