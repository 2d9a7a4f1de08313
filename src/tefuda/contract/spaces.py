"""Actions and observations: tables of index and meaning, from which sizes, names and documentation come."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tefuda.contract.names import Name
from tefuda.contract.rules import Option


@dataclass(frozen=True)
class Part:
    """A run of equal entries in a space: `size` numbers with one meaning."""

    key: str
    size: int
    meaning: str
    names: tuple[Name, ...] = ()  # one for each entry, where entries have names
    rules: bool = False  # of an observation: it tells the options of the rules, in their order


def rules_part(options: Sequence[Option], meaning: str = "the options in their order, in tens") -> Part:
    """The part of an observation that tells the options of the rules."""
    return Part("rules", len(options), meaning, tuple(Name(each.key, each.key) for each in options), rules=True)


class Observation(Mapping[str, np.ndarray]):
    """The numbers of an observation by the names of its parts."""

    def __init__(self, slices: Mapping[str, slice], numbers: np.ndarray) -> None:
        self._slices, self._numbers = slices, numbers

    def __getitem__(self, key: str) -> np.ndarray:
        return self._numbers[self._slices[key]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._slices)

    def __len__(self) -> int:
        return len(self._slices)

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True)
class Space:
    """Actions or observations described once; sizes, names and documentation come from here."""

    parts: tuple[Part, ...]
    version: int = 1  # counted up when entries mean something else although the words of their parts are the same

    @cached_property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part lies."""
        result, start = {}, 0
        for part in self.parts:
            result[part.key] = slice(start, start + part.size)
            start += part.size
        return result

    @cached_property
    def rules(self) -> slice | None:
        """Where the options of the rules are told; None: nowhere."""
        return next((self.slices[part.key] for part in self.parts if part.rules), None)

    @cached_property
    def names(self) -> list[Name]:
        """A name for each entry."""
        result = []
        for part in self.parts:
            for i in range(part.size):
                plain = f"{part.key} {i}" if part.size > 1 else part.key
                result.append(part.names[i] if part.names else Name(plain, plain))
        return result

    def by_name(self, numbers: np.ndarray) -> Observation:
        """The numbers of each part."""
        return Observation(self.slices, numbers)

    def markdown(self) -> str:
        """The table of index and meaning that the documentation shows."""
        rows = ["| index | part | meaning |", "| --- | --- | --- |"]
        for part in self.parts:
            where = self.slices[part.key]
            index = f"{where.start}" if part.size == 1 else f"{where.start} to {where.stop - 1}"
            rows.append(f"| {index} | `{part.key}` | {part.meaning} |")
        return "\n".join(rows)


@dataclass(frozen=True)
class Shown:
    """Cards that came to light by a decision, apart from those that the action itself names."""

    what: str  # as players say it: drawn, turned, received
    seat: int | None  # whose cards they are; None: nobody's
    cards: Sequence[int]
    to: int | None = None  # the one seat that sees them; None: all


@dataclass(frozen=True, eq=False)
class Spaces:
    """What can be done and what can be known; which decisions the other seats do not see, and which cards come to
    light."""

    actions: Space
    observation: Space
    secret: Callable[[np.ndarray, int, int], bool] | None = None  # (states[1], seat that acted, action): not public
    unheard: bool = False  # nor is it public that a secret decision was asked for
    cards: tuple[Name, ...] = ()  # the name of each card number in the fields of State
    shown: Callable[[np.ndarray, np.ndarray, int], list[Shown]] | None = None  # (before[1], after[1], action)
    finished: str = ""  # the field of State that counts the rounds that are over; "": a game is one round

    @cached_property
    def mask_words(self) -> int:
        """The number of uint64 words in a mask of legal actions."""
        return (self.actions.size + 63) // 64
