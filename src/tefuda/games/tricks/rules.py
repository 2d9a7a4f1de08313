"""The rules of trick-taking and of Hearts as kernels on one state record.

A decision is a card: in the phase PASS one of the three to give away, in the phase PLAY the card to play.
"""

from tefuda.games.tricks.cards import (
    ALL,
    ALL_HEARTS,
    HEARTS,
    JACK_OF_DIAMONDS,
    JACK_POINTS,
    PENALTY,
    POINTS_OF,
    QUEEN_OF_SPADES,
    QUEEN_POINTS,
    RANKS,
)
from tefuda.games.tricks.options import LEFT, MOST_DEALS, NO_MOON, OTHERS_UP, RIGHT, ROTATION
from tefuda.games.tricks.state import (
    OVER,
    PASS,
    PLAY,
    SEATS,
    all_played,
    first_card,
    hand_size,
    is_hearts,
    pack_of,
    suit_of,
    to_pass,
)
from tefuda.kernel.bits import ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import DEAL, below, draw, stream


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
