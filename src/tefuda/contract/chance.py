"""What chance can do in a small game, so that exact algorithms can walk all of it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Chance:
    """Every deal of a game with its chance, and a number for all that a seat can know when it decides.

    `apply` draws nothing, so that whatever lies hidden is fixed at the deal: the deals are all that chance does. Where
    the order of some cards changes nothing, one of these orders will do, with the chance of them all: the one that
    the kernel `deal` writes.
    """

    deals: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]  # a blank table [1] -> chances [n], dealt tables [n]
    information_set: Callable  # kernel information_set(view, seat): the number of what the seat to move knows
    information_sets: int  # how many of these numbers there are, from 0
