"""Results as tables: in notebooks, as data frames of polars or pandas, and as files of columns."""

import html
import importlib
import importlib.util
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tefuda.errors import Problem
from tefuda.files.whole import write_bytes, write_rows
from tefuda.outside import is_there

Columns = Mapping[str, Sequence[Any]]  # by their names, all of one length


class Framed:
    """A result that is a table: `columns` and `heading` say which."""

    def columns(self) -> Columns:
        """The table, a row for each player or whatever was measured."""
        raise NotImplementedError

    def heading(self) -> str:
        """What the table shows, in one line."""
        raise NotImplementedError

    def frame(self) -> Any:
        """The table as a data frame: of polars, or of pandas where that alone is installed."""
        return frame_of(self.columns())

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        columns = self.columns()
        head = "".join(f"<th>{html.escape(name)}</th>" for name in columns)
        rows = zip(*columns.values(), strict=True)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(cell))}</td>" for cell in row) + "</tr>" for row in rows
        )
        return f"<table><caption>{html.escape(self.heading())}</caption><tr>{head}</tr>{body}</table>"


def _text(cell: Any) -> str:
    """A cell as people read it."""
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return "–"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def frame_of(columns: Columns) -> Any:
    """Columns as a data frame of polars, or of pandas."""
    for package in ("polars", "pandas"):
        if _installed(package):
            return importlib.import_module(package).DataFrame(dict(columns))
    raise Problem("a data frame takes polars or pandas, but neither is installed: `pip install polars`")


def check_place(path: Path) -> None:
    """Whether columns can be written to a file, told before there are any."""
    if path.suffix not in (".csv", ".parquet"):
        raise Problem(f"{path} should end with .csv or .parquet: scores are written as one or the other")
    if path.suffix == ".parquet" and not (_installed("polars") or _installed("pyarrow")):
        raise Problem(f"{path}: Parquet takes polars or pyarrow, but neither is installed; write a .csv instead")
    if is_there(path) and path.is_dir():
        raise Problem(f"{path} is a folder: name a file")


def write_columns(path: Path, columns: Columns) -> None:
    """Write columns as CSV or Parquet, whole or not at all."""
    check_place(path)
    if path.suffix == ".csv":
        rows: Iterable[Sequence[Any]] = zip(*columns.values(), strict=True)
        write_rows(path, [list(columns), *rows])
        return
    buffer = io.BytesIO()
    if _installed("polars"):
        importlib.import_module("polars").DataFrame(dict(columns)).write_parquet(buffer)
    else:
        table = importlib.import_module("pyarrow").table(dict(columns))
        importlib.import_module("pyarrow.parquet").write_table(table, buffer)
    write_bytes(path, buffer.getvalue())


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # a module without a spec stands under that name: it is there
        return True
