"""One table from Python: kernels that take tables as arrays [1].

Python hands an array to compiled code in a microsecond. A record takes ten, for NumPy describes all its fields at each
call; and NumPy's own copy of a table takes twenty.
"""

from functools import cache
from types import SimpleNamespace

import numpy as np

from tefuda.contract import Game
from tefuda.kernel.bits import cards_of
from tefuda.kernel.compile import kernel


@cache
def single_of(game: Game) -> SimpleNamespace:
    """The kernels of a game on arrays of one table."""
    kernels = game.kernels
    hide, observe_table, legal_here = kernels.hide, kernels.observe, kernels.legal
    whose, act, rate, fill = kernels.to_move, kernels.apply, kernels.scores, kernels.guess

    @kernel
    def look(table, seat, view, mask):
        """Write what a seat may know into `view`, and what may be done there into `mask`."""
        view[0] = table[0]
        hide(view[0], seat)
        legal_here(view[0], mask)

    @kernel
    def observe(view, seat, out):
        observe_table(view[0], seat, out)

    @kernel
    def legal(table, mask):
        legal_here(table[0], mask)

    @kernel
    def to_move(table):
        return whose(table[0])

    @kernel
    def apply(table, action):
        act(table[0], action)

    @kernel
    def scores(table, out):
        rate(table[0], out)

    @kernel
    def guess(view, seat, rng, table):
        """Write a world that agrees with a view into `table`."""
        table[0] = view[0]
        fill(table[0], seat, rng)

    @kernel
    def copy(table, twin):
        twin[0] = table[0]

    return SimpleNamespace(
        look=look, observe=observe, legal=legal, to_move=to_move, apply=apply, scores=scores, guess=guess, copy=copy
    )


def actions_in(mask: np.ndarray, actions: int) -> list[int]:
    """The actions of a mask of uint64 words, lowest first; what is beyond the game's actions is none."""
    found = [64 * place + low for place, word in enumerate(mask.tolist()) for low in cards_of(word)]
    return found if not found or found[-1] < actions else [action for action in found if action < actions]


def legal_actions(game: Game, states: np.ndarray) -> list[int]:
    """The legal actions at a table [1], lowest first."""
    mask = np.zeros(game.spaces.mask_words, np.uint64)
    single_of(game).legal(states, mask)
    return actions_in(mask, game.spaces.actions.size)
