"""`han`: the hand with the best chance to be won by so many han or more (section 5.3: MCP and BCP).

A model gives outputs for the features of a hand (paper/), as whole numbers: sums of weights of SCALE for one. A
multi-class model (MCP) has one output for each class, and its chances are a softmax over them; an ordered one (BCP) has
one for each number of han, which says how likely so many or more are. All is reckoned in whole numbers, powers of e by
a table, so that every machine decides alike. It wins and declares riichi whenever it can.
"""

import numpy as np

from tefuda.errors import Problem, unknown
from tefuda.games.mahjong.paper import groups, hands
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.hands import CODES, action_of, list_candidates
from tefuda.games.mahjong.paper.positions import CLASSES
from tefuda.games.mahjong.players.policy import unweighed
from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp

SCALE, LARGEST = 1024, 32767  # a weight of one; the largest as a whole number
OUTPUTS = {"multi-class": len(CLASSES), "ordered": len(CLASSES) - 1}
TARGET = 1  # han, unless the variant says otherwise
_STEP, _REACH = 4, 4096  # of the table: so many of SCALE, so many steps
_ONE = 1 << 28
_TARGET, _OUTPUTS, _TABLE, _WEIGHTS = 0, 1, 2, 2 + _REACH  # the layout of the parameters
NUMBERS = hands.SIZE + ACTIVE + 1 + len(CLASSES)  # scratch space, read as int64s


def settings_of(variant: str, models: dict[str, int]) -> tuple[int, str]:
    """The target and the model that a variant names."""
    target, model = TARGET, ""
    for part in filter(None, variant.split("+")):
        key, equals, value = part.partition("=")
        if part in models:
            model = part
        elif key == "target" and equals and value.isdecimal() and 1 <= int(value) < len(CLASSES):
            target = int(value)
        else:
            raise unknown("variant of han", part, [*models, *(f"target={han}" for han in range(1, len(CLASSES)))])
    return target, model


def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The target, the number of outputs, powers of e, and the weights, four to a place."""
    target, model = settings_of(variant, OUTPUTS)
    if not model:
        raise Problem(f"a model of han is {' or '.join(OUTPUTS)}: its policy card should say which")
    whole = np.rint(weights)
    if len(whole) != groups.SIZE * OUTPUTS[model] or np.abs(whole).max() > LARGEST:
        raise Problem(
            f"a model of han ({model}) has {groups.SIZE * OUTPUTS[model]:,} weights from {-LARGEST} to {LARGEST}"
        )
    padded = np.zeros((len(whole) + 3) // 4 * 4, np.int16)
    padded[: len(whole)] = whole
    table = [round(_ONE * exp(-_STEP * place / SCALE)) for place in range(_REACH)]
    return np.concatenate([np.array([target, OUTPUTS[model], *table], np.float64), padded.view(np.float64)])


@kernel
def add_up(weights, active, outputs, sums):
    """The outputs of a model for a list of features."""
    for each in range(outputs):
        sums[each] = 0
    for i in range(active[ACTIVE]):
        first = active[i] * outputs
        for each in range(outputs):
            sums[each] += np.int64(weights[first + each])


@kernel
def power(params, difference):
    """A power of e, in parts of 2 ** 28, of so much below the largest output."""
    place = difference // _STEP
    return np.int64(params[_TABLE + place]) if place < _REACH else np.int64(0)


@kernel
def odds(params, sums, outputs, target):
    """How likely the target or more is, as a share and the whole of it: whole numbers below 2 ** 31."""
    most = sums[0]
    for each in range(1, outputs):
        most = max(most, sums[each])
    share, whole = np.int64(0), np.int64(0)
    for each in range(outputs):
        part = power(params, most - sums[each])
        whole += part
        share += part if each >= target else 0
    return share, whole


@kernel
def at_least(params, sums):
    """How likely an ordered model says that so many han or more are, by one of its outputs."""
    if sums >= 0:
        return _ONE / (_ONE + power(params, sums))
    part = power(params, -sums)
    return part / (_ONE + part)


@kernel
def han_chances(params, active, sums, out):
    """The chance of each class for a hand whose features are listed: sums [CLASSES] is scratch space, out [CLASSES].

    The outputs of an ordered model can rise from one number of han to the next, so that a difference is negative: then
    the lower number's chance is raised to that of the higher one, and the class between has the chance 0.
    """
    outputs = np.int64(params[_OUTPUTS])
    add_up(params[_WEIGHTS:].view(np.int16), active, outputs, sums)
    if outputs == len(CLASSES):
        for each in range(outputs):
            share, whole = odds(params, sums, outputs, each)
            out[each] = share / whole
        for each in range(outputs - 1):
            out[each] -= out[each + 1]
        return
    more = 0.0
    for each in range(outputs, 0, -1):
        reached = max(more, at_least(params, sums[each - 1]))
        out[each] = reached - more
        more = reached
    out[0] = 1.0 - more


@kernel
def best_code(view, seat, params, rows, work, active, sums):
    """The candidate with the best chance; the first among equals."""
    target, outputs = np.int64(params[_TARGET]), np.int64(params[_OUTPUTS])
    weights = params[_WEIGHTS:].view(np.int16)
    best, best_share, best_whole = np.int64(-1), np.int64(0), np.int64(1)
    for row in range(rows):
        code = work[CODES + row]
        features(view, seat, code, work, active)
        add_up(weights, active, outputs, sums)
        share, whole = sums[target - 1], np.int64(1)  # ordered: more is likelier
        if outputs == len(CLASSES):
            share, whole = odds(params, sums, outputs, target)
        if best < 0 or share * best_whole > best_share * whole:
            best, best_share, best_whole = code, share, whole
    return best


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    action = unweighed(mask)
    if action >= 0:
        return action
    whole = numbers[:NUMBERS].view(np.int64)
    work, active = whole[: hands.SIZE], whole[hands.SIZE : hands.SIZE + ACTIVE + 1]
    rows = list_candidates(view, seat, mask, work)
    code = work[CODES]
    if rows > 1:
        code = best_code(view, seat, params, rows, work, active, whole[hands.SIZE + ACTIVE + 1 :])
    return action_of(view, mask, code)
