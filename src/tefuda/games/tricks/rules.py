"""The rules of trick-taking and of Hearts as kernels on one state record.

A decision is a card: in the phase PASS one of the three to give away, in the phase PLAY the card to play. Hidden from a
seat are the other hands, the cards that others have passed to others, and the source of later deals.
"""

import numpy as np

from tefuda.games.tricks.cards import (
    ALL,
    ALL_HEARTS,
    CARDS,
    HAND_OF,
    HEARTS,
    JACK_OF_DIAMONDS,
    JACK_POINTS,
    ONE_SUIT,
    PACK_OF,
    PENALTY,
    POINTS_OF,
    QUEEN_OF_SPADES,
    QUEEN_POINTS,
    RANKS,
)
from tefuda.games.tricks.options import (
    HEARTS_POINTS,
    LEFT,
    MOST_DEALS,
    NO_MOON,
    OTHERS_UP,
    RIGHT,
    ROTATION,
    RULEBOOK,
)
from tefuda.kernel.bits import ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import kernel, record_type
from tefuda.kernel.random import DEAL, below, draw, stream

SEATS = 4
PASSED = 3  # cards that each seat passes, or all of a smaller hand
PASS, PLAY, OVER = 0, 1, 2  # phases
LONGEST = SEATS * PASSED + CARDS  # decisions of a deal

State = record_type(
    [
        ("hand", np.uint64, 4),  # hidden: cards in each hand; a card that is passed stays until all have chosen
        ("played", np.uint64, 4),  # cards that each seat has played this deal, the current trick included
        ("excluded", np.uint64, 4),  # cards that a seat has shown not to hold: voids, and only hearts or penalty cards
        ("passed", np.uint64, 4),  # hidden but to giver and, in the end, receiver: cards that each seat has passed
        ("key", np.uint64, 1),  # hidden: the source of all deals of this match
        ("shuffle", np.uint64, 1),  # generator of a deal, 0 outside of it
        ("score", np.int16, 4),  # points of the finished deals, in Hearts penalty points
        ("paid", np.int16, 4),  # last finished deal: points that were written down
        ("points", np.int8, 4),  # penalty points taken this deal, without the jack
        ("tricks", np.int8, 4),  # tricks taken this deal
        ("took", np.int8, 4),  # last finished deal: penalty points taken
        ("won", np.int8, 4),  # last finished deal: tricks taken
        ("trick", np.int8, 4),  # the card that each seat has laid in the current trick, or -1
        ("jack", np.int8),  # who has taken the jack of diamonds this deal, or -1
        ("broken", np.int8),  # whether hearts may be led
        ("phase", np.int8),  # 0 pass, 1 play, 2 over
        ("chosen", np.int8),  # cards chosen for passing by all seats, 0 to 12: seat 0 chooses three, then seat 1
        ("direction", np.int8),  # how many seats further the passed cards go this deal; 0: no passing
        ("lead", np.int8),  # who leads the current trick
        ("laid", np.int8),  # cards in the current trick, 0 to 3
        ("seat", np.int8),  # who decides
        ("number", np.int8),  # tricks finished this deal
        ("finished", np.int8),  # deals finished
        ("rules", RULEBOOK.dtype),
    ]
)


def _pascal() -> np.ndarray:
    """Binomial coefficients up to 39 cards; all products that `guess` makes are below 2**63."""
    table = np.zeros((CARDS - RANKS + 1, CARDS - RANKS + 1), np.int64)
    table[:, 0] = 1
    for n in range(1, len(table)):
        table[n, 1:] = table[n - 1, 1:] + table[n - 1, :-1]
    return table


CHOOSE = _pascal()


@kernel
def suit_of(card):
    """The set of all cards of a card's suit."""
    return ONE_SUIT << np.uint64(RANKS * (card // RANKS))


@kernel
def is_hearts(state):
    return state.rules.goal == HEARTS_POINTS


@kernel
def pack_of(state):
    """The set of all cards that are played with."""
    return PACK_OF[state.rules.pack]


@kernel
def hand_size(state):
    """How many cards each seat is dealt."""
    return HAND_OF[state.rules.pack]


@kernel
def to_pass(state):
    """How many cards each seat passes."""
    return min(PASSED, hand_size(state))


@kernel
def first_card(state):
    """The card that leads in Hearts: the lowest club, which is the two of the full pack."""
    return lowest(pack_of(state))


@kernel
def begin_play(state):
    """In Hearts the lowest club leads; otherwise the leader was drawn with the deal."""
    state.phase = PLAY
    if is_hearts(state):
        for seat in range(SEATS):
            if has(state.hand[seat], first_card(state)):
                state.lead = seat
    state.seat = state.lead


@kernel
def begin_deal(state):
    """Deal all cards of the pack; the deal depends on the key and its number alone."""
    state.shuffle[0] = stream(state.key[0], int(state.finished), 0, DEAL)
    for seat in range(SEATS):
        state.hand[seat] = ZERO
        state.played[seat] = ZERO
        state.excluded[seat] = ZERO
        state.passed[seat] = ZERO
        state.points[seat] = 0
        state.tricks[seat] = 0
        state.trick[seat] = -1
    left, size = pack_of(state), hand_size(state)
    while left != ZERO:  # each card to a place drawn from all that are left
        place = below(state.shuffle, count(left))
        seat = 0
        while place >= size - count(state.hand[seat]):
            place -= size - count(state.hand[seat])
            seat += 1
        state.hand[seat] = state.hand[seat] | bit(lowest(left))
        left = without_lowest(left)
    state.lead = below(state.shuffle, SEATS)
    state.shuffle[0] = ZERO
    state.jack = -1
    state.broken = 1 - int(state.rules.break_hearts)
    state.chosen = 0
    state.laid = 0
    state.number = 0
    state.direction = state.rules.passing
    if state.rules.passing == ROTATION:
        turn = int(state.finished) % 4
        state.direction = LEFT if turn == 0 else RIGHT if turn == 1 else 2 if turn == 2 else 0
    if state.direction == 0:
        begin_play(state)
    else:
        state.phase = PASS
        state.seat = 0
        if is_hearts(state):
            state.lead = 0  # nobody knows yet who will lead, and the draw is not used


@kernel
def deal(state, rng):
    state.key[0] = draw(rng)
    for seat in range(SEATS):
        state.score[seat] = 0
        state.paid[seat] = 0
        state.took[seat] = 0
        state.won[seat] = 0
    state.finished = 0
    begin_deal(state)


@kernel
def to_move(state):
    return -1 if state.phase == OVER else int(state.seat)


@kernel
def playable(state):
    """The cards that the seat in turn may play or pass."""
    seat = int(state.seat)
    hand = state.hand[seat]
    if state.phase == PASS:
        return hand & ~state.passed[seat]
    if state.laid == 0:
        if is_hearts(state):
            if state.number == 0:
                return bit(first_card(state))
            if state.broken == 0 and hand & ~ALL_HEARTS != ZERO:
                return hand & ~ALL_HEARTS
        return hand
    suited = hand & suit_of(int(state.trick[state.lead]))
    if suited != ZERO:
        return suited
    if is_hearts(state) and state.number == 0 and state.rules.first_points == 0 and hand & ~PENALTY != ZERO:
        return hand & ~PENALTY
    return hand


@kernel
def legal(state, mask):
    mask[0] = ZERO if state.phase == OVER else playable(state)


@kernel
def winning_card(state):
    """The strongest card of the suit that was led in the current trick, which has at least one card."""
    best = int(state.trick[state.lead])
    for seat in range(SEATS):
        card = int(state.trick[seat])
        if card > best and card // RANKS == best // RANKS:
            best = card
    return best


@kernel
def penalty_on_table(state):
    """Penalty points of the cards in the current trick."""
    points = 0
    for seat in range(SEATS):
        card = int(state.trick[seat])
        if card >= RANKS * HEARTS:
            points += 1
        elif card == QUEEN_OF_SPADES:
            points += QUEEN_POINTS
    return points


@kernel
def shooter(points, all_points):
    """Who has taken all penalty points of a deal, or -1."""
    for seat in range(SEATS):
        if points[seat] == all_points:
            return seat
    return -1


@kernel
def deal_points(state, seat):
    """What a deal adds to a seat's score, by what was taken so far."""
    if not is_hearts(state):
        return int(state.tricks[seat])
    points = int(state.points[seat])
    all_points = POINTS_OF[state.rules.pack]
    moon = shooter(state.points, all_points)
    if moon >= 0 and state.rules.moon != NO_MOON:
        if state.rules.moon == OTHERS_UP:
            points = 0 if seat == moon else all_points
        elif seat == moon:
            points = -all_points
    if state.rules.jack != 0 and state.jack == seat:
        points -= JACK_POINTS
    return points


@kernel
def finish_deal(state):
    """Write the points down; the match is over when somebody has the target."""
    highest = 0
    for seat in range(SEATS):
        points = deal_points(state, seat)
        state.paid[seat] = points
        state.took[seat] = state.points[seat]
        state.won[seat] = state.tricks[seat]
        state.score[seat] += points
        highest = max(highest, int(state.score[seat]))
    state.finished += 1
    if highest >= state.rules.target or state.finished >= MOST_DEALS:
        state.phase = OVER
    else:
        begin_deal(state)


@kernel
def finish_trick(state):
    """The strongest card of the suit that was led takes the trick and leads the next one."""
    best = winning_card(state)
    points = penalty_on_table(state)
    winner = 0
    with_jack = False
    for seat in range(SEATS):
        if state.trick[seat] == best:
            winner = seat
        if state.trick[seat] == JACK_OF_DIAMONDS:
            with_jack = True
    for seat in range(SEATS):
        state.trick[seat] = -1
    if with_jack:
        state.jack = winner
    state.points[winner] += points
    state.tricks[winner] += 1
    state.number += 1
    state.laid = 0
    state.lead = winner
    state.seat = winner
    if state.number == hand_size(state):
        finish_deal(state)


@kernel
def learn_from(state, seat, card):
    """Hard facts that a card shows about the hand it came from; called before the card is on the table."""
    if state.laid == 0:
        if is_hearts(state) and state.broken == 0 and has(ALL_HEARTS, card):
            state.excluded[seat] = state.excluded[seat] | (ALL & ~ALL_HEARTS)  # had nothing else to lead
        return
    led = suit_of(int(state.trick[state.lead]))
    if has(led, card):
        return
    state.excluded[seat] = state.excluded[seat] | led
    if is_hearts(state) and state.number == 0 and state.rules.first_points == 0 and has(PENALTY, card):
        state.excluded[seat] = state.excluded[seat] | (ALL & ~PENALTY)  # had nothing else to discard


@kernel
def exchange(state):
    """Hand over what all seats have chosen to pass."""
    for seat in range(SEATS):
        state.hand[seat] = state.hand[seat] & ~state.passed[seat]
    for seat in range(SEATS):
        receiver = (seat + int(state.direction)) % SEATS
        state.hand[receiver] = state.hand[receiver] | state.passed[seat]
    begin_play(state)


@kernel
def apply(state, action):
    seat = int(state.seat)
    if state.phase == PASS:
        state.passed[seat] = state.passed[seat] | bit(action)
        state.chosen += 1
        if state.chosen == SEATS * to_pass(state):
            exchange(state)
        else:
            state.seat = int(state.chosen) // to_pass(state)
        return
    learn_from(state, seat, action)
    state.hand[seat] = state.hand[seat] & ~bit(action)
    state.played[seat] = state.played[seat] | bit(action)
    state.trick[seat] = action
    if has(ALL_HEARTS, action) or (state.rules.queen_breaks != 0 and action == QUEEN_OF_SPADES):
        state.broken = 1
    state.laid += 1
    state.seat = (seat + 1) % SEATS
    if state.laid == SEATS:
        finish_trick(state)


@kernel
def all_played(state):
    """The set of all cards played this deal."""
    return state.played[0] | state.played[1] | state.played[2] | state.played[3]


@kernel
def end_here(state):
    """Make the deal being played the last one."""
    state.rules.target = 0


@kernel
def left(state):
    """At most so many decisions until the deal is over."""
    to_play = SEATS * hand_size(state) - count(all_played(state))
    return to_play + SEATS * to_pass(state) - int(state.chosen) if state.phase == PASS else to_play


@kernel
def scores(state, out):
    """More is better: tricks, or minus the penalty points, of the finished deals and of the deal under way."""
    for seat in range(SEATS):
        points = int(state.score[seat])
        if state.phase != OVER:
            points += deal_points(state, seat)
        out[seat] = -points if is_hearts(state) else points


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
