"""Records in the formats of other programs: verified on all cores, converted.

What a format is, a game declares (`Records` in contract.py). How records are found in files, finding.py says.
"""

import bz2
import gzip
import lzma
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

from tefuda import games
from tefuda.contract import Game, RecordFormat, Records
from tefuda.errors import Problem, unknown
from tefuda.files.whole import write_bytes
from tefuda.kernel.threads import cores
from tefuda.outside import is_there, json_value
from tefuda.records.finding import OWN, Text, texts
from tefuda.table import record as game_record
from tefuda.table.table import Table

Found = TypeVar("Found")  # what some work finds in a piece of the records
CHUNK = 16  # records that a process is given at once: a fraction of a second of work
_PACKERS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


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
        value = json_value(text.text)
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
        return Tally(unreadable=[line_of(text, problem)])


def line_of(text: Text, problem: Problem) -> str:
    """Why a record cannot be read, with its name."""
    line = str(problem)
    return line if line.startswith(text.name) else f"{text.name}: {line}"


def verify(
    paths: list[Path], game: str | None = None, threads: int | None = None, tell: Callable[[int], None] | None = None,
    chunk: int = CHUNK,
) -> Tally:  # fmt: skip
    """Verify all records of some files on all cores; `tell` is told how many bytes of them were read."""
    total = Tally()
    for tally in over_records(check, paths, total.unreadable, game, threads, tell, chunk):
        total.add(tally)
    return total


def over_records(
    work: Callable[[list[Text]], Found], paths: list[Path], unreadable: list[str], game: str | None,
    threads: int | None, tell: Callable[[int], None] | None, chunk: int,
) -> Iterator[Found]:  # fmt: skip
    """Do some work on all records of some files, piece by piece; why a file cannot be read is added to `unreadable`.

    Reading and replaying is Python for the most part, so that threads would take turns: processes do it side by side.
    """

    def all_texts() -> Iterator[Text]:
        before = 0
        for path in paths:
            try:
                yield from texts(path, game, partial(_tell_more, tell, before))
            except Problem as problem:
                unreadable.append(str(problem))
            before += path.stat().st_size if is_there(path, file=True) else 0

    found = all_texts()
    pieces = iter(lambda: list(islice(found, chunk)), [])
    first, second = next(pieces, []), next(pieces, None)
    if second is None:  # too little to start processes for
        yield work(first)
        return
    threads = threads or cores()
    rest = chain((first, second), pieces)
    yield from map(work, rest) if threads == 1 else _in_processes(work, rest, threads)


def _tell_more(tell: Callable[[int], None] | None, before: int, done: int) -> None:
    if tell is not None:
        tell(before + done)


def _in_processes(work: Callable[[list[Text]], Found], pieces: Iterator[list[Text]], threads: int) -> Iterator[Found]:
    """Work on pieces side by side; only a few are under way at once, so that a long file is never in memory whole."""
    pool = ProcessPoolExecutor(threads, get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    waiting: list[Future[Found]] = []
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
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
    """Write all records of a file in another format, by name or by the target's suffix; returns how many.

    What is written is read and verified again: a format may have no words for the rules of a record.
    """
    if not (is_there(target.parent) and target.parent.is_dir()):
        raise Problem(f"cannot write {target}: there is no folder {target.parent}")
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
        _check_written(found, formats[chosen], text.name, written[-1])
    content = "".join(written).encode()
    packer = _PACKERS.get(target.suffix)
    write_bytes(target, packer(content) if packer else content, "TARGET")
    return len(written)


def _check_written(game: Game, written: RecordFormat, name: str, text: str) -> None:
    assert game.records is not None
    if written.read is None:
        return
    for disagreement in game.records.verify(written.read(text, name)):
        raise Problem(f"{name} cannot be written as {written.name}: read again, it disagrees: {disagreement}")


def _format_of(target: Path, formats: dict[str, RecordFormat]) -> str:
    suffixes = [suffix for suffix in target.suffixes if suffix not in _PACKERS]
    for name, each in formats.items():
        if suffixes and suffixes[-1] in each.suffixes:
            return name
    known = ", ".join(f"{name} ({' '.join(each.suffixes)})" for name, each in formats.items()) or "none"
    raise Problem(f"{target} does not say in which format to write: name it with --to; known are {known}")
