"""CFR+ beside OpenSpiel's: the same average after each iteration, and the known values of both games."""

from dataclasses import replace

import numpy as np
import pyspiel
import pytest

from tefuda.errors import Problem
from tefuda.games.kuhn.players import equilibrium
from tefuda.search.cfr import Solver
from tefuda.search.exact import chances_of, exploited, value
from tefuda.search.tree import END
from tests.search.witness_spiel import pairs_of, tree_of

pytestmark = pytest.mark.kernel

VALUES = {"kuhn": -1 / 18, "leduc": -0.0856064}  # of the first seat
ITERATIONS = 1000
NEAR = {"kuhn": 2e-4, "leduc": 5e-4}  # exploitability in chips after so many


@pytest.fixture(scope="module", params=VALUES)
def solved(request):
    """A game's name, and its solution."""
    solver = Solver(tree_of(request.param))
    solver.advance(ITERATIONS)
    return request.param, solver


@pytest.mark.slow
@pytest.mark.parametrize("name", VALUES)
def test_every_iteration_is_that_of_open_spiel(name):
    pairs = pairs_of(name)
    ours, theirs = Solver(pairs.tree), pyspiel.CFRPlusSolver(pairs.game)
    for iteration in range(1, 13):
        ours.advance()
        theirs.evaluate_and_update_policy()
        average, expected = ours.average, theirs.average_policy()
        for number, position in enumerate(pairs.tree.one_position):
            found = {action: average[number, action] for action in pairs.states[position].legal_actions()}
            assert found == pytest.approx(expected.action_probabilities(pairs.states[position]), abs=1e-9)
        assert ours.iterations == iteration


@pytest.mark.slow
def test_it_comes_near_an_equilibrium_and_the_value_of_the_game(solved):
    name, solver = solved
    found = exploited(solver.tree, solver.average)
    assert 0 <= found.exploitability < NEAR[name]
    assert found.values == pytest.approx([VALUES[name], -VALUES[name]], abs=NEAR[name])
    assert found.responses[0] >= VALUES[name] - 1e-7  # the value lies between what both can make sure of
    assert -found.responses[1] <= VALUES[name] + 1e-7


def test_more_iterations_come_nearer(solved):
    _, solver = solved
    few = Solver(solver.tree)
    few.advance(ITERATIONS // 10)
    assert exploited(few.tree, few.average).exploitability > 4 * exploited(solver.tree, solver.average).exploitability


def test_kuhns_own_solution_is_found():
    """Seat 1 has one best way only; seat 0 has a family of them, by how often it bluffs with the jack."""
    solver = Solver(tree_of("kuhn"))
    solver.advance(ITERATIONS)
    table = solver.table()[:, 0]
    assert table == pytest.approx(np.array(equilibrium(table[0]), float), abs=0.02)


def test_the_table_plays_as_the_average(solved):
    """Information sets that differ in suits alone share a row, and play alike already."""
    _, solver = solved
    tree, policy = solver.tree, solver.tree.game.players.policy("table")
    chances = chances_of(tree, policy, policy.parameters("", solver.table().ravel()))
    assert value(tree, chances) == pytest.approx(value(tree, solver.average), abs=1e-9)
    assert exploited(tree, chances).exploitability == pytest.approx(
        exploited(tree, solver.average).exploitability, abs=1e-9
    )


def test_rows_that_are_never_reached_are_even(solved):
    """A seat that would never come to an information set has no average there; any legal action will do."""
    _, solver = solved
    fresh = Solver(solver.tree)
    table = fresh.table()  # nobody has played yet
    policy = fresh.tree.game.players.policy("table")
    found = chances_of(fresh.tree, policy, policy.parameters("", table.ravel()))
    assert found == pytest.approx(fresh.average, abs=1e-12)
    assert found == pytest.approx(fresh.tree.legal / fresh.tree.legal.sum(axis=1, keepdims=True), abs=1e-12)


def test_games_whose_scores_do_not_add_up_are_told():
    tree = tree_of("kuhn")
    Solver(replace(tree, scores=tree.scores + (tree.seat == END)[:, None]))  # they may add up to another number
    with pytest.raises(Problem, match="kuhn cannot be solved: CFR\\+ takes games whose scores always add up"):
        Solver(replace(tree, scores=abs(tree.scores)))
