"""Work in chunks on all cores: compiled code releases the GIL, so plain threads are enough.

Chunks carry their own place in the work and their own random streams, so the result is the same for any number of
threads; between chunks a run can show its progress, stop early, or be interrupted.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar, TypeVarTuple

import numpy as np

from tefuda import outside
from tefuda.kernel.compile import COMPILED
from tefuda.progress import Progress

Result = TypeVar("Result")
Arguments = TypeVarTuple("Arguments")  # of a piece: mostly where it begins and ends


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def memory() -> int:
    """The bytes of memory that this machine has."""
    if "SC_PHYS_PAGES" in getattr(os, "sysconf_names", ()):  # Windows has no such names
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return 1 << 40  # unknown: nothing is refused


def chunks(total: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut 0 to total into pieces."""
    return ((first, min(first + size, total)) for first in range(0, total, size))


def _without_warnings(work: Callable[[*Arguments], Result]) -> Callable[[*Arguments], Result]:
    """Uncompiled, uint64 arithmetic wraps around with a warning, and threads do not inherit what silences it."""

    def quiet(*piece: *Arguments) -> Result:
        with np.errstate(over="ignore"):
            return work(*piece)

    return quiet


def run_chunks(
    work: Callable[[*Arguments], Result], pieces: Iterable[tuple[*Arguments]], threads: int | None = None
) -> Generator[tuple[*Arguments, Result], None, None]:
    """Run work(first, last) for every piece and give the results in the order of the pieces, each behind its piece.

    Only a few pieces are under way at once: when the caller stops reading, the work stops.
    """
    threads = outside.threads(threads) or cores()
    if not COMPILED:
        work = _without_warnings(work)
    if threads == 1:
        for piece in pieces:
            yield (*piece, work(*piece))
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting: list[tuple[tuple[*Arguments], Future[Result]]] = []
        remaining = iter(pieces)
        try:
            while True:
                while len(waiting) < 2 * threads and (following := next(remaining, None)) is not None:
                    waiting.append((following, pool.submit(work, *following)))
                if not waiting:
                    return
                piece, future = waiting[0]
                while not future.done():
                    wait([future], timeout=0.5, return_when=FIRST_COMPLETED)
                waiting.pop(0)
                yield (*piece, future.result())
        finally:
            for _, future in waiting:
                future.cancel()


def collect(
    what: str, work: Callable[[int, int], Result], total: int, size: int, unit: str, threads: int | None
) -> list[Result]:
    """Run work(first, last) for all pieces of 0 to total, and give the results in their order, with progress."""
    results = []
    with Progress(what, total, unit) as progress:
        for _, last, result in run_chunks(work, chunks(total, size), threads):
            results.append(result)
            progress.update(last)
    return results
