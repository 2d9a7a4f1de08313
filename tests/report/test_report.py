"""The report of a paper: it can be read back, misses are seen, and nothing is lost or half-written."""

import csv
import errno
import io
import json
import math
import os
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import tefuda
import tefuda.report.report as report_module
from tefuda.errors import Problem
from tefuda.files import provenance
from tefuda.report.report import (
    Bars,
    Compared,
    Curves,
    Heatmap,
    Line,
    Measured,
    Report,
    Scatter,
    Series,
    Table,
)

VOID = {"meta", "link", "br", "hr", "img", "input"}
COMPARED = (
    Compared(
        "rule-based against random",
        "2.52",
        2.47,
        2.40,
        2.54,
        "points a game",
        50_000,
        "tefuda match a b",
        (2.3, 2.8),
    ),
    Compared("policy gradient <against> rule-based", "about 0.5", 0.28, 0.24, 0.32, target=(0.4, None)),
    Compared("the first seat", "0.051", 0.06, digits=3),
    Compared("prediction error", "2.1", None, target=(1.9, 2.3)),
)
TABLE = Table(
    key="experiment-1",
    title="Experiment 1 & more",
    columns=("player", "ours", "published", "games", "rate"),
    rows=[
        ("猪鹿蝶, <b>bold</b>", Measured(0.52, 0.48, 0.56), "0.5", np.int64(30_000), np.float64(0.25)),
        ("random", Measured(-1.5, -1.75, -1.45), None, 1000, float("nan")),
        ("none", None, 2.5, True, None),
    ],
    note="A note.",
)


def small(folder: Path) -> Report:
    """A report without figures, for all tests that are not about them."""
    arguments = {"games": 100, "out": Path("x"), "opponents": ("random", "rule-based")}
    report = Report("Koi-Koi <quick>", folder, arguments, seed=1, commit="abc1234", paper="佐藤 & 上原")
    report.section("Experiment 1 <now>", "A paragraph.\n\nこいこい & another.")
    report.table(TABLE)
    report.compare(COMPARED)
    return report


def full(folder: Path) -> Report:
    """A report with every kind of figure."""
    report = small(folder)
    x = np.arange(0, 30_000, 1000)
    curve = Series("policy gradient", x, x / 30_000, x / 30_000 - 0.1, x / 30_000 + 0.1)
    report.figure(
        Curves("figure-2", "Figure <2>", "episodes", "points", [curve], [Line("rule-based", 0.5)], note="Bands.")
    )
    report.section("Experiment 2")
    report.figure(Scatter("figure-7", "Figure 7", "truth", "prediction", [1, 2, 3], [1.1, 2.3, 2.9], diagonal=True))
    report.figure(Scatter("many", "Many", "truth", "prediction", np.arange(3000), np.arange(3000)))
    report.figure(Bars("bars", "Bars", "yaku", "%", ["a", "b"], [1.0, -2.0], [0.5, -3], [1.5, -1], [None, 1]))
    report.figure(Heatmap("matrix", "Matrix", "column", "row", ["a", "b"], ["c", "d"], [[1, None], [-2.5, 0]], 1))
    return report


class WellFormed(HTMLParser):
    """Every element closed in order, no id twice, nothing loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag not in {"script", "link", "iframe"}
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in {"href", "src"} or name.endswith(":href"):
                assert value.startswith(("#", "data:image/png;base64,")), value
                self.targets += [value[1:]] if value.startswith("#") else []
            assert not name.startswith("on")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data if self.open and self.open[-1] != "style" else ""


def read(page: str) -> WellFormed:
    parser = WellFormed()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert len(parser.ids) == len(set(parser.ids))
    assert set(parser.targets) <= set(parser.ids)
    return parser


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Measured(0.52, 0.48, 0.56), "+0.52 ± 0.04"),
        (Measured(0.52, 0.47, 0.55), "+0.52 [+0.47, +0.55]"),
        (Measured(0.25, 0.249, 0.251), "+0.250 ± 0.001"),  # an interval is never shown as 0.00
        (Measured(1.0, 1.0, 1.0), "+1.00 ± 0.00"),
        (Measured(2.5, digits=1, signed=False), "2.5"),
        (Measured(-0.001, -0.2, 0.198), "+0.00 ± 0.20"),
        (Measured(12_345.6, 12_340.6, 12_350.6, digits=0), "+12,346 ± 5"),
    ],
)
def test_measured_is_shown_with_its_interval(cell, text):
    assert cell.text == text


@pytest.mark.parametrize(
    ("ours", "target", "verdict", "shown", "target_shown"),
    [
        (2.47, (2.3, 2.8), "hit", "2.47", "2.3 to 2.8"),
        (2.804, (2.3, 2.8), "miss", "2.804", "2.3 to 2.8"),  # not as 2.80, which would look like a hit
        (2.3, (2.3, 2.8), "hit", "2.30", "2.3 to 2.8"),
        (0.2, (0.4, None), "miss", "0.20", "at least 0.4"),
        (0.2, (None, 0.4), "hit", "0.20", "at most 0.4"),
        (float("nan"), (0, 1), "miss", "nan", "0 to 1"),
        (0.2, None, "no target", "0.20", "–"),
        (None, (0, 1), "not run", "not run", "0 to 1"),
    ],
)
def test_verdicts(ours, target, verdict, shown, target_shown):
    row = Compared("what", "2.52", ours, target=target)
    assert (row.verdict, row.ours_text, row.target_text) == (verdict, shown, target_shown)


@pytest.mark.parametrize(
    ("low", "mean", "high", "target", "verdict"),
    [
        (0.01, 0.05, 0.09, (0.0, None), "hit"),
        (-0.077, 0.097, 0.271, (0.0, None), "unclear"),  # the mean alone is above 0
        (-0.3, -0.1, 0.1, (0.0, None), "unclear"),
        (-0.3, -0.2, -0.1, (0.0, None), "miss"),
        (0.31, 0.4, 0.49, (0.2, 0.8), "hit"),
        (0.1, 0.4, 0.7, (0.2, 0.8), "unclear"),
        (0.1, 0.5, 0.9, (0.2, 0.8), "unclear"),
        (0.81, 0.9, 0.99, (0.2, 0.8), "miss"),
        (-math.inf, 0.5, math.inf, (0.2, 0.8), "unclear"),  # of a single seed
    ],
)
def test_a_verdict_needs_the_whole_interval(low, mean, high, target, verdict):
    row = Compared("what", "0.5", mean, low, high, target=target)
    assert row.verdict == verdict
    assert bool(row.reason) == (verdict in ("miss", "unclear"))
    inside = all(end is None or sign * mean >= sign * end for end, sign in zip(target, (1, -1), strict=True))
    assert replace(row, counted=True).verdict == ("hit" if inside else "miss")


def test_a_verdict_is_seen_in_what_is_shown():
    """An interval that ends at 0.1996 does not lie within 0.2 to 0.8, and is not shown as if it did."""
    row = Compared("what", "0.5", 0.4, 0.1996, 0.6004, target=(0.2, 0.8))
    assert row.verdict == "unclear"
    assert row.ours_text == "0.4000 ± 0.2004"


def test_an_unclear_figure_and_its_reason_are_shown(tmp_path):
    report = Report("Title", tmp_path / "report", {}, 1, "abc1234", "Paper")
    row = Compared("gain", "above 0", 0.097, -0.077, 0.271, target=(0.0, None))
    report.compare([row, replace(row, what="loss", why="The `rules` differ.", ours=-1.0, low=-1.2, high=-0.8)])
    source = report.files()["index.html"].decode()
    assert "0 of 2 targets hit</strong>, 1 missed, 1 unclear" in source
    assert source.count("? unclear") == source.count("✗ miss") == 2
    assert source.count("More deals or seeds would tell.") == 2
    assert source.count("The <code>rules</code> differ.") == 2
    screen = io.StringIO()
    report.print(Console(file=screen, width=200, color_system=None))
    assert "✗ loss: The rules differ." in screen.getvalue()


def test_a_page_leads_to_the_paper_and_to_the_code(tmp_path, monkeypatch):
    report = Report("Title", tmp_path / "report", {}, 1, "abc1234+", "Somebody: 花札", "https://x.org/?q=花", "src/a")
    source = report.files()["index.html"].decode()
    assert '<a href="https://x.org/?q=花">Somebody: 花札</a>' in source
    assert "<dd>abc1234+</dd>" in source  # the package tells no repository
    assert "<dd>src/a</dd>" in source
    monkeypatch.setattr(provenance, "_repository", lambda: "https://example.org/tefuda")
    source = report.files()["index.html"].decode()
    assert '<a href="https://example.org/tefuda/tree/abc1234">abc1234+</a>' in source
    assert '<a href="https://example.org/tefuda/tree/abc1234/src/a">src/a</a>' in source


def test_files_read_back(tmp_path):
    report = small(tmp_path / "new" / "report")
    assert report.write() == tmp_path / "new" / "report" / "index.html"
    folder = report.folder
    assert sorted(tree(folder)) == [
        "arguments.json", "found.json", "index.html", "tables/compared.csv", "tables/compared.json",
        "tables/experiment-1.csv", "tables/experiment-1.json",
    ]  # fmt: skip
    head = json.loads((folder / "arguments.json").read_text())
    assert head["arguments"] == {"games": 100, "out": "x", "opponents": ["random", "rule-based"]}
    assert (head["seed"], head["commit"], head["version"]) == (1, "abc1234", tefuda.__version__)

    table = json.loads((folder / "tables/experiment-1.json").read_text())
    assert table == report.data()["tables"][0]
    assert Measured(**table["rows"][0][1]) == TABLE.rows[0][1]
    assert table["rows"][1][4] is None  # nan, which JSON does not have

    with open(folder / "tables/experiment-1.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["player"] == "猪鹿蝶, <b>bold</b>"
    assert [float(rows[1][name]) for name in ("ours", "ours low", "ours high")] == [-1.5, -1.75, -1.45]
    assert (rows[0]["games"], rows[0]["rate"], rows[2]["ours"], rows[2]["published"]) == (
        "30000",
        "0.25",
        "",
        "2.5",
    )

    with open(folder / "tables/compared.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["hit", "miss", "no target", "not run"]
    assert [row["published"] for row in rows] == [row.published for row in COMPARED]


def test_data_is_json(tmp_path):
    data = full(tmp_path / "report").data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["verdicts"] == {"hit": 1, "miss": 1, "unclear": 0, "no target": 1, "not run": 1}
    assert [figure["kind"] for figure in data["figures"]] == [
        "curves",
        "scatter",
        "scatter",
        "bars",
        "heatmap",
    ]


@pytest.mark.slow
def test_page_has_everything_and_is_well_formed(tmp_path):
    report = full(tmp_path / "report")
    report.write()
    source = (report.folder / "index.html").read_text(encoding="utf-8")
    page = read(source)
    text = " ".join(page.text.split())
    for row in COMPARED:
        for part in (row.what, row.published, row.ours_text, row.target_text, row.verdict, row.command):
            assert part in text, part
    for part in (
        "abc1234",
        "佐藤 & 上原",
        "こいこい & another.",
        "猪鹿蝶, <b>bold</b>",
        "+0.52 ± 0.04",
        "A note.",
        "Bands.",
    ):
        assert part in text, part
    assert "http" not in source
    for key in ("experiment-1", "compared", "figure-2", "figure-7", "many", "bars", "matrix"):
        assert key in page.ids
        assert page.targets.count(key) >= 1, "the contents should lead to every table and figure"
    assert source.count("<svg") == 5
    for key in ("figure-2", "figure-7", "many", "bars", "matrix"):
        assert (report.folder / f"figures/{key}.png").read_bytes().startswith(b"\x89PNG")
        assert (report.folder / f"figures/{key}.svg").read_bytes().startswith(b"<?xml")
    assert "var(--series-1)" in source  # the figures follow the colours of the page
    assert "#0072b2" not in source.split("</style>")[1]


def test_misses_are_shown(tmp_path):
    report = small(tmp_path / "report")
    source = report.files()["index.html"].decode()
    assert "1 of 3 targets hit</strong>, 1 missed, 1 not run" in source
    assert source.count('<tr class="miss">') == 1
    assert source.count("✗ miss") == 2  # at the top and in its row: in words, not by colour alone
    screen = io.StringIO()
    report.print(Console(file=screen, width=140, color_system=None))
    printed = screen.getvalue()
    assert printed.count("✗ miss") == 1
    for part in ("2.47 ± 0.07", "-1.50 [-1.75, -1.45]", "about 0.5", "at least 0.4", "not run", "A note."):
        assert part in printed, part


@pytest.mark.slow
def test_same_input_gives_same_bytes(tmp_path):
    full(tmp_path / "one").write()
    full(tmp_path / "two").write()
    one, two = tree(tmp_path / "one"), tree(tmp_path / "two")
    assert len(one) == 7 + 3 * 5
    assert one == two


def test_figures_want_matplotlib(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    report = full(tmp_path / "report")
    for attempt in (report.prepare, report.write):
        with pytest.raises(Problem, match=r"^figures need matplotlib: pip install 'tefuda\[report\]'$"):
            attempt()
    report.prepare(figures=False)
    assert list(tmp_path.iterdir()) == []


def test_matplotlib_is_loaded_late():
    code = "import sys, tefuda.report.report; sys.exit('matplotlib' in sys.modules)"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    assert os.spawnve(os.P_WAIT, sys.executable, [sys.executable, "-c", code], environment) == 0


def test_unwritable_folder_is_told_at_once(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("no folder")
    for folder in (tmp_path / "file", tmp_path / "file" / "report"):
        report = small(folder)
        for attempt in (report.prepare, report.write):
            with pytest.raises(Problem, match="file") as caught:
                attempt()
            assert "\n" not in str(caught.value)
            assert "choose another place" in str(caught.value)
    assert (tmp_path / "file").read_text() == "no folder"

    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    # A folder without permissions does not stop an administrator, so the refusal is played.
    monkeypatch.setattr(report_module.tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(Problem, match="Permission denied"):
        small(tmp_path / "report").prepare()


def test_foreign_folder_is_not_replaced(tmp_path):
    folder = tmp_path / "thesis"
    folder.mkdir()
    (folder / "chapter.txt").write_text("ten years")
    report = small(folder)
    for attempt in (report.prepare, report.write):
        with pytest.raises(Problem, match=r"thesis is not replaced.*no arguments\.json.*choose another place"):
            attempt()
    assert tree(folder) == {"chapter.txt": b"ten years"}
    assert list(tmp_path.iterdir()) == [folder]


def test_own_folder_is_replaced_whole(tmp_path):
    folder = tmp_path / "report"
    folder.mkdir()  # an empty one is free to take
    first = small(folder)
    first.table(Table("gone", "Gone", ("a",), [(1,)]))
    first.prepare()
    first.write()
    (folder / "notes.txt").write_text("mine")
    second = small(folder)
    second.prepare()
    second.write()
    assert "tables/gone.csv" not in tree(folder)
    assert tree(folder) == second.files() | {"notes.txt": b"mine"}
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize("at", [1, 4, 6])
def test_full_disk_leaves_the_old_report(tmp_path, monkeypatch, at):
    report = small(tmp_path / "report")
    report.write()
    before = tree(report.folder)
    write, calls = Path.write_bytes, []

    def fill(path, content):
        calls.append(path)
        if len(calls) == at:
            write(path, content[: len(content) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", fill)
    report.text("New.")
    with pytest.raises(Problem, match="No space left on device"):
        report.write()
    assert tree(report.folder) == before
    assert list(tmp_path.iterdir()) == [report.folder]


def test_failed_rename_puts_the_old_report_back(tmp_path, monkeypatch):
    report = small(tmp_path / "report")
    report.write()
    before = tree(report.folder)
    rename = Path.rename

    def fail(path, target):
        if ".new-" in path.name:
            raise OSError(errno.EIO, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    report.text("New.")
    with pytest.raises(Problem, match="Input/output error"):
        report.write()
    assert tree(report.folder) == before
    assert list(tmp_path.iterdir()) == [report.folder]


def test_mistakes_of_a_paper_are_refused(tmp_path):
    report = small(tmp_path)
    with pytest.raises(ValueError, match="used twice"):
        report.table(TABLE)
    with pytest.raises(ValueError, match="small letters"):
        report.table(Table("../up", "Up", (), []))
    with pytest.raises(ValueError, match="2 cells for 1 columns"):
        Table("key", "Title", ("one",), [(1, 2)])
    with pytest.raises(ValueError, match="equally long"):
        Series("curve", [1, 2], [1])
    report.compare(COMPARED)
    assert [block["key"] for block in report.data()["compared"]] == ["compared", "compared-2"]
