"""Networks of whole matches that play for points: they take every round for the first of several, at a level score.

They have learned to win a match. In its last round a level match is won by one point as by ten, so that they would play
for a small win; and who is far ahead or behind cares little for points. In the first of several rounds, points count.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.engine.network import NAME as NETWORK
from tefuda.kernel.compile import kernel

NAME = "network-round"
ROUNDS = np.int16(8)  # of the match that they are told of


@kernel
def standing(view):
    """How the match stands."""
    return view.rules.rounds, view.finished, view.score[0], view.score[1]


@kernel
def set_standing(view, rounds, finished, first, second):
    view.rules.rounds, view.finished = rounds, finished
    view.score[0], view.score[1] = first, second


def told(ask: Any) -> Any:
    """The kernel of a policy that takes the round for the first."""

    def choose(view, seat, params, rng, mask, worlds, numbers):
        rounds, finished, first, second = standing(view)
        set_standing(view, ROUNDS, 0, 0, 0)
        action = ask(view, seat, params, rng, mask, worlds, numbers)
        set_standing(view, rounds, finished, first, second)
        return action

    return kernel(choose)


def with_rounds(game: Game) -> Game:
    """A game with networks that take every round for the first. They read the same weights."""
    network = game.players.policy(NETWORK)
    tell: Any = network.chances

    def chances(view, seat, params, mask, worlds, numbers, out):
        rounds, finished, first, second = standing(view)
        set_standing(view, ROUNDS, 0, 0, 0)
        tell(view, seat, params, mask, worlds, numbers, out)
        set_standing(view, rounds, finished, first, second)

    policy = replace(network, key=NAME, choose=told(network.choose), chances=kernel(chances), around=told)
    return game.with_more((policy,))
