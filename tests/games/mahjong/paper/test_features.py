"""The features of the paper's one-player policy: the table of groups, and the kernels against a second reading."""

import numpy as np
import pytest

from tefuda.games.mahjong.actions import KAN, PASS, TSUMO
from tefuda.games.mahjong.paper import groups, hands
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.kernel.random import CHECK, DEAL, below, stream
from tefuda.table.table import legal_actions
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.paper.witness_features import hand_after, reading
from tests.games.mahjong.recorded import eager

PRINTED_TWICE = 6400  # "outside hand" stands in table 2 twice: a copy could say nothing new


def cut(group: groups.Group, values: tuple[int, ...]) -> int:
    """The index of some values inside a group, each cut to its size."""
    index = 0
    for (_, size), value in zip(group.sizes, values, strict=True):
        assert value >= 0
        index = index * size + min(value, size - 1)
    return index


def expected(states: np.ndarray, seat: int, code: int) -> dict[str, list[int]]:
    """The indices inside each group by the second reading."""
    found = reading(hand_after(states, seat, code))
    assert set(found) == {group.name for group in groups.GROUPS}
    by_name = {group.name: group for group in groups.GROUPS}
    return {
        name: sorted(cut(by_name[name], each) if isinstance(each, tuple) else int(each) for each in values)
        for name, values in found.items()
    }


def listed(view: np.ndarray, seat: int, code: int, work: np.ndarray) -> dict[str, list[int]]:
    """The same by the kernels."""
    active = np.zeros(ACTIVE + 1, np.int64)
    number = features(view[0], seat, code, work, active)
    assert number < ACTIVE
    found: dict[str, list[int]] = {group.name: [] for group in groups.GROUPS}
    for feature in active[:number].tolist():
        group = groups.GROUPS[int(np.searchsorted(groups.OFFSETS, feature, side="right")) - 1]
        found[group.name].append(feature - int(groups.OFFSETS[groups.group(group.name)]))
    return {name: sorted(indices) for name, indices in found.items()}


def compare_decisions(seed: int, decisions: int, every: int, candidates: int) -> tuple[int, set[int]]:
    """Compare candidates of some decisions of a game in which calls are frequent; returns how many, and what was
    done in them."""
    rules = GAME.rulebook.make("tonpuu")
    states = GAME.blank(rules)
    GAME.kernels.deal(states[0], np.array([stream(seed, 0, 0, DEAL)], np.uint64))
    bits = np.array([stream(seed, 0, 0, CHECK)], np.uint64)
    policy = GAME.players.policy("shanten")
    numbers, none = np.zeros(policy.numbers), np.zeros(0)
    mask, work = np.zeros(2, np.uint64), np.zeros(hands.SIZE, np.int64)
    compared, done = 0, set()
    for number in range(decisions):
        seat = int(GAME.kernels.to_move(states[0]))
        if seat < 0:
            break
        view = states.copy()
        GAME.kernels.hide(view[0], seat)
        GAME.kernels.legal(view[0], mask)
        legal = legal_actions(GAME, states)
        rare = any(KAN <= action < TSUMO for action in legal) or (PASS in legal and len(legal) > 1)
        if number % every == 0 or rare:
            rows = int(hands.list_candidates(view[0], seat, mask, work))
            codes = work[hands.CODES : hands.CODES + rows].tolist()
            for _ in range(min(candidates, rows)):
                code = codes[int(below(bits, rows))]
                assert listed(view, seat, code, work) == expected(states, seat, code), (seed, number, code)
                compared += 1
                done.add(code // 64)
        action = eager(legal, bits)
        if number % 3 and PASS not in legal:
            action = int(policy.choose(view[0], seat, none, bits, mask, states, numbers))
        GAME.kernels.apply(states[0], action)
    return compared, done


def test_the_groups_have_the_dimensions_of_the_paper():
    """All lines multiply to what is printed, but for one; without the copy of a line there are 6,488,945 features."""
    different = [group.name for group in groups.GROUPS if group.size != group.printed]
    assert different == ["each dora"]
    assert sum(group.printed for group in groups.GROUPS) + PRINTED_TWICE == 6_498_161
    assert sum(group.size for group in groups.GROUPS) == groups.SIZE == 6_498_161 - 6400 - (6400 - 3584)


@pytest.mark.slow
def test_the_kernels_agree_with_a_second_reading():
    compared, done = 0, set()
    for seed in (1, 2, 3):
        number, found = compare_decisions(seed, 150, 12, 2)
        compared, done = compared + number, done | found
    assert compared > 60
    assert len(done) >= 6


@pytest.mark.full
def test_the_kernels_agree_with_a_second_reading_of_many_hands():
    compared, done = 0, set()
    for seed in range(100, 120):
        number, found = compare_decisions(seed, 300, 12, 2)
        compared, done = compared + number, done | found
    assert compared > 1000
    assert done == set(range(8))
