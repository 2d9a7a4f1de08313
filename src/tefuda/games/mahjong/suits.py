"""The three suits of numbers are alike: exchanged in all hands, on the table and in the wall, they leave the game the
same, but for the yakuman of green tiles."""

from collections.abc import Iterator

import numpy as np

from tefuda.contract import Space, Symmetry
from tefuda.games.mahjong.players.plans import FLUSH_M, PLANS
from tefuda.games.mahjong.spaces import ACTIONS, OBSERVATION
from tefuda.games.mahjong.tiles import KINDS

SUITS, SUIT = 3, 9


def _entries(part: str, size: int, suit: int) -> Iterator[int]:
    """The entries of a part that tell of one suit."""
    if part in ("red", "straight"):
        yield suit
    elif part in ("plans", "plan_dora"):
        assert size == PLANS
        yield int(FLUSH_M) + suit
    elif part == "discard":  # the faces: all kinds, then the red fives
        yield from range(SUIT * suit, SUIT * (suit + 1))
        yield KINDS + suit
    elif size % KINDS == 0:  # all kinds, once or several times
        for first in range(0, size, KINDS):
            yield from range(first + SUIT * suit, first + SUIT * (suit + 1))


def _rows(space: Space) -> np.ndarray:
    """Where the entries of each suit stand."""
    starts = {part.key: space.slices[part.key].start for part in space.parts}
    return np.array(
        [
            [starts[part.key] + entry for part in space.parts for entry in _entries(part.key, part.size, suit)]
            for suit in range(SUITS)
        ]
    )


SYMMETRY = Symmetry(_rows(OBSERVATION), _rows(ACTIONS))
