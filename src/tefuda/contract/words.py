"""How a game is told to people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType

import numpy as np

from tefuda.contract.names import Name, Reader
from tefuda.contract.parts import filled
from tefuda.contract.rules import Rules
from tefuda.contract.scene import Move, Moved, Scene


@dataclass(frozen=True, eq=False)
class Words:
    """How a game is told to people. Where a part is left out, `show` and `action_name` tell it; which cards moved is
    then found by comparing the scenes before and after.

    `before` and `after` are the true tables [1] around one decision. What is told of them leaves out what the reader
    may not know.
    """

    show: Callable[..., str]  # (states[1], seat or None, lang) -> the table as text
    action_name: Callable[..., str]  # (states[1], action, lang) -> text
    scene: Callable[[np.ndarray, Reader], Scene] | None = None  # (hidden states[1], reader) -> what lies on the table
    involves: Callable[[np.ndarray, int], Move] | None = None  # (hidden states[1], action) -> the cards of a move
    moved: Callable[..., list[Moved]] | None = None  # (before, after, action, reader) -> cards that changed their zone
    story: Callable[..., list[str]] | None = None  # (before, after, action, reader) -> what happened, without who
    result: Callable[..., list[str]] | None = None  # the same arguments -> how the round ended, if it did
    unseen: Callable[..., list[tuple[str, list[str]]]] | None = None  # (states[1], reader) -> groups of cards
    rules: Callable[[Rules, Reader], list[str]] | None = None  # the rules in force, in a player's words
    callings: Callable[[np.ndarray, int], list[str]] | None = None  # (states[1], action) -> what may be typed
    why_not: Callable[[np.ndarray, int, Reader], str] | None = None  # (states[1], action, …) -> why it is not legal
    misnamed: Callable[[np.ndarray, str, Reader], str] | None = None  # (states[1], a word, …) -> why it is no move now
    advice: Callable[[np.ndarray, Reader], list[str]] | None = None  # what a hint says beside the values of the moves
    japanese: Mapping[str, str] = field(default_factory=dict)  # presets, options, `option=value` and players by name

    def about(self, name: str, english: str) -> Name:
        """What a preset, an option or a player is, in both languages as far as the game tells it."""
        return Name(self.japanese.get(name, english), english)

    @classmethod
    def of(cls, *modules: ModuleType, **more: Callable) -> "Words":
        """What some modules have by these names, and others."""
        return filled(cls, modules, more)
