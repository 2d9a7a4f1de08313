"""CFR by sampling beside the exact values of the games that it solves."""

import numpy as np
import pyspiel
import pytest

import tefuda
from tefuda import games
from tefuda.engine.solution import NAME, reader_of, variant_of, weights_of, with_solution
from tefuda.errors import Problem
from tefuda.files.policy import load
from tefuda.interop.openspiel.game import SpielGame
from tefuda.kernel.compile import COMPILED
from tefuda.learn import equilibrium
from tefuda.search.exact import chances_of, exploited, uniform
from tefuda.search.response import Opposition
from tefuda.search.sampling import Sampler
from tefuda.search.tree import write_out
from tefuda.table.table import Table

TINY = ["pack=tiny"]


@pytest.mark.kernel
def test_kuhn_poker_is_solved():
    kuhn = with_solution(games.find("kuhn"))
    rules = kuhn.rulebook.make()
    sampler, again = Sampler(kuhn, rules, 3), Sampler(kuhn, rules, 3)
    sampler.advance(20_000 if COMPILED else 2000)
    again.advance(500)
    again.advance(sampler.iterations - 500)  # any split into calls gives the same
    hashes, chances = sampler.average()
    assert (again.average()[0] == hashes).all()
    assert (again.average()[1] == chances).all()
    assert chances.shape == (12, 2)
    assert (np.diff(hashes) > 0).all()
    policy = kuhn.players.policy(NAME)
    tree = write_out(kuhn, rules)
    params = policy.parameters(variant_of(2), weights_of(hashes, chances))
    found = exploited(tree, chances_of(tree, policy, params))
    assert found.exploitability < (0.02 if COMPILED else 0.06)
    assert found.values[0] == pytest.approx(-1 / 18, abs=0.02)
    with pytest.raises(Problem, match="width=1 to"):
        policy.parameters("width=3", weights_of(hashes, chances))
    with pytest.raises(Problem, match="in the order of their hashes"):
        policy.parameters(variant_of(2), weights_of(hashes[::-1], chances))


def test_more_than_two_seats_are_not_sampled():
    tricks = games.find("tricks")
    with pytest.raises(Problem, match="tricks cannot be solved by the rules plain pack=tiny: CFR takes two seats"):
        Sampler(tricks, tricks.rulebook.make("plain", TINY), 1)


@pytest.mark.full
def test_tiny_koikoi_is_solved_and_valued_as_by_open_spiel(tmp_path, monkeypatch):
    """The solution is found among renamed views, and valued over all deals, by their own names; by three programs."""
    monkeypatch.setattr(equilibrium, "write_views", lambda game, rules: None)  # as if that were too much
    koikoi = games.find("koikoi")
    rules = koikoi.rulebook.make("paper", TINY)
    result = tefuda.solve("koikoi", tmp_path, 20_000, changes=TINY)
    assert result.found.values[0] == pytest.approx(11 / 12, abs=1e-3)
    assert 0 <= result.found.exploitability < 1e-3
    card, weights = load(tmp_path / "policy.npz")
    assert card.about == "the average of 20,000 iterations of sampled CFR"
    assert (card.policy, card.rules, card.seed) == (NAME, "paper pack=tiny", 1)
    assert tefuda.match("koikoi", [str(tmp_path / "policy.npz"), "random"], 20, changes=TINY).deals == 20
    tree, policy = write_out(koikoi, rules), koikoi.players.policy(NAME)
    few = policy.parameters(card.variant, weights.reshape(-1, 4)[::3].ravel())  # any legal action at most views
    expected = exploited(tree, chances_of(tree, policy, few))
    found = Opposition(koikoi, rules, policy, few, 1, 1)
    best = [found.response(seat) for seat in (0, 1)]
    assert [each.itself for each in best] == pytest.approx(expected.values, abs=1e-6)
    assert [each.value for each in best] == pytest.approx(expected.responses, abs=1e-6)
    assert expected.exploitability > 0.01
    spiel = SpielGame(koikoi, {"rules": "paper", "changes": "pack:tiny"})
    theirs = pyspiel.expected_returns(spiel.new_initial_state(), pyspiel.UniformRandomPolicy(spiel), -1, False)
    assert exploited(tree, uniform(tree)).values == pytest.approx(theirs, abs=1e-9)


def test_views_that_mean_the_same_become_one():
    """Whatever names months and chaff have: the same hash, and each action the name of its counterpart."""
    koikoi = games.find("koikoi")
    rules, read, random = koikoi.rulebook.make("paper", ["pack=small"]), reader_of(koikoi), np.random.default_rng(1)
    seen, shared = set(), 0
    for deal in range(30):
        table = Table(koikoi, rules, 1, deal)
        for _ in range(deal % 6):
            if table.to_move >= 0:
                table.apply(int(random.choice(table.legal)))
        if table.to_move < 0:
            continue
        months, other = random.permutation(3), np.arange(50)
        for month in range(3):
            places = [0, 1, *(random.permutation(2) + 2)]
            other[4 * month : 4 * month + 4] = 4 * months[month] + np.array(places)
        view = table.states.copy()
        koikoi.kernels.hide(view[0], table.to_move)
        twin = view.copy()
        for key in ("hand", "pile", "played", "passed"):
            for seat in (0, 1):
                twin[key][0, seat] = _renamed(int(view[key][0, seat]), other)
        twin["field"] = _renamed(int(view["field"][0]), other)
        if view["card"][0] >= 0:
            twin["card"] = other[view["card"][0]]
        names = np.zeros((2, 50))
        hashes = [read(each, names[i]) for i, each in enumerate((view, twin))]
        assert hashes[0] == hashes[1]
        assert view.tobytes() == twin.tobytes()
        assert (names[0] == names[1, other]).all()  # so actions that mean the same have one name
        seen.add(hashes[0])
        shared += len(set(names[0].tolist())) < 50
    assert len(seen) > 10
    assert shared > 0


def _renamed(mask: int, names: np.ndarray) -> int:
    return sum(1 << int(names[card]) for card in range(50) if mask >> card & 1)
