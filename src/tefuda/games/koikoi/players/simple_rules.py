"""`rule-based-simple` and `rule-based-values`: plainer if-then rules than `rule-based`, as the paper's may have been.

1. If a capture completes or raises a yaku, take the one that pays most.
2. Otherwise capture, when possible: any cards (`rule-based-simple`), or those of the highest card values, by which
   hanafuda is counted elsewhere: bright 20, animal 10, ribbon 5, chaff 1 (`rule-based-values`).
3. Otherwise give any card.

Among equals chance decides.
"""

from typing import Any

from tefuda.games.koikoi.cards import ANIMALS, BRIGHTS, CHAFF, RIBBONS
from tefuda.games.koikoi.players.decision import with_decision
from tefuda.games.koikoi.state import HAND, month_of
from tefuda.games.koikoi.yaku import yaku_points
from tefuda.kernel.bits import ZERO, bit, count, lowest, nth, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below

_COMPLETES = 1_000  # more than the values of all cards
_IMPOSSIBLE = -1


@kernel
def all_alike(taken):
    return 0


@kernel
def card_values(taken):
    return 20 * count(taken & BRIGHTS) + 10 * count(taken & ANIMALS) + 5 * count(taken & RIBBONS) + count(taken & CHAFF)


def rules_by(value: Any) -> Any:
    """The kernel that plays cards by these rules; `value(taken)` is what rule 2 goes by."""

    @kernel
    def worth(view, seat, taken):
        """Rules 1 and 2: what capturing a set of cards is worth."""
        calls, pile = int(view.calls[seat]), view.pile[seat]
        gain = yaku_points(pile | taken, calls, view.rules) - yaku_points(pile, calls, view.rules)
        return _COMPLETES * gain + value(taken)

    @kernel
    def worth_of_card(view, seat, card):
        """What playing a card of the hand is worth: the better of two captures, or `_IMPOSSIBLE` without one."""
        fitting = view.field & month_of(card)
        if fitting == ZERO:
            return _IMPOSSIBLE
        if count(fitting) == 2:
            second = without_lowest(fitting)
            return max(worth(view, seat, bit(card) | (fitting & ~second)), worth(view, seat, bit(card) | second))
        return worth(view, seat, bit(card) | fitting)

    @kernel
    def play(view, seat, weights, rng, mask, worlds, numbers):
        best, highest, equals = -1, _IMPOSSIBLE, 0
        rest = mask[0]
        while rest != ZERO:
            card = lowest(rest)
            rest = without_lowest(rest)
            if view.phase == HAND:
                found = worth_of_card(view, seat, card)
            else:
                found = worth(view, seat, bit(int(view.card)) | bit(card))
            if found > highest:
                highest, equals = found, 0
            if found == highest and found > _IMPOSSIBLE:
                equals += 1
                if below(rng, equals) == 0:
                    best = card
        return best if best >= 0 else nth(mask[0], below(rng, count(mask[0])))

    return play


choose_simple = with_decision("rule-based-simple", rules_by(all_alike))
choose_values = with_decision("rule-based-values", rules_by(card_values))
