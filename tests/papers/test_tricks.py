"""The report of the trick-taking paper on a tiny scale: all its parts, honest verdicts, going on where it stopped."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tefuda import papers
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.games.tricks import GAME
from tefuda.intervals import Interval
from tefuda.learn.q_learning import Arguments, QLearning
from tefuda.papers import tricks as paper
from tefuda.papers.laboratory import EVALUATION, agreement

TINY = paper.Scale(games=40, seeds=2, deals=8, curve_deals=4, points=2, search_deals=1)


@pytest.fixture
def tiny(monkeypatch):
    """The paper on a tiny scale, by a search player that looks at few worlds."""
    policies = tuple(
        replace(policy, search=replace(policy.search, worlds=2)) if policy.search else policy
        for policy in GAME.players.policies
    )
    game = replace(GAME, players=replace(GAME.players, policies=policies))
    monkeypatch.setattr(paper, "PAPER", replace(paper.PAPER, game=game, scales={"quick": TINY}))


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_a_run_writes_every_figure_and_table_and_leaves_nothing_else(tmp_path):
    out = tmp_path / "report"
    report = papers.reproduce("tricks", "quick", out, 3, 1)
    assert {path.stem for path in (out / "figures").iterdir()} == {
        "found", "figure-1", "figure-2", "figure-3", "figure-3-hearts-as-run",
    }  # fmt: skip
    assert {path.stem for path in (out / "tables").iterdir()} == {
        "compared-plain", "compared-hearts", "compared-hearts-as-run", "readings", "beyond",
    }  # fmt: skip
    page = (out / "index.html").read_text()
    for said in ("3.69", "3.49", "2.47", "4.37", "4.55", "9.24", "0.39", "0.13"):
        assert said in page
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report"]
    rows = {row["what"]: row for each in report.data()["compared"] for row in each["rows"] if "plain" in each["key"]}
    # a figure is what the match of its command says
    row = match(GAME, ["random", "rule-based"], TINY.deals, 3 + EVALUATION).rows[0]
    assert rows["random player"]["ours"] == row.figure.mean
    rules = GAME.rulebook.make("plain")
    means = []
    for seed in (3, 4):
        learner = QLearning(GAME, rules, Arguments(games=TINY.games, points=TINY.points), seed)
        learner.advance(TINY.games)
        player = learner.player(learner.weights, "x")
        means.append(match(GAME, [player, "rule-based"], TINY.deals, 3 + EVALUATION, rules).rows[0].figure.mean)
    assert rows["q-linear, self-play"]["ours"] == pytest.approx(np.mean(means))
    assert rows["q-linear, self-play"]["command"] == "tefuda reproduce tricks --scale quick --seed 3"  # has all seeds
    assert rows["rule-based"]["verdict"] == "no target"  # among its equals anybody gets 3.25
    curves = json.loads((out / "figures" / "figure-2.json").read_text())
    assert [(point["x"], point["y"]) for point in curves["published"]] == [(TINY.games, 3.69), (TINY.games, 3.49)]
    shares = json.loads((out / "figures" / "figure-1.json").read_text())["series"]
    assert len(shares) == 4
    for each in shares:
        assert sum(each["y"]) == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_an_interrupted_run_learns_nothing_twice(tmp_path, monkeypatch):
    learned = []
    advance = QLearning.advance

    def counted(self, games):
        learned.append((str(self.rules), self.arguments.opponent, self.arguments.variant, self.seed))
        if len(learned) == 6:
            raise KeyboardInterrupt
        advance(self, games)

    monkeypatch.setattr(QLearning, "advance", counted)
    with pytest.raises(Problem, match="give the same command again"):
        papers.reproduce("tricks", "quick", tmp_path / "report", 3, 1)
    assert not (tmp_path / "report").exists()
    papers.reproduce("tricks", "quick", tmp_path / "report", 3, 1)
    assert learned[5] == learned[6]
    assert len(set(learned)) == len(learned) - 1


@pytest.mark.parametrize(
    ("mean", "half", "theirs", "hit"),
    [(2.463, 0.004, 0.008, True), (2.449, 0.004, 0.008, False), (2.5, 0.03, 0.0, True), (2.54, 0.03, 0.03, False)],
)
def test_agreement_allows_for_rounding_and_both_intervals(mean, half, theirs, hit):
    low, high = agreement(2.47, Interval(mean, mean - half, mean + half), theirs, paper.ROUNDING)
    assert (low <= mean <= high) == hit


@pytest.mark.parametrize(
    ("published", "half", "ends"),
    [(37.054, 0.307, (36.75, 37.36)), (2.47, 0.0148, (2.455, 2.485)), (9.24, 0.067, (9.173, 9.307))],
)
def test_a_target_is_rounded_as_people_would(published, half, ends):
    assert agreement(published, Interval(1.0, 1.0 - half, 1.0 + half), 0.0) == ends
