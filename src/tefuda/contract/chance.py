"""What chance can do in a small game, so that exact algorithms can walk all of it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tefuda.contract.rules import Rules

Deals = tuple[np.ndarray, np.ndarray]  # chances [n], dealt tables [n]


@dataclass(frozen=True, eq=False)
class Chance:
    """Every deal of a game with its chance, and a number for all that a seat can know when it decides.

    `apply` draws nothing, so that whatever lies hidden is fixed at the deal: the deals are all that chance does. Where
    the order of some cards changes nothing, one of these orders will do, with the chance of them all: the one that
    the kernel `deal` writes.

    A larger game gives its deals in parts, so that they need not all be in memory. Every seat sees to which part a deal
    belongs. `alike` serves those that solve a game: cards that mean the same may change their names, and the kernel
    renames them so that views, and dealt tables, which differ in such names alone become one. Seats that mean the same
    may change their names too: the kernel may give a table back on which another seat is in turn. What the rules do not
    look at is left out. Actions that get the same name mean the same to the seat in turn.
    """

    deals: Callable[[np.ndarray], Deals]  # a blank table [1] -> all deals
    information_set: Callable | None = None  # kernel information_set(view, seat): the number of what the seat knows
    information_sets: int = 0  # how many of these numbers there are, from 0
    parts: Callable[[np.ndarray], Iterable[Deals]] | None = None  # a blank table [1] -> the same deals, part by part
    number: Callable[[Rules], int | None] | None = None  # how many deals there are; None: they are not listed
    alike: Callable | None = None  # kernel alike(table, names): rename its cards; names[action] is that action then

    def in_parts(self, blank: np.ndarray) -> Iterable[Deals]:
        """All deals, part by part."""
        return self.parts(blank) if self.parts is not None else [self.deals(blank)]


def joined(parts: Callable[[np.ndarray], Iterable[Deals]]) -> Callable[[np.ndarray], Deals]:
    """The deals of all parts together."""

    def deals(blank: np.ndarray) -> Deals:
        chances, tables = zip(*parts(blank), strict=True)
        return np.concatenate(chances), np.concatenate(tables)

    return deals
