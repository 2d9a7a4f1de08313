"""The loops around a game's kernels: whole games by compiled policies, on one core, on all, or on CUDA.

They are written once and closed over the kernels of one game. The functions that play are shared by CPU and CUDA; what
differs is who hands them their scratch space, and how they call a policy: see engine/seated.py.
"""

from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy, fingerprint
from tefuda.engine.seated import TABLE, VIEW, caller, switch_of
from tefuda.kernel.bits import count_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.content import name_of
from tefuda.kernel.random import DEAL, PLAYER, SEARCH, below, stream


@kernel
def uniform(state, rng, mask):
    """Any legal action, all alike: the plainest playout."""
    return nth_of_words(mask, below(rng, count_words(mask)))


@kernel
def count_nothing(before, after, seat, counts, row):
    """For games that name no statistics."""


def key_of(game: Game) -> str:
    """Names a game by its content: its kernels and its policies."""
    kernels = [each for each in vars(game.kernels).values() if each is not None]
    policies = [policy.choose for policy in game.players.policies if policy.choose is not None]
    return fingerprint([name_of(each) for each in (*kernels, *policies)])


@cache
def loops_of(game: Game, compiled_in: tuple[Policy, ...] | None = None) -> SimpleNamespace:
    """The loops of one game. `compiled_in`: for CUDA, the policies that sit at the table.

    Arrays that they share:
    tables [2]                 one lane's table and the view of the seat to move
    rngs [seats]               each seat's own stream
    seating [rotations, seats] which player sits where
    seated                     the players: see engine/seated.py
    scratch                    scratch space: tables, rngs, mask, worlds, numbers, out
    """
    deal, to_move, legal, apply = game.kernels.deal, game.kernels.to_move, game.kernels.legal, game.kernels.apply
    scores, hide, guess = game.kernels.scores, game.kernels.hide, game.kernels.guess
    tally: Any = game.statistics.tally or count_nothing
    seats = game.seats
    act = game.kernels.playout or uniform
    choose = caller() if compiled_in is None else switch_of(compiled_in)

    def ask(tables, seat, player, seated, rngs, mask, worlds, numbers):
        """One decision of a compiled player, who sees a hidden copy only."""
        choosers, starts, params = seated
        tables[VIEW] = tables[TABLE]
        hide(tables[VIEW], seat)
        legal(tables[VIEW], mask)
        own = params[starts[player] : starts[player + 1]]
        return choose(choosers[player], tables[VIEW], seat, own, rngs[seat : seat + 1], mask, worlds, numbers)

    ask = kernel(ask, inline=True)

    def begin(tables, blank, rngs, seed, deal_number):
        """Deal a numbered deal, and start the stream of every seat."""
        tables[TABLE] = blank[0]
        rngs[0] = stream(seed, deal_number, 0, DEAL)
        deal(tables[TABLE], rngs[0:1])
        for seat in range(seats):
            rngs[seat] = stream(seed, deal_number, seat, PLAYER)

    begin = kernel(begin)

    def tally_all(before, after, sitting, counts):
        """Count one decision at one table for every seat; counts [players, statistics] may have no rows."""
        if counts.shape[0] > 0:
            for each in range(seats):
                tally(before, after, each, counts, sitting[each])

    tally_all = kernel(tally_all, inline=True)

    def play_on(tables, sitting, seated, rngs, mask, worlds, numbers, counts):
        """Play a table to its end; returns the number of decisions."""
        decisions = 0
        while True:
            seat = to_move(tables[TABLE])
            if seat < 0:
                return decisions
            action = ask(tables, seat, sitting[seat], seated, rngs, mask, worlds, numbers)
            apply(tables[TABLE], action)
            decisions += 1
            tally_all(tables[VIEW], tables[TABLE], sitting, counts)

    play_on = kernel(play_on, inline=True)

    def play_deals(blank, seed, first, last, seating, seated, scratch, results, counts):
        """Deals first to last - 1 in every rotation: results [deals, rotations, seats], from `first` on."""
        tables, rngs, mask, worlds, numbers, _ = scratch
        decisions = 0
        for number in range(first, last):
            for rotation in range(seating.shape[0]):
                begin(tables, blank, rngs, seed, number)
                decisions += play_on(tables, seating[rotation], seated, rngs, mask, worlds, numbers, counts)
                scores(tables[TABLE], results[number - first, rotation])
        return decisions

    def count_actions(tables, actions, sitting, counts):
        """Take some actions at tables[TABLE], one after the other, and count them as a match does."""
        for action in actions:
            tables[VIEW] = tables[TABLE]
            apply(tables[TABLE], action)
            tally_all(tables[VIEW], tables[TABLE], sitting, counts)

    def playout(state, rng, mask):
        """Play one table to its end by the game's plainest policy; nothing is hidden, since nobody looks."""
        decisions = 0
        while to_move(state) >= 0:
            legal(state, mask)
            apply(state, act(state, rng, mask))
            decisions += 1
        return decisions

    playout = kernel(playout)

    def playouts(blank, seed, first, last, scratch, results):
        """Seeded playouts of deals first to last - 1: results [deals, seats]; returns the number of decisions."""
        tables, rngs, mask, _, _, _ = scratch
        decisions = 0
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            decisions += playout(tables[TABLE], rngs[0:1], mask)
            scores(tables[TABLE], results[number - first])
        return decisions

    def try_actions(view, seat, actions, first, last, seed, sitting, seated, scratch, world, results):
        """Take each of some actions in the guessed worlds first to last - 1 of a view, and play on by policies.

        actions [n]; results [worlds, n] gets what `seat` scores, from world `first` on. A world is guessed once, into
        world [1], and the stream of every seat begins anew for each action: all actions meet the same cards and the
        same luck. A world depends on the seed and its number alone.
        """
        tables, rngs, mask, worlds, numbers, out = scratch
        no_counts = np.empty((0, 1), np.int64)
        for number in range(first, last):
            rngs[0] = stream(seed, number, seat, SEARCH)
            world[0] = view[0]
            guess(world[0], seat, rngs[0:1])
            for place in range(actions.shape[0]):
                tables[TABLE] = world[0]
                apply(tables[TABLE], actions[place])
                for each in range(seats):
                    rngs[each] = stream(seed, number, each, PLAYER)
                play_on(tables, sitting, seated, rngs, mask, worlds, numbers, no_counts)
                scores(tables[TABLE], out)
                results[number - first, place] = out[seat]

    return SimpleNamespace(
        ask=ask, begin=begin, tally_all=tally_all, play_on=play_on, play_deals=kernel(play_deals), playout=playout,
        playouts=kernel(playouts), try_actions=kernel(try_actions), choose=choose, count_actions=kernel(count_actions),
        counted=max(1, len(game.statistics.names)),
    )  # fmt: skip
