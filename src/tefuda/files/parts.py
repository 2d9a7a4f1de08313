"""Finished parts of long work, kept on disk so that an interrupted run goes on behind them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tefuda.contract import Game
from tefuda.engine.loops import key_of
from tefuda.errors import Problem
from tefuda.files.archive import read_archive, write_archive


def keep(work: Path, game: Game, name: str, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The arrays of a finished part, from the work folder when this very code has made them before."""
    path = work / f"{name}-{key_of(game)}.npz"
    if path.exists():
        try:
            return read_archive(path)
        except Problem as problem:
            raise Problem(f"{problem}: remove it to make it again") from problem
    arrays = run()
    write_archive(path, arrays)
    return arrays
