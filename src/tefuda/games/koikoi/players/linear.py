"""`pg-linear`: a softmax over a weighted sum of 36 binary features, section 5.1 of the paper.

A situation (who can finish within one action) times a feature of the action (which capture it is, or which card it
gives away). An action is the pair of the played card and the field cards it takes. The contribution measures of the
paper's missing appendix are ours: see `high_score` and `early_finish` (in prospects.py), and the README.
"""

from typing import Any

import numpy as np

from tefuda.contract import LinearFeatures
from tefuda.engine.linear import sample, softmax
from tefuda.games.koikoi.hiding import unseen
from tefuda.games.koikoi.players.decision import NUMBERS as DECISION_NUMBERS
from tefuda.games.koikoi.players.decision import with_decision
from tefuda.games.koikoi.players.rule_based import worth
from tefuda.games.koikoi.prospects import WHOLE, early_finish
from tefuda.games.koikoi.state import CALL, DRAWN, month_of
from tefuda.games.koikoi.yaku import yaku_points
from tefuda.kernel.bits import ZERO, bit, count, lowest, nth, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below

SITUATIONS = (
    "both can finish within one action",
    "only oneself can finish within one action",
    "only the other can finish within one action",
    "neither can finish within one action",
)
ACTION_FEATURES = (
    "takes the cards that help oneself most to a high score",
    "takes the cards that help oneself most to finish early",
    "takes the cards that would help the other most to a high score",
    "takes the cards that would help the other most to finish early",
    "gives a card of a month of which 2 are left and oneself holds 2",
    "gives a card of a month of which 4 are left and oneself holds 3",
    "gives a card of a month of which 2 are left and oneself holds 1",
    "gives a card of a month of which 4 are left and oneself holds 2",
    "gives a card of a month of which 4 are left and oneself holds 1",
)
FEATURES = len(SITUATIONS) * len(ACTION_FEATURES)
NAMES = [f"{action}, while {situation}" for situation in SITUATIONS for action in ACTION_FEATURES]
_KINDS = len(ACTION_FEATURES)
_CAPTURES = 4  # action features of captures; those of giving a card follow

ROWS = 16  # eight cards with two choices each
STRIDE = FEATURES + 1
NUMBERS = max(ROWS * STRIDE + ROWS, DECISION_NUMBERS)


@kernel
def high_score(taken, pile, other_pile, calls, rules):
    """Towards many points: what the captured cards pay at once, and beyond that what they are worth for later."""
    gain = yaku_points(pile | taken, calls, rules) - yaku_points(pile, calls, rules)
    return WHOLE * gain + worth(taken, pile, other_pile)


@kernel
def contribution(which, view, seat, taken):
    """The four contribution measures of capturing some cards: high score and early finish, for oneself, the other."""
    owner = seat if which < 2 else 1 - seat
    pile, other_pile = view.pile[owner], view.pile[1 - owner]
    if which % 2 == 0:
        return high_score(taken, pile, other_pile, int(view.calls[owner]), view.rules)
    pack = int(view.rules.pack)
    return early_finish(pile | taken, other_pile, pack) - early_finish(pile, other_pile, pack)


@kernel
def raises(view, owner, taken):
    """Whether capturing some cards would raise the yaku points of a seat."""
    calls = int(view.calls[owner])
    return yaku_points(view.pile[owner] | taken, calls, view.rules) > view.points[owner]


@kernel
def can_finish(view, owner, sources):
    """Whether one card of a set, played to the field, can raise the yaku points of a seat."""
    while sources != ZERO:
        card = lowest(sources)
        sources = without_lowest(sources)
        fitting = view.field & month_of(card)
        if count(fitting) == 2:
            first = fitting & ~without_lowest(fitting)
            if raises(view, owner, bit(card) | first) or raises(view, owner, bit(card) | (fitting & ~first)):
                return True
        elif fitting != ZERO and raises(view, owner, bit(card) | fitting):
            return True
    return False


@kernel
def situation(view, seat):
    """Which of the four situations it is; the other may hold any card that the seat cannot see."""
    own = can_finish(view, seat, view.hand[seat] | (bit(view.card) if view.card >= 0 else ZERO))
    other = can_finish(view, 1 - seat, unseen(view, seat))
    if own:
        return 0 if other else 1
    return 2 if other else 3


@kernel
def kind_of_gift(view, seat, card):
    """Which of the five features giving a card away has, or -1 (four of a month in hand)."""
    month = month_of(card)
    left = count(month & ~(view.pile[0] | view.pile[1]))
    own = count(month & (view.hand[seat] | bit(card)))
    if left == 2:
        return 4 if own == 2 else 6
    if own == 4:
        return -1
    return 5 if own == 3 else 7 if own == 2 else 8


@kernel
def write_candidate(numbers, row, card, action, taken):
    """A row without features yet; the captured set is kept, for the moment, in the first two feature places."""
    start = row * STRIDE
    numbers[start] = action
    for i in range(FEATURES):
        numbers[start + 1 + i] = 0.0
    numbers[start + 1] = card
    numbers[start + 2] = taken


@kernel
def captured(view, numbers, row):
    """The set of cards that a candidate row captures, from what write_candidate kept; empty for a gift."""
    card, taken = int(numbers[row * STRIDE + 1]), int(numbers[row * STRIDE + 2])
    if taken == -1:
        return ZERO
    if taken == -2:
        return bit(card) | (view.field & month_of(card))
    return bit(card) | bit(taken)


@kernel
def nothing(which, view, seat):
    """What captures are compared with beside each other: less than any of them."""
    return -1.0


def candidates_by(measure: Any, beyond: Any = nothing) -> Any:
    """The kernel that writes all actions with their features.

    measure(which, view, seat, taken) is how much a capture contributes by one of the four measures. A capture has the
    feature of a measure when no other has more, nor beyond(which, view, seat).
    """

    @kernel
    def write_features(view, seat, numbers, rows):
        """Fill in the features: captures are compared with each other, measure by measure."""
        probabilities = ROWS * STRIDE  # free until the softmax is written: keeps a measure of every row
        offset = _KINDS * situation(view, seat)
        flags = np.uint64(0)  # four bits a row: which measures it has the highest of
        for which in range(_CAPTURES):
            highest = float(beyond(which, view, seat))
            for row in range(rows):
                taken = captured(view, numbers, row)
                value = -2.0
                if taken != ZERO:
                    value = float(measure(which, view, seat, taken))
                numbers[probabilities + row] = value
                highest = max(highest, value)
            for row in range(rows):
                if numbers[probabilities + row] >= highest:
                    flags = flags | bit(4 * row + which)
        for row in range(rows):
            start = row * STRIDE + 1
            card, taken = int(numbers[start]), int(numbers[start + 1])
            numbers[start] = 0.0
            numbers[start + 1] = 0.0
            if taken == -1:
                kind = kind_of_gift(view, seat, card)
                if kind >= 0:
                    numbers[start + offset + kind] = 1.0
            else:
                for which in range(_CAPTURES):
                    if flags & bit(4 * row + which) != ZERO:
                        numbers[start + offset + which] = 1.0

    @kernel
    def candidates(view, seat, numbers):
        """Write all actions with their features (see engine/linear.py); returns how many, 0 for agari or koi-koi."""
        if view.phase == CALL:
            return 0
        rows = 0
        waiting = int(view.card)  # -1 while a card of the hand is chosen
        first = 0  # row of the waiting card
        sources = ZERO if view.phase == DRAWN else view.hand[seat]
        if waiting >= 0:
            sources = sources | bit(waiting)
        while sources != ZERO:
            card = lowest(sources)
            sources = without_lowest(sources)
            fitting = view.field & month_of(card)
            if card == waiting:
                first = rows
            if count(fitting) == 2:
                for _ in range(2):
                    field_card = lowest(fitting)
                    fitting = without_lowest(fitting)
                    action = field_card if card == waiting else card
                    write_candidate(numbers, rows, card, action, field_card)
                    rows += 1
            else:
                write_candidate(numbers, rows, card, card, -1 if fitting == ZERO else -2)
                rows += 1
        write_features(view, seat, numbers, rows)
        if waiting >= 0:  # the second step of a pair: its features are those that it had among all pairs
            for i in range(2 * STRIDE):
                numbers[i] = numbers[first * STRIDE + i]
            return 2
        return rows

    return candidates


def play_by(candidates: Any) -> Any:
    """The kernel that draws an action from the policy; where there are no candidates, any action."""

    @kernel
    def play(view, seat, weights, rng, mask, worlds, numbers):
        rows = candidates(view, seat, numbers)
        if rows == 0:
            return nth(mask[0], below(rng, count(mask[0])))
        softmax(numbers, rows, ROWS, FEATURES, weights)
        return sample(numbers, rows, ROWS, FEATURES, rng)

    return play


candidates = candidates_by(contribution)
play = play_by(candidates)  # for the drawn card's choice too, by the same features and weights
choose = with_decision("pg-linear", play)
LINEAR = LinearFeatures("pg-linear", tuple(NAMES), ROWS, candidates)
