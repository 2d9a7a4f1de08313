"""The players of Leduc poker. Each has a table: the chances to call and to raise in each information set (rules.py)."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from tefuda.contract import NamedPlayer, Rules
from tefuda.engine.tabular import NAME as FROM_FILE
from tefuda.engine.tabular import Tables
from tefuda.games.leduc.rules import (
    CALL,
    FIRST_ROUND,
    FOLD,
    INFORMATION_SETS,
    MOST_RAISES,
    RAISE,
    RANKS,
    STEPS,
)

QUEEN, KING, PAIR = 1, 2, 3  # what a card is worth: its rank, or more in a pair with the public card


def by_rote(wish: Callable[[int, bool], int]) -> np.ndarray:
    """The table of a player that draws no lots: wish(worth, whether it is the second round) is what it wants to do.

    Where it cannot fold it checks, and where it cannot raise it calls.
    """
    table = np.zeros((INFORMATION_SETS, 2))  # to call, to raise
    for number in range(INFORMATION_SETS):
        second, own = number >= FIRST_ROUND, number % RANKS
        step = (number - FIRST_ROUND) // RANKS**2 % STEPS if second else number // RANKS
        public = (number - FIRST_ROUND) // RANKS % RANKS if second else -1
        action = wish(PAIR if own == public else own, second)
        raised = step // 2
        if (action == FOLD and raised == 0) or (action == RAISE and raised == MOST_RAISES):
            action = CALL
        if action != FOLD:
            table[number, action - 1] = 1.0
    return table


def honest(worth: int, second: bool) -> int:
    """Says what it holds: raises with a pair, or with a king before there can be one, and gives a jack up."""
    if worth >= (PAIR if second else KING):
        return RAISE
    return CALL if worth >= QUEEN else FOLD


TABLES: Tables = {
    "random": np.full((INFORMATION_SETS, 2), 1 / 3),
    "always-call": by_rote(lambda worth, second: CALL),
    "always-raise": by_rote(lambda worth, second: RAISE),
    "honest": by_rote(honest),
}


def is_standard(rules: Rules) -> bool:
    """Whether raises are of the sizes that the equilibrium was solved for."""
    return (rules.values["first_raise"], rules.values["second_raise"]) == (2, 4)


PLAYERS = (
    NamedPlayer("random", "any legal action, all alike", "random"),
    NamedPlayer("always-call", "checks and calls with everything", "always-call"),
    NamedPlayer("always-raise", "bets and raises with everything", "always-raise"),
    NamedPlayer("honest", "raises with a king, then with a pair; calls with a queen; folds a jack", "honest"),
    NamedPlayer(
        "equilibrium", "the solution of the game by CFR+: next to nothing can be won from it", FROM_FILE,
        Path(__file__).parent / "policies" / "equilibrium.npz", is_standard, "first_raise=2 second_raise=4",
    ),
)  # fmt: skip
