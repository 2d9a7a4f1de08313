"""`random` and `rule-based`, the two players that the paper measures its learners by."""

import numpy as np

from tefuda.games.tricks.cards import ACE_OF_SPADES, CARDS, KING_OF_SPADES, QUEEN_OF_SPADES, RANKS
from tefuda.games.tricks.rules import penalty_on_table, winning_card
from tefuda.games.tricks.state import PASS, is_hearts, suit_of
from tefuda.kernel.bits import ONE, ZERO, bit, count, has, lowest, nth, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below


@kernel
def any_of(cards, rng):
    """One card of a set, all alike."""
    return nth(cards, below(rng, count(cards)))


@kernel
def highest(cards):
    """The highest card of a set that is not empty; within one suit, the strongest."""
    return nth(cards, count(cards) - 1)


@kernel
def choose_any(view, seat, params, rng, mask, worlds, numbers):
    return any_of(mask[0], rng)


@kernel
def rid_of_spade(cards, strongest):
    """Queen, king, ace of spades, the first that is there, of `cards` below the strongest spade so far; or -1."""
    for card in (QUEEN_OF_SPADES, KING_OF_SPADES, ACE_OF_SPADES):
        if card < strongest and has(cards, card):
            return card
    return -1


@kernel
def chances_of_any(view, seat, params, mask, worlds, numbers, out):
    """The chances of `random`."""
    for card in range(CARDS):
        out[card] = 1.0 / count(mask[0]) if has(mask[0], card) else 0.0


@kernel
def give_away(view, cards, rng):
    """A card that takes no trick, by the last rule of both lists: the weakest of a random card's suit, in Hearts the
    strongest, but first the spades that the second rule of section 4.2.1 names."""
    spade = rid_of_spade(cards, ACE_OF_SPADES + 1) if is_hearts(view) else -1
    return spade if spade >= 0 else of_suit(view, cards, any_of(cards, rng))


@kernel
def of_suit(view, cards, card):
    """The card of a card's suit that is given away: the weakest, in Hearts the strongest."""
    same = cards & suit_of(card)
    return highest(same) if is_hearts(view) else lowest(same)


@kernel
def follow_for_tricks(view, legal, rng):
    """The second and third rule of section 4.1.1."""
    best = winning_card(view)
    if has(suit_of(best), lowest(legal)):  # the suit that was led is there
        stronger = legal & ~(bit(best + 1) - ONE)
        return lowest(stronger) if stronger != ZERO else lowest(legal)  # as cheap as possible
    return give_away(view, legal, rng)


@kernel
def follow_in_hearts(view, legal, rng):
    """The rules of section 4.2.1 for a card that does not lead."""
    best = winning_card(view)
    if not has(suit_of(best), lowest(legal)):
        return give_away(view, legal, rng)
    if best // RANKS == QUEEN_OF_SPADES // RANKS:  # spades were led: what is weaker than the best cannot win
        spade = rid_of_spade(legal, best)
        if spade >= 0:
            return spade
    if penalty_on_table(view) == 0:
        return highest(legal)
    weaker = legal & (bit(best) - ONE)
    return highest(weaker) if weaker != ZERO else lowest(legal)


@kernel
def choose_by_rules(view, seat, params, rng, mask, worlds, numbers):
    """The lists of rules in sections 4.1.1 (tricks) and 4.2.1 (Hearts).

    The first rule of both: lead any card that may be led. Passing, which the paper has not, is a discard: cards that
    the list would give away when they can take no trick.
    """
    legal = mask[0]
    if view.phase == PASS:
        return give_away(view, legal, rng)
    if view.laid == 0:
        return any_of(legal, rng)
    return follow_in_hearts(view, legal, rng) if is_hearts(view) else follow_for_tricks(view, legal, rng)


@kernel
def chances_by_rules(view, seat, params, mask, worlds, numbers, out):
    """The chances of `rule-based`: it draws lots where it leads, and of the suits where it gives a card away."""
    legal = mask[0]
    leads = view.phase != PASS and view.laid == 0
    gives = view.phase == PASS or (not leads and not has(suit_of(winning_card(view)), lowest(legal)))
    if gives and is_hearts(view):
        gives = rid_of_spade(legal, ACE_OF_SPADES + 1) < 0
    for card in range(CARDS):
        out[card] = 0.0
    if not leads and not gives:
        out[choose_by_rules(view, seat, params, numbers.view(np.uint64)[:1], mask, worlds, numbers)] = 1.0
        return
    rest = legal
    while rest != ZERO:
        card = lowest(rest)
        rest = without_lowest(rest)
        out[card if leads else of_suit(view, legal, card)] += 1.0 / count(legal)
