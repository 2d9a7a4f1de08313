"""How games will end, foretold when a round begins: a softmax regression for each situation.

Whole games are played by one player in all seats. When a round begins, each seat gives a row: its situation, the
amounts that describe it, and how the game ended for it later. A tenth of the games is held out. The rows are
fitted by regression.py. The learner knows no game: a game's `outcomes` give the rows.
"""

from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Outcomes, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE
from tefuda.kernel.compile import kernel
from tefuda.learn import collecting
from tefuda.learn.collecting import RowSource
from tefuda.learn.method import Method, Offer, Task, Trained
from tefuda.learn.regression import Shape

PIECE = 50  # games
MOST_ROUNDS = 64  # of a game, that are looked at


def source_of(task: Task, outcomes: Outcomes) -> RowSource:
    """Where the rows come from."""
    shape = Shape(outcomes.situations, len(outcomes.classes), len(outcomes.amounts))
    room = MOST_ROUNDS * task.game.seats
    return collecting.source_of(task, shape, lambda games: games * room, _look_of(task.game, outcomes))


@cache
def _look_of(game: Game, outcomes: Outcomes) -> Any:
    """The compiled loop of one game: rows for all rounds of games first to last - 1; returns how many rows."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, apply = game.kernels.to_move, game.kernels.apply
    moment, situation, write, outcome = outcomes.moment, outcomes.situation, outcomes.write, outcomes.outcome
    State, seats = game.State, game.seats

    def look(blank, seed, first, last, seated, scratch, game_of, situations, amounts, outcomes):
        tables, rngs, mask, worlds, numbers, _ = scratch
        before = np.empty(1, State)
        rows = 0
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            start, rounds, begins = rows, 0, True
            while True:
                if begins and rounds < MOST_ROUNDS:
                    rounds += 1
                    for seat in range(seats):
                        game_of[rows] = number
                        situations[rows] = situation(tables[TABLE], seat)
                        write(tables[TABLE], seat, amounts[rows])
                        rows += 1
                seat = to_move(tables[TABLE])
                if seat < 0:
                    break
                action = ask(tables, seat, 0, seated, rngs, mask, worlds, numbers)
                before[0] = tables[TABLE]
                apply(tables[TABLE], action)
                begins = to_move(tables[TABLE]) >= 0 and moment(before[0], tables[TABLE])
            for row in range(start, rows):
                outcomes[row] = outcome(tables[TABLE], (row - start) % seats)
        return rows

    return kernel(look)


def train(task: Task) -> Trained:
    outcomes = task.game.learning.outcomes
    assert outcomes is not None  # `offer` has seen it
    return Trained(*collecting.learned(task, {outcomes.model: source_of(task, outcomes)}, PIECE))


def offer(game: Game, rules: Rules) -> Offer | None:
    model = game.learning.outcomes
    if model is None or game.rulebook.rounds(rules) < 2:
        return None
    return Offer(model.model, f"how games end, {model.weights:,} weights, from games of one player", model=model.model)


METHOD = Method(collecting.Arguments, offer, collecting.check, train, against=None)
