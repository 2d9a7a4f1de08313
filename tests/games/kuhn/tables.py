"""Tables of Kuhn poker, twelve chances to bet, valued exactly."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np

from tefuda.games.kuhn import GAME
from tefuda.search import exact
from tefuda.search.tree import Tree, write_out

Table = Sequence[Fraction | float] | np.ndarray


@cache
def tree(bet: int = 1) -> Tree:
    """The whole game."""
    return write_out(GAME, GAME.rulebook.make(changes=[f"bet={bet}"]))


def play(table: Table, bet: int = 1) -> np.ndarray:
    """The chances of a table, as the exact algorithms take them."""
    return exact.chances_of(tree(bet), GAME.players.policy("table"), np.array(table, np.float64))


def value(first: Table, second: Table, bet: int = 1) -> float:
    """What the first seat wins on average, in chips a game, when each seat plays by its table."""
    both = exact.seated(tree(bet), [play(first, bet), play(second, bet)])
    return float(exact.value(tree(bet), both)[0])


def best_response_value(table: Table, seat: int, bet: int = 1) -> float:
    """The most that a seat can win on average against a table."""
    return exact.best_response(tree(bet), play(table, bet), seat)[0]


def exploitability(table: Table, bet: int = 1) -> float:
    """What a best response gains over a table against itself, mean of both seats, in chips a game."""
    return exact.exploited(tree(bet), play(table, bet)).exploitability
