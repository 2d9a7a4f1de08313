"""Calls: which claims a discard allows, and how tiles become a meld."""

import numpy as np

from tefuda.games.mahjong import hand
from tefuda.games.mahjong.actions import CHI, OPEN_KAN, PON, kind_of_face, red_of_kind
from tefuda.games.mahjong.hand import is_kan, meld_kind, meld_of
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    MELDS,
    SEATS,
    left_in_wall,
    meld_note,
    plain_tiles,
    put_tile,
    take_tile,
)
from tefuda.games.mahjong.tiles import DRAGONS, HONOURS, WINDS
from tefuda.kernel.bits import ZERO, bit, has
from tefuda.kernel.compile import kernel

MOST_KANS = 4
RUN, TRIPLET, QUAD, ADDED_KAN, CLOSED_KAN = (  # types of melds
    np.int64(each) for each in (hand.CHI, hand.PON, hand.OPEN_KAN, hand.ADDED_KAN, hand.CLOSED_KAN)
)
NO, YES = np.int64(0), np.int64(1)


@kernel
def four_kans(state):
    """Whether four kans were made by several seats, so that the next discard ends the deal unless somebody wins."""
    if state.kans < MOST_KANS or state.rules.aborts == 0:
        return False
    for seat in range(SEATS):
        kans = 0
        for i in range(MELDS):
            if is_kan(np.int64(state.melds[seat, i])):
                kans += 1
        if kans == MOST_KANS:
            return False
    return True


@kernel
def may_call(state, seat):
    """Whether a seat may call at all: not in riichi, and not on a discard that ends the deal."""
    return state.riichi[seat] == 0 and left_in_wall(state) > 0 and not four_kans(state)


@kernel
def can_pon(state, seat):
    return state.hand[seat, kind_of_face(np.int64(state.tile))] >= 2


@kernel
def can_open_kan(state, seat):
    return state.hand[seat, kind_of_face(np.int64(state.tile))] == 3 and state.kans < MOST_KANS


@kernel
def other_two(kind, place):
    """The kinds that make a run with a claimed one, which is the lowest, middle or highest (0 to 2) of it."""
    lowest = kind - place
    return lowest + (1 if place == 0 else 0), lowest + (1 if place == 2 else 2)


@kernel
def run_fits(kind, place):
    """Whether there is a run with this kind at this place."""
    return kind < HONOURS and place <= kind % 9 <= place + 6


@kernel
def swapped_kinds(state, kind, place):
    """Kinds that may not be discarded after a chi: the same, and what would complete the run at its other end."""
    if state.rules.swap_calls != 0:
        return ZERO
    kinds = bit(kind)
    if place == 0 and kind % 9 <= 5:
        kinds = kinds | bit(kind + 3)
    elif place == 2 and kind % 9 >= 3:
        kinds = kinds | bit(kind - 3)
    return kinds


@kernel
def can_chi(state, seat, place):
    """Whether a seat can make a run with the discard at some place of it, and has something left to discard then."""
    kind = kind_of_face(np.int64(state.tile))
    if not run_fits(kind, place):
        return False
    one, two = other_two(kind, place)
    tiles = state.hand[seat]
    if tiles[one] == 0 or tiles[two] == 0:
        return False
    forbidden = swapped_kinds(state, kind, place)
    if forbidden == ZERO or state.meld_count[seat] < 2:  # with seven tiles or more, something else is left
        return True
    left = 11 - 3 * np.int64(state.meld_count[seat])  # tiles after the call
    for held in range(kind - 3 if place == 2 else kind, kind + 4 if place == 0 else kind + 1, 3):
        if 0 <= held < HONOURS and has(forbidden, held):
            left -= np.int64(tiles[held])
    return left > 0


@kernel
def can_any_chi(state, seat):
    for place in range(3):  # noqa: SIM110 - kernels have no generators
        if can_chi(state, seat, place):
            return True
    return False


@kernel
def five_among(one, two):
    """That of two kinds which is a five of a suit, or -1."""
    if one % 9 == 4:
        return one
    return two if two % 9 == 4 else -1


@kernel
def claims(state, seat):
    """The calls that a seat may make on the discard, as bits of the actions less CHI."""
    found = ZERO
    if not may_call(state, seat):
        return found
    kind = kind_of_face(np.int64(state.tile))
    red = red_of_kind(kind)
    if can_pon(state, seat):
        plain = plain_tiles(state, seat, kind)
        if plain >= 2:
            found = found | bit(PON - CHI)
        if red >= 0 and has(state.faces[seat], red) and plain >= 1:
            found = found | bit(PON + 1 - CHI)
        if can_open_kan(state, seat):
            found = found | bit(OPEN_KAN - CHI)
    if seat == (np.int64(state.discarder) + 1) % SEATS:
        for place in range(3):
            if can_chi(state, seat, place):
                one, two = other_two(kind, place)
                five = five_among(one, two)
                if five < 0 or plain_tiles(state, seat, five) > 0:
                    found = found | bit(2 * place)
                if five >= 0 and has(state.faces[seat], red_of_kind(five)):
                    found = found | bit(2 * place + 1)
    return found


@kernel
def take_for_call(state, seat, kind, red):
    """Take one tile of a kind, red or not, from a hand into a meld."""
    take_tile(state, seat, red_of_kind(kind) if red == YES else kind)


@kernel
def add_meld(state, seat, meld, claim):
    slot = np.int64(state.meld_count[seat])
    state.melds[seat, slot] = meld
    state.called[seat, slot] = claim
    state.meld_count[seat] = slot + 1


@kernel
def call(state, seat, action):
    """Make a meld of the discard; what follows (a draw, a discard) is not done here."""
    discarder = np.int64(state.discarder)
    distance = (discarder - seat + SEATS) % SEATS
    face = np.int64(state.tile)
    kind = kind_of_face(face)
    red_called = YES if face != kind else NO
    red_own = NO
    state.forbidden = ZERO
    place = NO
    if action < PON:
        place = (action - CHI) // 2
        red_own = (action - CHI) % 2
        one, two = other_two(kind, place)
        take_for_call(state, seat, one, red_own if one % 9 == 4 else NO)
        take_for_call(state, seat, two, red_own if two % 9 == 4 else NO)
        state.forbidden = swapped_kinds(state, kind, place)
        meld = meld_of(RUN, kind - place)
    elif action < OPEN_KAN:
        red_own = action - PON
        take_for_call(state, seat, kind, red_own)
        take_for_call(state, seat, kind, NO)
        if state.rules.swap_calls == 0:
            state.forbidden = bit(kind)
        meld = meld_of(TRIPLET, kind)
    else:
        red = red_of_kind(kind)
        red_own = YES if red >= 0 and has(state.faces[seat], red) else NO
        take_for_call(state, seat, kind, red_own)
        take_for_call(state, seat, kind, NO)
        take_for_call(state, seat, kind, NO)
        meld = meld_of(QUAD, kind)
    state.open_reds[seat] += red_own + red_called
    add_meld(state, seat, meld, meld_note(distance, red_own | red_called, red_called, place))
    last = np.int64(state.discards[discarder]) - 1
    state.river[discarder, last] = np.int64(state.river[discarder, last]) | CALLED_MARK
    state.nagashi[discarder] = 0
    note_liability(state, seat, kind, discarder)


@kernel
def note_liability(state, seat, kind, discarder):
    """Who feeds the third set of dragons or the fourth of winds is liable for the yakuman."""
    if kind < WINDS:
        return
    dragons, winds = 0, 0
    for i in range(np.int64(state.meld_count[seat])):
        of = meld_kind(np.int64(state.melds[seat, i]))
        if of >= DRAGONS:
            dragons += 1
        elif of >= WINDS:
            winds += 1
    if kind >= DRAGONS and dragons == 3:
        state.liable[seat, 0] = discarder
    elif kind < DRAGONS and winds == 4:
        state.liable[seat, 1] = discarder


@kernel
def pon_of(state, seat, kind):
    """The slot of a seat's pon of a kind, or -1."""
    wanted = meld_of(TRIPLET, kind)
    for i in range(np.int64(state.meld_count[seat])):
        if state.melds[seat, i] == wanted:
            return i
    return -1


@kernel
def own_kan(state, seat, kind):
    """Declare a closed kan, or add a fourth tile to a pon, with the tile just drawn among the hand.

    The state then says what others may rob: which tile, and whether the kan is closed.
    """
    put_tile(state, seat, np.int64(state.drawn))
    red = red_of_kind(kind)
    is_red = YES if red >= 0 and has(state.faces[seat], red) else NO
    state.discarder = seat
    state.tile = red if is_red == YES else kind
    slot = pon_of(state, seat, kind)
    state.closed_kan = 1 if slot < 0 else 0
    take_for_call(state, seat, kind, is_red)
    state.open_reds[seat] += is_red
    if slot >= 0:
        state.melds[seat, slot] = meld_of(ADDED_KAN, kind)
        state.called[seat, slot] = np.int64(state.called[seat, slot]) | meld_note(NO, is_red, NO, NO)
        return
    for _ in range(3):
        take_for_call(state, seat, kind, NO)
    add_meld(state, seat, meld_of(CLOSED_KAN, kind), meld_note(NO, is_red, NO, NO))
