"""Work on a cluster: the same results as on one machine, also when a worker or the driver is killed; refusals.

All of it stands in one file, since the cluster is started once for all: two workers on this machine.
"""

import json
import os
import pickle
import runpy
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tefuda
from tefuda.arena.exploit import measure
from tefuda.arena.match import match
from tefuda.arena.sending import Deals
from tefuda.errors import Problem
from tefuda.kernel.cluster import Cluster, cluster_at, run_pieces
from tefuda.learn import position_files
from tefuda.players.resolve import resolve
from tefuda.records.reviewing import Reviewing, review_all

KUHN = tefuda.game("kuhn")
KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"
full = pytest.mark.full


@dataclass(frozen=True)
class Squares:
    """The square of every number of a piece."""

    def __call__(self, first: int, last: int) -> list[int]:
        return [number * number for number in range(first, last)]


@dataclass(frozen=True)
class Failing:
    def __call__(self, first: int, last: int) -> None:
        raise Problem("this machine lacks something")


@dataclass(frozen=True)
class Deadly:
    """Some work. The worker of one piece kills itself before it, once."""

    work: Any
    mark: Path
    number: int

    def __call__(self, *piece: Any) -> Any:
        if piece[0] == self.number and not self.mark.exists():
            self.mark.write_text("once")
            os.kill(os.getpid(), signal.SIGKILL)
        return self.work(*piece)


class Killing:
    """A cluster, one of whose two workers dies in the middle of the work."""

    def __init__(self, cluster: Cluster, mark: Path, number: int) -> None:
        self.cluster, self.mark, self.number, self.cores = cluster, mark, number, cluster.cores

    def run(self, work: Any, pieces: Any, in_order: bool = True) -> Any:
        return self.cluster.run(Deadly(work, self.mark, self.number), pieces, in_order)


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


@full
def test_results_come_in_order_though_a_worker_is_killed(cluster, tmp_path):
    pieces = [(first, first + 3) for first in range(0, 60, 3)]
    found = list(Killing(cluster, tmp_path / "killed", 12).run(Squares(), pieces))
    assert (tmp_path / "killed").exists()
    assert [(first, last) for first, last, _ in found] == pieces
    assert [number for _, _, piece in found for number in piece] == [number * number for number in range(60)]
    as_they_come = list(cluster.run(Squares(), pieces, in_order=False))
    assert sorted(as_they_come) == found


@full
def test_a_match_is_the_same_as_on_one_machine(cluster):
    here = match(KUHN, ["equilibrium", "pimc/worlds=5"], deals=120, seed=4)
    there = match(KUHN, ["equilibrium", "pimc/worlds=5"], deals=120, seed=4, cluster=cluster)
    assert np.array_equal(here.scores, there.scores)
    assert here.decisions == there.decisions
    assert here.rows == there.rows


@full
def test_what_a_best_response_gains_is_the_same_as_on_one_machine(cluster, tmp_path):
    rules, (response, player) = KUHN.rulebook.make(), (resolve(KUHN, name) for name in ("equilibrium", "always-bet"))
    here, there = (
        measure(KUHN, rules, response, player, 150, 5, 1, where)
        for where in (None, Killing(cluster, tmp_path / "killed", 27))
    )
    assert (tmp_path / "killed").exists()
    assert here == there


@full
def test_a_failure_of_a_worker_is_one_line(cluster):
    with pytest.raises(Problem, match="this machine lacks something"):
        list(cluster.run(Failing(), [(0, 1)]))


@full
def test_players_of_ones_own_are_refused(cluster):
    class First:
        def act(self, view):
            return view.legal[0]

    with pytest.raises(Problem, match="only compiled players can"):
        match(KUHN, [First, "random"], deals=2, cluster=cluster)


@full
def test_files_of_positions_are_the_same_to_the_last_byte(cluster, tmp_path, monkeypatch):
    """A run that is stopped by a full disk goes on on the cluster behind the files that are there."""
    pytest.importorskip("polars")
    monkeypatch.setattr(position_files, "PIECE", 12)
    game = tefuda.game("mahjong")
    seats = resolve(game, "shanten"), resolve(game, "tsumogiri")

    def make(folder, deals, cluster):
        return position_files.make(game, game.learning.sampled, seats, 1, deals, folder, 1, "cpu", cluster)

    make(tmp_path / "here", 40, None)
    make(tmp_path / "there", 12, cluster)
    found = make(tmp_path / "there", 40, Killing(cluster, tmp_path / "killed", 24))
    assert (tmp_path / "killed").exists()
    assert (found["files"], found["files there before"]) == (4, 1)
    files = sorted(path.name for path in (tmp_path / "here").iterdir())
    assert len(files) == 4
    for name in files:
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@full
def test_reviews_go_on_after_the_driver_was_killed(cluster, tmp_path):
    """The driver is another process that joins the cluster by its address; it is killed once a review is kept."""
    for name in ("koikoi-finished", "koikoi-left", "kuhn-finished", "tricks-finished"):
        shutil.copy(KEPT / f"{name}.json", tmp_path)
    files, kept = sorted(tmp_path.glob("*.json")), tmp_path / "kept"
    how = Reviewing(None, "random", 6, 3, 0.5, None, None, 1)
    here = review_all(files, how)
    assert (here.of, len(here.in_order), here.unreadable) == (4, 4, [])
    address = cluster.ray.get_runtime_context().gcs_address
    words = ["review", tmp_path, "--judge", "random", "--worlds", 6, "--seed", 3, "--threshold", 0.5, "--keep", kept]
    driver = subprocess.Popen([sys.executable, "-m", "tefuda", *map(str, words), "--ray", address])
    until = time.monotonic() + 120
    while not (kept.exists() and any(kept.glob("*.review.json"))):
        assert time.monotonic() < until
        assert driver.poll() is None or any(kept.glob("*.review.json"))
        time.sleep(0.05)
    driver.kill()
    driver.wait()
    there = review_all(files, how, kept, Killing(cluster, tmp_path / "killed", 3))
    assert json.dumps(there.in_order) == json.dumps(here.in_order)
    assert len(list(kept.glob("*.review.json"))) == 4


@full
@pytest.mark.parametrize("opponent", ["self", "pool", "equilibrium"])
def test_learning_ends_in_the_same_bits_whoever_plays(cluster, tmp_path, opponent):
    """Actors on a cluster, where a worker dies on the way, and actors here; also of a run that goes on elsewhere."""
    torch = pytest.importorskip("torch")
    from tefuda.learn.self_play import Arguments, SelfPlay

    arguments = Arguments(
        decisions=16 * 8 * 4, units=8, lanes=16, actors=4, steps=8, batch=64, rate=0.01, average=0.9, opponent=opponent,
        critic=4, past=2,
    )  # fmt: skip
    rules = KUHN.rulebook.make()
    other = resolve(KUHN, opponent, rules) if opponent == "equilibrium" else None

    def learner(where):
        return SelfPlay(KUHN, [rules], other, arguments, 3, torch.device("cpu"), 1, None, where)

    here = learner(None)
    for _ in range(4):
        here.advance()
    killing = Killing(cluster, tmp_path / "killed", 2) if opponent == "self" else cluster
    there = learner(killing)
    for _ in range(2):
        there.advance()
    later = learner(cluster)
    later.restore({key: array.copy() for key, array in there.state().items()})
    for _ in range(2):
        later.advance()
    assert later.done
    assert np.array_equal(later.result, here.result)


@full
def test_a_command_learns_on_a_cluster(cluster, tmp_path):
    pytest.importorskip("torch")
    given = {"decisions": 512, "lanes": 8, "actors": 2, "steps": 8, "units": 8, "batch": 32, "deals": 0, "threads": 1}
    here = tefuda.train("kuhn", "self-play", tmp_path / "here", **given)
    there = tefuda.train("kuhn", "self-play", tmp_path / "there", ray="local", **given)
    assert here == there
    with np.load(tmp_path / "here" / "policy.npz") as ours, np.load(tmp_path / "there" / "policy.npz") as theirs:
        assert set(ours) == set(theirs)
        assert all(np.array_equal(ours[key], theirs[key]) for key in ours)


@full
def test_the_example_holds_a_tournament(cluster, tmp_path):
    example = runpy.run_path(str(tefuda.FOLDER.parents[1] / "examples" / "ray_tournament.py"))
    lines = example["tournament"]("kuhn", "local", 200, tmp_path)
    assert len(lines) == len(tefuda.list_players("kuhn"))
    assert example["tournament"]("kuhn", "local", 200, tmp_path) == lines  # it was kept
    assert example["tournament"]("kuhn", None, 200, tmp_path / "here") == lines  # and without a cluster


@full
def test_no_cluster_answers():
    command = [sys.executable, "-m", "tefuda", "match", "kuhn", "random", "random", "--ray", "127.0.0.1:1"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith("tefuda: no cluster answers at 127.0.0.1:1")
    assert len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("match kuhn random random --ray local --device cuda", "leave out --device cuda, or --ray"),
        ("positions mahjong --ray local --device cuda --deals 2", "leave out --device cuda, or --ray"),
        ("train koikoi pg-linear --ray local", "pg-linear learns on one machine only: leave out --ray"),
        ("train kuhn self-play --ray local", "say how many, as in --arg actors=16"),
        ("train kuhn self-play --arg actors=3", "256 lanes cannot be shared by 3 actors"),
    ],
)
def test_what_has_no_meaning_on_a_cluster_is_one_line(here, words, line):
    done = here(*words.split())
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_an_address_the_cores_of_this_machine_work():
    with cluster_at(None) as none:
        assert none is None
        assert list(run_pieces(Squares(), [(0, 2), (2, 3)], 1, none)) == [(0, 2, [0, 1]), (2, 3, [4])]


def test_work_is_sent_as_names_and_numbers():
    from tefuda.arena.games import seat_players

    rules = KUHN.rulebook.make()
    deals = Deals(KUHN, rules, seat_players(KUHN, [resolve(KUHN, name) for name in ("random", "always-bet")]), 7)
    sent = pickle.dumps(deals)
    assert len(sent) < 2000
    assert np.array_equal(pickle.loads(sent)(3, 9).scores, deals(3, 9).scores)
    with pytest.raises(Problem, match="a match on CUDA cannot be sent"):
        pickle.dumps(replace(deals, on_gpu=True))
