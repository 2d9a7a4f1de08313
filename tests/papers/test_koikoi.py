"""The report of the Koi-Koi paper: honest verdicts and sentences, from matches and learners that say what is wanted."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda import papers
from tefuda.arena.result import Row
from tefuda.intervals import Interval
from tefuda.learn import value_network
from tefuda.papers import koikoi as paper
from tefuda.papers.laboratory import Laboratory

TINY = paper.Scale(episodes=90, seeds=2, deals=10, tuned_deals=20, positions=6, tests=4, network_seeds=2, epochs=3)
SCALES = {"quick": TINY, "headline": replace(TINY, opponents=("rule-based",), tuned_deals=0)}


@pytest.fixture
def lab(monkeypatch):
    """lab(above) plays no game: learned players get so much more than rule-based in the first seat."""

    def play(above: float) -> None:
        def measure(self, players, deals, rules=None):
            name, other = players
            mean = 2.6 if other == "random" else above if "pg-linear-rule" in name else 0.0
            seat = Interval(mean + 0.1, mean, mean + 0.2)
            return Row(name, Interval(mean, mean - 0.05, mean + 0.05), seat, seat, [seat, seat])

        def learn_all(lab, opponent):
            return [(np.zeros(36), np.arange(lab.size.episodes, dtype=float)) for _ in range(lab.size.seeds)]

        def teach(lab, teacher, turn, wanted, part):
            return value_network.Positions(np.zeros((wanted, 2)), np.arange(wanted, dtype=float))

        def learn_networks(lab, train, test, divided, turn):
            error = float(np.mean((test.values - train.values.mean()) ** 2)) - turn
            return [([9.0, 8.0, error], np.zeros(len(test.values))) for _ in range(lab.size.network_seeds)]

        monkeypatch.setattr(Laboratory, "measure", measure)
        for function in (learn_all, teach, learn_networks):
            monkeypatch.setattr(paper, function.__name__, function)
        monkeypatch.setattr(paper, "PAPER", replace(paper.PAPER, scales=SCALES))

    return play


@pytest.mark.slow
def test_a_run_has_both_experiments(lab, tmp_path):
    lab(0.45)
    report = papers.reproduce("koikoi", "quick", tmp_path / "report", 1, 1)
    figures = {path.stem for path in (tmp_path / "report" / "figures").iterdir()}
    turns = {f"{what}-turn-{turn}" for what in ("figure", "scatter") for turn in (1, 7, 11)}
    assert figures == {"found", "figure-2", "figure-3", *turns}
    rows = {row["what"]: row for table in report.data()["compared"] for row in table["rows"]}
    assert rows[paper.LEARNED]["ours"] == pytest.approx(0.45)
    assert rows[paper.LEARNED]["verdict"] == "hit"
    assert rows[paper.BELOW.format(11)]["ours"] == pytest.approx(11.0)
    assert "ends 0.45 ± 0.00 points a game above `rule-based`" in report.found.text
    assert "lies 11.00 ± 0.00 below that of a constant" in report.found.text


def test_the_headline_is_experiment_1_against_rule_based(lab, tmp_path):
    lab(-0.6)
    report = papers.reproduce("koikoi", "headline", tmp_path / "report", 1, 1)
    assert {path.stem for path in (tmp_path / "report" / "figures").iterdir()} == {"found", "figure-3"}
    assert "ends 0.60 ± 0.00 points a game below `rule-based`" in report.found.text
    verdicts = {row.what: row.verdict for row in report.found.rows}
    assert verdicts == {paper.BASELINE: "hit", paper.LEARNED: "miss"}
    assert report.found.figure.published == [2.52, 0.5]
