"""The mahjong paper: its headline, and what stands beside tables 4 and 5."""

import pytest

from tefuda import papers
from tefuda.arena.result import Row
from tefuda.intervals import Interval
from tefuda.papers import mahjong
from tefuda.papers.laboratory import Laboratory


def measured(monkeypatch):
    """A match that was not played."""
    places = {"1": 0.32, "2": 0.3, "3": 0.26, "4": 0.12}
    more = {"places": places, "mean_rank": 2.18, "won_deals_rate": 0.3, "deal_in_rate": 0.1}
    nothing = Interval(0.0, 0.0, 0.0)
    row = Row("rule-based", Interval(11.4, 10.6, 12.2), nothing, nothing, [], more)
    monkeypatch.setattr(Laboratory, "measure", lambda *_: row)


def test_the_headline_is_ours_alone(tmp_path, monkeypatch):
    measured(monkeypatch)
    report = papers.reproduce("mahjong", "headline", tmp_path / "report", 1, 1)
    assert report.verdicts == {"hit": 0, "miss": 0, "unclear": 0, "no target": 1, "not run": 0}
    assert [line.verdict for line in report.found.rows] == ["no target"]
    assert "+11.4 ± 0.8 thousand points" in report.found.text
    assert report.found.figure.values == [32.0, 30.0, 26.0, 12.0]


@pytest.mark.slow
def test_the_agreement_of_the_shipped_policy_stands_beside_table_4(tmp_path, monkeypatch):
    measured(monkeypatch)
    monkeypatch.setitem(mahjong.SCALES, "quick", mahjong.Scale(500, 60, 1, 1, 20, 1))
    for name in ("middle_game", "programs", "why_it_lost", "composed_hands"):
        assert any(each.__name__ == name for each in mahjong.PAPER.experiments["quick"])
    kept = [mahjong.what_stands, mahjong.one_player_policy, mahjong.success]
    monkeypatch.setitem(mahjong.PAPER.experiments, "quick", kept)
    report = papers.reproduce("mahjong", "quick", tmp_path / "report", 1, 1)
    lines = [
        report.compared("agreement", f"agreement on {sort}, %") for sort in ("discards", "calls", "declined calls")
    ]
    assert [line.published for line in lines] == ["75.3", "85.8", "95.1"]
    for line in lines:
        assert 0 < line.low < line.ours < line.high < 100
    assert lines[0].ours > 70
    easy, hard = (report.compared("success", f"policy against {name}, 1 han") for name in ("tsumogiri", "policy"))
    assert (easy.published, hard.published) == ("0.6411", "0.2446")
    assert easy.ours > hard.ours > 0
