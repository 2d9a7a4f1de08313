"""Taking turns: one process at a time reads a file of a folder and writes it anew."""

import contextlib
import errno
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tefuda.errors import Problem

if sys.platform == "win32":
    import msvcrt

    LOCKED = (errno.EACCES, errno.EDEADLK)  # what Windows says when another process has the lock

    def _lock(folder: Path, wait: bool) -> int:
        """Lock a small file in the folder: Windows opens no folders. It stays there."""
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT)
        while True:
            try:
                msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
                return handle
            except OSError as error:
                if not wait or error.errno not in LOCKED:
                    os.close(handle)
                    raise (BlockingIOError if error.errno in LOCKED else OSError)(*error.args) from None
            time.sleep(0.05)

else:
    import fcntl

    def _lock(folder: Path, wait: bool) -> int:
        """Lock the folder itself, so that no file is left behind."""
        handle = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            os.close(handle)
            raise
        return handle


@contextlib.contextmanager
def turn(folder: Path) -> Iterator[None]:
    """Wait until no other process has its turn in a folder. A process that is killed gives its turn back. Where a
    folder cannot be locked, nobody waits."""
    handle = None
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        handle = _lock(folder, wait=True)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def keep_out_others(folder: Path, what: str) -> int:
    """Let no other process work in a folder as long as this one lives; `what` says who works there. The lock is given
    back when the process ends, or when the handle is closed."""
    try:
        return _lock(folder, wait=False)
    except BlockingIOError:
        raise Problem(f"another {what} works in {folder}: end it, or choose another folder with --data") from None
