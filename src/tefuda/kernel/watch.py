"""What is being compiled, how far it is and how long it took: one line on standard error."""

import sys
import time
from typing import Any

from tefuda.log import log


class Watch:
    """A line for people while code is compiled. Where nobody watches, it says once that compiling takes place."""

    def __init__(self) -> None:
        self.seconds = 0.0  # spent on compiling so far
        self.told = False
        self.what = ""
        self.total = self.done = 0
        self.began = self.drawn = 0.0

    def begin(self, function: Any, kernels: int, more: str = "") -> None:
        """An entry is compiled: it and all kernels that it reaches and that were not translated before are so many."""
        self.what, self.total, self.done = _words(function) + more, kernels, 0
        self.began = time.perf_counter()
        if not sys.stderr.isatty():
            if not self.told:
                self.told = True
                log.info("compiling for this machine (once; later runs start at once) …")
        else:
            self._draw()

    def translated(self) -> None:
        """One more kernel is translated."""
        self.done += 1
        if self.what and sys.stderr.isatty() and (self._all_translated() or time.perf_counter() - self.drawn > 0.1):
            self._draw()

    def linking(self) -> None:
        """All kernels are there, translated or read from disk: what is left is machine code."""
        already, self.done = self._all_translated(), self.total
        if self.what and not already and sys.stderr.isatty():
            self._draw()

    def _all_translated(self) -> bool:
        """Whether only the entry itself is left."""
        return self.done >= self.total - 1

    def _draw(self) -> None:
        self.drawn = time.perf_counter()
        far = "making machine code" if self._all_translated() else f"{self.done} of {self.total} functions"
        line = f"tefuda: compiling {self.what} (once): {far}, {self.drawn - self.began:.0f} s"
        print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """The entry is compiled, or cannot be."""
        if not self.what:
            return
        self.what = ""
        self.seconds += time.perf_counter() - self.began
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _words(function: Any) -> str:
    """A function as people may know it: its name, and the part of the package where it stands."""
    module = function.__module__.removeprefix("tefuda.").removeprefix("games.")
    return f"{function.__name__} of {module}"


watch = Watch()
