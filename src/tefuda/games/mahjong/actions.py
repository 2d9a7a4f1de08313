"""The actions by number, and faces: what a tile looks like.

A face is a kind (0 to 33: 1-9m, 1-9p, 1-9s, E S W N, white green red) or a red five (34 m, 35 p, 36 s).
"""

from typing import Any

import numpy as np

from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.compile import kernel

FACES = KINDS + 3

# Kernels are compiled anew for each plain number that they are given, but once for all of np.int64.
DISCARD: Any = np.int64(0)  # one for each face: that tile from the hand, not the one just drawn
TSUMOGIRI = DISCARD + FACES  # the tile just drawn; which it was is public, so this is another action
RIICHI = TSUMOGIRI + 1  # the next decision is the discard
CHI = RIICHI + 1  # 2 × place of the claimed tile in the run (lowest, middle, highest) + whether the own five is red
PON = CHI + 6  # + whether an own five is red
OPEN_KAN = PON + 2
KAN = OPEN_KAN + 1  # one for each kind: a closed kan, or the fourth tile added to a pon
TSUMO = KAN + KINDS
RON = TSUMO + 1
NINE = RON + 1  # nine terminals and honours: the deal is aborted
PASS = NINE + 1
ACTIONS = PASS + 1


@kernel
def kind_of_face(face):
    """A red five is a five."""
    return face if face < KINDS else 4 + 9 * (face - KINDS)


@kernel
def red_of_kind(kind):
    """The red face of a kind, or -1 where none can be red."""
    return KINDS + kind // 9 if kind < 27 and kind % 9 == 4 else -1
