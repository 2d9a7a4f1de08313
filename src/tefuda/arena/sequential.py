"""A sequential test: play until it is decided whether the first player is better, or worse, by a margin.

The generalised sequential probability ratio test on the mean of paired deals: no difference (the fair share)
against a difference of the margin, with 5 % chance of either error. Its bounds are stated before the first deal.
"""

import math
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Headline
from tefuda.errors import Problem, quoted

ERROR = 0.05  # the chance of each of the two wrong decisions
BOUND = math.log((1 - ERROR) / ERROR)
LEAST_MARGIN, MOST_MARGIN = 1e-6, 1e6  # in units of the headline figure
LEAST = 50  # deals before the variance is trusted


class Sequential:
    """Feed it the figure of every deal; `add` says when it is decided."""

    def __init__(self, headline: Headline, until: str, margin: float) -> None:
        if until not in ("better", "worse"):
            raise Problem(f"--until is {quoted(until)}, but takes better or worse")
        outside.number("--margin", margin, LEAST_MARGIN, MOST_MARGIN)
        self.until, self.margin = until, margin
        towards = 1 if headline.higher_is_better == (until == "better") else -1
        self.null, self.other = headline.fair, headline.fair + towards * margin
        self.figure = headline.name
        self.count, self.total, self.squares = 0, 0.0, 0.0
        self.ratio = 0.0

    def stated(self) -> str:
        """The test in one line, to be printed before it begins."""
        return (
            f"test: {self.null:+.3f} (no difference) against {self.other:+.3f} ({self.until} by {self.margin:g}) "
            f"{self.figure}; decided when the log likelihood ratio leaves -{BOUND:.2f} … +{BOUND:.2f} "
            f"(5 % errors), after {LEAST} deals at the earliest"
        )

    def add(self, figures: np.ndarray) -> bool:
        """Take in some deals; True once the test is decided."""
        self.count += len(figures)
        self.total += float(figures.sum())
        self.squares += float((figures**2).sum())
        if self.count < LEAST:
            return False
        mean = self.total / self.count
        variance = max(self.squares / self.count - mean * mean, 1e-12)
        middle = (self.null + self.other) / 2
        self.ratio = self.count * (self.other - self.null) * (mean - middle) / variance
        return abs(self.ratio) >= BOUND

    def verdict(self, deals: int) -> dict[str, Any]:
        """What came out, for JSON and for people."""
        if abs(self.ratio) < BOUND:
            decision = "undecided"
        else:
            decision = self.until if self.ratio > 0 else f"not {self.until}"
        return {
            "until": self.until, "margin": self.margin, "null": self.null, "alternative": self.other,
            "bound": BOUND, "log_likelihood_ratio": self.ratio, "deals": deals, "decision": decision,
        }  # fmt: skip
