"""The 48 cards. Card = 4 × month + place in the month, months 0 (January, pine) to 11 (December, paulownia).

Within a month the most precious card comes first. A set of cards is a uint64 with bit `card` set.
"""

from typing import NamedTuple

import numpy as np

from tefuda.contract import Name
from tefuda.kernel.bits import cards_of as cards_of  # for all that looks at sets of these cards
from tefuda.kernel.bits import mask_of

CARDS = 48
MONTHS = 12
HIKARI, TANE, TAN, KASU = 0, 1, 2, 3
KINDS = (Name("光", "bright"), Name("タネ", "animal"), Name("短冊", "ribbon"), Name("カス", "chaff"))

FLOWERS = tuple(
    Name(ja, en)
    for ja, en in (
        ("松", "pine"), ("梅", "plum"), ("桜", "cherry"), ("藤", "wisteria"), ("菖蒲", "iris"), ("牡丹", "peony"),
        ("萩", "clover"), ("芒", "pampas"), ("菊", "mum"), ("紅葉", "maple"), ("柳", "willow"), ("桐", "paulownia"),
    )
)  # fmt: skip

# For each month its four cards: kind, and the Japanese and English name of the picture.
_PICTURES = (
    ((HIKARI, "鶴", "crane"), (TAN, "赤短", "red poem ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "鶯", "warbler"), (TAN, "赤短", "red poem ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((HIKARI, "幕", "curtain"), (TAN, "赤短", "red poem ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "不如帰", "cuckoo"), (TAN, "短冊", "ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "八橋", "bridge"), (TAN, "短冊", "ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "蝶", "butterflies"), (TAN, "青短", "blue ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "猪", "boar"), (TAN, "短冊", "ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((HIKARI, "月", "moon"), (TANE, "雁", "geese"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "盃", "sake cup"), (TAN, "青短", "blue ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((TANE, "鹿", "deer"), (TAN, "青短", "blue ribbon"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
    ((HIKARI, "小野道風", "rain man"), (TANE, "燕", "swallow"), (TAN, "短冊", "ribbon"), (KASU, "カス", "chaff")),
    ((HIKARI, "鳳凰", "phoenix"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff"), (KASU, "カス", "chaff")),
)

KIND = tuple(picture[0] for month in _PICTURES for picture in month)  # the kind of each card


def _names() -> tuple[Name, ...]:
    """Every card's name is its own: chaff of a month is numbered, as in 松のカス1 (pine chaff 1)."""
    result = []
    for month, pictures in enumerate(_PICTURES):
        plain = sum(kind == KASU for kind, _, _ in pictures)
        number = 0
        for kind, ja, en in pictures:
            mark = ""
            if kind == KASU and plain > 1:
                number += 1
                mark = str(number)
            flower = FLOWERS[month]
            result.append(Name(f"{flower.ja}に{ja}" if kind != KASU else f"{flower.ja}のカス{mark}",
                               f"{flower.en} {en}" + (f" {mark}" if mark else "")))  # fmt: skip
    return tuple(result)


NAMES = _names()


class Pack(NamedTuple):
    """How many cards are played with. The months of a smaller pack are the first of the year."""

    months: int
    hand: int  # cards dealt to each hand
    field: int  # cards dealt to the field
    tane: int  # so many animals make the yaku, and so many
    tan: int  # ribbons,
    kasu: int  # chaff


# By the option `pack`: full, small, tiny. A smaller pack has fewer cards of each kind, so that fewer make a yaku.
PACKS = (Pack(12, 8, 8, 5, 5, 10), Pack(3, 2, 4, 2, 2, 3), Pack(2, 1, 4, 2, 2, 2))
# The table as kernels read it.
CARDS_IN = np.array([4 * pack.months for pack in PACKS])
PACK_OF = np.array([(1 << 4 * pack.months) - 1 for pack in PACKS], np.uint64)  # all cards of each
HAND_OF = np.array([pack.hand for pack in PACKS])
FIELD_OF = np.array([pack.field for pack in PACKS])
FIRST_OF_MONTHS = mask_of(*range(0, CARDS, 4))
BRIGHTS = mask_of(*(card for card in range(CARDS) if KIND[card] == HIKARI))
ANIMALS = mask_of(*(card for card in range(CARDS) if KIND[card] == TANE))
RIBBONS = mask_of(*(card for card in range(CARDS) if KIND[card] == TAN))
CHAFF = mask_of(*(card for card in range(CARDS) if KIND[card] == KASU))

CURTAIN, MOON, RAIN_MAN, SAKE_CUP = 8, 28, 40, 32
BUTTERFLIES, BOAR, DEER = 20, 24, 36
RED_POEMS = mask_of(1, 5, 9)
BLUE_RIBBONS = mask_of(21, 33, 37)
DRY_BRIGHTS = BRIGHTS & ~mask_of(RAIN_MAN)
BOAR_DEER_BUTTERFLIES = mask_of(BUTTERFLIES, BOAR, DEER)
FLOWER_VIEWING = mask_of(CURTAIN, SAKE_CUP)
MOON_VIEWING = mask_of(MOON, SAKE_CUP)
