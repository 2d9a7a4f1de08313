"""What the papers share: the page begins with claims that say what was measured, and every paper has its scales."""

from dataclasses import dataclass

import pytest

import tefuda
from tefuda import games, papers
from tefuda.intervals import Interval
from tefuda.papers import laboratory
from tefuda.papers.laboratory import Claim, Paper, compared
from tefuda.report.report import Compared, Report

KUHN = games.find("kuhn")


@dataclass(frozen=True)
class Scale:
    deals: int = 10


def paper_of(*claims: Claim, experiment=lambda lab: None) -> Paper[Scale]:
    return Paper(
        KUHN, "Title", "Somebody: a paper", {"quick": Scale()}, {"quick": (experiment,)}, claims, "chips", "A remark."
    )  # fmt: skip


@pytest.mark.parametrize("name", papers.names())
def test_a_page_names_where_its_experiments_stand(name):
    assert (tefuda.FOLDER.parents[1] / laboratory.code_of(name)).exists()


@pytest.mark.parametrize(
    ("mean", "said"),
    [(0.25, "0.25 ± 0.10 above it, not below"), (-0.25, "0.25 ± 0.10 below it, not above")],
)
def test_a_sentence_says_on_which_side_a_figure_lies(mean, said):
    row = compared("what", "0.5", Interval(mean, mean - 0.1, mean + 0.1), "", 1, "", digits=2, signed=True)
    assert Claim("key", "what", "{far} {above} it, not {below}").said(row) == said
    assert Claim("key", "what", "gets {ours}").said(row) == f"gets {mean:+.2f} ± 0.10"


def test_a_page_begins_with_what_was_measured_and_leaves_out_what_was_not(tmp_path):
    report = Report("", tmp_path / "report", {}, 1, "", "")
    rows = [
        compared("first", "1", Interval(1.0, 0.5, 1.5), "", 1, "", (0.0, 2.0)),
        compared("second", "2", Interval(2.0, 1.5, 2.5), "", 1, ""),
        Compared("third", "3", None),
    ]
    report.compare(rows, key="there")
    claims = (
        Claim("there", "first", "First {ours}.", "one", 1.1),
        Claim("there", "second", "", "two"),
        Claim("there", "third"),
        Claim("elsewhere", "first", "Elsewhere {ours}.", "three"),
    )
    laboratory.begin(paper_of(*claims), report)
    assert report.found.text == "First 1.00 ± 0.50. A remark."
    figure = report.found.figure
    assert (figure.names, figure.values, figure.published) == (["one", "two"], [1.0, 2.0], [1.1, None])
    assert [row.what for row in report.found.rows] == ["first", "third"]


def test_matches_are_played_once_and_read_back_as_they_were(tmp_path, monkeypatch):
    played = []

    def counted(*arguments):
        played.append(arguments)
        return match(*arguments)

    match = laboratory.match
    monkeypatch.setattr(laboratory, "match", counted)
    lab = laboratory.Laboratory(KUHN, Report("", tmp_path, {}, 1, "", ""), Scale(), 1, tmp_path / "work", 1)
    first = lab.measure(["equilibrium", "random"], 20)
    assert lab.measure(["equilibrium", "random"], 20) == first
    assert len(played) == 1
    assert first == match(KUHN, ["equilibrium", "random"], 20, 1 + laboratory.EVALUATION).rows[0]
    for other in (lab.measure(["random", "equilibrium"], 20), lab.measure(["equilibrium", "random"], 20, first=5)):
        assert other != first
    assert len(played) == 3


def test_parts_are_kept_until_the_end_or_beyond_it(tmp_path):
    def experiment(lab):
        lab.measure(["equilibrium", "random"], lab.size.deals)

    paper = paper_of(experiment=experiment)
    laboratory.run(paper, "quick", tmp_path / "one", 1, 1)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one"]
    laboratory.run(paper, "quick", tmp_path / "one", 1, 1, tmp_path / "parts")
    assert len(list((tmp_path / "parts").iterdir())) == 1


def test_every_paper_has_every_scale_and_claims_of_its_own():
    assert papers.names() == ["koikoi", "mahjong", "saichugen", "tricks"]
    for name in papers.names():
        paper = papers.find(name)
        assert paper.game.name == name
        assert set(paper.scales) == set(paper.experiments) == set(papers.SCALES)
        assert 1 <= sum(bool(claim.sentence) for claim in paper.claims) <= 3
