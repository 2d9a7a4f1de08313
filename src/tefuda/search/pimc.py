"""`pimc`: perfect-information Monte Carlo, a search player for every game of the contract, and `champion+search`.

For each decision it guesses many worlds that agree with all that its seat has seen, tries every legal action in each
of them, and has a chosen player play on in all seats, each of whom is shown only what that seat can know. The end of
each world is solved exactly where that is asked for. Where a game has rounds, it looks to the end of the round.

After a share of the worlds the worse half of the actions is dropped, then half of the rest, until one is left
(sequential halving, Karnin and others 2013): with the same number of playouts, the good actions are told apart in more
worlds. `worlds` is how many there would be if every action were tried in all of them.

A search can be advised by a network. Then only actions are tried that it takes at least `close` times as often as its
most likely one; where there is none besides, that one is taken at once. The choice is the action with the highest
mean value + trust × log(chance):  the network is followed where worlds that lie open cannot tell better, as when one
stays near a policy by a Kullback-Leibler penalty (Jacob et al. 2022). `champion+search` is advised by the champion,
while somebody who decides many times as fast plays the worlds out.

With `ahead`, worlds are not played to their end, but to that one of the seat's next decisions; there the adviser is
asked what the seat may expect. That is less noisy than a result, and takes a part of the time. It counts what the
adviser has learned to reach, which need not be the score.

Its kernel is made for the policy that plays worlds out. Its parameters: worlds, solve, how many more settings stand
behind these six (0 where they are the usual ones, otherwise 2: close, ahead), whether the playing policy is blind,
trust, how many parameters the adviser has, then the further settings, the parameters of the adviser and those of the
playing policy.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, NamedPlayer, Policy, Rules, Search
from tefuda.engine.goals import goals_of
from tefuda.engine.loops import uniform
from tefuda.engine.network import GOAL, SCALE, forward, scratch_of, softmax_of
from tefuda.errors import Problem
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import draw
from tefuda.search.solve import numbers_for, solver_of

NAME = "pimc"
ADVISED = "champion+search"
HEADER = 6
CLOSE = 0.01  # usual: actions that the adviser takes less often than this share of its most likely one are not tried
DEPTH = 16  # most decisions that can be solved exactly
WORLD, LINE, VIEW, SOLVED = 0, 1, 2, 3  # scratch tables: a guess, one action tried in it, a seat's view, the solver's


def with_pimc(game: Game, worlds: int, playout: str, solve: int = 0) -> Game:
    """A game with the search player among its players; the settings are what it does unless its name says more."""
    policy = Policy(NAME, None, _no_file, search=Search(worlds, playout, solve))
    about = f"search: {worlds} guessed worlds a decision, played out by {playout}"
    if solve:
        about += f", the last {solve} decisions solved exactly"
    return game.with_more((policy,), (NamedPlayer(NAME, about, NAME),))


@cache
def policy_with(game: Game, playing: Policy, advised: bool, around: Callable[[Any], Any] | None = None) -> Policy:
    """The search player's policy when some policy plays worlds out, with a network that advises it or without.

    `around` is that of the adviser: what it is told of the rules, the whole search is told.
    """
    depth = DEPTH if game.kernels.left is not None else 0
    choose = _choose(game, playing, depth, advised)
    inner = max(1, playing.numbers, scratch_of(game.spaces.observation.size, game.spaces.actions.size + 1) * advised)
    return replace(
        game.players.policy(NAME),
        choose=around(choose) if around else choose,
        worlds=SOLVED + depth + 1 + max(1, playing.worlds),
        numbers=2 * game.spaces.actions.size + numbers_for(game.seats, depth) + inner,
        playing=playing.key,
    )


def parameters_of(search: Search, playing: Policy, advice: np.ndarray, params: np.ndarray) -> np.ndarray:
    """The parameters of a search player: its settings, then those of its adviser and of the playing policy."""
    usual = (search.close, search.ahead) == (CLOSE, 0)
    more = [] if usual else [search.close, search.ahead]
    header = [search.worlds, search.solve, len(more), playing.blind, search.trust, len(advice)]
    return np.concatenate([header, more, advice, params]).astype(np.float64)


def with_advice(game: Game, search: Search, under: Callable[[Rules], bool] | None = None, only: str = "") -> Game:
    """A game with pimc whose champion can search, by all rules or some."""
    search = replace(search, adviser="champion")
    about = (
        f"the champion, trying what it finds likely in {search.worlds} guessed worlds, which {search.playout} plays "
    )
    about += "on until it foretells what they bring" if search.ahead else "out"
    named = NamedPlayer(ADVISED, about, NAME, under=under, only=only, search=search)
    return game.with_more(named=(named,))


def _no_file(variant: str, weights: np.ndarray) -> np.ndarray:
    raise Problem(f"{NAME} has no weights of its own: name it with its settings, as in {NAME}/worlds=100")


def _choose(game: Game, playing: Policy, depth: int, advised: bool) -> Any:
    """The kernel of the search player, closed over the policy that plays worlds out."""
    kernels = game.kernels
    to_move, legal, apply, scores, observe, hide, guess = (
        kernels.to_move, kernels.legal, kernels.apply, kernels.scores, kernels.observe, kernels.hide, kernels.guess,
    )  # fmt: skip
    seats, actions, inputs = game.seats, game.spaces.actions.size, game.spaces.observation.size
    outputs = actions + 1
    solve = solver_of(seats, to_move, legal, apply, scores)
    ask: Any = playing.choose
    numbers_used = 2 * actions + numbers_for(seats, depth)
    worlds_used = SOLVED + depth + 1

    def stay(state):
        """For games of one round."""

    def never(state):
        """For games without a solver."""
        return 1 << 30

    reached = goals_of(game).reached
    act = game.kernels.playout or uniform
    end_here, left = game.kernels.end_here or kernel(stay), game.kernels.left or kernel(never)

    def play_blindly(state, solved, rng, mask):
        """Play a table by the game's plainest policy, to its end or to where it is solved."""
        while to_move(state) >= 0 and (solved == 0 or left(state) > solved):
            legal(state, mask)
            apply(state, act(state, rng, mask))

    play_blindly = kernel(play_blindly)

    def ask_adviser(view, seat, params, mask, space):
        """Write the adviser's chances of all actions, then its value, into `space`; returns its most likely action."""
        observe(view, seat, space[outputs : outputs + inputs])
        forward(params, inputs, outputs, space)
        return softmax_of(space, actions, 1.0, mask)

    ask_adviser = kernel(ask_adviser)

    def foretell(worlds, seat, params, over, out, mask, space):
        """Write what a seat may expect of worlds[LINE] into out[seat], by what the adviser has learned to reach."""
        reached(int(params[GOAL]), worlds[LINE], over, out)
        if not over:
            worlds[VIEW] = worlds[LINE]
            hide(worlds[VIEW], seat)
            legal(worlds[VIEW], mask)
            ask_adviser(worlds[VIEW], seat, params, mask, space)
            out[seat] += params[SCALE] * space[actions]

    foretell = kernel(foretell)

    def take_turn(worlds, seat, params, rng, mask, more_worlds, more_numbers):
        """Let the player of worlds decide for a seat in worlds[LINE]: it sees what the seat may see."""
        worlds[VIEW] = worlds[LINE]
        hide(worlds[VIEW], seat)
        legal(worlds[VIEW], mask)
        apply(worlds[LINE], ask(worlds[VIEW], seat, params, rng, mask, more_worlds, more_numbers))

    take_turn = kernel(take_turn)

    def play_on(worlds, searcher, ahead, adviser, out, params, rng, mask, more_worlds, more_numbers):
        """Play worlds[LINE] to so many decisions of a seat further; out[searcher] gets what it may expect there."""
        while True:
            seat = to_move(worlds[LINE])
            ahead -= seat == searcher
            if seat < 0 or ahead == 0:
                foretell(worlds, searcher, adviser, seat < 0, out, mask, more_numbers.view(np.float32))
                return
            take_turn(worlds, seat, params, rng, mask, more_worlds, more_numbers)

    play_on = kernel(play_on)

    def play_out(worlds, solver_worlds, out, solved, blind, params, rng, mask, more_worlds, more_numbers):
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
            take_turn(worlds, seat, params, rng, mask, more_worlds, more_numbers)

    play_out = kernel(play_out)

    def drop_worst(totals, likings, tried):
        """Put the action with the lowest value out of the running; of several, the last."""
        worst, lowest = -1, math.inf
        for action in range(actions):
            if totals[action] != -math.inf and totals[action] / tried + likings[action] <= lowest:
                worst, lowest = action, totals[action] / tried + likings[action]
        totals[worst] = -math.inf

    drop_worst = kernel(drop_worst)

    def advise(view, seat, params, close, trust, mask, totals, likings, numbers):
        """Leave those actions in the running that a network finds likely, with what it makes of them."""
        space = numbers.view(np.float32)
        best = ask_adviser(view, seat, params, mask, space)
        for action in range(actions):
            if totals[action] != -math.inf:
                if space[action] >= close * space[best]:
                    likings[action] = trust * math.log(space[action])
                else:
                    totals[action] = -math.inf

    advise = kernel(advise)

    def choose(view, seat, params, rng, mask, worlds, numbers):
        many, solved, blind = int(params[0]), int(params[1]), params[3] != 0.0
        trust, first = params[4], HEADER + int(params[2])
        close, ahead = CLOSE, 0
        if first > HEADER:
            close, ahead = params[HEADER], int(params[HEADER + 1])
        adviser, inner = params[first : first + int(params[5])], params[first + int(params[5]) :]
        totals, likings = numbers[:actions], numbers[actions : 2 * actions]
        out, more_numbers = numbers[2 * actions : numbers_used], numbers[numbers_used:]
        solver_worlds, more_worlds = worlds[SOLVED:worlds_used], worlds[worlds_used:]
        for action in range(actions):
            totals[action] = 0.0 if has_word(mask, action) else -math.inf
            likings[action] = 0.0
        if advised and adviser.shape[0] > 0:
            advise(view, seat, adviser, close, trust, mask, totals, likings, more_numbers)
        candidates = 0
        for action in range(actions):
            if totals[action] != -math.inf:
                candidates += 1
        phases = 0
        while (1 << phases) < candidates:
            phases += 1
        tried = 0
        playouts = many * candidates // max(1, phases)  # of each phase
        while candidates > 1:
            for _ in range(max(1, playouts // candidates)):
                worlds[WORLD] = view
                guess(worlds[WORLD], seat, rng)
                if ahead == 0:  # the adviser foretells whole games
                    end_here(worlds[WORLD])
                start = draw(rng)
                tried += 1
                for action in range(actions):
                    if totals[action] == -math.inf:
                        continue
                    rng[0] = start  # all actions meet the same luck, so that their differences are less noisy
                    worlds[LINE] = worlds[WORLD]
                    apply(worlds[LINE], action)
                    if advised and ahead > 0:
                        play_on(worlds, seat, ahead, adviser, out, inner, rng, mask, more_worlds, more_numbers)
                    else:
                        play_out(worlds, solver_worlds, out, solved, blind, inner, rng, mask, more_worlds, more_numbers)
                    totals[action] += out[seat]
            for _ in range(candidates // 2):
                drop_worst(totals, likings, tried)
            candidates -= candidates // 2
        best = 0
        while totals[best] == -math.inf:
            best += 1
        return best

    return kernel(choose)
