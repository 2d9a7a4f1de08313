"""What stands of the mahjong paper: its players are not there, and the page says so."""

from tefuda import papers
from tefuda.arena.result import Row
from tefuda.intervals import Interval
from tefuda.papers.laboratory import Laboratory


def test_nothing_is_said_to_be_reproduced(tmp_path, monkeypatch):
    places = {"1": 0.32, "2": 0.3, "3": 0.26, "4": 0.12}
    more = {"places": places, "mean_rank": 2.18, "won_deals_rate": 0.3, "deal_in_rate": 0.1}
    nothing = Interval(0.0, 0.0, 0.0)
    row = Row("rule-based", Interval(11.4, 10.6, 12.2), nothing, nothing, [], more)
    monkeypatch.setattr(Laboratory, "measure", lambda *_: row)
    report = papers.reproduce("mahjong", "headline", tmp_path / "report", 1, 1)
    assert report.verdicts == {"hit": 0, "miss": 0, "unclear": 0, "no target": 1, "not run": 1}
    assert [line.verdict for line in report.found.rows] == ["not run", "no target"]
    assert "The paper's players are not built yet" in report.found.text
    assert "+11.4 ± 0.8 thousand points" in report.found.text
    assert report.found.figure.values == [32.0, 30.0, 26.0, 12.0]
