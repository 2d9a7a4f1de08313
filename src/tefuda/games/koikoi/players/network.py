"""`ann-value`: the 252-200-1 network of section 6, and the player that takes the action of the highest value.

The network reads an after-state: the table right after one's own action, before the deck or the other changes it.
Inputs are binary: for each card the place where one sees it (5 × 48), and for each month whether it lay on the
field while the other played a card and took nothing (12). The output is the expected points of the round.
"""

import math

from tefuda.contract import AfterStates
from tefuda.games.koikoi import cards
from tefuda.games.koikoi.players.decision import with_decision
from tefuda.games.koikoi.state import CALL, DRAWN, HAND, MATCH, month_of
from tefuda.kernel.bits import ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp

OWN, CAPTURED, OTHERS, FIELD, UNSEEN = range(5)
PLACES = ("in the own hand", "captured by oneself", "captured by the other", "on the field", "unseen")
INPUTS = len(PLACES) * cards.CARDS + cards.MONTHS
HIDDEN = 200
ACTIVE = cards.CARDS + cards.MONTHS  # at most so many inputs are 1: every card is in one place
NAMES = [f"{name.en} {place}" for place in PLACES for name in cards.NAMES] + [
    f"{flower.en} passed over by the other" for flower in cards.FLOWERS
]

# Weights lie in one row: to the hidden units from each input [INPUTS, HIDDEN], their biases, to the output, its bias.
BIASES = INPUTS * HIDDEN
OUTPUT = BIASES + HIDDEN
WEIGHTS = OUTPUT + HIDDEN + 1
MEANINGS = [*NAMES, f"{HIDDEN} hidden units", "one output"]

NUMBERS = HIDDEN  # scratch space: the sums of the hidden units
_CARDS, _MONTHS = cards.CARDS, cards.MONTHS


@kernel
def after_state(view, seat, card, taken, active):
    """Write the inputs that are 1 after a card (from the hand or drawn) took some field cards; returns how many."""
    own = view.hand[seat] & ~bit(card)
    pile = view.pile[seat]
    field = view.field & ~taken
    if taken == ZERO:
        field = field | bit(card)
    else:
        pile = pile | taken | bit(card)
    other = view.pile[1 - seat]
    for each in range(_CARDS):
        place = UNSEEN
        if has(own, each):
            place = OWN
        elif has(pile, each):
            place = CAPTURED
        elif has(other, each):
            place = OTHERS
        elif has(field, each):
            place = FIELD
        active[each] = place * _CARDS + each
    total = _CARDS
    for month in range(_MONTHS):
        if has(view.passed[1 - seat], 4 * month):
            active[total] = INPUTS - _MONTHS + month
            total += 1
    return total


@kernel
def add_input(weights, sums, which, sign):
    """Switch an input on (sign 1) or off (-1) in the sums of the hidden units."""
    row = which * HIDDEN
    for unit in range(HIDDEN):
        sums[unit] += sign * weights[row + unit]


@kernel
def write_sums(view, seat, source, weights, sums):
    """The sums of the hidden units before an action; the source is the hand, or the drawn card as if it were there."""
    for unit in range(HIDDEN):
        sums[unit] = weights[BIASES + unit]
    for each in range(_CARDS):
        place = UNSEEN
        if has(view.hand[seat] | source, each):
            place = OWN
        elif has(view.pile[seat], each):
            place = CAPTURED
        elif has(view.pile[1 - seat], each):
            place = OTHERS
        elif has(view.field, each):
            place = FIELD
        add_input(weights, sums, place * _CARDS + each, 1.0)
    for month in range(_MONTHS):
        if has(view.passed[1 - seat], 4 * month):
            add_input(weights, sums, INPUTS - _MONTHS + month, 1.0)


@kernel
def output(weights, sums):
    """The network's output from the sums of the hidden units."""
    result = weights[OUTPUT + HIDDEN]
    for unit in range(HIDDEN):
        result += weights[OUTPUT + unit] / (1.0 + exp(-sums[unit]))
    return result


@kernel
def move(weights, sums, cards_moved, place_from, place_to, sign):
    """Move a set of cards from one place to another, or back (sign -1)."""
    while cards_moved != ZERO:
        card = lowest(cards_moved)
        cards_moved = without_lowest(cards_moved)
        add_input(weights, sums, place_from * _CARDS + card, -sign)
        add_input(weights, sums, place_to * _CARDS + card, sign)


@kernel
def value_of(card, taken, weights, sums):
    """What the network expects after a card took some field cards: only what they move is summed again."""
    to = FIELD if taken == ZERO else CAPTURED
    move(weights, sums, bit(card), OWN, to, 1.0)
    move(weights, sums, taken, FIELD, CAPTURED, 1.0)
    result = output(weights, sums)
    move(weights, sums, bit(card), OWN, to, -1.0)
    move(weights, sums, taken, FIELD, CAPTURED, -1.0)
    return result


@kernel
def play(view, seat, weights, rng, mask, worlds, numbers):
    best, best_value = -1, -math.inf
    sources = view.hand[seat] if view.phase == HAND else bit(view.card)
    write_sums(view, seat, sources, weights, numbers)
    while sources != ZERO:
        card = lowest(sources)
        sources = without_lowest(sources)
        fitting = view.field & month_of(card)
        choices = 2 if count(fitting) == 2 else 1
        for _ in range(choices):
            taken = fitting
            if choices == 2:
                taken = bit(lowest(fitting))
                fitting = without_lowest(fitting)
            value = value_of(card, taken, weights, numbers)
            if value > best_value:
                best, best_value = card if view.phase == HAND else lowest(taken), value
    return best


@kernel
def write_inputs(view, seat, action, active):
    """The active inputs after an action; 0 when the action is not complete (its field card is still to be chosen)."""
    if view.phase == CALL:
        return 0
    if view.phase == MATCH or view.phase == DRAWN:
        return after_state(view, seat, int(view.card), bit(action), active)
    fitting = view.field & month_of(action)
    if count(fitting) == 2:
        return 0
    return after_state(view, seat, action, fitting, active)


@kernel
def stage(view):
    """When a decision is made: 1 to 16 for a card played in that turn, 17 to 32 for the choice of the drawn card's."""
    if view.phase == CALL:
        return -1
    return view.turn + (17 if view.phase == DRAWN else 1)


choose = with_decision("ann-value", play)
AFTER_STATES = AfterStates("ann-value", INPUTS, HIDDEN, ACTIVE, 32, write_inputs, stage)
