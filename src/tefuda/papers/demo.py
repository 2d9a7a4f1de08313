"""A few minutes with tefuda: something that wins, and the headline figure of each paper beside ours."""

import shlex
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tefuda import games, papers
from tefuda.arena.match import match
from tefuda.errors import Interrupted
from tefuda.report import index
from tefuda.report import match as match_page
from tefuda.report.document import Document

# Koi-Koi first: its champion is there within half a minute. Mahjong last: it takes longest to compile.
PAPERS = ("koikoi", "tricks", "saichugen", "mahjong")
WINNER, LOSER, DEALS = "champion", "rule-based", 10_000  # of Koi-Koi


@dataclass(frozen=True)
class Piece:
    """One piece of the demo, as soon as it is done."""

    document: Document
    page: Path
    data: dict[str, Any]
    seconds: float
    cpu_seconds: float


def steps() -> list[str]:
    """What will be done, in order; no game is loaded for it."""
    return [f"{PAPERS[0]}, {WINNER} against {LOSER}", *(f"{paper}, the paper's headline figures" for paper in PAPERS)]


def pieces(out: Path, seed: int, threads: int | None) -> Iterator[Piece]:
    """Do it piece by piece. Interrupted, it goes on where it stopped, for finished parts are kept until the end."""
    work = out / "demo-work"
    for number in range(len(steps())):
        began, cpu = time.monotonic(), time.process_time()
        if number == 0:
            document, page, data = winner(out / "matches", seed, threads)
        else:
            document, page, data = headline(PAPERS[number - 1], out, seed, threads, work)
        index.update(out)
        yield Piece(document, page, data, time.monotonic() - began, time.process_time() - cpu)
    shutil.rmtree(work, ignore_errors=True)


def winner(folder: Path, seed: int, threads: int | None) -> tuple[Document, Path, dict[str, Any]]:
    """A player that has learned by self-play beats the one that a paper wrote down."""
    game = games.find(PAPERS[0])
    command = ["tefuda", "match", game.name, WINNER, LOSER, "--deals", str(DEALS), "--seed", str(seed)]
    try:
        result = match(game, [WINNER, LOSER], DEALS, seed, threads=threads)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; give the same command again") from None
    again = shlex.join(command)
    return match_page.document_of(result, again), match_page.write(result, folder, again), result.data()


def headline(
    paper: str, out: Path, seed: int, threads: int | None, work: Path
) -> tuple[Document, Path, dict[str, Any]]:
    """The few experiments of a paper that its headline is from, at full size."""
    report = papers.reproduce(paper, "headline", out / f"{paper}-headline", seed, threads, work / paper)
    return report.document, report.folder / "index.html", report.data()
