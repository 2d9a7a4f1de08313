"""Rules as a value: options, presets, and the part of the state that carries them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tefuda import outside
from tefuda.errors import Problem, quoted, unknown
from tefuda.kernel.compile import record_type


@dataclass(frozen=True, eq=False)
class Option:
    """One rule that people play in different ways. Its value is a small whole number in the state."""

    key: str
    meaning: str
    values: Mapping[str, int] | None = None  # named values; None for a plain number
    low: int = 0
    high: int = 1
    common: Sequence[int] = ()  # the values that random rules have; (): all

    def parse(self, text: str) -> int:
        """The number for what was written on the command line."""
        if self.values is not None:
            if text in self.values:
                return self.values[text]
            raise Problem(f"option {self.key} is {quoted(text)}, but takes {', '.join(self.values)}")
        try:
            number = int(text)
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            raise Problem(
                f"option {self.key} is {quoted(text)}, but takes a whole number from {self.low} to {self.high}"
            )
        return number

    def text(self, number: int) -> str:
        """A value as it is written on the command line."""
        if self.values is not None:
            for name, value in self.values.items():
                if value == number:
                    return name
        return str(number)

    def draw(self, random: np.random.Generator) -> int:
        """A common value."""
        values = self.common or (self.values or {}).values() or range(self.low, self.high + 1)
        return int(random.choice(list(values)))


YES_NO = {"no": 0, "yes": 1}
TRIES = 100  # draws for each of several random rules that must differ


@dataclass(frozen=True)
class Rules:
    """A complete set of rules: the preset it started from, and the value of every option."""

    preset: str
    values: dict[str, int]
    changed: tuple[str, ...] = ()  # options that differ from the preset, as `key=value`

    def __str__(self) -> str:
        return " ".join((self.preset, *self.changed))


@dataclass(frozen=True, eq=False)
class RuleBook:
    """All options of a game and its presets; the first preset is the default.

    A new option goes behind the others: policy files of before count on their order (engine/told.py).
    """

    options: tuple[Option, ...]
    presets: Mapping[str, Mapping[str, str]]
    about: Mapping[str, str] = field(default_factory=dict)  # a line for each preset
    rounds: Callable[[Rules], int] = lambda rules: 1  # how many rounds a game by some rules has

    @cached_property
    def dtype(self) -> np.dtype:
        """The type of the part of the state that carries the rules."""
        return record_type([(option.key, np.int16) for option in self.options])

    def make(self, preset: str | None = None, changes: Sequence[str] | None = None) -> Rules:
        """The rules of a preset with some options changed, each written as `key=value`."""
        preset = next(iter(self.presets)) if preset is None else outside.text("a rules preset", preset)
        if preset not in self.presets:
            raise unknown("rules preset", preset, self.presets)
        by_key = {option.key: option for option in self.options}
        values = {key: by_key[key].parse(text) for key, text in self.presets[preset].items()}
        start = dict(values)
        for change in outside.texts("changes of the rules", () if changes is None else changes):
            key, text = outside.setting("--set", change, "rounds=1")
            if key not in by_key:
                raise unknown("option", key, by_key)
            values[key] = by_key[key].parse(text)
        changed = [f"{key}={by_key[key].text(values[key])}" for key in values if values[key] != start[key]]
        return Rules(preset, values, tuple(changed))

    def random(self, count: int, seed: int) -> list[Rules]:
        """So many different rules: the presets, then presets in which a random share of the options has random common
        values. A game that has fewer rules than that gives fewer."""
        found = {self.row(each): each for each in map(self.make, self.presets)}
        random = np.random.default_rng(seed)
        for _ in range(TRIES * count):
            if len(found) >= count:
                break
            preset, share = str(random.choice(list(self.presets))), random.random()
            chosen = [option for option in self.options if random.random() < share]
            rules = self.make(preset, [f"{option.key}={option.text(option.draw(random))}" for option in chosen])
            found.setdefault(self.row(rules), rules)
        return list(found.values())[:count]

    def row(self, rules: Rules) -> tuple[int, ...]:
        return tuple(rules.values[option.key] for option in self.options)
