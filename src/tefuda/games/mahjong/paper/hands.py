"""A decision and its candidates: each is a hand that it would leave.

A candidate has a code: what is done × 64 + the kind that is discarded (or made a kan of).

`work` is scratch space of whole numbers, laid out below. What all candidates of a decision share is written once.
"""

import numpy as np

from tefuda.games.mahjong import actions
from tefuda.games.mahjong.actions import OPEN_KAN, PASS, PON, TSUMO, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.calls import ADDED_KAN, CLOSED_KAN, QUAD, RUN, TRIPLET, other_two, pon_of, swapped_kinds
from tefuda.games.mahjong.hand import meld_of
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.legal import STICK, TILES_FOR_RIICHI
from tefuda.games.mahjong.paper import blocks, quantities
from tefuda.games.mahjong.players.efficient import discard_of, may_discard
from tefuda.games.mahjong.shanten import one, pack, packed_count
from tefuda.games.mahjong.state import INDICATORS, SEATS, is_closed, left_in_wall, wind_of
from tefuda.games.mahjong.tiles import HONOURS, KINDS, dora_of
from tefuda.kernel.bits import ZERO, bit, has, has_word, next_of_words
from tefuda.kernel.compile import kernel

# What is done: a discard, nothing, a chi with the tile as the lowest, middle or highest, a pon, an open kan, a kan of
# one's own.
_DONE = np.arange(8)
DISCARD, PASSED, CHI_LOW, CHI_MIDDLE, CHI_HIGH, CALLED_PON, CALLED_KAN, OWN_KAN = _DONE
CODE = 64  # codes of one thing done
ROWS = 64  # candidates of a decision, at most
CACHED = 32  # suits whose blocks are kept

# The layout of `work`.
Q = np.int64(0)  # the quantities
UNSEEN = Q + quantities.SIZE  # tiles of each kind that the seat cannot see
WORDS = UNSEEN + KINDS  # the hand of the candidate, packed: four suits
SLOTS = WORDS + 4  # its melds
NUMBER = SLOTS + 4  # how many
REDS = NUMBER + 1  # red fives in the hand and the melds
HELD_REDS = REDS + 1  # after a discard: bits of the suits whose red five is still in the hand
CLOSED = HELD_REDS + 1  # 1: nothing was called
THROWN = CLOSED + 1  # kinds that the seat has discarded, the one discarded now too
DORA = THROWN + 1  # kinds of dora
DORAS = DORA + 5  # how many
SEAT_WIND, ROUND_WIND, TURN = DORAS + 1, DORAS + 2, DORAS + 3
MAY_RIICHI = TURN + 1  # 1: a closed hand could still declare it
OPEN_TANYAO = MAY_RIICHI + 1
COUNT = OPEN_TANYAO + 1  # candidates
CODES = COUNT + 1
SPACE = CODES + ROWS  # of blocks.py
KEYS = SPACE + blocks.SPACE  # packed suits that were taken apart, plus one; 0: none
LAYOUTS = KEYS + CACHED  # their blocks
LOOSE_TILES = LAYOUTS + CACHED  # tiles in no block: terminals, 2 and 8, 3 to 7, honours
COLOURS = LOOSE_TILES + 4  # useful tiles of each suit and of the honours
WAITS = COLOURS + 4  # kinds that a ready hand waits for and of which a tile is unseen
SIZE = int(WAITS + 1)


@kernel
def done_of(code):
    return code // CODE


@kernel
def kind_of_code(code):
    return code % CODE


@kernel
def add_row(work, done, kind):
    work[CODES + work[COUNT]] = done * CODE + kind
    work[COUNT] += 1


@kernel
def share(view, seat, work):
    """Write what all candidates share."""
    count_unseen(view, seat, work[UNSEEN : UNSEEN + KINDS])
    for i in range(CACHED):
        work[KEYS + i] = 0
    number = np.int64(view.indicators)
    work[DORAS] = number
    for i in range(number):
        work[DORA + i] = dora_of(kind_of_face(np.int64(view.wall[INDICATORS + i])))
    work[SEAT_WIND] = wind_of(view, seat)
    work[ROUND_WIND] = np.int64(view.kyoku) // SEATS
    work[TURN] = np.int64(view.discards[seat])
    work[MAY_RIICHI] = 1 if view.points[seat] >= STICK and left_in_wall(view) >= TILES_FOR_RIICHI else 0
    work[OPEN_TANYAO] = 1 if view.rules.open_tanyao != 0 else 0


@kernel
def list_turn(view, seat, mask, work):
    """The candidates of the own turn: each kind that may be discarded, then kans."""
    drawn = kind_of_face(np.int64(view.drawn)) if view.drawn >= 0 else np.int64(-1)
    for kind in range(KINDS):
        if may_discard(mask, kind, drawn):
            add_row(work, DISCARD, kind)
    action = next_of_words(mask, actions.KAN)
    while actions.KAN <= action < TSUMO:
        add_row(work, OWN_KAN, action - actions.KAN)
        action = next_of_words(mask, action + 1)


@kernel
def list_discards_after(view, seat, done, one_, two, forbidden, work):
    """A call with each discard that it leaves."""
    for kind in range(KINDS):
        left = np.int64(view.hand[seat, kind]) - (1 if kind == one_ else 0) - (1 if kind == two else 0)
        if left > 0 and not has(forbidden, kind):
            add_row(work, done, kind)


@kernel
def list_claims(view, seat, mask, work):
    """The candidates of one who is asked about a discard: nothing, and each call with each discard."""
    claimed = kind_of_face(np.int64(view.tile))
    add_row(work, PASSED, 0)
    for place in range(3):
        if has_word(mask, actions.CHI + 2 * place) or has_word(mask, actions.CHI + 2 * place + 1):
            one_, two = other_two(claimed, place)
            list_discards_after(view, seat, CHI_LOW + place, one_, two, swapped_kinds(view, claimed, place), work)
    if has_word(mask, PON) or has_word(mask, PON + 1):
        forbidden = bit(claimed) if view.rules.swap_calls == 0 else ZERO
        list_discards_after(view, seat, CALLED_PON, claimed, claimed, forbidden, work)
    if has_word(mask, OPEN_KAN):
        add_row(work, CALLED_KAN, 0)


@kernel
def list_candidates(view, seat, mask, work):
    """List the candidates of a decision that is neither a win nor forced by riichi; returns how many."""
    work[COUNT] = 0
    share(view, seat, work)
    if has_word(mask, PASS):
        list_claims(view, seat, mask, work)
    else:
        list_turn(view, seat, mask, work)
    return work[COUNT]


@kernel
def action_of(view, mask, code):
    """The action that begins what a code says. A call takes a red five of the own where it can: it stays in the hand
    for good then."""
    done, kind = done_of(code), kind_of_code(code)
    if done == PASSED:
        return PASS
    if done == CALLED_KAN:
        return OPEN_KAN
    if done == OWN_KAN:
        return actions.KAN + kind
    if done == DISCARD:
        return discard_of(view, mask, kind)
    first = PON if done == CALLED_PON else actions.CHI + 2 * (done - CHI_LOW)
    return first + 1 if has_word(mask, first + 1) else first


@kernel
def change(work, kind, tiles):
    """Add tiles of a kind to the hand, or take them."""
    suit = kind // 9
    work[WORDS + suit] += one(kind) * tiles


@kernel
def tiles_held(work, kind):
    """Tiles of a kind in the hand of the candidate."""
    return packed_count(work[WORDS + kind // 9], kind % 9)


@kernel
def set_meld(work, slot, meld):
    work[SLOTS + slot] = meld


@kernel
def add_meld(work, meld):
    work[SLOTS + work[NUMBER]] = meld
    work[NUMBER] += 1


@kernel
def lay_out(view, seat, code, work):
    """Write the hand that a candidate leaves."""
    man, pin, sou, honours = pack(view.hand[seat])
    work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3] = man, pin, sou, honours
    for slot in range(4):
        work[SLOTS + slot] = np.int64(view.melds[seat, slot])
    work[NUMBER] = np.int64(view.meld_count[seat])
    work[CLOSED] = 1 if is_closed(view, seat) else 0
    work[THROWN] = np.int64(view.thrown[seat])
    faces = view.faces[seat]
    done, kind = done_of(code), kind_of_code(code)
    reds = np.int64(view.open_reds[seat])
    in_turn = done < PASSED or done == OWN_KAN
    if in_turn and view.drawn >= 0:
        change(work, kind_of_face(np.int64(view.drawn)), 1)
        faces = faces | bit(np.int64(view.drawn))
    elif not in_turn and done != PASSED:
        claim(view, done, work)
        work[CLOSED] = 0
        reds += 1 if view.tile >= KINDS else 0
    discards = done == DISCARD or CHI_LOW <= done <= CALLED_PON
    held = np.int64(0)
    for suit in range(3):
        if has(faces, KINDS + suit):
            # A plain five goes before the red one, and a call takes the red one along.
            last = discards and kind == 9 * suit + 4 and tiles_held(work, kind) == 1
            called = discards and takes_five(view, done, suit)
            reds += 0 if last and not called else 1
            held |= 0 if last or called else np.int64(1) << suit
    work[REDS], work[HELD_REDS] = reds, held
    if done == OWN_KAN:
        make_kan(view, seat, kind, work)
    elif discards:
        change(work, kind, -1)
        work[THROWN] = work[THROWN] | np.int64(bit(kind))


@kernel
def takes_five(view, done, suit):
    """Whether a call takes a five of a suit out of the hand."""
    if done == DISCARD:
        return False
    claimed, five = kind_of_face(np.int64(view.tile)), 9 * suit + 4
    if done == CALLED_PON:
        return claimed == five
    one_, two = other_two(claimed, done - CHI_LOW)
    return one_ == five or two == five


@kernel
def claim(view, done, work):
    """Take the tiles of a call from the hand into a meld."""
    claimed = kind_of_face(np.int64(view.tile))
    if done == CALLED_PON:
        change(work, claimed, -2)
        add_meld(work, meld_of(TRIPLET, claimed))
    elif done == CALLED_KAN:
        change(work, claimed, -3)
        add_meld(work, meld_of(QUAD, claimed))
    else:
        place = done - CHI_LOW
        one_, two = other_two(claimed, place)
        change(work, one_, -1)
        change(work, two, -1)
        add_meld(work, meld_of(RUN, claimed - place))


@kernel
def make_kan(view, seat, kind, work):
    """Take the tiles of a closed or added kan from the hand."""
    slot = pon_of(view, seat, kind)
    if slot >= 0:
        change(work, kind, -1)
        set_meld(work, slot, meld_of(ADDED_KAN, kind))
    else:
        change(work, kind, -4)
        add_meld(work, meld_of(CLOSED_KAN, kind))


assert HONOURS // 9 == 3  # the suits' numbers are the words' places
assert TSUMOGIRI < actions.CHI
