"""Melds: one number each, the kind of its lowest tile + 64 × its type; 0 is an empty slot.

A hand is counts[34] of its concealed tiles and melds[4], filled from the front.
"""

from tefuda.contract import Name
from tefuda.kernel.compile import kernel

CHI, PON, OPEN_KAN, ADDED_KAN, CLOSED_KAN = 1, 2, 3, 4, 5
MELD_NAMES = (
    Name("", ""),
    Name("チー", "chi"),
    Name("ポン", "pon"),
    Name("大明槓", "open kan"),
    Name("加槓", "added kan"),
    Name("暗槓", "closed kan"),
)
SLOTS = 4
_KIND, _TYPE = 63, 6  # the mask of the kind, the shift of the type


@kernel
def meld_of(type_, kind):
    """The number of a meld whose lowest tile is of a kind."""
    return (type_ << _TYPE) | kind


@kernel
def meld_kind(meld):
    return meld & _KIND


@kernel
def meld_type(meld):
    return meld >> _TYPE


@kernel
def is_kan(meld):
    return meld >> _TYPE >= OPEN_KAN


@kernel
def is_open(meld):
    """Whether a meld opens the hand: all but closed kans do."""
    return meld != 0 and meld >> _TYPE != CLOSED_KAN


@kernel
def meld_copies(meld, kind):
    """How many tiles of a kind a meld has."""
    if meld == 0:
        return 0
    first = meld & _KIND
    if meld >> _TYPE == CHI:
        return 1 if first <= kind <= first + 2 else 0
    if kind != first:
        return 0
    return 4 if is_kan(meld) else 3


@kernel
def number_of(melds):
    """How many melds there are."""
    number = 0
    for slot in range(SLOTS):
        if melds[slot] != 0:
            number += 1
    return number


@kernel
def held(counts, melds, kind):
    """How many tiles of a kind a player has, in the hand and in melds."""
    copies = int(counts[kind])
    for slot in range(SLOTS):
        copies += meld_copies(int(melds[slot]), kind)
    return copies
