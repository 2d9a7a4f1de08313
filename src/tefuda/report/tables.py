"""The numbers of a report: measured means, tables, and published figures beside ours."""

import csv
import dataclasses
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np

from tefuda.intervals import Interval


@dataclass(frozen=True)
class Measured:
    """A mean and the ends of its interval: `+0.52 ± 0.04`, or `+0.52 [+0.47, +0.55]` if not symmetric."""

    mean: float
    low: float | None = None
    high: float | None = None
    digits: int = 2  # after the point
    signed: bool = True  # whether a plus is shown

    @property
    def text(self) -> str:
        if self.low is None or self.high is None:
            return self._number(self.mean, self.digits)
        half = (self.high - self.low) / 2
        digits = self.digits
        if 0 < half < 1:  # no interval is shown as ± 0.00
            digits = min(12, max(digits, math.ceil(-math.log10(half))))
        below, above = self.mean - self.low, self.high - self.mean
        if abs(above - below) < 10.0**-digits:  # the difference would not be seen
            return f"{self._number(self.mean, digits)} ± {half:z,.{digits}f}"
        low, high = self._number(self.low, digits), self._number(self.high, digits)
        return f"{self._number(self.mean, digits)} [{low}, {high}]"

    def _number(self, value: float, digits: int) -> str:
        return f"{value:+z,.{digits}f}" if self.signed else f"{value:z,.{digits}f}"


class PlayerName(str):
    """A name that is typed as it stands, in a cell or a heading: shown as code where letters differ."""


Cell = Measured | float | str | None

# A verdict is a word and a sign, and only then a colour.
SIGNS = {"hit": "✓", "miss": "✗", "unclear": "?", "no target": "·", "not run": "·"}


@dataclass(frozen=True, eq=False)
class Table:
    """A table of the report, and of the files `tables/<key>.json` and `.csv`."""

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    digits: int = 3  # of plain numbers that are not whole

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.key}: {len(row)} cells for {len(self.columns)} columns in {row}")

    @property
    def headings(self) -> list[tuple[str, bool]]:
        """The name of each column, and whether it has numbers, which stand at the right."""
        return [(name, any(is_number(row[i]) for row in self.rows)) for i, name in enumerate(self.columns)]

    def data(self) -> dict[str, Any]:
        return plain(self)

    def csv(self) -> str:
        """One line a row; a column of measured means becomes three, with its low and high ends."""
        measured = [any(isinstance(row[column], Measured) for row in self.rows) for column in range(len(self.columns))]
        header: list[str] = []
        for name, wide in zip(self.columns, measured, strict=True):
            header += [name, f"{name} low", f"{name} high"] if wide else [name]
        lines = []
        for row in self.rows:
            line: list[Any] = []
            for cell, wide in zip(row, measured, strict=True):
                if isinstance(cell, Measured):
                    line += [cell.mean, cell.low, cell.high]
                else:
                    line += [cell, None, None] if wide else [cell]
            lines.append(line)
        return csv_text(header, lines)


@dataclass(frozen=True)
class Compared:
    """A published figure and ours; `target` is the range that counts as reproduced, None for an open end."""

    what: str
    published: str
    ours: float | None  # None: not run this time
    low: float | None = None
    high: float | None = None
    unit: str = ""
    deals: int | None = None
    command: str = ""  # that measures it again
    target: tuple[float | None, float | None] | None = None
    digits: int = 2
    signed: bool = False
    why: str = ""  # a miss or an unclear verdict says why, as far as it is known
    counted: bool = False  # the target counts both intervals already, so that the mean alone is judged

    # of its columns, and whether they stand at the right; a page shows the command under the name
    headings: ClassVar = (
        ("what", False), ("published", True), ("ours", True), ("target", True),
        ("verdict", False), ("deals", True),
    )  # fmt: skip

    @property
    def name(self) -> str:
        """What was measured, with its unit if that is not said already."""
        return f"{self.what} ({self.unit})" if self.unit and self.unit not in self.what else self.what

    @property
    def verdict(self) -> str:
        """`hit` when the whole interval lies in the target, `miss` when none of it does, `unclear` when a part does;
        or `no target`, or `not run`."""
        if self.ours is None:
            return "not run"
        if self.target is None:
            return "no target"
        wanted_low, wanted_high = (
            end if end is not None else open_end
            for end, open_end in zip(self.target, (-math.inf, math.inf), strict=True)
        )
        low = self.ours if self.low is None or self.counted else self.low
        high = self.ours if self.high is None or self.counted else self.high
        if wanted_low <= low and high <= wanted_high:
            return "hit"
        return "unclear" if low <= wanted_high and wanted_low <= high else "miss"

    @property
    def reason(self) -> str:
        """Why the target was not reached, as far as it is known; empty where it was."""
        unknown = {"miss": "Why is not known.", "unclear": "More deals or seeds would tell."}
        return (self.why or unknown[self.verdict]) if self.verdict in unknown else ""

    @property
    def ours_text(self) -> str:
        if self.ours is None:
            return "not run"
        digits = self.digits
        # 2.804 misses "2.3 to 2.8" and must not be shown as 2.80.
        while digits < 6 and self._rounded(digits).verdict != self.verdict:
            digits += 1
        return Measured(self.ours, self.low, self.high, digits, self.signed).text

    def _rounded(self, digits: int) -> "Compared":
        ours, low, high = (None if each is None else round(each, digits) for each in (self.ours, self.low, self.high))
        return dataclasses.replace(self, ours=ours, low=low, high=high)

    @property
    def target_text(self) -> str:
        low, high = (None if end is None or math.isinf(end) else f"{end:,g}" for end in self.target or (None, None))
        if low is not None and high is not None:
            return f"{low} to {high}"
        return f"at least {low}" if low is not None else f"at most {high}" if high is not None else "–"

    def data(self) -> dict[str, Any]:
        return plain(self) | {"verdict": self.verdict}


@dataclass(frozen=True)
class Comparison:
    """The published figures of an experiment beside ours."""

    key: str
    title: str
    rows: tuple[Compared, ...]
    note: str = ""

    headings: ClassVar = Compared.headings

    def data(self) -> dict[str, Any]:
        return plain(self) | {"rows": [row.data() for row in self.rows]}

    def csv(self) -> str:
        numbers = ("ours", "low", "high", "unit", "target low", "target high")
        header = ("what", "published", *numbers, "verdict", "deals", "command")
        lines = []
        for row in self.rows:
            ends = row.target or (None, None)
            found = (row.ours, row.low, row.high, row.unit, *ends)
            lines.append((row.what, row.published, *found, row.verdict, row.deals, row.command))
        return csv_text(header, lines)


def cell_text(cell: Any, digits: int = 3) -> str:
    """A cell as people read it."""
    if cell is None:
        return "–"
    if isinstance(cell, Measured):
        return cell.text
    if isinstance(cell, bool | np.bool_):
        return "yes" if cell else "no"
    if isinstance(cell, Integral):
        return f"{int(cell):,}"
    if isinstance(cell, Real):
        return f"{float(cell):z,.{digits}f}"
    return str(cell)


def is_number(cell: Any) -> bool:
    """Whether a cell is aligned at the right."""
    return isinstance(cell, Real | Measured) and not isinstance(cell, bool)


def csv_text(header: Sequence[str], lines: Iterable[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([plain(cell) for cell in line] for line in lines)
    return file.getvalue()


def plain(value: Any) -> Any:
    """The value as JSON has it; a number that is not finite becomes null, since JSON has no other."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(item) for item in value)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return str(value)


def measured_or_known(figure: Interval, digits: int, signed: bool = True) -> Measured:
    """A figure as a cell; without an interval where it was not measured, or every deal was alike."""
    known = figure.low == figure.high
    return Measured(figure.mean, None if known else figure.low, None if known else figure.high, digits, signed)
