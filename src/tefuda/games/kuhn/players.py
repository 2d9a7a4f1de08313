"""The players of Kuhn poker. Each has a table of twelve chances to bet (or call), one an information set (rules.py)."""

from fractions import Fraction

import numpy as np

from tefuda.contract import NamedPlayer, Rules
from tefuda.engine.tabular import Parameters, Tables
from tefuda.errors import Problem
from tefuda.games.kuhn.rules import INFORMATION_SETS

LARGEST_ALPHA = Fraction(1, 3)


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


def equilibrium_for(bet: int) -> Parameters:
    """Makes the table of `equilibrium/ALPHA` for a size of the bet."""

    def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
        alpha: Fraction | float = LARGEST_ALPHA
        if variant:
            try:
                alpha = float(variant)
            except ValueError:
                alpha = -1.0
            if not 0 <= alpha <= LARGEST_ALPHA:
                raise Problem(f"equilibrium/{variant}: alpha is a number from 0 to 1/3, as in equilibrium/0.2")
        return np.array(equilibrium(alpha, bet), np.float64)

    return parameters


TABLES: Tables = {
    "random": np.full(INFORMATION_SETS, 0.5),
    "equilibrium": equilibrium_for(bet=1),
    "equilibrium-large-bet": equilibrium_for(bet=2),
    "always-bet": np.ones(INFORMATION_SETS),
    "always-pass": np.zeros(INFORMATION_SETS),
}


def is_small(rules: Rules) -> bool:
    """Whether a bet is less than the pot, so that bluffs are worth something."""
    return rules.values["bet"] == 1


def is_large(rules: Rules) -> bool:
    return not is_small(rules)


PLAYERS = (
    NamedPlayer("random", "passes or bets, both alike", "random"),
    NamedPlayer(
        "equilibrium", "cannot be beaten; /ALPHA, up to 1/3: how often jacks bluff", "equilibrium",
        under=is_small, only="bet=1",
    ),
    NamedPlayer(
        "equilibrium", "cannot be beaten: never bluffs, and calls with kings alone", "equilibrium-large-bet",
        under=is_large, only="bet=2 or more",
    ),
    NamedPlayer("always-bet", "bets and calls with everything", "always-bet"),
    NamedPlayer("always-pass", "checks and folds with everything", "always-pass"),
)  # fmt: skip
