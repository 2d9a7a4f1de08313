"""Trials of one decision (section 6.3, table 9): by how many han it is won when all play on by some player.

Each trial guesses what the seat cannot see, takes the action, and plays the deal to its end. All actions of a decision
meet the same guesses and the same luck. The seat that decides is seat 0, as in positions.py.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, Occupant, scratch, seated
from tefuda.games.mahjong.paper.positions import OWN, class_of
from tefuda.games.mahjong.state import SEATS
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import PLAYER, SEARCH, stream
from tefuda.kernel.threads import collect

CHUNK = 100  # trials that a core plays at once


@cache
def _trials_of(game: Game) -> Any:
    """The kernel of some trials of one action."""
    loops = loops_of(game)
    ask = loops.ask
    guess, apply, to_move = game.kernels.guess, game.kernels.apply, game.kernels.to_move

    def play(view, actions, seed, first, last, seated, scratch, won):
        """Trials first to last - 1: won [trials, actions] by how many han, from `first` on. An action may be two: a
        call, and the discard behind it, or -1."""
        tables, rngs, mask, worlds, numbers, _ = scratch
        for number in range(first, last):
            for place in range(actions.shape[0]):
                tables[TABLE] = view[0]
                rngs[0] = stream(seed, number, OWN, SEARCH)
                guess(tables[TABLE], OWN, rngs[0:1])
                for each in range(SEATS):
                    rngs[each] = stream(seed, number, each, PLAYER)
                finished, behind = tables[TABLE].finished, np.int64(actions[place, 1])
                apply(tables[TABLE], np.int64(actions[place, 0]))
                while tables[TABLE].finished == finished:
                    mover = to_move(tables[TABLE])
                    action = ask(tables, mover, 0, seated, rngs, mask, worlds, numbers)
                    if behind >= 0 and mover == OWN:
                        action, behind = behind, np.int64(-1)
                    apply(tables[TABLE], action)
                won[number - first, place] = class_of(tables[TABLE])

    return kernel(play)


def hans_won_after(
    game: Game, table: np.ndarray, actions: Sequence[tuple[int, int]], player: Occupant, seed: int, trials: int,
    threads: int | None = None, first: int = 0,
) -> np.ndarray:  # fmt: skip
    """By how many han each action of seat 0 at a table was won, in so many trials from number `first` on: int8 [trials,
    actions]. An action is itself and the discard behind a call, or -1. What the seat cannot see in the table changes
    nothing."""
    view = table.copy()
    game.kernels.hide(view[0], OWN)
    tried, at_table = np.array(actions, np.int64), seated(game, [player])

    def work(begin: int, end: int) -> np.ndarray:
        won = np.zeros((end - begin, len(tried)), np.int8)
        _trials_of(game)(view, tried, seed, first + begin, first + end, at_table, scratch(game, [player]), won)
        return won

    return np.concatenate(collect("trials", work, trials, CHUNK, "trials", threads))
