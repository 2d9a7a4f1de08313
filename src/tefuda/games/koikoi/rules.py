"""The rules of Koi-Koi as kernels on one state record.

A decision is a card (to play from the hand, or to take from the field when two fit) or agari or koi-koi; which of
these is asked is the phase.
"""

import numpy as np

from tefuda.games.koikoi.cards import CARDS, CARDS_IN, FIELD_OF, HAND_OF, MONTHS
from tefuda.games.koikoi.options import ALTERNATE, NEVER, POINTS, REDEAL, THREE, WINNER_OR_OTHER
from tefuda.games.koikoi.state import (
    AGARI,
    CALL,
    DRAWN,
    HAND,
    KOIKOI,
    MATCH,
    OVER,
    SEATS,
    UNKNOWN,
    has_played,
    month_of,
    months_in,
    turned,
)
from tefuda.games.koikoi.yaku import (
    DEALT_POINTS,
    KUTTSUKI,
    TESHI,
    has_kuttsuki,
    has_teshi,
    round_points,
    yaku_mask,
    yaku_points,
)
from tefuda.kernel.bits import ZERO, bit, count
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import DEAL, below, draw, stream


@kernel
def most_of_a_month(mask):
    """The largest number of cards of one month in a set."""
    most = 0
    for month in range(MONTHS):
        most = max(most, count((mask >> np.uint64(4 * month)) & np.uint64(15)))
    return most


@kernel
def shuffle(deck, cards, first, last, rng):
    """Put random cards of deck[first:cards] into the places from first to last - 1."""
    for place in range(first, last):
        other = place + below(rng, cards - place)
        card = deck[place]
        deck[place] = deck[other]
        deck[other] = card


@kernel
def set_of(deck, first, last):
    """The set of the cards in some places of the deck."""
    mask = ZERO
    for place in range(first, last):
        mask = mask | bit(deck[place])
    return mask


@kernel
def dealt_yaku(state, seat):
    """The yaku that a seat was dealt and is paid for, or -1."""
    if state.rules.teshi == POINTS and has_teshi(state.hand[seat]):
        return TESHI
    if state.rules.kuttsuki == POINTS and has_kuttsuki(state.hand[seat]):
        return KUTTSUKI
    return -1


@kernel
def must_redeal(state):
    """Whether the rules want another deal; so too when both seats were dealt a yaku that is paid."""
    rules = state.rules
    for seat in range(SEATS):
        if rules.teshi == REDEAL and has_teshi(state.hand[seat]):
            return True
        if rules.kuttsuki == REDEAL and has_kuttsuki(state.hand[seat]):
            return True
    if dealt_yaku(state, 0) >= 0 and dealt_yaku(state, 1) >= 0:
        return True
    if rules.field != NEVER:
        most = most_of_a_month(state.field)
        return most == 4 or (rules.field == THREE and most == 3)
    return False


@kernel
def settle(state, winner, paid, yaku):
    """Close a round: pay, and name the next dealer. The winner is -1 when nobody won."""
    if winner >= 0:
        state.score[winner] += paid
        state.score[1 - winner] -= paid
    state.won = winner
    state.paid = paid
    state.yaku = yaku
    state.called[0] = state.calls[0]
    state.called[1] = state.calls[1]
    state.finished += 1
    if state.finished >= state.rules.rounds:
        state.phase = OVER
        return
    if state.rules.next_dealer == ALTERNATE or (state.rules.next_dealer == WINNER_OR_OTHER and winner < 0):
        state.dealer = 1 - state.dealer
    elif winner >= 0:
        state.dealer = winner


@kernel
def begin_round(state):
    """Deal the next round; the deal depends on the key and the number of the round alone."""
    state.shuffle[0] = stream(state.key[0], state.finished, 0, DEAL)
    cards, hand = CARDS_IN[state.rules.pack], HAND_OF[state.rules.pack]
    dealt = 2 * hand + FIELD_OF[state.rules.pack]
    while True:
        for card in range(CARDS):
            state.deck[card] = card if card < cards else UNKNOWN
        shuffle(state.deck, cards, 0, turned(state.rules), state.shuffle)
        state.hand[0] = set_of(state.deck, 0, hand)
        state.hand[1] = set_of(state.deck, hand, 2 * hand)
        state.field = set_of(state.deck, 2 * hand, dealt)
        if not must_redeal(state):
            break
    for seat in range(SEATS):
        state.pile[seat] = ZERO
        state.played[seat] = ZERO
        state.points[seat] = 0
        state.passed[seat] = ZERO
        state.cards[seat] = hand
        state.calls[seat] = 0
    state.next = dealt
    state.turn = 0
    state.phase = HAND
    state.seat = state.dealer
    state.took = 0
    state.card = -1
    for seat in range(SEATS):
        if dealt_yaku(state, seat) >= 0:  # its holder only has to show it
            state.phase = CALL
            state.seat = seat


@kernel
def finish_round(state, winner, paid, yaku):
    settle(state, winner, paid, yaku)
    if state.phase != OVER:
        begin_round(state)


@kernel
def deal(state, rng):
    state.key[0] = draw(rng)
    state.score[0] = 0
    state.score[1] = 0
    state.finished = 0
    state.dealer = 0
    state.won = -1
    state.paid = 0
    state.yaku = 0
    state.called[0] = 0
    state.called[1] = 0
    begin_round(state)


@kernel
def to_move(state):
    return -1 if state.phase == OVER else int(state.seat)


@kernel
def legal(state, mask):
    if state.phase == HAND:
        mask[0] = state.hand[state.seat]
    elif state.phase == CALL:
        mask[0] = bit(AGARI) | bit(KOIKOI) if has_played(state, int(state.seat)) else bit(AGARI)
    elif state.phase == OVER:
        mask[0] = ZERO
    else:
        mask[0] = state.field & month_of(state.card)


@kernel
def win(state):
    """The seat in turn takes its points."""
    seat = int(state.seat)
    if not has_played(state, seat):
        finish_round(state, seat, DEALT_POINTS, 1 << dealt_yaku(state, seat))
        return
    calls = int(state.calls[seat])
    paid = round_points(int(state.points[seat]), calls, int(state.calls[1 - seat]), state.rules)
    finish_round(state, seat, paid, yaku_mask(state.pile[seat], calls, state.rules))


@kernel
def next_turn(state):
    state.turn += 1
    state.seat = 1 - state.seat
    state.phase = HAND
    state.took = 0
    if state.cards[state.seat] == 0:  # both hands are played out and nobody has won
        if state.rules.exhausted > 0:
            finish_round(state, state.dealer, int(state.rules.exhausted), 0)
        else:
            finish_round(state, -1, 0, 0)


@kernel
def end_turn(state):
    """Offer agari or koi-koi when the points rose; without a choice it is agari."""
    seat = int(state.seat)
    points = 0
    if state.took:
        points = yaku_points(state.pile[seat], int(state.calls[seat]), state.rules)
    if points <= state.points[seat]:
        next_turn(state)
        return
    state.points[seat] = points
    limit = state.rules.koikoi_limit
    if state.cards[seat] == 0 or (limit > 0 and state.calls[0] + state.calls[1] >= limit):
        win(state)
    else:
        state.phase = CALL


@kernel
def capture(state, card, taken):
    """Move a card and the field cards it takes (none: it stays on the field) to where they belong."""
    if taken == ZERO:
        state.field = state.field | bit(card)
    else:
        state.field = state.field & ~taken
        state.pile[state.seat] = state.pile[state.seat] | taken | bit(card)
        state.took = 1
    state.card = -1


@kernel
def place(state, card, phase_of_choice):
    """Lay a card on the field; False when the seat must first choose which of two it takes."""
    taken = state.field & month_of(card)
    if count(taken) == 2:
        state.card = card
        state.phase = phase_of_choice
        return False
    capture(state, card, taken)
    return True


@kernel
def turn_up(state):
    """Draw from the deck, and end the turn unless there is a choice."""
    card = int(state.deck[state.next])
    state.next += 1
    if place(state, card, DRAWN):
        end_turn(state)


@kernel
def apply(state, action):
    seat = int(state.seat)
    if state.phase == HAND:
        state.hand[seat] = state.hand[seat] & ~bit(action)
        state.played[seat] = state.played[seat] | bit(action)
        state.cards[seat] -= 1
        if state.field & month_of(action) == ZERO:
            state.passed[seat] = state.passed[seat] | months_in(state.field)
        if place(state, action, MATCH):
            turn_up(state)
    elif state.phase == MATCH:
        capture(state, int(state.card), bit(action))
        turn_up(state)
    elif state.phase == DRAWN:
        capture(state, int(state.card), bit(action))
        end_turn(state)
    elif action == AGARI:
        win(state)
    else:
        state.calls[seat] += 1
        state.points[seat] = yaku_points(state.pile[seat], int(state.calls[seat]), state.rules)
        next_turn(state)


@kernel
def end_here(state):
    """Make the round being played the last one."""
    state.rules.rounds = state.finished + 1


@kernel
def scores(state, out):
    out[0] = state.score[0]
    out[1] = state.score[1]
