"""Who holds which tiles while a deal goes on, by the numbers (0 to 135) that Tenhou has for them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tefuda.games.mahjong.actions import FACES
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Deal, Event, Numbers
from tefuda.games.mahjong.state import RED_FACES, SEATS
from tefuda.games.mahjong.text import face_text
from tefuda.games.mahjong.tiles import COPIES, KINDS, RED_FIVES, TILES

KIND = [*range(KINDS), *RED_FACES]  # of each face; for Python, where to call a kernel takes long
WITHOUT_RED = [number // COPIES for number in range(TILES)]  # the face of each of the 136 tiles
WITH_RED = [RED_FACES[kind] if number in RED_FIVES else kind for number, kind in enumerate(WITHOUT_RED)]


class Misfit(Exception):
    """A tile that is not where a record has it from, at an event (from 1)."""

    def __init__(self, event: int, text: str) -> None:
        super().__init__(text)
        self.event = event


@dataclass
class Meld:
    """A set that a seat has laid down: the event that made it, its numbers, and the tile that was added to a pon."""

    event: Event
    numbers: tuple[int, ...]
    added: int = -1


class Holding:
    """The hands and melds of all seats."""

    def __init__(self, hands: Iterable[Iterable[int]]) -> None:
        self.hands = [set(hand) for hand in hands]
        self.melds: list[list[Meld]] = [[] for _ in range(SEATS)]
        self.drawn = -1  # the tile that the seat in turn has just drawn
        self.discard = -1  # the last discard

    def take(self, event: Event, numbers: tuple[int, ...]) -> str:
        """One event. Returns what is wrong with it, or nothing."""
        seat = event.seat
        if event.type == paifu.DRAW:
            self.drawn = numbers[0]
            self.hands[seat].add(self.drawn)
            return ""
        if event.type == paifu.DISCARD:
            self.discard = numbers[0]
            if event.tsumogiri and self.discard != self.drawn:
                return f"the tile just drawn is not {name(self.discard)}"
            self.drawn = -1
            return self._give(seat, numbers)
        if event.type in (paifu.DORA, paifu.RIICHI):
            return ""
        self.drawn = -1
        if event.type == paifu.ADDED_KAN:
            pon = self.pon(seat, KIND[event.tile])
            if pon is None:
                return f"seat {seat} has no pon to add {name(numbers[0])} to"
            pon.added = numbers[0]
            return self._give(seat, numbers)
        self.melds[seat].append(Meld(event, numbers))
        if event.type == paifu.CLOSED_KAN:
            return self._give(seat, numbers)
        if numbers[0] != self.discard:
            return f"{name(numbers[0])} was not just discarded"
        return self._give(seat, numbers[1:])

    def _give(self, seat: int, numbers: Iterable[int]) -> str:
        for number in numbers:
            if number not in self.hands[seat]:
                return f"seat {seat} does not hold {name(number)}"
            self.hands[seat].remove(number)
        return ""

    def pon(self, seat: int, kind: int) -> Meld | None:
        """The pon of a kind that a seat has."""
        for meld in self.melds[seat]:
            if meld.event.type == paifu.PON and KIND[meld.event.tile] == kind and meld.added < 0:
                return meld
        return None

    def added_to(self, seat: int, number: int) -> Meld:
        """The pon to which a tile was added."""
        return next(meld for meld in self.melds[seat] if meld.added == number)


def name(number: int) -> str:
    """A tile for a message, by its number."""
    return f"{face_text(WITH_RED[number])} (tile {number})"


def fresh_numbers(deal: Deal, numbers: Numbers) -> Iterator[tuple[int, int]]:
    """All tiles that come up for the first time, each with its event (0: before the first)."""
    for hand in numbers.hands:
        yield from ((0, number) for number in hand)
    yield from ((0, number) for number in (*numbers.indicators, *numbers.ura))
    for place, (event, own) in enumerate(zip(deal.events, numbers.events, strict=True), start=1):
        if event.type == paifu.DRAW:
            yield place, own[0]


def held_at_end(deal: Deal, numbers: Numbers) -> Holding:
    """Who holds what when the deal is over; a Misfit where a tile is not where the record has it from."""
    fresh = list(fresh_numbers(deal, numbers))
    if len({number for _, number in fresh}) < len(fresh):
        seen: set[int] = set()
        for place, number in fresh:
            if number in seen:
                raise Misfit(place, f"{name(number)} comes up a second time")
            seen.add(number)
    holding = Holding(numbers.hands)
    for place, (event, own) in enumerate(zip(deal.events, numbers.events, strict=True), start=1):
        if wrong := holding.take(event, own):
            raise Misfit(place, wrong)
    return holding


def numbered(deal: Deal, red: bool) -> Numbers:
    """Numbers for the tiles of a deal that the engine has gone along with: the lowest that are left, one by one."""
    faces = WITH_RED if red else WITHOUT_RED
    left: list[list[int]] = [[] for _ in range(FACES)]
    for number in range(TILES - 1, -1, -1):
        left[faces[number]].append(number)
    numbers = Numbers(
        tuple(tuple(left[face].pop() for face in hand) for hand in deal.hands),
        [left[face].pop() for face in deal.indicators], [left[face].pop() for face in deal.ura], [],
    )  # fmt: skip
    holding = Holding(numbers.hands)
    turned = iter(numbers.indicators[1:])
    for event in deal.events:
        if event.type == paifu.DORA:
            own: tuple[int, ...] = (next(turned),)
        elif event.type == paifu.DRAW:
            own = (left[event.tile].pop(),)
        elif event.type == paifu.DISCARD and event.tsumogiri:
            own = (holding.drawn,)
        elif event.type in paifu.CALLS:
            own = (holding.discard, *_from_hand(holding, event.seat, event.own, faces))
        elif event.type == paifu.CLOSED_KAN:
            own = _from_hand(holding, event.seat, event.own, faces)
        elif event.type == paifu.RIICHI:
            own = ()
        else:
            own = _from_hand(holding, event.seat, (event.tile,), faces, not_drawn=event.type == paifu.DISCARD)
        numbers.events.append(own)
        holding.take(event, own)
    return numbers


def _from_hand(
    holding: Holding, seat: int, wanted: Iterable[int], faces: list[int], not_drawn: bool = False
) -> tuple[int, ...]:
    """Tiles of a hand with these faces, the lowest first; the tile just drawn only where it may be meant."""
    found: list[int] = []
    hand = sorted(holding.hands[seat] - {holding.drawn} if not_drawn else holding.hands[seat])
    for face in wanted:
        found.append(next(number for number in hand if faces[number] == face and number not in found))
    return tuple(found)


def turned_by_kans(events: list[Event]) -> list[int]:
    """Before which events (counted from 0) Tenhou turns a dora indicator: before the draw after a closed kan, and for
    other kans before the next discard or the draw after the next kan. A kan that was robbed turns none."""
    places: list[int] = []
    if not any(event.type in paifu.KANS for event in events):
        return places  # most deals
    kan: Event | None = None
    waiting = False
    for place, event in enumerate(events):
        if event.type in paifu.KANS:
            kan = event
        elif event.type == paifu.DRAW and kan is not None:
            places += [place] * (waiting + (kan.type == paifu.CLOSED_KAN))
            waiting = kan.type != paifu.CLOSED_KAN
            kan = None
        elif event.type == paifu.DISCARD and waiting:
            places.append(place)
            waiting = False
    return places


def with_dora(deal: Deal) -> Iterator[tuple[int, Event, tuple[int, ...]]]:
    """The events of a deal that has numbers, each with its place and numbers, and the indicators where Tenhou turns
    them."""
    assert deal.numbers is not None
    moves = [each for each in zip(deal.events, deal.numbers.events, strict=True) if each[0].type != paifu.DORA]
    turned = turned_by_kans([event for event, _ in moves])
    place, shown = 0, 0
    for number, (event, own) in enumerate(moves):
        while shown < len(turned) and turned[shown] == number:
            shown += 1
            place += 1
            face, tile = deal.indicators[shown], deal.numbers.indicators[shown]
            yield place, Event(paifu.DORA, -1, face), (tile,)
        place += 1
        yield place, event, own


assert len(KIND) == FACES
