"""All deals of the smaller packs, for exact algorithms."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tefuda.contract import Chance, Rules
from tefuda.contract.chance import joined
from tefuda.games.tricks import options
from tefuda.games.tricks.cards import HAND_OF, PACK_OF, cards_of
from tefuda.games.tricks.rules import deal
from tefuda.games.tricks.state import SEATS, first_card


def number(rules: Rules) -> int | None:
    """How many deals there are; those of the full pack, of matches and before passing are not listed."""
    values = rules.values
    if values["pack"] == options.FULL or values["target"] > 0 or values["passing"] != options.OFF:
        return None
    hand = int(HAND_OF[values["pack"]])
    leads = 1 if values["goal"] == options.HEARTS_POINTS else SEATS
    return leads * math.factorial(SEATS * hand) // math.factorial(hand) ** SEATS


def parts(blank: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The deals of each leader, whom all seats see. In Hearts it is who holds the lowest club."""
    pack = int(blank["rules"]["pack"][0])
    hearts = int(blank["rules"]["goal"][0]) == options.HEARTS_POINTS
    start = blank.copy()
    deal(start[0], np.zeros(1, np.uint64))
    start["key"] = 0
    hands = _hands([1 << card for card in cards_of(PACK_OF[pack])], int(HAND_OF[pack]), SEATS)
    for lead in range(SEATS):
        held = hands[hands[:, lead] >> np.uint64(first_card(start[0])) & np.uint64(1) == 1] if hearts else hands
        tables = np.repeat(start, len(held))
        tables["hand"], tables["lead"], tables["seat"] = held, lead, lead
        yield np.full(len(held), 1 / (len(hands) if hearts else SEATS * len(hands))), tables


def _hands(cards: list[int], size: int, seats: int) -> np.ndarray:
    """[deals, seats] all ways to deal some cards, as masks."""
    if seats == 1:
        return np.array([[sum(cards)]], np.uint64)
    found = []
    for held in combinations(cards, size):
        rest = _hands([card for card in cards if card not in held], size, seats - 1)
        found.append(np.concatenate([np.full((len(rest), 1), sum(held), np.uint64), rest], axis=1))
    return np.concatenate(found)


CHANCE = Chance(joined(parts), parts=parts, number=number)
