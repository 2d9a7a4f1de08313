"""The wall: shuffled, dealt, drawn from, and its indicators of dora."""

import numpy as np

from tefuda.games.mahjong.actions import kind_of_face, red_of_kind
from tefuda.games.mahjong.hand import held
from tefuda.games.mahjong.state import (
    DRAWS,
    HAND,
    INDICATORS,
    NOBODY,
    NOTHING,
    REPLACEMENTS,
    SEATS,
    TILES,
    TURN,
    URA_INDICATORS,
    dealer_of,
    look_at_hand,
    put_tile,
    reds_of,
)
from tefuda.games.mahjong.tiles import dora_of, is_red, kind_of
from tefuda.kernel.bits import ZERO
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import DEAL, below, stream


@kernel
def face_of_tile(state, tile):
    """What one of the 136 tiles looks like under the rules."""
    kind = kind_of(tile)
    return red_of_kind(kind) if state.rules.red != 0 and is_red(tile) else kind


@kernel
def shuffle_wall(state):
    """Build the wall; it depends on the key of the match and the number of the deal alone."""
    state.shuffle[0] = stream(state.key[0], np.int64(state.finished), 0, DEAL)
    for place in range(TILES):
        state.wall[place] = face_of_tile(state, place)
    for place in range(TILES - 1, 0, -1):
        other = below(state.shuffle, place + 1)
        face = state.wall[place]
        state.wall[place] = state.wall[other]
        state.wall[other] = face
    state.shuffle[0] = ZERO


@kernel
def deal_wall(state):
    """Give out the hands from the wall as it lies, and the first tile to the dealer."""
    for seat in range(SEATS):
        state.faces[seat] = ZERO
        state.thrown[seat] = ZERO
        state.missed[seat] = ZERO
        state.discards[seat] = 0
        state.open_reds[seat] = 0
        state.meld_count[seat] = 0
        state.riichi[seat] = 0
        state.riichi_at[seat] = -1
        state.ippatsu[seat] = 0
        state.nagashi[seat] = 1
        state.answers[seat] = NOTHING
        state.liable[seat, 0] = NOBODY
        state.liable[seat, 1] = NOBODY
        for i in range(4):
            state.melds[seat, i] = 0
            state.called[seat, i] = 0
        for i in range(state.river.shape[1]):
            state.river[seat, i] = 0
            state.when[seat, i] = 0
        for kind in range(34):
            state.hand[seat, kind] = 0
        first = HAND * ((seat - dealer_of(state) + SEATS) % SEATS)
        for place in range(first, first + HAND):
            put_tile(state, seat, np.int64(state.wall[place]))
        look_at_hand(state, seat)
    state.discarder = NOBODY
    state.tile = NOTHING
    state.closed_kan = 0
    state.declaring = NOBODY
    state.untouched = 1
    state.turned = 0
    state.next = 0
    state.kans = 0
    state.indicators = 1
    state.waiting_indicators = 0
    draw_tile(state, dealer_of(state))


@kernel
def draw_tile(state, seat):
    """The next tile of the live wall begins a turn."""
    state.drawn = state.wall[DRAWS + np.int64(state.next)]
    state.next += 1
    state.replaced = 0
    begin_turn(state, seat)


@kernel
def draw_replacement(state, seat):
    """After a kan: a tile from the dead wall."""
    state.drawn = state.wall[REPLACEMENTS + np.int64(state.kans)]
    state.kans += 1
    state.replaced = 1
    begin_turn(state, seat)


@kernel
def begin_turn(state, seat):
    state.seat = seat
    state.phase = TURN
    state.forbidden = ZERO


@kernel
def turn_waiting_indicators(state):
    """Dora of open and added kans are turned with the next discard, or at the next kan."""
    state.indicators += state.waiting_indicators
    state.waiting_indicators = 0


@kernel
def dora_in(state, seat, winning_kind, first):
    """Dora of a hand and its winning tile by the open indicators, or by those under them: `first` says which."""
    total = 0
    for i in range(np.int64(state.indicators)):
        dora = dora_of(kind_of_face(np.int64(state.wall[first + i])))
        total += held(state.hand[seat], state.melds[seat], dora) + (dora == winning_kind)
    return total


@kernel
def dora_of_win(state, seat, face, counts):
    """Dora, red fives and ura of a hand and its winning tile: counts [3]."""
    kind = kind_of_face(face)
    counts[0] = dora_in(state, seat, kind, INDICATORS)
    counts[1] = reds_of(state, seat) + (face != kind)
    counts[2] = dora_in(state, seat, kind, URA_INDICATORS) if state.riichi[seat] > 0 else 0
