"""The players of Kuhn poker: one kernel that reads its chances to bet from a table, and the tables.

A table is twelve chances to bet (or call), in the order of the information sets (rules.py). Parameters are
one table, or two where play depends on the size of the bet: for a bet of 1, and for larger ones.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from tefuda.contract import plain_parameters
from tefuda.errors import Problem
from tefuda.games.kuhn.rules import BET, INFORMATION_SETS, PASS, information_set
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import unit

LARGEST_ALPHA = Fraction(1, 3)


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    start = INFORMATION_SETS if view.rules.bet > 1 and params.shape[0] > INFORMATION_SETS else 0
    return BET if unit(rng) < params[start + information_set(view, seat)] else PASS


def equilibrium(alpha: Fraction | float = LARGEST_ALPHA, bet: int = 1) -> list[Fraction | float]:
    """The table of a Nash equilibrium.

    For a bet of 1 this is Kuhn's family: the first seat bluffs with the jack by any chance alpha up to
    1/3, and the rest follows. A bet of 2 or more is no less than the pot: no bluff gains anything then, so
    nobody bluffs and only the king calls.
    """
    third = Fraction(1, 3)
    if bet > 1:
        alpha = third = Fraction(0)
    return [
        alpha, Fraction(0), 3 * alpha,  # first seat opens with jack, queen, king
        third, Fraction(0), Fraction(1),  # second seat, after a check
        Fraction(0), third, Fraction(1),  # second seat, after a bet
        Fraction(0), alpha + third, Fraction(1),  # first seat, after a check and a bet
    ]  # fmt: skip


def equilibrium_parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The tables for `equilibrium/ALPHA`: for a bet of 1, and for larger ones."""
    alpha: Fraction | float = LARGEST_ALPHA
    if variant:
        try:
            alpha = float(variant)
        except ValueError:
            alpha = -1.0
        if not 0 <= alpha <= LARGEST_ALPHA:
            raise Problem(f"equilibrium/{variant}: alpha is a number from 0 to 1/3, as in equilibrium/0.2")
    return np.array(equilibrium(alpha) + equilibrium(alpha, bet=2), np.float64)


def same_everywhere(chance: float) -> Callable[[str, np.ndarray], np.ndarray]:
    """Parameters of a player that bets with one chance, whatever it holds."""

    def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
        plain_parameters(variant, weights)
        return np.full(INFORMATION_SETS, chance)

    return parameters


def table_parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """Twelve weights are the table itself."""
    table = plain_parameters(variant, weights)
    if table.shape != (INFORMATION_SETS,) or not np.all((table >= 0) & (table <= 1)):
        raise Problem(f"a table of Kuhn poker is {INFORMATION_SETS} chances to bet, each from 0 to 1")
    return table
