"""`learned`: section 7 of the paper made real, a strategy and tactics that are learned apart and played together.

Strategy: the worth of every standing between two rounds, the own game score beside those of the others, is learned
from games. It says what each score of the round is worth, and so which range of them to aim at.

Tactics: what each card is worth to the hand that is left after a round, by its place among the unseen cards, is learned
from the same games. Within a round, the distribution of the round's scores that the hand allows is computed: the
opponents lay any of the unseen cards, and every turn that is left is looked through. The card is laid that leads to the
best worth of the standing after the round, less the price of the card.

The weights, for each of the first four rounds: standings, coarse standings (so that rare ones know something), prices.
"""

from tefuda.contract import Policy, RoundValues, fingerprint, plain_parameters
from tefuda.games.saichugen.cards import CARDS, NUMBERS
from tefuda.games.saichugen.options import STAKE
from tefuda.games.saichugen.rules import HAND, ROUNDS, SEATS, TURNS, middle, number_of, unseen
from tefuda.kernel.bits import ONE, ZERO, bit, count, lowest, nth, without_lowest
from tefuda.kernel.compile import kernel

TOP = 30  # game scores from here on are one
STEP = 3  # game scores that are one in a coarse standing
COARSE_TOP = TOP // STEP
PAIRS = (TOP + 1) * (TOP + 2) // 2  # of the others' game scores, the lower one first
COARSE_PAIRS = (COARSE_TOP + 1) * (COARSE_TOP + 2) // 2
STANDINGS = (TOP + 1) * PAIRS
COARSE = (COARSE_TOP + 1) * COARSE_PAIRS
PLACES = 12  # kinds of cards, by how many of the unseen cards lie below them
SHARE = 0.25  # what one card counts in its place
ROUND = STANDINGS + COARSE + PLACES  # weights of a round
SIZE = (ROUNDS - 1) * ROUND
MOST = 2 + HAND - TURNS  # features of a standing

EVENTS = SEATS * NUMBERS  # what a turn can bring: oneself, the next or the one before scores 1 to 13
# Scratch numbers: of each card in hand the unseen cards below it, its number, its chance to score and its price; the
# numbers of the unseen cards; the values of a turn's events; the values after one event and after two.
_BELOW, _NUMBER, _CHANCE, _PRICE, _REST = 0, HAND, 2 * HAND, 3 * HAND, 4 * HAND
_OWN = _REST + CARDS - HAND
_SUMS = _OWN + NUMBERS
_AFTER = _SUMS + NUMBERS
_AFTER_TWO = _AFTER + EVENTS
NUMBERS_NEEDED = _AFTER_TWO + EVENTS * EVENTS


@kernel
def of_three(values, seat):
    """What oneself, the next and the one before have."""
    return int(values[seat]), int(values[(seat + 1) % SEATS]), int(values[(seat + 2) % SEATS])


@kernel
def pair_of(one, two):
    """Two scores in any order as one number."""
    low, high = min(one, two), max(one, two)
    return high * (high + 1) // 2 + low


@kernel
def standing_at(own, one, two):
    """The place of a standing among the weights of its round."""
    return min(own, TOP) * PAIRS + pair_of(min(one, TOP), min(two, TOP))


@kernel
def coarse_at(own, one, two):
    return (
        STANDINGS
        + min(own // STEP, COARSE_TOP) * COARSE_PAIRS
        + pair_of(min(one // STEP, COARSE_TOP), min(two // STEP, COARSE_TOP))
    )


@kernel
def place_of(card, rest):
    """The kind of a card among the unseen ones."""
    return PLACES * count(rest & (bit(card) - ONE)) // (count(rest) + 1)


@kernel
def write(view, seat, params, active, amounts):
    """The features of a standing between two rounds and of the hand that is left; returns how many."""
    first = (int(view.finished) - 1) * ROUND
    own, one, two = of_three(view.total, seat)
    active[0], amounts[0] = first + standing_at(own, one, two), 1.0
    active[1], amounts[1] = first + coarse_at(own, one, two), 1.0
    number = 2
    rest, cards = unseen(view, seat), view.hand[seat]
    while cards != ZERO:
        active[number] = first + STANDINGS + COARSE + place_of(lowest(cards), rest)
        amounts[number] = SHARE
        cards = without_lowest(cards)
        number += 1
    return number


@kernel
def moment(before, after):
    """Whether a round other than the last has just ended."""
    return after.finished != before.finished and after.finished < ROUNDS


@kernel
def won(stake, own, one, two):
    """What a game that ends with these game scores brings."""
    best = middle(own, one, two)
    if not stake:
        return 1.0 if own == best else 0.0
    winners = int(own == best) + int(one == best) + int(two == best)
    return float(SEATS - winners) if own == best else -float(winners)


@kernel
def worth(params, first, stake, own, one, two):
    """What game scores at the end of this round are worth; its weights begin at `first`, -1 for the last round."""
    if first < 0:
        return won(stake, own, one, two)
    return params[first + standing_at(own, one, two)] + params[first + coarse_at(own, one, two)]


@kernel
def round_end(params, first, stake, totals, own, one, two):
    """What the round's points are worth when it ends with them: the middle keeps, the others keep nothing."""
    best = middle(own, one, two)
    return worth(
        params, first, stake, totals[0] + (own if own == best else 0), totals[1] + (one if one == best else 0),
        totals[2] + (two if two == best else 0),
    )  # fmt: skip


@kernel
def weigh_cards(view, seat, params, first, numbers):
    """For each card in hand, lowest first: the unseen cards below it, its chance to score, and its price.

    Behind them the numbers of the unseen cards, lowest first. Returns how many cards and how many unseen ones.
    """
    rest, cards = unseen(view, seat), view.hand[seat]
    size = count(rest)
    pairs = size * (size - 1) / 2.0
    held = 0
    while cards != ZERO:
        card = lowest(cards)
        cards = without_lowest(cards)
        below = count(rest & (bit(card) - ONE))
        numbers[_BELOW + held] = below
        numbers[_NUMBER + held] = number_of(card)
        numbers[_CHANCE + held] = below * (size - below) / pairs
        numbers[_PRICE + held] = (
            SHARE * params[first + STANDINGS + COARSE + place_of(card, rest)] if first >= 0 else 0.0
        )
        held += 1
    at = _REST
    while rest != ZERO:
        numbers[at] = number_of(lowest(rest)) - 1
        rest = without_lowest(rest)
        at += 1
    return held, size


@kernel
def best_of(sizes, numbers):
    """Which card of the hand is best, and its value, when the values of all events of a turn are known.

    numbers[_OWN + k] is the value when oneself scores k + 1, numbers[_SUMS + k] the sum of the values when one of the
    others does. An opponent scores with the higher of two cards below the own one, or the lower of two above it: a card
    with i unseen ones below it in i pairs, or in size - 1 - i. Sums from below and above serve all cards of the hand.
    """
    held, size = sizes
    above = 0.0
    for i in range(size):
        above += (size - 1 - i) * numbers[_SUMS + int(numbers[_REST + i])]
    beneath = 0.0
    scale = 1.0 / (size * (size - 1))  # half of one pair, since either opponent may hold the card
    best, most, place = -1, 0.0, 0
    for each in range(held):
        while place < int(numbers[_BELOW + each]):
            value = numbers[_SUMS + int(numbers[_REST + place])]
            beneath += place * value
            above -= (size - 1 - place) * value
            place += 1
        own = numbers[_OWN + int(numbers[_NUMBER + each]) - 1]
        value = numbers[_CHANCE + each] * own + scale * (beneath + above) - numbers[_PRICE + each]
        if best < 0 or value > most:
            best, most = each, value
    return best, most


@kernel
def last_turn(params, first, stake, totals, own, one, two, sizes, numbers):
    """The best card and its value in the last turn of the round, from these points."""
    for k in range(NUMBERS):
        numbers[_OWN + k] = round_end(params, first, stake, totals, own + k + 1, one, two)
        numbers[_SUMS + k] = round_end(params, first, stake, totals, own, one + k + 1, two) + round_end(
            params, first, stake, totals, own, one, two + k + 1
        )
    return best_of(sizes, numbers)


@kernel
def from_events(at, sizes, numbers):
    """The best card and its value, from the values of all events at numbers[at:]."""
    for k in range(NUMBERS):
        numbers[_OWN + k] = numbers[at + k]
        numbers[_SUMS + k] = numbers[at + NUMBERS + k] + numbers[at + 2 * NUMBERS + k]
    return best_of(sizes, numbers)


@kernel
def best_card(view, seat, params, numbers):
    """Look through all turns that are left in the round; cards that are laid meanwhile count as still in hand."""
    own, one, two = of_three(view.points, seat)
    totals = of_three(view.total, seat)
    stake = view.rules.payoff == STAKE
    first = int(view.finished) * ROUND if view.finished < ROUNDS - 1 else -1
    sizes = weigh_cards(view, seat, params, first, numbers)
    if view.turn == TURNS - 1:
        return last_turn(params, first, stake, totals, own, one, two, sizes, numbers)[0]
    for event in range(EVENTS):
        who, k = event // NUMBERS, event % NUMBERS + 1
        a, b, c = own + (k if who == 0 else 0), one + (k if who == 1 else 0), two + (k if who == 2 else 0)
        if view.turn == TURNS - 2:
            numbers[_AFTER + event] = last_turn(params, first, stake, totals, a, b, c, sizes, numbers)[1]
            continue
        for then in range(event, EVENTS):  # two events in either order come to the same
            whose, k = then // NUMBERS, then % NUMBERS + 1
            value = last_turn(
                params, first, stake, totals, a + (k if whose == 0 else 0), b + (k if whose == 1 else 0),
                c + (k if whose == 2 else 0), sizes, numbers,
            )[1]  # fmt: skip
            numbers[_AFTER_TWO + event * EVENTS + then] = value
            numbers[_AFTER_TWO + then * EVENTS + event] = value
    if view.turn == 0:
        for event in range(EVENTS):
            numbers[_AFTER + event] = from_events(_AFTER_TWO + event * EVENTS, sizes, numbers)[1]
    return from_events(_AFTER, sizes, numbers)[0]


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    return nth(view.hand[seat], best_card(view, seat, params, numbers))


def names() -> tuple[str, ...]:
    """What every weight means."""
    found = []
    for number in range(1, ROUNDS):
        found += [f"round {number}: standing {i}" for i in range(STANDINGS)]
        found += [f"round {number}: coarse standing {i}" for i in range(COARSE)]
        found += [f"round {number}: a card left at place {i} of {PLACES}" for i in range(PLACES)]
    return tuple(found)


FEATURES = fingerprint(names())
VALUES = RoundValues("learned", "learned", SIZE, 0, MOST, write, moment)
POLICY = Policy("learned", choose, plain_parameters, SIZE, FEATURES, numbers=NUMBERS_NEEDED)
