"""What a match counts beside the scores."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Statistics:
    """Counts of one player over the games of a match."""

    names: tuple[str, ...] = ()  # of what `tally` counts
    tally: Callable | None = None  # kernel tally(before, after, seat, counts, row): one decision's worth
    summary: Callable[[np.ndarray, int], dict[str, Any]] | None = None  # (counts, games) -> figures for people
    shares: frozenset[str] = frozenset()  # figures of the summary that are parts of 1, told in percent; groups are such
    rounds: str = ""  # the figure of the summary that counts rounds; "": a game has one round
