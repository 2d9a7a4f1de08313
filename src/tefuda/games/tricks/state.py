"""One table of trick-taking or Hearts, and what can be read from it at once."""

import numpy as np

from tefuda.games.tricks.cards import CARDS, HAND_OF, ONE_SUIT, PACK_OF, RANKS
from tefuda.games.tricks.options import HEARTS_POINTS, RULEBOOK
from tefuda.kernel.bits import lowest
from tefuda.kernel.compile import kernel, record_type

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
def all_played(state):
    """The set of all cards played this deal."""
    return state.played[0] | state.played[1] | state.played[2] | state.played[3]
