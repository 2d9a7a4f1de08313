"""`tefuda bench start`: goals and verdicts, and one real start that is quicker the second time."""

import json

import pytest

from tefuda.cli.benchmarks import FOLDER
from tefuda.sources import load_source


@pytest.fixture(scope="module")
def benchmark():
    return load_source(FOLDER / "start.py", "benchmark")


def test_every_game_starts_a_match_and_a_table_twice(benchmark, monkeypatch):
    seconds = iter([(19.0, 18.0), (2.5, 1.0)] * 8)
    monkeypatch.setattr(benchmark, "start", lambda words, typed, folder: next(seconds))
    rows = benchmark.run("cpu", 1.0, None)
    assert [row.what for row in rows[:4]] == [
        "koikoi, first match", "koikoi, second match", "koikoi, first play", "koikoi, second play",
    ]  # fmt: skip
    assert {row.goal for row in rows if "first" in row.what and "mahjong" not in row.what} == {20.0}
    assert {row.goal for row in rows if "first" in row.what and "mahjong" in row.what} == {35.0}
    assert {row.goal for row in rows if "second" in row.what} == {2.0}
    assert [row.met for row in rows] == [True, False] * 8
    assert rows[0].notes(rows) == ["8 of 16 goals met."]
    assert rows[1].cells() == ["koikoi, second match", "2.5", "1.0", "2", "✗ too long"]
    busy = [benchmark.Start("x", 9.0, 1.0, 2.0)]
    assert "busy" in busy[0].notes(busy)[1]


@pytest.mark.full
def test_a_real_start_compiles_once(benchmark, monkeypatch):
    monkeypatch.setattr(benchmark, "GAMES", ("kuhn",))
    rows = benchmark.run("cpu", 1.0, 1)
    assert len(rows) == 4
    for first, second in ((rows[0], rows[1]), (rows[2], rows[3])):
        assert 0.0 < second.cpu < first.cpu
    assert json.loads(json.dumps(rows[0].data()))["what"] == "kuhn, first match"
