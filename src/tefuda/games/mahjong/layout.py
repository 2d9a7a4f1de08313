"""Where every tile is, slot by slot: what the checks of conservation, secrecy and guessing are written on."""

from typing import Any

import numpy as np

from tefuda.contract import Layout
from tefuda.games.mahjong.actions import kind_of_face, red_of_kind
from tefuda.games.mahjong.hand import CHI, is_kan, meld_kind, meld_type
from tefuda.games.mahjong.hiding import has_drawn
from tefuda.games.mahjong.state import (
    CALLED_MARK,
    DRAWS,
    INDICATORS,
    LIVE,
    RED_MARK,
    REPLACEMENTS,
    SEATS,
    TILES,
    TSUMOGIRI_MARK,
    faces_of,
    look_at_hand,
)
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.bits import ZERO


def faces_of_meld(meld: int, claim: int) -> list[int]:
    """The faces of the tiles in a meld."""
    first = int(meld_kind(meld))
    if meld_type(meld) == CHI:
        kinds = [first, first + 1, first + 2]
    else:
        kinds = [first] * (4 if is_kan(meld) else 3)
    if claim & RED_MARK:
        five = next(i for i, kind in enumerate(kinds) if red_of_kind(kind) >= 0)
        kinds[five] = int(red_of_kind(kinds[five]))
    return kinds


def river_of(state: Any, seat: int) -> list[int]:
    """The faces that lie in a river; called ones lie in melds."""
    marked = state.river[seat][: int(state.discards[seat])].tolist()
    return [tile % TSUMOGIRI_MARK for tile in marked if tile < CALLED_MARK]


def places_of(state: Any) -> tuple[list[int], list[int]]:
    """The places of the wall that are open indicators, and those whose tiles nobody has drawn.

    The same as `hiding.is_open_place` and `is_still_there`, which are slow to call from here 136 times.
    """
    first, indicators = int(INDICATORS), int(state.indicators)
    there = [*range(int(DRAWS + state.next), int(REPLACEMENTS)), *range(int(REPLACEMENTS + state.kans), first)]
    return list(range(first, first + indicators)), [*there, *range(first + indicators, TILES)]


def layout(states: np.ndarray, seat: int) -> Layout:
    """All 136 tiles. Places of the live wall that kans have taken away are one group, each other place is its own."""
    state = states[0]
    slots: list[tuple[int, str, bool]] = []
    for owner in range(SEATS):
        hidden = owner != seat
        slots += [(face, f"hand {owner}", hidden) for face in faces_of(state, owner)]
        if has_drawn(state, owner):
            slots.append((int(state.drawn), f"drawn {owner}", hidden))
        for i in range(int(state.meld_count[owner])):
            meld, claim = int(state.melds[owner, i]), int(state.called[owner, i])
            slots += [(face, f"meld {owner} {i}", False) for face in faces_of_meld(meld, claim)]
        slots += [(face, f"river {owner}", False) for face in river_of(state, owner)]
    wall, first, last = state.wall.tolist(), int(DRAWS + LIVE - state.kans), int(REPLACEMENTS)
    opened, there = places_of(state)
    slots += [(wall[place], f"wall {place}", False) for place in opened]
    for place in there:  # each kan takes the last tile of the live wall away: that is never drawn
        slots.append((wall[place], "never drawn" if first <= place < last else f"wall {place}", True))
    return Layout(*(list(column) for column in zip(*slots, strict=True)))


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other tiles into the hidden slots of a table, in the order of the layout."""
    state = states[0]
    places = iter(places_of(state)[1])
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
        state.hand[owner] = np.bincount([int(kind_of_face(face)) for face in held], minlength=KINDS)
        state.faces[owner] = np.uint64(sum(1 << face for face in set(held)))
        look_at_hand(state, owner)


def allowed(states: np.ndarray, seat: int) -> bool:
    """The hard facts beside the visible tiles: who is in riichi is ready."""
    state = states[0]
    return all(state.waits[other] != ZERO for other in range(SEATS) if other != seat and state.riichi[other])


def exchange(states: np.ndarray, shown: int, hidden: int) -> bool:
    """Let a dora indicator and a tile of the wall that nobody has seen change their places."""
    wall = states[0].wall
    opened, there = places_of(states[0])
    indicator = next((place for place in opened if wall[place] == shown), None)
    unseen = next((place for place in there if wall[place] == hidden), None)
    if indicator is None or unseen is None:
        return False
    wall[indicator], wall[unseen] = wall[unseen], wall[indicator]
    return True
