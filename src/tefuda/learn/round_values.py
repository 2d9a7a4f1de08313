"""Learning what a table between two rounds is worth, as a weighted sum of features, from how games end.

After each game the weights of every such table that the learner met move by

    step × (what the game brought − what the table seemed worth) × amount of the feature.

Everything around it is as in Q-learning (q_learning.py): the opponents, past selves among them, the averaged weights,
the curve. The learner knows no game: a game's `round_values` give the features.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, RoundValues, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW
from tefuda.kernel.bits import count_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, below, stream, unit
from tefuda.learn import q_learning
from tefuda.learn.method import Method, Offer, Task, Trained


@dataclass(frozen=True)
class Arguments(q_learning.Arguments):
    """How to learn."""

    games: int = 200_000  # to learn from
    step: float = 0.05  # learning rate
    decay: float = 20_000.0  # the rate falls as step × decay / (decay + games so far); 0: it does not fall
    discount: float = 1.0  # of what a game brings; not used otherwise
    explore: float = 0.02  # so often a random action instead of the player's choice
    every: int = 1000  # games between two saved selves


def values_of(game: Game, rules: Rules) -> RoundValues | None:
    """The round values of a game under some rules, if it has any."""
    return next(iter(game.players.playing(game.learning.round_values, rules)), None)


class RoundValueLearning(q_learning.QLearning):
    """The state of a run."""

    @staticmethod
    def values_of(game: Game, rules: Rules) -> RoundValues | None:
        return values_of(game, rules)

    @staticmethod
    def games_of(game: Game, values: RoundValues) -> Any:
        return _games_of(game, values)


def train(task: Task) -> Trained:
    return q_learning.learned(task, RoundValueLearning(task.game, task.rules, task.arguments, task.seed))


def offer(game: Game, rules: Rules) -> Offer | None:
    values = values_of(game, rules)
    if values is None:
        return None
    about = f"what tables between rounds are worth, {values.size:,} weights, from how games end"
    return Offer(values.learner, about, values.policy)


METHOD = Method(Arguments, offer, q_learning.check, train, q_learning.against)


@cache
def _games_of(game: Game, values: RoundValues) -> Any:
    """The compiled loop of one game."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, legal, hide, apply, scores = (
        game.kernels.to_move,
        game.kernels.legal,
        game.kernels.hide,
        game.kernels.apply,
        game.kernels.scores,
    )
    write, moment, first_weight, most = values.write, values.moment, values.first, values.active
    State, seats = game.State, game.seats
    moments = 64  # tables of a game that are learned from, at most

    def games(blank, seed, first, last, seated, scratch, moved, step, decay, discount, explore):
        """Player 0 learns; its weights, in `params`, and `moved` change in place."""
        tables, rngs, mask, worlds, numbers, out = scratch
        _, starts, params = seated
        before = np.empty(1, State)
        active, amounts = np.empty((moments, most), np.int64), np.empty((moments, most), np.float64)
        sizes = np.empty(moments, np.int64)
        luck = np.empty(1, np.uint64)
        own = params[: starts[1]]
        weights = own[first_weight:]
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            luck[0] = stream(seed, number, 1, LEARNER)
            learner = number % seats
            rate = step * decay / (decay + number) if decay > 0.0 else step
            met = 0
            while True:
                seat = to_move(tables[TABLE])
                if seat < 0:
                    break
                if seat == learner and unit(luck) < explore:
                    legal(tables[TABLE], mask)
                    action = nth_of_words(mask, below(luck, count_words(mask)))
                else:
                    player = (seat - learner) % seats
                    action = ask(tables, seat, player, seated, rngs, mask, worlds, numbers)
                before[0] = tables[TABLE]
                apply(tables[TABLE], action)
                if met < moments and moment(before[0], tables[TABLE]):
                    tables[VIEW] = tables[TABLE]
                    hide(tables[VIEW], learner)
                    sizes[met] = write(tables[VIEW], learner, own, active[met], amounts[met])
                    met += 1
            scores(tables[TABLE], out)
            for each in range(met):
                value = 0.0
                for i in range(sizes[each]):
                    value += weights[active[each, i]] * amounts[each, i]
                for i in range(sizes[each]):
                    change = rate * (discount * out[learner] - value) * amounts[each, i]
                    weights[active[each, i]] += change
                    moved[active[each, i]] += change * number

    return kernel(games)
