"""Values from outside: what numbers, texts and places of the command line, of Python callers and of files may be.

Each kind of value has its bounds here, once. What lies outside is a Problem that says what would be right.
"""

import json
import math
import os
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from tefuda.errors import Problem, quoted, unknown

MOST_SEED = 2**63 - 1  # seeds and numbers of deals are hashed as int64
MOST_EXPERIMENT = 10**12  # seed of experiments and checks, which make others from it
MOST_DEALS = 1_000_000_000  # of a match: days of play
MOST_THREADS = 1024
MOST_ITERATIONS = 1_000_000_000
MOST_SAMPLES = 1_000_000  # decisions asked for in one information set
LEAST_SECONDS, MOST_SECONDS = 0.1, 3600.0  # of one measurement
LANGUAGES = ("ja", "en", "both")
DEVICES = ("cpu", "cuda")
MOST_TEXT = 4096  # characters of a name or a path
MOST_PARTS = 100  # folders of a path
MOST_JSON = 64 << 20  # bytes of one of our own files: the longest game has some ten thousand


def whole(what: str, value: Any, low: int, high: int) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= int(value) <= high:
        raise Problem(f"{what} is {quoted(value)}, but takes a whole number from {low:,} to {high:,}")
    return int(value)


def number(what: str, value: Any, low: float, high: float) -> float:
    """A plain number within bounds: neither infinite nor undefined."""
    fits = isinstance(value, Real) and not isinstance(value, bool)
    if not fits or not low <= value <= high:  # no comparison with an undefined number holds
        raise Problem(f"{what} is {quoted(value)}, but takes a number from {low:g} to {high:g}")
    return float(value)


def seed(value: Any) -> int:
    """A seed."""
    return whole("seed", value, 0, MOST_SEED)


def experiment_seed(value: Any) -> int:
    """A seed of experiments and checks."""
    return whole("seed", value, 0, MOST_EXPERIMENT)


def deal(value: Any) -> int:
    """The number of a deal."""
    return whole("deal", value, 0, MOST_SEED)


def deals(value: Any, least: int = 1) -> int:
    """How many deals are played."""
    return whole("deals", value, least, MOST_DEALS)


def threads(value: Any) -> int | None:
    """How many threads work; None for one on each core."""
    return None if value is None else whole("threads", value, 1, MOST_THREADS)


def text(what: str, value: Any, most: int = MOST_TEXT) -> str:
    """A text that can be written to a file and shown."""
    if not isinstance(value, str):
        raise Problem(f"{what} is given as a text, not as {quoted(value)}")
    if len(value) > most:
        raise Problem(f"{what} has {len(value):,} characters, but takes at most {most:,}: {quoted(value)}")
    if "\0" in value or not encodable(value):
        raise Problem(f"{what} is {quoted(value)}, which has characters that no text has")
    return value


def texts(what: str, values: Any) -> list[str]:
    """Several texts, in a list or a tuple."""
    return [text(what, value) for value in sequence(what, values)]


def setting(option: str, value: str, example: str) -> tuple[str, str]:
    """The two sides of `key=value`, as it is given behind an option of the command line."""
    key, equals, text = value.partition("=")
    if not equals:
        raise Problem(f"{option} {quoted(value)} should be key=value, as in {option} {example}")
    return key, text


def sequence(what: str, values: Any) -> list[Any]:
    """Several things, in a list or a tuple."""
    if not isinstance(values, list | tuple):
        raise Problem(f"{what} are given as a list, not as {quoted(values)}")
    return list(values)


def language(value: Any) -> str:
    """The language that a table speaks."""
    if text("a language", value) not in LANGUAGES:
        raise unknown("language", value, LANGUAGES)
    return value


def device(value: Any) -> str:
    """Where kernels run."""
    if text("a device", value) not in DEVICES:
        raise unknown("device", value, DEVICES)
    return value


def place(what: str, value: Any) -> Path:
    """The path of a file or a folder."""
    if not isinstance(value, str | os.PathLike):
        raise Problem(f"{what} is the path of a file or a folder, not {quoted(value)}")
    path = Path(text(what, os.fspath(value)))
    if len(path.parts) > MOST_PARTS:
        raise Problem(f"{what} has {len(path.parts):,} folders, one in another, but takes at most {MOST_PARTS}")
    return path


def is_there(path: Path, file: bool = False) -> bool:
    """Whether something, or a file, is at a path; False for a path that cannot be."""
    try:
        return path.is_file() if file else path.exists()
    except (OSError, ValueError):
        return False


def encodable(value: str) -> bool:
    """Whether a text can be written as UTF-8. Bytes of the command line that are no UTF-8 cannot."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def json_value(content: str | bytes) -> Any:
    """The value of a JSON text; a ValueError for what is none, and for one nested deeper than Python can read."""
    try:
        return json.loads(content)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def finite(value: Any) -> bool:
    """Whether a value from a file is a plain number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) if isinstance(value, float) else abs(value) < 1 << 63
