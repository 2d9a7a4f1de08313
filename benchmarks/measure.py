"""What benchmarks share: run for about so long, and give a rate."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rate:
    """A measured rate; its ratio is to the baseline row of the same run."""

    what: str
    rate: float
    unit: str
    baseline: str | None = None
    ratio: float | None = None

    def data(self) -> dict[str, Any]:
        return {"what": self.what, "rate": self.rate, "unit": self.unit, "ratio": self.ratio, "baseline": self.baseline}

    def against(self, other: "Rate") -> "Rate":
        return Rate(self.what, self.rate, self.unit, other.what, self.rate / other.rate)


def rate(work: Callable[[int, int], Any], seconds: float, first_size: int) -> tuple[float, float]:
    """Call work(first, last) on growing pieces for about so long, after one call to warm up.

    Returns pieces a second and, when work returns a number (decisions, say), that number a second.
    """
    work(0, 1)
    size, done, counted, began = first_size, 0, 0.0, time.perf_counter()
    while True:
        result = work(done, done + size)
        counted += result if isinstance(result, int | float) else 0.0
        done += size
        passed = time.perf_counter() - began
        if passed >= seconds:
            return done / passed, counted / passed
        size = max(1, min(2 * size, int(done / passed * max(0.05, seconds - passed))))
