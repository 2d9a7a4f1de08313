"""Agari or koi-koi: the decision that every player makes the same way, and that can be chosen apart from card play.

Parameters of every Koi-Koi player begin with [how to decide, number of playouts]; its own weights follow.
"""

from typing import Any

import numpy as np

from tefuda.errors import Problem, quoted
from tefuda.games.koikoi.hiding import guess
from tefuda.games.koikoi.rules import apply, legal, scores, to_move
from tefuda.games.koikoi.state import AGARI, CALL, KOIKOI
from tefuda.games.koikoi.yaku import round_points
from tefuda.kernel.bits import count, nth
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below
from tefuda.search.playouts import playouts_of

MONTE_CARLO, ALWAYS_STOP, ALWAYS_KOIKOI = 0, 1, 2
HEADER = 2  # parameters before a player's own weights
PLAYOUTS = 300  # section 5.2
WORLDS, NUMBERS = 2, 2  # scratch space that the decision needs


@kernel
def random_play(state, rng, mask):
    """A simulated player: any card, and agari at every chance."""
    if state.phase == CALL:
        return AGARI
    return nth(mask[0], below(rng, count(mask[0])))


PLAYOUT = playouts_of(to_move, legal, apply, scores, guess, random_play)
_value = PLAYOUT.value


@kernel
def value_of_stopping(view, seat):
    """The points that agari pays now."""
    return round_points(int(view.points[seat]), int(view.calls[seat]), int(view.calls[1 - seat]), view.rules)


@kernel
def value_of_koikoi(view, seat, playouts, rng, mask, worlds, numbers):
    """The mean gain in this round after koi-koi, when both then play at random and stop when they can (5.2)."""
    worlds[1] = view
    worlds[1].rules.rounds = view.finished + 1  # the simulated match ends with this round
    return _value(worlds[1], seat, KOIKOI, playouts, rng, mask, worlds, numbers) - view.score[seat]


@kernel
def decide(view, seat, params, rng, mask, worlds, numbers):
    """AGARI or KOIKOI, by the head of the parameters."""
    if count(mask[0]) == 1 or params[0] == ALWAYS_STOP:
        return AGARI
    if params[0] == ALWAYS_KOIKOI:
        return KOIKOI
    gain = value_of_koikoi(view, seat, int(params[1]), rng, mask, worlds, numbers)
    return KOIKOI if gain > value_of_stopping(view, seat) else AGARI


def with_decision(key: str, play: Any) -> Any:
    """A policy kernel from a way to play cards: play(view, seat, weights, rng, mask, worlds, numbers)."""

    def choose(view, seat, params, rng, mask, worlds, numbers):
        if view.phase == CALL:
            return decide(view, seat, params, rng, mask, worlds, numbers)
        return play(view, seat, params[HEADER:], rng, mask, worlds, numbers)

    return kernel(choose)


def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The parameters for `NAME/VARIANT`: always-stop, always-koikoi, monte-carlo or monte-carlo:N."""
    how, _, number = variant.partition(":")
    ways = {"": MONTE_CARLO, "monte-carlo": MONTE_CARLO, "always-stop": ALWAYS_STOP, "always-koikoi": ALWAYS_KOIKOI}
    playouts = int(number) if number.isdecimal() else PLAYOUTS
    wrong_number = bool(number) and (how != "monte-carlo" or not number.isdecimal() or not 1 <= playouts <= 10**6)
    if how not in ways or wrong_number or variant.endswith(":"):
        raise Problem(
            f"unknown koi-koi decision {quoted(variant)}: known are always-stop, always-koikoi, monte-carlo and "
            f"monte-carlo:N with N from 1 to 1000000"
        )
    return np.concatenate([[ways[how], playouts], weights]).astype(np.float64)
