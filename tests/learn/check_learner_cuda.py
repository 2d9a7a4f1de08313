"""The learner of a cluster on a real GPU: actors play on processors, and one learner on CUDA learns from their windows.

Run it from the root of a checkout on a machine with an NVIDIA GPU, torch and numba-cuda. It needs no Ray: worker
processes of this machine stand for the cluster, and work is sent to them as Ray sends it.

    PYTHONPATH=src:. python tests/learn/check_learner_cuda.py [--games kuhn,koikoi] [--actors 8] [--device cuda]

For each game and opponent, a learner on the CPU and one on CUDA begin every window alike. The pieces that the actors
play must be the same to the last bit, and what is learned from them nearly so. Then a whole run on Kuhn poker must end
near the equilibrium, and the last line but one tells how quick such a learner is. `--device cpu` tries the check.
"""

import argparse
import pickle
import sys
import time
from collections.abc import Generator, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from multiprocessing import get_context
from typing import Any

import numpy as np
import torch

import tefuda
from tefuda.learn.deep.tables import HELD
from tefuda.learn.deep.torch import chosen_device
from tefuda.learn.self_play import POOL, Arguments, SelfPlay
from tefuda.players.resolve import resolve

RULES = {"tricks": "hearts", "mahjong": "hand"}
TEACHERS = {"kuhn": "equilibrium", "koikoi": "rule-based", "tricks": "rule-based", "mahjong": "tsumogiri"}
WINDOWS, STEPS = 3, 16
NEAR = 0.02  # how far what was learned on CUDA may be from what was learned on the CPU, as a share of it
KUHN_NEAR = 0.05  # chips a game that a best response may gain at the end; from who knows nothing it gains 0.458


class Processes:
    """Stands for a cluster: so many worker processes, to which work is sent pickled."""

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self.pool = ProcessPoolExecutor(cores, get_context("spawn"))

    def run(self, work: Any, pieces: Iterable[tuple[Any, ...]]) -> Generator[tuple[Any, ...], None, None]:
        sent, pieces = pickle.dumps(work), list(pieces)
        for piece, found in zip(pieces, self.pool.map(do_piece, repeat(sent), pieces), strict=False):
            yield (*piece, found)


def do_piece(sent: bytes, piece: tuple[Any, ...]) -> Any:
    return pickle.loads(sent)(*piece)


def learner(name: str, given: Arguments, device: Any, cluster: Processes | None) -> SelfPlay:
    game = tefuda.game(name)
    rules = game.rulebook.make(RULES.get(name))
    named = given.opponent not in ("self", POOL)
    other = resolve(game, given.opponent, rules) if named else None
    return SelfPlay(game, [rules], other, given, 3, device, 1, None, cluster)


def compare(name: str, given: Arguments, device: Any, cluster: Processes) -> str:
    """Both learners side by side, window after window, each from where the one on the CPU stands."""
    here, there = learner(name, given, torch.device("cpu"), None), learner(name, given, device, cluster)
    whole = len(here.batch) == here.window.steps * here.window.lanes and not here.conditions.versus
    furthest = 0.0
    for _ in range(WINDOWS):
        before = here.weights.detach().clone()
        there.restore(here.state())
        here.advance()
        there.advance()
        for key in HELD:
            one, other = (getattr(each.window, key).cpu().numpy() for each in (here, there))
            np.testing.assert_array_equal(one, other, err_msg=f"{name}: {key}")
        for one, other in (
            (getattr(run.credit, key) for run in (here, there)) for key in ("advantage", "target", "counts")
        ):
            np.testing.assert_allclose(one.numpy(), other.cpu().numpy(), rtol=1e-4, atol=1e-5)
        for key, array in here.actors.state().items():
            np.testing.assert_array_equal(array, there.actors.state()[key], err_msg=f"{name}: {key}")
        learned = here.weights.detach() - before
        apart = (there.weights.detach().cpu() - here.weights.detach()).norm() / learned.norm()
        furthest = max(furthest, float(apart))
        assert torch.isfinite(there.weights).all()
    if whole:  # else the two draw other batches
        assert furthest < NEAR, f"{name}: what was learned differs by {100 * furthest:.1f} %"
    rows = given.lanes * given.steps * WINDOWS
    taught = f", lessons of {given.teacher}" if given.teacher else ""
    near = f"; what was learned differs by {100 * furthest:.3f} %" if whole else "; batches differ, weights are finite"
    return f"{name}, opponent {given.opponent}{taught}: {rows:,} decisions of {given.actors} actors are the same{near}"


def kuhn_run(device: Any, cluster: Processes) -> str:
    """A whole run with actors, and how far it ends from an equilibrium."""
    from tests.learn.deep.test_deep_kuhn import exploitability

    given = Arguments(
        decisions=600_000, lanes=512, actors=cluster.cores, steps=8, batch=1024, entropy=0.1, entropy_end=0.01,
        magnet=0.2, rate=0.005, rate_end=0.0001, epochs=2, fade=1, units=32, blocks=1,
    )  # fmt: skip
    run = learner("kuhn", given, device, cluster)
    while not run.done:
        run.advance()
    found = exploitability(run)
    assert found < KUHN_NEAR, f"a best response gains {found:.3f} chips"
    return f"kuhn: a run of {given.decisions:,} decisions ends {found:.3f} chips a game from an equilibrium"


def speed(device: Any, cluster: Processes, lanes: int) -> str:
    """Decisions a second of Koi-Koi, and how long the learner waited for its actors."""
    actors = cluster.cores
    given = Arguments(
        decisions=10**9, lanes=lanes * actors, actors=actors, steps=32, units=256, blocks=2, batch=lanes * actors
    )
    run, waited = learner("koikoi", given, device, cluster), [0.0]
    play = run.actors.play

    def timed(networks: Any) -> Any:
        began = time.perf_counter()
        behind = play(networks)
        waited[0] += time.perf_counter() - began
        return behind

    run.actors.play = timed  # type: ignore[method-assign]
    run.advance()
    waited[0], began = 0.0, time.perf_counter()
    for _ in range(5):
        run.advance()
    _ = run.result  # waits for the GPU
    passed = time.perf_counter() - began
    return (
        f"koikoi: {5 * given.lanes * given.steps / passed:,.0f} decisions a second with {actors} actors of {lanes} "
        f"lanes; playing, sending and taking over were {100 * waited[0] / passed:.0f} % of the time"
    )


def main() -> None:
    words = argparse.ArgumentParser(description="Compare a learner with actors on CUDA with one on the CPU.")
    words.add_argument("--games", default="kuhn,koikoi,tricks", help="by commas; mahjong takes longer to compile")
    words.add_argument("--actors", type=int, default=8)
    words.add_argument("--lanes", type=int, default=512, help="of each actor, where speed is measured")
    words.add_argument("--device", default="cuda")
    given = words.parse_args()
    device, cluster = chosen_device(given.device), Processes(given.actors)
    for name in given.games.split(","):
        lanes = 8 * given.actors
        alone = Arguments(
            decisions=4 * lanes * STEPS, units=32, lanes=lanes, actors=given.actors, steps=STEPS, batch=lanes * STEPS,
            rate=0.01, average=0.9, critic=16, past=2,
        )  # fmt: skip
        ways = [alone, replace(alone, opponent=POOL)]
        if name in TEACHERS:
            ways += [replace(alone, teacher=TEACHERS[name], lessons=1.0), replace(alone, opponent=TEACHERS[name])]
        for way in ways:
            print(compare(name, way, device, cluster), flush=True)
    print(kuhn_run(device, cluster), flush=True)
    print(speed(device, cluster, given.lanes), flush=True)
    cluster.pool.shutdown()
    print(f"the learner with actors is the same on {given.device} as on the CPU")


if __name__ == "__main__":
    sys.exit(main())
