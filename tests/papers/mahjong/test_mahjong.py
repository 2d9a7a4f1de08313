"""The mahjong paper: tables 4 and 5 and figures 3 to 5 beside what was published."""

import pytest

from tefuda import papers
from tefuda.papers import mahjong
from tefuda.papers.mahjong import records, success_rates


@pytest.fixture
def small(monkeypatch):
    """A scale of some seconds."""
    monkeypatch.setitem(mahjong.SCALES, "quick", mahjong.Scale(success=40, learned=1_200))
    monkeypatch.setattr(success_rates, "MARKS", (500,))
    shown = [model for model in success_rates.TABLE_5 if model.file in ("", "mcp-tsumogiri", "han-network")]
    monkeypatch.setattr(success_rates, "TABLE_5", shown)
    for name in ("middle_game", "programs", "why_it_lost", "composed_hands", "other_records"):
        assert any(each.__name__ == name for each in mahjong.PAPER.experiments["quick"])


@pytest.mark.slow
def test_tables_4_and_5_and_figures_3_to_5(tmp_path, monkeypatch, small):
    kept = (mahjong.one_player_policy, mahjong.success, mahjong.figures)
    monkeypatch.setitem(mahjong.PAPER.experiments, "quick", kept)
    report = papers.reproduce("mahjong", "quick", tmp_path / "report", 1, 1)
    lines = [
        report.compared("agreement", f"agreement on {sort}, %") for sort in ("discards", "calls", "declined calls")
    ]
    assert [line.published for line in lines] == ["75.3", "85.8", "95.1"]
    for line in lines:
        assert 0 < line.low < line.ours < line.high < 100
    assert lines[0].ours > 70
    blocks = {getattr(block, "key", ""): block for block in report.blocks}
    counts = {row[0]: row[1:] for row in blocks["table-4"].rows}
    for sort, line in zip(success_rates.AGREEMENT, lines, strict=True):
        decisions, right, partly, rate = counts[f"the shipped policy, games of rule-based: {sort}"]
        assert rate.mean == line.ours == pytest.approx(100 * (right + (partly if sort == "calls" else 0)) / decisions)
        decisions, right, partly, rate = counts[f"published: {sort}"]
        assert rate == pytest.approx(100 * (right + (partly if sort == "calls" else 0)) / decisions, abs=0.1)
    table = blocks["table-5"]
    assert [row[0] for row in table.rows] == [model.name for model in success_rates.TABLE_5]
    assert [row[-1] for row in table.rows] == [0.1708, 0.2274, 0.0734, "–"]
    rates = [row[3].mean for row in table.rows]
    assert min(rates[:2]) > max(rates[2:]) > 0  # nobody is in the way of those who play against tsumogiri
    assert report.compared("success", "MCP vs tsumogiri, 1 han, more than the policy").published == "+0.0163"
    for key in ("figure-3", "figure-4", "figure-5"):
        names = [series.name for series in blocks[key].series]
        assert names == [f"{han} han{which}" for which in ("", ", this run") for han in (1, 2, 3, 4)]
        assert blocks[key].series[0].y[-1] > blocks[key].series[0].y[0]  # more positions, more success


def test_what_is_kept_fits_the_shipped_models():
    """The largest scale: each shipped model has its point, and the curves rise to it."""
    curves = {(each["model"], each["opponent"], each["rate"], each["passes"]): each["points"]
              for each in success_rates.kept()["curves"]}  # fmt: skip
    for _, _, model, opponent, rate in success_rates.FIGURES:
        measured = [point for point in curves[model, opponent, rate, 1] if point["seed"] == 1]
        assert [point["rates"][0] for point in measured] == sorted(point["rates"][0] for point in measured)
        assert measured[-1]["positions"] >= 3_000_000
    for key, title, model, opponent, rate in success_rates.FIGURES:
        shown = next(each for each in success_rates.TABLE_5 if each.name == title.partition(": ")[2])
        *_, (positions, rates) = success_rates.kept_curve(success_rates.kept(), model, opponent, rate)
        assert positions == success_rates.positions_of(shown), key
        assert rates == success_rates.shipped_point(success_rates.kept(), shown)["rates"]
    for model in success_rates.TABLE_5:
        if model.file:
            wanted = success_rates.positions_of(model)
            name = model.name.split()[0]
            assert any(key[:2] == (name, model.opponent) and point["positions"] == wanted
                       for key, points in curves.items() for point in points)  # fmt: skip


@pytest.mark.full
def test_models_of_other_records_stand_beside_the_plain_ones(tmp_path, monkeypatch):
    """As many positions for each, and the plain row first: the others are compared with it."""
    scale = mahjong.Scale(success=30, guesses=2, recorded=300)
    monkeypatch.setitem(mahjong.SCALES, "quick", scale)
    monkeypatch.setitem(mahjong.PAPER.experiments, "quick", (mahjong.other_records,))
    monkeypatch.setattr(records, "RECORDS", records.RECORDS[:3])
    report = papers.reproduce("mahjong", "quick", tmp_path / "report", 1, 1)
    (table,) = (block for block in report.blocks if getattr(block, "key", "") == "other-records")
    assert [row[1] for row in table.rows[:3]] == ["plain", "no random action", "calls"]
    beside = table.columns.index("1 han, beside plain")
    assert [row[beside] == "–" for row in table.rows[:3]] == [True, False, False]
    assert all(row[-1] == 8 and 1 <= row[table.columns.index("mean rank")].mean <= 4 for row in table.rows)
