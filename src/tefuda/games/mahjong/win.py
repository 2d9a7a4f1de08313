"""Wins: whether a hand may win on a tile, and what it is worth."""

import numpy as np

from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.score import (
    CHANKAN,
    DOUBLE_RIICHI,
    FIRST_TURN,
    IPPATSU,
    LAST_TILE,
    OPEN_TANYAO,
    RIICHI,
    RINSHAN,
    TSUMO,
    score,
)
from tefuda.games.mahjong.state import CLAIM, ROB, is_furiten, left_in_wall, wind_of
from tefuda.games.mahjong.yaku import KOKUSHI, KOKUSHI_13
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

NO_DORA = np.int64(0)


@kernel
def circumstances(state, seat):
    """What counts for yaku beside the tiles: riichi, the wall, kans and the rules, as flags of score.py.

    In the own turn it is a win by tsumo, otherwise by ron.
    """
    flags = OPEN_TANYAO if state.rules.open_tanyao != 0 else 0
    if state.riichi[seat] == 1:
        flags |= RIICHI
    elif state.riichi[seat] == 2:
        flags |= DOUBLE_RIICHI
    if state.ippatsu[seat] != 0:
        flags |= IPPATSU
    last = left_in_wall(state) == 0
    if state.phase == CLAIM:
        return flags | LAST_TILE if last else flags
    if state.phase == ROB:
        return flags | CHANKAN
    flags |= TSUMO
    if state.untouched != 0 and state.discards[seat] == 0:
        flags |= FIRST_TURN
    if state.replaced != 0:
        return flags | RINSHAN
    return flags | LAST_TILE if last else flags


@kernel
def value(state, seat, face, dora):
    """Yaku, han, fu and base points of a seat that wins on a tile now, with so many dora of all sorts."""
    return score(
        state.hand[seat], state.melds[seat], kind_of_face(face), circumstances(state, seat), wind_of(state, seat),
        np.int64(state.kyoku) // 4, dora,
    )  # fmt: skip


@kernel
def can_tsumo(state, seat):
    """Whether the seat in turn may win with the tile just drawn."""
    if state.drawn < 0 or not has(state.waits[seat], kind_of_face(np.int64(state.drawn))):
        return False
    return value(state, seat, np.int64(state.drawn), NO_DORA)[1] > 0


@kernel
def can_ron(state, seat):
    """Whether a seat may win on the tile that is asked about."""
    if not has(state.waits[seat], kind_of_face(np.int64(state.tile))) or is_furiten(state, seat):
        return False
    yaku, han, _, _ = value(state, seat, np.int64(state.tile), NO_DORA)
    if state.phase == ROB and state.closed_kan != 0:
        return has(yaku, KOKUSHI) or has(yaku, KOKUSHI_13)
    return han > 0
