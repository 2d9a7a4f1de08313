"""Every benchmark runs and says what it measured."""

import json

import pytest

from tefuda.cli.benchmarks import names

MEASURED = [name for name in names() if name not in ("koikoi", "start", "web")]  # these have tests of their own


def test_the_benchmarks_are_found():
    assert {"koikoi", "start", "web", *MEASURED} == {
        "environments", "hints", "koikoi", "mahjong", "mjai", "saichugen", "start", "training", "tricks", "view", "web",
    }  # fmt: skip


@pytest.mark.full
def test_no_move_of_many_people_is_lost(tefuda):
    done = tefuda("bench", "web", "--json", timeout=600)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert [row["what"] for row in rows] == ["all", "koikoi", "tricks", "saichugen", "mahjong"]
    assert all(row["moves"] > 0 and row["lost"] == 0 for row in rows)


@pytest.mark.full
@pytest.mark.parametrize("name", MEASURED)
def test_a_benchmark_runs(name, tefuda):
    done = tefuda("bench", name, "--seconds", "0.1", "--json", timeout=600)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) > 5
    assert all(row["rate"] > 0 for row in rows)
    assert any(row["ratio"] is not None for row in rows)
