"""Work in pieces on many machines, which Ray joins: the same pieces by the same numbers, so the same results.

A `Task` says in plain values what is to be done. It is sent to the workers, and each of them makes the function out of
it that does the pieces. A worker that dies is replaced, and its piece is done again elsewhere.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import signal
import socket
from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol

from tefuda import outside
from tefuda.errors import Problem

AUTO, LOCAL = "auto", "local"  # addresses: the cluster of this machine, or one that is started for this work alone
RETRIES = 20  # times that one piece is done again when its worker dies
PATIENCE = 5.0  # seconds in which somebody must answer at an address
AHEAD = 2  # pieces under way for each core of the cluster

Piece = tuple[int, int]


class Task(Protocol):
    """Work that can be sent: it pickles, and `made` gives the function that does a piece."""

    def made(self) -> Callable[[int, int], Any]: ...


class Cluster:
    """The machines that an address leads to. Use it in a `with`."""

    def __init__(self, address: str, cores: int | None = None) -> None:
        """`cores` are those of a local cluster; all of this machine when not given."""
        address = outside.text("the address of a cluster", address)
        try:
            import ray
        except ImportError:
            raise Problem("a cluster takes Ray: pip install 'tefuda[ray]'") from None
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self.ours = not ray.is_initialized()  # else it was joined before, and stays joined
        if self.ours:
            self._join(ray, address, cores)
        self.ray = ray
        self.cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self._do = ray.remote(num_cpus=1, max_retries=RETRIES)(do_piece)

    @staticmethod
    def _join(ray: Any, address: str, cores: int | None) -> None:
        local = address == LOCAL
        own: dict[str, Any] = {"num_cpus": cores, "include_dashboard": False} if local else {"address": address}
        with _kept_interrupt():
            try:
                if address not in (AUTO, LOCAL):
                    _reach(address)
                ray.init(logging_level=logging.ERROR, log_to_driver=False, **own)
            except (OSError, RuntimeError, ValueError) as error:
                reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
                raise Problem(
                    f"no cluster answers at {address} ({reason}): `ray start --head` begins one; --ray local needs none"
                ) from None

    def __enter__(self) -> "Cluster":
        return self

    def __exit__(self, *problem: object) -> None:
        if self.ours:
            with _kept_interrupt():
                self.ray.shutdown()

    def run(self, task: Task, pieces: Iterable[Piece]) -> Generator[tuple[int, int, Any], None, None]:
        """Do every piece and give the results in the order of the pieces, as `run_chunks` does on one machine."""
        sent = self.ray.put(pickle.dumps(task))
        waiting: list[tuple[int, int, Any]] = []
        remaining = iter(pieces)
        try:
            while True:
                while len(waiting) < AHEAD * self.cores and (piece := next(remaining, None)) is not None:
                    waiting.append((*piece, self._do.remote(sent, *piece)))
                if not waiting:
                    return
                first, last, promise = waiting.pop(0)
                yield first, last, self._result(promise, first, last)
        finally:
            for _, _, promise in waiting:
                self.ray.cancel(promise, force=True)

    def _result(self, promise: Any, first: int, last: int) -> Any:
        errors = self.ray.exceptions
        try:
            return self.ray.get(promise)
        except errors.RayTaskError as error:
            cause = error.as_instanceof_cause()
            if isinstance(cause, Problem):
                raise Problem(str(cause.args[0] if cause.args else cause)) from None
            raise
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.ObjectLostError) as error:
            raise Problem(
                f"piece {first} to {last - 1} was lost {RETRIES + 1} times ({type(error).__name__}): see Ray's own logs"
            ) from None


@contextlib.contextmanager
def cluster_at(address: str | None, cores: int | None = None) -> Generator[Cluster | None, None, None]:
    """The cluster of an address while it is needed; None where no address is given."""
    if address is None:
        yield None
        return
    with Cluster(address, cores) as cluster:
        yield cluster


def _reach(address: str) -> None:
    """Whether somebody listens there: Ray itself would try for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError("an address is HOST:PORT, auto or local")
    socket.create_connection((host, int(port)), PATIENCE).close()


_made: dict[str, Callable[[int, int], Any]] = {}  # of this worker: the functions of the tasks that it was sent


def do_piece(task: bytes, first: int, last: int) -> Any:
    """On a worker: one piece of a task."""
    key = hashlib.sha256(task).hexdigest()
    if key not in _made:
        _made.clear()  # one task at a time
        _made[key] = pickle.loads(task).made()
    return _made[key](first, last)


@contextlib.contextmanager
def _kept_interrupt() -> Generator[None, None, None]:
    """Ray changes what Ctrl-C does; here it stays as it was."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError, TypeError):  # not in the main thread, or not set by Python
            signal.signal(signal.SIGINT, before)
