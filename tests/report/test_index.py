"""The page that leads to all results: it is made from what lies there, says what was found, and harms nobody's page."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from tefuda import games
from tefuda.arena import exploit as responses
from tefuda.arena.exploit import Result
from tefuda.arena.ladder import begin
from tefuda.arena.match import match
from tefuda.intervals import Interval
from tefuda.report import exploit, index, ladder
from tefuda.report import match as match_page
from tefuda.report.report import Bars, Compared, Report

KUHN = games.find("kuhn")


def report_of(folder: Path, name: str, scale: str, ours: float | None = 2.5) -> Report:
    """A report with one headline figure, whose target is 2 to 3."""
    report = Report(f"{name}: a <paper>", folder, {"paper": name, "scale": scale}, 7, "abc1234", "Somebody & others")
    row = Compared(f"figure of {scale}", "2.52", ours, None, None, "points", 100, "tefuda match", (2.0, 3.0))
    report.compare([row, Compared("another", "1", 1.0, target=(0.0, 2.0))])
    report.begin_with(f"`{name}` gets it.", Bars("found", "Found", "", "points", ["a"], [1.0]), [row])
    report.write()
    return report


class Page(HTMLParser):
    """Links, ids and text of a page; elements are closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.text = ""
        self.feed(source)
        self.close()
        assert self.open == []
        assert len(self.ids) == len(set(self.ids))

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag not in ("script", "link", "img", "iframe")
        said = dict(attributes)
        self.ids += [said["id"]] if "id" in said else []
        if tag == "a":
            self.links.append(unquote(said["href"]))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data if self.open and self.open[-1] != "style" else ""


def page_of(folder: Path) -> Page:
    path = index.update(folder)
    assert path == folder / "index.html"
    source = path.read_text()
    assert "http" not in source
    return Page(source)


@pytest.mark.slow
def test_the_index_leads_to_every_page_and_says_what_was_found(tmp_path):
    report_of(tmp_path / "koikoi-paper", "koikoi", "paper", 2.75)
    report_of(tmp_path / "koikoi-quick", "koikoi", "quick", 9.0)
    report_of(tmp_path / "deeper" / "tricks", "tricks", "headline", 9.0)
    report_of(tmp_path / "mahjong-headline", "mahjong", "headline", None)
    rungs = begin(KUHN, KUHN.rulebook.make(), 1, tmp_path / "ladder", ["random", "equilibrium"])
    rungs.play(20, 5, 1)
    ladder.write(rungs)
    match_page.write(match(KUHN, ["equilibrium", "random"], 400, 1), tmp_path / "matches", "tefuda match")
    (tmp_path / "exploit" / "one").mkdir(parents=True)
    responses.write(tmp_path / "exploit" / "one", RESULT)
    exploit.write(tmp_path / "exploit")
    page = page_of(tmp_path)
    assert set(page.links) == {
        "koikoi-paper/index.html", "koikoi-quick/index.html", "deeper/tricks/index.html", "mahjong-headline/index.html",
        "ladder/kuhn-standard.html", "matches/kuhn-standard-equilibrium-random-seed1.html", "exploit/index.html",
    }  # fmt: skip
    for link in page.links:
        Page(re.sub(r"<image[^>]*>", "", (tmp_path / link).read_text()))
    text = " ".join(page.text.split())
    assert "1 of 2 headline figures of the papers come out as published, within the target of each." in text
    assert "Not reproduced yet: mahjong." in text
    assert "figure of paper (points) 100 deals" in text
    assert text.startswith("tefuda: results tefuda 手札: results Kuhn poker: equilibrium gets ")
    assert text.count("figure of paper") == 1  # the largest scale of a paper is its headline …
    assert "figure of quick" not in text
    assert "koikoi: a <paper>" in text  # … and every page has its sentences
    assert text.count("koikoi gets it.") == 2
    assert "scale quick, seed 7, commit abc1234" in text
    assert "a best response was learned against each of 1 player" in text.lower()


RESULT = Result(
    "kuhn", "standard", "random", "abc", 1, {}, "", "chips a game", True, 3, Interval(0.3, 0.2, 0.4),
    [Interval(0.3, 0.2, 0.4)] * 2, Interval(0.3, 0.2, 0.4), Interval(0.0, 0.0, 0.0), 100, 2, 1000, "abc1234",
    "tefuda exploit",
)  # fmt: skip


def test_what_is_gone_or_damaged_is_left_out(tmp_path):
    report_of(tmp_path / "a", "koikoi", "quick")
    report_of(tmp_path / "b", "tricks", "quick")
    report_of(tmp_path / "c", "saichugen", "quick")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "arguments.json").write_text("{}")
    (tmp_path / "b" / "found.json").write_text("[")
    (tmp_path / "list.json").write_text("[]")
    assert set(page_of(tmp_path).links) == {"a/index.html", "c/index.html"}
    shutil.rmtree(tmp_path / "a")
    assert set(page_of(tmp_path).links) == {"c/index.html"}
    shutil.rmtree(tmp_path / "c")
    assert "No paper has been reproduced here yet." in page_of(tmp_path).text


def test_a_page_of_somebodys_own_stays(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    assert index.update(tmp_path) is None
    assert (tmp_path / "index.html").read_text() == "mine"


def test_the_same_results_give_the_same_bytes(tmp_path):
    report_of(tmp_path / "a", "koikoi", "quick")
    first = index.update(tmp_path).read_bytes()
    assert index.update(tmp_path).read_bytes() == first


@pytest.mark.parametrize(("out", "led"), [("results/ladder", True), ("elsewhere", False)])
def test_commands_lead_to_what_they_write_among_the_results(here, out, led):
    done = here("ladder", "kuhn", "--players", "random,always-bet", "--deals", "20", "--out", out, COLUMNS="200")
    assert done.returncode == 0
    assert ("all results: results/index.html" in done.stdout) == led
    assert (here.folder / "results" / "index.html").exists() == led
    if led:
        assert "ladder/kuhn-standard.html" in (here.folder / "results" / "index.html").read_text()


def test_a_match_that_is_kept_has_a_page(here):
    words = ["match", "kuhn", "equilibrium", "random", "--deals", "2000", "--seed", "3"]
    done = here(*words, "--out", "results/matches", COLUMNS="200")
    assert done.returncode == 0
    name = "kuhn-standard-equilibrium-random-seed3"
    assert f"page: results/matches/{name}.html   all results: results/index.html" in done.stdout
    content = json.loads((here.folder / "results" / "matches" / f"{name}.json").read_text())
    told = json.loads(here(*words, "--json").stdout)
    told.pop("seconds")
    assert {key: content[key] for key in told} == told
    assert "which is better than the 0 of equal players" in content["found"]
    page = (here.folder / "results" / "matches" / f"{name}.html").read_text()
    assert page.index("equilibrium</code> gets") < page.index("<svg") < page.index("How this was made")
    assert "tefuda match kuhn equilibrium random --deals 2000 --seed 3" in page
    apart = told["differences"][0]
    half = f"{(apart['high'] - apart['low']) / 2:.3f}"
    assert page.index("Differences on the same deals") < page.index(f"{apart['mean']:+.3f} ± {half}")
    assert "equilibrium</code> gets" in (here.folder / "results" / "index.html").read_text()
