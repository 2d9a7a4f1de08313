"""All deals of the smaller packs, for exact algorithms, and which cards of them mean the same."""

import math
from collections.abc import Iterator
from itertools import combinations, permutations

import numpy as np

from tefuda.contract import Chance, Rules
from tefuda.contract.chance import joined
from tefuda.games.koikoi import options
from tefuda.games.koikoi.cards import PACKS, Pack, mask_of
from tefuda.games.koikoi.rules import SEATS, UNKNOWN, deal, must_redeal


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


CHANCE = Chance(joined(parts), parts=parts, number=number)
