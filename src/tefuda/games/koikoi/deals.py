"""All deals of the smaller packs, for exact algorithms, and which cards of them mean the same."""

import math
from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np

from tefuda.contract import Chance, Rules
from tefuda.contract.chance import joined
from tefuda.games.koikoi import options
from tefuda.games.koikoi.cards import CARDS_IN, PACKS, Pack
from tefuda.games.koikoi.rules import deal, must_redeal
from tefuda.games.koikoi.state import ACTIONS, SEATS, UNKNOWN
from tefuda.kernel.bits import ZERO, bit, has, lowest, mask_of, without_lowest
from tefuda.kernel.compile import kernel


def number(rules: Rules) -> int | None:
    """How many deals a round has; the full pack, and matches of several rounds, have too many to be listed."""
    pack = PACKS[rules.values["pack"]]
    if rules.values["pack"] == options.FULL or rules.values["rounds"] > 1:
        return None
    return math.comb(4 * pack.months, pack.field) * len(_places(pack))


def parts(blank: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The deals of each field, which both seats see. Hands of a smaller pack are never dealt again, some fields are."""
    pack = PACKS[int(blank["rules"]["pack"][0])]
    cards = range(4 * pack.months)
    start = blank.copy()
    deal(start[0], np.zeros(1, np.uint64))
    start["key"], start["shuffle"], start["deck"] = 0, 0, UNKNOWN
    fields = []
    for field in combinations(cards, pack.field):
        start["hand"], start["field"] = 0, mask_of(*field)
        if not must_redeal(start[0]):
            fields.append(field)
    places = _places(pack)
    for field in fields:
        rest = np.array([card for card in cards if card not in field])[places]  # [deals, cards that are not there]
        tables = np.repeat(start, len(rest))
        tables["field"] = mask_of(*field)
        for seat in range(SEATS):
            held = rest[:, seat * pack.hand : (seat + 1) * pack.hand].astype(np.uint64)
            tables["hand"][:, seat] = (np.uint64(1) << held).sum(axis=1)
        dealt = SEATS * pack.hand
        tables["deck"][:, :dealt] = rest[:, :dealt]
        tables["deck"][:, dealt : dealt + pack.field] = field
        tables["deck"][:, dealt + pack.field : len(cards)] = rest[:, dealt:]
        yield np.full(len(rest), 1 / (len(fields) * len(rest))), tables


def _places(pack: Pack) -> np.ndarray:
    """[deals, cards] how the cards that do not lie on the field are dealt: two hands, each in order, and the deck."""
    cards = range(4 * pack.months - pack.field)
    found = []
    for first in combinations(cards, pack.hand):
        others = [card for card in cards if card not in first]
        for second in combinations(others, pack.hand):
            deck = [card for card in others if card not in second]
            found += [(*first, *second, *order) for order in permutations(deck)]
    return np.array(found)


@kernel
def renamed(cards, names):
    """A set of cards by their new names."""
    found = ZERO
    while cards != ZERO:
        found = found | bit(names[lowest(cards)])
        cards = without_lowest(cards)
    return found


@kernel
def where(view, card):
    """All that a view says of a card, as a number of 8 bits."""
    found = int(has(view.field, card)) + 2 * int(view.card == card)
    for seat in range(SEATS):
        found += int(has(view.hand[seat], card)) << (2 + seat)
        found += int(has(view.pile[seat], card)) << (4 + seat)
        found += int(has(view.played[seat], card)) << (6 + seat)
    return found


@kernel
def weight(view, month):
    """All that a view says of a month, as a number, whichever of its two chaff is which."""
    first = 4 * month
    one, two = where(view, first + 2), where(view, first + 3)
    found = ((where(view, first) << 8) + where(view, first + 1) << 16) + (max(one, two) << 8) + min(one, two)
    return 4 * found + int(has(view.passed[0], first)) + 2 * int(has(view.passed[1], first))


@kernel
def alike(view, names):
    """Rename the cards of a view of a smaller pack, so that views which mean the same become one.

    The two chaff of a month mean the same. So do the months: three have neither brights nor animals enough for a yaku,
    so that their first cards are worth nothing, and their ribbons are all red.
    """
    for action in range(ACTIONS):
        names[action] = action
    if view.rules.pack == options.FULL:
        return
    months = CARDS_IN[view.rules.pack] // 4
    for month in range(months):
        rank, own = 0, weight(view, month)
        for other in range(months):
            rank += weight(view, other) > own or (weight(view, other) == own and other < month)
        for place in range(4):
            names[4 * month + place] = 4 * rank + place
        if where(view, 4 * month + 2) < where(view, 4 * month + 3):
            names[4 * month + 2], names[4 * month + 3] = 4 * rank + 3, 4 * rank + 2
    for seat in range(SEATS):
        view.hand[seat] = renamed(view.hand[seat], names)
        view.pile[seat] = renamed(view.pile[seat], names)
        view.played[seat] = renamed(view.played[seat], names)
        view.passed[seat] = renamed(view.passed[seat], names)
    view.field = renamed(view.field, names)
    if view.card >= 0:
        view.card = names[view.card]


CHANCE = Chance(joined(parts), parts=parts, number=number, alike=alike)
