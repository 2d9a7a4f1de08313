"""CFR+: an equilibrium of a small game for two, from nothing but its rules (Tammelin 2014; Tammelin et al. 2015).

After each round of play a seat notes for every action how much more it would have got by it (its regret), and next
time takes actions by their regrets. Here a regret never falls below 0, the seats learn by turns, and later rounds weigh
more in the average of all play. For two seats that average comes near an equilibrium. For more it need not: nobody has
proved it, and it may be exploited however long it learns.

Seats may share information sets, where the game says that they mean the same (search/views.py): what each learns there
all of them play.
"""

import numpy as np

from tefuda.errors import Problem
from tefuda.search.exact import action_values, uniform
from tefuda.search.tree import END, Tree, WrittenOut


class Solver:
    """A solution on its way: `advance` as often as wanted, then take `average`."""

    def __init__(self, tree: WrittenOut) -> None:
        totals = tree.scores[tree.seat == END].sum(axis=1)
        if np.ptp(totals) > 1e-9:
            raise Problem(f"{tree.game.name} cannot be solved: CFR+ takes games whose scores always add up to the same")
        self.tree = tree
        self.iterations = 0
        self.regrets = np.zeros(tree.legal.shape)
        self.weights = np.zeros(tree.legal.shape)  # of all play so far: chances × how likely one comes there × when
        self.play = uniform(tree)

    def advance(self, iterations: int = 1) -> None:
        for _ in range(iterations):
            self.iterations += 1
            for seat in range(self.tree.game.seats):
                self._learn(seat)

    def _learn(self, seat: int) -> None:
        """One seat notes its regrets against the others' play of now, and changes its own play."""
        tree, own = self.tree, np.flatnonzero(self.tree.seat == seat)
        reached = tree.luck[own] * tree.own_part(self.play, seat)[own]
        reached = np.bincount(tree.information_set[own], reached, tree.sets)
        self.weights += self.iterations * reached[:, None] * self.play
        others = tree.other_part(self.play, seat)
        values = action_values(tree, others, tree.up(self.play, tree.scores[:, seat]), seat)
        got = (self.play * values).sum(axis=1, keepdims=True)
        self.regrets = np.where(tree.legal, np.maximum(self.regrets + values - got, 0.0), 0.0)
        self.play = normalised(self.regrets, tree)

    @property
    def average(self) -> np.ndarray:
        """The play [information sets, actions] that comes near an equilibrium."""
        return normalised(self.weights, self.tree)

    def table(self) -> np.ndarray:
        """The average as a table of the game: [its numbers of information sets, actions - 1] (engine/tabular.py).

        Where the game gives several information sets one number, as it may when they differ in nothing that matters,
        their play is taken together, each weighted by how likely one comes there.
        """
        tree, chance = self.tree, self.tree.game.chance
        assert isinstance(tree, Tree)
        assert chance is not None
        assert chance.information_set is not None
        numbers = [
            chance.information_set(tree.views[number : number + 1][0], int(seat))
            for number, seat in enumerate(tree.owner)
        ]
        sums = np.zeros((chance.information_sets, tree.legal.shape[1]))
        legal = np.zeros(sums.shape, bool)
        np.add.at(sums, numbers, self.weights)
        np.logical_or.at(legal, numbers, tree.legal)
        legal[~legal.any(axis=1), 0] = True  # a number that no deal leads to
        totals = sums.sum(axis=1, keepdims=True)
        even = legal / legal.sum(axis=1, keepdims=True)
        return np.where(totals > 0, sums / np.where(totals > 0, totals, 1.0), even)[:, 1:]


def normalised(weights: np.ndarray, tree: WrittenOut) -> np.ndarray:
    """Chances that are proportional to weights; where all are 0, any legal action."""
    totals = weights.sum(axis=1, keepdims=True)
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), uniform(tree))
