"""The figure by which players of a game are compared."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tefuda.contract.rules import Rules


@dataclass(frozen=True)
class Headline:
    """The figure that sums up a player, from the scores of a game."""

    name: str  # as in "points a game"
    higher_is_better: bool = True
    fair: float = 0.0  # what each of equal players gets
    of: Callable[[np.ndarray], np.ndarray] = lambda scores: scores  # scores [..., seats] -> figures [..., seats]
    digits: int = 3


@dataclass(frozen=True, eq=False)
class Scoring:
    """The figure that sums up a player, and what the scores of all seats add up to, by the rules."""

    headline: Headline
    total: float | None = None  # what the scores of all seats add up to, None when it varies
    headline_by_rules: Callable[[Rules], Headline] | None = None  # where the figure depends on the rules
    total_by_rules: Callable[[Rules], float | None] | None = None  # where the sum of scores does
    bounds: Callable[[Rules], tuple[float, float]] | None = None  # the least and the most that a seat can get, if known

    def headline_under(self, rules: Rules) -> Headline:
        """The figure that sums up a player under these rules."""
        return self.headline_by_rules(rules) if self.headline_by_rules else self.headline

    def total_under(self, rules: Rules) -> float | None:
        """What the scores of all seats add up to under these rules, None when it varies."""
        return self.total_by_rules(rules) if self.total_by_rules else self.total
