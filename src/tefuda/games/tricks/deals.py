"""All deals of the smaller packs, for exact algorithms, and which suits and seats of them mean the same."""

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tefuda.contract import Chance, Rules
from tefuda.contract.chance import joined
from tefuda.games.tricks import options
from tefuda.games.tricks.cards import CARDS, HAND_OF, ONE_SUIT, PACK_OF, RANKS, SUITS, cards_of
from tefuda.games.tricks.rules import deal
from tefuda.games.tricks.state import SEATS, first_card, is_hearts
from tefuda.kernel.bits import ZERO
from tefuda.kernel.compile import kernel


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


@kernel
def part(cards, suit):
    """The cards of a suit, as a number."""
    return np.int64((cards >> np.uint64(RANKS * suit)) & ONE_SUIT)


@kernel
def laid(table, seat, suit):
    """Which card of a suit a seat has laid in the current trick, as a number; 0 for none."""
    card = int(table.trick[seat])
    return card - RANKS * suit + 1 if card >= 0 and card // RANKS == suit else 0


@kernel
def says_more(table, one, other):
    """Whether a table or a view says more of one suit than of another: an order of the suits, but for equal ones."""
    for seat in range(SEATS):
        more = part(table.hand[seat], one) - part(table.hand[seat], other)
        if more == 0:
            more = part(table.played[seat], one) - part(table.played[seat], other)
        if more == 0:
            more = laid(table, seat, one) - laid(table, seat, other)
        if more == 0:
            more = part(table.excluded[seat], one) - part(table.excluded[seat], other)
        if more != 0:
            return more > 0
    return False


@kernel
def renamed(cards, names):
    """A set of cards by the new names of their suits."""
    found = ZERO
    for suit in range(SUITS):
        found = found | (np.uint64(part(cards, suit)) << np.uint64(names[RANKS * suit]))
    return found


@kernel
def passed_on(values):
    """Every seat gets what the next one has."""
    first = values[0]
    for seat in range(SEATS - 1):
        values[seat] = values[seat + 1]
    values[SEATS - 1] = first


@kernel
def turn(table):
    """Name the seats anew, so that the one in turn is seat 0; not where cards are passed, for seat 0 chooses first."""
    while table.seat != 0 and table.direction == 0:
        passed_on(table.hand)
        passed_on(table.played)
        passed_on(table.excluded)
        passed_on(table.trick)
        passed_on(table.tricks)
        passed_on(table.points)
        passed_on(table.score)
        passed_on(table.paid)
        passed_on(table.took)
        passed_on(table.won)
        table.lead = (table.lead + SEATS - 1) % SEATS
        if table.jack >= 0:
            table.jack = (table.jack + SEATS - 1) % SEATS
        table.seat -= 1


@kernel
def alike(table, names):
    """Rename the seats of a table or a view, and its suits where the goal is tricks, so that those which mean the same
    become one. Where it is tricks, penalty points and the jack mean nothing."""
    for card in range(CARDS):
        names[card] = card
    turn(table)
    if is_hearts(table):
        return
    for suit in range(SUITS):
        rank = 0
        for other in range(SUITS):
            rank += says_more(table, other, suit) or (other < suit and not says_more(table, suit, other))
        for card in range(RANKS):
            names[RANKS * suit + card] = RANKS * rank + card
    for seat in range(SEATS):
        table.hand[seat] = renamed(table.hand[seat], names)
        table.played[seat] = renamed(table.played[seat], names)
        table.excluded[seat] = renamed(table.excluded[seat], names)
        if table.trick[seat] >= 0:
            table.trick[seat] = names[table.trick[seat]]
        table.points[seat] = 0
    table.jack = -1
    table.broken = 0
    for suit in range(SUITS):  # what means the same now has one name
        rank = int(names[RANKS * suit]) // RANKS
        first = rank
        while first > 0 and not says_more(table, first - 1, rank):
            first -= 1
        for card in range(RANKS):
            names[RANKS * suit + card] = RANKS * first + card


CHANCE = Chance(joined(parts), parts=parts, number=number, alike=alike)
