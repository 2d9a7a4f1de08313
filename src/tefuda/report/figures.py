"""The figures of a report, as values; `drawing.py` decides how they look.

    Curves     learning curves with bands, dotted baselines, and published figures as marks
    Scatter    one point a case, with the diagonal where prediction and truth agree
    Bars       one bar a name, with intervals, and the published figure as a mark
    Heatmap    a number for each pair of a row and a column

Labels are in English: the font that comes with matplotlib has no Japanese.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Numbers = Sequence[float] | np.ndarray


@dataclass(frozen=True, eq=False)
class Series:
    """A curve, and the interval around each of its points."""

    name: str
    x: Numbers
    y: Numbers
    low: Numbers | None = None
    high: Numbers | None = None

    def __post_init__(self) -> None:
        same_length(self.name, self.x, self.y, self.low, self.high)


@dataclass(frozen=True)
class Line:
    """A constant to compare curves with, drawn dotted."""

    name: str
    y: float


@dataclass(frozen=True)
class Point:
    """A published figure among curves, drawn as the marks of bars are."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Curves:
    """Learning curves."""

    key: str
    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    lines: Sequence[Line] = ()
    published: Sequence[Point] = ()
    note: str = ""


@dataclass(frozen=True, eq=False)
class Scatter:
    """A point for each pair of x and y."""

    key: str
    title: str
    x_label: str
    y_label: str
    x: Numbers
    y: Numbers
    diagonal: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        same_length(self.key, self.x, self.y)


@dataclass(frozen=True, eq=False)
class Bars:
    """A bar for each name, with the ends of its interval, and the paper's own figure as a mark."""

    key: str
    title: str
    x_label: str
    y_label: str
    names: Sequence[str]
    values: Numbers
    low: Numbers | None = None
    high: Numbers | None = None
    published: Sequence[float | None] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        same_length(self.key, self.names, self.values, self.low, self.high, self.published)


@dataclass(frozen=True, eq=False)
class Heatmap:
    """A number for each row and column; None or nan leaves a cell empty."""

    key: str
    title: str
    x_label: str
    y_label: str
    row_names: Sequence[str]
    column_names: Sequence[str]
    values: Sequence[Sequence[float | None]] | np.ndarray  # [rows, columns]
    digits: int = 2
    note: str = ""

    def __post_init__(self) -> None:
        same_length(self.key, self.row_names, self.values)
        for row in self.values:
            same_length(self.key, self.column_names, row)


Figure = Curves | Scatter | Bars | Heatmap


def same_length(name: str, *columns: Any) -> None:
    """Refuse numbers that do not belong together, before anything is drawn from them."""
    lengths = [len(column) for column in columns if column is not None]
    if len(set(lengths)) > 1:
        raise ValueError(f"{name}: all columns should be equally long, but have {lengths} entries")
