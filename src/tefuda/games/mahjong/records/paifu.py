"""A match as played (牌譜), whatever format it came from or goes to. Tiles are faces: see actions.py."""

from dataclasses import dataclass, field

from tefuda.contract import Rules

# Types of events. A draw of the wall's end after a kan is a DRAW too.
DRAW, DISCARD, RIICHI, CHI, PON, OPEN_KAN, CLOSED_KAN, ADDED_KAN, DORA = range(9)
EVENT_NAMES = ("draw", "discard", "riichi", "chi", "pon", "open kan", "closed kan", "added kan", "dora")
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
    """One winner. What a format does not tell is None, and is not compared."""

    seat: int
    source: int  # who discarded the tile; the seat itself for tsumo
    tile: int
    paid: tuple[int, ...] | None = None  # what this win brings to each seat
    yaku: int | None = None  # as bits
    han: int | None = None
    fu: int | None = None
    dora: tuple[int, int, int] | None = None  # dora, red fives, ura


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
    ready: tuple[int, ...] | None = None  # who was ready when the wall was exhausted
    paid: tuple[int, ...] | None = None


@dataclass
class Match:
    """All deals of a match, and its end."""

    name: str
    rules: Rules
    deals: list[Deal] = field(default_factory=list)
    players: tuple[str, ...] = ("", "", "", "")
    points: tuple[int, ...] | None = None  # at the end, None where the record does not have it
    scores: tuple[float, ...] | None = None  # with uma
