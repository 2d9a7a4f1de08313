"""Every message between page and server, with its bounds: what does not fit is refused before anybody reads it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tefuda.contract import Name

MOST_TURNS = 1_000_000
MOST_SEATS = 16
MOST_KEYS = 200  # of one browser
MOST_DEAL = 10**15  # a number that JavaScript can write, and that people can still copy

Text = Annotated[str, Field(min_length=1, max_length=80)]
Key = Annotated[str, Field(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Turn = Annotated[int, Field(ge=0, le=MOST_TURNS)]
Action = Annotated[int, Field(ge=0, le=1_000_000)]
SeatNumber = Annotated[int, Field(ge=0, lt=MOST_SEATS)]
Options = Annotated[dict[Text, Text], Field(max_length=100)]
Deal = Annotated[int, Field(ge=0, le=MOST_DEAL)]


class Message(BaseModel):
    """What comes from outside: no conversions, no further entries."""

    model_config = ConfigDict(strict=True, extra="forbid")


# Plain HTTP


class NewTable(Message):
    """A table that somebody wants to sit down at."""

    game: Text
    preset: Text | None = None
    options: Options = {}
    seats: Annotated[list[Text], Field(min_length=1, max_length=MOST_SEATS)]  # `person`, or the name of a player
    deal: Deal | None = None  # None: the server chooses
    seed: Annotated[str, Field(pattern=r"^[0-9]{1,18}$")] | None = (
        None  # of a deal that was secret; None: the usual one
    )
    practice: bool = False  # moves can be taken back


class Invitation(BaseModel):
    """A seat for another person, with its secret key."""

    seat: int
    key: str


class Opened(BaseModel):
    """A new table. `seat` is None for who watches; `deal` is None while it is secret."""

    table: str
    seat: int | None
    key: str
    deal: int | None
    invitations: list[Invitation]


class Keys(Message):
    """The keys that a browser holds."""

    keys: Annotated[list[Key], Field(max_length=MOST_KEYS)]


class Token(Message):
    """What the link of the server holds."""

    token: Annotated[str, Field(min_length=1, max_length=200)]


# From the page to a table


class Hello(Message):
    """The first message: whose seat, and which turn the page has seen last."""

    type: Literal["hello"]
    key: Key
    seen: Turn | None = None
    lang: Literal["ja", "en"] = "ja"  # not needed yet: all that is told comes in both


class MoveMade(Message):
    """A decision. It names the turn that it answers, so that one that comes twice or late changes nothing."""

    type: Literal["move"]
    turn: Turn
    action: Action


class Back(Message):
    """Take back one's last decision."""

    type: Literal["back"]
    turn: Turn


class Again(Message):
    """The same deal again, maybe as another seat."""

    type: Literal["again"]
    seat: SeatNumber | None = None


class HintWanted(Message):
    """Begin or end a hint."""

    type: Literal["hint"]
    turn: Turn
    adviser: Text | None = None  # None: the game's own choice
    on: bool = True


class Why(Message):
    """Why this card cannot be played."""

    type: Literal["why"]
    turn: Turn
    card: Annotated[int, Field(ge=-1, le=1_000_000)]
    place: Annotated[str, Field(max_length=80)] = ""


class Unseen(Message):
    """The cards that this seat has not seen."""

    type: Literal["unseen"]
    turn: Turn


class Run(Message):
    """Watching: let it run, one decision every so many seconds."""

    type: Literal["play"]
    pace: Annotated[float, Field(ge=0.05, le=30.0)] = 1.0


class Pause(Message):
    """Watching: let it stand."""

    type: Literal["pause"]


class OneStep(Message):
    """Watching: one decision."""

    type: Literal["step"]


class Look(Message):
    """Whose view is shown to who may choose: a seat's, or with None all hands."""

    type: Literal["look"]
    seat: SeatNumber | None = None


class Leave(Message):
    """A program plays on for this seat."""

    type: Literal["leave"]


class Sit(Message):
    """Take the seat back from the program."""

    type: Literal["sit"]


FromPage = Annotated[
    Hello | MoveMade | Back | Again | HintWanted | Why | Unseen | Run | Pause | OneStep | Look | Leave | Sit,
    Field(discriminator="type"),
]
_FROM_PAGE: TypeAdapter[FromPage] = TypeAdapter(FromPage)


def from_page(content: str | bytes) -> FromPage | None:
    """The message that a page has sent; None for what is none."""
    try:
        return _FROM_PAGE.validate_json(content)
    except (ValidationError, ValueError, RecursionError):
        return None


# From a table to the page. These are plain dictionaries: they are made a hundred times a second.


def name_data(name: Name) -> dict[str, str]:
    """Words in both languages."""
    return {"ja": name.ja, "en": name.en}


def refused(turn: int | None, why: Name) -> dict[str, Any]:
    """Something that was not done, and why."""
    return {"type": "refused", "turn": turn, "why": name_data(why)}


def gone(why: Name) -> dict[str, Any]:
    """The last message: this connection is closed, and why."""
    return {"type": "gone", "why": name_data(why)}
