"""Exact values and best responses beside OpenSpiel's, in Kuhn and Leduc poker and in a game for three."""

from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tefuda import games
from tefuda.contract import Chance
from tefuda.engine.network import NAME as NETWORK
from tefuda.engine.network import parameters_of, size_of, variant_of
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel, record_type
from tefuda.players.resolve import resolve
from tefuda.search.exact import best_response, chances_of, exploited, seated, uniform, value
from tefuda.search.tree import Tree, write_out
from tests.search.witness_spiel import pairs_of, tree_of

pytestmark = pytest.mark.kernel

GAMES = ["kuhn", "leduc"]
NEAR = 1e-9


def any_play(tree: Tree, seed: int, sure: float = 0.3) -> np.ndarray:
    """Any chances; in some information sets an action is sure, so that some positions are never reached."""
    random = np.random.default_rng(seed)
    chances = random.random(tree.legal.shape) * tree.legal
    best = (chances == chances.max(axis=1, keepdims=True)).astype(float)
    chances = np.where(random.random((tree.sets, 1)) < sure, best, chances)
    return chances / chances.sum(axis=1, keepdims=True)


def assert_agrees(name: str, chances: np.ndarray) -> None:
    """OpenSpiel values the same play in the same way."""
    pairs, found = pairs_of(name), exploited(tree_of(name), chances)
    theirs = pairs.named(chances)
    policy = pyspiel.TabularPolicy(theirs)
    start = pairs.game.new_initial_state()
    assert found.values == pytest.approx(pyspiel.expected_returns(start, policy, -1, True), abs=NEAR)
    responses = [pyspiel.TabularBestResponse(pairs.game, seat, theirs).value(start.history_str()) for seat in (0, 1)]
    assert found.responses == pytest.approx(responses, abs=NEAR)
    assert sum(found.gains) == pytest.approx(pyspiel.nash_conv(pairs.game, theirs), abs=NEAR)
    assert found.exploitability == pytest.approx(pyspiel.exploitability(pairs.game, theirs), abs=NEAR)


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=pytest.mark.slow)])
def test_random_play_is_valued_as_by_open_spiel(name):
    assert_agrees(name, uniform(tree_of(name)))
    known = {"kuhn": 11 / 24, "leduc": 4.747222222222222 / 2}  # Kuhn's by hand, in tests of that game
    assert exploited(tree_of(name), uniform(tree_of(name))).exploitability == pytest.approx(known[name], abs=NEAR)


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sure", [0.0, 0.4, 1.0])
def test_any_play_is_valued_as_by_open_spiel(name, seed, sure):
    assert_agrees(name, any_play(tree_of(name), seed, sure))


@given(some.lists(some.floats(0, 1), min_size=12, max_size=12))
@settings(max_examples=40, deadline=None)
def test_any_table_of_kuhn_poker_is_valued_as_by_open_spiel(bets):
    tree = tree_of("kuhn")
    table = resolve(tree.game, "random").params.copy()
    table[:] = bets
    assert_agrees("kuhn", chances_of(tree, tree.game.players.policy("table"), table))


@pytest.mark.parametrize("name", GAMES)
def test_players_of_different_tables_meet(name):
    tree, pairs = tree_of(name), pairs_of(name)
    plays = [any_play(tree, 5), any_play(tree, 6)]
    both = [pyspiel.TabularPolicy(pairs.named(play)) for play in plays]
    start = pairs.game.new_initial_state()
    expected = pyspiel.expected_returns(start, both, -1, True)
    assert value(tree, seated(tree, plays)) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize("name", GAMES)
def test_a_best_response_plays_as_it_is_valued(name):
    tree = tree_of(name)
    play = any_play(tree, 8)
    for seat in (0, 1):
        worth, response = best_response(tree, play, seat)
        assert value(tree, response)[seat] == pytest.approx(worth, abs=NEAR)
        others = tree.owner != seat
        assert (response[others] == play[others]).all()
        assert (response[~others].max(axis=1) == 1).all()  # it draws no lots
        assert (response[~tree.legal] == 0).all()
        for seed in range(20):
            other = seated(tree, [any_play(tree, seed) if each == seat else play for each in (0, 1)])
            assert value(tree, other)[seat] <= worth + NEAR


# --- three seats, against all ways to respond ---

Three = record_type([("card", np.int8, 3), ("step", np.int8), ("bet", np.int8), ("rules", np.int16)])


@kernel
def three_to_move(state):
    return int(state.step) % 3 if state.step < 4 else -1


@kernel
def three_legal(state, mask):
    mask[0] = np.uint64(3 if state.step < 4 else 0)


@kernel
def three_apply(state, action):
    if action == 1:
        state.bet |= np.int8(1) << state.step
    state.step += 1


@kernel
def three_scores(state, out):
    """Any numbers that depend on all, and do not add up to 0."""
    for seat in range(3):
        number = int(state.card[seat]) * 7 + int(state.card[(seat + 1) % 3]) * 3 + int(state.bet) * (seat + 2) * 5
        out[seat] = float(number * number % 11)


@kernel
def three_hide(state, seat):
    for each in range(3):
        if each != seat:
            state.card[each] = -1


def three_seats() -> Tree:
    """Three cards of two kinds; seats 0, 1, 2 and 0 again choose, and all see it."""
    kuhn = games.find("kuhn")
    kernels = replace(
        kuhn.kernels, to_move=three_to_move, legal=three_legal, apply=three_apply, scores=three_scores, hide=three_hide
    )

    def deals(blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        cards = sorted(set(permutations((0, 0, 1))))
        tables = np.zeros(len(cards), Three)
        tables["card"] = cards
        return np.array([0.5, 0.3, 0.2]), tables

    game = replace(kuhn, name="three", seats=3, kernels=kernels, chance=Chance(deals, None, 0))  # type: ignore[arg-type]
    return write_out(game, kuhn.rulebook.make())


def test_a_best_response_among_three_is_the_best_of_all_ways_to_play():
    tree = three_seats()
    play = any_play(tree, 2)
    for seat, sets in ((1, 4), (2, 8)):  # seat 0 has 2 + 16 information sets: too many ways to try
        rows = np.flatnonzero(tree.owner == seat)
        assert len(rows) == sets
        best = -np.inf
        for actions in product((0, 1), repeat=len(rows)):
            tried = play.copy()
            tried[rows] = np.eye(2)[list(actions)]
            best = max(best, value(tree, tried)[seat])
        assert best_response(tree, play, seat)[0] == pytest.approx(best, abs=NEAR)
    assert len(exploited(tree, play).gains) == 3
    assert min(exploited(tree, play).gains) > 0


def test_a_best_response_that_decides_twice_is_the_best_of_all_ways_to_play():
    """Seat 0 decides twice; with the cards of the others known to be alike, it has few ways."""
    tree = three_seats()
    play = any_play(tree, 4)
    rows = np.flatnonzero(tree.owner == 0)
    assert sorted(tree.depth[rows].tolist()) == [0] * 2 + [1] * 16
    worth = best_response(tree, play, 0)[0]
    best = 0.0
    for card in (0, 1):  # what is best with one card has nothing to do with the other
        own = [row for row in rows if tree.views[row]["card"][0] == card]
        first = next(row for row in own if tree.depth[row] == 0)
        found = -np.inf
        for action in (0, 1):
            tried = play.copy()
            tried[first] = np.eye(2)[action]
            for row in own:  # the last decisions each on their own, by trying both
                if row != first:
                    ways = []
                    for last in (0, 1):
                        tried[row] = np.eye(2)[last]
                        ways.append(value(tree, tried)[0])
                    tried[row] = np.eye(2)[int(np.argmax(ways))]
            found = max(found, _part(tree, tried, card))
        best += found
    assert worth == pytest.approx(best, abs=NEAR)


def _part(tree: Tree, play: np.ndarray, card: int) -> float:
    """What seat 0 gets in the deals that give it a card."""
    deals = np.array([tree.views[tree.information_set[deal]]["card"][0] == card for deal in range(3)])
    return float((tree.deal_chances * deals) @ tree.up(play, tree.scores[:, 0])[:3])


# --- players ---


def test_tables_are_read_by_their_numbers():
    """Whatever a table says, the chances of its player are those of the legal actions, scaled."""
    tree = tree_of("leduc")
    chance, policy = tree.game.chance, tree.game.players.policy("table")
    assert chance is not None
    table = np.random.default_rng(1).random((288, 2)) / 2
    found = chances_of(tree, policy, policy.parameters("", table.ravel()))
    for number, (view, seat) in enumerate(zip(tree.views, tree.owner, strict=True)):
        call, raising = table[chance.information_set(view, int(seat))]
        expected = np.array([1 - call - raising, call, raising]) * tree.legal[number]
        assert found[number] == pytest.approx(expected / expected.sum(), abs=1e-12)


@pytest.mark.slow
def test_networks_tell_their_chances():
    tree = tree_of("leduc")
    game, policy = tree.game, tree.game.players.policy(NETWORK)
    size = size_of(game.spaces.observation.size, 4, 1, 4)
    for seed, temperature in ((1, 1.0), (2, 0.0)):
        weights = np.random.default_rng(seed).normal(size=size)
        params = parameters_of(game, f"{variant_of(4, 1, 1.0, 'score')}+temperature={temperature}", weights)
        found = chances_of(tree, policy, params)
        assert found.sum(axis=1) == pytest.approx(1, abs=1e-6)
        assert (found[~tree.legal] == 0).all()
        assert (found.max(axis=1) == 1).all() == (temperature == 0)
        assert_agrees("leduc", found / found.sum(axis=1, keepdims=True))


def test_a_search_player_does_not_tell_its_chances():
    tree = tree_of("kuhn")
    with pytest.raises(Problem, match="pimc of kuhn does not tell its chances"):
        chances_of(tree, tree.game.players.policy("pimc"), np.zeros(0))
