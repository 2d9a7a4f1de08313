"""Choices: which card to lay in one turn (section 5.1 of the paper, and choice5 of section 5.3).

A choice picks from a set of own cards. How likely a card is to score is counted over all pairs of unseen cards, one for
each opponent: it is the middle one in (unseen cards below it) × (unseen cards above it) of them.
"""

from tefuda.games.saichugen.cards import NUMBERS, SUITS
from tefuda.games.saichugen.rules import SEATS
from tefuda.kernel.bits import ONE, ZERO, bit, count, lowest, nth, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below

# choice0 to choice4: any card; the most and the least likely to score; the lowest and the highest.
ANY, MOST, LEAST, LOWEST, HIGHEST = range(5)
# choice5 with what it aims at: the middle of the round, anything but that, points for the game, and both of these.
AIM_MIDDLE, AIM_OUTSIDE, AIM_POINTS, AIM_MIDDLE_POINTS = range(5, 9)


@kernel
def ways_to_score(card, unseen):
    """The number of pairs of unseen cards between which a card lies."""
    below_it = count(unseen & (bit(card) - ONE))
    return below_it * (count(unseen) - below_it)


@kernel
def most_likely(cards, unseen):
    """The card of a set with the most ways to score, the lowest of several."""
    best, most = -1, -1
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        ways = ways_to_score(card, unseen)
        if ways > most:
            best, most = card, ways
    return best


@kernel
def least_likely(cards, unseen):
    """The card of a set with the fewest ways to score, the lowest of several."""
    best, fewest = -1, 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        ways = ways_to_score(card, unseen)
        if best < 0 or ways < fewest:
            best, fewest = card, ways
    return best


@kernel
def pick(choice, cards, unseen, rng):
    """One of choice0 to choice4 on a set of cards that is not empty."""
    if choice == MOST:
        return most_likely(cards, unseen)
    if choice == LEAST:
        return least_likely(cards, unseen)
    if choice == LOWEST:
        return lowest(cards)
    if choice == HIGHEST:
        return nth(cards, count(cards) - 1)
    return nth(cards, below(rng, count(cards)))


@kernel
def between(low, high):
    """The set of all cards that score from `low` to `high` points; limits beyond the cards are fine."""
    low, high = max(low, 1), min(high, NUMBERS)
    if low > high:
        return ZERO
    return (bit(SUITS * high) - ONE) & ~(bit(SUITS * (low - 1)) - ONE)


@kernel
def lower_other(values, seat):
    """The lower value of the two other seats."""
    return min(int(values[(seat + 1) % SEATS]), int(values[(seat + 2) % SEATS]))


@kernel
def higher_other(values, seat):
    """The higher value of the two other seats."""
    return max(int(values[(seat + 1) % SEATS]), int(values[(seat + 2) % SEATS]))


@kernel
def lead_over(values, seat):
    """How far a seat is above the higher of the two others; negative when it is below."""
    return int(values[seat]) - higher_other(values, seat)
