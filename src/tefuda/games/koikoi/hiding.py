"""What a seat may know of a table of Koi-Koi, and how the rest is dealt again.

Hidden from a seat are the other hand, the deck and the source of later deals.
"""

from tefuda.games.koikoi.cards import CARDS, CARDS_IN, PACK_OF
from tefuda.games.koikoi.options import PLAY_ON
from tefuda.games.koikoi.rules import set_of, shuffle
from tefuda.games.koikoi.state import CALL, OVER, UNKNOWN, has_played, turned, waiting_card
from tefuda.games.koikoi.yaku import has_kuttsuki, has_teshi
from tefuda.kernel.bits import ZERO, lowest, without_lowest
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import draw


@kernel
def unseen(state, seat):
    """The set of the cards that a seat cannot see: the other hand and the deck."""
    seen = state.hand[seat] | state.pile[0] | state.pile[1] | state.field | waiting_card(state)
    return PACK_OF[state.rules.pack] & ~seen


@kernel
def hide(state, seat):
    state.hand[1 - seat] = ZERO
    state.key[0] = ZERO
    state.shuffle[0] = ZERO
    for place in range(CARDS):
        state.deck[place] = UNKNOWN


@kernel
def hand_is_possible(state, seat):
    """Whether a seat can have been dealt what it holds and has played: some hands end or repeat the deal at once."""
    dealt = state.hand[seat] | state.played[seat]
    teshi = state.rules.teshi != PLAY_ON and has_teshi(dealt)
    kuttsuki = state.rules.kuttsuki != PLAY_ON and has_kuttsuki(dealt)
    shown = state.phase == CALL and state.seat == seat and not has_played(state, seat)  # it is paid for a dealt yaku
    return (teshi or kuttsuki) == shown


@kernel
def guess(state, seat, rng):
    """Deal the unseen cards again: to the other hand and to the deck, until the hand is a possible one."""
    other = 1 - seat
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    if state.phase == OVER:
        return
    first = int(state.next) - int(state.cards[other])  # unseen cards lie here and behind, the other hand first
    while True:
        rest = unseen(state, seat)
        for place in range(CARDS):
            state.deck[place] = UNKNOWN
        place = first
        while rest != ZERO:
            state.deck[place] = lowest(rest)
            rest = without_lowest(rest)
            place += 1
        shuffle(state.deck, CARDS_IN[state.rules.pack], first, turned(state.rules), rng)
        state.hand[other] = set_of(state.deck, first, int(state.next))
        for place in range(first, int(state.next)):
            state.deck[place] = UNKNOWN
        if hand_is_possible(state, other):
            return
