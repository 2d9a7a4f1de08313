"""Sequential tests: they err as often as they say, and a match stops when they are decided."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena import match as match_module
from tefuda.arena.match import match
from tefuda.arena.sequential import BOUND, LEAST, Sequential
from tefuda.errors import Problem

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")


def decisions_of(mean: float, until: str, margin: float, runs: int, seed: int, game=KOIKOI) -> Counter:
    """How a test ends on simulated deals, pieces of 25, at most 5000; and never before it may."""
    generator = np.random.default_rng(seed)
    found: Counter = Counter()
    for _ in range(runs):
        test = Sequential(game.scoring.headline, until, margin)
        deals, decided = 0, False
        while not decided and deals < 5000:
            decided = test.add(generator.normal(mean, 3, 25))
            deals += 25
            assert not decided or deals >= LEAST
        verdict = test.verdict(deals)
        assert (verdict["decision"] == "undecided") == (not decided)
        assert not decided or abs(verdict["log_likelihood_ratio"]) >= BOUND
        found[verdict["decision"]] += 1
    return found


def test_a_sequential_test_errs_in_about_5_of_100_cases():
    no_difference = decisions_of(0.0, "better", 0.6, 400, 3)
    assert no_difference["better"] <= 32  # 20 expected at most; the overshoot makes it fewer
    assert no_difference["not better"] >= 360
    better = decisions_of(0.6, "better", 0.6, 400, 4)
    assert better["not better"] <= 32
    assert better["better"] >= 360
    assert decisions_of(2.0, "better", 0.6, 50, 5) == {"better": 50}
    assert decisions_of(-1.0, "better", 0.6, 50, 6) == {"not better": 50}


def test_worse_is_the_other_direction():
    assert decisions_of(-2.0, "worse", 0.6, 50, 7) == {"worse": 50}
    assert decisions_of(1.0, "worse", 0.6, 50, 8) == {"not worse": 50}


def test_better_is_lower_where_the_figure_says_so():
    """Ranks or penalty points: fair is 2.5, and less is better."""
    ranks = replace(
        KOIKOI,
        scoring=replace(KOIKOI.scoring, headline=replace(KOIKOI.scoring.headline, higher_is_better=False, fair=2.5)),
    )
    assert decisions_of(1.5, "better", 0.6, 50, 9, ranks) == {"better": 50}
    assert decisions_of(3.5, "better", 0.6, 50, 10, ranks) == {"not better": 50}
    assert decisions_of(3.5, "worse", 0.6, 50, 11, ranks) == {"worse": 50}


def test_the_bounds_are_stated_first():
    stated = Sequential(KOIKOI.scoring.headline, "better", 0.5).stated()
    assert "+0.000" in stated
    assert "+0.500" in stated
    assert f"{math.log(19):.2f}" in stated
    assert "points a game" in stated
    assert f"{LEAST} deals" in stated
    assert "\n" not in stated


def test_a_match_stops_when_its_test_is_decided():
    clear = match(
        KOIKOI, ["rule-based", "random"], 100_000, seed=17, test=Sequential(KOIKOI.scoring.headline, "better", 0.5)
    )
    assert clear.verdict["decision"] == "better"
    assert clear.deals == clear.verdict["deals"] <= 5_000
    assert clear.rows[0].more["rounds"] == 2 * clear.deals
    worse = Sequential(KOIKOI.scoring.headline, "worse", 0.5)
    reversed_names = match(KOIKOI, ["random", "rule-based"], 100_000, seed=17, test=worse)
    assert reversed_names.verdict["decision"] == "worse"
    short = match(KUHN, ["random", "equilibrium"], 60, seed=17, test=Sequential(KUHN.scoring.headline, "better", 0.01))
    assert short.verdict["decision"] == "undecided"
    assert short.deals == 60
    same = match(KUHN, ["random", "random"], 1_000, seed=17, test=Sequential(KUHN.scoring.headline, "better", 0.1))
    assert same.verdict["decision"] == "not better"


def test_a_sequential_test_ends_alike_on_any_machine(monkeypatch):
    """The same seed gives the same result, on two cores and on sixty-four."""
    results = []
    for cores in (1, 2, 16, 64):
        monkeypatch.setattr(match_module, "cores", lambda cores=cores: cores)
        test = Sequential(KOIKOI.scoring.headline, "better", 0.5)
        names = ["rule-based/always-stop", "random/always-stop"]
        results.append({**match(KOIKOI, names, 4_000, seed=18, test=test).data(), "seconds": 0})
    assert all(result == results[0] for result in results), [result["deals"] for result in results]


@pytest.mark.parametrize(("until", "margin"), [("sooner", 0.1), ("better", 0), ("better", -1), ("better", math.nan)])
def test_a_test_that_cannot_be_meant_is_refused(until, margin):
    with pytest.raises(Problem, match=r"--until|--margin"):
        Sequential(KOIKOI.scoring.headline, until, margin)
