"""Games written out whole, beside OpenSpiel's; and what information sets are in games with secrets."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import Chance
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel, record_type
from tefuda.search import tree as trees
from tefuda.search.tree import END, write_out
from tests.search.witness_spiel import pairs_of, tree_of

pytestmark = pytest.mark.kernel

SIZES = {"kuhn": (6, 54, 12), "leduc": (120, 10_200, 936)}  # deals, positions, information sets


@pytest.mark.parametrize("name", ["kuhn", pytest.param("leduc", marks=pytest.mark.slow)])
def test_all_positions_are_those_of_open_spiel(name):
    tree, pairs = tree_of(name), pairs_of(name)
    deals, positions, sets = SIZES[name]
    assert (len(tree.deal_chances), len(tree.parent), tree.sets) == (deals, positions, sets)
    names: dict[int, str] = {}
    for position, state in enumerate(pairs.states):
        if state.is_terminal():
            assert tree.seat[position] == tree.information_set[position] == END
            assert tree.scores[position].tolist() == state.returns()
            continue
        number = tree.information_set[position]
        assert tree.seat[position] == tree.owner[number] == state.current_player()
        assert np.flatnonzero(tree.legal[number]).tolist() == state.legal_actions()
        assert tree.scores[position].tolist() == [0, 0]
        assert names.setdefault(number, state.information_state_string()) == state.information_state_string()
    assert len(names) == len(set(names.values())) == sets  # one of ours for each of theirs


@pytest.mark.parametrize("name", SIZES)
def test_every_deal_of_open_spiel_is_there_with_its_chance(name):
    tree, pairs = tree_of(name), pairs_of(name)
    assert tree.deal_chances.sum() == pytest.approx(1, abs=1e-12)
    chances: dict[tuple[int, ...], float] = {}
    for state, chance in zip(pairs.states[: len(tree.deal_chances)], tree.deal_chances, strict=True):
        dealt = tuple(state.history())
        chances[dealt] = chances.get(dealt, 0.0) + chance

    def walk(state, chance: float) -> None:
        if not state.is_chance_node():
            assert chances.pop(tuple(state.history())) == pytest.approx(chance, abs=1e-12)
            return
        for action, part in state.chance_outcomes():
            walk(state.child(action), chance * part)

    walk(pairs.game.new_initial_state(), 1.0)
    assert not chances


@pytest.mark.parametrize("name", SIZES)
def test_positions_lie_level_by_level_and_families_side_by_side(name):
    tree = tree_of(name)
    depth = np.zeros(len(tree.parent), int)
    for position, parent in enumerate(tree.parent):
        assert parent < position
        depth[position] = 0 if parent == END else depth[parent] + 1
    for number, level in enumerate(tree.levels):
        assert (depth[level] == number).all()
    assert (np.diff(tree.parent[tree.levels[1].start :]) >= 0).all()


@pytest.mark.parametrize("name", SIZES)
def test_sweeps_agree_with_recursion(name):
    tree = tree_of(name)
    chances = np.random.default_rng(3).random(tree.legal.shape) * tree.legal
    chances /= chances.sum(axis=1, keepdims=True)
    value = tree.up(chances, tree.scores)
    own, other = tree.own_part(chances, 1), tree.other_part(chances, 1)
    children: dict[int, list[int]] = {}
    for position, parent in enumerate(tree.parent.tolist()):
        children.setdefault(parent, []).append(position)

    def walk(position: int, mine: float, theirs: float) -> np.ndarray:
        assert own[position] == pytest.approx(mine, abs=1e-15)
        assert other[position] == pytest.approx(theirs, abs=1e-15)
        if tree.seat[position] == END:
            return tree.scores[position]
        total = np.zeros(2)
        for child in children[position]:
            chance = chances[tree.information_set[position], tree.action[child]]
            of_mine = tree.seat[position] == 1
            part = walk(child, mine * (chance if of_mine else 1), theirs * (1 if of_mine else chance))
            total = total + chance * part
        assert value[position] == pytest.approx(total, abs=1e-12)
        return total

    for deal, chance in enumerate(tree.deal_chances[:6]):
        walk(deal, 1.0, chance)


# --- a game with secrets: seat 0 lays a stone face down, once or twice; seat 1 then names a number ---

Stones = record_type([("stones", np.int8, 2), ("laid", np.int8), ("named", np.int8), ("rules", np.int16)])


@kernel
def stones_to_move(state):
    return -1 if state.named >= 0 else 1 if state.laid >= 2 else 0


@kernel
def stones_legal(state, mask):
    mask[0] = np.uint64(0 if state.named >= 0 else 3)


@kernel
def stones_apply(state, action):
    if state.laid < 2:
        state.stones[state.laid] = action
        state.laid = 2 if action == 0 else state.laid + 1  # who lays a 0 is done at once
    else:
        state.named = action


@kernel
def stones_scores(state, out):
    out[0] = out[1] = 0.0


@kernel
def stones_hide(state, seat):
    if seat == 1:
        state.stones[0] = 0
        state.stones[1] = 0
        if state.named < 0 and state.laid < 2:
            state.laid = 0


def stones(unheard: bool):
    """The game of stones, made from Kuhn poker by exchanging all that the writing out of a game reads."""
    kuhn = games.find("kuhn")
    kernels = replace(
        kuhn.kernels, to_move=stones_to_move, legal=stones_legal, apply=stones_apply, scores=stones_scores,
        hide=stones_hide,
    )  # fmt: skip
    spaces = replace(kuhn.spaces, secret=lambda states, seat, action: seat == 0, unheard=unheard)

    def deals(blank: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        tables = np.zeros(1, Stones)
        tables["named"] = -1
        return np.ones(1), tables

    chance = Chance(deals, None, 0)  # type: ignore[arg-type]
    return replace(kuhn, name="stones", kernels=kernels, spaces=spaces, chance=chance)


@pytest.mark.parametrize(("unheard", "sets"), [(True, 1), (False, 2)])
def test_secret_decisions_are_not_seen_and_may_not_even_be_heard(unheard, sets):
    """Seat 1 cannot tell stones apart; it can count them only where it hears that they are laid."""
    game = stones(unheard)
    tree = write_out(game, game.rulebook.make())
    assert len(tree.parent) == 1 + 2 + 2 + 2 + 4  # a stone, another or a number, numbers
    numbers = {int(each) for each in tree.information_set[tree.seat == 1]}
    assert len(numbers) == sets
    assert (tree.owner == 0).sum() == 2  # who lays a stone knows it
    assert (tree.depth[tree.owner == 0] == [0, 1]).all()


def test_nobody_forgets_what_was_seen():
    """The hidden copy of seat 0 blanks its own first stone: it has seen it all the same."""

    @kernel
    def forgetful(state, seat):
        stones_hide(state, seat)
        state.stones[0] = 0
        state.stones[1] = 0

    game = stones(unheard=True)

    @kernel
    def both_twice(state, action):
        if state.laid < 2:
            state.stones[state.laid] = action
            state.laid += 1
        else:
            state.named = action

    game = replace(game, kernels=replace(game.kernels, hide=forgetful, apply=both_twice))
    tree = write_out(game, game.rulebook.make())
    assert (tree.owner == 0).sum() == 1 + 2


def test_a_game_without_a_list_of_deals_is_told():
    game = games.find("koikoi")
    with pytest.raises(Problem, match="koikoi cannot be solved exactly: it does not list its deals"):
        write_out(game, game.rulebook.make())


def test_a_game_that_is_too_large_is_told(monkeypatch):
    monkeypatch.setattr(trees, "MOST", 5_000)
    game = games.find("leduc")
    with pytest.raises(Problem, match="leduc has more than 5,000 positions"):
        write_out(game, game.rulebook.make())


def test_a_seat_that_cannot_know_its_actions_is_told():
    kuhn = games.find("kuhn")

    @kernel
    def by_the_others_card(state, mask):
        mask[0] = np.uint64(3 if state.card[1] != 2 else 1)

    game = replace(kuhn, kernels=replace(kuhn.kernels, legal=by_the_others_card))
    with pytest.raises(Problem, match="seat 0 cannot know what it may do"):
        write_out(game, game.rulebook.make())


def test_numbers_of_information_sets_keep_apart_what_matters():
    """In Leduc poker 936 information sets have 288 numbers: suits mean nothing, all else does."""
    tree = tree_of("leduc")
    chance = tree.game.chance
    assert chance is not None
    found = {}
    for view, seat in zip(tree.views, tree.owner, strict=True):
        public = -1 if view["public"] < 0 else view["public"] // 2
        meaning = (seat, view["hand"][seat] // 2, public, tuple(view["step"].tolist()), int(view["finished"]))
        assert found.setdefault(int(chance.information_set(view, int(seat))), meaning) == meaning
    assert sorted(found) == list(range(288))
    assert len(set(found.values())) == 288
    ranks, steps = range(3), range(6)
    assert len(list(product(ranks, steps))) + 5 * len(list(product(ranks, ranks, steps))) == 288
