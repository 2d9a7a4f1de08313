"""Finished parts of long work, kept on disk so that an interrupted run goes on behind them."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.engine.loops import key_of
from tefuda.errors import Problem
from tefuda.files.archive import read_archive
from tefuda.files.whole import write_bytes


def keep(work: Path, game: Game, name: str, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The arrays of a finished part, from the work folder when this very code has made them before."""
    path = work / f"{name}-{key_of(game)}.npz"
    if path.exists():
        try:
            return read_archive(path)
        except Problem as problem:
            raise Problem(f"{problem}: remove it to make it again") from problem
    arrays = run()
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_bytes(path, buffer.getvalue())
    return arrays
