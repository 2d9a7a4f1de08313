"""Finds the benchmark of a game, or of learning, in the checkout's `benchmarks/` folder, and runs it."""

import sys
from pathlib import Path
from typing import Any

from tefuda.errors import Problem, unknown
from tefuda.sources import FOLDER as PACKAGE
from tefuda.sources import load_source

FOLDER = PACKAGE.parents[1] / "benchmarks"


def names(folder: Path = FOLDER) -> list[str]:
    """The benchmarks there are."""
    return sorted(path.stem for path in folder.glob("*.py") if path.stem != "measure")


def run(name: str, device: str, seconds: float, threads: int | None) -> list[dict[str, Any]]:
    """Run one benchmark; its rows are ready for JSON."""
    if device not in ("cpu", "cuda"):
        raise unknown("device", device, ("cpu", "cuda"))
    if not FOLDER.is_dir():
        raise Problem("benchmarks are part of a checkout of tefuda, not of the installed package")
    if name not in names():
        raise unknown("benchmark", name, names())
    if device == "cuda":
        from tefuda.engine.cuda import driver

        driver()  # says at once when there is no GPU
    sys.path.append(str(FOLDER))  # for what benchmarks share; last, for a benchmark may have the name of a package
    return [row.data() for row in load_source(FOLDER / f"{name}.py", "benchmark").run(device, seconds, threads)]
