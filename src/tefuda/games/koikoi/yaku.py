"""The yaku: what a pile of captured cards is worth. `rules` is the record inside the state (see options.py)."""

import numpy as np

from tefuda.contract import Name
from tefuda.games.koikoi import cards
from tefuda.games.koikoi.options import INSTEAD, WITH
from tefuda.kernel.bits import ZERO, bit, count
from tefuda.kernel.compile import kernel

YAKU = (
    Name("五光", "five brights"),
    Name("四光", "four brights"),
    Name("雨四光", "rainy four brights"),
    Name("三光", "three brights"),
    Name("猪鹿蝶", "boar-deer-butterflies"),
    Name("赤短", "red poems"),
    Name("青短", "blue ribbons"),
    Name("タネ", "animals"),
    Name("短冊", "ribbons"),
    Name("カス", "chaff"),
    Name("花見で一杯", "flower viewing"),
    Name("月見で一杯", "moon viewing"),
    Name("赤短青短の重複", "red and blue together"),
    Name("手四", "four of a month dealt"),
    Name("くっつき", "four pairs dealt"),
)
GOKO, SHIKO, AME_SHIKO, SANKO, INOSHIKACHO, AKATAN, AOTAN, TANE, TAN, KASU, HANAMI, TSUKIMI, AKA_AO, TESHI, KUTTSUKI = (
    range(15)
)
FROM_PILE = 13  # the yaku before this one are made by captured cards, the others are dealt
DEALT_POINTS = 6

_DRY_BRIGHTS = cards.BRIGHTS & ~cards.mask_of(cards.RAIN_MAN)
_SAKE_CUP = cards.mask_of(cards.SAKE_CUP)
_BRIGHTS, _ANIMALS, _RIBBONS, _CHAFF = cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS, cards.CHAFF
_RED, _BLUE, _BOAR = cards.RED_POEMS, cards.BLUE_RIBBONS, cards.BOAR_DEER_BUTTERFLIES
_FIRST_OF_MONTHS, _MONTHS = cards.FIRST_OF_MONTHS, cards.MONTHS
_HANAMI, _TSUKIMI = cards.FLOWER_VIEWING, cards.MOON_VIEWING


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
        return 10
    if which == SHIKO:
        return 8
    if which == AME_SHIKO:
        return 7
    if which == SANKO:
        return 5
    return 0


@kernel
def inoshikacho_points(pile, rules):
    if pile & _BOAR != _BOAR:
        return 0
    return 5 if rules.extras == WITH else 2 + count(pile & _ANIMALS)


@kernel
def akatan_points(pile, rules):
    if pile & _RED != _RED:
        return 0
    if rules.extras == WITH:
        return 5
    return 5 + count(pile & _RIBBONS) - (6 if pile & _BLUE == _BLUE else 3)


@kernel
def aotan_points(pile, rules):
    """Further ribbons count once, with akatan, when both are there."""
    if pile & _BLUE != _BLUE:
        return 0
    if rules.extras == WITH or pile & _RED == _RED:
        return 5
    return 2 + count(pile & _RIBBONS)


@kernel
def tane_points(pile, rules):
    animals = count(pile & _ANIMALS)
    if animals < 5 or (rules.extras == INSTEAD and pile & _BOAR == _BOAR):
        return 0
    return animals - 4


@kernel
def tan_points(pile, rules):
    ribbons = count(pile & _RIBBONS)
    if ribbons < 5 or (rules.extras == INSTEAD and (pile & _RED == _RED or pile & _BLUE == _BLUE)):
        return 0
    return ribbons - 4


@kernel
def kasu_points(pile, rules):
    chaff = count(pile & _CHAFF)
    if rules.sake_kasu != 0 and pile & _SAKE_CUP != ZERO:
        chaff += 1
    return chaff - 9 if chaff >= 10 else 0


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
