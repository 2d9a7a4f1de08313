"""Somebody who has been found and fits the game: a compiled policy with its parameters, or a class of one's own."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Policy


@dataclass(frozen=True, eq=False)
class Entrant:
    """A player who can be seated."""

    name: str
    policy: Policy | None  # None: a class of one's own, which is asked through Python
    params: np.ndarray  # what the policy's kernel reads
    maker: Any = None  # a class of one's own, called once for each seat that it takes
    about: str = ""

    @property
    def form(self) -> str:
        """compiled, batch or python."""
        if self.policy is not None:
            return "compiled"
        return "python" if hasattr(self.maker, "act") else "batch"

    @property
    def slow(self) -> bool:
        """Whether it takes milliseconds for a decision: one that searches, or is asked through Python."""
        return self.policy is None or self.policy.search is not None

    def plays_by(self, key: str) -> bool:
        """Whether it is a player of one of the game's policies."""
        return self.policy is not None and self.policy.key == key
