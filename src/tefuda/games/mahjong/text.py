"""Mahjong in words: the table as text, and the name of a move."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Name, Reader, fields_of
from tefuda.games.mahjong.actions import CHI, FACES, OPEN_KAN, PON, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.calls import other_two
from tefuda.games.mahjong.hand import CLOSED_KAN, MELD_NAMES, meld_type
from tefuda.games.mahjong.hiding import has_drawn, tiles_in_hand
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.notation import SUITS
from tefuda.games.mahjong.spaces import ACTIONS, FACE_NAMES, PHASES
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    CLAIM,
    INDICATORS,
    OVER,
    ROB,
    SEATS,
    TSUMOGIRI_MARK,
    faces_of,
    left_in_wall,
    wind_of,
)
from tefuda.games.mahjong.tiles import HONOURS, KIND_NAMES, KINDS, WINDS

HONBA, STICKS, LEFT = Name("本場", "honba"), Name("供託", "riichi sticks"), Name("残り", "tiles left")
DORA, SEAT, RIICHI = Name("ドラ表示", "dora indicators"), Name("席", "seat"), Name("リーチ", "riichi")
HAND, RIVER, MELDS = Name("手牌", "hand"), Name("河", "river"), Name("副露", "melds")
HONOUR_LETTERS = ("E", "S", "W", "N", "Wh", "Gr", "Rd")  # as they are short in English
HIDDEN, NONE, DRAWN = Name("伏せ牌", "face down"), Name("なし", "none"), Name("ツモ", "drawn")


def face_text(face: int) -> str:
    """A face as programs write it: 5m, 1z, and 0m for a red five. A person may type it, but the screen has `code`."""
    if face >= KINDS:
        return f"0{SUITS[face - KINDS]}"
    return f"{face % 9 + 1}{SUITS[face // 9]}"


def code(face: int, lang: str) -> str:
    """A tile in two cells: 5m, 0m for a red five; winds and dragons by letters, in Japanese by their signs."""
    if HONOURS <= face < KINDS:
        return KIND_NAMES[face].ja if lang == "ja" else HONOUR_LETTERS[face - HONOURS]
    return face_text(face)


def spoken(face: int, lang: str) -> str:
    """A tile as it is written; winds and dragons with their names, where these say more."""
    if HONOURS <= face < KINDS and lang != "ja":
        return f"{code(face, lang)} {Reader(lang=lang).label(KIND_NAMES[face])}"
    return code(face, lang)


def _discard_name(face: int) -> Name:
    """What a discard is called beside its tile: 打三萬 discard, 打北 discard north."""
    plain = face < HONOURS
    return Name(f"打{FACE_NAMES[face].ja}", "discard" if plain else f"discard {FACE_NAMES[face].en}")


DISCARD_NAMES = tuple(map(_discard_name, range(FACES)))


@cache
def order_of(face: int) -> tuple[int, bool]:
    """Faces in the order of a hand; a red five stands before the others."""
    return int(kind_of_face(face)), face < KINDS


def faces_text(faces: Iterable[int], lang: str) -> str:
    """A hand as it is written, with winds and dragons as everywhere on the screen: 123m406p789s EESSRd."""
    ordered = sorted(faces, key=order_of)
    honours = "".join(code(face, lang) for face in ordered if HONOURS <= face < KINDS)
    suits = ["".join(face_text(face)[0] for face in ordered if face_text(face)[1] == suit) for suit in SUITS[:3]]
    numbers = "".join(digits + suit for digits, suit in zip(suits, SUITS, strict=False) if digits)
    return " ".join(filter(None, (numbers, honours)))


def deal_name(state: Any) -> Name:
    """東1局 east 1."""
    wind, number = KIND_NAMES[WINDS + int(state.kyoku) // SEATS % SEATS], int(state.kyoku) % SEATS + 1
    return Name(f"{wind.ja}{number}局", f"{wind.en} {number}")


def kyoku_name(state: Any, lang: str) -> str:
    """東1局 east 1, with its counters."""
    label = Reader(lang=lang).label
    return f"{label(deal_name(state))}  {label(HONBA)} {int(state.honba)}"


def action_name(states: np.ndarray, action: int, lang: str = "both") -> str:
    """What an action means at this table."""
    if action < TSUMOGIRI:
        return _discard_text(action, lang)
    state = fields_of(states)
    name = Reader(lang=lang).label(ACTIONS.names[action])
    if action == TSUMOGIRI and state.drawn >= 0:
        return f"{spoken(int(state.drawn), lang)} {name}"
    if state.phase == CLAIM and CHI <= action <= OPEN_KAN:
        return f"{_meld_to_be(state, action, lang)} {name}"
    if state.phase in (CLAIM, ROB):
        return f"{spoken(int(state.tile), lang)} {name}"
    return name


@cache
def _discard_text(face: int, lang: str) -> str:
    name = Reader(lang=lang).label(DISCARD_NAMES[face])
    return name if lang == "ja" and HONOURS <= face < KINDS else f"{code(face, lang)} {name}"


def _meld_to_be(state: Any, action: int, lang: str) -> str:
    """The tiles of a call, the claimed one in brackets."""
    face = int(state.tile)
    kind = int(kind_of_face(face))
    if action < PON:
        place = (action - CHI) // 2
        red = (action - CHI) % 2
        own = [int(each) for each in other_two(kind, place)]
        own = [KINDS + each // 9 if red and each % 9 == 4 else each for each in own]
        tiles = [code(each, lang) for each in own]
        tiles.insert(place, f"[{code(face, lang)}]")
        return "".join(tiles)
    return f"[{code(face, lang)}]"


def _hand(state: Any, owner: int, seat: int | None, lang: str) -> str:
    """A seat's tiles, or their number."""
    label = Reader(lang=lang).label
    drawn = bool(has_drawn(state, owner))
    if seat in (None, owner):
        more = f" + {code(int(state.drawn), lang)}" if drawn else ""
        return faces_text(faces_of(state, owner), lang) + more
    return f"{int(tiles_in_hand(state, owner))} {label(HIDDEN)}" + (f" + {label(DRAWN)}" if drawn else "")


def _melds(state: Any, owner: int, lang: str) -> str:
    texts = []
    for i in range(int(state.meld_count[owner])):
        meld, claim = int(state.melds[owner, i]), int(state.called[owner, i])
        name = Reader(lang=lang).label(MELD_NAMES[int(meld_type(meld))])
        source = "" if meld_type(meld) == CLOSED_KAN else f" ← {(owner + claim % 4) % SEATS}"
        texts.append(f"{name} {faces_text(faces_of_meld(meld, claim), lang)}{source}")
    return ", ".join(texts)


def river_text(state: Any, owner: int, lang: str) -> str:
    """The discards in order: `*` just drawn, `r` riichi, brackets around what was called."""
    texts = []
    for i in range(int(state.discards[owner])):
        tile = int(state.river[owner, i])
        text = code(tile % TSUMOGIRI_MARK, lang) + ("*" if tile & TSUMOGIRI_MARK else "")
        text += "r" if state.riichi_at[owner] == i else ""
        texts.append(f"({text})" if tile & CALLED_MARK else text)
    return " ".join(texts)


def show(states: np.ndarray, seat: int | None = None, lang: str = "both") -> str:
    """The table as one seat sees it, or everything when no seat is given."""
    state, label = states[0], Reader(lang=lang).label
    indicators = " ".join(code(int(state.wall[INDICATORS + i]), lang) for i in range(int(state.indicators)))
    head = [
        kyoku_name(state, lang), f"{label(STICKS)} {int(state.sticks)}", f"{label(DORA)} {indicators}",
        f"{label(LEFT)} {int(left_in_wall(state))}",
    ]  # fmt: skip
    asking = state.phase in (CLAIM, ROB)
    if state.phase == OVER:
        head.append(label(PHASES[OVER]))
    elif asking and seat not in (None, int(state.seat)):  # who is asked is told to nobody else
        head.append(label(PHASES[int(state.phase)]))
    else:
        head.append(f"{label(SEAT)} {int(state.seat)}: {label(PHASES[int(state.phase)])}")
    if asking:
        head[-1] += f" {code(int(state.tile), lang)} ← {label(SEAT)} {int(state.discarder)}"
    lines = ["  ".join(head)]
    for owner in range(SEATS):
        wind = KIND_NAMES[WINDS + int(wind_of(state, owner))]
        parts = [f"{label(SEAT)} {owner} {label(wind)} {int(state.points[owner])}", _hand(state, owner, seat, lang)]
        if state.riichi[owner]:
            parts[0] += f" {label(RIICHI)}"
        if state.meld_count[owner]:
            parts.append(_melds(state, owner, lang))
        parts.append(f"{label(RIVER)}: {river_text(state, owner, lang) or NONE.text(lang)}")
        lines.append(" | ".join(parts))
    return "\n".join(lines)
