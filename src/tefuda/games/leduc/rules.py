"""The rules of Leduc poker as kernels on one state record. Cards: 0, 1 jacks, 2, 3 queens, 4, 5 kings; even ones are
spades, odd ones hearts.

Hidden from a seat are the other's card and those left over, until a showdown opens them, and the public card during
the first round of betting.
"""

from itertools import permutations

import numpy as np

from tefuda.contract import Name, Option, RuleBook
from tefuda.kernel.bits import ZERO, bit, count, nth
from tefuda.kernel.compile import kernel, record_type
from tefuda.kernel.random import below

SEATS = 2
CARDS = 6
RANKS, SUITS = 3, 2
RANK_NAMES = (Name("ジャック", "jack"), Name("クイーン", "queen"), Name("キング", "king"))
SUIT_NAMES = (Name("スペード", "spades"), Name("ハート", "hearts"))
NAMES = tuple(Name(f"{suit.ja}の{rank.ja}", f"{rank.en} of {suit.en}") for rank in RANK_NAMES for suit in SUIT_NAMES)
DECK = np.uint64((1 << CARDS) - 1)
UNKNOWN = -1  # a blank card

FOLD, CALL, RAISE = 0, 1, 2  # the actions; a call is a check where there is nothing to call, a raise may be the bet
ROUNDS = 2
MOST_RAISES = 2  # in each round
ANTE = 1
NOBODY = -1

RULEBOOK = RuleBook(
    (
        Option("first_raise", "chips of a raise in the first round, where the ante is 1", low=1, high=20),
        Option("second_raise", "chips of a raise in the second round", low=1, high=20),
    ),
    {"standard": {"first_raise": "2", "second_raise": "4"}},
    {"standard": "as in the paper: ante 1, raises of 2 chips, then of 4"},
)

# A round of betting stands at one of six steps: twice the number of raises, and 1 more when seat 0 began with a check.
#     0 start   1 check   2 raise   3 check, raise   4 raise, raise   5 check, raise, raise
# Seat 0 decides at 0, 3 and 4, seat 1 at 1, 2 and 5. A call at any step but 0 ends the round there, so that a round
# which is over stands at 1 to 5.
STEPS = 2 * (MOST_RAISES + 1)
ENDS = STEPS - 1

# What a seat knows when it decides is the rank of its card, the betting and, in the second round, the rank of the
# public card: 288 information sets. Suits mean nothing.
#     0 to 17     first round: 3 * step + own
#     18 to 287   second round: 18 + 54 * (step at which the first round ended - 1) + 9 * step + 3 * public + own
FIRST_ROUND = STEPS * RANKS
INFORMATION_SETS = FIRST_ROUND + ENDS * STEPS * RANKS * RANKS

State = record_type(
    [
        ("left", np.uint64),  # hidden: the cards left over, as a set
        ("hand", np.int8, SEATS),  # hidden in part: the card of each seat
        ("public", np.int8),  # the card for both, which lies face down until the second round
        ("finished", np.int8),  # rounds of betting that are over, 0 to 2
        ("step", np.int8, ROUNDS),  # where each round stands, 0 to 5
        ("folded", np.int8),  # the seat that has given up, or NOBODY
        ("rules", RULEBOOK.dtype),
    ]
)


@kernel
def rank(card):
    return card // SUITS


@kernel
def is_showdown(state):
    """Whether the cards were compared, and are open."""
    return state.finished == ROUNDS


@kernel
def information_set(state, seat):
    """The number of the information set of the seat that decides now."""
    own = rank(int(state.hand[seat]))
    if state.finished == 0:
        return RANKS * int(state.step[0]) + own
    row = STEPS * (int(state.step[0]) - 1) + int(state.step[1])
    return FIRST_ROUND + RANKS * (RANKS * row + rank(int(state.public))) + own


@kernel
def hide(state, seat):
    if not is_showdown(state):
        state.left = ZERO
        state.hand[1 - seat] = UNKNOWN
        if state.finished == 0:
            state.public = UNKNOWN


@kernel
def guess(state, seat, rng):
    """Deal the cards again that the seat cannot see, in any way."""
    if is_showdown(state):
        return
    unseen = DECK & ~bit(int(state.hand[seat]))
    if state.finished > 0:
        unseen = unseen & ~bit(int(state.public))
    state.hand[1 - seat] = nth(unseen, below(rng, count(unseen)))
    unseen = unseen & ~bit(int(state.hand[1 - seat]))
    if state.finished == 0:
        state.public = nth(unseen, below(rng, count(unseen)))
        unseen = unseen & ~bit(int(state.public))
    state.left = unseen


@kernel
def deal(state, rng):
    state.finished = 0
    state.step[0] = 0
    state.step[1] = 0
    state.folded = NOBODY
    state.hand[0] = below(rng, CARDS)
    guess(state, 0, rng)


def deals(blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All 120 ways to deal three of the cards, each with its chance."""
    cards = np.array(list(permutations(range(CARDS), SEATS + 1)))
    tables = np.repeat(blank, len(cards))
    tables["hand"], tables["public"], tables["folded"] = cards[:, :SEATS], cards[:, SEATS], NOBODY
    tables["left"] = [int(DECK) - sum(1 << int(card) for card in dealt) for dealt in cards]
    return np.full(len(cards), 1 / len(cards)), tables


@kernel
def to_move(state):
    if state.folded != NOBODY or is_showdown(state):
        return -1
    step = int(state.step[state.finished])
    return (step // 2 + step) % 2


@kernel
def raises(state):
    """How often was raised in the round that is going on, or in the last one."""
    return int(state.step[min(int(state.finished), ROUNDS - 1)]) // 2


@kernel
def legal(state, mask):
    mask[0] = ZERO
    if to_move(state) >= 0:
        mask[0] = bit(CALL)
        if raises(state) > 0:
            mask[0] = mask[0] | bit(FOLD)
        if raises(state) < MOST_RAISES:
            mask[0] = mask[0] | bit(RAISE)


@kernel
def apply(state, action):
    going = int(state.finished)
    if action == FOLD:
        state.folded = to_move(state)
    elif action == RAISE:
        state.step[going] += 2
    elif state.step[going] == 0:
        state.step[going] = 1
    else:
        state.finished += 1


@kernel
def stake(state, seat):
    """The chips that a seat has put into the pot. Who has been raised, and has not answered, is one raise behind."""
    first, second = int(state.step[0]) // 2, int(state.step[1]) // 2
    behind = to_move(state) if state.folded == NOBODY else int(state.folded)
    if seat == behind and state.finished == 0:
        first = max(0, first - 1)
    elif seat == behind:
        second = max(0, second - 1)
    return ANTE + first * int(state.rules.first_raise) + second * int(state.rules.second_raise)


@kernel
def strength(state, seat):
    """What a seat's card is worth at a showdown: a pair with the public card beats all, then the higher rank wins."""
    own = rank(int(state.hand[seat]))
    return RANKS if own == rank(int(state.public)) else own


@kernel
def scores(state, out):
    """What each seat has won, in chips: nothing before the end, for chips in the pot are nobody's yet."""
    gain = 0
    if state.folded != NOBODY:
        lost = stake(state, int(state.folded))
        gain = -lost if state.folded == 0 else lost
    elif is_showdown(state) and strength(state, 0) != strength(state, 1):
        gain = stake(state, 0) if strength(state, 0) > strength(state, 1) else -stake(state, 0)
    out[0] = gain
    out[1] = -gain
