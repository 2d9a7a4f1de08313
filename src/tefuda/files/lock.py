"""Taking turns: one process at a time reads a file of a folder and writes it anew."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from tefuda.errors import Problem

try:
    import fcntl
except ImportError:  # not on Windows, where two runs must not share a folder
    fcntl = None  # type: ignore[assignment]


@contextlib.contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Wait until no other process has its turn in a folder. A process that is killed gives its turn back.

    The folder itself is locked, so that no file is left behind. Where a folder cannot be locked, nobody waits.
    """
    handle = None
    if fcntl is not None:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY)
            fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def keep_out_others(folder: Path, what: str) -> int | None:
    """Let no other process work in a folder as long as this one lives; `what` says who works there. The lock is given
    back when the process ends, or when the handle is closed."""
    if fcntl is None:
        return None
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise Problem(f"another {what} works in {folder}: end it, or choose another folder with --data") from None
    return handle
