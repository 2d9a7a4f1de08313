"""The yaku: what a pile of captured cards is worth. `rules` is that part of a state (see options.py)."""

from typing import NamedTuple

import numpy as np

from tefuda.contract import Name
from tefuda.games.koikoi import cards
from tefuda.games.koikoi.cards import (
    ANIMALS,
    BLUE_RIBBONS,
    BOAR_DEER_BUTTERFLIES,
    BRIGHTS,
    CHAFF,
    DRY_BRIGHTS,
    FLOWER_VIEWING,
    MOON_VIEWING,
    RED_POEMS,
    RIBBONS,
)
from tefuda.games.koikoi.options import INSTEAD, WITH
from tefuda.kernel.bits import ZERO, bit, count
from tefuda.kernel.compile import kernel


class Yaku(NamedTuple):
    """One yaku. What the rules change (further cards, the sake cup as chaff) is in the kernels below."""

    name: Name
    cards: np.uint64  # those that count towards it
    needed: int  # so many of them make it, of the full pack
    points: int  # what just these pay; 0: an option of the rules says it
    told: int  # from so many cards on, a pile is told to be on its way
    group: int  # the kind of cards beside which it is told


YAKU = (
    Yaku(Name("五光", "five brights"), BRIGHTS, 5, 10, 4, cards.HIKARI),
    Yaku(Name("四光", "four brights"), DRY_BRIGHTS, 4, 8, 3, cards.HIKARI),
    Yaku(Name("雨四光", "rainy four brights"), BRIGHTS, 4, 7, 3, cards.HIKARI),  # one of them the rain man
    Yaku(Name("三光", "three brights"), DRY_BRIGHTS, 3, 5, 2, cards.HIKARI),
    Yaku(Name("猪鹿蝶", "boar-deer-butterflies"), BOAR_DEER_BUTTERFLIES, 3, 5, 2, cards.TANE),
    Yaku(Name("赤短", "red poems"), RED_POEMS, 3, 5, 2, cards.TAN),
    Yaku(Name("青短", "blue ribbons"), BLUE_RIBBONS, 3, 5, 2, cards.TAN),
    Yaku(Name("タネ", "animals"), ANIMALS, 5, 1, 3, cards.TANE),
    Yaku(Name("短冊", "ribbons"), RIBBONS, 5, 1, 3, cards.TAN),
    Yaku(Name("カス", "chaff"), CHAFF, 10, 1, 7, cards.KASU),
    Yaku(Name("花見で一杯", "flower viewing"), FLOWER_VIEWING, 2, 0, 1, cards.HIKARI),
    Yaku(Name("月見で一杯", "moon viewing"), MOON_VIEWING, 2, 0, 1, cards.HIKARI),
    Yaku(Name("赤短青短の重複", "red and blue together"), RED_POEMS | BLUE_RIBBONS, 6, 0, 6, cards.TAN),
    Yaku(Name("手四", "four of a month dealt"), ZERO, 0, 6, 0, cards.KASU),
    Yaku(Name("くっつき", "four pairs dealt"), ZERO, 0, 6, 0, cards.KASU),
)
GOKO, SHIKO, AME_SHIKO, SANKO, INOSHIKACHO, AKATAN, AOTAN, TANE, TAN, KASU, HANAMI, TSUKIMI, AKA_AO, TESHI, KUTTSUKI = (
    range(len(YAKU))
)
FROM_PILE = TESHI  # the yaku before this one are made by captured cards, the others are dealt
DEALT_POINTS = YAKU[TESHI].points
# Those whose nearness a network is told, in the order that the shipped networks have learned.
NEAR = (SANKO, AKATAN, AOTAN, INOSHIKACHO, TANE, TAN, KASU)

# The table as the kernels read it.
_GOKO, _SHIKO, _AME_SHIKO, _SANKO = (YAKU[which].points for which in (GOKO, SHIKO, AME_SHIKO, SANKO))
_BOAR, _RED, _BLUE = (YAKU[which].cards for which in (INOSHIKACHO, AKATAN, AOTAN))
_BOAR_POINTS, _RED_POINTS, _BLUE_POINTS = (YAKU[which].points for which in (INOSHIKACHO, AKATAN, AOTAN))
_THREE = YAKU[INOSHIKACHO].needed  # of each set of three
# [packs, yaku] so many cards make a yaku; those that any cards of a kind make take fewer in a smaller pack
NEEDED = np.array([[yaku.needed for yaku in YAKU] for _ in cards.PACKS])
NEEDED[:, [TANE, TAN, KASU]] = [(pack.tane, pack.tan, pack.kasu) for pack in cards.PACKS]
_TANE_POINTS, _TAN_POINTS, _KASU_POINTS = (YAKU[which].points for which in (TANE, TAN, KASU))
_HANAMI, _TSUKIMI = YAKU[HANAMI].cards, YAKU[TSUKIMI].cards
_BRIGHTS, _DRY_BRIGHTS, _ANIMALS, _RIBBONS, _CHAFF = BRIGHTS, DRY_BRIGHTS, ANIMALS, RIBBONS, CHAFF
_SAKE_CUP = cards.mask_of(cards.SAKE_CUP)
_FIRST_OF_MONTHS, _MONTHS = cards.FIRST_OF_MONTHS, cards.MONTHS


@kernel
def bright_yaku(pile):
    """Which of the four bright yaku a pile has, or -1."""
    brights = count(pile & _BRIGHTS)
    dry = count(pile & _DRY_BRIGHTS)
    if brights == 5:
        return GOKO
    if dry == 4:
        return SHIKO
    if brights == 4:
        return AME_SHIKO
    if dry == 3:
        return SANKO
    return -1


@kernel
def bright_points(pile):
    which = bright_yaku(pile)
    if which == GOKO:
        return _GOKO
    if which == SHIKO:
        return _SHIKO
    if which == AME_SHIKO:
        return _AME_SHIKO
    if which == SANKO:
        return _SANKO
    return 0


@kernel
def inoshikacho_points(pile, rules):
    if pile & _BOAR != _BOAR:
        return 0
    return _BOAR_POINTS if rules.extras == WITH else _BOAR_POINTS - _THREE + count(pile & _ANIMALS)


@kernel
def akatan_points(pile, rules):
    if pile & _RED != _RED:
        return 0
    if rules.extras == WITH:
        return _RED_POINTS
    return _RED_POINTS + count(pile & _RIBBONS) - (2 * _THREE if pile & _BLUE == _BLUE else _THREE)


@kernel
def aotan_points(pile, rules):
    """Further ribbons count once, with akatan, when both are there."""
    if pile & _BLUE != _BLUE:
        return 0
    if rules.extras == WITH or pile & _RED == _RED:
        return _BLUE_POINTS
    return _BLUE_POINTS - _THREE + count(pile & _RIBBONS)


@kernel
def tane_points(pile, rules):
    animals, needed = count(pile & _ANIMALS), NEEDED[rules.pack, TANE]
    if animals < needed or (rules.extras == INSTEAD and pile & _BOAR == _BOAR):
        return 0
    return _TANE_POINTS + animals - needed


@kernel
def tan_points(pile, rules):
    ribbons, needed = count(pile & _RIBBONS), NEEDED[rules.pack, TAN]
    if ribbons < needed or (rules.extras == INSTEAD and (pile & _RED == _RED or pile & _BLUE == _BLUE)):
        return 0
    return _TAN_POINTS + ribbons - needed


@kernel
def kasu_points(pile, rules):
    chaff, needed = count(pile & _CHAFF), NEEDED[rules.pack, KASU]
    if rules.sake_kasu != 0 and pile & _SAKE_CUP != ZERO:
        chaff += 1
    return _KASU_POINTS + chaff - needed if chaff >= needed else 0


@kernel
def sake_points(pile, pair, calls, rules):
    if pile & pair != pair or rules.sake == 0:
        return 0
    return int(rules.sake_after_koikoi) if calls > 0 and rules.sake_after_koikoi > 0 else int(rules.sake)


@kernel
def both_points(pile, rules):
    return int(rules.akatan_aotan) if pile & _RED == _RED and pile & _BLUE == _BLUE else 0


@kernel
def points_of(which, pile, calls, rules):
    """The points of one yaku for a pile whose holder has called koi-koi `calls` times; 0 when it is not there."""
    if which <= SANKO:
        return bright_points(pile) if bright_yaku(pile) == which else 0
    if which == INOSHIKACHO:
        return inoshikacho_points(pile, rules)
    if which == AKATAN:
        return akatan_points(pile, rules)
    if which == AOTAN:
        return aotan_points(pile, rules)
    if which == TANE:
        return tane_points(pile, rules)
    if which == TAN:
        return tan_points(pile, rules)
    if which == KASU:
        return kasu_points(pile, rules)
    if which == HANAMI:
        return sake_points(pile, _HANAMI, calls, rules)
    if which == TSUKIMI:
        return sake_points(pile, _TSUKIMI, calls, rules)
    if which == AKA_AO:
        return both_points(pile, rules)
    return 0


@kernel
def yaku_points(pile, calls, rules):
    """The sum of all yaku of a pile: what a turn must raise for agari or koi-koi to be offered."""
    total = bright_points(pile) + inoshikacho_points(pile, rules) + tane_points(pile, rules)
    total += akatan_points(pile, rules) + aotan_points(pile, rules) + tan_points(pile, rules)
    total += kasu_points(pile, rules) + both_points(pile, rules)
    return total + sake_points(pile, _HANAMI, calls, rules) + sake_points(pile, _TSUKIMI, calls, rules)


@kernel
def yaku_mask(pile, calls, rules):
    """Which yaku a pile has, as bits."""
    mask = ZERO
    for which in range(FROM_PILE):
        if points_of(which, pile, calls, rules) > 0:
            mask = mask | bit(which)
    return mask


@kernel
def round_points(points, own_calls, other_calls, rules):
    """What a winner with these yaku points is paid, after the calls of koi-koi and the doublings."""
    if rules.koikoi_points:
        points = points + own_calls if own_calls <= 3 else points * (own_calls - 2)
    factor = 1
    if rules.double_seven and points >= 7:
        factor *= 2
    if rules.double_koikoi and other_calls > 0:
        factor *= 2
    return points * factor


@kernel
def has_teshi(hand):
    """Whether four of a month are in a hand."""
    pairs = hand & (hand >> np.uint64(1))
    return pairs & (pairs >> np.uint64(2)) & _FIRST_OF_MONTHS != ZERO


@kernel
def has_kuttsuki(hand):
    """Whether a hand is four pairs of months."""
    pairs = 0
    for month in range(_MONTHS):
        if count((hand >> np.uint64(4 * month)) & np.uint64(15)) == 2:
            pairs += 1
    return pairs == 4
