"""A deal with any wind, points and wall: what experiments, records and tests begin with."""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tefuda.errors import Problem
from tefuda.games.mahjong.actions import FACES, kind_of_face
from tefuda.games.mahjong.spaces import FACE_NAMES
from tefuda.games.mahjong.state import (
    DRAWS,
    HAND,
    INDICATORS,
    REPLACEMENTS,
    SEATS,
    TILES,
    UNKNOWN,
    URA_INDICATORS,
)
from tefuda.games.mahjong.tiles import COPIES, KINDS
from tefuda.games.mahjong.wall import deal_wall
from tefuda.kernel.compile import kernel


@kernel
def start_deal(state, kyoku, honba, sticks, points, wall):
    """Begin a deal of a match: its wind and dealer (east 1 is 0), counters, points [4] and wall [136] of faces.

    The table must have been dealt once, so that it knows its rules and the source of later deals.
    """
    state.kyoku = kyoku
    state.honba = honba
    state.sticks = sticks
    for seat in range(SEATS):
        state.points[seat] = points[seat]
    for place in range(TILES):
        state.wall[place] = wall[place]
    deal_wall(state)


def all_faces(states: np.ndarray) -> Counter:
    """The faces of all 136 tiles under the rules of a table."""
    faces = Counter(dict.fromkeys(range(KINDS), COPIES))
    if states["rules"]["red"][0]:
        for red in range(KINDS, FACES):
            faces[int(kind_of_face(red))] -= 1
            faces[red] = 1
    return faces


def wall_of(
    states: np.ndarray,
    dealer: int,
    hands: Sequence[Sequence[int]],
    draws: Sequence[int] = (),
    replacements: Sequence[int] = (),
    indicators: Sequence[int] = (),
    ura: Sequence[int] = (),
) -> np.ndarray:
    """A wall that gives these hands (by seat), draws and indicators, in order; the rest are the tiles left, in order.

    Hands may be shorter than 13 tiles, and indicators and draws as few as one likes.
    """
    wall = np.full(TILES, UNKNOWN, np.uint8)
    for seat, hand in enumerate(hands):
        first = HAND * ((seat - dealer) % SEATS)
        if len(hand) > HAND:
            raise Problem(f"seat {seat} is given {len(hand)} tiles, but a hand has {HAND}")
        wall[first : first + len(hand)] = hand
    for what, first, most, faces in (
        ("draws", DRAWS, REPLACEMENTS - DRAWS, draws),
        ("draws after a kan", REPLACEMENTS, INDICATORS - REPLACEMENTS, replacements),
        ("dora indicators", INDICATORS, URA_INDICATORS - INDICATORS, indicators),
        ("ura indicators", URA_INDICATORS, TILES - URA_INDICATORS, ura),
    ):
        if len(faces) > most:
            raise Problem(f"{len(faces)} {what} are given, but there are {most} at most")
        wall[first : first + len(faces)] = faces
    all_of = all_faces(states)
    left = np.array([all_of[face] for face in range(FACES)]) - np.bincount(wall[wall != UNKNOWN], minlength=FACES)
    for face in np.flatnonzero(left < 0):
        raise Problem(f"{FACE_NAMES[face].en} is given {-left[face]} times more than there are such tiles")
    rest = np.repeat(np.arange(FACES), left).tolist()
    # Spread out, so that what is not given is no run of equal tiles.
    rest = [rest[i * 37 % len(rest)] for i in range(len(rest))] if len(rest) % 37 else rest
    wall[wall == UNKNOWN] = rest
    return wall
