"""Policies by a table of chances: what is read, what is drawn, and which tables are refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tefuda import games
from tefuda.engine.tabular import look_up, with_tables
from tefuda.errors import Problem
from tefuda.kernel.random import CHECK, stream, unit

pytestmark = pytest.mark.kernel

LEDUC, KUHN = games.find("leduc"), games.find("kuhn")
rows = some.lists(some.floats(0, 1), min_size=2, max_size=2).map(lambda row: [each / max(1, sum(row)) for each in row])


def read(row, legal) -> np.ndarray:
    """The chances of three actions by a row of two."""
    params = np.concatenate([np.full(2, np.nan), row, np.full(2, np.nan)])  # nothing of its neighbours is read
    out = np.full(3, np.nan)
    look_up(params, 1, 3, np.array([sum(1 << action for action in legal)], np.uint64), out)
    return out


@given(rows, some.sets(some.integers(0, 2), min_size=1))
@settings(max_examples=200, deadline=None)
def test_chances_are_those_of_the_legal_actions(row, legal):
    found = read(row, legal)
    whole = np.array([1 - sum(row), *row])
    assert found.sum() == pytest.approx(1)
    assert all(found[action] == 0 for action in range(3) if action not in legal)
    total = sum(whole[action] for action in legal)
    if total > 1e-9:
        for action in legal:
            assert found[action] == pytest.approx(whole[action] / total, abs=1e-6)


def test_a_table_that_knows_no_legal_action_takes_the_lowest():
    assert read([0.0, 1.0], {0, 1}).tolist() == [1, 0, 0]
    assert read([0.0, 0.0], {1, 2}).tolist() == [0, 1, 0]


def test_rounding_gives_no_action_a_chance_below_0():
    assert read([0.5, 0.5 + 1e-7], {0, 1, 2})[0] == 0


def choices(name: str, params: np.ndarray, states: np.ndarray, draws: int) -> list[int]:
    """What a policy takes at a table, time and again."""
    game = games.find(name)
    room = np.zeros(1, game.State), np.zeros(game.spaces.actions.size)
    mask, seat = np.zeros(1, np.uint64), int(game.kernels.to_move(states[0]))
    game.kernels.legal(states[0], mask)
    choose = game.players.policy("table").choose
    return [
        choose(states[0], seat, params, np.array([stream(1, number, 3, CHECK)], np.uint64), mask, *room)
        for number in range(draws)
    ]


@pytest.mark.parametrize("chances", [[0.2, 0.3, 0.5], [0.0, 1.0, 0.0], [0.0, 0.25, 0.75], [1.0, 0.0, 0.0]])
def test_draws_are_by_chance(chances):
    states = LEDUC.blank()
    states["folded"], states["step"] = -1, (2, 0)  # seat 1 with a jack, after a bet: all is legal
    row = LEDUC.chance.information_set(states[0], 1)
    table = np.zeros((288, 2))
    table[row] = chances[1:]
    draws = 5_000
    counts = np.bincount(choices("leduc", table.ravel(), states, draws), minlength=3)
    assert counts == pytest.approx(np.array(chances) * draws, abs=4 * np.sqrt(draws / 4))
    assert all(count == 0 for count, chance in zip(counts, chances, strict=True) if chance == 0)


@pytest.mark.parametrize("chance", [0.0, 0.1, 1 / 3, 0.5, 0.9, 1.0])
def test_two_actions_are_drawn_as_kuhn_poker_always_has(chance):
    """The second action is taken where the next random number is below its chance: old matches stay as they were."""
    found = choices("kuhn", np.full(12, chance), KUHN.blank(), 300)
    expected = [int(unit(np.array([stream(1, number, 3, CHECK)], np.uint64)) < chance) for number in range(300)]
    assert found == expected


def test_tables_that_are_none_are_refused():
    policy = LEDUC.players.policy("table")
    assert policy.weights == 576
    fine = np.full(576, 1 / 3)
    assert policy.parameters("", fine).tolist() == fine.tolist()
    for wrong in (fine[1:], fine + 1, -fine, fine * np.nan, np.full(576, 0.51)):
        with pytest.raises(Problem, match="a table of leduc has 288 rows, each of 2 chances that add up to 1 at most"):
            policy.parameters("", wrong)
    with pytest.raises(Problem, match="takes no variant"):
        policy.parameters("bold", fine)
    with pytest.raises(Problem, match="takes no variant"):
        LEDUC.players.policy("random").parameters("bold", np.zeros(0))


def test_a_game_needs_numbers_of_information_sets():
    with pytest.raises(ValueError, match="koikoi has no part `chance`"):
        with_tables(games.find("koikoi"), {})
