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

MOST_PLACES = 12  # in the deck of a smaller pack


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
def where(table, card):
    """All that a table or a view says of a card, as a number of 12 bits; when it will be drawn comes last."""
    found = int(has(table.field, card)) + 2 * int(table.card == card)
    for seat in range(SEATS):
        found += int(has(table.hand[seat], card)) << (2 + seat)
        found += int(has(table.pile[seat], card)) << (4 + seat)
        found += int(has(table.played[seat], card)) << (6 + seat)
    place = int(table.next)
    while place < MOST_PLACES and table.deck[place] != card:
        place += 1
    return (found << 4) + place


@kernel
def weight(table, month):
    """All that a table or a view says of a month, as a number, whichever of its two chaff is which."""
    first = 4 * month
    one, two = where(table, first + 2), where(table, first + 3)
    found = ((where(table, first) << 12) + where(table, first + 1) << 24) + (max(one, two) << 12) + min(one, two)
    return 4 * found + int(has(table.passed[0], first)) + 2 * int(has(table.passed[1], first))


@kernel
def alike(table, names):
    """Rename the cards of a table or a view of a smaller pack, so that those which mean the same become one.

    The two chaff of a month mean the same. So do the months: three have neither brights nor animals enough for a yaku,
    so that their first cards are worth nothing, and their ribbons are all red.
    """
    for action in range(ACTIONS):
        names[action] = action
    if table.rules.pack == options.FULL:
        return
    months = CARDS_IN[table.rules.pack] // 4
    for month in range(months):
        rank, own = 0, weight(table, month)
        for other in range(months):
            rank += weight(table, other) > own or (weight(table, other) == own and other < month)
        for place in range(4):
            names[4 * month + place] = 4 * rank + place
        if where(table, 4 * month + 2) < where(table, 4 * month + 3):
            names[4 * month + 2], names[4 * month + 3] = 4 * rank + 3, 4 * rank + 2
    for seat in range(SEATS):
        table.hand[seat] = renamed(table.hand[seat], names)
        table.pile[seat] = renamed(table.pile[seat], names)
        table.played[seat] = renamed(table.played[seat], names)
        table.passed[seat] = renamed(table.passed[seat], names)
    table.field = renamed(table.field, names)
    if table.card >= 0:
        table.card = names[table.card]
    for place in range(MOST_PLACES):
        if place < table.next:
            table.deck[place] = UNKNOWN  # dealt or drawn: it is told above where that card lies
        elif table.deck[place] != UNKNOWN:
            table.deck[place] = names[table.deck[place]]
    for month in range(months):  # what means the same now has one name
        rank = int(names[4 * month]) // 4
        first = rank
        while first > 0 and weight(table, first - 1) == weight(table, rank):
            first -= 1
        same_chaff = where(table, 4 * rank + 2) == where(table, 4 * rank + 3)
        for place in range(4):
            name = 4 * first + int(names[4 * month + place]) % 4
            names[4 * month + place] = name - 1 if place >= 2 and same_chaff and name % 4 == 3 else name


CHANCE = Chance(joined(parts), parts=parts, number=number, alike=alike)
