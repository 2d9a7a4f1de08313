"""The line of progress: how far, how fast, how long still; what an earlier run has done counts for no rate."""

import pytest

from tefuda import progress


@pytest.fixture
def clock(monkeypatch):
    """Seconds that pass when the test says so."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def drawn(captured) -> str:
    return captured.readouterr().err.split("\r")[-1].replace("\x1b[K", "")


def test_a_line_tells_the_rate_and_the_time_that_is_left(clock, capsys):
    line = progress.Progress("playing", 1_200, "deals")
    line.visible = True  # as where somebody watches
    clock[0] += 1
    line.update(100)
    assert drawn(capsys) == ""  # what is done soon needs no line
    clock[0] += 9
    line.update(200)
    assert drawn(capsys) == "playing: 200 of 1,200 deals, 20 a second, 0:50 left"


@pytest.mark.parametrize("known", [True, False])
def test_what_was_done_before_counts_for_no_rate(clock, capsys, known):
    """It is known from the beginning, or by the first step."""
    line = progress.Progress("playing", 1_200, "deals", 1_000 if known else 0)
    line.visible = True
    clock[0] += 4
    if not known:
        line.goes_on_from(1_000)
    line.update(1_000)
    assert drawn(capsys) == "playing: 1,000 of 1,200 deals"
    clock[0] += 6
    line.update(1_100)
    rate, left = ("10 a second", "0:10") if known else ("17 a second", "0:06")
    assert drawn(capsys) == f"playing: 1,100 of 1,200 deals, {rate}, {left} left"
