"""A table of mahjong as data: the four seats with hands, melds and rivers, the walls, and what a hand should know."""

from dataclasses import replace
from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Card, Mark, Move, Name, Note, Reader, Scene, Seat, Zone, fields_of, place_of
from tefuda.contract.scene import GONE, KEPT
from tefuda.games.mahjong import hiding
from tefuda.games.mahjong import state as state_kernels
from tefuda.games.mahjong.actions import CHI, KAN, OPEN_KAN, PON, RIICHI, RON, TSUMO, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.calls import other_two, pon_of
from tefuda.games.mahjong.hand import CHI as CHI_MELD
from tefuda.games.mahjong.hand import CLOSED_KAN, MELD_NAMES, meld_kind, meld_type
from tefuda.games.mahjong.layout import faces_of_meld, places_of
from tefuda.games.mahjong.reasons import notes
from tefuda.games.mahjong.spaces import FACE_NAMES
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    CLAIM,
    OVER,
    PLACE_MARK,
    RED_CALLED_MARK,
    RED_FACES,
    ROB,
    SEATS,
    TSUMOGIRI_MARK,
    faces_of,
)
from tefuda.games.mahjong.text import (
    DORA,
    DRAWN,
    HAND,
    HONBA,
    LEFT,
    MELDS,
    RIVER,
    STICKS,
    code,
    deal_name,
    face_text,
    order_of,
)
from tefuda.games.mahjong.text import RIICHI as RIICHI_NAME
from tefuda.games.mahjong.tiles import HONOURS, KIND_NAMES, KINDS, WINDS, dora_of
from tefuda.kernel.compile import uncompiled

IS_DORA, CLAIMED = Name("ドラ", "dora"), Name("鳴いた牌", "claimed")
DEALER, TURN = Name("親", "dealer"), Name("手番", "in turn")
LEGEND = (
    Mark("turn", TURN, "▶"),
    Mark("dealer", DEALER),
    Mark("riichi", RIICHI_NAME),
    Mark("drawn-and-discarded", Name("ツモ切り", "drawn and discarded"), "*"),
    Mark("declared", RIICHI_NAME, "r"),
    Mark(GONE, Name("鳴かれた", "called"), "()"),
    Mark("asked", Name("鳴ける牌", "may be claimed"), "«»"),
    Mark("claimed", CLAIMED),
)
STYLES = ("characters", "circles", "bamboos", "honours")
RED = "red-five"
COLOURS = {"circles": "cyan", "bamboos": "green", "honours": "yellow", RED: "red"}
has_drawn, tiles_in_hand = uncompiled(hiding.has_drawn), uncompiled(hiding.tiles_in_hand)
wind_of, left_in_wall = uncompiled(state_kernels.wind_of), uncompiled(state_kernels.left_in_wall)
DIGITS, SUIT_SIGNS = "一二三四五六七八九", "萬筒索"


def _signs(face: int) -> tuple[str, ...]:
    """What stands on a tile, from top to bottom; a red five is told by a sign of its own."""
    kind = int(kind_of_face(face))
    if kind >= HONOURS:
        return (KIND_NAMES[kind].ja,)
    return (DIGITS[kind % 9], SUIT_SIGNS[kind // 9], *(["赤"] if face >= KINDS else []))


@cache
def tile_of(face: int, *marks: str) -> Card:
    short = Name(code(face, "ja"), code(face, "en"), code(face, "both"))
    style = RED if face >= KINDS else STYLES[face // 9]
    return Card(face, FACE_NAMES[face], short, style, marks, _signs(face), face_text(face))


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with all hands open. Zones that have not changed are those of the scene
    before."""
    state = fields_of(states)
    zones: list[Zone] = []
    for seat in range(SEATS):
        told = _hand_notes(states, reader) if seat == reader.seat else ()
        size, held = tiles_in_hand(state, seat), tuple(faces_of(state, seat))
        zones.append(_hand(seat, held, int(size)) if not told else replace(_hand(seat, held, int(size)), notes=told))
        if has_drawn(state, seat):
            zones.append(_drawn(seat, state.drawn))
        for i in range(state.meld_count[seat]):
            zones.append(_meld(seat, i, state.melds[seat][i], state.called[seat][i]))
        zones.append(_river_of(state, seat))
    zones += _walls(state)
    title = (
        Note(deal_name(state), "deal"),
        Note(HONBA, "honba", state.honba),
        *([Note(STICKS, "sticks", state.sticks)] if state.sticks else []),
    )
    seats = tuple(_seat_of(state, seat) for seat in range(SEATS))
    return Scene(deck="tiles", title=title, seats=seats, zones=tuple(zones), legend=LEGEND, colours=COLOURS)


def _hand_notes(states: np.ndarray, reader: Reader) -> tuple[Note, ...]:
    """What the reader should know of its hand: what it waits for, and what stands in its way."""
    assert reader.seat is not None
    if states["phase"][0] == OVER:
        return ()
    told = [notes(states, reader.seat, reader.speaking(lang)) for lang in reader.languages]
    return tuple(Note(Name(*line), "warning") for line in zip(*told, strict=True))


@lru_cache(KEPT)
def _hand(seat: int, held: tuple[int, ...], size: int) -> Zone:
    tiles = tuple(tile_of(face) for face in sorted(held, key=order_of))
    return Zone("hand", HAND, seat, cards=tiles, backs=size - len(tiles))


@cache
def _drawn(seat: int, face: int) -> Zone:
    """What a seat has just drawn; others do not see it."""
    tiles = (tile_of(face),) if face >= 0 else ()
    return Zone("drawn", DRAWN, seat, cards=tiles, backs=1 - len(tiles))


def _seat_of(state: SimpleNamespace, seat: int) -> Seat:
    in_turn = state.discarder if state.phase in (CLAIM, ROB) else state.seat
    turn = state.phase != OVER and seat == in_turn
    return _seat(state.points[seat], int(wind_of(state, seat)), turn, bool(state.riichi[seat]))


@lru_cache(KEPT)
def _seat(points: int, wind: int, turn: bool, riichi: bool) -> Seat:
    marks = {"turn": turn, "dealer": wind == 0, "riichi": riichi}
    return Seat(points, tuple(key for key, so in marks.items() if so), (Note(KIND_NAMES[WINDS + wind], "wind"),))


@lru_cache(KEPT)
def _meld(seat: int, number: int, meld: int, claim: int) -> Zone:
    """A meld of a seat, with the tile that was claimed and where it came from."""
    faces, kind = faces_of_meld(meld, claim), int(meld_type(meld))
    claimed, source = -1, list[Note]()
    if kind != CLOSED_KAN:
        claimed = _claimed(faces, kind, claim)
        source.append(Note(CLAIMED, "claimed", seat=(seat + claim % SEATS) % SEATS, way="from"))
    tiles = tuple(tile_of(face, *(["claimed"] if place == claimed else [])) for place, face in enumerate(faces))
    return Zone("melds", MELDS, seat, str(number + 1), MELD_NAMES[kind], tiles, notes=tuple(source))


def _claimed(faces: list[int], kind: int, claim: int) -> int:
    """The place of the claimed tile in a meld."""
    if kind == CHI_MELD:
        return claim // PLACE_MARK
    red = claim & RED_CALLED_MARK > 0
    return next(place for place in reversed(range(len(faces))) if (faces[place] >= KINDS) == red)


def _river_of(state: SimpleNamespace, seat: int) -> Zone:
    asked = state.phase == CLAIM and seat == state.discarder
    return _river(seat, tuple(state.river[seat][: state.discards[seat]]), state.riichi_at[seat], asked)


@lru_cache(KEPT)
def _river(seat: int, discards: tuple[int, ...], declared: int, asked: bool) -> Zone:
    """The discards in order; one that was called lies in a meld now. About the last one others may be asked."""
    tiles = []
    for i, tile in enumerate(discards):
        marks = {
            "drawn-and-discarded": tile & TSUMOGIRI_MARK,
            "declared": declared == i,
            GONE: tile & CALLED_MARK,
            "asked": asked and i == len(discards) - 1,
        }
        tiles.append(tile_of(tile % TSUMOGIRI_MARK, *(key for key, so in marks.items() if so)))
    return Zone("river", RIVER, seat, cards=tuple(tiles))


def _walls(state: SimpleNamespace) -> list[Zone]:
    """What can still be drawn, and the dead wall with the indicators that are open."""
    opened, there = places_of(state)
    left = int(left_in_wall(state))
    return [_wall(left), _dead_wall(tuple(state.wall[place] for place in opened), len(there) - left)]


@cache
def _wall(left: int) -> Zone:
    return Zone("wall", LEFT, backs=left)


@lru_cache(KEPT)
def _dead_wall(faces: tuple[int, ...], backs: int) -> Zone:
    dora = Note(IS_DORA, "dora", cards=tuple(tile_of(int(dora_of(kind_of_face(face)))) for face in faces))
    return Zone("dead-wall", DORA, cards=tuple(map(tile_of, faces)), backs=backs, notes=(dora,))


def involves(states: np.ndarray, action: int) -> Move:
    """The tiles of an action: what is discarded or laid from the hand, and the tile of another that is claimed."""
    state = fields_of(states)
    seat = state.seat
    hand, drawn = place_of("hand", seat), place_of("drawn", seat)
    just_drawn = (state.drawn,) if state.drawn >= 0 and has_drawn(state, seat) else ()
    if action < TSUMOGIRI:
        return Move(action, (action,), hand)
    if action == TSUMOGIRI and just_drawn:
        return Move(action, just_drawn, drawn)
    if action == TSUMO and just_drawn:
        return Move(action, with_=just_drawn, with_place=drawn)
    if KAN <= action < TSUMO and just_drawn:
        return _kan(states[0], seat, int(action - KAN), just_drawn)
    if state.phase not in (CLAIM, ROB) or action == RIICHI:
        return Move(action)
    claimed = (state.tile,)
    if action == RON:
        return Move(action, with_=claimed, with_place=_place_of_claimed(states[0]))
    if CHI <= action <= OPEN_KAN:
        return Move(action, from_hand(states[0], seat, action), hand, claimed, _place_of_claimed(states[0]))
    return Move(action)


def _place_of_claimed(state: np.record) -> str:
    """Where the tile lies that others are asked about: in a river, or in the meld of a kan."""
    owner = int(state.discarder)
    if state.phase == CLAIM:
        return place_of("river", owner)
    kind = int(kind_of_face(int(state.tile)))
    melds = [int(meld) for meld in state.melds[owner][: int(state.meld_count[owner])]]
    slot = next(i for i, meld in enumerate(melds) if meld_kind(meld) == kind and meld_type(meld) != CHI_MELD)
    return place_of("melds", owner, str(slot + 1))


def from_hand(state: np.record, seat: int, action: int) -> tuple[int, ...]:
    """The own tiles of a call."""
    kind = int(kind_of_face(int(state.tile)))
    if action < PON:
        place, red = divmod(int(action - CHI), 2)
        return tuple(RED_FACES.get(int(each), int(each)) if red else int(each) for each in other_two(kind, place))
    if action == OPEN_KAN:
        return tuple(face for face in faces_of(state, seat) if kind_of_face(face) == kind)
    return (RED_FACES[kind], kind) if action > PON and kind in RED_FACES else (kind, kind)


def _kan(state: np.record, seat: int, kind: int, just_drawn: tuple[int, ...]) -> Move:
    """A closed kan, or the fourth tile that is added to a pon."""
    action, hand, drawn = int(KAN) + kind, place_of("hand", seat), place_of("drawn", seat)
    held = tuple(face for face in faces_of(state, seat) if kind_of_face(face) == kind)
    fourth = tuple(face for face in just_drawn if kind_of_face(face) == kind)
    slot = int(pon_of(state, np.int64(seat), np.int64(kind)))
    if slot >= 0:
        faces = faces_of_meld(int(state.melds[seat, slot]), int(state.called[seat, slot]))
        where = place_of("melds", seat, str(slot + 1))
        return Move(action, held or fourth, hand if held else drawn, tuple(faces), where)
    return Move(action, held, hand, fourth, drawn if fourth else "")
