"""What a hint says beside the values: which yaku are near, for oneself and for the other, and what they still need."""

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.games.koikoi.cards import NAMES, cards_of, mask_of
from tefuda.games.koikoi.progress import BegunYaku, progress
from tefuda.games.koikoi.state import OVER
from tefuda.games.koikoi.text import short
from tefuda.games.koikoi.yaku import YAKU
from tefuda.kernel.bits import ZERO

OWN, OTHERS = Name("自分の役", "your yaku"), Name("相手の役", "the other's yaku")
IN_HAND, ON_FIELD = Name("手札", "in hand"), Name("場", "on the field")
NEEDS = Name("あと", "needs")
MOST = 3  # yaku of a seat


def advice(states: np.ndarray, reader: Reader) -> list[str]:
    """The yaku that are well begun and can still come, the nearest first."""
    state = states[0]
    seat = int(state.seat) if reader.seat is None else reader.seat
    if state.phase == OVER:
        return []
    lines = []
    for owner, name in ((seat, OWN), (1 - seat, OTHERS)):
        rows = progress(state.pile[owner], state.pile[1 - owner], int(state.calls[owner]), state.rules)[:MOST]
        if rows:
            told = "; ".join(_told(row, state.hand[seat], state.field, reader) for row in rows)
            lines.append(f"{reader.label(name)}: {told}")
    return lines or [reader.say("近い役はまだない", "no yaku is near yet")]


def _told(row: BegunYaku, hand: np.uint64, field: np.uint64, reader: Reader) -> str:
    """A yaku, how far it has come, and the cards that it needs, with where they are if that is seen."""
    name = f"{reader.label(YAKU[row.which].name)} {row.have}/{row.need}"
    if row.any_will_do:
        return name
    missing = []
    for card in cards_of(row.missing):
        bit = mask_of(card)
        where = IN_HAND if hand & bit != ZERO else ON_FIELD if field & bit != ZERO else None
        missing.append(reader.label(short(NAMES[card])) + (f" [{reader.label(where)}]" if where else ""))
    return f"{name}, {reader.label(NEEDS)} {', '.join(missing)}"
