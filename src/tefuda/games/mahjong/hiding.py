"""What a seat cannot know, and guesses at it.

`guess` deals the unseen tiles again: every arrangement is as likely as any other, but for the hands of seats in riichi,
which are built ready (see `build_ready_hand`); README.md says how these are distributed.
"""

import numpy as np

from tefuda.games.mahjong.actions import kind_of_face, red_of_kind
from tefuda.games.mahjong.hand import CHI, meld_copies, meld_kind, meld_type
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    DRAWS,
    HAND,
    INDICATORS,
    NOTHING,
    RED_MARK,
    REPLACEMENTS,
    SEATS,
    TILES,
    TSUMOGIRI_MARK,
    TURN,
    UNKNOWN,
    look_at_hand,
    put_tile,
)
from tefuda.games.mahjong.tiles import COPIES, HONOURS, KINDS
from tefuda.kernel.bits import ZERO, bit, has
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below, draw

SOMETHING = -2  # in `drawn`: a tile that the seat cannot see
SEVEN_PAIRS_ONE_IN = 16  # of the hands in riichi that are guessed
COUNTS = INDICATORS - KINDS  # where in the wall `guess` counts unseen tiles; listed from the front, they come here late
FRESH, TRIES = 24, 64  # ready hands that are tried: as long as they are furiten, and in all


@kernel
def is_open_place(state, place):
    """Whether a place in the wall is an open indicator."""
    return INDICATORS <= place < INDICATORS + np.int64(state.indicators)


@kernel
def is_still_there(state, place):
    """Whether nobody has drawn the tile at a place in the wall, which is not an open indicator."""
    if place < REPLACEMENTS:
        return place >= DRAWS + np.int64(state.next)
    return place >= REPLACEMENTS + np.int64(state.kans) and not is_open_place(state, place)


@kernel
def has_drawn(state, seat):
    """Whether a seat has a tile before it that it has just drawn."""
    return state.seat == seat and state.drawn != NOTHING


@kernel
def tiles_in_hand(state, seat):
    """The number of tiles in a hand without one just drawn; after a chi or a pon it has one more to discard."""
    called = state.seat == seat and state.drawn == NOTHING and state.phase == TURN
    return HAND - 3 * np.int64(state.meld_count[seat]) + (1 if called else 0)


@kernel
def clear_hand(state, seat):
    state.faces[seat] = ZERO
    for kind in range(KINDS):
        state.hand[seat, kind] = 0


@kernel
def hide(state, seat):
    state.key[0] = ZERO
    state.shuffle[0] = ZERO
    for other in range(SEATS):
        if other != seat:
            clear_hand(state, other)
            state.waits[other] = ZERO
            state.far[other] = 0
            state.answers[other] = NOTHING
            if has_drawn(state, other):
                state.drawn = SOMETHING
    for place in range(TILES):
        if not is_open_place(state, place):
            state.wall[place] = UNKNOWN


@kernel
def see(unseen, reds, face):
    """One tile less that is unseen; returns the red fives that still are."""
    kind = kind_of_face(face)
    unseen[kind] -= 1
    return reds & ~bit(face) if face != kind else reds


@kernel
def count_unseen(state, seat, unseen):
    """The tiles that a seat cannot see: unseen [34] by kind; returns which red fives are among them, as faces."""
    reds = np.uint64(7) << np.uint64(KINDS) if state.rules.red != 0 else ZERO
    for kind in range(KINDS):
        unseen[kind] = COPIES - np.int64(state.hand[seat, kind])
    reds = reds & ~state.faces[seat]
    if has_drawn(state, seat):
        reds = see(unseen, reds, np.int64(state.drawn))
    for i in range(np.int64(state.indicators)):
        reds = see(unseen, reds, np.int64(state.wall[INDICATORS + i]))
    for owner in range(SEATS):
        for i in range(np.int64(state.discards[owner])):
            tile = np.int64(state.river[owner, i])
            if tile < CALLED_MARK:
                reds = see(unseen, reds, tile % TSUMOGIRI_MARK)
        for i in range(np.int64(state.meld_count[owner])):
            meld, red = np.int64(state.melds[owner, i]), np.int64(state.called[owner, i]) & RED_MARK != 0
            first = meld_kind(meld)
            for kind in range(first, first + 3 if meld_type(meld) == CHI else first + 1):
                unseen[kind] -= meld_copies(meld, kind)
                if red and red_of_kind(kind) >= 0:
                    reds = reds & ~bit(red_of_kind(kind))
    return reds


@kernel
def count_unseen_kind(state, seat, kind):
    """How many tiles of one kind a seat cannot see."""
    seen = np.int64(state.hand[seat, kind])
    if has_drawn(state, seat):
        seen += kind_of_face(np.int64(state.drawn)) == kind
    for i in range(np.int64(state.indicators)):
        seen += kind_of_face(np.int64(state.wall[INDICATORS + i])) == kind
    for owner in range(SEATS):
        for i in range(np.int64(state.meld_count[owner])):
            seen += meld_copies(np.int64(state.melds[owner, i]), kind)
        if has(state.thrown[owner], kind):
            for i in range(np.int64(state.discards[owner])):
                tile = np.int64(state.river[owner, i])
                seen += tile < CALLED_MARK and kind_of_face(tile % TSUMOGIRI_MARK) == kind
    return COPIES - seen


@kernel
def weight_of_set(unseen, number):
    """In how many ways the unseen tiles make a set: run 0 to 26 by its lowest kind, then triplets of each kind."""
    if number < HONOURS:
        if number % 9 > 6:
            return 0
        return np.int64(unseen[number]) * np.int64(unseen[number + 1]) * np.int64(unseen[number + 2])
    copies = np.int64(unseen[number - HONOURS])
    return copies * (copies - 1) * (copies - 2) // 6


@kernel
def take_set(unseen, hand, rng):
    """Move a set from the unseen tiles into a hand, each that can be made as likely as any other; False: none can."""
    total = 0
    for number in range(HONOURS + KINDS):
        total += weight_of_set(unseen, number)
    if total == 0:
        return False
    place = below(rng, total)
    number = 0
    while place >= weight_of_set(unseen, number):
        place -= weight_of_set(unseen, number)
        number += 1
    for i in range(3):
        kind = number + i if number < HONOURS else number - HONOURS
        unseen[kind] -= 1
        hand[kind] += 1
    return True


@kernel
def weight_of_pair(unseen, hand, kind, only_new):
    """In how many ways the unseen tiles make a pair of a kind; with `only_new`, of one that the hand has not yet."""
    if only_new and hand[kind] > 0:
        return 0
    return np.int64(unseen[kind]) * (np.int64(unseen[kind]) - 1) // 2


@kernel
def take_pair(unseen, hand, only_new, rng):
    """Move a pair from the unseen tiles into a hand; False: none can be made."""
    total = 0
    for kind in range(KINDS):
        total += weight_of_pair(unseen, hand, kind, only_new)
    if total == 0:
        return False
    place = below(rng, total)
    kind = 0
    while place >= weight_of_pair(unseen, hand, kind, only_new):
        place -= weight_of_pair(unseen, hand, kind, only_new)
        kind += 1
    unseen[kind] -= 2
    hand[kind] += 2
    return True


@kernel
def give_back_one(unseen, hand, tiles, rng):
    """Move one of so many tiles of a hand back, all alike."""
    place = below(rng, tiles)
    for kind in range(KINDS):
        place -= np.int64(hand[kind])
        if place < 0:
            unseen[kind] += 1
            hand[kind] -= 1
            return


@kernel
def give_back_all(unseen, hand):
    for kind in range(KINDS):
        unseen[kind] += hand[kind]
        hand[kind] = 0


@kernel
def build_ready_hand(state, seat, unseen, rng):
    """Build a complete hand from the unseen tiles and take one away: what is left is ready.

    Sets are drawn one after another, then a pair; one hand in 16 without kans is seven pairs. A hand that is furiten
    is tried again some times: who is in riichi has mostly not let its own tiles pass. Returns whether it could be.
    """
    hand = state.hand[seat]
    sets = 4 - np.int64(state.meld_count[seat])
    for attempt in range(TRIES):
        done = True
        seven_pairs = sets == 4 and below(rng, SEVEN_PAIRS_ONE_IN) == 0
        if not seven_pairs:
            for _ in range(sets):
                done = done and take_set(unseen, hand, rng)
        for _ in range(7 if seven_pairs else 1):
            done = done and take_pair(unseen, hand, seven_pairs, rng)
        if done:
            give_back_one(unseen, hand, 3 * sets + 2, rng)
            look_at_hand(state, seat)
            furiten = state.waits[seat] & (state.thrown[seat] | state.missed[seat]) != ZERO
            if state.waits[seat] != ZERO and (not furiten or attempt >= FRESH):
                return True
        give_back_all(unseen, hand)
    return False


@kernel
def face_the_hand(state, seat, unseen, reds, rng):
    """Say which fives of a built hand are red, each copy as likely; returns the red fives that are still unseen."""
    for kind in range(KINDS):
        held = np.int64(state.hand[seat, kind])
        if held == 0:
            continue
        red = red_of_kind(kind)
        plain = held
        if red >= 0 and has(reds, red) and below(rng, held + np.int64(unseen[kind])) < held:
            reds = reds & ~bit(red)
            state.faces[seat] = state.faces[seat] | bit(red)
            plain -= 1
        if plain > 0:
            state.faces[seat] = state.faces[seat] | bit(kind)
    return reds


@kernel
def list_unseen(state, unseen, reds):
    """Write the unseen tiles into the first places of the wall; returns how many there are, at most 121."""
    place = 0
    for kind in range(KINDS):
        red = red_of_kind(kind)
        for i in range(np.int64(unseen[kind])):
            state.wall[place] = red if i == 0 and red >= 0 and has(reds, red) else kind
            place += 1
    return place


@kernel
def guess(state, seat, rng):
    state.key[0] = draw(rng)
    state.shuffle[0] = ZERO
    for other in range(SEATS):
        if other != seat:
            clear_hand(state, other)
            state.answers[other] = NOTHING
    unseen = state.wall[COUNTS : COUNTS + KINDS]
    reds = count_unseen(state, seat, unseen)
    built = 0
    for distance in range(1, SEATS):
        other = (seat + distance) % SEATS
        if state.riichi[other] != 0 and build_ready_hand(state, other, unseen, rng):
            reds = face_the_hand(state, other, unseen, reds, rng)
            built |= 1 << other
    number = list_unseen(state, unseen, reds)
    for place in range(number - 1, 0, -1):
        other = below(rng, place + 1)
        face = state.wall[place]
        state.wall[place] = state.wall[other]
        state.wall[other] = face
    for target in range(TILES - 1, DRAWS - 1, -1):  # from behind: nothing is overwritten before it has found its place
        if is_still_there(state, target):
            number -= 1
            state.wall[target] = state.wall[number]
    for distance in range(1, SEATS):
        other = (seat + distance) % SEATS
        if built & (1 << other) == 0:
            for _ in range(tiles_in_hand(state, other)):
                number -= 1
                put_tile(state, other, np.int64(state.wall[number]))
        if has_drawn(state, other):
            number -= 1
            state.drawn = state.wall[number]
        look_at_hand(state, other)
    for place in range(TILES):
        if not is_still_there(state, place) and not is_open_place(state, place):
            state.wall[place] = UNKNOWN
