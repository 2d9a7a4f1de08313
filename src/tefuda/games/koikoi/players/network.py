"""`ann-value`: the 252-200-1 network of section 6, and the player that takes the action of the highest value.

The network reads an after-state: the table right after one's own action, before the deck or the other changes it.
Inputs are binary: for each card the place where one sees it (5 × 48), and for each month whether it lay on the
field while the other played a card and took nothing (12). The output is the expected points of the round.
"""

import math

from tefuda.contract import AfterStates
from tefuda.games.koikoi import cards
from tefuda.games.koikoi.players.decision import with_decision
from tefuda.games.koikoi.rules import CALL, DRAWN, HAND, MATCH, month_of
from tefuda.kernel.bits import ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import kernel

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

NUMBERS = HIDDEN + ACTIVE  # scratch space: hidden units, then active inputs
_CARDS, _MONTHS = cards.CARDS, cards.MONTHS


@kernel
def after_state(view, seat, card, taken, active, start):
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
        place = 4
        if has(own, each):
            place = 0
        elif has(pile, each):
            place = 1
        elif has(other, each):
            place = 2
        elif has(field, each):
            place = 3
        active[start + each] = place * _CARDS + each
    total = _CARDS
    for month in range(_MONTHS):
        if has(view.passed[1 - seat], 4 * month):
            active[start + total] = 5 * _CARDS + month
            total += 1
    return total


@kernel
def predict(weights, hidden, active, start, total):
    """The network's output for some active inputs; hidden [HIDDEN] is scratch space and keeps the hidden units."""
    for unit in range(HIDDEN):
        hidden[unit] = weights[BIASES + unit]
    for i in range(total):
        row = int(active[start + i]) * HIDDEN
        for unit in range(HIDDEN):
            hidden[unit] += weights[row + unit]
    result = weights[OUTPUT + HIDDEN]
    for unit in range(HIDDEN):
        hidden[unit] = 1.0 / (1.0 + math.exp(-hidden[unit]))
        result += weights[OUTPUT + unit] * hidden[unit]
    return result


@kernel
def value_of(view, seat, card, taken, weights, numbers):
    """What the network expects after an action."""
    total = after_state(view, seat, card, taken, numbers, HIDDEN)
    return predict(weights, numbers, numbers, HIDDEN, total)


@kernel
def play(view, seat, weights, rng, mask, worlds, numbers):
    best, best_value = -1, -math.inf
    sources = view.hand[seat] if view.phase == HAND else bit(view.card)
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
            value = value_of(view, seat, card, taken, weights, numbers)
            if value > best_value:
                best, best_value = card if view.phase == HAND else lowest(taken), value
    return best


@kernel
def write_inputs(view, seat, action, active):
    """The active inputs after an action; 0 when the action is not complete (its field card is still to be chosen)."""
    if view.phase == CALL:
        return 0
    if view.phase == MATCH or view.phase == DRAWN:
        return after_state(view, seat, int(view.card), bit(action), active, 0)
    fitting = view.field & month_of(action)
    if count(fitting) == 2:
        return 0
    return after_state(view, seat, action, fitting, active, 0)


@kernel
def stage(view):
    """When a decision is made: 1 to 16 for a card played in that turn, 17 to 32 for the choice of the drawn card's."""
    if view.phase == CALL:
        return -1
    return view.turn + (17 if view.phase == DRAWN else 1)


choose = with_decision("ann-value", play)
AFTER_STATES = AfterStates("ann-value", INPUTS, HIDDEN, ACTIVE, 32, write_inputs, stage)
