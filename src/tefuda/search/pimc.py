"""`pimc`: perfect-information Monte Carlo, a search player for every game of the contract.

For each decision it guesses many worlds that agree with all that its seat has seen, tries every legal action in each
of them, and has a chosen player play on in all seats, each of whom is shown only what that seat can know. The end of
each world is solved exactly where that is asked for. Where a game has rounds, it looks to the end of the round.

After a share of the worlds the worse half of the actions is dropped, then half of the rest, until one is left
(sequential halving, Karnin and others 2013): with the same number of playouts, the good actions are told apart in more
worlds. `worlds` is how many there would be if every action were tried in all of them.

Its numbers: worlds, solve, the kind of the playing policy, whether that one is blind, then its own numbers.
"""

import math
from dataclasses import replace

import numpy as np

from tefuda.contract import Game, NamedPlayer, Policy, Search
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel
from tefuda.kernel.loops import key_of, switch, uniform
from tefuda.kernel.random import draw
from tefuda.search.solve import numbers_for, solver_of

NAME = "pimc"
DEPTH = 16  # most decisions that can be solved exactly
WORLD, LINE, VIEW, SOLVED = 0, 1, 2, 3  # scratch tables: a guess, one action tried in it, a seat's view, the solver's


def with_pimc(game: Game, worlds: int, playout: str, solve: int = 0) -> Game:
    """A game with the search player among its players; the settings are what it does unless its name says more."""
    depth = DEPTH if game.left is not None else 0
    policy = Policy(
        NAME, _choose(game, depth), _no_file,
        worlds=SOLVED + depth + 1 + game.worlds,
        numbers=game.actions.size + numbers_for(game.seats, depth) + game.numbers,
        search=Search(worlds, playout, solve),
    )  # fmt: skip
    about = f"search: {worlds} guessed worlds a decision, played out by {playout}"
    if solve:
        about += f", the last {solve} decisions solved exactly"
    return replace(
        game, policies=(*game.policies, policy), players=(*game.players, NamedPlayer(NAME, about, NAME))
    )  # fmt: skip


def _no_file(variant: str, weights: np.ndarray) -> np.ndarray:
    raise Problem(f"{NAME} has no weights of its own: name it with its settings, as in {NAME}/worlds=100")


def _choose(game: Game, depth: int):
    """The kernel of the search player, closed over the game's other policies."""
    key = f"{key_of(game)}:{NAME}"
    to_move, legal, apply, scores, hide, guess = (
        game.to_move, game.legal, game.apply, game.scores, game.hide, game.guess,
    )  # fmt: skip
    seats, actions = game.seats, game.actions.size
    solve = solver_of(key, seats, to_move, legal, apply, scores)
    ask = switch(game, key)
    numbers_used = actions + numbers_for(seats, depth)
    worlds_used = SOLVED + depth + 1

    def stay(state):
        """For games of one round."""

    def never(state):
        """For games without a solver."""
        return 1 << 30

    act = game.playout or uniform
    end_here, left = game.end_here or kernel(stay, key), game.left or kernel(never, key)

    def play_blindly(state, solved, rng, mask):
        """Play a table by the game's plainest policy, to its end or to where it is solved."""
        while to_move(state) >= 0 and (solved == 0 or left(state) > solved):
            legal(state, mask)
            apply(state, act(state, rng, mask))

    play_blindly = kernel(play_blindly, key)

    def play_out(worlds, solver_worlds, out, solved, kind, blind, params, rng, mask, more_worlds, more_numbers):
        """Play worlds[LINE] to its end; out[:seats] gets the scores."""
        if blind:
            play_blindly(worlds[LINE], solved, rng, mask)
        while True:
            seat = to_move(worlds[LINE])
            if seat < 0:
                scores(worlds[LINE], out)
                return
            if solved > 0 and left(worlds[LINE]) <= solved:
                solver_worlds[0] = worlds[LINE]
                solve(solver_worlds, out, mask)
                return
            worlds[VIEW] = worlds[LINE]
            hide(worlds[VIEW], seat)
            legal(worlds[VIEW], mask)
            apply(worlds[LINE], ask(kind, worlds[VIEW], seat, params, rng, mask, more_worlds, more_numbers))

    play_out = kernel(play_out, key)

    def drop_worst(totals):
        """Put the action with the lowest total out of the running; of several, the last."""
        worst = -1
        for action in range(actions):
            if totals[action] != -math.inf and (worst < 0 or totals[action] <= totals[worst]):
                worst = action
        totals[worst] = -math.inf

    drop_worst = kernel(drop_worst, key)

    def choose(view, seat, params, rng, mask, worlds, numbers):
        many, solved, kind, blind = int(params[0]), int(params[1]), int(params[2]), params[3] != 0.0
        inner = params[4:]
        totals, out, more_numbers = numbers[:actions], numbers[actions:numbers_used], numbers[numbers_used:]
        solver_worlds, more_worlds = worlds[SOLVED:worlds_used], worlds[worlds_used:]
        candidates, only = 0, -1
        for action in range(actions):
            totals[action] = -math.inf
            if (mask[action // 64] >> np.uint64(action % 64)) & np.uint64(1) != np.uint64(0):
                totals[action] = 0.0
                candidates += 1
                only = action
        if candidates == 1:
            return only
        phases = 0
        while (1 << phases) < candidates:
            phases += 1
        playouts = many * candidates // phases  # of each phase
        while candidates > 1:
            for _ in range(max(1, playouts // candidates)):
                worlds[WORLD] = view
                guess(worlds[WORLD], seat, rng)
                end_here(worlds[WORLD])
                start = draw(rng)
                for action in range(actions):
                    if totals[action] == -math.inf:
                        continue
                    rng[0] = start  # all actions meet the same luck, so that their differences are less noisy
                    worlds[LINE] = worlds[WORLD]
                    apply(worlds[LINE], action)
                    play_out(
                        worlds, solver_worlds, out, solved, kind, blind, inner, rng, mask, more_worlds, more_numbers
                    )
                    totals[action] += out[seat]
            for _ in range(candidates // 2):
                drop_worst(totals)
            candidates -= candidates // 2
        best = 0
        while totals[best] == -math.inf:
            best += 1
        return best

    return kernel(choose, key)
