"""Players valued exactly by name: those that tell their chances, those that are asked, and those that cannot be."""

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.arena.exact import asked, exact
from tefuda.errors import Problem
from tefuda.players.resolve import resolve
from tefuda.search.exact import chances_of
from tefuda.search.tree import write_out

pytestmark = pytest.mark.kernel

KUHN = games.find("kuhn")
STANDARD = KUHN.rulebook.make()


@pytest.mark.parametrize(
    ("player", "first", "exploitability"),
    [("random", 1 / 8, 11 / 24), ("always-bet", 0, 1 / 3), ("always-pass", 0, 1), ("equilibrium/0.1", -1 / 18, 0)],
)
def test_players_are_valued_as_by_hand(player, first, exploitability):
    result = exact(KUHN, player, STANDARD)
    assert result.found.values == pytest.approx([first, -first], abs=1e-12)
    assert result.found.exploitability == pytest.approx(exploitability, abs=1e-12)
    assert (result.positions, result.information_sets, result.samples) == (54, 12, 0)
    assert tefuda.exact("kuhn", player, threads=1) == result


def test_a_player_that_draws_lots_is_asked_as_often_as_is_said():
    by_hand = exact(KUHN, "pimc", STANDARD, samples=3, seed=5)
    found = tefuda.exact("kuhn", "pimc", samples=3, seed=5)
    assert found == by_hand
    assert found.samples == 3


def test_rules_are_heeded():
    assert exact(KUHN, "always-bet", KUHN.rulebook.make(changes=["bet=4"])).found.exploitability > 1
    assert tefuda.exact("kuhn", "equilibrium", changes=["bet=4"]).found.exploitability == pytest.approx(0, abs=1e-12)


def test_players_that_are_asked_come_near_their_chances():
    tree = write_out(KUHN, STANDARD)
    player = resolve(KUHN, "equilibrium")
    true = chances_of(tree, player.policy, player.params)
    found = asked(tree, player, 400, 1)
    assert found == pytest.approx(true, abs=4 * 0.5 / 20)
    assert np.all(found[true == 0] == 0)
    assert np.array_equal(found, asked(tree, player, 400, 1))
    assert not np.array_equal(found, asked(tree, player, 400, 2))


def test_a_search_player_is_asked():
    result = exact(KUHN, "pimc/worlds=20", STANDARD, samples=20)
    assert result.samples == 20
    assert 0 < result.found.exploitability < 1


@pytest.mark.parametrize(
    ("game", "player", "said"),
    [
        ("koikoi", "random", "koikoi cannot be solved exactly: it does not list its deals"),
        ("kuhn", "nobody", "unknown player of kuhn 'nobody'"),
        ("kuhn", "nowhere.npz", "no policy file nowhere.npz"),
    ],
)
def test_what_cannot_be_valued_is_told(game, player, said):
    with pytest.raises(Problem, match=said):
        exact(games.find(game), player, games.find(game).rulebook.make())


def test_a_class_of_ones_own_cannot_be_valued(player_file):
    own = player_file("class Mine:\n    def act(self, view):\n        return 0\n")
    with pytest.raises(Problem, match="only compiled players can"):
        exact(KUHN, f"{own}:Mine", STANDARD)
