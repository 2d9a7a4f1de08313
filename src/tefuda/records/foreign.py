"""Records in the formats of other programs: found in files, verified on all cores, converted.

What a format is, a game declares (`Records` in contract.py). A file holds one record or many; before a record there may
stand a number and a tab; gzip, xz and bzip2 are seen through. Our own game records are taken too, one to a file.
"""

import bz2
import gzip
import json
import lzma
import re
import signal
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from io import TextIOWrapper
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.contract import Game, RecordFormat, Records
from tefuda.errors import Problem, unknown
from tefuda.files.whole import write_bytes
from tefuda.kernel.threads import cores
from tefuda.table import record as game_record
from tefuda.table.table import Table

OWN = "tefuda"  # the name of our own format
CHUNK = 16  # records that a process is given at once: a fraction of a second of work
_PACKED: dict[bytes, Callable[..., Any]] = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\x00": lzma.open, b"BZh": bz2.open}
_PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}
_LABEL = re.compile(r"(\w+)\t")
_DECLARATION = re.compile(r"\s*<\?xml[^>]*\?>\s*")


@dataclass(frozen=True)
class Text:
    """The text of one record, not yet read."""

    name: str
    game: str  # a registered name or a path; "": it names its game itself
    format: str
    text: str


@dataclass
class Tally:
    """What was found in some records."""

    games: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    disagreements: list[Any] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)  # a line for each record that could not be read

    def add(self, other: "Tally") -> None:
        self.games += other.games
        for what, number in other.counts.items():
            self.counts[what] = self.counts.get(what, 0) + number
        self.disagreements += other.disagreements
        self.unreadable += other.unreadable


@dataclass(frozen=True)
class Refused:
    """A record of our own that the rules do not go along with."""

    match: str
    text: str

    def __str__(self) -> str:
        return self.text


class Disagrees(Problem):
    """A record of our own was read, but its moves are not by the rules."""


# Finding records.


def games_with_records(given: str | None) -> dict[str, Records]:
    """The games whose records may be in a file, by name: that one, or all that declare some."""
    names = games.names() if given is None else [given]
    found = {name: games.find(name).records for name in names}
    return {name: records for name, records in found.items() if records is not None}


def texts(path: Path, game: str | None = None, tell: Callable[[int], None] = lambda done: None) -> Iterator[Text]:
    """The records of a file, one after another; `tell` is told how many bytes of the file were read."""
    known = [(name, each) for name, records in games_with_records(game).items() for each in records.formats]
    known = [(name, each) for name, each in known if each.begins is not None]
    kept: list[str] = []
    format_of: tuple[str, str] | None = None
    label, number = "", 0

    def finished() -> Text:
        assert format_of is not None
        name = f"{path.name} {label}" if label else path.name if number == 1 else f"{path.name} {number}"
        return Text(name, *format_of, "".join(kept))

    for line in _lines(path, tell):
        found = _LABEL.match(line)
        start = _DECLARATION.sub("", line[found.end() :] if found else line)
        of = next(((name, each.name) for name, each in known if each.begins and each.begins(start)), None)
        if of is not None:
            if kept:
                yield finished()
            format_of, kept, number = of, [start], number + 1
            label = found.group(1) if found else ""
        elif format_of is not None:
            kept.append(line)
        elif start.startswith("{"):
            format_of, kept, number = (game or "", OWN), [line], 1  # if it is none of ours, its reader will say so
        elif start.strip():
            names = ", ".join(each.name for _, each in known)
            raise Problem(
                f"{path}: not a record: it should be {names} or {OWN}'s own, but begins {start.strip()[:40]!r}"
            )
    if format_of is None:
        raise Problem(f"{path} is empty: it should hold a record")
    yield finished()


def _lines(path: Path, tell: Callable[[int], None]) -> Iterator[str]:
    """The lines of a file, unpacked where it is packed."""
    try:
        with open(path, "rb") as file:
            begin = file.read(6)
            file.seek(0)
            unpack = next((each for magic, each in _PACKED.items() if begin.startswith(magic)), None)
            with TextIOWrapper(unpack(file) if unpack else file, encoding="utf-8-sig") as lines:
                for line in lines:
                    yield line
                    tell(file.tell())
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: not a record: it is no text ({error.reason} at byte {error.start})") from error
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise Problem(f"{path} is damaged or cut off: {error}") from error
    except OSError as error:
        raise Problem(f"cannot read {path}: {error.strerror or error}") from error


# Reading and checking them.


def read(text: Text) -> tuple[Game, Any]:
    """What was played, by the game's own account."""
    if text.format == OWN:
        return _read_own(text)
    game = games.find(text.game)
    assert game.records is not None
    reader = _format(game.records, text.format).read
    assert reader is not None
    return game, reader(text.text, text.name)


def _read_own(text: Text) -> tuple[Game, Any]:
    try:
        value = json.loads(text.text)
    except ValueError as error:
        raise Problem(f"{text.name} is not a game record: it is damaged or another kind of file") from error
    record = game_record.record_from(value, Path(text.name))
    game = game_record.game_of(record, games.find(text.game) if text.game else None)
    try:
        table, _ = game_record.play_again(record, Path(text.name), game)
    except Problem as problem:
        raise Disagrees(str(problem)) from None
    if game.records is None:
        return game, None
    fresh = Table(game, table.rules, record.seed, record.deal)
    actions = [action for _, action in record.actions]
    return game, game.records.played(fresh.states, table.rules, text.name, tuple(record.players), actions)


def _format(records: Records, name: str) -> RecordFormat:
    return next(each for each in records.formats if each.name == name)


def check(found: list[Text]) -> Tally:
    """Read and verify some records."""
    tally = Tally()
    for text in found:
        tally.add(_check_one(text))
    return tally


def _check_one(text: Text) -> Tally:
    try:
        game, played = read(text)
        if game.records is None:
            return Tally(1)
        wrong = [] if text.format == OWN else game.records.verify(played)
        return Tally(1, game.records.counts(played), wrong)
    except Disagrees as problem:
        return Tally(1, disagreements=[Refused(text.name, str(problem))])
    except Problem as problem:
        line = str(problem)
        return Tally(unreadable=[line if line.startswith(text.name) else f"{text.name}: {line}"])


def verify(
    paths: list[Path], game: str | None = None, threads: int | None = None, tell: Callable[[int], None] | None = None,
    chunk: int = CHUNK,
) -> Tally:  # fmt: skip
    """Verify all records of some files on all cores; `tell` is told how many bytes of them were read.

    Reading and replaying is Python for the most part, so that threads would take turns: processes do it side by side.
    """
    total = Tally()

    def all_texts() -> Iterator[Text]:
        before = 0
        for path in paths:
            try:
                yield from texts(path, game, partial(_tell_more, tell, before))
            except Problem as problem:
                total.unreadable.append(str(problem))
            before += path.stat().st_size if path.is_file() else 0

    found = all_texts()
    pieces = iter(lambda: list(islice(found, chunk)), [])
    first, second = next(pieces, []), next(pieces, None)
    if second is None:  # too little to start processes for
        total.add(check(first))
        return total
    threads = threads or cores()
    rest = chain((first, second), pieces)
    for tally in map(check, rest) if threads == 1 else _in_processes(rest, threads):
        total.add(tally)
    return total


def _tell_more(tell: Callable[[int], None] | None, before: int, done: int) -> None:
    if tell is not None:
        tell(before + done)


def _in_processes(pieces: Iterator[list[Text]], threads: int) -> Iterator[Tally]:
    """Check pieces side by side; only a few are under way at once, so that a long file is never in memory whole."""
    pool = ProcessPoolExecutor(threads, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    waiting: list[Future[Tally]] = []
    try:
        for piece in pieces:
            waiting.append(pool.submit(check, piece))
            if len(waiting) >= 2 * threads:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


# Writing them in another format.


def writers(game: Game) -> dict[str, RecordFormat]:
    """The formats in which a game's records can be written."""
    return {each.name: each for each in game.records.formats if each.write} if game.records else {}


def convert(source: Path, target: Path, to: str | None = None, game: str | None = None) -> int:
    """Write all records of a file in another format, by name or by the target's suffix; returns how many."""
    written = []
    for text in texts(source, game):
        found, played = read(text)
        formats = writers(found)
        chosen = to or _format_of(target, formats)
        if chosen not in formats:
            raise unknown(f"format to write {found.name} in", chosen, formats)
        write = formats[chosen].write
        assert write is not None
        written.append(write(played))
    content = "".join(written).encode()
    packer = _PACKERS.get(target.suffix)
    write_bytes(target, packer(content) if packer else content)
    return len(written)


def _format_of(target: Path, formats: dict[str, RecordFormat]) -> str:
    suffixes = [suffix for suffix in target.suffixes if suffix not in _PACKERS]
    for name, each in formats.items():
        if suffixes and suffixes[-1] in each.suffixes:
            return name
    known = ", ".join(f"{name} ({' '.join(each.suffixes)})" for name, each in formats.items()) or "none"
    raise Problem(f"{target} does not say in which format to write: name it with --to; known are {known}")
