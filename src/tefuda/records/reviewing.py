"""Reviews of many games: each is one piece of the work, here or on a cluster, and the review is the same."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tefuda import games
from tefuda.errors import Problem
from tefuda.files.whole import name_of_file, read_json, write_bytes
from tefuda.kernel.cluster import Cluster
from tefuda.kernel.threads import run_chunks
from tefuda.outside import is_there
from tefuda.players.resolve import resolve
from tefuda.progress import Progress
from tefuda.records.finding import Text, texts
from tefuda.records.played import played_from
from tefuda.table.played import NothingDecided, Played
from tefuda.table.review import Review

SUFFIX = ".review.json"  # of a review that was kept
Piece = tuple[int, Path, Text, Any]  # the number of a record, its file, its text, and what was kept of its review


@dataclass(frozen=True)
class Reviewing:
    """How games are reviewed. It holds plain values alone, so that it can be sent to another machine."""

    seat: int | None  # the person's when not given
    judge: str | None  # the game's quick player when not given
    worlds: int
    seed: int
    threshold: float | None
    seconds: float | None  # for one review
    game: str | None  # where it is one of one's own
    threads: int | None

    def begun(self, played: Played) -> Review:
        """The review of a game, before anything is judged."""
        judge = resolve(played.game, self.judge, played.rules) if self.judge else None
        return Review(played, self.seat, judge, self.worlds, self.seed, self.threshold, self.threads)

    def __call__(self, number: int, path: Path, text: Text, kept: Any) -> dict[str, Any] | str | None:
        """What the review of one game finds, for JSON; why there is none; or None where nothing was decided."""
        try:
            review = self.begun(played_from(text, path, games.find(self.game) if self.game else None))
            if kept is not None:
                review.restore(kept)
        except NothingDecided:
            return None
        except Problem as problem:
            line = str(problem)
            return line if line.startswith((str(path), text.name)) else f"{path}: {line}"
        began = time.monotonic()
        for _ in review.run():
            if self.seconds is not None and time.monotonic() - began > self.seconds:
                break
        return review.data()


@dataclass
class Reviews:
    """What was found in some games, in the order of their records."""

    of: int = 0  # how many records there are
    found: dict[int, dict[str, Any]] = field(default_factory=dict)  # by the number of the record, from 0
    empty: int = 0  # games in which nothing was decided, which are left out
    unreadable: list[str] = field(default_factory=list)  # why there is no review: a line each
    interrupted: bool = False

    @property
    def in_order(self) -> list[dict[str, Any]]:
        return [self.found[number] for number in sorted(self.found)]


def files_of(paths: list[Path]) -> list[Path]:
    """The files that are meant: those of a folder are all in it, but for reviews that were kept there."""
    found = []
    for path in paths:
        if is_there(path) and path.is_dir():
            inside = (each for each in sorted(path.rglob("*")) if each.is_file())
            found += [each for each in inside if not each.name.startswith(".") and not each.name.endswith(SUFFIX)]
        else:
            found.append(path)
    if not found:
        raise Problem(f"there is no record in {', '.join(map(str, paths))}")
    return found


def review_all(paths: list[Path], how: Reviewing, keep: Path | None = None, cluster: Cluster | None = None) -> Reviews:
    """Review all records of some files. With a folder `keep`, each review is kept there once it is done, and one that
    was kept before is not done again. Ctrl-C ends it with the reviews that are done."""
    reviews = Reviews()

    def read(path: Path) -> Iterator[Text]:
        try:
            yield from texts(path, how.game)
        except Problem as problem:
            reviews.unreadable.append(str(problem))

    reviews.of = sum(1 for path in paths for _ in read(path))
    reviews.unreadable.clear()  # the second reading says it again

    def pieces() -> Iterator[Piece]:
        every = ((path, text) for path in paths for text in read(path))
        for number, (path, text) in enumerate(every):
            try:
                place = _place(keep, path, text)
                yield number, path, text, read_json(place, "review") if place is not None and is_there(place) else None
            except Problem as problem:
                reviews.unreadable.append(str(problem))

    work = run_chunks(how, pieces(), 1) if cluster is None else cluster.run(how, pieces(), in_order=False)
    try:
        with Progress("reviewing", reviews.of, "games") as progress:
            for done, (number, path, text, _, result) in enumerate(work, start=1):
                if isinstance(result, str):
                    reviews.unreadable.append(result)
                elif result is None:
                    reviews.empty += 1
                else:
                    reviews.found[number] = result
                    if (place := _place(keep, path, text)) is not None:
                        write_bytes(place, json.dumps(result, ensure_ascii=False).encode(), "--keep")
                progress.update(done)
    except KeyboardInterrupt:
        reviews.interrupted = True
    work.close()
    return reviews


def _place(keep: Path | None, path: Path, text: Text) -> Path | None:
    """The file that keeps the review of a record."""
    return None if keep is None else keep / f"{name_of_file(f'{path.parent}/{text.name}')}{SUFFIX}"
