"""The player that goes for so many han: its choices by chances that are reckoned here."""

import math

import numpy as np
import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong import actions
from tefuda.games.mahjong.paper import groups, hands
from tefuda.games.mahjong.players import han
from tefuda.table.table import legal_actions
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.paper.test_policy import Walk


def softmax(sums: np.ndarray) -> np.ndarray:
    powers = np.exp((sums - sums.max()) / han.SCALE)
    return powers / powers.sum()


@pytest.mark.slow
@pytest.mark.parametrize(("model", "target"), [("multi-class", 1), ("multi-class", 3), ("ordered", 2), ("ordered", 4)])
def test_it_takes_the_candidate_with_the_best_chance(model, target):
    rng = np.random.default_rng(3)
    outputs = han.OUTPUTS[model]
    weights = rng.integers(-200, 200, groups.SIZE * outputs)
    params = han.parameters(f"{model}+target={target}", weights)
    numbers, bits = np.zeros(han.NUMBERS), np.ones(1, np.uint64)
    walk, compared = Walk(11), 0
    for _ in range(80):
        view, seat = walk.view()
        mask = walk.mask.copy()
        legal = legal_actions(GAME, walk.states)
        chosen = int(han.choose(view[0], seat, params, bits, walk.mask, view, numbers))
        assert chosen in legal
        if len(legal) > 1 and not {actions.TSUMO, actions.RON, actions.RIICHI} & set(legal):
            walk.mask[:] = mask
            codes = walk.codes(view, seat)
            rows = [weights.reshape(-1, outputs)[walk.features(view, seat, code)].sum(axis=0) for code in codes]
            values = [softmax(row)[target:].sum() if model == "multi-class" else row[target - 1] for row in rows]
            taken = [code for code in codes if int(hands.action_of(view[0], mask, code)) == chosen]
            best = max(values[codes.index(code)] for code in taken)
            assert math.isclose(best, max(values), rel_tol=0.02, abs_tol=1e-4)
            compared += 1
        if not walk.go():
            break
    assert compared > 20


@pytest.mark.slow
def test_wrong_weights_and_variants_are_refused():
    right = np.zeros(groups.SIZE * 4)
    assert han.parameters("ordered", right)[0] == han.TARGET
    for variant, weights in (("", right), ("multi-class", right), ("ordered+target=5", right), ("linear", right)):
        with pytest.raises(Problem):
            han.parameters(variant, weights)
    with pytest.raises(Problem, match="32767"):
        han.parameters("ordered", right + 40_000)
