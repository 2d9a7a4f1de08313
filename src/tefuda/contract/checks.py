"""What the checks of the contract ask of a game."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Layout:
    """Every card's slot at one table, and which slots a seat cannot see.

    Slots of one group are interchangeable (a hand is a set); the checks of conservation, of hidden cards and of the
    uniformity of `guess` are written on this.
    """

    cards: list[int]
    groups: list[str]
    hidden: list[bool]


@dataclass(frozen=True, eq=False)
class Checks:
    """Where every card is, and what limits a game keeps."""

    layout: Callable[[np.ndarray, int], Layout]  # (states[1], seat) -> where every card is
    rebuild: Callable[[np.ndarray, Layout, list[int]], None]  # put other cards into the hidden slots
    longest: int  # no round has more decisions, by whatever options; a match has `RuleBook.rounds` times as many
    allowed: Callable[[np.ndarray, int], bool] = lambda states, seat: True  # whether facts allow the hidden slots
    # (states[1], a card that all see, a hidden one): let them change their places, for positions that are set up by
    # hand; False where the facts do not allow it. None: only cards of a hand can be exchanged.
    exchange: Callable[[np.ndarray, int, int], bool] | None = None
