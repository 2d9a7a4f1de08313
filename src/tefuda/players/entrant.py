"""Somebody who has been found and fits the game: a compiled policy with its parameters, or a player of one's own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Policy


@dataclass(frozen=True, eq=False)
class Entrant:
    """A player who can be seated."""

    name: str
    policy: Policy | None  # None: a player of one's own, which is asked through Python
    params: np.ndarray  # what the policy's kernel reads
    maker: Callable[[], Any] | None = None  # of a player of one's own: gives the object that is asked
    about: str = ""
    batch: bool = False  # the object is asked for many tables at once, by `choose`
    told_lanes: bool = False  # and `choose` takes the lanes too
    content: tuple[bytes, ...] = ()  # of a player of one's own: what its identity is taken from

    @property
    def form(self) -> str:
        """compiled, batch or python."""
        if self.policy is not None:
            return "compiled"
        return "batch" if self.batch else "python"

    @property
    def slow(self) -> bool:
        """Whether it takes milliseconds for a decision: one that searches or simulates, or is asked through Python."""
        return self.policy is None or self.policy.search is not None or bool(self.policy.brief)

    @property
    def lasting(self) -> bool:
        """Whether its name finds it again later: not for a class or an object that Python gave."""
        return self.policy is not None or ":" in self.name

    def plays_by(self, key: str) -> bool:
        """Whether it is a player of one of the game's policies."""
        return self.policy is not None and self.policy.key == key
