"""The one exception for what a person did wrong: the command line shows its line and exits with 2."""

import difflib
from collections.abc import Iterable
from typing import Any

MOST_QUOTED = 120  # characters of a wrong value that its line repeats


class Problem(Exception):
    """Wrong input, said in one line: what was wrong, and what would be right."""


def unknown(what: str, name: Any, known: Iterable[str]) -> Problem:
    """A name that is not among the known ones, with the nearest or all of them."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) and len(name) <= MOST_QUOTED else []
    hint = f"did you mean {near[0]!r}? " if near else ""
    return Problem(f"unknown {what} {quoted(name)}: {hint}known are {', '.join(names) or 'none'}")


def quoted(value: Any) -> str:
    """A wrong value as a line shows it: short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 3 * MOST_QUOTED:
        return f"a number of {value.bit_length() * 0.30103:,.0f} digits"  # Python refuses to write out the longest
    try:
        shown = repr(value[: MOST_QUOTED + 1] if isinstance(value, str | bytes) else value)
    except Exception:  # the code of somebody else
        shown = f"an object of type {type(value).__name__}"
    return shown if len(shown) <= MOST_QUOTED + 2 else f"{shown[:MOST_QUOTED]}…"
