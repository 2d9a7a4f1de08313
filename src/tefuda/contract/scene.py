"""A scene: one table as one reader may see it, as plain data. A terminal, a page and a screen reader tell it.

A game gives what lies on the table: zones with their cards, seats, notes, marks. What all games share is added to it
(see table/scene.py): who reads and who is asked, the seats' names, the moves, what was just done. A scene is made from
a copy of the table that went through `hide`, so nothing in it is hidden from its reader.

Words such as the key of a zone, the style of a card or a mark are the game's own. Who draws a scene lays a zone out by
its key, and as a plain row where it does not know the key:

    hand      the cards of a seat                   pile    what a seat has captured, in groups
    field     cards that all may take, in groups    trick   what each seat has laid in a trick
    river     what a seat has discarded, in order   melds   open sets of a seat, each a group
    laid      what a seat has laid, a group a turn  drawn   what a seat has just drawn
    played    cards that are out of play            waiting a card for which a choice is asked
    deck, wall, dead-wall, rest: cards that are not dealt or not drawn yet

A scene names the deck of pictures that its cards are drawn from, and each card its picture there. Any game may use one:

    hanafuda  month and place in the month, the most precious card first: 1-1 (crane) to 12-4
    cards     rank and suit: AS, 10H, QC; ranks A 2 to 10 J Q K, suits C D H S
    tiles     as players write them: 1m, 9p, 5s, red fives 0m 0p 0s, 1z to 7z for east to the red dragon

A card without a picture is lettered.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache, cached_property
from typing import Any

from tefuda.contract.names import Name

PLAYABLE, CAPTURABLE = "playable", "capturable"  # marks: a move plays this card; a card of the reader's takes it
GONE = "gone"  # mark: the card was here, and lies in another zone now
NO_CARD = -1  # the id of a sign that is no card of the table, such as a suit
KEPT = 4096  # parts of scenes of one sort that a game keeps: what has not changed is told by the same object again

_ALWAYS: dict[str, Any] = {"always": True}  # told even where it has its default value


@dataclass(frozen=True)
class Card:
    """A card that the reader can see."""

    id: int  # the game's own number of it
    name: Name
    short: Name  # what is enough in its zone, where there is little room
    style: str = ""  # a word for its colour: see Scene.colours
    marks: tuple[str, ...] = ()  # see Scene.legend
    face: tuple[str, ...] = ()  # the signs on it from top to bottom, where it can be written so
    picture: str = ""  # what is drawn on it: a name in the scene's deck


@dataclass(frozen=True)
class Note:
    """Something worth saying: a figure, how far something has come, a warning."""

    name: Name
    key: str = ""  # what it is about: notes of one key are told in one column or line
    value: int | float | str | Name | None = None
    points: int | None = None  # what it pays
    has: int | None = None  # it has come so far …
    needs: int | None = None  # … of this
    cards: tuple[Card, ...] = ()  # the cards that it is about
    missing: tuple[Card, ...] = ()  # the cards that would bring it further
    seat: int | None = None  # the seat that it is about …
    way: str = ""  # … `to` that seat, or `from` it
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Zone:
    """A place of cards."""

    key: str  # who draws it goes by this: hand, field, pile, …
    name: Name
    seat: int | None = None  # whose it is; None: everybody's
    group: str = ""  # which part of it: a kind of captured cards, a month of the field, the number of a meld
    title: Name | None = None  # what that part is called
    cards: tuple[Card, ...] = ()
    backs: int = 0  # further cards, which the reader cannot see
    notes: tuple[Note, ...] = ()

    @cached_property
    def place(self) -> str:
        """What moves call it: `field`, `hand:0`, `pile:1:ribbon`."""
        return place_of(self.key, self.seat, self.group)

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The ids of the cards that lie here and can be seen."""
        return tuple(card.id for card in self.cards if GONE not in card.marks)

    @property
    def size(self) -> int:
        """How many cards lie here."""
        return self.backs + len(self.ids)


def place_of(key: str, seat: int | None = None, group: str = "") -> str:
    """What a zone is called where something refers to it."""
    return ":".join([key, *([str(seat)] if seat is not None else []), *([group] if group else [])])


@dataclass(frozen=True)
class Seat:
    """Who sits where, and how it stands."""

    points: int | float
    marks: tuple[str, ...] = ()  # dealer, riichi, …: see Scene.legend
    notes: tuple[Note, ...] = ()
    name: Name = field(default=Name("", ""), metadata=_ALWAYS)  # added for all games


@dataclass(frozen=True)
class Move:
    """Something that the seat that is asked may do; with `why_not`, something that it may not do."""

    action: int
    cards: tuple[int, ...] = ()  # the ids of what is played, laid, passed, discarded …
    place: str = ""  # … from this zone
    with_: tuple[int, ...] = ()  # what it takes, or is joined to …
    with_place: str = ""  # … in this zone
    notes: tuple[Note, ...] = ()  # what it brings
    why_not: Name | None = None
    name: Name = field(default=Name("", ""), metadata=_ALWAYS)  # added for all games


@dataclass(frozen=True)
class Moved:
    """A card that went from one zone to another; None: the reader sees only its back."""

    card: int | None
    source: str  # "": from nowhere that can be named
    target: str


@dataclass(frozen=True)
class Said:
    """What one decision did, in words, and which cards it moved."""

    seat: int | None  # who decided; None where the reader may not know it
    lines: tuple[Name, ...] = ()
    results: tuple[Name, ...] = ()  # how it ended a round, where it did
    moved: tuple[Moved, ...] = ()


@dataclass(frozen=True)
class Mark:
    """What a mark on a card, a seat or a note means, and the sign for it where only signs can be written.

    A sign of two characters stands around what it marks, as in [♠Q], any other one beside it.
    """

    key: str
    name: Name
    sign: str = ""


@dataclass(frozen=True)
class Scene:
    """A table as one reader sees it."""

    game: str = ""
    deck: str = ""  # the deck of pictures that the cards are drawn from: hanafuda, cards, tiles; "": all are lettered
    turn: int = field(default=0, metadata=_ALWAYS)  # decisions that the reader has heard of
    reader: int | None = field(default=None, metadata=_ALWAYS)  # the seat that sees it; None: sees all hands
    asked: int | None = field(default=None, metadata=_ALWAYS)  # who decides now; None: nobody, or it is not told
    over: bool = False
    title: tuple[Note, ...] = ()  # which round it is, and the like
    status: tuple[Note, ...] = ()  # what everybody looks at now
    seats: tuple[Seat, ...] = ()
    zones: tuple[Zone, ...] = ()
    notes: tuple[Note, ...] = ()
    moves: tuple[Move, ...] = ()
    said: tuple[Said, ...] = ()
    legend: tuple[Mark, ...] = ()  # every mark that may be on cards, seats and notes
    colours: Mapping[str, str] = field(default_factory=dict)  # of each style of cards, by their English names
    signed: bool = False  # points are won and lost: they are written with their sign
    points_name: Name | None = None  # what the points of the seats are called, where no note tells them

    def zones_of(self, key: str, seat: int | None = None) -> list[Zone]:
        """The zones of a key; with a seat, those of the seat."""
        return [zone for zone in self.zones if zone.key == key and seat in (None, zone.seat)]

    def mark(self, key: str) -> Mark:
        """What a mark means."""
        return next(mark for mark in self.legend if mark.key == key)

    def data(self) -> dict[str, Any]:
        """The scene as JSON has it; what has its default value is left out."""
        return data_of(self)


_KEYS = {"with_": "with", "source": "from", "target": "to"}  # words that Python keeps for itself


_PLAIN = frozenset((str, int, float, bool))


def data_of(part: Any) -> Any:
    """Some part of a scene as JSON has it."""
    part_type = type(part)
    if part is None or part_type in _PLAIN:
        return part
    if part_type is tuple or part_type is list:
        return [data_of(each) for each in part]
    if part_type is Name:
        return {"ja": part.ja, "en": part.en}
    if isinstance(part, str | int | float):
        return part
    if isinstance(part, Mapping):
        return {key: data_of(value) for key, value in part.items()}
    return _fields_data(part)


def _fields_data(part: Any) -> dict[str, Any]:
    told = {}
    for name, key, always, default in _fields_of(type(part)):  # type: ignore[arg-type]
        value = getattr(part, name)
        if always or (value is not default and value != default):
            told[key] = value if type(value) in _PLAIN else data_of(value)
    return told


@cache
def _fields_of(part_type: type) -> list[tuple[str, str, bool, Any]]:
    """The fields of a part of a scene: name, key in JSON, whether it is told always, default value."""
    return [
        (
            each.name, _KEYS.get(each.name, each.name), bool(each.metadata.get("always")),
            each.default_factory() if callable(each.default_factory) else each.default,
        )
        for each in fields(part_type)
    ]  # fmt: skip


def written(part: Any) -> str:
    """A message with parts of scenes in it as the text of its JSON. What was written of an object is kept with it: a
    game makes each card once, a zone whenever it changes, and shows them a thousand times."""
    part_type = type(part)
    if part_type is dict:
        return "{" + ",".join([f"{_text(key)}:{written(value)}" for key, value in part.items()]) + "}"
    if part_type is tuple or part_type is list:
        return "[" + ",".join([written(each) for each in part]) + "]"
    if part_type is str:
        return _text(part)
    if part_type is int:
        return str(part)
    if not is_dataclass(part_type):
        return json.dumps(data_of(part), ensure_ascii=False)
    known = vars(part)
    if "_written" not in known:
        known["_written"] = _fields_written(part)
    return known["_written"]


_text = json.encoder.encode_basestring  # as JSON has a text, in its own letters


def _fields_written(part: Any) -> str:
    if type(part) is Name:
        return f'{{"ja":{_text(part.ja)},"en":{_text(part.en)}}}'
    told = []
    for name, key, always, default in _fields_of(type(part)):  # type: ignore[arg-type]
        value = getattr(part, name)
        if always or (value is not default and value != default):
            told.append(f'"{key}":{written(value)}')
    return "{" + ",".join(told) + "}"
