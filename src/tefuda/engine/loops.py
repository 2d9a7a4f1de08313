"""The loops around a game's kernels: whole games by compiled policies, on one core, on all, or on CUDA.

They are written once and closed over the kernels of one game, so that one compilation serves all its players.
The functions that play are shared; what differs between CPU and CUDA is only who hands them their scratch space.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game, fingerprint
from tefuda.kernel.bits import count_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.content import name_of
from tefuda.kernel.random import DEAL, PLAYER, SEARCH, below, stream

TABLE, VIEW = 0, 1  # places in the array of tables of one lane: the table itself, and a seat's view of it


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
    return fingerprint([name_of(each) for each in (*kernels, *(policy.choose for policy in game.players.policies))])


def _link(first, last, choose, rest):
    """Choose by the kernel of policies first to last, or hand on to the rest: a switch that compiles to jumps."""

    def link(kind, view, seat, params, rng, mask, worlds, numbers):
        if first <= kind <= last:
            return choose(view, seat, params, rng, mask, worlds, numbers)
        return rest(kind, view, seat, params, rng, mask, worlds, numbers)

    return kernel(link, inline=True)


def switch(game: Game):
    """One kernel for all policies of a game: choose(kind, view, …). Neighbours of one kernel share a link."""

    def none(kind, view, seat, params, rng, mask, worlds, numbers):
        return uniform(view, rng, mask)

    choose = kernel(none)
    last = len(game.players.policies) - 1
    while last >= 0:
        first = last
        while first > 0 and game.players.policies[first - 1].choose is game.players.policies[last].choose:
            first -= 1
        choose = _link(first, last, game.players.policies[last].choose, choose)
        last = first - 1
    return choose


@cache
def loops_of(game: Game) -> SimpleNamespace:
    """The loops of one game. Arrays that they share:

    tables [2]                 one lane's table and the view of the seat to move
    rngs [seats]               each seat's own stream
    seating [rotations, seats] which player sits where
    kinds [players]            which policy each player is
    starts [players + 1]       where its numbers lie in params
    """
    key = key_of(game)
    deal, to_move, legal, apply, scores = (
        game.kernels.deal,
        game.kernels.to_move,
        game.kernels.legal,
        game.kernels.apply,
        game.kernels.scores,
    )
    observe, hide, guess, note = (
        game.kernels.observe,
        game.kernels.hide,
        game.kernels.guess,
        game.statistics.note or count_nothing,
    )
    State, seats, words = game.State, game.seats, game.spaces.mask_words
    worlds_needed, numbers_needed = game.worlds, game.numbers
    counted = max(1, len(game.statistics.names))
    act = game.kernels.playout or uniform
    choose = switch(game)

    def ask(tables, seat, player, kinds, starts, params, rngs, mask, worlds, numbers):
        """One decision of a compiled player, who sees a hidden copy only."""
        tables[VIEW] = tables[TABLE]
        hide(tables[VIEW], seat)
        legal(tables[VIEW], mask)
        own = params[starts[player] : starts[player + 1]]
        return choose(kinds[player], tables[VIEW], seat, own, rngs[seat : seat + 1], mask, worlds, numbers)

    ask = kernel(ask, inline=True)

    def begin(tables, blank, rngs, seed, deal_number):
        """Deal a numbered deal, and start the stream of every seat."""
        tables[TABLE] = blank[0]
        rngs[0] = stream(seed, deal_number, 0, DEAL)
        deal(tables[TABLE], rngs[0:1])
        for seat in range(seats):
            rngs[seat] = stream(seed, deal_number, seat, PLAYER)

    begin = kernel(begin)

    def play_on(tables, sitting, kinds, starts, params, rngs, mask, worlds, numbers, counts):
        """Play a table to its end; returns the number of decisions.

        counts [players, statistics] gets what the game's statistics name; with no rows, nothing is counted.
        """
        decisions = 0
        while True:
            seat = to_move(tables[TABLE])
            if seat < 0:
                return decisions
            action = ask(tables, seat, sitting[seat], kinds, starts, params, rngs, mask, worlds, numbers)
            apply(tables[TABLE], action)
            decisions += 1
            if counts.shape[0] > 0:
                for each in range(seats):
                    note(tables[VIEW], tables[TABLE], each, counts, sitting[each])

    play_on = kernel(play_on, inline=True)

    def play_deals(blank, seed, first, last, seating, kinds, starts, params, results, counts):
        """Deals first to last - 1 in every rotation: results [deals, rotations, seats], from `first` on."""
        tables = np.empty(2, State)
        worlds = np.empty(worlds_needed, State)
        rngs = np.empty(seats, np.uint64)
        mask = np.empty(words, np.uint64)
        numbers = np.empty(numbers_needed, np.float64)
        decisions = 0
        for number in range(first, last):
            for rotation in range(seating.shape[0]):
                begin(tables, blank, rngs, seed, number)
                sitting = seating[rotation]
                decisions += play_on(tables, sitting, kinds, starts, params, rngs, mask, worlds, numbers, counts)
                scores(tables[TABLE], results[number - first, rotation])
        return decisions

    play_deals = kernel(play_deals)

    def playout(state, rng, mask):
        """Play one table to its end by the game's plainest policy; nothing is hidden, since nobody looks."""
        decisions = 0
        while to_move(state) >= 0:
            legal(state, mask)
            apply(state, act(state, rng, mask))
            decisions += 1
        return decisions

    playout = kernel(playout)

    def playouts(blank, seed, first, last, results):
        """Seeded playouts of deals first to last - 1: results [deals, seats]; returns the number of decisions."""
        tables = np.empty(1, State)
        rngs = np.empty(seats, np.uint64)
        mask = np.empty(words, np.uint64)
        decisions = 0
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            decisions += playout(tables[TABLE], rngs[0:1], mask)
            scores(tables[TABLE], results[number - first])
        return decisions

    playouts = kernel(playouts)

    def continue_many(view, seat, actions, games, seed, kinds, starts, params, totals):
        """Guess worlds for a view, take some actions in each, play on by policies: sums and squares of the scores.

        actions [n] are taken one after another before the players go on; totals [2] gets the sum and the sum of
        squares of what `seat` scores. The worlds depend on the seed alone, not on the actions.
        """
        tables = np.empty(2, State)
        worlds = np.empty(worlds_needed, State)
        rngs = np.empty(seats, np.uint64)
        mask = np.empty(words, np.uint64)
        numbers = np.empty(numbers_needed, np.float64)
        out = np.empty(seats, np.float64)
        sitting = np.arange(seats)
        no_counts = np.empty((0, 1), np.int64)
        for world in range(games):
            rngs[0] = stream(seed, world, seat, SEARCH)
            tables[TABLE] = view[0]
            guess(tables[TABLE], seat, rngs[0:1])
            for i in range(actions.shape[0]):
                apply(tables[TABLE], actions[i])
            for each in range(seats):
                rngs[each] = stream(seed, world, each, PLAYER)
            play_on(tables, sitting, kinds, starts, params, rngs, mask, worlds, numbers, no_counts)
            scores(tables[TABLE], out)
            totals[0] += out[seat]
            totals[1] += out[seat] * out[seat]

    continue_many = kernel(continue_many)

    def advance(states, rngs, sitting, kinds, starts, params, counts):
        """Move every lane on until it is over or waits for a player that is not compiled (kind -1).

        states [lanes], rngs [lanes, seats], sitting [lanes, seats]; returns the number of decisions.
        """
        tables = np.empty(2, State)
        worlds = np.empty(worlds_needed, State)
        mask = np.empty(words, np.uint64)
        numbers = np.empty(numbers_needed, np.float64)
        decisions = 0
        for lane in range(states.shape[0]):
            tables[TABLE] = states[lane]
            while True:
                seat = to_move(tables[TABLE])
                if seat < 0 or kinds[sitting[lane, seat]] < 0:
                    break
                player = sitting[lane, seat]
                action = ask(tables, seat, player, kinds, starts, params, rngs[lane], mask, worlds, numbers)
                apply(tables[TABLE], action)
                decisions += 1
                for each in range(seats):
                    note(tables[VIEW], tables[TABLE], each, counts, sitting[lane, each])
            states[lane] = tables[TABLE]
        return decisions

    advance = kernel(advance)

    def take(states, lanes, actions, sitting, counts):
        """Take one action in each of some lanes."""
        before = np.empty(1, State)
        for i in range(lanes.shape[0]):
            lane = lanes[i]
            before[0] = states[lane]
            apply(states[lane], actions[i])
            for each in range(seats):
                note(before[0], states[lane], each, counts, sitting[lane, each])

    take = kernel(take)

    def note_all(before, after, sitting, counts):
        """Count one decision at one table."""
        for each in range(seats):
            note(before[0], after[0], each, counts, sitting[each])

    note_all = kernel(note_all)

    def look(states, lanes, observations, masks):
        """What the seats to move of some lanes can know: observations [n, size], masks [n, actions] as booleans."""
        words_here = np.empty(words, np.uint64)
        for i in range(lanes.shape[0]):
            state = states[lanes[i]]
            observe(state, to_move(state), observations[i])
            legal(state, words_here)
            for action in range(masks.shape[1]):
                masks[i, action] = (words_here[action // 64] >> np.uint64(action % 64)) & np.uint64(1) != np.uint64(0)

    look = kernel(look)

    return SimpleNamespace(
        key=key, ask=ask, begin=begin, play_on=play_on, play_deals=play_deals, continue_many=continue_many,
        playout=playout, playouts=playouts,
        advance=advance, take=take, look=look, note_all=note_all, choose=choose, counted=counted,
    )  # fmt: skip
