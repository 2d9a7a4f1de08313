"""Which actions the seat to move may take."""

import numpy as np

from tefuda.games.mahjong.actions import (
    CHI,
    DISCARD,
    KAN,
    NINE,
    OPEN_KAN,
    PASS,
    RIICHI,
    RON,
    TSUMO,
    TSUMOGIRI,
    kind_of_face,
)
from tefuda.games.mahjong.calls import MOST_KANS, claims, pon_of
from tefuda.games.mahjong.shanten import shanten, useful
from tefuda.games.mahjong.state import CLAIM, DECLARED, OVER, TURN, is_closed, left_in_wall
from tefuda.games.mahjong.tiles import KINDS, ORPHANS
from tefuda.games.mahjong.win import can_ron, can_tsumo
from tefuda.kernel.bits import ZERO, bit, count, has, lowest, without_lowest
from tefuda.kernel.compile import kernel

WORD = 64
STICK = 1000  # points of a riichi stick
TILES_FOR_RIICHI = 4  # that must be left in the wall
ORPHANS_FOR_ABORT = 9
ALL_KINDS = np.uint64((1 << KINDS) - 1)


@kernel
def allow(mask, action):
    mask[action // WORD] = mask[action // WORD] | bit(action % WORD)


@kernel
def kinds_in(faces):
    """The kinds of some faces."""
    kinds = faces & ALL_KINDS
    for suit in range(3):
        if has(faces, KINDS + suit):
            kinds = kinds | bit(9 * suit + 4)
    return kinds


@kernel
def faces_of_kinds(kinds):
    """All faces that tiles of some kinds can have."""
    faces = kinds
    for suit in range(3):
        if has(kinds, 9 * suit + 4):
            faces = faces | bit(KINDS + suit)
    return faces


@kernel
def ready_discards(state, seat):
    """The kinds whose discard leaves the hand of the seat in turn ready; looked for only when it is near that."""
    found = ZERO
    if state.far[seat] > 1 or state.drawn < 0:
        return found
    hand, melds = state.hand[seat], np.int64(state.meld_count[seat])
    drawn = kind_of_face(np.int64(state.drawn))
    hand[drawn] += 1  # put back below: the table is only looked at
    if shanten(hand, melds) <= 0:
        kinds = kinds_in(state.faces[seat]) | bit(drawn)
        while kinds != ZERO:
            kind = lowest(kinds)
            kinds = without_lowest(kinds)
            hand[kind] -= 1
            if shanten(hand, melds) == 0:
                found = found | bit(kind)
            hand[kind] += 1
    hand[drawn] -= 1
    return found


@kernel
def may_riichi(state, seat):
    """Whether riichi is allowed, if the hand can be ready."""
    return (
        state.riichi[seat] == 0
        and state.points[seat] >= STICK
        and left_in_wall(state) >= TILES_FOR_RIICHI
        and is_closed(state, seat)
    )


@kernel
def keeps_waits(state, seat, kind):
    """Whether a closed kan in riichi with the tile just drawn leaves the waits as they are."""
    hand, melds = state.hand[seat], np.int64(state.meld_count[seat]) + 1
    before = int(hand[kind])
    hand[kind] = 0  # put back below
    same = shanten(hand, melds) == 0 and useful(hand, melds) == state.waits[seat]
    hand[kind] = before
    return same


@kernel
def may_kan(state, seat):
    """Whether the seat in turn may make a kan of its own, if it has the tiles."""
    return state.drawn >= 0 and state.kans < MOST_KANS and left_in_wall(state) > 0


@kernel
def own_kans(state, seat):
    """The kinds of which the seat in turn may make a closed or an added kan."""
    found = ZERO
    if not may_kan(state, seat):
        return found
    drawn = kind_of_face(np.int64(state.drawn))
    hand = state.hand[seat]
    if state.riichi[seat] != 0:
        return bit(drawn) if hand[drawn] == 3 and keeps_waits(state, seat, drawn) else found
    kinds = kinds_in(state.faces[seat])
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        held = int(hand[kind]) + (kind == drawn)
        if held == 4 or (state.meld_count[seat] > 0 and pon_of(state, seat, kind) >= 0):
            found = found | bit(kind)
    if state.meld_count[seat] > 0 and pon_of(state, seat, drawn) >= 0:
        found = found | bit(drawn)
    return found


@kernel
def may_abort(state, seat):
    """Nine different terminals and honours before anybody has called and the seat has discarded."""
    if state.rules.aborts == 0 or state.untouched == 0 or state.discards[seat] != 0 or state.drawn < 0:
        return False
    return count((state.faces[seat] | bit(kind_of_face(np.int64(state.drawn)))) & ORPHANS) >= ORPHANS_FOR_ABORT


@kernel
def legal_in_turn(state, seat, mask):
    """After a draw or a call."""
    if state.drawn >= 0:
        allow(mask, TSUMOGIRI)
        if can_tsumo(state, seat):
            allow(mask, TSUMO)
    if state.riichi[seat] == 0:
        mask[0] = mask[0] | (state.faces[seat] & ~faces_of_kinds(state.forbidden))
        if may_abort(state, seat):
            allow(mask, NINE)
        if state.far[seat] <= 1 and may_riichi(state, seat) and ready_discards(state, seat) != ZERO:
            allow(mask, RIICHI)
    kans = own_kans(state, seat)
    while kans != ZERO:
        allow(mask, KAN + lowest(kans))
        kans = without_lowest(kans)


@kernel
def legal_after_riichi(state, seat, mask):
    """The discards that leave the hand ready."""
    kinds = ready_discards(state, seat)
    mask[0] = mask[0] | (state.faces[seat] & faces_of_kinds(kinds))
    if has(kinds, kind_of_face(np.int64(state.drawn))):
        allow(mask, TSUMOGIRI)


@kernel
def legal(state, mask):
    mask[0] = ZERO
    mask[1] = ZERO
    seat = np.int64(state.seat)
    if state.phase == TURN:
        legal_in_turn(state, seat, mask)
    elif state.phase == DECLARED:
        legal_after_riichi(state, seat, mask)
    elif state.phase != OVER:
        allow(mask, PASS)
        if can_ron(state, seat):
            allow(mask, RON)
        if state.phase == CLAIM:
            mask[0] = mask[0] | (claims(state, seat) << np.uint64(CHI))


assert DISCARD == 0
assert OPEN_KAN < WORD  # discards and calls are in the first word
