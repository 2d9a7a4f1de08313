"""One module a paper: its experiments, its tables and figures, and the published numbers."""

import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tefuda import games, outside
from tefuda.errors import Interrupted, Problem, unknown
from tefuda.report.report import Report

if TYPE_CHECKING:
    from tefuda.papers.laboratory import Paper

SCALES = ("quick", "paper", "headline")


def names() -> list[str]:
    """The papers that can be reproduced, each named after its game."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name in games.names())


def find(name: str) -> "Paper[Any]":
    """A paper by its name."""
    if outside.text("a paper", name) not in names():
        raise unknown("paper", name, names())
    return importlib.import_module(f"tefuda.papers.{name}").PAPER


def reproduce(
    paper: str, scale: str, out: str | Path | None, seed: int, threads: int | None = None, work: Path | None = None,
    records: str | Path | None = None,
) -> Report:  # fmt: skip
    """Run a paper's experiments and write its report; `work` keeps finished parts beyond the end of the run. `records`
    is a file with records of other programs, for papers that can use one."""
    from tefuda.papers.laboratory import run

    seed, threads = outside.experiment_seed(seed), outside.threads(threads)
    found = find(paper)
    if outside.text("a scale", scale) not in SCALES:
        raise unknown("scale", scale, SCALES)
    if records is not None:
        records = outside.place("records", records)
        if not found.records:
            raise Problem(f"{paper} uses no records: leave out --records")
        if not records.is_file():
            raise Problem(f"no file {records}: records are a file of mjlog, tenhou/6 or mjai")
    folder = Path("results") / f"{paper}-{scale}" if out is None else outside.place("out", out)
    try:
        return run(found, scale, folder, seed, threads, work, records)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; give the same command again: finished parts of the work are kept") from None
