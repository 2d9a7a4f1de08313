"""Networks that begin as a smaller one: they give the same answers, and all that is new in them can learn."""

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.network import parameters_of, variant_of
from tefuda.errors import Problem
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

torch = pytest.importorskip("torch")

from tefuda.learn.deep.network import NetworkShape, forward  # noqa: E402
from tefuda.learn.deep.players import begun_as  # noqa: E402
from tefuda.learn.deep.symmetry import runs_of, ties_of  # noqa: E402
from tefuda.learn.self_play import Arguments  # noqa: E402

MAHJONG = games.find("mahjong")


@pytest.mark.parametrize(("runs", "few", "many"), [(1, 8, 13), (4, 8, 16), (4, 9, 22), (3, 7, 8), (4, 3, 6)])
def test_a_wider_network_gives_the_answers_of_the_one_that_it_begins_as(runs, few, many):
    small, wide = NetworkShape(5, few, 2, 3), NetworkShape(5, many, 2, 3)
    random = np.random.default_rng(few)
    flat = random.normal(size=small.size).astype(np.float32)
    seen = torch.from_numpy(random.normal(size=(6, 5)).astype(np.float32))
    known = forward(small.parts(torch.from_numpy(flat)), seen)
    answers = forward(wide.parts(torch.from_numpy(wide.widened(small, flat, runs))), seen)
    for found, wanted in zip(answers, known, strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)


def test_each_weight_that_new_units_need_gets_a_gradient():
    """All of a new unit but what it hears from others that nobody listens to yet; that comes with the second step."""
    small, wide = NetworkShape(5, 8, 2, 3), NetworkShape(5, 12, 2, 3)
    flat = np.random.default_rng(1).normal(size=small.size).astype(np.float32)
    weights = torch.tensor(wide.widened(small, flat, 1), requires_grad=True)
    seen = torch.from_numpy(np.random.default_rng(2).normal(size=(64, 5)).astype(np.float32))
    logits, value = forward(wide.parts(weights), seen)
    (gradient,) = torch.autograd.grad((logits.square().sum() + value.square().sum()), weights)
    layers = wide.arrays(gradient.numpy())
    assert (layers[-1][0][8:] != 0).any(axis=1).all()  # all new units are asked by what comes out
    assert (layers[1][0][8:, :8] != 0).any(axis=1).all()  # and by the old units of the first block


def test_ties_hold_in_a_wider_network():
    symmetry, start = MAHJONG.learning.symmetry, resolve(MAHJONG, "champion", MAHJONG.rulebook.make("hanchan"))
    units = int(start.params[0]) + 8
    arguments, weights = begun_as(MAHJONG, start, Arguments(units=units))
    assert arguments.units == units
    shape = NetworkShape(MAHJONG.spaces.observation.size, units, arguments.blocks, MAHJONG.spaces.actions.size)
    assert runs_of(symmetry) == 4
    assert ties_of(shape, symmetry).hold(weights)
    _, known = begun_as(MAHJONG, start, Arguments())
    narrow = NetworkShape(shape.inputs, units - 8, shape.blocks, shape.actions)
    seen = torch.ones(1, shape.inputs)
    for found, wanted in zip(
        forward(shape.parts(torch.from_numpy(weights)), seen), forward(narrow.parts(torch.from_numpy(known)), seen),
        strict=True,
    ):  # fmt: skip
        torch.testing.assert_close(found, wanted, rtol=1e-3, atol=1e-2)


def test_a_run_does_not_begin_as_a_narrower_network():
    start = resolve(MAHJONG, "champion", MAHJONG.rulebook.make("hanchan"))
    with pytest.raises(Problem, match=r"units is 32, but champion has [0-9]+: leave it out, or name more"):
        begun_as(MAHJONG, start, Arguments(units=32))


@pytest.mark.parametrize(("few", "many", "named"), [(7, 8, 10), (7, 12, 13), (3, 4, 6)])
def test_the_last_run_of_a_wider_network_needs_room_for_its_units(few, many, named):
    """Seven units are three runs of one, and four that belong to no suit; of eight only two belong to none."""
    shape = NetworkShape(MAHJONG.spaces.observation.size, few, 1, MAHJONG.spaces.actions.size)
    policy = MAHJONG.players.policy("network")
    params = parameters_of(MAHJONG, variant_of(few, 1, 1.0, "score"), shape.initial(1))
    start = Entrant("narrow", policy, params)
    line = f"units is {many}, but narrow has {few} in 4 runs: name {named}, say"
    with pytest.raises(Problem, match=line):
        begun_as(MAHJONG, start, Arguments(units=many))
    assert begun_as(MAHJONG, start, Arguments(units=named))[0].units == named
