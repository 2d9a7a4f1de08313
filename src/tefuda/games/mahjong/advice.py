"""What a hint says beside the values of the moves: how far the hand is, and which tiles help it, with their counts."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.games.mahjong.actions import ACTIONS, CHI, OPEN_KAN, PASS, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.calls import call
from tefuda.games.mahjong.hiding import count_unseen_kind
from tefuda.games.mahjong.legal import legal
from tefuda.games.mahjong.reasons import counted_text, shanten_text
from tefuda.games.mahjong.shanten import shanten, useful
from tefuda.games.mahjong.state import CLAIM, OVER, ROB
from tefuda.games.mahjong.text import action_name, code
from tefuda.games.mahjong.tiles import KINDS, kinds_of

MOST = 5  # discards that are told
NOW, DISCARD = Name("今", "now"), Name("打", "discard")
UNIT = ("下の見込みは千点単位", "the values below are in thousands of points")


@dataclass(frozen=True)
class Standing:
    """A hand of 13 tiles, melds counted as three: how far it is, and what helps it."""

    shanten: int
    kinds: np.uint64
    tiles: int  # of these kinds that the seat cannot see

    @property
    def order(self) -> tuple[int, int]:
        """The best first."""
        return self.shanten, -self.tiles


def standing(state: Any, seat: int, counts: np.ndarray) -> Standing:
    melds = np.int64(state.meld_count[seat])
    kinds = useful(counts, melds)
    tiles = sum(int(count_unseen_kind(state, seat, kind)) for kind in kinds_of(kinds))
    return Standing(int(shanten(counts, melds)), kinds, tiles)


def discards(state: Any, seat: int, kinds: list[int], counts: np.ndarray) -> list[tuple[int, Standing]]:
    """What each discard leaves of a hand with a tile too many, the best first."""
    found = []
    for kind in kinds:
        left = counts.copy()
        left[kind] -= 1
        found.append((kind, standing(state, seat, left)))
    return sorted(found, key=lambda each: each[1].order)


def told(state: Any, seat: int, of: Standing, reader: Reader) -> str:
    """1 from ready, 12 tiles: 3m×4 6m×4 9p×4"""
    tiles = reader.label(Name(f"{of.tiles}枚", f"{of.tiles} tiles"))
    return f"{shanten_text(of.shanten, reader)}, {tiles}: {counted_text(state, seat, of.kinds, reader)}"


def actions_now(states: np.ndarray) -> list[int]:
    """The legal actions."""
    mask = np.zeros(-(-int(ACTIONS) // 64), np.uint64)
    legal(states[0], mask)
    return [action for action in range(ACTIONS) if int(mask[action // 64]) >> (action % 64) & 1]


def advice(states: np.ndarray, reader: Reader) -> list[str]:
    """Shanten and useful tiles: after each discard in the own turn; now, and after each call, when asked."""
    state, seat = states[0], int(states[0].seat)
    if state.phase == OVER or reader.seat not in (None, seat):
        return []
    actions = [action for action in actions_now(states) if action < PASS]
    if state.phase in (CLAIM, ROB):
        now = told(state, seat, standing(state, seat, state.hand[seat].copy()), reader)
        return [f"{reader.label(NOW)}: {now}", *_after_calls(states, seat, actions, reader), reader.say(*UNIT)]
    counts = state.hand[seat].copy()
    kinds = {int(kind_of_face(action)) for action in actions if action < TSUMOGIRI}
    if state.drawn >= 0:
        drawn = int(kind_of_face(int(state.drawn)))
        counts[drawn] += 1
        kinds |= {drawn} if TSUMOGIRI in actions else set()
    best = discards(state, seat, sorted(kinds), counts)[:MOST]
    lines = [f"{_discard(kind, reader)}: {told(state, seat, of, reader)}" for kind, of in best]
    return [*lines, reader.say(*UNIT)]


def _discard(kind: int, reader: Reader) -> str:
    return f"{reader.label(DISCARD)} {code(kind, reader.lang)}"


def _after_calls(states: np.ndarray, seat: int, actions: list[int], reader: Reader) -> list[str]:
    """What each call leaves with the best discard that it allows; a kan is followed by a draw."""
    lines = []
    for action in (action for action in actions if CHI <= action < OPEN_KAN):
        after = states.copy()
        state = after[0]
        call(state, np.int64(seat), np.int64(action))
        allowed = [
            kind for kind in range(KINDS) if state.hand[seat, kind] and not int(state.forbidden) >> kind & 1
        ]  # fmt: skip
        kind, of = discards(state, seat, allowed, state.hand[seat].copy())[0]
        name = action_name(states, action, reader.lang)
        lines.append(f"{name}, {_discard(kind, reader)}: {told(state, seat, of, reader)}")
    return lines
