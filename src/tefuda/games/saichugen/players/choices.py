"""Choices: which card to lay in one turn (section 5.1 of the paper, and choice5 of section 5.3).

A choice picks from a set of own cards. How likely a card is to score is counted over all pairs of unseen cards, one for
each opponent: it lies between them in (unseen cards below it) × (unseen cards above it) of these pairs.
"""

from tefuda.games.saichugen.cards import NUMBERS, SUITS
from tefuda.games.saichugen.rules import SEATS, any_of, card_at
from tefuda.kernel.bits import ONE, ZERO, bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel

# choice0 to choice4: any card; the most and the least likely to score; the lowest and the highest.
ANY, MOST, LEAST, LOWEST, HIGHEST = range(5)
# choice5 by what it aims at: the middle of the round, anything but that, points for the game, and both the middle and
# points for the game.
AIM_MIDDLE, AIM_OUTSIDE, AIM_POINTS, AIM_MIDDLE_POINTS = range(5, 9)


@kernel
def ways_to_score(card, unseen):
    """The number of pairs of unseen cards between which a card lies."""
    lower = count(unseen & (bit(card) - ONE))
    return lower * (count(unseen) - lower)


@kernel
def by_ways(cards, unseen, sign):
    """The card of a set with the most (sign 1) or the fewest (sign -1) ways to score, the lowest of several."""
    best, most = -1, 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        ways = sign * ways_to_score(card, unseen)
        if best < 0 or ways > most:
            best, most = card, ways
    return best


@kernel
def pick(choice, cards, unseen, rng):
    """One of choice0 to choice4 from a set of cards that is not empty."""
    if choice == MOST:
        return by_ways(cards, unseen, 1)
    if choice == LEAST:
        return by_ways(cards, unseen, -1)
    if choice == LOWEST:
        return lowest(cards)
    if choice == HIGHEST:
        return card_at(cards, count(cards) - 1)
    return any_of(cards, rng)


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
def choose_any(view, seat, params, rng, mask, worlds, numbers):
    """`random`, which is choice0 and nothing else."""
    return any_of(mask[0], rng)
