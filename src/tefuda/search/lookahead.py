"""`champion+search`: a network that looks ahead before it decides, for every game of the contract.

The actions that the network finds likely are tried in worlds guessed anew from what the seat has seen. In each of them
the network plays all seats, drawing by its chances, until the seat decides again or the game is over; there its value
is asked for. The choice is the action with the highest  mean value + trust × log(chance):  the network is followed
where the search cannot tell better, as when one stays near a policy by a Kullback-Leibler penalty (Jacob et al. 2022).
After a share of the worlds the worse half of the actions is dropped, as in pimc.

Its numbers: worlds, trust, then those of the network (kernel/network.py). Values are in points of the game, or in
shares of the win for a network that has learned to win.
"""

import math
from dataclasses import replace

import numpy as np

from tefuda.contract import Game, NamedPlayer, Policy, Search
from tefuda.errors import Problem
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.loops import key_of
from tefuda.kernel.network import GOAL, SCALE, drawn, forward, scratch_of, softmax_of
from tefuda.kernel.random import draw

NAME = "lookahead"
CHAMPION, PLAYER = "champion", "champion+search"
WORLD, LINE = 0, 1  # scratch tables: a guess, and one action tried in it
HEADER = 2
UNLIKELY = 0.01  # actions that the network takes less often than this share of its most likely one are not tried


def with_lookahead(game: Game, worlds: int, trust: float) -> Game:
    """A game whose champion can look ahead; `trust` is in the game's points."""
    policy = Policy(
        NAME, _choose(game), _no_file, worlds=2, search=Search(worlds, CHAMPION, trust=trust),
        numbers=2 * game.actions.size + 2 * game.seats + scratch_of(game.observation.size, game.actions.size + 1),
    )  # fmt: skip
    about = f"the champion, looking ahead in {worlds} guessed worlds to its next decision"
    players = (*game.players, NamedPlayer(PLAYER, about, NAME))
    return replace(game, policies=(*game.policies, policy), players=players)


def _no_file(variant: str, weights: np.ndarray) -> np.ndarray:
    raise Problem(f"{PLAYER} has no weights of its own: name it with its settings, as in {PLAYER}/worlds=100")


def _choose(game: Game):
    """The kernel of the search, closed over the game's own."""
    key = f"{key_of(game)}:{NAME}"
    to_move, legal, apply, scores, observe, guess = (
        game.to_move, game.legal, game.apply, game.scores, game.observe, game.guess,
    )  # fmt: skip
    seats, actions, inputs = game.seats, game.actions.size, game.observation.size

    def ask(state, seat, network, mask, space):
        """The network's likings at a table [actions], and its value behind them."""
        observe(state, seat, space.view(np.float32)[:inputs])
        legal(state, mask)
        return forward(network, inputs, actions + 1, space)

    ask = kernel(ask, key)

    def worth(state, seat, network, points, before, over):
        """What a seat has gained since `before`, in the unit of the network's goal; shares count at the end only."""
        scores(state, points)
        if network[GOAL] == 0.0:
            return points[seat] - before[seat]
        if not over:
            return 0.0
        winners = 0
        for each in range(seats):
            if points[each] > points[seat]:
                return -1.0 / seats
            if points[each] == points[seat]:
                winners += 1
        return 1.0 / winners - 1.0 / seats

    worth = kernel(worth, key)

    def play_on(worlds, seat, network, rng, mask, points, before, space):
        """Play worlds[LINE] by the network until the seat decides again; returns what it is worth to it."""
        while True:
            mover = to_move(worlds[LINE])
            if mover < 0:
                return worth(worlds[LINE], seat, network, points, before, True)
            said = ask(worlds[LINE], mover, network, mask, space)
            if mover == seat:
                return worth(worlds[LINE], seat, network, points, before, False) + network[SCALE] * said[actions]
            softmax_of(said, actions, 1.0, mask)
            apply(worlds[LINE], drawn(said, actions, rng))

    play_on = kernel(play_on, key)

    def drop_worst(totals, priors, tried):
        """Put the action with the lowest value out of the running; of several, the last."""
        worst, lowest = -1, math.inf
        for action in range(actions):
            if totals[action] != -math.inf and totals[action] / tried + priors[action] <= lowest:
                worst, lowest = action, totals[action] / tried + priors[action]
        totals[worst] = -math.inf

    drop_worst = kernel(drop_worst, key)

    def choose(view, seat, params, rng, mask, worlds, numbers):
        many, trust, network = int(params[0]), params[1], params[HEADER:]
        totals, priors = numbers[:actions], numbers[actions : 2 * actions]
        points, before = (
            numbers[2 * actions : 2 * actions + seats],
            numbers[2 * actions + seats : 2 * actions + 2 * seats],
        )
        space = numbers[2 * actions + 2 * seats :]
        chances = ask(view, seat, network, mask, space)
        best = softmax_of(chances, actions, 1.0, mask)
        candidates = 0
        for action in range(actions):
            totals[action], priors[action] = -math.inf, 0.0
            if has_word(mask, action) and chances[action] >= UNLIKELY * chances[best]:
                totals[action] = 0.0
                priors[action] = trust * math.log(chances[action])
                candidates += 1
        if candidates == 1:
            return best
        scores(view, before)
        phases = 0
        while (1 << phases) < candidates:
            phases += 1
        lines = many * candidates // phases  # of each phase
        tried = 0
        while candidates > 1:
            for _ in range(max(1, lines // candidates)):
                worlds[WORLD] = view
                guess(worlds[WORLD], seat, rng)
                start = draw(rng)
                tried += 1
                for action in range(actions):
                    if totals[action] == -math.inf:
                        continue
                    rng[0] = start  # all actions meet the same luck, so that their differences are less noisy
                    worlds[LINE] = worlds[WORLD]
                    apply(worlds[LINE], action)
                    totals[action] += play_on(worlds, seat, network, rng, mask, points, before, space)
            for _ in range(candidates // 2):
                drop_worst(totals, priors, tried)
            candidates -= candidates // 2
        best = 0
        while totals[best] == -math.inf:
            best += 1
        return best

    return kernel(choose, key)
