"""What cards would bring: how near a pile is to each yaku, and by how much a capture would raise it.

A network is told this besides the cards, and `pg-linear` measures captures by it. All of it follows from what a seat
can see.
"""

import numpy as np

from tefuda.games.koikoi.cards import CARDS, PACK_OF, PACKS
from tefuda.games.koikoi.hiding import unseen
from tefuda.games.koikoi.rules import to_move
from tefuda.games.koikoi.state import month_of, waiting_card
from tefuda.games.koikoi.yaku import NEAR, NEEDED, YAKU, yaku_points
from tefuda.kernel.bits import ZERO, bit, count, lowest, without_lowest
from tefuda.kernel.compile import kernel

KINDS = len(NEAR)
# [packs, kinds] the yaku that piles come near to, and how many cards of each make it
_YAKU = np.array([[YAKU[which].cards & PACK_OF[pack] for which in NEAR] for pack in range(len(PACKS))], np.uint64)
_NEEDED = np.ascontiguousarray(NEEDED[:, NEAR])
WHOLE = 1 << 12  # the weight of a yaku that is complete; it halves with every card that is missing
_TENS = 10.0


@kernel
def nearness(kind, pile, other_pile, pack):
    """How near a pile is to one kind of yaku: halves with each missing card, 0 when impossible."""
    yaku, needed = _YAKU[pack, kind], _NEEDED[pack, kind]
    missing = needed - count(pile & yaku)
    if missing <= 0:
        return WHOLE
    if count(yaku & ~other_pile) < needed:
        return 0
    return WHOLE >> missing


@kernel
def early_finish(pile, other_pile, pack):
    """Towards any yaku soon: how near each is, whatever it pays."""
    total = 0
    for kind in range(KINDS):
        total += nearness(kind, pile, other_pile, pack)
    return total


@kernel
def standing(state, owner):
    """What a seat's pile is worth as it is: its yaku points, and how near it is to more."""
    pile, other_pile, pack = state.pile[owner], state.pile[1 - owner], int(state.rules.pack)
    return yaku_points(pile, int(state.calls[owner]), state.rules), early_finish(pile, other_pile, pack)


@kernel
def weigh(state, owner, now, taken, card, gains, nearer):
    """Write at a card what capturing a set would bring its owner beyond how it stands now, where that is more than what
    is written there."""
    points, near = now
    pile = state.pile[owner] | taken
    gain = yaku_points(pile, int(state.calls[owner]), state.rules) - points
    gains[card] = max(float(gains[card]), gain / _TENS)
    then = early_finish(pile, state.pile[1 - owner], int(state.rules.pack))
    nearer[card] = max(float(nearer[card]), (then - near) / WHOLE)


@kernel
def write_own(state, seat, fits, gains, nearer):
    """For each card that the seat could play to the field, or take when two fit: what that would bring it at once."""
    now = standing(state, seat)
    hand = state.hand[seat]
    while hand != ZERO:
        card = lowest(hand)
        hand = without_lowest(hand)
        fitting = state.field & month_of(card)
        if fitting == ZERO:
            continue
        fits[card] = 1.0
        if count(fitting) == 2:
            first = bit(lowest(fitting))
            weigh(state, seat, now, bit(card) | first, card, gains, nearer)
            weigh(state, seat, now, bit(card) | (fitting & ~first), card, gains, nearer)
        else:
            weigh(state, seat, now, bit(card) | fitting, card, gains, nearer)
    waiting = waiting_card(state)
    if waiting == ZERO or to_move(state) != seat:
        return
    fitting = state.field & month_of(state.card)
    while fitting != ZERO:
        card = lowest(fitting)
        fitting = without_lowest(fitting)
        fits[card] = 1.0
        weigh(state, seat, now, waiting | bit(card), card, gains, nearer)


@kernel
def write_other(state, seat, gains, nearer):
    """For each card that lies on the field, or would when the seat gives it: what it would bring the other, who may
    hold any unseen card of its month."""
    other = 1 - seat
    now = standing(state, other)
    hidden = unseen(state, seat)
    rest = state.field | state.hand[seat]
    while rest != ZERO:
        card = lowest(rest)
        rest = without_lowest(rest)
        lying = state.field & month_of(card)
        if state.field & bit(card) == ZERO and lying != ZERO:
            continue  # played, it is not given but takes
        taken = lying if count(lying) == 3 else bit(card)
        partners = hidden & month_of(card)
        while partners != ZERO:
            weigh(state, other, now, taken | bit(lowest(partners)), card, gains, nearer)
            partners = without_lowest(partners)


@kernel
def write_prospects(state, seat, out):
    """The parts of the observation from `fits` to `other_near`."""
    for place in range(5 * CARDS + 2 * KINDS):
        out[place] = 0.0
    write_own(state, seat, out[:CARDS], out[CARDS : 2 * CARDS], out[2 * CARDS : 3 * CARDS])
    write_other(state, seat, out[3 * CARDS : 4 * CARDS], out[4 * CARDS : 5 * CARDS])
    pack = int(state.rules.pack)
    for kind in range(KINDS):
        out[5 * CARDS + kind] = nearness(kind, state.pile[seat], state.pile[1 - seat], pack) / WHOLE
        out[5 * CARDS + KINDS + kind] = nearness(kind, state.pile[1 - seat], state.pile[seat], pack) / WHOLE
