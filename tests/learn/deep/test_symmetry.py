"""Weights that are tied where parts of a game can be exchanged, and playing for places."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import Learning, Symmetry
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel

torch = pytest.importorskip("torch")

from tefuda.learn.deep.common import goal_of  # noqa: E402
from tefuda.learn.deep.network import NetworkShape, forward  # noqa: E402
from tefuda.learn.deep.symmetry import Ties, tied_places, ties_of  # noqa: E402
from tefuda.learn.self_play import Arguments, SelfPlay  # noqa: E402

KUHN, MAHJONG = games.find("kuhn"), games.find("mahjong")
CPU = torch.device("cpu")
SMALL = Arguments(decisions=2048, units=8, blocks=1, lanes=16, steps=8, batch=64, rate=0.01, rate_end=0.001)
# The first three inputs of Kuhn poker are not alike; but their weights can be tied all the same.
CARDS = Symmetry(np.arange(3)[:, None], np.zeros((3, 0), np.int64))
TIED = replace(KUHN, learning=Learning(symmetry=CARDS))


def test_a_tied_network_sees_exchanged_suits_as_the_same_in_another_order():
    symmetry, spaces = MAHJONG.learning.symmetry, MAHJONG.spaces
    shape = NetworkShape(spaces.observation.size, 21, 2, spaces.actions.size)
    ties, random = ties_of(shape, MAHJONG.learning.symmetry), np.random.default_rng(1)
    plain = random.normal(size=shape.size).astype(np.float32) / 10
    observation = torch.from_numpy(random.normal(size=(3, spaces.observation.size)).astype(np.float32))
    for flat, same in ((ties.copy(plain), True), (plain, False)):
        logits, value = forward(shape.parts(torch.from_numpy(flat)), observation)
        for order in list(permutations(range(3)))[1:]:
            there, actions = np.arange(shape.inputs), np.arange(spaces.actions.size)
            there[symmetry.observation] = symmetry.observation[list(order)]
            actions[symmetry.actions] = symmetry.actions[list(order)]
            moved = torch.empty_like(observation)
            moved[:, there] = observation
            other, other_value = forward(shape.parts(torch.from_numpy(flat)), moved)
            assert torch.allclose(other[:, actions], logits, atol=1e-4) == same
            assert torch.allclose(other_value, value, atol=1e-4) == same


def test_the_mean_is_taken_over_all_mirror_images_and_nothing_else():
    symmetry = Symmetry(np.array([[0], [1], [2]]), np.array([[0], [1], [2]]))
    shape = NetworkShape(4, 5, 0, 3)  # units: one for each of the three, two for none
    flat = torch.arange(shape.size, dtype=torch.float32)
    Ties(tied_places(shape, symmetry), CPU).mean(flat)
    (matrix, bias), (last, last_bias) = shape.parts(flat)
    before = torch.arange(20, dtype=torch.float32).reshape(4, 5)
    own, other = before[[0, 1, 2], [0, 1, 2]].mean(), before[[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1]].mean()
    assert torch.equal(matrix[:3, :3], torch.where(torch.eye(3) > 0, own, other))
    assert torch.equal(matrix[:3, 3], before[:3, 3].mean().expand(3))
    assert torch.equal(matrix[3, :3], before[3, :3].mean().expand(3))
    assert torch.equal(matrix[3, 3:], before[3, 3:])
    assert bias[:3].unique().numel() == 1
    assert bias[3] != bias[4]
    assert last[3].unique().numel() == 2  # three actions, and the value
    assert last_bias[:3].unique().numel() == 1


def learner(game, initial=None, **changes) -> SelfPlay:
    return SelfPlay(game, [game.rulebook.make()], None, replace(SMALL, **changes), 3, CPU, 1, initial)


@pytest.mark.slow
def test_tied_weights_stay_the_same_while_others_learn():
    run = learner(TIED)
    assert run.ties is not None
    begun = run.weights.detach().clone()
    run.advance()
    for flat in (run.weights.detach(), run.mean, *run.moments):
        (matrix, _), *_ = run.shape.parts(flat)
        unit = run.shape.units // 4
        assert torch.equal(matrix[0, 3 * unit :], matrix[2, 3 * unit :])  # from an input to units of none
        assert torch.equal(matrix[0, :unit], matrix[1, unit : 2 * unit])  # from an input to its own
    assert not torch.equal(run.weights.detach(), begun)


@pytest.mark.slow
def test_a_network_without_ties_goes_on_without():
    free = np.random.default_rng(2).normal(size=learner(KUHN).shape.size).astype(np.float32)
    assert learner(TIED, free).ties is None
    assert learner(TIED, symmetric=False).ties is None
    assert learner(KUHN).ties is None
    tied = learner(TIED).ties.copy(free)
    assert learner(TIED, tied).ties is not None
    assert np.array_equal(learner(TIED, tied).weights.detach().numpy(), tied)


# --- playing for places ---


kuhn_scores = KUHN.kernels.scores


@kernel
def twice(state, out):
    kuhn_scores(state, out)
    for seat in range(2):
        out[seat] *= 2.0


def test_who_plays_for_places_needs_a_game_that_tells_them():
    with pytest.raises(Problem, match="kuhn tells no expected places"):
        goal_of(KUHN, KUHN.rulebook.make(), "place")
    assert goal_of(MAHJONG, MAHJONG.rulebook.make("hanchan"), "place") == "place"
    assert goal_of(MAHJONG, MAHJONG.rulebook.make("hand"), "place") == "score"


@pytest.mark.slow
def test_the_reward_of_a_place_is_what_the_expected_place_gains():
    game = replace(KUHN, learning=Learning(places=twice))
    runs = []
    for chosen, goal in ((KUHN, 0), (game, 2)):
        run = learner(chosen)
        blanks, _, _, *others = run.actors.lanes.setting
        run.actors.lanes.setting = (blanks, np.array([goal]), np.array([1.0]), *others)
        run.advance()
        runs.append(run.window.rewards.clone())
    assert torch.equal(2 * runs[0], runs[1])
    assert runs[0].abs().sum() > 0
