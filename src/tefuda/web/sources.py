"""Where a game that is looked at comes from: a table of this house, or a record that was dropped on the page."""

import hashlib
import io
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from tefuda.contract import Game
from tefuda.errors import Problem
from tefuda.records.finding import OWN, texts_of
from tefuda.records.played import chosen, own_record
from tefuda.records.played import played_from as played_from_text
from tefuda.table.played import Played, played_of
from tefuda.table.record import PERSON, GameRecord
from tefuda.web import refusals
from tefuda.web.house import House
from tefuda.web.refusals import Refusal

KIND = "record"  # under which the store keeps dropped records
MOST_RECORD = 4_000_000  # characters; a long match of mahjong has some hundred thousand
MOST_KEPT = 1_000  # records that were dropped
MOST_DECISIONS = 5_000  # of a game that is looked at
MOST_READING = 8  # games that are read at once
MOST_SHELVED = 8  # games that stay in memory


@dataclass(frozen=True)
class Source:
    """One game."""

    table: str = ""  # of this house
    moves: int = 0  # how many decisions of that table
    record: str = ""  # a record that the store keeps

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


class Shelf:
    """The games that were looked at last, and how many are being read: reading a long record takes seconds."""

    def __init__(self) -> None:
        self.games: OrderedDict[Source, Played] = OrderedDict()
        self.reading = 0

    async def take(self, source: Source, read: Callable[[], Awaitable[Played]]) -> Played:
        """A game from the shelf, or read now."""
        if source in self.games:
            self.games.move_to_end(source)
            return self.games[source]
        if self.reading >= MOST_READING:
            raise Refusal(429, refusals.TOO_MANY)
        self.reading += 1
        try:
            played = await read()
        finally:
            self.reading -= 1
        self.games[source] = played
        while len(self.games) > MOST_SHELVED:
            self.games.popitem(last=False)
        return played


_SHELVES: WeakKeyDictionary[House, Shelf] = WeakKeyDictionary()


def _shelf(house: House) -> Shelf:
    return _SHELVES.setdefault(house, Shelf())


async def keep_record(house: House, text: str, name: str) -> tuple[Source, Played]:
    """Keep a record that was dropped, once it could be read."""
    number = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]
    known = house.store.kept(KIND, number) is not None
    if not known and house.store.count(KIND) >= MOST_KEPT:
        raise Refusal(503, refusals.FULL)
    source = Source(record=number)
    played = await _shelf(house).take(source, lambda: house.think(_read, house, text, _plain(name)))
    if not known:
        await house.store.keep(KIND, number, {"name": _plain(name), "text": text})
    return source, played


async def of_table(house: House, table: str, key: str) -> tuple[Source, Played, int | None]:
    """A table of this house, for who has a key of it, and whose seat the key is. It must be over, since a review tells
    more than a player may know, and a secret deal is secret."""
    opens, seat = house.store.seat_of(table, key)
    kept = house.store.table(table) if opens else None
    if kept is None or kept.game not in house.games:
        raise Refusal(404, refusals.NO_TABLE)
    if kept.result is None:
        raise Refusal(409, refusals.NOT_OVER)
    source = Source(table=table, moves=len(house.store.moves(table)))
    return source, await played_from(house, source), seat


async def played_from(house: House, source: Source) -> Played:
    """The game of a source that was kept."""
    return await _shelf(house).take(source, lambda: _played(house, source))


async def _played(house: House, source: Source) -> Played:
    if source.table:
        kept = house.store.table(source.table)
        if kept is None or kept.game not in house.games:
            raise Refusal(404, refusals.NO_TABLE)
        record = await house.think(house.record, kept)
        record.actions, record.names = record.actions[: source.moves], record.names[: source.moves]
        return await house.think(_checked, lambda: played_of(record, Path(kept.id), house.games[kept.game]))
    value = house.store.kept(KIND, source.record)
    if value is None:
        raise Refusal(404, refusals.NO_REVIEW)
    return await house.think(_read, house, value["text"], value["name"])


def _read(house: House, text: str, name: str) -> Played:
    """The game that a text tells."""

    def read() -> Played:
        path = Path(name)
        found = chosen(texts_of(_lines(text), path), path)
        if found.format != OWN:
            if found.game not in house.games:
                raise Refusal(404, refusals.UNKNOWN_GAME)
            return played_from_text(found, path)
        record = own_record(found, path)
        if len(record.actions) > MOST_DECISIONS:
            raise Refusal(413, refusals.TOO_LARGE)
        return played_of(record, path, _offered(house, record))

    if len(text) > MOST_RECORD:
        raise Refusal(413, refusals.TOO_LARGE)
    return _checked(read)


def _offered(house: House, record: GameRecord) -> Game:
    """The game of a record, if this house offers it; one of one's own is named by its path, which is never opened."""
    for name, game in house.games.items():
        if record.game in (name, house.sources.get(name)):
            return game
    raise Refusal(404, refusals.UNKNOWN_GAME)


def _lines(text: str) -> Iterator[str]:
    lines = io.StringIO(text)
    while line := lines.readline():
        yield line


def _checked(read: Callable[[], Played]) -> Played:
    """What was read, or a refusal that says why it was not."""
    try:
        played = read()
    except Problem as problem:
        raise Refusal(422, refusals.of_problem(problem)) from None
    if len(played.steps) > MOST_DECISIONS:
        raise Refusal(413, refusals.TOO_LARGE)
    return played


def _plain(name: str) -> str:
    """The name of a file without what could lead anywhere."""
    kept = "".join(each for each in name if each.isprintable() and each not in "/\\")
    return kept.strip(". ")[:80] or "record"


def seat_wanted(played: Played, wanted: int | None, own: int | None = None) -> int | None:
    """Whose decisions: who asks for a seat gets it, else one's own or the only person's; None: it must be asked."""
    people = [seat for seat, name in enumerate(played.players) if name == PERSON]
    seat = wanted if wanted is not None else own if own is not None else people[0] if len(people) == 1 else None
    if seat is None:
        return None
    if seat >= played.game.seats or not played.turns_of(seat):
        raise Refusal(404, refusals.NO_SEAT)
    return seat
