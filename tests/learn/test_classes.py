"""Networks of classes: chances that can be counted, runs that go on, and the same answer from the kernel."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda.engine.network import forward, packed, scratch_of
from tefuda.errors import Problem
from tefuda.learn import position_files
from tefuda.learn.classes import Arguments, Fitting, offer, positions_of
from tefuda.learn.method import Task
from tests.learn.test_sampled import CHANCES, GAME, SAMPLED, piece

pytest.importorskip("torch")
STEPS = np.array([1, 2], np.uint8)  # the feature that is on, and one that always is
NETWORKED = replace(SAMPLED, steps=STEPS, network="random", most=3)


def fitting(passes: int = 3, **more) -> Fitting:
    found = piece(GAME, None, None, 4, 0, 6000)
    arguments = Arguments(passes=passes, units=8, blocks=1, batch=100, rate=0.02, **more)
    return Fitting(found.plain, found.came, STEPS, 3, arguments, seed=1)


def run(run_: Fitting) -> Fitting:
    while not run_.done:
        run_.advance()
    return run_


@pytest.mark.slow
def test_the_chances_are_those_of_the_classes_and_the_kernel_gives_the_same():
    found = run(fitting())
    params, space = packed([8, 1, 0, 0, 0], found.weights), np.zeros(2 * scratch_of(3, 3), np.float32)
    for feature, wanted in CHANCES.items():
        space[3:6] = [1.0 if feature else 0.0, 1.0, 1.0]
        forward(params, 3, 3, space)
        raised = np.exp(space[:3] - space[:3].max())
        np.testing.assert_allclose(raised / raised.sum(), wanted, atol=0.05)
    losses = [line[2] for line in found.lines]
    assert len(losses) == 3
    assert losses[-1] < np.log(3) - 0.1


@pytest.mark.slow
def test_an_interrupted_run_ends_as_an_uninterrupted_one_does():
    whole, part = run(fitting()), fitting()
    for number in range(part.total):
        part.advance()
        if number in (7, 60):
            again = fitting()
            again.restore({key: np.array(value) for key, value in part.state().items()})
            part = again
    np.testing.assert_array_equal(part.weights, whole.weights)
    assert part.lines == whole.lines


def test_positions_are_made_once_and_read_again(tmp_path, monkeypatch):
    pytest.importorskip("polars")
    monkeypatch.setattr(position_files, "PIECE", 200)
    offered = offer(replace(GAME, learning=replace(GAME.learning, sampled=NETWORKED)), GAME.rulebook.make())
    assert offered is not None
    task = Task(GAME, GAME.rulebook.make(), offered, Arguments(deals=500), 4, tmp_path, 1)
    numbers, came = positions_of(task, NETWORKED)
    wanted = piece(GAME, None, None, 4, 0, 500)
    np.testing.assert_array_equal(numbers, wanted.plain)
    np.testing.assert_array_equal(came, wanted.came)
    again = replace(task, arguments=Arguments(deals=500, positions=str(tmp_path / "positions")))
    np.testing.assert_array_equal(positions_of(again, NETWORKED)[0], numbers)


def test_what_cannot_be_meant_is_refused():
    for wrong in ({"units": 0}, {"deals": 1}, {"rate": 0.0}, {"passes": 0}):
        with pytest.raises(Problem):
            Arguments(**wrong).check()
    with pytest.raises(Problem, match="start has 5 weights"):
        Fitting(np.zeros((4, 2), np.uint8), np.zeros(4, np.int8), STEPS, 3, Arguments(), 1, begin_with=np.zeros(5))
