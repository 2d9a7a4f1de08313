"""A game: the parts of the contract together."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract.chance import Chance
from tefuda.contract.checks import Checks
from tefuda.contract.kernels import Kernels
from tefuda.contract.learning import Learning
from tefuda.contract.names import Name
from tefuda.contract.players import NamedPlayer, Players, Policy
from tefuda.contract.records import Records
from tefuda.contract.rules import RuleBook, Rules
from tefuda.contract.scoring import Scoring
from tefuda.contract.spaces import Spaces
from tefuda.contract.statistics import Statistics
from tefuda.contract.words import Words
from tefuda.kernel.bits import cards_of


@dataclass(frozen=True, eq=False)
class Game:
    """A game of the contract."""

    name: str
    title: Name
    seats: int
    folder: Path  # where its files (README, golden playthrough, policies) lie
    State: np.dtype  # one table; has a field `rules` of the rule book's dtype
    kernels: Kernels
    spaces: Spaces
    rulebook: RuleBook
    players: Players
    scoring: Scoring
    words: Words
    checks: Checks
    statistics: Statistics = field(default_factory=Statistics)
    learning: Learning = field(default_factory=Learning)
    records: Records | None = None  # for records of other programs
    chance: Chance | None = None  # for small games that can be written out whole

    def blank(self, rules: Rules | None = None) -> np.ndarray:
        """One empty table that knows its rules: what `deal` starts from."""
        state = np.zeros(1, self.State)
        state["rules"][0] = self.rulebook.row(rules or self.rulebook.make())
        return state

    def with_more(self, policies: tuple[Policy, ...] = (), named: tuple[NamedPlayer, ...] = ()) -> "Game":
        """The same game with further policies and players."""
        players = self.players
        more = replace(players, policies=(*players.policies, *policies), named=(*players.named, *named))
        return replace(self, players=more)

    def rounds_over(self, states: np.ndarray) -> int:
        """How many rounds of a table [1] are over."""
        return int(states[self.spaces.finished][0]) if self.spaces.finished else 0

    def plain(self, states: np.ndarray) -> dict[str, Any]:
        """A table [1] as whole numbers, by the names of its fields; a set of cards is a list of their numbers."""
        found: dict[str, Any] = {}
        for name in self.State.names or ():
            of = self.State[name]
            if name == "rules" or name.startswith("gap_") or _is_stream(of):
                continue
            value = states[name][0].tolist()
            found[name] = _sets(value) if of.base == np.uint64 else value
        return found

    def listed(self, rules: Rules, most: int) -> Chance | None:
        """The part that lists the deals, where there are at most so many of them by these rules."""
        if self.chance is None or self.chance.number is None:
            return self.chance
        number = self.chance.number(rules)
        return self.chance if number is not None and number <= most else None

    def decisions_at_most(self, rules: Rules) -> int:
        """No game under these rules has more decisions."""
        return self.checks.longest * self.rulebook.rounds(rules)


def _is_stream(of: np.dtype) -> bool:
    """Whether a field is the state of a random generator, which nobody may know."""
    return of.base == np.uint64 and of.shape == (1,)


def _sets(value: Any) -> Any:
    """Masks as lists of the numbers in them."""
    return [_sets(each) for each in value] if isinstance(value, list) else cards_of(value)
