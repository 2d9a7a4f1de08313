"""Games written out by what their seats are shown: beside games written out whole, and beside all deals as they are."""

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.engine.solution import NAME, variant_of, weights_of, with_solution
from tefuda.errors import Problem
from tefuda.files.policy import load
from tefuda.search.cfr import Solver
from tefuda.search.exact import chances_of, exploited, value
from tefuda.search.response import Opposition
from tefuda.search.tree import write_out
from tefuda.search.views import deals_of, write_views
from tefuda.table.table import Table

TINY = ["pack=tiny"]


def player_of(game, solver: Solver):
    policy = game.players.policy(NAME)
    chances = solver.average
    return policy, policy.parameters(variant_of(chances.shape[1]), weights_of(solver.tree.hashes, chances))


@pytest.mark.kernel
def test_kuhn_poker_is_solved_as_when_it_is_written_out_whole():
    """Its views tell all, and nothing in it is alike: the same positions, and the same play after every iteration."""
    kuhn = with_solution(games.find("kuhn"))
    rules = kuhn.rulebook.make()
    views, tree = write_views(kuhn, rules), write_out(kuhn, rules)
    assert (len(views.parent), views.sets) == (len(tree.parent), tree.sets)
    ours, theirs = Solver(views), Solver(tree)
    for _ in range(20):
        ours.advance()
        theirs.advance()
        assert value(views, ours.average) == pytest.approx(value(tree, theirs.average), abs=1e-12)
    policy, params = player_of(kuhn, ours)
    assert chances_of(tree, policy, params) == pytest.approx(theirs.average, abs=1e-6)


def test_what_is_too_large_is_not_written_out():
    kuhn = games.find("kuhn")
    assert write_views(kuhn, kuhn.rulebook.make(), most=53) is None
    assert len(write_views(kuhn, kuhn.rulebook.make(), most=54).parent) == 54


@pytest.mark.slow
def test_tiny_koikoi_has_the_values_of_the_game_written_out_whole():
    """Of 1,680 deals those that differ in names alone are left out: nothing changes, whoever plays."""
    koikoi = games.find("koikoi")
    rules = koikoi.rulebook.make("paper", TINY)
    views, tree = write_views(koikoi, rules), write_out(koikoi, rules)
    assert 5 * len(views.deal_chances) < len(tree.deal_chances) == 1680
    assert views.deal_chances.sum() == pytest.approx(1)
    solver = Solver(views)
    solver.advance(100)
    policy, params = player_of(koikoi, solver)
    found = exploited(tree, chances_of(tree, policy, params))
    assert found.values == pytest.approx(value(views, solver.average), abs=1e-6)
    assert found.values[0] == pytest.approx(11 / 12, abs=1e-3)
    assert 0 <= found.exploitability < 1e-3


@pytest.mark.slow
def test_four_seats_share_what_they_learn():
    """Seats that mean the same play alike: who leads gets the same in each seat, by all deals under their own names.

    The best response is found among all deals too, and among those alone whose names come first."""
    tricks = games.find("tricks")
    rules = tricks.rulebook.make("plain", TINY)
    chances, tables = deals_of(tricks, rules)
    assert set(tables["seat"]) == {0}
    assert 2520 / 24 <= len(tables) < 2520 / 12
    assert chances.sum() == pytest.approx(1)
    solver = Solver(write_views(tricks, rules))
    solver.advance(10)
    expected = value(solver.tree, solver.average)
    assert expected.sum() == pytest.approx(2)
    policy, params = player_of(tricks, solver)
    few, whole = Opposition(tricks, rules, policy, params, 1, 1), Opposition(tricks, rules, policy, params, 1, 1)
    whole.policy = tefuda.contract.Policy("whole", policy.choose, policy.parameters, worlds=1, numbers=policy.numbers)
    whole.kernels = few.kernels
    gains = []
    for lead, (likely, dealt) in enumerate(tricks.chance.parts(tricks.blank(rules))):
        for opposition in (few, whole):
            opposition.chance = tefuda.contract.Chance(lambda blank, part=(4 * likely, dealt): part)
        for seat in range(4):
            found, same = few.response(seat, 1), whole.response(seat, 1)
            assert found.itself == pytest.approx(expected[(seat - lead) % 4], abs=1e-6)
            assert (found.itself, found.value) == pytest.approx((same.itself, same.value), abs=1e-9)
            assert 5 * found.tables < same.tables
            gains.append(found.value - found.itself)
    by_place = [[gains[4 * lead + (lead + place) % 4] for lead in range(4)] for place in range(4)]
    assert all(np.ptp(each) < 1e-9 for each in by_place)  # one seat stands for all: only who leads makes a difference
    assert max(gains) > 1e-3


@pytest.mark.slow
def test_suits_and_seats_that_mean_the_same_become_one():
    """A deal whose suits are called otherwise, and whose seats sit one further, looks the same all the way."""
    tricks = games.find("tricks")
    policy = tricks.players.policy(NAME)
    rules, random, alike = tricks.rulebook.make("plain", ["pack=small"]), np.random.default_rng(1), tricks.chance.alike
    shared = 0
    for deal in range(20):
        suits, further = random.permutation(4), int(random.integers(4))
        one = Table(tricks, rules, 1, deal)
        other = Table(tricks, rules, states=one.states.copy())
        twin = other.states
        for seat in range(4):
            cards = [card for card in range(52) if int(one.states["hand"][0, seat]) >> card & 1]
            twin["hand"][0, (seat + further) % 4] = sum(1 << int(13 * suits[card // 13] + card % 13) for card in cards)
        twin["lead"], twin["seat"] = ((one.states[key] + further) % 4 for key in ("lead", "seat"))
        new = np.array([13 * suits[card // 13] + card % 13 for card in range(52)])
        while one.to_move >= 0:
            views, names = [each.states.copy() for each in (one, other)], np.zeros((2, 52))
            for view, each, its in zip(views, (one, other), names, strict=True):
                tricks.kernels.hide(view[0], each.to_move)
                alike(view[0], its)
            assert views[0].tobytes() == views[1].tobytes()
            assert (names[0] == names[1, new]).all()  # so cards that mean the same have one name
            shared += len(one.legal) > len({names[0, card] for card in one.legal})
            assert views[0]["seat"][0] == 0
            card = int(random.choice(one.legal))
            one.apply(card)
            other.apply(int(new[card]))
        assert np.roll(one.scores, further).tolist() == other.scores.tolist()
    assert policy.alike
    assert shared > 0


@pytest.mark.full
def test_trick_taking_is_solved_by_the_same_command(tmp_path):
    """Nothing promises an equilibrium for four; here most of what a best response gains from `random` is gone."""
    result = tefuda.solve("tricks", tmp_path, 20, changes=TINY)
    card, _ = load(tmp_path / "policy.npz")
    assert (card.policy, card.rules, card.variant) == (NAME, "plain pack=tiny", "width=2")
    assert "need not come near an equilibrium for 4 seats" in card.about
    before = tefuda.exact("tricks", "random", changes=TINY)
    assert 0 <= result.found.exploitability < 0.5 * before.found.exploitability
    assert np.ptp(result.found.gains) < 1e-9
    with pytest.raises(Problem, match="does not list its deals"):
        tefuda.solve("tricks", tmp_path, 20)
