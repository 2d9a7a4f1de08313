"""Find the records in a file, each as text that is not yet read.

A file holds one record or many; before a record there may stand a number and a tab; gzip, xz and bzip2 are seen
through. Our own game records are taken too, one to a file.
"""

import bz2
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.contract import Records
from tefuda.errors import Problem

OWN = "tefuda"  # the name of our own format
_PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open}
_LABEL = re.compile(r"(\w{1,100})\t")
MOST_RECORD = 8_000_000  # characters of one record, and of one line; a match has some hundred thousand
SHOWN = 40  # characters of a file that a message shows


@dataclass(frozen=True)
class Text:
    """The text of one record, not yet read."""

    name: str
    game: str  # a registered name or a path; "": it names its game itself
    format: str
    text: str


def games_with_records(given: str | None) -> dict[str, Records]:
    """The games whose records may be in a file, by name: that one, or all that declare some."""
    names = games.names() if given is None else [given]
    found = {name: games.find(name).records for name in names}
    return {name: records for name, records in found.items() if records is not None}


def texts(path: Path, game: str | None = None, tell: Callable[[int], None] = lambda done: None) -> Iterator[Text]:
    """The records of a file, one after another; `tell` is told how many bytes of the file were read."""
    return texts_of(_lines(path, tell), path, game)


def texts_of(lines: Iterable[str], path: Path, game: str | None = None) -> Iterator[Text]:
    """The records in some lines of text; `path` is what they are called."""
    formats = [(name, each) for name, records in games_with_records(game).items() for each in records.formats]
    known = [(name, each.name, each.begins) for name, each in formats if each.begins is not None]
    kept: list[str] = []
    format_of: tuple[str, str] | None = None
    label, number, size = "", 0, 0

    def begun(text: str) -> tuple[str, str] | None:
        """The game and the format of a record that begins like this."""
        return next(((of, format_name) for of, format_name, begins in known if begins(text)), None)

    def finished() -> Text:
        assert format_of is not None
        name = f"{path.name} {label}" if label else path.name if number == 1 else f"{path.name} {number}"
        text = "".join(kept)
        of = begun(text) if format_of[1] == OWN else None  # JSON on several lines is told by the whole of it
        return Text(name, *(of or format_of), text)

    for line in lines:
        found = _LABEL.match(line)
        start = _without_declaration(line[found.end() :] if found else line)
        size += len(line)
        of = begun(start)
        if of is not None:
            if kept:
                yield finished()
            format_of, kept, number, size = of, [start], number + 1, len(start)
            label = found.group(1) if found else ""
        elif format_of is not None:
            kept.append(line)
        elif start.startswith("{"):
            format_of, kept, number = (game or "", OWN), [line], 1  # if it is none of ours, its reader will say so
        elif start and not start.isspace():
            names = ", ".join(format_name for _, format_name, _ in known)
            shown = start.lstrip()[:SHOWN].rstrip()
            raise Problem(f"{path}: not a record: it should be {names} or {OWN}'s own, but begins {shown!r}")
        if size > MOST_RECORD and kept:
            raise Problem(f"{path}: a record has at most {MOST_RECORD:,} characters, but this one has more")
    if format_of is None:
        raise Problem(f"{path} is empty: it should hold a record")
    yield finished()


def _without_declaration(line: str) -> str:
    """A line without the declaration of XML at its beginning."""
    start = line.lstrip()
    if not start.startswith("<?xml"):
        return line
    end = start.find("?>", 0, 1000)
    return start[end + 2 :].lstrip() if end >= 0 else line


def _lines(path: Path, tell: Callable[[int], None]) -> Iterator[str]:
    """The lines of a file, unpacked where it is packed."""
    try:
        with open(path, "rb") as file:
            begin = file.read(6)
            file.seek(0)
            unpack = next((each for magic, each in _PACKED.items() if begin.startswith(magic)), None)
            with TextIOWrapper(unpack(file) if unpack else file, encoding="utf-8-sig") as lines:
                while line := lines.readline(MOST_RECORD + 1):
                    if len(line) > MOST_RECORD:
                        raise Problem(f"{path}: a line has at most {MOST_RECORD:,} characters, but one has more")
                    yield line
                    tell(file.tell())
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: not a record: it is no text ({error.reason} at byte {error.start})") from error
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise Problem(f"{path} is damaged or cut off: {error}") from error
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else None
        raise Problem(f"cannot read {path}: {told or error}") from error
