"""Where every tile is, slot by slot: what the checks of conservation, secrecy and guessing are written on."""

import numpy as np

from tefuda.contract import Layout
from tefuda.games.mahjong.actions import red_of_kind
from tefuda.games.mahjong.hand import CHI, is_kan, meld_kind, meld_type
from tefuda.games.mahjong.hiding import clear_hand, has_drawn, is_open_place, is_still_there
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    DRAWS,
    LIVE,
    RED_MARK,
    REPLACEMENTS,
    SEATS,
    TILES,
    TSUMOGIRI_MARK,
    faces_of,
    look_at_hand,
    put_tile,
)
from tefuda.kernel.bits import ZERO


def faces_of_meld(meld: int, note: int) -> list[int]:
    """The faces of the tiles in a meld."""
    first = int(meld_kind(meld))
    if meld_type(meld) == CHI:
        kinds = [first, first + 1, first + 2]
    else:
        kinds = [first] * (4 if is_kan(meld) else 3)
    if note & RED_MARK:
        five = next(i for i, kind in enumerate(kinds) if red_of_kind(kind) >= 0)
        kinds[five] = int(red_of_kind(kinds[five]))
    return kinds


def river_of(state, seat: int) -> list[int]:
    """The faces that lie in a river; called ones lie in melds."""
    marked = (int(tile) for tile in state.river[seat][: int(state.discards[seat])])
    return [tile % TSUMOGIRI_MARK for tile in marked if tile < CALLED_MARK]


def layout(states: np.ndarray, seat: int) -> Layout:
    """All 136 tiles. Places of the wall that will never be drawn are one group with the hidden indicators' own."""
    state = states[0]
    slots: list[tuple[int, str, bool]] = []
    for owner in range(SEATS):
        hidden = owner != seat
        slots += [(face, f"hand {owner}", hidden) for face in faces_of(state, owner)]
        if has_drawn(state, owner):
            slots.append((int(state.drawn), f"drawn {owner}", hidden))
        for i in range(int(state.meld_count[owner])):
            meld, note = int(state.melds[owner, i]), int(state.called[owner, i])
            slots += [(face, f"meld {owner} {i}", False) for face in faces_of_meld(meld, note)]
        slots += [(face, f"river {owner}", False) for face in river_of(state, owner)]
    never = DRAWS + LIVE - int(state.kans)  # each kan takes the last tile of the live wall away
    for place in range(TILES):
        if is_open_place(state, place):
            slots.append((int(state.wall[place]), f"wall {place}", False))
        elif is_still_there(state, place):
            group = "never drawn" if never <= place < REPLACEMENTS else f"wall {place}"
            slots.append((int(state.wall[place]), group, True))
    return Layout(*(list(column) for column in zip(*slots, strict=True)))


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other tiles into the hidden slots of a table, in the order of the layout."""
    state = states[0]
    places = iter(place for place in range(TILES) if is_still_there(state, place))
    hands: dict[int, list[int]] = {}
    for face, group, hidden in zip(cards, seen.groups, seen.hidden, strict=True):
        if not hidden:
            continue
        if group.startswith("hand"):
            hands.setdefault(int(group[-1]), []).append(face)
        elif group.startswith("drawn"):
            state.drawn = face
        else:
            state.wall[next(places)] = face
    for owner, held in hands.items():
        clear_hand(state, owner)
        for face in held:
            put_tile(state, owner, face)
        look_at_hand(state, owner)


def allowed(states: np.ndarray, seat: int) -> bool:
    """The hard facts beside the visible tiles: who is in riichi is ready."""
    state = states[0]
    return all(state.waits[other] != ZERO for other in range(SEATS) if other != seat and state.riichi[other])
