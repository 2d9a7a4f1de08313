"""One table of mahjong as a record, and how tiles come into a hand and leave it.

The tile just drawn is kept apart from the hand until something else is discarded: so a hand between two turns has
13 tiles less three for each meld, and what it waits for (`waits`) need not be found anew when the draw is discarded.
"""

from typing import Any

import numpy as np

from tefuda.games.mahjong.actions import FACES, kind_of_face, red_of_kind
from tefuda.games.mahjong.hand import is_open
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.shanten import shanten, useful
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import ZERO, bit, count, has
from tefuda.kernel.compile import kernel, record_type

SEATS = 4
TILES = 136
HAND = 13  # tiles of a hand between two turns
MELDS = 4  # of one seat at most
RIVER = 28  # discards of one seat at most: 24 draws when all others call to skip each other, and four calls
UNKNOWN = 255  # a blank in the wall
NOBODY: Any = np.int64(-1)  # np.int64: see actions.py
NOTHING: Any = np.int64(-1)  # no tile, no answer

# Phases: own turn, discard after riichi, asked on a discard, asked on a kan, all over; the last only inside of `apply`.
_PHASES: Any = np.arange(6)
TURN, DECLARED, CLAIM, ROB, OVER, ENDED = _PHASES

# Places in the wall: the hands, the draws, and the dead wall of 14 tiles.
DRAWS: Any = np.int64(SEATS * HAND)
LIVE = 70  # tiles that can be drawn when there is no kan
REPLACEMENTS = DRAWS + LIVE  # four, drawn after a kan
INDICATORS = REPLACEMENTS + 4  # of dora, five
URA_INDICATORS = INDICATORS + 5  # what lies under them

TSUMOGIRI_MARK, CALLED_MARK = 64, 128  # added to a face in a river: it was just drawn; another seat has called it

# How the last deal ended.
_ENDS: Any = np.arange(9)
NOT_YET, WON, EXHAUSTED, NAGASHI, NINE_TERMINALS, FOUR_WINDS, FOUR_RIICHI, FOUR_KANS, TRIPLE_RON = _ENDS

State = record_type(
    [
        ("waits", np.uint64, 4),  # hidden: kinds that complete each hand; 0 when it is not ready
        ("faces", np.uint64, 4),  # hidden: faces in each hand, without the tile just drawn
        ("thrown", np.uint64, 4),  # kinds that each seat has discarded: furiten
        ("missed", np.uint64, 4),  # kinds that others gave since its last discard, in riichi since that: furiten too
        ("forbidden", np.uint64),  # kinds that may not be discarded after this call
        ("key", np.uint64, 1),  # hidden: the source of all deals of this match
        ("shuffle", np.uint64, 1),  # generator of a deal, 0 outside of it
        ("win_yaku", np.uint64, 3),  # last deal: yaku of each winner, as bits
        ("points", np.int32, 4),  # of each seat
        ("paid", np.int32, 4),  # last deal: what each seat won or lost, without its own riichi stick
        ("melds", np.int16, (SEATS, MELDS)),  # see hand.py; 0: none
        ("hand", np.int8, (SEATS, KINDS)),  # hidden: tiles of each kind in each hand, without the one just drawn
        ("wall", np.uint8, TILES),  # hidden but for open indicators: faces, at the places above
        ("river", np.uint8, (SEATS, RIVER)),  # discards in order: faces with their marks
        ("when", np.uint8, (SEATS, RIVER)),  # the number of each discard among those of all seats, from 0
        ("called", np.uint8, (SEATS, MELDS)),  # of each meld: see `meld_note`
        ("discards", np.int8, 4),  # number of discards of each seat
        ("open_reds", np.int8, 4),  # red fives in the melds of each seat
        ("meld_count", np.int8, 4),  # melds of each seat
        ("far", np.int8, 4),  # hidden: shanten of each hand
        ("riichi", np.int8, 4),  # 1: riichi, 2: double riichi
        ("riichi_at", np.int8, 4),  # which of its discards declared it, or -1
        ("ippatsu", np.int8, 4),  # 1: a win now is ippatsu
        ("nagashi", np.int8, 4),  # 1: nothing but terminals and honours discarded, none of them called
        ("liable", np.int8, (SEATS, 2)),  # who fed the last set of three dragons or four winds to each seat, or -1
        ("answers", np.int8, 4),  # hidden but the own one: what those asked have answered, or -1
        ("phase", np.int8),  # 0 own turn, 1 discard after riichi, 2 asked on a discard, 3 asked on a kan, 4 over
        ("seat", np.int8),  # who decides
        ("discarder", np.int8),  # who made the discard or kan that others are asked about
        ("tile", np.int8),  # its face
        ("drawn", np.int8),  # hidden: face of the tile that the seat in turn has drawn; -1 after a call
        ("replaced", np.int8),  # 1: it was drawn after a kan
        ("closed_kan", np.int8),  # 1: the kan that others are asked about is closed
        ("declaring", np.int8),  # who pays for riichi when its discard passes, or -1
        ("untouched", np.int8),  # 1: no call and no kan yet
        ("turned", np.uint8),  # discards of all seats
        ("next", np.int8),  # tiles drawn from the live wall
        ("kans", np.int8),  # of all seats
        ("indicators", np.int8),  # open dora indicators
        ("waiting_indicators", np.int8),  # to be turned at the next discard or kan
        ("kyoku", np.int8),  # 0: east 1, 4: south 1, …; the dealer is the seat kyoku % 4
        ("honba", np.uint8),  # repeats and drawn deals in a row
        ("sticks", np.uint8),  # riichi sticks on the table
        ("finished", np.int8),  # deals finished
        ("ended", np.int8),  # last deal: how it ended
        ("win_from", np.int8),  # last deal: who discarded the winning tile, or the winner
        ("winners", np.int8, 3),  # last deal: who won, in the order of payment, or -1
        ("win_han", np.int8, 3),  # last deal: han of each winner
        ("win_fu", np.uint8, 3),  # last deal: fu of each winner
        ("win_dora", np.int8, (3, 3)),  # last deal: dora, red fives and ura of each winner
        ("ready", np.int8, 4),  # last deal: 1 where the hand was ready when the wall was exhausted
        ("rules", RULEBOOK.dtype),
    ]
)

RED_FACES = {4 + 9 * suit: KINDS + suit for suit in range(3)}  # by kind; for Python, where to call a kernel takes long
FROM_MARK, RED_MARK, RED_CALLED_MARK, PLACE_MARK = 1, 4, 8, 16


@kernel
def meld_note(distance, red, red_called, place):
    """What is known of a meld beside its tiles, in one number: how many seats further the tile came from (0: own),
    whether a red five is in it, whether the claimed tile was red, and the place of that tile in a run."""
    return FROM_MARK * distance + RED_MARK * red + RED_CALLED_MARK * red_called + PLACE_MARK * place


@kernel
def dealer_of(state):
    return np.int64(state.kyoku) % SEATS


@kernel
def wind_of(state, seat):
    """The own wind of a seat: 0 east (the dealer), 1 south, 2 west, 3 north."""
    return (seat - np.int64(state.kyoku) + 16) % SEATS


@kernel
def left_in_wall(state):
    """Tiles that can still be drawn; each kan takes the last one away."""
    return LIVE - np.int64(state.next) - np.int64(state.kans)


@kernel
def is_closed(state, seat):
    """Whether a seat has called nothing; closed kans do not count."""
    calls = 0
    for i in range(np.int64(state.meld_count[seat])):
        calls += is_open(np.int64(state.melds[seat, i]))
    return calls == 0


@kernel
def put_tile(state, seat, face):
    """Add a tile to a hand."""
    state.hand[seat, kind_of_face(face)] += 1
    state.faces[seat] = state.faces[seat] | bit(face)


@kernel
def take_tile(state, seat, face):
    """Take a tile from a hand that has it."""
    kind = kind_of_face(face)
    left = np.int64(state.hand[seat, kind]) - 1
    state.hand[seat, kind] = left
    red = red_of_kind(kind)
    if face == red:
        state.faces[seat] = state.faces[seat] & ~bit(face)
        return
    if red >= 0 and has(state.faces[seat], red):
        left -= 1
    if left == 0:
        state.faces[seat] = state.faces[seat] & ~bit(kind)


@kernel
def plain_tiles(state, seat, kind):
    """Tiles of a kind in a hand that are not red."""
    red = red_of_kind(kind)
    held = np.int64(state.hand[seat, kind])
    return held - 1 if red >= 0 and has(state.faces[seat], red) else held


@kernel
def reds_of(state, seat):
    """Red fives in the hand and the melds of a seat."""
    return np.int64(state.open_reds[seat]) + count(state.faces[seat] >> np.uint64(KINDS))


@kernel
def look_at_hand(state, seat):
    """Find anew how far a hand of 13 tiles is from ready, and what it waits for."""
    distance = shanten(state.hand[seat], np.int64(state.meld_count[seat]))
    state.far[seat] = distance
    state.waits[seat] = useful(state.hand[seat], np.int64(state.meld_count[seat])) if distance == 0 else ZERO


@kernel
def is_furiten(state, seat):
    """Whether a seat may not win by ron: it has discarded what it waits for, or let it pass."""
    return state.waits[seat] & (state.thrown[seat] | state.missed[seat]) != ZERO


def faces_of(state: Any, seat: int) -> list[int]:
    """The faces of a hand without the tile just drawn, each as often as it is there; for Python."""
    found, faces = [], int(state.faces[seat])
    for kind, held in enumerate(map(int, state.hand[seat])):
        if held:
            red = RED_FACES.get(kind, FACES)
            is_red = faces >> red & 1
            found += [kind] * (held - is_red) + [red] * is_red
    return found


assert State.itemsize <= 1024
assert FACES <= TSUMOGIRI_MARK
