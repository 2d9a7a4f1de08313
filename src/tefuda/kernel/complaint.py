"""Why a kernel cannot be compiled, in one line: Numba says it in fifty."""

import re
from collections.abc import Callable
from pathlib import Path
from traceback import walk_tb
from typing import Any

from numba.core import types
from numba.core.errors import NumbaError, TypingError
from numba.core.ir import Loc

from tefuda.errors import Problem, told, unknown

_PLACE = re.compile(r"^During: .* at (.+) \((\d+)\)$", re.MULTILINE)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")  # Numba colours what it says where the package colorama is installed
_OURS = Path(__file__).parents[1]


class CannotCompile(Problem):
    """A kernel that cannot be compiled; whatever calls it cannot be compiled either."""


def complaint(error: NumbaError) -> CannotCompile:
    """The innermost reason, with the first place on the way out that is not ours."""
    text = _COLOUR.sub("", str(error))
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    reason = said[0] if said else type(error).__name__
    if reason.endswith(":") and len(said) > 1:  # what does not fit stands in the next line
        reason = f"{reason} {said[1].removeprefix('>>> ')}"
    places = [(Path(file), int(line)) for file, line in _PLACE.findall(text)]
    location = getattr(error, "loc", None)
    if location is not None:
        places.append((Path(location.filename), int(location.line)))
    theirs = [place for place in places if _OURS not in place[0].parents]
    where = f" ({'{}, line {}'.format(*(theirs or places)[0])})" if places else ""
    return CannotCompile(f"a kernel cannot be compiled: {reason}{where}; NUMBA_DISABLE_JIT=1 runs it as plain Python")


def placed(error: Exception, function: Callable[..., Any]) -> Exception:
    """An error of compiling one function as Numba's own, which says its place; most are so already."""
    said = _COLOUR.sub("", str(error))
    if isinstance(error, NumbaError) and (not isinstance(error, TypingError) or _PLACE.search(said)):
        return error
    reason = said if isinstance(error, NumbaError) else _reason(error)
    return TypingError(f"{reason}\nDuring: compiling at {function.__code__.co_filename} ({_line(error, function)})")


def _reason(error: Exception) -> str:
    """What an error says that Numba did not mean to raise: so it answers when a field of a record is not there."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    record = frames[-1].f_locals.get("self") if frames else None
    if isinstance(error, KeyError) and isinstance(record, types.Record):
        return str(unknown("field", error.args[0], record.fields))
    return told(error)


def _line(error: Exception, function: Callable[..., Any]) -> int:
    """The line of a function that Numba was at, or else its first."""
    code = function.__code__
    for frame in reversed([frame for frame, _ in walk_tb(error.__traceback__)]):
        for value in frame.f_locals.values():
            location = value if isinstance(value, Loc) else getattr(value, "loc", None)
            if isinstance(location, Loc) and Path(location.filename) == Path(code.co_filename):
                return int(location.line)
    return code.co_firstlineno
