"""Work on a cluster: the same results as on one machine, also when a worker is killed; refusals in one line."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tefuda
from tefuda.errors import Problem
from tefuda.kernel.cluster import Cluster, cluster_at, do_piece

pytestmark = pytest.mark.full


@dataclass(frozen=True)
class Squares:
    """The square of every number of a piece. The worker of one piece kills itself, once."""

    folder: Path
    deadly: int = -1

    def made(self) -> Callable[[int, int], list[int]]:
        def work(first: int, last: int) -> list[int]:
            mark = self.folder / "killed"
            if first == self.deadly and not mark.exists():
                mark.write_text("once")
                os.kill(os.getpid(), signal.SIGKILL)
            return [number * number for number in range(first, last)]

        return work


@dataclass(frozen=True)
class Failing:
    def made(self) -> Callable[[int, int], None]:
        raise Problem("this machine lacks something")


@pytest.fixture(scope="module")
def cluster():
    """Two workers on this machine. They import the tests from the root of the project."""
    before = os.environ.get("PYTHONPATH")
    places = [str(tefuda.FOLDER.parent), str(tefuda.FOLDER.parents[1]), before or ""]
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    with Cluster("local", 2) as found:
        yield found
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


def test_results_come_in_order(cluster, tmp_path):
    pieces = [(first, first + 3) for first in range(0, 60, 3)]
    found = list(cluster.run(Squares(tmp_path), pieces))
    assert [(first, last) for first, last, _ in found] == pieces
    assert [number for _, _, piece in found for number in piece] == [number * number for number in range(60)]


def test_the_piece_of_a_killed_worker_is_done_again(cluster, tmp_path):
    found = list(cluster.run(Squares(tmp_path, deadly=12), [(first, first + 3) for first in range(0, 30, 3)]))
    assert (tmp_path / "killed").exists()
    assert [number for _, _, piece in found for number in piece] == [number * number for number in range(30)]


def test_a_match_is_the_same_as_on_one_machine(cluster):
    game = tefuda.game("kuhn")
    from tefuda.arena.match import match

    here = match(game, ["equilibrium", "pimc/worlds=5"], deals=120, seed=4)
    there = match(game, ["equilibrium", "pimc/worlds=5"], deals=120, seed=4, cluster=cluster)
    assert np.array_equal(here.scores, there.scores)
    assert here.decisions == there.decisions
    assert here.rows == there.rows


def test_a_failure_of_a_worker_is_one_line(cluster):
    with pytest.raises(Problem, match="this machine lacks something"):
        list(cluster.run(Failing(), [(0, 1)]))


def test_players_of_ones_own_are_refused(cluster):
    class First:
        def act(self, view):
            return view.legal[0]

    from tefuda.arena.match import match

    with pytest.raises(Problem, match="only compiled players can"):
        match(tefuda.game("kuhn"), [First, "random"], deals=2, cluster=cluster)


def test_no_cluster_answers():
    command = [sys.executable, "-m", "tefuda", "match", "kuhn", "random", "random", "--ray", "127.0.0.1:1"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("tefuda: no cluster answers at 127.0.0.1:1")
    assert len(ended.stderr.splitlines()) == 1


def test_without_an_address_there_is_no_cluster():
    with cluster_at(None) as none:
        assert none is None


def test_a_worker_keeps_what_it_made(tmp_path):
    import pickle

    task = pickle.dumps(Squares(tmp_path))
    assert do_piece(task, 0, 3) == [0, 1, 4]
    assert do_piece(task, 3, 4) == [9]
