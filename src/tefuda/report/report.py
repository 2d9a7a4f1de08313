"""The report of a paper's experiments: collected piece by piece, then printed, given as data, or written.

    report = Report(title=…, folder=Path("results/koikoi"), arguments={…}, seed=1, commit="abc1234", paper=…)
    report.prepare()                       before the long work: can the folder be written, figures drawn
    report.section("Experiment 1", "…")    then, in the order of the page:
    report.table(Table(…))                 cells are numbers, text, None or Measured(mean, low, high)
    report.compare([Compared(…), …])       the published figure beside ours, and whether the target was hit
    report.figure(Curves(…))               or Scatter, Bars, Heatmap
    report.begin_with("…", Bars(…))        what was found, in a few sentences and one figure: the page begins with it
    report.print(console)
    report.write()                         index.html, arguments.json, found.json, tables/, figures/

The same run gives the same bytes: nothing in the folder knows the time or the place.
"""

import errno
import importlib.util
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tefuda.errors import Problem
from tefuda.report.document import Block, Document, Found, Section
from tefuda.report.drawing import NO_MATPLOTLIB, Drawing, draw
from tefuda.report.figures import Bars, Curves, Figure, Heatmap, Line, Point, Scatter, Series
from tefuda.report.folder import replace_folder, replaceable, unwritable
from tefuda.report.page import page
from tefuda.report.printing import print_document, print_found
from tefuda.report.tables import SIGNS, Compared, Comparison, Measured, PlayerName, Table, plain
from tefuda.version import __version__

if TYPE_CHECKING:
    from rich.console import Console

# A paper imports everything from here.
__all__ = [
    "Bars", "Compared", "Curves", "Heatmap", "Line", "Measured", "PlayerName", "Point", "Report", "Scatter",
    "Series", "Table",
]  # fmt: skip


@dataclass(eq=False)
class Report:
    """What a run found, in the order of its page."""

    title: str
    folder: Path
    arguments: Mapping[str, Any]
    seed: int
    commit: str
    paper: str
    link: str = ""  # where the paper is found
    code: str = ""  # the sources of the experiments
    found: Found = field(default_factory=lambda: Found(""), init=False)
    blocks: list[Block] = field(default_factory=list, init=False)

    def begin_with(self, text: str, figure: Figure | None = None, rows: Sequence[Compared] = ()) -> None:
        """What was found: a few sentences, one figure, and the compared figures that the sentences speak of."""
        if figure is not None:
            self._check(figure)
        self.found = Found(text, figure, tuple(rows))

    def section(self, title: str, text: str = "") -> None:
        """Start a section; paragraphs are separated by empty lines."""
        self.blocks.append(Section(title, text))

    def text(self, text: str) -> None:
        """More paragraphs where the report is now."""
        self.blocks.append(Section("", text))

    def table(self, table: Table) -> None:
        self._add(table)

    def figure(self, figure: Figure) -> None:
        self._add(figure)

    def compare(
        self,
        rows: Iterable[Compared],
        key: str = "compared",
        title: str = "Published and ours",
        note: str = "",
    ) -> None:
        """Published figures beside ours; every call is a table of its own, the second one `compared-2`."""
        keys = {getattr(block, "key", None) for block in self.blocks}
        if key == "compared" and key in keys:
            key = next(f"compared-{i}" for i in range(2, len(keys) + 3) if f"compared-{i}" not in keys)
        self._add(Comparison(key, title, tuple(rows), note))

    def _add(self, block: Table | Comparison | Figure) -> None:
        self._check(block)
        self.blocks.append(block)

    def _check(self, block: Table | Comparison | Figure) -> None:
        """Keys are names of files and places in the page."""
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", block.key):
            raise ValueError(f"key {block.key!r} should be small letters, digits and hyphens: 'figure-2'")
        if any(getattr(other, "key", None) == block.key for other in self.blocks):
            raise ValueError(f"key {block.key!r} is used twice in this report")

    def compared(self, key: str, what: str) -> Compared | None:
        """One line of a comparison; None where it was not made."""
        for block in self.blocks:
            if isinstance(block, Comparison) and block.key == key:
                return next((row for row in block.rows if row.what == what), None)
        return None

    @property
    def verdicts(self) -> dict[str, int]:
        """How many compared figures are `hit`, `miss`, `no target` and `not run`."""
        rows = [row for block in self.blocks if isinstance(block, Comparison) for row in block.rows]
        count = Counter(row.verdict for row in rows)
        return {verdict: count[verdict] for verdict in SIGNS}

    def head(self) -> dict[str, Any]:
        """What makes the run again; the folder and the date are left out, since they change nothing in it."""
        return {
            "title": self.title,
            "paper": self.paper,
            "link": self.link,
            "code": self.code,
            "seed": plain(self.seed),
            "commit": self.commit,
            "version": __version__,
            "arguments": plain(self.arguments),
        }

    def found_data(self) -> dict[str, Any]:
        """What was found, for those who lead to this page."""
        return {
            "text": self.found.text,
            "figure": self.found.figure.key if self.found.figure is not None else None,
            "rows": [row.data() for row in self.found.rows],
            "verdicts": self.verdicts,
        }

    def data(self) -> dict[str, Any]:
        """The whole report as JSON has it."""
        parts: dict[str, list[Any]] = {"sections": [], "compared": [], "tables": [], "figures": []}
        for block in self.blocks:
            if isinstance(block, Section):
                parts["sections"].append(plain(block))
            elif isinstance(block, Comparison):
                parts["compared"].append(block.data())
            elif isinstance(block, Table):
                parts["tables"].append(block.data())
            else:
                parts["figures"].append(figure_data(block))
        return self.head() | {"found": self.found_data(), "verdicts": self.verdicts} | parts

    @property
    def document(self) -> Document:
        """The report as a page of results."""
        head = self.head()
        made = {name: head[name] for name in ("seed", "commit", "code", "version") if head[name]} | head["arguments"]
        return Document(self.title, self.paper, self.found, self.blocks, made, self.link)

    def prepare(self, figures: bool = True) -> None:
        """Find out now, not after hours of games, whether the report can be written."""
        if figures and importlib.util.find_spec("matplotlib") is None:
            raise Problem(NO_MATPLOTLIB)
        folder = replaceable(self.folder)
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent):
                pass
        except OSError as error:
            raise unwritable(self.folder, error) from None
        if folder.exists() and not os.access(folder, os.W_OK | os.X_OK):
            raise unwritable(self.folder, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))

    def files(self) -> dict[str, bytes]:
        """Every file of the report folder, by its path there."""
        files = {"arguments.json": json_bytes(self.head()), "found.json": json_bytes(self.found_data())}
        for block in self.blocks:
            if isinstance(block, Table | Comparison):
                files[f"tables/{block.key}.json"] = json_bytes(block.data())
                files[f"tables/{block.key}.csv"] = block.csv().encode()
        document = self.document
        drawings: dict[str, Drawing] = {}
        for figure in document.figures:
            drawings[figure.key] = drawing = draw(figure)
            files[f"figures/{figure.key}.svg"] = drawing.svg
            files[f"figures/{figure.key}.png"] = drawing.png
            files[f"figures/{figure.key}.json"] = json_bytes(figure_data(figure))
        files["index.html"] = page(document, drawings).encode()
        return files

    def write(self) -> Path:
        """Write the folder, all of it or nothing, and return the path of its page."""
        files = self.files()  # everything is made before the disk is touched
        folder = replaceable(self.folder)
        try:
            replace_folder(folder, files)
        except OSError as error:
            raise unwritable(self.folder, error) from None
        return self.folder / "index.html"

    def print(self, console: "Console", brief: bool = False) -> None:
        """The same tables in the terminal; `brief`: what was found only."""
        (print_found if brief else print_document)(self.document, console)


def figure_data(figure: Figure) -> dict[str, Any]:
    """The numbers of a figure, so that it can be drawn again elsewhere."""
    return {"kind": type(figure).__name__.lower()} | plain(figure)


def json_bytes(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()
