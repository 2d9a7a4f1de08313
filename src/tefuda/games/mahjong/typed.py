"""What a person may type for an action, and why a word that is an action at other times is none now."""

from typing import Any

import numpy as np

from tefuda.contract import Reader
from tefuda.games.mahjong.actions import (
    CHI,
    KAN,
    NINE,
    OPEN_KAN,
    PASS,
    PON,
    RIICHI,
    RON,
    TSUMO,
    TSUMOGIRI,
    kind_of_face,
)
from tefuda.games.mahjong.advice import actions_now
from tefuda.games.mahjong.calls import pon_of, run_fits
from tefuda.games.mahjong.reasons import ANY_CHI, why_not
from tefuda.games.mahjong.scene import from_hand
from tefuda.games.mahjong.state import CLAIM, OVER, ROB
from tefuda.games.mahjong.text import HONOUR_LETTERS, face_text
from tefuda.games.mahjong.tiles import COPIES, HONOURS, KIND_NAMES, KINDS

WORDS = {
    TSUMOGIRI: ["*", "draw"], RIICHI: ["reach", "立直"], TSUMO: ["win", "自摸"], RON: ["win", "栄"],
    NINE: ["nine", "abort", "流局"], PASS: ["p", "no", "見逃し"], OPEN_KAN: ["kan", "カン"],
    **{action: ["chi", "チー"] for action in range(CHI, PON)}, PON + 1: ["pon", "ポン"],
}  # fmt: skip
CALLS = {  # words, and the actions that are meant by them
    ("chi", "チー"): range(CHI, PON),
    ("pon", "ポン"): range(PON, OPEN_KAN),
    ("kan", "カン", "槓"): range(OPEN_KAN, TSUMO),
}


def callings(states: np.ndarray, action: int) -> list[str]:
    """What a person may type for an action: 5m, 0m, E or east or 1z or 東, * for the draw, chi 46s, win, p for pass."""
    state = states[0]
    if action < TSUMOGIRI:
        return _names_of(action)
    if action == TSUMOGIRI and state.drawn >= 0 and int(state.drawn) not in actions_now(states):
        return [*WORDS[action], *_names_of(int(state.drawn))]  # that tile cannot be discarded from the hand
    if CHI <= action < PON and state.phase == CLAIM and run_fits(kind_of_face(int(state.tile)), (action - CHI) // 2):
        own = [face_text(face) for face in from_hand(state, int(state.seat), action)]
        pair = "".join(text[0] for text in own) + own[0][1]
        return [*WORDS[action], pair, *(f"{word} {pair}" for word in WORDS[action])]
    if KAN <= action < TSUMO:
        tiles = _names_of(int(action - KAN))
        return [name for word in ("kan", "カン") for name in (word, *(f"{word} {tile}" for tile in tiles))]
    return WORDS.get(action, [])


def _names_of(face: int) -> list[str]:
    """What a tile may be called."""
    if not HONOURS <= face < KINDS:
        return [face_text(face)]
    return [face_text(face), KIND_NAMES[face].ja, KIND_NAMES[face].en, HONOUR_LETTERS[face - HONOURS]]


def misnamed(states: np.ndarray, typed: str, reader: Reader) -> str:
    """Why there is no chi, pon or kan at all now; "" when there is one, or when the word is another."""
    meant = next((actions for words, actions in CALLS.items() if typed in words), None)
    if meant is None or set(meant) & set(actions_now(states)):
        return ""
    state = states[0]
    if state.phase in (CLAIM, ROB):
        return why_not(states, ANY_CHI if CHI in meant else meant[0], reader)
    if KAN in meant and state.phase != OVER and state.drawn >= 0:
        return _no_kan(states, reader)
    return why_not(states, meant[-1], reader)


def _no_kan(states: np.ndarray, reader: Reader) -> str:
    """Why no kan of any kind can be made in the own turn."""
    state: Any = states[0]
    seat, drawn = int(state.seat), int(kind_of_face(int(state.drawn)))
    for kind in range(KINDS):
        held = int(state.hand[seat, kind]) + (drawn == kind)
        if held == COPIES or (held and pon_of(state, np.int64(seat), np.int64(kind)) >= 0):
            return why_not(states, int(KAN) + kind, reader)
    return reader.say(
        "同じ牌が四枚も、ポンに加える牌もない", "no kan: you have neither four of a kind nor the fourth tile of a pon"
    )
