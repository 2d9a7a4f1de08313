"""The 136 tiles. Tile = 4 × kind + copy, as Tenhou numbers them; copy 0 of each suit's five is red.

Kinds: 0 to 8 characters (m), 9 to 17 circles (p), 18 to 26 bamboos (s), 27 to 30 the winds east, south, west, north,
31 to 33 the dragons white, green, red. A set of kinds is a uint64 with bit `kind` set.
"""

from typing import Any

from tefuda.contract import Name
from tefuda.kernel.bits import cards_of, mask_of
from tefuda.kernel.compile import kernel

KINDS, TILES, COPIES = 34, 136, 4
MAN, PIN, SOU, HONOURS = 0, 9, 18, 27  # the first kind of each suit
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
WINDS, DRAGONS = EAST, WHITE  # the first of each
RED_FIVES = (16, 52, 88)

_DIGITS = "一二三四五六七八九"
_SUITS = (("萬", "m"), ("筒", "p"), ("索", "s"))
_HONOURS = (
    ("東", "east"), ("南", "south"), ("西", "west"), ("北", "north"), ("白", "white"), ("發", "green"), ("中", "red")
)  # fmt: skip
KIND_NAMES = tuple(
    Name(f"{digit}{ja}", f"{number}{en}") for ja, en in _SUITS for number, digit in enumerate(_DIGITS, start=1)
) + tuple(Name(ja, en) for ja, en in _HONOURS)
NAMES = tuple(  # of the tiles
    Name(f"赤{name.ja}", f"red {name.en}") if 4 * kind + copy in RED_FIVES else name
    for kind, name in enumerate(KIND_NAMES)
    for copy in range(COPIES)
)


def kinds_of(mask: Any) -> list[int]:
    """The kinds of a set, lowest first."""
    return [kind for kind in cards_of(mask) if kind < KINDS]


TERMINALS = mask_of(0, 8, 9, 17, 18, 26)
HONOUR_KINDS = mask_of(*range(HONOURS, KINDS))
ORPHANS = TERMINALS | HONOUR_KINDS


@kernel
def kind_of(tile):
    return tile >> 2


@kernel
def is_red(tile):
    return tile == 16 or tile == 52 or tile == 88


@kernel
def dora_of(indicator):
    """The kind of the dora that a kind shows: the next of its suit, of the winds or of the dragons, round and round."""
    if indicator < HONOURS:
        return indicator + 1 if indicator % 9 < 8 else indicator - 8
    if indicator < DRAGONS:
        return indicator + 1 if indicator < NORTH else EAST
    return indicator + 1 if indicator < RED else WHITE
