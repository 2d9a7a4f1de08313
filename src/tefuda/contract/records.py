"""Records of a game in the formats of other programs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract.rules import Rules


@dataclass(frozen=True)
class RecordFormat:
    """A format in which other programs write down what was played."""

    name: str
    begins: Callable[[str], bool] | None = None  # whether a line begins a record; None: cannot be read
    read: Callable[[str, str], Any] | None = None  # (text, what to call it) -> what was played
    write: Callable[[Any], str] | None = None  # what was played -> text, lines and all; None: cannot be written
    suffixes: tuple[str, ...] = ()  # of files that are written in it


@dataclass(frozen=True, eq=False)
class Records:
    """Records of a game in the formats of other programs: see records/foreign.py."""

    formats: tuple[RecordFormat, ...]
    verify: Callable[[Any], list[Any]]  # what was played -> where the rules disagree: dataclasses that say it as text
    counts: Callable[[Any], dict[str, int]]  # what was played -> what is in it, for people
    played: Callable[..., Any]  # (states[1] as dealt, rules, name, players, actions) -> what was played
    # what was played -> tables [1] and the actions that were taken at them, as learners read them
    decisions: Callable[[Any], Iterator[tuple[np.ndarray, np.ndarray]]] | None = None
    about: Callable[[Any], tuple[Rules, tuple[str, ...]]] | None = None  # what was played -> its rules, who sat where
