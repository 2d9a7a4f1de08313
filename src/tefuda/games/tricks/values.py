"""`q-linear`: the value of a card as a weighted sum of binary features (tables 1 and 2 of the paper).

    lead         a card leads that is the m-th strongest beside the n cards of its
                 suit in the other hands                                                78, in Hearts × 52 cards
    take 2, 3, 4 such a card is played as the second, third, fourth of a trick, and is
                 the strongest there so far                                           3 × 78, in Hearts × 52 cards
    hand         for each suit, which of its unplayed cards are in the own hand once
                 the card is played, the same weights for all suits                                          8,191

n counts from 0 to 11 and m from 1 to n + 1, which makes 78; of a suit 0 to 12 cards are unplayed, which makes
1 + 2 + 4 + … + 4,096 = 8,191 hands. What lies beyond counts in the last row: 12 cards in the other hands as 11, and a
suit of which nothing was played as one without its two. README.md says why the paper is read so, and what other
readings give. One of them can be chosen:

    before   n counts the unplayed cards of the suit, 1 to 12, and m from 1 to n; the hand is what the card is played
             from, any pattern that is not empty, from the strongest card down; beyond that there is no feature. Cards
             that neither lead nor take are then worth the same, and the paper's rule list decides between them
    softmax=T   a card is drawn with the probability exp(value / T), instead of taking the best
"""

import math

import numpy as np

from tefuda.contract import ActionValues, Policy, Rules, fingerprint
from tefuda.errors import Problem
from tefuda.games.tricks.cards import CARDS, RANKS, SUITS
from tefuda.games.tricks.options import HEARTS_POINTS
from tefuda.games.tricks.players import any_of, give_away
from tefuda.games.tricks.rules import winning_card
from tefuda.games.tricks.state import PASS, SEATS, all_played, pack_of, suit_of
from tefuda.kernel.bits import ONE, ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp
from tefuda.kernel.random import drawn, unit

PLACES = 78  # pairs of n and m
HANDS = (1 << RANKS) - 1  # which of 0 to 12 cards are in the hand; or of 13, but not none
TRICKS_SIZE = SEATS * PLACES + HANDS  # 8,503
HEARTS_SIZE = SEATS * PLACES * CARDS + HANDS  # 24,415
MOST = 1 + SUITS  # features of a card

TEMPERATURE, BEFORE, FIRST = 0, 1, 2  # what stands before the weights in a policy's parameters


@kernel
def knows_cards(params):
    """Whether the weights are those of table 2, where a card counts by itself; their number tells."""
    return params.shape[0] > FIRST + TRICKS_SIZE


@kernel
def leads_or_takes(view, seat, params, card):
    """The feature `lead` or `take` of a card, or -1."""
    if view.phase == PASS:
        return -1
    laid = int(view.laid)
    if laid > 0:
        best = winning_card(view)
        if card < best or card // RANKS != best // RANKS:
            return -1
    unplayed = suit_of(card) & pack_of(view) & ~all_played(view)
    if params[BEFORE] == 0.0:
        unplayed = (unplayed & ~view.hand[seat]) | bit(card)
    number = count(unplayed)
    stronger = count(unplayed & ~(bit(card + 1) - ONE))
    if number == RANKS:  # beyond the table
        if params[BEFORE] != 0.0:
            return -1
        number -= 1
        stronger = min(stronger, number - 1)
    place = number * (number - 1) // 2 + stronger
    if knows_cards(params):
        return (laid * PLACES + place) * CARDS + card
    return laid * PLACES + place


@kernel
def pattern(held, unplayed):
    """Some cards of one suit as places among its unplayed cards: bit 0 for the strongest. 0 for none."""
    places = 0
    while held != ZERO:
        card = lowest(held)
        held = without_lowest(held)
        places |= 1 << count(unplayed & ~(bit(card + 1) - ONE))
    return places


@kernel
def hand_feature(view, seat, params, suit, without):
    """The feature of a suit's cards in hand once some are away, or -1."""
    cards = suit_of(RANKS * suit) & pack_of(view)
    hand = view.hand[seat] & cards & ~without
    unplayed = cards & ~all_played(view)
    if view.phase == PASS:
        hand = hand & ~view.passed[seat]
    else:
        unplayed = unplayed & ~without
    places = pattern(hand, unplayed)
    if params[BEFORE] == 0.0:
        number = count(unplayed)
        if number == RANKS:  # beyond the table: the two is left out
            number -= 1
            places &= (1 << number) - 1
        places |= 1 << number
    return params.shape[0] - FIRST - HANDS - 1 + places if places > 0 else -1


@kernel
def write(view, seat, params, card, active):
    """The features of a card that are 1; returns how many."""
    number = 0
    place = leads_or_takes(view, seat, params, card)
    if place >= 0:
        active[number] = place
        number += 1
    without = ZERO if params[BEFORE] != 0.0 else bit(card)
    for suit in range(SUITS):
        held = hand_feature(view, seat, params, suit, without)
        if held >= 0:
            active[number] = held
            number += 1
    return number


@kernel
def value_beside(view, seat, params, card):
    """The value of a card up to what all cards of the hand have in common."""
    place = leads_or_takes(view, seat, params, card)
    value = params[FIRST + place] if place >= 0 else 0.0
    if params[BEFORE] == 0.0:
        suit = card // RANKS
        value += params[FIRST + hand_feature(view, seat, params, suit, bit(card))]
        value -= params[FIRST + hand_feature(view, seat, params, suit, ZERO)]
    return value


@kernel
def choose_by_value(view, seat, params, rng, mask, worlds, numbers):
    """The best card; among equals any that leads, or what the rule list gives away. With a temperature, a draw."""
    best = -math.inf
    same = ZERO
    left = mask[0]
    while left != ZERO:
        card = lowest(left)
        left = without_lowest(left)
        value = value_beside(view, seat, params, card)
        numbers[card] = value
        if value > best:
            best = value
            same = bit(card)
        elif value == best:
            same = same | bit(card)
    if params[TEMPERATURE] > 0.0:
        return draw_by_value(mask[0], best, params[TEMPERATURE], rng, numbers)
    if view.laid == 0 and view.phase != PASS:
        return any_of(same, rng)
    return give_away(view, same, rng)


@kernel
def draw_by_value(cards, best, temperature, rng, numbers):
    """A card by the softmax of the values in numbers[:52]."""
    total = 0.0
    for card in range(CARDS):
        numbers[card] = exp((numbers[card] - best) / temperature) if has(cards, card) else 0.0
        total += numbers[card]
    return drawn(numbers, CARDS, unit(rng) * total)


def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The parameters of a policy: how the weights are read, then the weights."""
    front = np.zeros(FIRST)
    for word in filter(None, variant.split("+")):
        key, _, value = word.partition("=")
        if word == "before":
            front[BEFORE] = 1.0
        elif key == "softmax":
            try:
                front[TEMPERATURE] = float(value)
            except ValueError:
                front[TEMPERATURE] = -1.0
            if not 0.0 <= front[TEMPERATURE] < math.inf:
                raise Problem(f"softmax is {value!r}, but takes a temperature, as in softmax=0.1; 0 takes the best")
        else:
            raise Problem(f"variant {word!r} of a linear value: it is before or softmax=TEMPERATURE")
    return np.concatenate([front, weights]).astype(np.float64)


def names(cards: bool) -> tuple[str, ...]:
    """What every weight means. Of a hand, the unplayed cards from the weakest up: 1 for a card that one holds."""
    ways = ("lead", "take as second", "take as third", "take as fourth")
    places = [f"{m} strongest beside {n}" for n in range(RANKS - 1) for m in range(1, n + 2)]
    pairs = [f"{way}, {place}" for way in ways for place in places]
    if cards:
        pairs = [f"{pair}, card {card}" for pair in pairs for card in range(CARDS)]
    return (*pairs, *(f"hand {places:b}".replace(" 1", " ", 1) for places in range(1, HANDS + 1)))


def _policy(key: str, cards: bool, only: str) -> Policy:
    def under(rules: Rules) -> bool:
        return (rules.values["goal"] == HEARTS_POINTS) == cards

    size = HEARTS_SIZE if cards else TRICKS_SIZE
    features = fingerprint(names(cards))
    return Policy(key, choose_by_value, parameters, size, features, numbers=CARDS, under=under, only=only)


Q_TRICKS = _policy("q-tricks", False, "goal=tricks")
Q_HEARTS = _policy("q-hearts", True, "goal=hearts")
# The paper rewards tricks; in Hearts it rewards the mean of all seats' penalty points less the own ones.
VALUES = (
    ActionValues("q-linear", Q_TRICKS.key, TRICKS_SIZE, FIRST, MOST, write),
    ActionValues("q-linear", Q_HEARTS.key, HEARTS_SIZE, FIRST, MOST, write, above_mean=True),
)
