"""Sparse models of sampled positions, on Kuhn poker: chances that can be counted, and runs that go on."""

import os
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tefuda.contract import Learning, Sampled
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.kernel.random import LEARNER, below, stream
from tefuda.learn.method import Task
from tefuda.learn.sampled import Arguments, Sampling, check, offer, sampled_of
from tefuda.players.resolve import resolve

pytestmark = pytest.mark.kernel

CHANCES = {0: (0.8, 0.1, 0.1), 1: (0.1, 0.3, 0.6)}  # of the classes, by the feature that is on


def piece(game, player, opponent, seed, first, last, exploring="random"):
    """Every third number gives nothing; the others one of two features and a class by its chances. `second`: always the
    second feature."""
    numbers, rows, came = [], [], []
    for number in range(first, last):
        rng = np.array([stream(seed, number, 0, LEARNER)], np.uint64)
        which, lot = int(below(rng, 2)), int(below(rng, 10))
        which = 1 if exploring == "second" else which
        if number % 3:
            numbers.append(number)
            rows.append((which, 2, -1))
            came.append(int(np.searchsorted(np.cumsum(CHANCES[which]), lot / 10, side="right")))
    return SimpleNamespace(
        numbers=np.array(numbers, np.int64), rows=np.array(rows, np.int32).reshape(-1, 3),
        plain=np.array(rows, np.int32).reshape(-1, 3)[:, :2].astype(np.uint8), came=np.array(came, np.int8),
    )  # fmt: skip


SAMPLED = Sampled(
    "sampled", "random", size=3, largest=1000, scale=100, classes=("none", "some", "much"), player="random",
    opponent="random", piece=piece, ways=("random", "second"),
)  # fmt: skip
GAME = replace(find("kuhn"), learning=Learning(sampled=SAMPLED))


def sampling(threads: int = 1, **arguments) -> Sampling:
    player = resolve(GAME, "random")
    return Sampling(GAME, SAMPLED, Arguments(**arguments), 4, (player, player), threads)


def run(learning: Sampling, step: int = 500) -> Sampling:
    while not learning.done:
        learning.advance(step)
    return learning


@pytest.mark.parametrize("model", ["multi-class", "ordered"])
def test_the_chances_are_those_of_the_classes(model):
    learning = run(sampling(model=model, deals=6000, rate=0.3))
    assert learning.model.rows == 6000
    for feature, wanted in CHANCES.items():
        found = learning.model.chances(np.array([[feature, 2, -1]], np.int32))[0]
        np.testing.assert_allclose(found, wanted, atol=0.06)
    assert learning.whole.shape == (3 * (3 if model == "multi-class" else 2),)
    losses = [loss for _, loss in learning.curve()[1:]]
    assert np.mean(losses[-30:]) < np.mean(losses[:3])


def test_the_way_of_exploring_is_that_of_the_positions():
    """A way that leaves a feature out teaches nothing about it."""
    task = SimpleNamespace(game=GAME, arguments=Arguments(exploring="second", deals=2000))
    other = sampled_of(task)
    player = resolve(GAME, "random")
    learning = run(Sampling(GAME, other, task.arguments, 4, (player, player), 1))
    plain = run(sampling(deals=learning.arguments.deals))
    weights = learning.whole.reshape(3, -1)
    assert not weights[0].any()
    assert weights[1].any()
    assert plain.whole.reshape(3, -1)[0].any()
    with pytest.raises(Problem, match="way of exploring"):
        SAMPLED.exploring_by("seldom")


def test_the_split_and_the_threads_change_nothing():
    one = run(sampling(deals=1500))
    two = run(sampling(threads=2, deals=1500), step=417)
    np.testing.assert_array_equal(one.whole, two.whole)


def test_an_interrupted_run_ends_as_an_uninterrupted_one_does():
    whole = run(sampling(deals=1200), step=200)
    part = sampling(deals=1200)
    while not part.done:
        part.advance(200)
        again = sampling(deals=1200)
        again.restore({key: np.array(value) for key, value in part.state().items()})
        part = again
    np.testing.assert_array_equal(part.whole, whole.whole)
    assert part.curve() == whole.curve()


def test_what_cannot_be_meant_is_refused():
    for wrong in ({"model": "linear"}, {"deals": 0}, {"rate": 0.0}, {"squares": -1.0}):
        with pytest.raises(Problem):
            Arguments(**wrong).check()
    assert offer(find("leduc"), find("leduc").rulebook.make()) is None


def test_squares_to_begin_with_make_first_steps_smaller():
    """Adagrad divides a rate by the root of the squares: rare features then move less, and common ones hardly less."""
    plain, slower = (run(sampling(deals=60, squares=squares)).model.weights for squares in (0.0, 4.0))
    assert 0 < np.abs(slower).sum() < np.abs(plain).sum()
    again = sampling(deals=60, squares=4.0)
    begun = sampling(deals=60, squares=4.0)
    begun.advance(20)
    again.restore(begun.state())
    np.testing.assert_array_equal(run(again, 7).model.weights, slower)


class Lanes:
    """`piece` as a GPU gives it: a place for each number."""

    def __init__(self, game, player, opponent, lanes):
        self.lanes = lanes

    def play(self, seed, first):
        from tefuda.kernel.device import driver

        found = piece(GAME, None, None, seed, first, first + self.lanes)
        rows, came = np.full((self.lanes, 3), -1, np.int32), np.full(self.lanes, -1, np.int8)
        rows[found.numbers - first], came[found.numbers - first] = found.rows, found.came
        self.rows, self.came = driver().to_device(rows), driver().to_device(came)


SIMULATED = """
import numpy as np
from dataclasses import replace
from tests.learn.test_sampled import GAME, SAMPLED, Arguments, Lanes, Sampling, resolve, run, sampling
from tefuda.learn import sampled
sampled.LANES = 20
player = resolve(GAME, "random")
arguments = Arguments(deals=50, passes=2, rate=0.3)
def on_gpu():
    return Sampling(GAME, replace(SAMPLED, lanes=Lanes), arguments, 4, (player, player), 1, "cuda")
here, there = run(sampling(deals=50, passes=2, rate=0.3), 20), run(on_gpu(), 20)
assert np.array_equal(here.whole, there.whole) and here.whole.any()
assert there.curve() == here.curve()
begun, again = on_gpu(), on_gpu()
begun.advance(20)
again.restore(begun.state())
assert np.array_equal(run(again, 20).whole, here.whole)
"""


@pytest.mark.slow
def test_on_simulated_cuda_positions_go_straight_into_the_same_model():
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED], check=True, env=environment)


def test_files_are_refused_on_cuda_which_plays_its_positions(tmp_path):
    arguments = Arguments(positions=str(tmp_path))
    task = Task(GAME, GAME.rulebook.make(), offer(GAME, GAME.rulebook.make()), arguments, 1, tmp_path)
    assert check(task) is task
    with pytest.raises(Problem, match="leave out --arg positions"):
        check(replace(task, device="cuda"))
