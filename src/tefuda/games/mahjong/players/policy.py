"""`policy`: the paper's one-player policy (its section 4). It goes for a win and looks at nobody.

Every hand that a decision can leave has a list of features (paper/). The weights of the features that are on are added
up, and the hand with the largest sum is chosen, the first among equals. It wins and declares riichi whenever it can.
"""

import numpy as np

from tefuda.contract import plain_parameters
from tefuda.errors import Problem
from tefuda.games.mahjong.actions import PASS, RIICHI, RON, TSUMO
from tefuda.games.mahjong.paper import groups, hands
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.hands import CODES, action_of, list_candidates
from tefuda.kernel.bits import ZERO, has_word
from tefuda.kernel.compile import kernel

LARGEST = 32767  # a weight is a whole number of 16 bits
PACKED = (groups.SIZE + 3) // 4  # places of the parameters
NUMBERS = hands.SIZE + ACTIVE + 1  # scratch space, read as int64s


def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The weights, four to a place."""
    whole = np.rint(plain_parameters(variant, weights))
    if len(whole) and np.abs(whole).max() > LARGEST:
        raise Problem(f"the weights of policy are whole numbers from {-LARGEST} to {LARGEST}")
    padded = np.zeros(4 * PACKED, np.int16)
    padded[: len(whole)] = whole
    return padded.view(np.float64)


@kernel
def sum_of(weights, active):
    """The weights of a list of features."""
    total = np.int64(0)
    for i in range(active[ACTIVE]):
        total += np.int64(weights[active[i]])
    return total


@kernel
def best_code(view, seat, weights, rows, work, active):
    """The candidate with the largest sum."""
    best, most = np.int64(-1), np.int64(0)
    for row in range(rows):
        code = work[CODES + row]
        features(view, seat, code, work, active)
        total = sum_of(weights, active)
        if best < 0 or total > most:
            best, most = code, total
    return best


@kernel
def unweighed(mask):
    """The action that is taken without weighing hands: a win, riichi, a pass where nothing can be called; or -1."""
    for action in (TSUMO, RON, RIICHI):
        if has_word(mask, action):
            return action
    return PASS if has_word(mask, PASS) and mask[0] == ZERO else np.int64(-1)


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    action = unweighed(mask)
    if action >= 0:
        return action
    whole = numbers[:NUMBERS].view(np.int64)
    work, active = whole[: hands.SIZE], whole[hands.SIZE :]
    rows = list_candidates(view, seat, mask, work)
    code = work[CODES]
    if rows > 1:
        code = best_code(view, seat, params.view(np.int16), rows, work, active)
    return action_of(view, mask, code)
