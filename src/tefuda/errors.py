"""The one exception for what a person did wrong: the command line shows its line and exits with 2."""

import difflib
from collections.abc import Iterable


class Problem(Exception):
    """Wrong input, said in one line: what was wrong, and what would be right."""


def unknown(what: str, name: str, known: Iterable[str]) -> Problem:
    """A name that is not among the known ones, with the nearest or all of them."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return Problem(f"unknown {what} {name!r}: {hint}known are {', '.join(names) or 'none'}")
