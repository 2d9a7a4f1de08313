"""The exceptions that are told in one line: what a person did wrong, exit code 2, and Ctrl-C, exit code 130."""

import difflib
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Any

MOST_QUOTED = 120  # characters of a wrong value that its line repeats
_OURS = Path(__file__).parent
_INSTALLED = {Path(sysconfig.get_path(each)) for each in ("stdlib", "purelib", "platlib")}
_LONGEST = 500  # characters of what an exception says


class Problem(Exception):
    """Wrong input, said in one line: what was wrong, and what would be right."""

    code = 2  # by which the command line ends


class Interrupted(Problem):
    """Ctrl-C after a part of the work: what is kept of it, and how to go on."""

    code = 130


def unknown(what: str, name: Any, known: Iterable[str]) -> Problem:
    """A name that is not among the known ones, with the nearest or all of them."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1) if isinstance(name, str) and len(name) <= MOST_QUOTED else []
    hint = f"did you mean {near[0]!r}? " if near else ""
    return Problem(f"unknown {what} {quoted(name)}: {hint}known are {', '.join(names) or 'none'}")


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something: `1 check`, `1,200 deals`."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def told(error: BaseException) -> str:
    """An exception of somebody else's code in one line: its type, what it says, and the file and line of that code."""
    try:
        said = " ".join(str(error).split())[:_LONGEST]
    except Exception:  # its own text can fail too
        said = ""
    line = f"{type(error).__name__}: {said}" if said else type(error).__name__
    place = _place(error)
    return f"{line} ({place[0]}, line {place[1]})" if place else line


def _place(error: BaseException) -> tuple[str, int] | None:
    """The last line on the way to an exception that belongs neither to us nor to what is installed."""
    place, step = None, error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if not file.startswith("<frozen") and not {_OURS, *_INSTALLED} & set(Path(file).parents):
            place = file, step.tb_lineno
        step = step.tb_next
    return place


def quoted(value: Any) -> str:
    """A wrong value as a line shows it: short, whatever it is."""
    if isinstance(value, int) and value.bit_length() > 3 * MOST_QUOTED:
        return f"a number of {value.bit_length() * 0.30103:,.0f} digits"  # Python refuses to write out the longest
    try:
        shown = repr(value[: MOST_QUOTED + 1] if isinstance(value, str | bytes) else value)
    except Exception:  # the code of somebody else
        shown = f"an object of type {type(value).__name__}"
    return shown if len(shown) <= MOST_QUOTED + 2 else f"{shown[:MOST_QUOTED]}…"
