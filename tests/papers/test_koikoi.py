"""The report of the Koi-Koi paper: honest verdicts and sentences, from matches and learners that say what is wanted."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tefuda import papers
from tefuda.arena.match import match
from tefuda.arena.result import Row
from tefuda.intervals import Interval
from tefuda.learn import policy_gradient, value_network
from tefuda.papers import koikoi as paper
from tefuda.papers.koikoi import learning, network, readings
from tefuda.papers.koikoi.learning import Learned
from tefuda.papers.koikoi.published import BASELINE, BELOW, FITTING, LEARNED, OURS, SHIPPED, Scale, near
from tefuda.papers.laboratory import EVALUATION, Laboratory
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.report.report import Report

TINY = Scale(
    episodes=90, seeds=3, deals=10, seed_deals=10, reading_seeds=2, tuned_deals=20, positions=6, tests=4,
    network_seeds=2, epochs=3,
)  # fmt: skip
SCALES = {"paper": TINY, "quick": TINY, "headline": replace(TINY, rules=(FITTING, OURS), seeds=0, tuned_deals=0)}


@pytest.fixture
def lab(monkeypatch):
    """lab(above) plays no game: a learner gets so much as first player, by the rules that it learned against."""

    def play(**above: float) -> None:
        def measure(self, players, deals, rules=None):
            mean = 0.0 if players[0] == players[1] else 2.7 if players[0] == OURS else 2.4
            seat = Interval(mean, mean - 0.1, mean + 0.1)
            return Row("", Interval(mean, mean - 0.05, mean + 0.05), seat, seat, [seat, seat])

        def learn(lab, game, key, way, opponent, seeds):
            return Learned([np.zeros(36)] * seeds, np.tile(np.arange(90.0), (seeds, 1)))

        def measured_above(lab, game, way, rules, learned):
            apart, seeds = 0.01 if way.likeliest else 0.5, len(learned.weights)  # at T = 1 seeds end far apart
            return above.get(rules.replace("-", "_"), 0.0) + apart * (np.arange(seeds) - (seeds - 1) / 2)

        def teach(lab, teacher, turn, wanted, part):
            return value_network.ValuedPositions(np.zeros((wanted, 2)), np.arange(wanted, dtype=float))

        def learn_networks(lab, train, test, divided, turn):
            error = float(np.mean((test.values - train.values.mean()) ** 2)) - turn
            return [([9.0, 8.0, error], np.zeros(len(test.values))) for _ in range(lab.size.network_seeds)]

        monkeypatch.setattr(Laboratory, "measure", measure)
        for module in (learning, readings):
            monkeypatch.setattr(module, "learn", learn)
            monkeypatch.setattr(module, "above", measured_above)
        for function in (teach, learn_networks):
            monkeypatch.setattr(network, function.__name__, function)
        monkeypatch.setattr(paper, "PAPER", replace(paper.PAPER, scales=SCALES))

    return play


def rows_of(report: Report) -> dict[str, dict]:
    return {row["what"]: row for table in report.data()["compared"] for row in table["rows"]}


@pytest.mark.slow
def test_a_whole_run_has_both_experiments_and_the_readings(lab, tmp_path):
    lab(rule_based_simple=0.45, rule_based=-0.5)
    report = papers.reproduce("koikoi", "paper", tmp_path / "report", 1, 1)
    figures = {path.stem for path in (tmp_path / "report" / "figures").iterdir()}
    turns = {f"{what}-turn-{turn}" for what in ("figure", "scatter") for turn in (1, 7, 11)}
    assert figures == {"found", "figure-2", "figure-3", *turns}
    rows = rows_of(report)
    assert rows[LEARNED.format(FITTING)]["ours"] == pytest.approx(0.45)
    assert rows[LEARNED.format(FITTING)]["verdict"] == "hit"
    assert rows[SHIPPED.format(FITTING)]["verdict"] == "unclear"
    assert "seeds end far apart" in rows[SHIPPED.format(FITTING)]["why"]
    assert rows[BELOW.format(11)]["ours"] == pytest.approx(11.0)
    fitting = {row[0]: row[-1] for row in json.loads((tmp_path / "report/tables/rules.json").read_text())["rows"]}
    assert fitting == {"rule-based-simple": 3, "rule-based-values": 2, "rule-based": 2, "the paper": None}
    table = json.loads((tmp_path / "report/tables/readings.json").read_text())
    assert len(table["rows"]) == len(readings.WAYS) + len(readings.READINGS)
    assert table["rows"][0][1]["mean"] == pytest.approx(0.45)
    assert [row[4] for row in table["rows"][:4]] == ["hit", "hit", "unclear", "unclear"]


@pytest.mark.slow
def test_the_headline_begins_with_the_rules_that_fit_and_says_why_ours_miss(lab, tmp_path):
    lab(rule_based_simple=0.45, rule_based=-0.6)
    report = papers.reproduce("koikoi", "headline", tmp_path / "report", 1, 1)
    assert {path.stem for path in (tmp_path / "report" / "figures").iterdir()} == {"found", "figure-3"}
    text = report.found.text
    assert text.index("ends 0.45 ± 0.06 points a game above the plainest reading") < text.index("ends 0.60 ± 0.06")
    assert "points below." in text
    verdicts = {row.what: row.verdict for row in report.found.rows}
    assert verdicts == {LEARNED.format(FITTING): "hit", BASELINE.format(FITTING): "hit", LEARNED.format(OURS): "miss"}
    missed = next(row for row in report.found.rows if row.verdict == "miss")
    assert "does not print its if-then rules" in missed.reason
    assert missed.reason in (tmp_path / "report" / "index.html").read_text()
    assert report.found.figure.published == [0.5, 2.52, 0.5, 2.52]


@pytest.mark.slow
def test_a_result_of_many_seeds_shows_a_command_of_as_many(lab, tmp_path):
    lab()
    report = papers.reproduce("koikoi", "headline", tmp_path / "report", 5, 1)
    rows = rows_of(report)
    assert rows[LEARNED.format(OURS)]["command"] == "tefuda reproduce koikoi --scale headline --seed 5"
    command = f"tefuda match koikoi rule-based random --deals 10 --seed {5 + EVALUATION}"
    assert rows[BASELINE.format(OURS)]["command"] == command


def test_targets_are_the_papers_own_interval():
    assert near(2.52) == (2.22, 2.82)
    assert near(0.5) == (0.2, 0.8)


def test_a_temperature_is_a_smaller_step_from_smaller_weights():
    """A policy with T = 2 and the same policy with halved weights at T = 1 learn the same."""
    two = learning.Way("", temperature=2.0).arguments(30_000)
    assert (two.step, two.high) == (0.125, 0.5)
    assert learning.AS_SHIPPED.arguments(30_000) == policy_gradient.Arguments()


@pytest.mark.slow
def test_learners_are_measured_on_deals_of_their_own(tmp_path):
    report = Report("", tmp_path / "report", {"scale": "quick"}, 1, "", "")
    lab = Laboratory(paper.PAPER.game, report, TINY, 1, tmp_path / "work", 1)
    arguments = policy_gradient.Arguments(episodes=90)
    found = learning.learn(lab, lab.game, "pg-linear", learning.AS_SHIPPED, "random/always-stop", 2)
    opponent = resolve(lab.game, "random/always-stop")
    learner = policy_gradient.PolicyGradient(lab.game, lab.game.rulebook.make(), opponent, arguments, 2)
    learner.advance(90)
    assert found.rewards[1].tolist() == learner.rewards.tolist()
    policy = lab.game.players.policy("pg-linear")
    player = Entrant("x", policy, policy.parameters("", learner.weights))
    rules = "rule-based/always-stop"
    both = (
        match(lab.game, [who, rules], TINY.seed_deals, 1 + EVALUATION + 2 * learning.APART).rows[0].seats[0].mean
        for who in (player, rules)
    )
    gaps = learning.above(lab, lab.game, learning.AS_SHIPPED, rules, found)
    assert gaps[1] == next(both) - next(both)
