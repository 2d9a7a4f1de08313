"""The player that goes for so many han: its choices by chances that are reckoned here."""

import math

import numpy as np
import pytest

from tefuda.engine.network import size_of
from tefuda.errors import Problem
from tefuda.files.policy import load_for
from tefuda.games.mahjong import actions
from tefuda.games.mahjong.paper import groups, hands, inputs
from tefuda.games.mahjong.paper.features import ACTIVE
from tefuda.games.mahjong.players import han, han_network
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
@pytest.mark.parametrize("model", ["multi-class", "ordered"])
def test_chances_are_those_that_the_model_means(model):
    """By softmax or sigmoid; where an ordered model contradicts itself, the lower number of han is as likely."""
    rng = np.random.default_rng(5)
    outputs = han.OUTPUTS[model]
    weights = rng.integers(-900, 900, (groups.SIZE, outputs))
    params = han.parameters(model, weights.ravel())
    active, sums, out = np.zeros(ACTIVE + 1, np.int64), np.zeros(5, np.int64), np.zeros(5)
    contradicted = 0
    for _ in range(50):
        listed = rng.integers(0, groups.SIZE, 4)
        active[:4], active[ACTIVE] = listed, 4
        han.han_chances(params, active, sums, out)
        total = weights[listed].sum(axis=0)
        if model == "multi-class":
            wanted = softmax(total)
        else:
            at_least = 1 / (1 + np.exp(-total / han.SCALE))
            raised = np.maximum.accumulate(at_least[::-1])[::-1]
            contradicted += bool((raised != at_least).any())
            wanted = np.diff(1 - raised, prepend=0.0, append=1.0)
        np.testing.assert_allclose(out, wanted, atol=0.004)
        assert out.min() >= 0
        assert math.isclose(out.sum(), 1.0, abs_tol=1e-9)
    assert contradicted > 10 or model == "multi-class"


@pytest.mark.slow
@pytest.mark.parametrize("target", [1, 4])
def test_the_network_takes_the_candidate_with_the_best_chance(target):
    rng = np.random.default_rng(7)
    weights = rng.normal(0, 0.1, size_of(inputs.INPUTS, 16, 1, 5)).astype(np.float32)
    params = han_network.parameters(f"units=16+blocks=1+target={target}", weights)
    numbers, bits = np.zeros(han_network.NUMBERS), np.ones(1, np.uint64)
    walk, compared = Walk(11), 0
    for _ in range(40):
        view, seat = walk.view()
        mask = walk.mask.copy()
        legal = legal_actions(GAME, walk.states)
        chosen = int(han_network.choose(view[0], seat, params, bits, walk.mask, view, numbers))
        assert chosen in legal
        if len(legal) > 1 and not {actions.TSUMO, actions.RON, actions.RIICHI} & set(legal):
            walk.mask[:] = mask
            codes, chances = walk.codes(view, seat), []
            for code in codes:
                walk.features(view, seat, code)
                plain = np.zeros(inputs.BYTES, np.uint8)
                inputs.write_bytes(walk.work, plain)
                logits = by_numpy(steps_of(plain), weights, 16, 1)
                powers = np.exp(logits - logits.max())
                chances.append(powers[target:].sum() / powers.sum())
            taken = [chances[i] for i, code in enumerate(codes) if int(hands.action_of(view[0], mask, code)) == chosen]
            assert math.isclose(max(taken), max(chances), rel_tol=1e-4)
            compared += 1
        if not walk.go():
            break
    assert compared > 10


def steps_of(plain: np.ndarray) -> np.ndarray:
    """Inputs by a second way: as many ones as each number says."""
    return np.concatenate([np.arange(steps) < number for number, steps in zip(plain, inputs.STEPS, strict=True)])


def by_numpy(x: np.ndarray, weights: np.ndarray, units: int, blocks: int) -> np.ndarray:
    """A residual network written out."""
    sizes = [(len(x), units), *[(units, units)] * blocks, (units, 5)]
    layers, start = [], 0
    for before, after in sizes:
        matrix = weights[start : start + before * after].reshape(before, after)
        layers.append((matrix, weights[start + before * after : start + (before + 1) * after]))
        start += (before + 1) * after
    hidden = x @ layers[0][0] + layers[0][1]
    for matrix, bias in layers[1:-1]:
        hidden = hidden + np.maximum(hidden, 0) @ matrix + bias
    return np.maximum(hidden, 0) @ layers[-1][0] + layers[-1][1]


@pytest.mark.slow
def test_shipped_models_are_small_and_say_what_made_them():
    """All of them are read, and all files of mahjong together stay under 24 MB."""
    files = [path for folder in ("policies", "models") for path in (GAME.folder / folder).glob("*.npz")]
    assert sum(path.stat().st_size for path in files) < 24_000_000
    for name, model in (("mcp-tsumogiri", "multi-class"), ("mcp", "multi-class"), ("bcp", "ordered")):
        card, weights = load_for(GAME, GAME.folder / "policies" / f"{name}.npz")
        assert (card.variant, len(weights)) == (model, groups.SIZE * han.OUTPUTS[model])
        assert card.arguments["positions"] > 4_000_000
    for name in ("han-network", "han-network-tsumogiri"):
        card, weights = load_for(GAME, GAME.folder / "policies" / f"{name}.npz")
        assert len(weights) == size_of(inputs.INPUTS, 256, 2, 5)


@pytest.mark.slow
def test_wrong_weights_and_variants_are_refused():
    right = np.zeros(groups.SIZE * 4)
    assert han.parameters("ordered", right)[0] == han.TARGET
    for variant, weights in (("", right), ("multi-class", right), ("ordered+target=5", right), ("linear", right)):
        with pytest.raises(Problem):
            han.parameters(variant, weights)
    with pytest.raises(Problem, match="32767"):
        han.parameters("ordered", right + 40_000)
    for variant in ("", "units=16", "units=16+blocks=1+target=0", "units=9999+blocks=1"):
        with pytest.raises(Problem):
            han_network.parameters(variant, np.zeros(10))
