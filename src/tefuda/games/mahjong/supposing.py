"""Likely worlds: hands as near to ready as players have them by then, and decisions of the past in such a world.

`guess` deals unseen tiles as if nobody had chosen what to keep: in the middle of a deal such hands are two or three
tiles further from ready than those of players are. `suppose` draws for each other seat how far its hand is, and builds
one that is so far. `rewind` turns a world back to a seat's last decision. There a search asks its adviser how likely
the decision was in this world.
"""

import numpy as np

from tefuda.games.mahjong.actions import TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.hand import is_open, meld_copies
from tefuda.games.mahjong.hiding import (
    COUNTS,
    build_ready_hand,
    clear_others,
    count_unseen,
    deal_the_rest,
    face_the_hand,
    give_back_all,
    give_back_one,
    tiles_in_hand,
)
from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    DECLARED,
    HAND,
    NOBODY,
    NOTHING,
    SEATS,
    TSUMOGIRI_MARK,
    TURN,
    look_at_hand,
    plain_tiles,
    put_tile,
    take_tile,
)
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import ZERO, bit, has
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below

TRIES = 8  # hands that are built until one is as far from ready as was drawn
FURTHEST = 4  # hands that are further from ready are dealt like any other tiles
PART_OF_DEAL = 2  # discards
_PARTS, _MELDS = 9, 5
# Of a thousand hands that are not in riichi, how many are 0, 1, 2, 3 and more tiles from ready: by the discards of
# their seat (0 and 1, 2 and 3, … 16 and more) and its melds (0 to 4). Counted in matches of four champions.
_FAR = np.array(
    [
        0, 15, 156, 411, 0, 56, 290, 398, 34, 327, 473, 159, 404, 532, 64, 0, 1000, 0, 0, 0,
        0, 82, 326, 410, 10, 137, 404, 354, 34, 327, 473, 159, 404, 532, 64, 0, 1000, 0, 0, 0,
        0, 212, 429, 278, 45, 274, 421, 219, 134, 431, 350, 81, 404, 532, 64, 0, 1000, 0, 0, 0,
        1, 350, 423, 169, 99, 394, 360, 124, 229, 492, 233, 44, 591, 353, 57, 0, 1000, 0, 0, 0,
        1, 444, 381, 124, 193, 450, 277, 73, 327, 477, 169, 27, 641, 319, 40, 0, 1000, 0, 0, 0,
        1, 486, 346, 114, 305, 437, 211, 42, 444, 423, 117, 16, 667, 298, 35, 0, 1000, 0, 0, 0,
        2, 464, 354, 126, 402, 381, 185, 31, 527, 382, 79, 11, 693, 283, 23, 0, 1000, 0, 0, 0,
        3, 427, 360, 157, 454, 339, 177, 29, 599, 343, 52, 6, 753, 222, 25, 0, 1000, 0, 0, 0,
        5, 339, 422, 169, 487, 311, 174, 27, 650, 278, 64, 7, 755, 229, 15, 0, 1000, 0, 0, 0,
    ],
    np.int64,
)  # fmt: skip


@kernel
def draw_distance(state, seat, rng):
    """How far from ready the hand of another seat is supposed to be; FURTHEST: so far, or further."""
    part = min(np.int64(state.discards[seat]) // PART_OF_DEAL, _PARTS - 1)
    row = (part * _MELDS + np.int64(state.meld_count[seat])) * FURTHEST
    point = below(rng, 1000)
    for distance in range(FURTHEST):
        point -= np.int64(_FAR[row + distance])
        if point < 0:
            return distance
    return FURTHEST


@kernel
def take_one(unseen, hand, rng):
    """Move one unseen tile into a hand, all alike."""
    total = 0
    for kind in range(KINDS):
        total += np.int64(unseen[kind])
    place = below(rng, total)
    for kind in range(KINDS):
        place -= np.int64(unseen[kind])
        if place < 0:
            unseen[kind] -= 1
            hand[kind] += 1
            return


@kernel
def build_hand(state, seat, distance, unseen, rng):
    """Build a hand that is so far from ready, or nearly: a ready one with as many tiles exchanged. False: no hand."""
    hand = state.hand[seat]
    tiles = HAND - 3 * np.int64(state.meld_count[seat])
    for attempt in range(TRIES):
        if not build_ready_hand(state, seat, unseen, rng):
            return False
        for _ in range(distance):
            give_back_one(unseen, hand, tiles, rng)
            take_one(unseen, hand, rng)
        look_at_hand(state, seat)
        if state.far[seat] == distance or attempt == TRIES - 1:
            return True
        give_back_all(unseen, hand)
    return False


@kernel
def suppose(state, seat, rng):
    """A world as `guess` makes it, in which the others are as near to ready as players are by then."""
    clear_others(state, seat, rng)
    unseen = state.wall[COUNTS : COUNTS + KINDS]
    reds = count_unseen(state, seat, unseen)
    built = 0
    for further in range(1, SEATS):
        other = (seat + further) % SEATS
        distance = 0
        if state.riichi[other] == 0:
            usual = tiles_in_hand(state, other) == HAND - 3 * np.int64(state.meld_count[other])
            distance = draw_distance(state, other, rng) if usual else FURTHEST
        if distance < FURTHEST and build_hand(state, other, distance, unseen, rng):
            reds = face_the_hand(state, other, unseen, reds, rng)
            built |= 1 << other
    deal_the_rest(state, seat, unseen, reds, built, rng)


# --- the past ---


@kernel
def forget_call(state, discarder, kind):
    """Take back the last call of a tile; returns who made it, or NOBODY."""
    for further in range(1, SEATS):
        caller = (discarder + further) % SEATS
        last = np.int64(state.meld_count[caller]) - 1
        if last >= 0:
            meld = np.int64(state.melds[caller, last])
            if is_open(meld) and meld_copies(meld, kind) > 0:
                state.melds[caller, last] = 0
                state.meld_count[caller] = last
                return caller
    return NOBODY


@kernel
def forget_discards(state, seat, since):
    """Take back all discards from a number on, and the calls of them; False where the seat itself made such a call."""
    for owner in range(SEATS):
        left = np.int64(state.discards[owner])
        while left > 0 and np.int64(state.when[owner, left - 1]) >= since:
            left -= 1
            tile = np.int64(state.river[owner, left])
            if tile >= CALLED_MARK:
                caller = forget_call(state, owner, kind_of_face(tile % TSUMOGIRI_MARK))
                if caller == NOBODY or caller == seat:
                    return False
            elif state.next > 0:
                state.next -= 1
        state.discards[owner] = left
        state.thrown[owner] = ZERO
        for place in range(left):
            state.thrown[owner] |= bit(kind_of_face(np.int64(state.river[owner, place]) % TSUMOGIRI_MARK))
        if state.riichi[owner] != 0 and state.riichi_at[owner] >= left:
            state.riichi[owner] = 0
            state.riichi_at[owner] = -1
            state.ippatsu[owner] = 0
            if state.sticks > 0 and state.declaring != owner:
                state.sticks -= 1
                state.points[owner] += STICK
    state.turned = since
    return True


@kernel
def draw_from_hand(state, seat, rng):
    """Any tile of a hand is taken for the one that was drawn last."""
    tiles = 0
    for kind in range(KINDS):
        tiles += np.int64(state.hand[seat, kind])
    point = below(rng, tiles)
    for kind in range(KINDS):
        held = np.int64(state.hand[seat, kind])
        if point < held:
            face = kind
            if point >= plain_tiles(state, seat, kind):
                face = KINDS + kind // 9
            take_tile(state, seat, face)
            state.drawn = face
            return
        point -= held


@kernel
def follows_call(state, number):
    """Whether a discard was made after a call: that before it, of all seats, was called."""
    for owner in range(SEATS):
        for place in range(np.int64(state.discards[owner])):
            if np.int64(state.when[owner, place]) == number - 1:
                return np.int64(state.river[owner, place]) >= CALLED_MARK
    return False


@kernel
def rewind(state, seat, rng):
    """Turn a world back to the last discard of a seat that it chose itself; returns that action, or -1.

    Which of its tiles the seat had drawn is not known, unless it discarded it: any may be. Of the table all that a
    discard leaves behind is taken back.
    """
    place = np.int64(state.discards[seat]) - 1
    declared = state.riichi[seat] != 0
    if declared:
        place = min(place, np.int64(state.riichi_at[seat]))
    if place < 0:
        return -1
    tile, number = np.int64(state.river[seat, place]), np.int64(state.when[seat, place])
    after_call = follows_call(state, number)
    if not forget_discards(state, seat, number):
        return -1
    for each in range(SEATS):
        state.answers[each] = NOTHING
    face = tile % TSUMOGIRI_MARK
    state.seat = seat
    state.phase = DECLARED if declared else TURN
    state.discarder, state.declaring, state.tile = NOBODY, NOBODY, NOTHING
    state.drawn, state.replaced, state.forbidden = NOTHING, 0, ZERO
    if tile % CALLED_MARK >= TSUMOGIRI_MARK:
        state.drawn = face
        return TSUMOGIRI
    if not after_call:
        draw_from_hand(state, seat, rng)
    put_tile(state, seat, face)
    if not after_call:
        look_at_hand(state, seat)
    return face
