"""`han-network`: as `han`, but a network foretells the han, from the features' factors that are not combined.

The paper ends by asking for it. The network (engine/network.py) is told the hand that a candidate leaves (paper/inputs)
and gives one output for each class, a softmax over them. It wins and declares riichi whenever it can.
"""

import numpy as np

from tefuda.engine.network import (
    HEADER,
    MOST_BLOCKS,
    MOST_UNITS,
    TOO_LARGE,
    largest_answer,
    packed,
    scratch_of,
    size_of,
)
from tefuda.engine.network import forward as ask_network
from tefuda.errors import Problem
from tefuda.games.mahjong.paper import hands
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.hands import CODES, action_of, list_candidates
from tefuda.games.mahjong.paper.inputs import BYTES, INPUTS, write_bytes, write_steps
from tefuda.games.mahjong.paper.positions import CLASSES
from tefuda.games.mahjong.players.han import settings_of
from tefuda.games.mahjong.players.policy import unweighed
from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp

OUTPUTS = len(CLASSES)
_TARGET = 2  # in the header, where other networks have their temperature
SPACE = scratch_of(INPUTS, OUTPUTS)  # float64s of the network, behind the whole numbers
NUMBERS = hands.SIZE + ACTIVE + 1 + BYTES + SPACE


def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The shape, the target, and the weights, two to a place: `units=U+blocks=B`, and `target=3`."""
    shape = {"units": 0, "blocks": 0}
    rest = []
    for part in filter(None, variant.split("+")):
        key, _, value = part.partition("=")
        if key in shape and value.isdecimal() and len(value) < 9:
            shape[key] = int(value)
        else:
            rest.append(part)
    target, _ = settings_of("+".join(rest), {})
    units, blocks = shape["units"], shape["blocks"]
    if not (1 <= units <= MOST_UNITS and 0 <= blocks <= MOST_BLOCKS):
        raise Problem(f"networks have up to {MOST_UNITS} units and {MOST_BLOCKS} blocks; this one says {variant!r}")
    wanted = size_of(INPUTS, units, blocks, OUTPUTS)
    if len(weights) != wanted:
        raise Problem(f"a network of {blocks} blocks of {units} units has {wanted:,} weights, not {len(weights):,}")
    if not largest_answer(weights, INPUTS, units, blocks, OUTPUTS) < TOO_LARGE:
        raise Problem("the weights of a network are so large that its answers would be no numbers")
    assert HEADER == 5
    return packed([units, blocks, target, 1.0, 0.0], weights)


@kernel
def network_chances(params, work, plain, space):
    """The chance of each class for the candidate whose features were listed last; they stand in space[:OUTPUTS].

    plain [BYTES] of whole numbers and space, float32s, are scratch space.
    """
    write_bytes(work, plain)
    chances_of_bytes(params, plain, space)


@kernel
def chances_of_bytes(params, plain, space):
    """The chance of each class for a hand as bytes; they stand in space[:OUTPUTS]."""
    write_steps(plain, space[OUTPUTS : OUTPUTS + INPUTS])
    ask_network(params, INPUTS, OUTPUTS, space)
    highest = space[0]
    for each in range(1, OUTPUTS):
        highest = max(highest, space[each])
    total = 0.0
    for each in range(OUTPUTS):
        space[each] = exp(space[each] - highest)
        total += space[each]
    for each in range(OUTPUTS):
        space[each] /= total


@kernel
def best_code(view, seat, params, rows, work, active, plain, space):
    """The candidate with the best chance; the first among equals."""
    target = np.int64(params[_TARGET])
    best, most = np.int64(-1), 0.0
    for row in range(rows):
        code = work[CODES + row]
        features(view, seat, code, work, active)
        network_chances(params, work, plain, space)
        chance = 0.0
        for each in range(target, OUTPUTS):
            chance += space[each]
        if best < 0 or chance > most:
            best, most = code, chance
    return best


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    action = unweighed(mask)
    if action >= 0:
        return action
    whole = numbers[: NUMBERS - SPACE].view(np.int64)
    work, active = whole[: hands.SIZE], whole[hands.SIZE : hands.SIZE + ACTIVE + 1]
    plain, space = whole[hands.SIZE + ACTIVE + 1 :], numbers[NUMBERS - SPACE : NUMBERS].view(np.float32)
    rows = list_candidates(view, seat, mask, work)
    code = work[CODES]
    if rows > 1:
        code = best_code(view, seat, params, rows, work, active, plain, space)
    return action_of(view, mask, code)
