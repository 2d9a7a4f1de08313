"""Progress of long work on standard error: how far, how fast, how long still. Silent when nobody watches."""

import sys
import time


class Progress:
    """A line that is drawn again at most five times a second, once the work has taken two seconds.

    `before` was done by an earlier run, and counts for no rate.
    """

    def __init__(self, what: str, total: float, unit: str, before: float = 0.0) -> None:
        self.what, self.total, self.unit = what, total, unit
        self.done = self.before = before
        self.note = ""  # what stands behind, as a strength measured on the way
        self.began = time.monotonic()
        self.drawn = self.began + 1.8
        self.visible = sys.stderr.isatty()
        self.length = 0

    def __enter__(self) -> "Progress":
        return self

    def goes_on_from(self, done: float) -> None:
        """Say what was done before, where the work tells it by its first step."""
        self.before, self.began = done, time.monotonic()

    def update(self, done: float) -> None:
        """Say how much is done in all."""
        self.done = done
        now = time.monotonic()
        if not self.visible or now - self.drawn < 0.2:
            return
        self.drawn = now
        passed = now - self.began
        rate = (self.done - self.before) / passed if passed > 0 else 0.0
        far = f"{self.what}: {self.done:,.0f} of {self.total:,.0f} {self.unit}"
        if rate <= 0:  # all of it was done before
            self._draw(f"{far}{self.note}")
            return
        speed = f"{rate:,.0f} a second" if rate >= 1 else f"{60 * rate:,.1f} a minute"
        self._draw(f"{far}, {speed}, {_time((self.total - self.done) / rate)} left{self.note}")

    def _draw(self, line: str) -> None:
        # Erased to the end of the line: work inside other work draws over the line of that.
        print(f"\r{line}\x1b[K", end="", file=sys.stderr, flush=True)
        self.length = len(line)

    def __exit__(self, *_: object) -> None:
        if self.visible and self.length:
            self._draw("")
            print("\r", end="", file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds + 0.5), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
