"""The report of a paper's experiments: collected piece by piece, then printed, given as data, or written.

    report = Report(title=…, folder=Path("results/koikoi"), arguments={…}, seed=1, commit="abc1234", paper=…)
    report.prepare()                       before the long work: can the folder be written, figures drawn
    report.section("Experiment 1", "…")    then, in the order of the page:
    report.table(Table(…))                 cells are numbers, text, None or Measured(mean, low, high)
    report.compare([Compared(…), …])       the published figure beside ours, and whether the target was hit
    report.figure(Curves(…))               or Scatter, Bars, Heatmap
    report.print(console)
    report.write()                         index.html, arguments.json, tables/, figures/

The same run gives the same bytes: nothing in the folder knows the time or the place.
"""

import errno
import importlib.util
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tefuda.errors import Problem
from tefuda.report.drawing import NO_MATPLOTLIB, Drawing, draw
from tefuda.report.figures import Bars, Curves, Figure, Heatmap, Line, Scatter, Series
from tefuda.report.page import SIGNS, page
from tefuda.report.tables import Compared, Comparison, Measured, Table, cell_text, plain
from tefuda.version import __version__

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# A paper imports everything from here.
__all__ = [
    "Bars", "Compared", "Curves", "Heatmap", "Line", "Measured", "Report", "Scatter", "Series", "Table",
]  # fmt: skip

PARTS = ("arguments.json", "index.html", "tables", "figures")  # all that a report folder has of ours
VERDICT_STYLES = {"hit": "green", "miss": "bold red", "no target": "dim", "not run": "dim"}


@dataclass(frozen=True)
class Section:
    """A heading and the paragraphs under it; without a title, paragraphs only."""

    title: str
    text: str = ""


@dataclass(frozen=True, eq=False)
class Report:
    """What a run found, in the order of its page."""

    title: str
    folder: Path
    arguments: Mapping[str, Any]
    seed: int
    commit: str
    paper: str
    blocks: list[Section | Table | Comparison | Figure] = field(default_factory=list, init=False)

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
        """Keys are names of files and places in the page."""
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", block.key):
            raise ValueError(f"key {block.key!r} should be small letters, digits and hyphens: 'figure-2'")
        if any(getattr(other, "key", None) == block.key for other in self.blocks):
            raise ValueError(f"key {block.key!r} is used twice in this report")
        self.blocks.append(block)

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
            "seed": plain(self.seed),
            "commit": self.commit,
            "version": __version__,
            "arguments": plain(self.arguments),
        }

    def data(self) -> dict[str, Any]:
        """The whole report as JSON has it."""
        found: dict[str, list[Any]] = {"sections": [], "compared": [], "tables": [], "figures": []}
        for block in self.blocks:
            if isinstance(block, Section):
                found["sections"].append(plain(block))
            elif isinstance(block, Comparison):
                found["compared"].append(block.data())
            elif isinstance(block, Table):
                found["tables"].append(block.data())
            else:
                found["figures"].append(figure_data(block))
        return self.head() | {"verdicts": self.verdicts} | found

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
        files = {"arguments.json": json_bytes(self.head())}
        drawings: dict[str, Drawing] = {}
        for block in self.blocks:
            if isinstance(block, Table | Comparison):
                files[f"tables/{block.key}.json"] = json_bytes(block.data())
                files[f"tables/{block.key}.csv"] = block.csv().encode()
            elif not isinstance(block, Section):
                drawings[block.key] = drawing = draw(block)
                files[f"figures/{block.key}.svg"] = drawing.svg
                files[f"figures/{block.key}.png"] = drawing.png
                files[f"figures/{block.key}.json"] = json_bytes(figure_data(block))
        files["index.html"] = page(self.head(), self.blocks, drawings).encode()
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

    def print(self, console: "Console") -> None:
        """The same tables in the terminal."""
        from rich.rule import Rule
        from rich.text import Text  # all text goes through it: the brackets of an interval are no markup

        console.print(Text(self.title, style="bold"))
        console.print(Text(f"{self.paper}\nseed {self.seed}  commit {self.commit}", style="dim"))
        for block in self.blocks:
            if isinstance(block, Section):
                if block.title:
                    console.print()
                    console.print(Rule(Text(block.title, style="bold"), align="left"))
                if block.text:
                    console.print(Text(block.text.strip()))
            elif isinstance(block, Comparison):
                print_table(console, block, [compared_texts(row) for row in block.rows])
            elif isinstance(block, Table):
                rows = [[Text(cell_text(cell, block.digits)) for cell in row] for row in block.rows]
                print_table(console, block, rows)
            else:
                console.print(Text(f"\nfigures/{block.key}.png: {block.title}"))


def compared_texts(row: Compared) -> "list[Text]":
    from rich.text import Text

    verdict = Text(f"{SIGNS[row.verdict]} {row.verdict}", style=VERDICT_STYLES[row.verdict])
    texts = [Text(text) for text in (row.name, row.published, row.ours_text, row.target_text)]
    return [*texts, verdict, Text(cell_text(row.deals))]


def print_table(console: "Console", block: Table | Comparison, rows: "list[list[Text]]") -> None:
    """A table with its title and note."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    table = RichTable(title=Text(block.title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for name, right in block.headings:
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print()
    console.print(table)
    if block.note:
        console.print(Text(block.note, style="dim"))


def figure_data(figure: Figure) -> dict[str, Any]:
    """The numbers of a figure, so that it can be drawn again elsewhere."""
    return {"kind": type(figure).__name__.lower()} | plain(figure)


def json_bytes(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


def unwritable(folder: Path, error: OSError) -> Problem:
    return Problem(f"cannot write {folder}: {error.strerror or error}; choose another place with --out")


def replaceable(folder: Path) -> Path:
    """The real path of the folder, if it is free, empty, or a report of ours; nothing else is replaced."""
    try:
        real = Path(folder).resolve()
        if not real.exists():
            return real
        if not real.is_dir():
            raise Problem(f"{folder} is a file, but a report is a folder: choose another place with --out")
        if (real / "arguments.json").is_file() or not any(real.iterdir()):
            return real
    except OSError as error:
        raise unwritable(folder, error) from None
    raise Problem(
        f"{folder} is not replaced, for it is no report of ours (it has no arguments.json): "
        "choose another place with --out, or remove it"
    )


def replace_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files into a folder beside, and give it the name at the end; the old one stays until then."""
    fresh = folder.with_name(f".{folder.name}.new-{os.getpid()}")
    old = folder.with_name(f".{folder.name}.old-{os.getpid()}")
    try:
        for name, content in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        had_old = folder.exists()
        if had_old:
            folder.rename(old)
        try:
            fresh.rename(folder)
        except BaseException:
            if had_old:
                old.rename(folder)
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)  # gone already when all went well
    if had_old:
        for entry in old.iterdir():  # what somebody else put there is not ours to delete
            if entry.name not in PARTS:
                entry.rename(folder / entry.name)
        shutil.rmtree(old, ignore_errors=True)
