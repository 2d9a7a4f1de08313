"""What the cards of a hand may do in this trick and later: a network is told this besides the cards.

All of it follows from what a seat can see.
"""

from tefuda.games.tricks.cards import ALL_POINTS, CARDS, RANKS
from tefuda.games.tricks.rules import penalty_on_table, playable, to_move, winning_card
from tefuda.games.tricks.state import PLAY, SEATS, all_played, pack_of, suit_of
from tefuda.kernel.bits import ONE, ZERO, bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel


@kernel
def write_prospects(state, seat, out):
    """The parts of the observation from `playable` on, into places that are 0."""
    may_play = playable(state) if to_move(state) == seat else ZERO
    others = pack_of(state) & ~(state.hand[seat] | all_played(state))
    leads = state.phase == PLAY and state.laid == 0
    best = winning_card(state) if state.laid > 0 else -1
    hand = state.hand[seat]
    while hand != ZERO:
        card = lowest(hand)
        hand = without_lowest(hand)
        of_suit = others & suit_of(card)
        below = count(of_suit & (bit(card) - ONE))
        above = count(of_suit) - below
        out[card] = may_play & bit(card) != ZERO
        out[CARDS + card] = leads or (card > best and card // RANKS == best // RANKS)
        out[2 * CARDS + card] = above / RANKS
        out[3 * CARDS + card] = below / RANKS
        out[4 * CARDS + card] = above == 0
    out[5 * CARDS] = penalty_on_table(state) / ALL_POINTS
    out[5 * CARDS + 1] = state.laid == SEATS - 1
