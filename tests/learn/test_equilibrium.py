"""`tefuda solve` writes a policy file that plays the solution and can be seated like any other."""

from dataclasses import replace

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.files.policy import load
from tefuda.learn.equilibrium import solve
from tefuda.search.cfr import Solver
from tefuda.search.tree import write_out

pytestmark = pytest.mark.kernel

KUHN = games.find("kuhn")


def test_a_solution_is_kept_and_plays(tmp_path):
    result = tefuda.solve("kuhn", tmp_path, iterations=300)
    assert 0 <= result.found.exploitability < 0.001
    card, weights = load(tmp_path / "policy.npz")
    assert (card.game, card.policy, card.rules) == ("kuhn", "table", "standard")
    assert card.arguments == {"iterations": 300}
    solver = Solver(write_out(KUHN, KUHN.rulebook.make()))
    solver.advance(300)
    assert weights == pytest.approx(solver.table().ravel(), abs=1e-7)  # files hold float32
    path = str(tmp_path / "policy.npz")
    assert result == tefuda.exact("kuhn", path)
    assert match(KUHN, [path, "always-pass"], 50, seed=1).rows[0].figure.mean > 0


def test_other_rules_have_another_solution(tmp_path):
    result = tefuda.solve("kuhn", tmp_path, iterations=300, changes=["bet=3"])
    assert result.rules == "standard bet=3"
    assert 0 <= result.found.exploitability < 0.005
    assert np.abs(result.found.values).max() < 0.005  # the value is 0 there
    assert tefuda.exact("kuhn", str(tmp_path / "policy.npz")).found.exploitability > 0.01


def test_games_that_cannot_be_solved_are_told_and_nothing_is_written(tmp_path):
    koikoi = games.find("koikoi")
    with pytest.raises(Problem, match="koikoi cannot be solved exactly: it does not list its deals"):
        solve(koikoi, koikoi.rulebook.make(), 10, tmp_path)
    tableless = replace(KUHN, players=replace(KUHN.players, policies=KUHN.players.policies[:1]))
    with pytest.raises(Problem, match="kuhn has no players by a table"):
        solve(tableless, KUHN.rulebook.make(), 10, tmp_path)
    assert not list(tmp_path.iterdir())
