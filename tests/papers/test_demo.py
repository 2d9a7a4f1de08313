"""The demo: it shows each paper's headline beside ours, leads to all pages, and goes on after an interruption."""

import json
from dataclasses import dataclass

import pytest

from tefuda import papers
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.papers import demo
from tefuda.papers.laboratory import Claim, Paper, compared

KUHN = find("kuhn")


@dataclass(frozen=True)
class Nothing:
    """A scale without sizes."""


@pytest.fixture
def small(monkeypatch):
    """A demo of Kuhn poker: one match and two papers, each of one match. Gives the matches that were played."""
    played = []

    def experiment(lab):
        played.append(lab.report.title)
        row = lab.measure(["equilibrium", "random"], 30)
        lab.report.compare([compared("chips", "0.1", row.figure, "", 30, "", (-9.0, 9.0))])

    def find_paper(name):
        claims = (Claim("compared", "chips", "It gets {ours}.", "equilibrium", 0.1),)
        scales, experiments = {"headline": Nothing()}, {"headline": (experiment,)}
        return Paper(KUHN, f"{name}: a paper", "Somebody", scales, experiments, claims, "chips")

    monkeypatch.setattr(demo, "PAPERS", ("kuhn", "other"))
    monkeypatch.setattr(demo, "WINNER", "equilibrium")
    monkeypatch.setattr(demo, "LOSER", "random")
    monkeypatch.setattr(demo, "DEALS", 50)
    monkeypatch.setattr(demo.games, "find", lambda name: KUHN)
    monkeypatch.setattr(papers, "find", find_paper)
    return played


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_demo_prints_every_headline_and_where_the_page_is(here):
    done = here("demo", "--threads", "1", COLUMNS="120")
    assert done.returncode == 0
    for said in ("kuhn: a paper", "other: a paper", "0.1", "✓ hit", "equilibrium against random", "seed 1"):
        assert said in done.stdout, said
    assert "One page leads to all: results/index.html" in done.stdout
    assert (here.folder / "results" / "index.html").as_uri() in done.stdout
    assert "python3 -m http.server --directory results" in done.stdout
    assert "2 of 3" in done.stderr
    page = (here.folder / "results" / "index.html").read_text()
    links = ("kuhn-headline/index.html", "other-headline/index.html", "matches/kuhn-standard-equilibrium-random-seed1")
    for link in links:
        assert f'href="{link}' in page
    assert sorted(path.name for path in (here.folder / "results").iterdir()) == [
        "index.html", "kuhn-headline", "matches", "other-headline",
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_demo_as_json(here):
    found = json.loads(here("demo", "--threads", "1", "--seed", "3", "--json").stdout)
    assert found["page"] == "results/index.html"
    first, *others = found["pieces"]
    wanted = match(KUHN, ["equilibrium", "random"], 50, 3).data()
    wanted.pop("seconds")
    assert {key: first[key] for key in wanted} == wanted
    assert [each["seed"] for each in others] == [3, 3]
    assert [each["found"]["rows"][0]["published"] for each in others] == ["0.1", "0.1"]
    assert found["cpu_seconds"] == pytest.approx(sum(each["cpu_seconds"] for each in found["pieces"]))


@pytest.mark.slow
def test_an_interrupted_demo_goes_on_behind_what_it_has_finished(small, tmp_path, monkeypatch):
    from tefuda.papers import laboratory

    play, calls = laboratory.match, []

    def counted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(laboratory, "match", counted)
    work = demo.pieces(tmp_path, 1, 1)
    next(work), next(work)
    with pytest.raises(Problem, match="give the same command again"):
        next(work)
    assert "kuhn-headline/index.html" in (tmp_path / "index.html").read_text()
    assert len(list(demo.pieces(tmp_path, 1, 1))) == 3
    assert small == ["kuhn: a paper", "other: a paper"] * 2
    assert len(calls) == 3  # the match of the first paper is not played again
    assert not (tmp_path / "demo-work").exists()
