"""One module a paper: its experiments, its tables and figures, and the published numbers."""

import importlib
import pkgutil
from pathlib import Path

from tefuda.errors import Problem, unknown
from tefuda.report.report import Report

SCALES = ("quick", "paper")


def names() -> list[str]:
    """The papers that can be reproduced, each named after its game."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def reproduce(paper: str, scale: str, out: Path | None, seed: int, threads: int | None = None) -> Report:
    """Run a paper's experiments and write its report."""
    if paper not in names():
        raise unknown("paper", paper, names())
    if scale not in SCALES:
        raise unknown("scale", scale, SCALES)
    folder = out or Path("results") / f"{paper}-{scale}"
    try:
        return importlib.import_module(f"tefuda.papers.{paper}").reproduce(scale, folder, seed, threads)
    except KeyboardInterrupt:
        raise Problem("interrupted; give the same command again: finished parts of the work are kept") from None
