"""A table of mahjong as a terminal shows it: the round, the four seats with melds and rivers, the own hand in tiles.

A tile of the hand stands upright, number over suit, with its notation under it; under that a number is what the
session wants typed. The reader's seat is the last of the four.
"""

import numpy as np
from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.games.mahjong.actions import TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.hand import CLOSED_KAN, MELD_NAMES, meld_type
from tefuda.games.mahjong.hiding import has_drawn, tiles_in_hand
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.legal import legal
from tefuda.games.mahjong.reasons import notes
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
from tefuda.games.mahjong.text import (
    DORA,
    HAND,
    HIDDEN,
    LEFT,
    RIICHI,
    STICKS,
    code,
    face_text,
    faces_text,
    kyoku_name,
    order_of,
)
from tefuda.games.mahjong.tiles import HONOURS, KIND_NAMES, KINDS, WINDS, dora_of

TURN_MARK = "▶"
DIGITS, SUIT_SIGNS = "一二三四五六七八九", "萬筒索"
SUIT_STYLES = ("", "cyan", "green", "yellow")
RED_STYLE = "bold red"
IS_DORA = Name("ドラ", "dora")
_NAME_ROOM = 14  # cells of a seat's name
_INDENT = 3  # columns before a river


def style_of(face: int) -> str:
    """The colour of a suit; a red five stands out."""
    return RED_STYLE if face >= KINDS else SUIT_STYLES[face // 9]


def flow(pieces: list[Text], separator: str, width: int, indent: int = 0) -> Text:
    """Pieces one after another in lines of a width: a line ends between two pieces."""
    lines: list[list[Text]] = [[]]
    used = indent
    for piece in pieces:
        if lines[-1] and used + cell_len(separator) + piece.cell_len > width:
            lines.append([])
            used = indent
        used += piece.cell_len + (cell_len(separator) if lines[-1] else 0)
        lines[-1].append(piece)
    return Text("\n").join(Text(" " * indent) + Text(separator).join(line) for line in lines)


def _head(state, reader: Reader) -> Text:
    """The round, and what lies on the table."""
    label = reader.label
    faces = [int(state.wall[INDICATORS + i]) for i in range(int(state.indicators))]
    shown = " ".join(code(face, reader.lang) for face in faces)
    dora = " ".join(code(int(dora_of(kind_of_face(face))), reader.lang) for face in faces)
    pieces = [
        Text(kyoku_name(state, reader.lang), "bold"),
        Text(f"{label(STICKS)} {int(state.sticks)}"),
        Text(f"{label(LEFT)} {int(left_in_wall(state))}"),
        Text(f"{label(DORA)} {shown} → {label(IS_DORA)} {dora}"),
    ]
    return flow(pieces, "  ", reader.width)


def _melds(state, owner: int, reader: Reader) -> list[Text]:
    """The melds of a seat, each with where its tile came from."""
    texts = []
    for i in range(int(state.meld_count[owner])):
        meld, note = int(state.melds[owner, i]), int(state.called[owner, i])
        kind = int(meld_type(meld))
        text = Text(f"[{reader.label(MELD_NAMES[kind])} ")
        for face in faces_of_meld(meld, note):
            text.append(code(face, reader.lang), style_of(face)).append(" ")
        source = "" if kind == CLOSED_KAN else f"← {reader.names[(owner + note % 4) % SEATS]}"
        text.append(source)
        text.rstrip()
        texts.append(text.append("]"))
    return texts


def _river(state, owner: int, reader: Reader) -> list[Text]:
    """The discards in order, with their marks; the last one of the table stands out."""
    texts = []
    for i in range(int(state.discards[owner])):
        tile = int(state.river[owner, i])
        face = tile % TSUMOGIRI_MARK
        last = state.phase in (CLAIM, ROB) and owner == state.discarder and i == state.discards[owner] - 1
        text = Text(code(face, reader.lang), style_of(face))
        text.append(("*" if tile & TSUMOGIRI_MARK else "") + ("r" if state.riichi_at[owner] == i else ""))
        if tile & CALLED_MARK:
            text = Text.assemble("(", text, ")", style="dim")
        texts.append(Text.assemble("«", text, "»", style="reverse") if last and state.phase == CLAIM else text)
    return texts


def _seat(state, owner: int, reader: Reader) -> Text:
    """One seat: who, its wind, points, riichi and melds, then its river; a hand that is open to the reader."""
    label = reader.label
    asking = state.phase in (CLAIM, ROB)
    turn = state.phase != OVER and owner == (state.discarder if asking else state.seat)
    name = set_cell_size(reader.names[owner], _NAME_ROOM)
    pieces = [
        Text.assemble((f"{TURN_MARK if turn else ' '} ", "bold"), (name, "cyan")),
        Text(label(KIND_NAMES[WINDS + int(wind_of(state, owner))])),
        Text(f"{int(state.points[owner]):,}", "bold"),
    ]
    if state.riichi[owner]:
        pieces.append(Text(label(RIICHI), "bold red"))
    if reader.seat is None:
        drawn = f" + {face_text(int(state.drawn))}" if has_drawn(state, owner) else ""
        pieces.append(Text(faces_text(faces_of(state, owner)) + drawn))
    elif reader.seat != owner and state.phase != OVER:
        pieces.append(Text(f"{int(tiles_in_hand(state, owner))} {label(HIDDEN)}", "dim"))
    lines = [flow(pieces, "  ", reader.width)]
    for below, separator in ((_melds(state, owner, reader), "  "), (_river(state, owner, reader), " ")):
        if below:
            lines.append(flow(below, separator, reader.width, _INDENT))
    return Text("\n").join(lines)


def _legend(reader: Reader) -> Text:
    pieces = [
        Text(f"* {reader.label(Name('ツモ切り', 'drawn and discarded'))}", "dim"),
        Text(f"r {reader.label(RIICHI)}", "dim"),
        Text(f"( ) {reader.label(Name('鳴かれた', 'called'))}", "dim"),
    ]
    return flow(pieces, "  ", reader.width, _INDENT)


def _upright(face: int, lang: str) -> list[str]:
    """The rows of one tile of the hand."""
    kind = int(kind_of_face(face))
    if lang == "en":
        return [code(face, lang)]
    if kind >= HONOURS:
        rows = [KIND_NAMES[kind].ja, ""]
    else:
        rows = [DIGITS[kind % 9], SUIT_SIGNS[kind // 9]]
    return [*rows, "赤" if face >= KINDS else ""] if lang == "ja" else [*rows, code(face, lang)]


def hand_block(state, seat: int, reader: Reader) -> Text:
    """The hand in upright tiles, what was just drawn apart, and the numbers of the discards that may be made."""
    mask = np.zeros(2, np.uint64)
    turn = state.phase not in (CLAIM, ROB, OVER) and state.seat == seat
    if turn:
        legal(state, mask)
    order = [action for action in range(TSUMOGIRI + 1) if int(mask[0]) >> action & 1]
    numbers = {action: place + 1 for place, action in enumerate(order)}
    tiles = [(face, face, "") for face in sorted(faces_of(state, seat), key=order_of)]
    if turn and state.drawn >= 0:
        tiles.append((int(state.drawn), int(TSUMOGIRI), "  "))
    height = len(_upright(0, reader.lang))
    rows = [Text(" ") for _ in range(height + 1)]
    for face, action, gap in tiles:
        style = style_of(face) + (" dim" if turn and action not in numbers else "")
        for row, sign in zip(rows, _upright(face, reader.lang), strict=False):
            row.append(gap).append(set_cell_size(sign, 3), style.strip())
        rows[height].append(gap).append(set_cell_size(str(numbers.get(action, "")), 3), "cyan")
    for row in rows:
        row.rstrip()
    return Text("\n").join(row for row in rows if row.plain)


def screen(states: np.ndarray, reader: Reader) -> Group:
    """The whole table as one seat sees it, or with all hands open."""
    state = states[0]
    own = reader.seat if reader.seat is not None else SEATS - 1
    parts: list[RenderableType] = [_head(state, reader)]
    parts += [_seat(state, (own + place) % SEATS, reader) for place in (1, 2, 3, 0)]
    if any(state.discards):
        parts.append(_legend(reader))
    if reader.seat is not None and state.phase != OVER:
        parts.append(Rule(Text(reader.label(HAND), "bold"), align="left", style="dim"))
        parts.append(hand_block(state, reader.seat, reader))
        parts += [Text(line, "magenta") for line in notes(states, reader.seat, reader)]
    return Group(*parts)
