"""Checks of what comes from outside: each gives the value back, or a Problem that says what it is and should be."""

from collections.abc import Callable
from typing import Any

from tefuda.errors import Problem
from tefuda.games.mahjong.state import SEATS

MOST_POINTS = 1_000_000  # of a seat; a match has 160,000 in all
MOST_COUNTERS = 255  # honba, and riichi sticks
SHOWN = 40  # characters of a wrong value that a message shows

Check = Callable[[Any], Any]  # gives a value back, or raises Wrong


class Wrong(Exception):
    """What a value should have been."""


def quoted(value: Any) -> str:
    """A value for a message, never a long one."""
    if isinstance(value, str):
        return repr(value if len(value) <= SHOWN else value[:SHOWN] + "…")
    if isinstance(value, list | tuple | dict):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**18:
        return "a number of more than 18 digits"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return str(value)


def checked(check: Check, value: Any, what: str) -> Any:
    """The value, if it fits; otherwise a Problem that names it."""
    try:
        return check(value)
    except Wrong as wrong:
        raise Problem(f"{what} is {quoted(value)}, but it should be {wrong}") from None


def whole(low: int, high: int) -> Check:
    """A whole number within bounds."""

    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise Wrong(f"a whole number from {low} to {high}")
        return value

    return check


seat = whole(0, SEATS - 1)
counter = whole(0, MOST_COUNTERS)
points = whole(-MOST_POINTS, MOST_POINTS)


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong("a text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Wrong("a text that can be written") from None
    return value


def truth(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("true or false")
    return value


def several(check: Check, least: int, most: int) -> Check:
    """A list of things."""
    number = str(least) if least == most else f"{least} to {most}"

    def check_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise Wrong(f"a list of {number}")
        found = []
        for place, each in enumerate(value, start=1):
            try:
                found.append(check(each))
            except Wrong as wrong:
                raise Wrong(f"a list of {number}, each {wrong}, and number {place} is {quoted(each)}") from None
        return tuple(found)

    return check_all


def of_all(check: Check) -> Check:
    """A list of one for each seat."""
    return several(check, SEATS, SEATS)
