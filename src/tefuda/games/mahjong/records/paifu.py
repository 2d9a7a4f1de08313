"""A match as played (牌譜), whatever format it came from or goes to. Tiles are faces: see actions.py."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tefuda.contract import Rules

# Types of events. A draw of the wall's end after a kan is a DRAW too.
DRAW, DISCARD, RIICHI, CHI, PON, OPEN_KAN, CLOSED_KAN, ADDED_KAN, DORA = range(9)
EVENT_NAMES = ("draw", "discard", "riichi", "chi", "pon", "open kan", "closed kan", "added kan", "dora")
CALLS = (CHI, PON, OPEN_KAN)
KANS = (OPEN_KAN, CLOSED_KAN, ADDED_KAN)


@dataclass(frozen=True)
class Event:
    """Something that happened: `tile` was drawn, discarded, claimed, added or turned; `own` tiles joined it."""

    type: int
    seat: int
    tile: int = -1
    tsumogiri: bool = False
    own: tuple[int, ...] = ()
    source: int = -1  # whose discard was claimed


@dataclass(frozen=True)
class Win:
    """One winner. A reader gives the seats; what the win is worth the replay finds."""

    seat: int
    source: int  # who discarded the tile; the seat itself for tsumo
    tile: int = -1
    paid: tuple[int, ...] = ()  # what this win brings to each seat
    yaku: int = 0  # as bits
    han: int = 0
    fu: int = 0
    dora: tuple[int, ...] = (0, 0, 0)  # dora, red fives, ura
    riichi: bool = False
    liable: int = -1  # who fed the last set of the yakuman, and pays for it


class Numbers(NamedTuple):
    """The numbers (0 to 135) of all tiles of a deal, as Tenhou has them."""

    hands: tuple[tuple[int, ...], ...]
    indicators: list[int]
    ura: list[int]
    events: list[tuple[int, ...]]  # for each event its tile and its own tiles; of a closed kan the four


class Statement(NamedTuple):
    """What a record says at one place of a deal: after how many events, under which name, and in which fields."""

    place: int
    name: str
    fields: dict[str, Any]


@dataclass
class Deal:
    """One deal, from the hands to what was paid."""

    kyoku: int
    honba: int
    sticks: int
    points: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    indicators: list[int]  # the first, and those that kans turned
    ura: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    wins: list[Win] = field(default_factory=list)
    ended: int | None = None  # state.py's number for how it ended, None when the format does not tell
    ready: tuple[int, ...] = ()  # who was ready when the wall was exhausted
    paid: tuple[int, ...] = ()
    cut: bool = False  # the record of it is cut off: it has no end
    numbers: Numbers | None = None  # where the format has them
    stated: list[Statement] | None = None  # where it was read: all that the record says of it


@dataclass
class Match:
    """All deals of a match, and its end."""

    name: str
    rules: Rules
    deals: list[Deal] = field(default_factory=list)
    players: tuple[str, ...] = ("", "", "", "")
    points: tuple[int, ...] | None = None  # at the end, None where the record does not have it
    scores: tuple[float, ...] | None = None  # with uma
    format: str = ""  # where it was read
    stated: list[Statement] = field(default_factory=list)  # what the record says of the match as a whole
