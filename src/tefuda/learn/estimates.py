"""What is hidden, estimated from what is seen: softmax regressions on rows whose truth the table tells.

Whole games are played by one player in all seats. After some decisions the game is asked what the deciding seat could
see, and what was true. A tenth of the games is held out. The rows are fitted by regression.py, each part of the model
on its own. The learner knows no game: a game's `estimates` give the rows.
"""

from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Estimate, Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, stream, unit
from tefuda.learn import collecting
from tefuda.learn.collecting import RowSource
from tefuda.learn.method import Method, Offer, Task, Trained
from tefuda.learn.regression import Shape

PIECE = 20  # games
ROOM = 200_000  # rows of a part that a piece may give; more are left out


def source_of(task: Task, part: Estimate, number: int) -> RowSource:
    """Where the rows of a part come from; `number` tells its random numbers from those of other parts."""
    shape = Shape(part.situations, len(part.classes), len(part.amounts))
    return collecting.source_of(task, shape, lambda games: ROOM, _look_of(task.game, part), number)


@cache
def _look_of(game: Game, part: Estimate) -> Any:
    """The compiled loop of one game and one part: rows of games first to last - 1; returns how many."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, apply, look, most, often = game.kernels.to_move, game.kernels.apply, part.look, part.rows, part.often
    State = game.State

    def look_on(blank, seed, first, last, number, seated, scratch, game_of, situations, amounts, came):
        tables, rngs, mask, worlds, numbers, _ = scratch
        before, luck = np.empty(1, State), np.empty(1, np.uint64)
        rows, room = 0, game_of.shape[0]
        for deal in range(first, last):
            begin(tables, blank, rngs, seed, deal)
            luck[0] = stream(seed, deal, number, LEARNER)
            while True:
                seat = to_move(tables[TABLE])
                if seat < 0:
                    break
                action = ask(tables, seat, 0, seated, rngs, mask, worlds, numbers)
                before[0] = tables[TABLE]
                apply(tables[TABLE], action)
                if unit(luck) < often and rows + most <= room:
                    found = look(before[0], tables[TABLE], seat, situations[rows:], amounts[rows:], came[rows:])
                    for row in range(rows, rows + found):
                        game_of[row] = deal
                    rows += found
        return rows

    return kernel(look_on)


def train(task: Task) -> Trained:
    estimates = task.game.learning.estimates
    assert estimates is not None  # `offer` has seen it
    sources = {part.name: source_of(task, part, number) for number, part in enumerate(estimates.parts)}
    return Trained(*collecting.learned(task, sources, PIECE))


def offer(game: Game, rules: Rules) -> Offer | None:
    model = game.learning.estimates
    if model is None:
        return None
    about = f"{', '.join(each.name for each in model.parts)}: {model.weights:,} weights, from games of one player"
    return Offer(model.model, about, model=model.model)


METHOD = Method(collecting.Arguments, offer, collecting.check, train, against=None)
