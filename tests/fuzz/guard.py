"""Runs one case after another: only a Problem, or a mistake that the command line told, may come out of it."""

import contextlib
import faulthandler
import io
import logging
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tefuda.errors import Problem
from tefuda.kernel.watch import watch

SECONDS = 10  # of the processor that a case may take, beside compiling
HANG = 100  # seconds after which it is interrupted
LONGEST = 10_000  # characters of a line
DEAD = 300  # after so many the process is ended: compiled code cannot be interrupted otherwise
MEMORY = 2 << 30  # bytes that a case may take more than there are


@dataclass(frozen=True)
class Case:
    """One bad input: what is done with it, in words, and a call that does it."""

    what: str
    call: Callable[[], object]


class Hang(BaseException):
    """A case took too long. No handler of ours catches it."""


def failures(cases: Iterator[Case]) -> tuple[int, list[str]]:
    """Run all cases; how many there were, and a line for each that ended in another way than it may."""
    number, wrong = 0, []
    before = signal.signal(signal.SIGALRM, _hang)
    level = logging.getLogger("tefuda").level
    logging.getLogger("tefuda").setLevel(logging.CRITICAL)
    try:
        for case in cases:
            number += 1
            found = _outcome(case)
            if found:
                wrong.append(f"{case.what}: {found}")
    finally:
        signal.signal(signal.SIGALRM, before)
        logging.getLogger("tefuda").setLevel(level)
    return number, wrong


def _hang(number: int, frame: object) -> None:
    raise Hang


def _outcome(case: Case) -> str:
    """What was wrong with how a case ended; "" when nothing was."""
    began, compiling = time.process_time(), watch.seconds
    with _limits():
        try:
            case.call()
        except Problem as problem:
            if not str(problem) or len(str(problem)) > LONGEST:
                return f"a line of {len(str(problem)):,} characters"
        except SystemExit as left:
            if left.code not in (0, 2, None):
                return f"exit code {left.code}"
        except Hang:
            return "it hangs"
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if type(error).__module__.startswith(("click", "typer")) and getattr(error, "exit_code", 2) in (0, 2):
                return ""  # a mistake that the command line tells
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            where = f"{os.path.basename(place.tb_frame.f_code.co_filename)}:{place.tb_lineno}" if place else ""
            return f"{type(error).__module__}.{type(error).__name__} at {where}: {str(error)[:200]}"
    seconds = time.process_time() - began - (watch.seconds - compiling)
    return f"{seconds:.0f} s" if seconds > SECONDS else ""


@contextlib.contextmanager
def _limits() -> Iterator[None]:
    """An alarm, a bound on memory, nothing on the screen and nothing to read."""
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm", encoding="utf-8") as file:
        pages = int(file.read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))
    faulthandler.dump_traceback_later(DEAD, exit=True, file=streams[2] if hasattr(streams[2], "fileno") else None)
    signal.setitimer(signal.ITIMER_REAL, HANG)
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        sys.stdin, sys.stdout, sys.stderr = streams
