"""What the cards of a hand may do: how likely each is the middle one, and whether its points would lie in the middle.

A network is told this besides the cards. All of it follows from what a seat can see.
"""

from tefuda.games.saichugen.cards import CARDS
from tefuda.games.saichugen.rules import SEATS, middle, number_of, unseen
from tefuda.kernel.bits import ONE, ZERO, bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel

MOST = 40  # points told apart; more are as good as so many


@kernel
def write_chances(state, seat, below, scores):
    """For each card of the hand: the share of unseen cards below it, and the chance to score with it when both others
    lay any unseen card."""
    hidden = unseen(state, seat)
    size = count(hidden)
    hand = state.hand[seat]
    while hand != ZERO:
        card = lowest(hand)
        hand = without_lowest(hand)
        under = count(hidden & (bit(card) - ONE))
        below[card] = under / size
        scores[card] = 2.0 * under * (size - under) / (size * (size - 1.0))


@kernel
def write_aims(state, seat, round_aims, game_aims):
    """For each card of the hand: whether its points would bring the seat to the middle of the round, and of the game,
    as the others stand."""
    left, right = (seat + 1) % SEATS, (seat + 2) % SEATS
    sum_now, total_now = int(state.points[seat]), int(state.total[seat])
    hand = state.hand[seat]
    while hand != ZERO:
        card = lowest(hand)
        hand = without_lowest(hand)
        reached = sum_now + number_of(card)
        round_aims[card] = middle(reached, int(state.points[left]), int(state.points[right])) == reached
        reached += total_now
        game_aims[card] = middle(reached, int(state.total[left]), int(state.total[right])) == reached


@kernel
def write_number(number, out):
    """A number of points as one of MOST places."""
    out[min(number, MOST - 1)] = 1.0


@kernel
def write_prospects(state, seat, out):
    """The parts of the observation from `below` on, into places that are 0."""
    write_chances(state, seat, out[:CARDS], out[CARDS : 2 * CARDS])
    write_aims(state, seat, out[2 * CARDS : 3 * CARDS], out[3 * CARDS : 4 * CARDS])
    for place in range(SEATS):
        other = (seat + place) % SEATS
        first = 4 * CARDS + place * MOST
        write_number(int(state.points[other]), out[first : first + MOST])
        first += SEATS * MOST
        write_number(int(state.total[other]), out[first : first + MOST])
