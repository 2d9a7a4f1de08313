"""Residual networks in kernels: a policy and its value for one table at a time, without torch.

    h = W x + b;   then for each block  h = h + W relu(h) + b;   then  [logits …, value] = W relu(h) + b

The parameters of a policy are float64, the weights of a network float32, two to a place: `packed` writes them and
`.view` reads them. The matrices lie input by input. So an input of 0 costs nothing (half of all are 0, and most of the
observation), and the sum goes over all outputs at once. A sum always runs in the order of the inputs: a network gives
the same answer for a table wherever it is asked.
"""

import math
from collections.abc import Sequence

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine.goals import GOALS
from tefuda.engine.told import former_meaning_of, known_options, meaning_of, options_of, with_options
from tefuda.errors import Problem, unknown
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.powers import exp
from tefuda.kernel.random import drawn, unit

NAME = "network"
UNITS, BLOCKS, TEMPERATURE, SCALE, GOAL = 0, 1, 2, 3, 4  # what stands before the weights in a player's parameters
HEADER = 5
MOST_UNITS = 1024  # of one layer: kernels have a fixed place for them
MOST_BLOCKS = 8
LARGEST_INPUT = 1000.0  # of an observation, whose numbers are near 1
TOO_LARGE = 1e30  # for float32, with room for sums


def size_of(inputs: int, units: int, blocks: int, outputs: int) -> int:
    """How many weights a network has; `outputs` are all actions and the value."""
    return (inputs + 1) * units + blocks * (units + 1) * units + (units + 1) * outputs


def largest_answer(weights: np.ndarray, inputs: int, units: int, blocks: int, outputs: int) -> float:
    """No answer of a network is larger, whatever it is told: kernels count on numbers that are neither infinite nor
    undefined."""
    largest, start = LARGEST_INPUT, 0
    for layer in range(blocks + 2):
        before, after = inputs if layer == 0 else units, outputs if layer == blocks + 1 else units
        matrix = np.abs(np.asarray(weights[start : start + before * after], np.float64)).reshape(before, after)
        start += (before + 1) * after
        with np.errstate(over="ignore", invalid="ignore"):
            added = float((matrix.sum(axis=0) * largest + np.abs(weights[start - after : start])).max())
        largest = added if layer in (0, blocks + 1) else largest + added
    return largest


def scratch_of(inputs: int, outputs: int) -> int:
    """The float64s that `forward` writes to."""
    return (inputs + 2 * MOST_UNITS + outputs + 1) // 2


def packed(header: list[float], weights: np.ndarray) -> np.ndarray:
    """A policy's parameters: a header of float64, then float32 weights, two to a place."""
    assert len(header) == HEADER
    padded = np.zeros((len(weights) + 1) // 2 * 2, np.float32)
    padded[: len(weights)] = weights
    return np.concatenate([np.array(header, np.float64), padded.view(np.float64)])


@kernel
def next_active(source, first, inputs, rectify):
    """The first input from `first` on that counts, or `inputs`."""
    while first < inputs:
        value = source[first]
        if value > np.float32(0.0) or (value < np.float32(0.0) and not rectify):
            break
        first += 1
    return first


@kernel
def add_layer(weights, start, inputs, outputs, source, rectify, target):
    """target += W relu(source) + b, or W source + b; returns where the next layer's weights begin.

    Four inputs are added in one pass over the outputs, one after the other: the sum is the same, and memory is
    written a quarter as often.
    """
    one = next_active(source, 0, inputs, rectify)
    while one < inputs:
        two = next_active(source, one + 1, inputs, rectify)
        three = next_active(source, two + 1, inputs, rectify)
        four = next_active(source, three + 1, inputs, rectify)
        first = weights[start + one * outputs : start + (one + 1) * outputs]
        if four >= inputs:  # fewer than four are left: one at a time
            value = source[one]
            for j in range(outputs):
                target[j] += value * first[j]
            one = two
            continue
        second = weights[start + two * outputs : start + (two + 1) * outputs]
        third = weights[start + three * outputs : start + (three + 1) * outputs]
        fourth = weights[start + four * outputs : start + (four + 1) * outputs]
        a, b, c, d = source[one], source[two], source[three], source[four]
        for j in range(outputs):
            target[j] = target[j] + a * first[j] + b * second[j] + c * third[j] + d * fourth[j]
        one = next_active(source, four + 1, inputs, rectify)
    start += inputs * outputs
    for j in range(outputs):
        target[j] += weights[start + j]
    return start + outputs


@kernel
def forward(params, inputs, outputs, space):
    """Ask a network. It reads the observation in space[outputs : outputs + inputs], and writes its logits and, last,
    its value into space[:outputs]. (CUDA's kernels cannot return a part of an array.)"""
    units, blocks = int(params[UNITS]), int(params[BLOCKS])
    weights = params[HEADER:].view(np.float32)
    result = space[:outputs]
    observation = space[outputs : outputs + inputs]
    hidden = space[outputs + inputs : outputs + inputs + units]
    change = space[outputs + inputs + MOST_UNITS : outputs + inputs + MOST_UNITS + units]
    hidden[:] = np.float32(0.0)
    start = add_layer(weights, 0, inputs, units, observation, False, hidden)
    for _ in range(blocks):
        change[:] = np.float32(0.0)
        start = add_layer(weights, start, units, units, hidden, True, change)
        for j in range(units):
            hidden[j] += change[j]
    result[:] = np.float32(0.0)
    add_layer(weights, start, units, outputs, hidden, True, result)


@kernel
def softmax_of(logits, actions, temperature, mask):
    """Turn the logits of legal actions into chances, in place; others get 0. Temperature 0: the best alone."""
    best = -1
    for action in range(actions):
        if has_word(mask, action) and (best < 0 or logits[action] > logits[best]):
            best = action
    highest = logits[best]
    total = np.float32(0.0)
    for action in range(actions):
        chance = np.float32(0.0)
        if action == best:
            chance = np.float32(1.0)
        elif temperature > 0.0 and has_word(mask, action):
            chance = np.float32(exp((logits[action] - highest) / temperature))
        logits[action] = chance
        total += chance
    for action in range(actions):
        logits[action] /= total
    return best


def with_network(game: Game) -> Game:
    """A game with the policy by which networks play."""
    inputs, actions = game.spaces.observation.size, game.spaces.actions.size
    outputs = actions + 1
    observe = game.kernels.observe

    def choose(view, seat, params, rng, mask, worlds, numbers):
        space = numbers.view(np.float32)
        observe(view, seat, space[outputs : outputs + inputs])
        forward(params, inputs, outputs, space)
        best = softmax_of(space, actions, params[TEMPERATURE], mask)
        return drawn(space, actions, unit(rng)) if params[TEMPERATURE] > 0.0 else best

    def chances(view, seat, params, mask, worlds, numbers, out):
        space = numbers.view(np.float32)
        observe(view, seat, space[outputs : outputs + inputs])
        forward(params, inputs, outputs, space)
        softmax_of(space, actions, params[TEMPERATURE], mask)
        for action in range(actions):
            out[action] = space[action]

    def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
        return parameters_of(game, variant, weights)

    def fit(features: str, options: Sequence[str] | None, variant: str, weights: np.ndarray) -> np.ndarray | None:
        known = known_options(game, features, options)
        return None if known is None else with_options(game, known, units_of(variant), weights)

    policy = Policy(
        NAME, kernel(choose), parameters, weights=None, features=meaning_of(game),
        former=former_meaning_of(game, len(options_of(game))), options=options_of(game), fit=fit,
        numbers=scratch_of(inputs, outputs), own_rules=True, chances=kernel(chances),
    )  # fmt: skip
    return game.with_more((policy,))


def variant_of(units: int, blocks: int, scale: float, goal: str) -> str:
    """The shape of a network as a policy card names it."""
    return f"units={units}+blocks={blocks}+scale={scale:.9g}+goal={goal}"


def settings_of(variant: str) -> dict[str, str]:
    """All settings: as the variant names them, the others at their defaults."""
    chosen = {"units": "0", "blocks": "0", "scale": "1", "goal": "score", "temperature": "1"}
    for setting in filter(None, variant.split("+")):
        key, equals, value = setting.partition("=")
        if key not in chosen or not equals:
            raise unknown("setting of a network", key, ["temperature"])
        chosen[key] = value
    return chosen


def units_of(variant: str) -> int:
    """The units of each layer that a variant names; 0 for a name that cannot be, which `parameters_of` refuses."""
    units = settings_of(variant)["units"]
    return int(units) if units.isdecimal() and len(units) < 9 else 0


def parameters_of(game: Game, variant: str, weights: np.ndarray) -> np.ndarray:
    """The parameters of a network. Its variant names its shape, and may end in temperature=T, by which it draws."""
    chosen = settings_of(variant)
    try:
        units, blocks = int(chosen["units"]), int(chosen["blocks"])
        scale, temperature = float(chosen["scale"]), float(chosen["temperature"])
    except ValueError:
        raise Problem(f"a network takes a number, as in /temperature=0.5, not {variant!r}") from None
    if not 0.0 <= temperature <= 100.0:
        raise Problem(f"temperature is {temperature:g}, but takes 0 (always the best) to 100")
    if not (
        1 <= units <= MOST_UNITS and 0 <= blocks <= MOST_BLOCKS and 0 < scale < math.inf and chosen["goal"] in GOALS
    ):
        raise Problem(f"networks have up to {MOST_UNITS} units and {MOST_BLOCKS} blocks; this one says {variant!r}")
    wanted = size_of(game.spaces.observation.size, units, blocks, game.spaces.actions.size + 1)
    if len(weights) != wanted:
        raise Problem(f"a network of {blocks} blocks of {units} units has {wanted:,} weights, not {len(weights):,}")
    if (
        not largest_answer(weights, game.spaces.observation.size, units, blocks, game.spaces.actions.size + 1)
        < TOO_LARGE
    ):
        raise Problem("the weights of a network are so large that its answers would be no numbers")
    return packed([units, blocks, temperature, scale, GOALS[chosen["goal"]]], weights)
