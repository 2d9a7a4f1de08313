"""Positions that a link holds: packed into its text, and taken out again with care, since anybody can write one."""

import base64
import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, field, replace
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from tefuda.outside import MOST_SEED
from tefuda.web.messages import Action, Text
from tefuda.web.sources import MOST_DECISIONS

HELD, KEPT = "h", "k"  # how the name of a position begins: it holds the position, or the house keeps it
MOST_BYTES = 100_000  # of a position that is taken out of its link
CardNumber = Annotated[int, Field(ge=0, lt=10_000)]
Exchange = Annotated[list[CardNumber], Field(min_length=2, max_length=2)]  # a card of the hand, and what comes for it


@dataclass(frozen=True)
class Shared:
    """A position: a deal and its moves, or a decision of a source that the house keeps; and exchanged cards."""

    game: str
    preset: str
    changes: list[str]  # of the rules
    seed: int
    deal: int
    moves: list[int]
    exchanges: list[list[int]] = field(default_factory=list)
    source: dict[str, Any] | None = None
    turn: int = 0  # of the source

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def changed(self, exchanges: list[list[int]], moves: list[int] | None) -> "Shared":
        """The same with other cards exchanged, or after other moves; a position of a source keeps its decision."""
        return replace(self, exchanges=exchanges, moves=self.moves if moves is None or self.source else moves)


_Seed = Annotated[int, Field(ge=0, le=MOST_SEED)]
_HELD: TypeAdapter[Any] = TypeAdapter(
    tuple[
        Text, Text, Annotated[list[Text], Field(max_length=100)], _Seed, _Seed,
        Annotated[list[Action], Field(max_length=MOST_DECISIONS)], Annotated[list[Exchange], Field(max_length=40)],
    ]
)  # fmt: skip


def name_of(found: Shared) -> str:
    """The name of a position."""
    if found.source is not None:
        return KEPT + hashlib.sha256(json.dumps(found.data(), sort_keys=True).encode()).hexdigest()[:32]
    held = [found.game, found.preset, found.changes, found.seed, found.deal, found.moves, found.exchanges]
    packed = zlib.compress(json.dumps(held, separators=(",", ":")).encode(), 9)
    return HELD + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def shared_by(name: str) -> Shared | None:
    """The position that a name holds; None for one that the house keeps, and for what is none."""
    if not name.startswith(HELD):
        return None
    try:
        packed = base64.urlsafe_b64decode(name[len(HELD) :] + "=" * (-len(name[len(HELD) :]) % 4))
        content = zlib.decompressobj().decompress(packed, MOST_BYTES)
        game, preset, changes, seed, deal, moves, exchanges = _HELD.validate_json(content)
    except (ValueError, zlib.error, ValidationError, RecursionError):
        return None
    return Shared(game, preset, changes, seed, deal, moves, exchanges)
