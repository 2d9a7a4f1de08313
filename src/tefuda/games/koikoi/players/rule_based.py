"""`rule-based`: if-then rules from game knowledge, tried in this order. It knows no search and learns nothing.

1. If a capture completes or raises a yaku, take the one that pays most.
2. Otherwise capture, when possible, the cards that are worth most: brights before cards of a three-card yaku,
   these before other animals and ribbons, chaff last; a card of a yaku that can still be completed counts more the
   more of it is there already.
3. Otherwise give away the card that is worth least, rather of a month of which nothing is left to be taken with it.
"""

from tefuda.games.koikoi import cards
from tefuda.games.koikoi.hiding import unseen
from tefuda.games.koikoi.players.decision import with_decision
from tefuda.games.koikoi.state import HAND, month_of
from tefuda.games.koikoi.yaku import AKATAN, AOTAN, INOSHIKACHO, YAKU, yaku_points
from tefuda.kernel.bits import ZERO, bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel

_RAIN_MAN = cards.mask_of(cards.RAIN_MAN)
_DRY_BRIGHTS = cards.DRY_BRIGHTS
_RED, _BLUE, _BOAR = (YAKU[which].cards for which in (AKATAN, AOTAN, INOSHIKACHO))
_PLAIN = (cards.ANIMALS | cards.RIBBONS) & ~(_RED | _BLUE | _BOAR)
_CHAFF = cards.CHAFF

_IMPOSSIBLE = -1_000_000
_COMPLETES = 1_000  # more than any worth of cards
_BRIGHT, _RAIN, _SET, _NEXT_OF_SET, _OTHER = 10, 5, 5, 3, 3  # chaff is worth 1


@kernel
def worth_of_set(taken, yaku, pile, other_pile):
    """The worth of cards of a three-card yaku: more while it can be completed and the more of it is there."""
    here = count(taken & yaku)
    if here == 0:
        return 0
    if other_pile & yaku != ZERO:
        return here * _OTHER
    return here * (_SET + _NEXT_OF_SET * count(pile & yaku))


@kernel
def worth(taken, pile, other_pile):
    """The worth of some cards for whoever has a pile, in plain points."""
    total = count(taken & _CHAFF) + _OTHER * count(taken & _PLAIN) + _RAIN * count(taken & _RAIN_MAN)
    dry = count(taken & _DRY_BRIGHTS)
    if dry > 0:
        lost = count(other_pile & _DRY_BRIGHTS)
        total += dry * (_BRIGHT if lost < 2 else _OTHER)
    total += worth_of_set(taken, _RED, pile, other_pile)
    total += worth_of_set(taken, _BLUE, pile, other_pile)
    return total + worth_of_set(taken, _BOAR, pile, other_pile)


@kernel
def worth_of_capture(view, seat, taken):
    """Rules 1 and 2: what capturing a set of cards is worth to a seat."""
    pile, other_pile = view.pile[seat], view.pile[1 - seat]
    calls = int(view.calls[seat])
    gain = yaku_points(pile | taken, calls, view.rules) - yaku_points(pile, calls, view.rules)
    return _COMPLETES * gain + worth(taken, pile, other_pile)


@kernel
def worth_of_giving(view, seat, card):
    """Rule 3: what laying a card on the field is worth; always less than any capture."""
    left = count(unseen(view, seat) & month_of(card))  # cards with which it can be taken
    return -_COMPLETES - worth(bit(card), view.pile[seat], view.pile[1 - seat]) * (1 + left)


@kernel
def best_taken(view, seat, card, fitting):
    """The better of two fitting field cards, the lower one when they are equal."""
    first, second = lowest(fitting), lowest(without_lowest(fitting))
    one = worth_of_capture(view, seat, bit(card) | bit(first))
    two = worth_of_capture(view, seat, bit(card) | bit(second))
    return second if two > one else first


@kernel
def play(view, seat, weights, rng, mask, worlds, numbers):
    if view.phase != HAND:
        return best_taken(view, seat, int(view.card), mask[0])
    best, best_worth = -1, _IMPOSSIBLE
    hand = mask[0]
    while hand != ZERO:
        card = lowest(hand)
        hand = without_lowest(hand)
        fitting = view.field & month_of(card)
        if fitting == ZERO:
            value = worth_of_giving(view, seat, card)
        elif count(fitting) == 2:
            taken = best_taken(view, seat, card, fitting)
            value = worth_of_capture(view, seat, bit(card) | bit(taken))
        else:
            value = worth_of_capture(view, seat, bit(card) | fitting)
        if value > best_worth:
            best, best_worth = card, value
    return best


choose = with_decision("rule-based", play)
