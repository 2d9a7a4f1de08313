"""Finds the benchmark of a game, of learning, or of starting, in the checkout's `benchmarks/` folder, and runs it."""

import sys
from pathlib import Path
from typing import Any, Protocol

from tefuda import outside
from tefuda.errors import Problem, unknown
from tefuda.sources import FOLDER as PACKAGE
from tefuda.sources import load_source

FOLDER = PACKAGE.parents[1] / "benchmarks"
SHARED = ("measure", "peers")  # what benchmarks use


def names(folder: Path = FOLDER) -> list[str]:
    """The benchmarks there are."""
    return sorted(path.stem for path in folder.glob("*.py") if path.stem not in SHARED)


class Measurement(Protocol):
    """A row of a benchmark: for JSON, and for a table."""

    title: str
    columns: tuple[str, ...]
    right: set[int]  # columns that hold numbers

    def data(self) -> dict[str, Any]: ...
    def cells(self) -> list[str]: ...
    def notes(self, rows: "list[Measurement]") -> list[str]: ...  # what stands below the table


def run(name: str, device: str, seconds: float, threads: int | None) -> list[Measurement]:
    """Run one benchmark."""
    from tefuda.kernel.device import is_gpu

    outside.number("seconds", seconds, outside.LEAST_SECONDS, outside.MOST_SECONDS)
    outside.device(device)
    if not FOLDER.is_dir():
        raise Problem("benchmarks are part of a checkout of tefuda, not of the installed package")
    if name not in names():
        raise unknown("benchmark", name, names())
    is_gpu(device)  # says at once when there is none
    sys.path.append(str(FOLDER))  # for what benchmarks share; last, for a benchmark may have the name of a package
    return load_source(FOLDER / f"{name}.py", "benchmark").run(device, seconds, threads)
