"""Work in pieces on many machines, which Ray joins: the same pieces by the same numbers, so the same results.

Work is a function of a piece, as `run_chunks` takes it, that can be pickled. It is sent to the workers once, and then
pieces are. A worker that dies is replaced, and its piece is done again elsewhere.
"""

import contextlib
import hashlib
import logging
import os
import pickle
import signal
import socket
from collections.abc import Callable, Generator, Iterable
from typing import Any

from tefuda import outside
from tefuda.errors import Problem
from tefuda.kernel.threads import Arguments, Result, run_chunks

AUTO, LOCAL = "auto", "local"  # addresses: the cluster of this machine, or one that is started for this work alone
RETRIES = 20  # times that one piece is done again when its worker dies
PATIENCE = 5.0  # seconds in which somebody must answer at an address
AHEAD = 2  # pieces under way for each core of the cluster


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
        if local:  # workers here are to be as quick as threads would be, and Ray makes them wait for all others
            os.environ.setdefault("RAY_worker_niceness", "0")
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

    def run(
        self, work: Callable[[*Arguments], Result], pieces: Iterable[tuple[*Arguments]], in_order: bool = True
    ) -> Generator[tuple[*Arguments, Result], None, None]:
        """Do every piece and give the results, each behind its piece, as `run_chunks` does on one machine: in the order
        of the pieces, or as they come. Work that cannot be sent is refused at once."""
        sent = pickle.dumps(work)
        return self._results((hashlib.sha256(sent).hexdigest(), [self.ray.put(sent)]), pieces, in_order)

    def _results(
        self, sent: tuple[str, list[Any]], pieces: Iterable[tuple[*Arguments]], in_order: bool
    ) -> Generator[tuple[*Arguments, Any], None, None]:
        waiting: dict[Any, tuple[*Arguments]] = {}  # promises, in the order in which they were given, of these pieces
        remaining = iter(pieces)
        try:
            while True:
                while len(waiting) < AHEAD * self.cores and (following := next(remaining, None)) is not None:
                    waiting[self._do.remote(*sent, *following)] = following
                if not waiting:
                    return
                promise = next(iter(waiting)) if in_order else self.ray.wait(list(waiting))[0][0]
                piece = waiting.pop(promise)
                yield (*piece, self._result(promise, piece))
        finally:
            for promise in waiting:
                self.ray.cancel(promise, force=True)

    def _result(self, promise: Any, piece: tuple[Any, ...]) -> Any:
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
                f"piece {piece[0]} was lost {RETRIES + 1} times ({type(error).__name__}): see Ray's own logs"
            ) from None


@contextlib.contextmanager
def cluster_at(
    address: str | None, cores: int | None = None, device: str = "cpu"
) -> Generator[Cluster | None, None, None]:
    """The cluster of an address while it is needed; None where no address is given. `device`: where pieces are to be
    done, which is a CPU on a cluster."""
    if address is None:
        yield None
        return
    if device != "cpu":
        raise Problem(f"--ray works on the processors of a cluster: leave out --device {device}, or --ray")
    with Cluster(address, cores) as cluster:
        yield cluster


def _reach(address: str) -> None:
    """Whether somebody listens there: Ray itself would try for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError("an address is HOST:PORT, auto or local")
    socket.create_connection((host, int(port)), PATIENCE).close()


def run_pieces(
    work: Callable[[*Arguments], Result], pieces: Iterable[tuple[*Arguments]], threads: int | None = None,
    cluster: Cluster | None = None,
) -> Generator[tuple[*Arguments, Result], None, None]:  # fmt: skip
    """Do pieces on the cores of this machine, or on a cluster where there is one: the results are the same."""
    return run_chunks(work, pieces, threads) if cluster is None else cluster.run(work, pieces)


_unpacked: dict[str, Callable[..., Any]] = {}  # of this worker: the work that it was sent last


def do_piece(key: str, sent: list[Any], *piece: Any) -> Any:
    """On a worker: one piece of some work. The work, which can be large, is fetched before its first piece alone."""
    if key not in _unpacked:
        import ray

        _unpacked.clear()
        _unpacked[key] = pickle.loads(ray.get(sent[0]))
    return _unpacked[key](*piece)


@contextlib.contextmanager
def _kept_interrupt() -> Generator[None, None, None]:
    """Ray changes what Ctrl-C does; here it stays as it was."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError, TypeError):  # not in the main thread, or not set by Python
            signal.signal(signal.SIGINT, before)
