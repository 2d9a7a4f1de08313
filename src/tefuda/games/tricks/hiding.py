"""What a seat may know of a table of tricks, and how the rest is dealt again.

Hidden from a seat are the other hands, the cards that others have passed to others, and the source of later deals.
"""

import numpy as np

from tefuda.games.tricks.cards import CARDS, RANKS
from tefuda.games.tricks.state import PASS, PLAY, SEATS, all_played, first_card, hand_size, is_hearts, pack_of, to_pass
from tefuda.kernel.bits import ZERO, bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below, draw


def _pascal() -> np.ndarray:
    """Binomial coefficients up to 39 cards; all products that `guess` makes are below 2**63."""
    table = np.zeros((CARDS - RANKS + 1, CARDS - RANKS + 1), np.int64)
    table[:, 0] = 1
    for n in range(1, len(table)):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


CHOOSE = _pascal()


@kernel
def known(state, seat, other):
    """The cards that a seat knows to be in another's hand: those it passed there, and the card that must lead."""
    cards = ZERO
    if state.phase == PLAY:
        if state.direction != 0 and (seat + int(state.direction)) % SEATS == other:
            cards = state.passed[seat] & ~state.played[other]
        if is_hearts(state) and state.number == 0 and state.laid == 0 and state.lead == other:
            cards = cards | bit(first_card(state))
    return cards


@kernel
def sees_pass(state, seat, giver):
    """Whether a seat knows which cards another has passed: it has received them."""
    return state.phase != PASS and (giver + int(state.direction)) % SEATS == seat


@kernel
def hide(state, seat):
    for other in range(SEATS):
        if other != seat:
            state.hand[other] = known(state, seat, other)
            if not sees_pass(state, seat, other):
                state.passed[other] = ZERO
    state.key[0] = ZERO


@kernel
def some_of(cards, number, rng):
    """A random subset of so many cards, all subsets alike: each card is in it by the chance that is left."""
    chosen = ZERO
    left = count(cards)
    while number > 0:
        if below(rng, left) < number:
            chosen = chosen | bit(lowest(cards))
            number -= 1
        cards = without_lowest(cards)
        left -= 1
    return chosen


@kernel
def below_large(rng, bound):
    """A whole number from 0 to bound - 1, exactly uniform, for bounds up to 2**62."""
    mask = np.uint64(bound - 1)
    for shift in (1, 2, 4, 8, 16, 32):
        mask = mask | (mask >> np.uint64(shift))
    while True:
        number = np.int64(draw(rng) & mask)
        if number < bound:
            return number


@kernel
def ways(a, b, c, ab, ac, bc, free, to_a, to_b, to_c):
    """In how many ways three hands that want a, b, c more cards can share those that two or all may hold.

    ab, ac, bc cards fit two hands only; to_a of ab go to a, to_b of bc to b, to_c of ac to c; free cards fit all.
    """
    a = a - to_a - (ac - to_c)
    b = b - to_b - (ab - to_a)
    c = c - to_c - (bc - to_b)
    if a < 0 or b < 0 or c < 0:
        return np.int64(0)
    pairs = CHOOSE[ab, to_a] * CHOOSE[bc, to_b] * CHOOSE[ac, to_c]
    return pairs * CHOOSE[free, a] * CHOOSE[free - a, b]


@kernel
def deal_unseen(state, seat, rng):
    """Give the unseen cards to the three other hands, exactly uniformly over what the hard facts allow.

    A card's kind is the set of hands that may hold it. How many cards of each kind go where is drawn by the number of
    arrangements that have it so, in whole numbers; which ones they are is then a random subset.
    """
    one, two, three = (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS
    first, second, third = known(state, seat, one), known(state, seat, two), known(state, seat, three)
    rest = pack_of(state) & ~(state.hand[seat] | all_played(state) | first | second | third)
    fits_one, fits_two, fits_three = (
        rest & ~state.excluded[one], rest & ~state.excluded[two], rest & ~state.excluded[three],
    )  # fmt: skip
    first = first | (fits_one & ~fits_two & ~fits_three)
    second = second | (fits_two & ~fits_one & ~fits_three)
    third = third | (fits_three & ~fits_one & ~fits_two)
    pair_ab, pair_bc, pair_ac = (
        fits_one & fits_two & ~fits_three, fits_two & fits_three & ~fits_one, fits_one & fits_three & ~fits_two,
    )  # fmt: skip
    free = fits_one & fits_two & fits_three
    size = hand_size(state)
    a = size - count(state.played[one]) - count(first)
    b = size - count(state.played[two]) - count(second)
    c = size - count(state.played[three]) - count(third)
    ab, ac, bc, abc = count(pair_ab), count(pair_ac), count(pair_bc), count(free)
    total = np.int64(0)
    for to_a in range(ab + 1):
        for to_b in range(bc + 1):
            for to_c in range(ac + 1):
                total += ways(a, b, c, ab, ac, bc, abc, to_a, to_b, to_c)
    position = below_large(rng, total)
    to_a, to_b, to_c = 0, 0, 0
    while True:
        position -= ways(a, b, c, ab, ac, bc, abc, to_a, to_b, to_c)
        if position < 0:
            break
        to_c += 1
        if to_c > ac:
            to_c = 0
            to_b += 1
            if to_b > bc:
                to_b = 0
                to_a += 1
    part = some_of(pair_ab, to_a, rng)
    first, second = first | part, second | (pair_ab & ~part)
    part = some_of(pair_bc, to_b, rng)
    second, third = second | part, third | (pair_bc & ~part)
    part = some_of(pair_ac, to_c, rng)
    third, first = third | part, first | (pair_ac & ~part)
    part = some_of(free, size - count(state.played[one]) - count(first), rng)
    first, free = first | part, free & ~part
    part = some_of(free, size - count(state.played[two]) - count(second), rng)
    second, third = second | part, third | (free & ~part)
    state.hand[one], state.hand[two], state.hand[three] = first, second, third


@kernel
def guess(state, seat, rng):
    """Deal the unseen cards again, then mark which of a hand were passed: any three of it, all alike."""
    state.key[0] = draw(rng)
    deal_unseen(state, seat, rng)
    if state.direction == 0:
        return
    for giver in range(SEATS):
        if giver == seat or sees_pass(state, seat, giver):
            continue
        if state.phase == PASS:
            number = min(to_pass(state), max(0, int(state.chosen) - to_pass(state) * giver))
            state.passed[giver] = some_of(state.hand[giver], number, rng)
        else:
            receiver = (giver + int(state.direction)) % SEATS
            state.passed[giver] = some_of(state.hand[receiver] | state.played[receiver], to_pass(state), rng)
