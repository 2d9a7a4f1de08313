"""The rules of Saichugen as kernels on one state record.

A decision is a card laid face down: seat 0, then 1, then 2; the third turns all three up. Hidden from a seat are the
other hands, the cards that others have laid in the current turn, and the one card that was not dealt.
"""

import numpy as np

from tefuda.games.saichugen.cards import ALL, SUITS
from tefuda.games.saichugen.options import RULEBOOK, STAKE
from tefuda.kernel.bits import ONE, ZERO, bit, count
from tefuda.kernel.compile import kernel, record_type
from tefuda.kernel.random import below

SEATS = 3
HAND = 17  # cards dealt to each seat; one is left over
TURNS = 3  # in a round
ROUNDS = 5
LONGEST = SEATS * TURNS * ROUNDS  # decisions
NO_CARD = -1

State = record_type(
    [
        ("hand", np.uint64, 3),  # hidden: cards in each hand, without the one laid in this turn
        ("played", np.uint64, 3),  # cards of each seat that have been turned up
        ("table", np.int8, 9),  # this round's cards, 3 × turn + seat, or -1; others' of the current turn are hidden
        ("points", np.int8, 3),  # points of this round so far
        ("scored", np.int8, 3),  # turns of this round in which a seat scored
        ("total", np.int8, 3),  # points kept from the finished rounds: the game score
        ("won", np.int8, 3),  # rounds won
        ("kept", np.int8, 3),  # rounds won with more than 0 points
        ("last_points", np.int8, 3),  # last finished round: points before the losers gave theirs up
        ("last_scored", np.int8, 3),  # last finished round: turns in which a seat scored
        ("last_won", np.int8, 3),  # last finished round: 1 for its winners
        ("finished", np.int8),  # rounds finished
        ("turn", np.int8),  # turns finished in this round
        ("seat", np.int8),  # who decides
        ("rules", RULEBOOK.dtype),
    ]
)


@kernel
def number_of(card):
    """What a card scores: 1 for an ace to 13 for a king."""
    return card // SUITS + 1


@kernel
def middle(a, b, c):
    """The middle one of three numbers."""
    return max(min(a, b), min(max(a, b), c))


@kernel
def card_at(cards, position):
    """The card at a position (from 0, lowest first) of a set, found by halves: large hands are common here."""
    card = 0
    for size in (32, 16, 8, 4, 2, 1):
        inside = count(cards & (bit(size) - ONE))
        further = position >= inside
        position -= inside if further else 0
        card += size if further else 0
        cards = cards >> np.uint64(size if further else 0)
    return card


@kernel
def any_of(cards, rng):
    """One card of a set that is not empty, all alike."""
    return card_at(cards, below(rng, count(cards)))


@kernel
def share_out(cards, first, second, third, rng):
    """Three sets of so many cards, drawn from a set; each card goes to a place drawn from all that are left."""
    one, two, three = ZERO, ZERO, ZERO
    places = count(cards)
    while cards != ZERO:
        card = cards & (~cards + ONE)  # the lowest, as a set
        cards = cards ^ card
        place = below(rng, places)
        places -= 1
        to_one = place < first
        to_two = first <= place < first + second
        to_three = first + second <= place < first + second + third
        one = one | (card if to_one else ZERO)  # by selects: jumps would be guessed wrong half of the time
        two = two | (card if to_two else ZERO)
        three = three | (card if to_three else ZERO)
        first -= 1 if to_one else 0
        second -= 1 if to_two else 0
        third -= 1 if to_three else 0
    return one, two, three


@kernel
def clear_round(state):
    for seat in range(SEATS):
        state.points[seat] = 0
        state.scored[seat] = 0
    for place in range(SEATS * TURNS):
        state.table[place] = NO_CARD
    state.turn = 0


@kernel
def deal(state, rng):
    state.hand[0], state.hand[1], state.hand[2] = share_out(ALL, HAND, HAND, HAND, rng)
    for seat in range(SEATS):
        state.played[seat] = ZERO
        state.total[seat] = 0
        state.won[seat] = 0
        state.kept[seat] = 0
        state.last_points[seat] = 0
        state.last_scored[seat] = 0
        state.last_won[seat] = 0
    clear_round(state)
    state.finished = 0
    state.seat = 0


@kernel
def to_move(state):
    return int(state.seat) if state.finished < ROUNDS else -1


@kernel
def legal(state, mask):
    mask[0] = state.hand[state.seat] if state.finished < ROUNDS else ZERO


@kernel
def left(state):
    """So many decisions until the game is over."""
    return LONGEST - SEATS * (TURNS * int(state.finished) + int(state.turn)) - int(state.seat)


@kernel
def finish_round(state):
    """The middle sum wins, and all who share it; the others keep nothing."""
    best = middle(int(state.points[0]), int(state.points[1]), int(state.points[2]))
    for seat in range(SEATS):
        points = int(state.points[seat])
        state.last_points[seat] = points
        state.last_scored[seat] = state.scored[seat]
        state.last_won[seat] = points == best
        if points == best:
            state.won[seat] += 1
            state.total[seat] += points
            state.kept[seat] += points > 0
    clear_round(state)
    state.finished += 1


@kernel
def finish_turn(state):
    """Turn the three cards up: the middle one scores its number."""
    first = SEATS * int(state.turn)
    best = middle(int(state.table[first]), int(state.table[first + 1]), int(state.table[first + 2]))
    for seat in range(SEATS):
        card = int(state.table[first + seat])
        state.played[seat] = state.played[seat] | bit(card)
        state.points[seat] += number_of(card) if card == best else 0
        state.scored[seat] += 1 if card == best else 0
    state.turn += 1
    if state.turn == TURNS:
        finish_round(state)


@kernel
def apply(state, action):
    seat = int(state.seat)
    state.hand[seat] = state.hand[seat] & ~bit(action)
    state.table[SEATS * int(state.turn) + seat] = action
    if seat < SEATS - 1:
        state.seat = seat + 1
    else:
        state.seat = 0
        finish_turn(state)


@kernel
def scores(state, out):
    """What each seat has won at the end; nothing before."""
    best = middle(int(state.total[0]), int(state.total[1]), int(state.total[2]))
    winners = 0
    for seat in range(SEATS):
        winners += state.total[seat] == best
    for seat in range(SEATS):
        wins = state.total[seat] == best
        if state.finished < ROUNDS:
            out[seat] = 0.0
        elif state.rules.payoff == STAKE:
            out[seat] = SEATS - winners if wins else -winners
        else:
            out[seat] = 1.0 if wins else 0.0


@kernel
def laid(state, seat):
    """The card that a seat has laid in the current turn, or -1; of another seat, -1 in a hidden copy."""
    return int(state.table[SEATS * int(state.turn) + seat]) if state.finished < ROUNDS else NO_CARD


@kernel
def has_laid(state, seat):
    """Whether a seat has laid its card of the current turn; everybody knows."""
    return seat < state.seat


@kernel
def all_played(state):
    """The set of all cards that have been turned up."""
    return state.played[0] | state.played[1] | state.played[2]


@kernel
def unseen(state, seat):
    """The cards that a seat has not seen: in the other hands, laid by others in this turn, or not dealt."""
    own = state.hand[seat]
    if has_laid(state, seat):
        own = own | bit(laid(state, seat))
    return ALL & ~(own | all_played(state))


@kernel
def hide(state, seat):
    for other in range(SEATS):
        if other != seat:
            state.hand[other] = ZERO
            if has_laid(state, other):
                state.table[SEATS * int(state.turn) + other] = NO_CARD


@kernel
def guess(state, seat, rng):
    """Deal the unseen cards again; of a hand that has laid a card, any one is it."""
    held = HAND - TURNS * int(state.finished) - int(state.turn)  # of each other seat, a laid card included
    one, two = (seat + 1) % SEATS, (seat + 2) % SEATS
    state.hand[one], state.hand[two], _ = share_out(unseen(state, seat), held, held, 0, rng)
    for other in range(SEATS):
        if other != seat and has_laid(state, other):
            card = any_of(state.hand[other], rng)
            state.hand[other] = state.hand[other] & ~bit(card)
            state.table[SEATS * int(state.turn) + other] = card


@kernel
def playout(state, rng, mask):
    """Any card of the hand, all alike: the playout, quicker than the common one."""
    return any_of(mask[0], rng)
