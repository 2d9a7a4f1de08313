"""The rules of Kuhn poker as kernels on one state record. Cards: 0 jack, 1 queen, 2 king.

A pass is a check, or a fold once there is a bet; a bet is a bet, or a call once there is one. Hidden from a
seat are the other's card and the one left over, until a showdown opens them.
"""

from itertools import permutations

import numpy as np

from tefuda.contract import Name, Option, RuleBook
from tefuda.kernel.bits import ZERO
from tefuda.kernel.compile import kernel, record_type
from tefuda.kernel.random import below

SEATS = 2
CARDS = 3
NAMES = (Name("ジャック", "jack"), Name("クイーン", "queen"), Name("キング", "king"))
LEFT_OVER = 2  # the place of the third card, behind the cards of the seats
UNKNOWN = -1  # a blank card

PASS, BET = 0, 1  # the actions
BOTH = np.uint64(3)  # both of them, as a set

ANTE = 1
RULEBOOK = RuleBook(
    (Option("bet", "chips of the one bet, where the ante is 1", low=1, high=9),),
    {"standard": {"bet": "1"}},
    {"standard": "Kuhn's own game: ante 1, bet 1"},
)

# The betting so far, one number for each of the nine ways.
START, CHECKED, BET_FIRST, CHECKED_BET = 0, 1, 2, 3  # somebody decides
CHECKED_CHECKED, BET_CALLED, CHECKED_BET_CALLED = 4, 5, 6  # a showdown
BET_FOLDED, CHECKED_BET_FOLDED = 7, 8
DECISIONS, BETTINGS = 4, 9  # the number of those in which somebody decides, and of all

_TREE = np.array(
    [  # seat that decides, betting after its pass, betting after its bet
        (0, CHECKED, BET_FIRST),  # START
        (1, CHECKED_CHECKED, CHECKED_BET),  # CHECKED
        (1, BET_FOLDED, BET_CALLED),  # BET_FIRST
        (0, CHECKED_BET_FOLDED, CHECKED_BET_CALLED),  # CHECKED_BET
    ]
)

# What a seat knows when it decides is its card and the betting: twelve information sets, numbered
# 3 * betting + card everywhere, in observations and in tables of policies:
#     0 to 2   first seat opens                     with jack, queen, king
#     3 to 5   second seat, after a check           with jack, queen, king
#     6 to 8   second seat, after a bet             with jack, queen, king
#     9 to 11  first seat, after a check and a bet  with jack, queen, king
INFORMATION_SETS = DECISIONS * CARDS

State = record_type(
    [
        ("card", np.int8, 3),  # hidden in part: the card of seat 0, of seat 1, and the one left over
        ("betting", np.int8),  # START to CHECKED_BET_FOLDED
        ("rules", RULEBOOK.dtype),
    ]
)


@kernel
def is_showdown(state):
    """Whether the cards were compared, and are open."""
    return CHECKED_CHECKED <= state.betting <= CHECKED_BET_CALLED


@kernel
def information_set(state, seat):
    """The number of the information set of the seat that decides now."""
    return CARDS * int(state.betting) + int(state.card[seat])


@kernel
def hide(state, seat):
    if not is_showdown(state):
        state.card[1 - seat] = UNKNOWN
        state.card[LEFT_OVER] = UNKNOWN


@kernel
def guess(state, seat, rng):
    """Give one of the two cards that the seat cannot see to the other, and leave one over."""
    if is_showdown(state):
        return
    own = int(state.card[seat])
    given = (own + 1 + below(rng, 2)) % CARDS
    state.card[1 - seat] = given
    state.card[LEFT_OVER] = 3 - own - given  # the three cards add up to 3


@kernel
def deal(state, rng):
    state.betting = START
    state.card[0] = below(rng, CARDS)
    guess(state, 0, rng)


def deals(blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All six deals, each with its chance."""
    cards = list(permutations(range(CARDS)))
    tables = np.repeat(blank, len(cards))
    tables["card"], tables["betting"] = cards, START
    return np.full(len(cards), 1 / len(cards)), tables


@kernel
def to_move(state):
    return int(_TREE[state.betting, 0]) if state.betting < DECISIONS else -1


@kernel
def legal(state, mask):
    mask[0] = BOTH if to_move(state) >= 0 else ZERO


@kernel
def apply(state, action):
    state.betting = _TREE[state.betting, 1 + action]


@kernel
def scores(state, out):
    """What each seat has won, in chips: nothing before the end, for chips in the pot are nobody's yet."""
    stake = ANTE if to_move(state) < 0 else 0
    if BET_CALLED <= state.betting <= CHECKED_BET_CALLED:
        stake += int(state.rules.bet)
    if is_showdown(state):
        first_wins = state.card[0] > state.card[1]
    else:
        first_wins = state.betting == BET_FOLDED
    gain = stake if first_wins else -stake
    out[0] = gain
    out[1] = -gain
