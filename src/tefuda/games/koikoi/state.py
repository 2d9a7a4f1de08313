"""One table of Koi-Koi, and what can be read from it at once."""

import numpy as np

from tefuda.games.koikoi.cards import CARDS, FIELD_OF, FIRST_OF_MONTHS, HAND_OF
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.kernel.bits import ZERO, bit
from tefuda.kernel.compile import kernel, record_type

SEATS = 2
AGARI, KOIKOI = 48, 49  # the actions after the 48 cards
ACTIONS = 50

HAND, MATCH, DRAWN, CALL, OVER = 0, 1, 2, 3, 4  # phases: play a card, take for it, take for the drawn card, agari?
UNKNOWN = 255  # a blank in the deck
LONGEST = 16 * 4  # decisions of a round: in each of 16 turns a card, two choices and a call

State = record_type(
    [
        ("hand", np.uint64, 2),  # hidden but the own one: cards in each hand
        ("pile", np.uint64, 2),  # captured cards
        ("played", np.uint64, 2),  # cards that each seat has played from its hand this round
        ("field", np.uint64),  # cards on the field
        ("key", np.uint64, 1),  # hidden: the source of all deals of this match
        ("shuffle", np.uint64, 1),  # hidden: generator of the current deal
        ("deck", np.uint8, CARDS),  # hidden: both hands, the field, then the deck in the order of drawing; then blanks
        ("score", np.int16, 2),  # points won and lost in the rounds before
        ("points", np.int16, 2),  # yaku points when they were last looked at
        ("passed", np.uint64, 2),  # months (first bit of each) on the field when the seat played and took nothing
        ("cards", np.int8, 2),  # number of cards in each hand
        ("calls", np.int8, 2),  # koi-koi calls of this round
        ("next", np.int8),  # place in the deck of the next card to be drawn
        ("turn", np.int8),  # turns taken in this round, 0 to 16
        ("phase", np.int8),  # 0 play a card, 1 take for it, 2 take for the drawn card, 3 agari or koi-koi, 4 over
        ("seat", np.int8),  # whose turn it is
        ("dealer", np.int8),  # who began this round
        ("finished", np.int8),  # rounds finished
        ("took", np.int8),  # whether this turn has captured anything
        ("card", np.int8),  # card just played or drawn that waits for a choice, or -1
        ("won", np.int8),  # last finished round: its winner, or -1
        ("paid", np.int16),  # last finished round: points paid
        ("yaku", np.uint16),  # last finished round: the winner's yaku, as bits
        ("called", np.int8, 2),  # last finished round: koi-koi calls
        ("rules", RULEBOOK.dtype),
    ]
)


@kernel
def month_of(card):
    """The set of the four cards of a card's month."""
    return np.uint64(15) << np.uint64(4 * (card // 4))


@kernel
def months_in(mask):
    """Which months are in a set of cards: the bit of the first card of each."""
    mask = mask | (mask >> np.uint64(1))
    return (mask | (mask >> np.uint64(2))) & FIRST_OF_MONTHS


@kernel
def turned(rules):
    """How many cards are dealt or turned up in a round that runs to its end; those behind never come up."""
    return 4 * HAND_OF[rules.pack] + FIELD_OF[rules.pack]


@kernel
def has_played(state, seat):
    """Whether a seat has played a card this round."""
    return state.cards[seat] < HAND_OF[state.rules.pack]


@kernel
def waiting_card(state):
    """The card that waits for a choice, as a set."""
    return bit(state.card) if state.card >= 0 else ZERO
