"""Players that look their chances up: policies by a table with a row for each information set of a small game.

A row holds the chance of every action but the first, which takes the rest. Of the actions that are not legal at a
table the chances do not count, and those of the others are scaled to add up to 1.
"""

from collections.abc import Callable, Mapping

import numpy as np

from tefuda.contract import Game, Policy, plain_parameters
from tefuda.errors import Problem
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import drawn, unit

NAME = "table"  # the policy whose table is read from a file
ROUNDING = 1e-6  # by so much the chances of a row may add up to more than 1: files hold float32

Parameters = Callable[[str, np.ndarray], np.ndarray]  # from a variant and weights to a table
Tables = Mapping[str, np.ndarray | Parameters]  # by the keys of policies; an array [information sets, actions - 1]


@kernel
def look_up(params, row, actions, mask, out):
    """The chance of each action from one row of a table."""
    first = row * (actions - 1)
    out[0] = 1.0
    for action in range(1, actions):
        out[action] = params[first + action - 1]
        out[0] -= out[action]
    total = 0.0
    for action in range(actions):
        if out[action] < 0.0 or not has_word(mask, action):
            out[action] = 0.0
        total += out[action]
    for action in range(actions):
        if total > 0.0:
            out[action] /= total
        elif has_word(mask, action):  # the table knows no legal action: the lowest one
            out[action] = 1.0
            total = 1.0


def with_tables(game: Game, tables: Tables) -> Game:
    """A game with a policy for each of some tables, and with `table`, whose file holds one."""
    if game.chance is None or game.chance.information_set is None:
        raise ValueError(f"{game.name} has no part `chance`, which numbers the information sets")
    information_set, rows, actions = game.chance.information_set, game.chance.information_sets, game.spaces.actions.size

    def chances(view, seat, params, mask, worlds, numbers, out):
        look_up(params, information_set(view, seat), actions, mask, out)

    chances = kernel(chances)

    def choose(view, seat, params, rng, mask, worlds, numbers):
        look_up(params, information_set(view, seat), actions, mask, numbers)
        return drawn(numbers, actions, 1.0 - unit(rng))  # a low number means a high action: the first takes the rest

    choose = kernel(choose)
    size = rows * (actions - 1)

    def read(variant: str, weights: np.ndarray) -> np.ndarray:
        table = plain_parameters(variant, weights)
        sums = table.reshape(rows, actions - 1).sum(axis=1) if table.shape == (size,) else np.array([np.nan])
        if not (np.all(table >= 0) and np.all(sums <= 1 + ROUNDING)):
            each = "a chance from 0 to 1" if actions == 2 else f"{actions - 1} chances that add up to 1 at most"
            raise Problem(f"a table of {game.name} has {rows} rows, each of {each}")
        return table

    def policy(name: str, table: np.ndarray | Parameters) -> Policy:
        parameters = table if callable(table) else _fixed(np.array(table, np.float64).reshape(size))
        return Policy(name, choose, parameters, numbers=actions, chances=chances)

    files = Policy(NAME, choose, read, weights=size, numbers=actions, chances=chances)
    return game.with_more((*(policy(*entry) for entry in tables.items()), files))


def _fixed(table: np.ndarray) -> Parameters:
    """Parameters of a policy that has one table, and no variants."""

    def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
        plain_parameters(variant, weights)
        return table

    return parameters
