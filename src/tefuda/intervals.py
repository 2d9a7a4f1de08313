"""Means with their 95 % intervals; the unit of evidence is the deal."""

import math
from dataclasses import dataclass

import numpy as np

Z95 = 1.959963984540054  # the normal distribution's 97.5 % point


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float

    def data(self) -> dict[str, float | None]:
        """For JSON, which has no infinity: the ends are null when nothing is known of the spread."""
        return {
            "mean": self.mean,
            "low": self.low if math.isfinite(self.low) else None,
            "high": self.high if math.isfinite(self.high) else None,
        }

    def text(self, digits: int = 3, sign: bool = True) -> str:
        mean = f"{self.mean:+.{digits}f}" if sign else f"{self.mean:.{digits}f}"
        return f"{mean} ± {(self.high - self.low) / 2:.{digits}f}"


def student(freedom: float, z: float = Z95) -> float:
    """The 97.5 % point of Student's distribution: few values, as of a handful of seeds, know their spread badly.

    `z` is the normal distribution's point, where it is another one than that of 97.5 %.
    """
    if freedom < 3:
        return (12.706204736 if freedom < 2 else 4.302652730) if z == Z95 else math.inf
    first = (z**3 + z) / (4 * freedom)  # the expansion about the normal distribution, good to a few thousandths
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    fourth = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    return z + first + second + third + fourth


def interval(mean: float, variance: float, count: float, z: float = Z95) -> Interval:
    """The interval of a mean of `count` independent values; unknown variance (one value) is infinite."""
    half = student(count - 1, z) * math.sqrt(variance / count) if count > 1 else math.inf
    return Interval(mean, mean - half, mean + half)


def interval_of(values: np.ndarray, z: float = Z95) -> Interval:
    """The mean of independent values with its interval."""
    values = np.asarray(values, np.float64)
    variance = float(values.var(ddof=1)) if len(values) > 1 else math.inf
    return interval(float(values.mean()), variance, len(values), z)


def rate_interval(successes: float, count: float) -> Interval:
    """A rate with Wilson's interval, which stays between 0 and 1."""
    if count <= 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = successes / count
    centre = (rate + Z95**2 / (2 * count)) / (1 + Z95**2 / count)
    half = Z95 / (1 + Z95**2 / count) * math.sqrt(rate * (1 - rate) / count + Z95**2 / (4 * count**2))
    return Interval(rate, centre - half, centre + half)
