"""The networks of whole matches in a game of one round: they are told that it is the first of several.

They have learned to win a match. In its last round a level match is won by one point as by ten, so that they would play
for a small win. In the first of several rounds, the points count.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.engine.network import NAME as NETWORK
from tefuda.kernel.compile import kernel

NAME = "network-round"
ROUNDS = np.int16(8)  # of the match that they are told of


def told(ask: Any) -> Any:
    """The kernel of a policy that sees so many rounds."""

    def choose(view, seat, params, rng, mask, worlds, numbers):
        before = view.rules.rounds
        view.rules.rounds = ROUNDS
        action = ask(view, seat, params, rng, mask, worlds, numbers)
        view.rules.rounds = before
        return action

    return kernel(choose)


def with_rounds(game: Game) -> Game:
    """A game with networks that take a single round for the first of several. They read the same weights."""
    network = game.players.policy(NETWORK)
    tell: Any = network.chances

    def chances(view, seat, params, mask, worlds, numbers, out):
        before = view.rules.rounds
        view.rules.rounds = ROUNDS
        tell(view, seat, params, mask, worlds, numbers, out)
        view.rules.rounds = before

    policy = replace(network, key=NAME, choose=told(network.choose), chances=kernel(chances), around=told)
    return game.with_more((policy,))
