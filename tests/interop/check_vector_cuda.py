"""The vector environment on a real GPU: the games of the CPU by every rule set, tensors that stay there, and its speed.

Run it from the root of a checkout on a machine with an NVIDIA GPU, torch and numba-cuda:

    python tests/interop/check_vector_cuda.py [--games koikoi,mahjong] [--limit 480] [--seconds 2]

Each game is tried alone and against opponents, in processes of their own side by side, since CUDA kernels take long to
compile. Speed is measured afterwards, one game after another. It ends with a line for each game, and with exit code 1
if anything differed. A test lets it compare the small games in Numba's simulator of CUDA.
"""

import argparse
import json
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

import tefuda
from tefuda.kernel.device import SIMULATED, driver

OPPONENTS = {
    "koikoi": "rule-based",
    "kuhn": "equilibrium",
    "leduc": "honest",
    "mahjong": "rule-based",
    "saichugen": "S-base+3t+4r",
    "tricks": "rule-based",
}
PACKS = {"koikoi": ("small", "tiny"), "tricks": ("small", "tiny")}
MANY = 1 << 16  # lanes where speed is measured
DIFFERENT = 0.005  # share of lanes in which an opponent who calculates with fractions may decide otherwise
ALONE, AGAINST = "alone", "against"


class StaysThere(TorchDispatchMode):
    """While it holds, no operation of torch makes a tensor outside the GPU; single numbers may come from there."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        for each in tree_leaves(result):
            stays = not isinstance(each, torch.Tensor) or each.is_cuda or each.dim() == 0
            assert stays or SIMULATED, f"{func} made a tensor of the CPU"
        return result


def rule_sets(name: str) -> list[tuple[str, list[str]]]:
    """Every preset of a game, and its first preset with each small pack."""
    presets = list(tefuda.game(name).rulebook.presets)
    return [(each, []) for each in presets] + [(presets[0], [f"pack={pack}"]) for pack in PACKS.get(name, ())]


def arrays(turn: Any) -> list[np.ndarray]:
    return [np.asarray(each.cpu() if isinstance(each, torch.Tensor) else each) for each in vars(turn).values()]


def play_both(
    name: str, opponents: list[str] | None, rules: str, changes: list[str], lanes: int, steps: int
) -> dict[str, Any]:
    """Step lanes here and there with the same actions. A lane that differed once is told and left aside."""
    cpu, gpu = (
        tefuda.vector(name, lanes, opponents, rules=rules, changes=changes, seed=5, device=device)
        for device in ("cpu", "cuda")
    )
    here, there, over, same = cpu.reset(), gpu.reset(), 0, np.ones(lanes, bool)
    assert (gpu.reset().seats == there.seats).all()
    for _ in range(steps):
        for one, other in zip(arrays(here), arrays(there), strict=True):
            near = np.isclose(one, other, rtol=1e-5, atol=1e-6)
            same &= near.reshape(lanes, -1).all(axis=1)
        same &= cpu.deals == np.asarray(gpu.deals.cpu())
        assert SIMULATED or all(each.is_cuda for each in vars(there).values())
        actions = cpu.random_actions()
        if opponents:
            same &= np.asarray(gpu.advice().cpu()) == cpu.advice()
            same &= np.asarray(gpu.own(there.scores).cpu()) == cpu.own(here.scores)
        taken = torch.from_numpy(np.where(same, actions, np.asarray(there.masks.cpu()).argmax(axis=1)))
        taken = taken if SIMULATED else taken.cuda()
        with StaysThere():
            here, there = cpu.step(actions), gpu.step(taken)
        over += int(here.ended.sum())
    with pytest.raises(tefuda.Problem, match="lane 0: illegal move"):
        gpu.step(torch.full_like(taken, gpu.actions))
    return {"rules": " ".join([rules, *changes]), "ends": over, "different": int((~same).sum())}


def check(name: str, kind: str, lanes: int, steps: int) -> dict[str, Any]:
    """One game, alone or against opponents, by all its rules."""
    opponents = [OPPONENTS.get(name, "random")] if kind == AGAINST else None
    began = time.perf_counter()
    found = [play_both(name, opponents, *each, lanes, steps) for each in rule_sets(name)]
    seconds = time.perf_counter() - began
    return {"game": name, "kind": kind, "lanes": lanes, "steps": steps, "found": found, "seconds": seconds}


def verdict(result: dict[str, Any]) -> str:
    """Empty when all is well, else what is wrong."""
    wrong = []
    allowed = DIFFERENT * result["lanes"] if result["kind"] == AGAINST else 0
    for each in result["found"]:
        if each["different"] > allowed:
            wrong.append(f"{each['rules']}: {each['different']} of {result['lanes']} lanes differ from the CPU")
    if not any(each["ends"] for each in result["found"]):
        wrong.append("no game ended")
    return "; ".join(wrong)


def tell(result: dict[str, Any]) -> str:
    found, wrong = result["found"], verdict(result)
    different = sum(each["different"] for each in found)
    what = "alone" if result["kind"] == ALONE else f"against {OPPONENTS.get(result['game'], 'random')}"
    rules, ends = ", ".join(each["rules"] for each in found), sum(each["ends"] for each in found)
    return (
        f"{result['game']} {what}: {wrong or 'good'} ({rules}; {result['steps']} steps of {result['lanes']} lanes "
        f"each, {ends:,} games ended and began again, {different} lanes different, {result['seconds']:.0f} s)"
    )


def rate(name: str, opponents: list[str] | None, seconds: float) -> float:
    """Steps a second with many lanes, random actions included."""
    env = tefuda.vector(name, MANY, opponents, device="cuda")
    env.reset()
    for _ in range(5):
        env.step(env.random_actions())
    torch.cuda.synchronize()
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        env.step(env.random_actions())
        steps += MANY
    torch.cuda.synchronize()
    return steps / (time.perf_counter() - began)


def check_all(games: list[str], limit: float, lanes: int, steps: int) -> dict[tuple[str, str], dict[str, Any]]:
    """All games side by side; what is not done in time is ended. Gives what was found, and prints it as it comes."""
    again = [sys.executable, __file__, "--lanes", str(lanes), "--steps", str(steps)]
    started = {
        (game, kind): subprocess.Popen([*again, "--one", game, kind], stdout=subprocess.PIPE)
        for game in games
        for kind in (ALONE, AGAINST)
    }
    until, found = time.monotonic() + limit, {}
    waiting = dict(started)
    while waiting:
        for key, process in list(waiting.items()):
            if process.poll() is None and time.monotonic() < until:
                continue
            del waiting[key]
            if process.poll() is None:
                process.kill()
                print(f"{' '.join(key)}: NOT DONE in {limit:.0f} s", flush=True)
                continue
            said = process.stdout.read().decode().strip().splitlines() if process.stdout else []
            if process.returncode == 0 and said:
                found[key] = json.loads(said[-1])
                print(tell(found[key]), flush=True)
            else:
                print(f"{' '.join(key)}: FAILED with exit code {process.returncode}", flush=True)
        time.sleep(0.2)
    return found


def main() -> int:
    words = argparse.ArgumentParser(description="Compare the vector environment on CUDA with the CPU, and time it.")
    words.add_argument("--games", default=",".join(tefuda.list_games()), help="by commas; all when not given")
    words.add_argument("--limit", type=float, default=480, help="seconds for the comparison, compiling included")
    words.add_argument("--seconds", type=float, default=2, help="for each rate; 0: none")
    words.add_argument("--lanes", type=int, default=256, help="of each comparison")
    words.add_argument("--steps", type=int, default=200, help="of each comparison")
    words.add_argument("--one", nargs=2, metavar=("GAME", "KIND"), help=argparse.SUPPRESS)
    given = words.parse_args()
    if given.one:
        print(json.dumps(check(*given.one, given.lanes, given.steps)))
        return 0
    driver()  # says at once when there is no GPU
    games = given.games.split(",")
    found = check_all(games, given.limit, given.lanes, given.steps)
    for game in games:
        results = [found.get((game, kind)) for kind in (ALONE, AGAINST)]
        good = all(result is not None and not verdict(result) for result in results)
        rates = [
            f"{rate(game, opponents, given.seconds):,.0f} steps a second {what}"
            for result, opponents, what in zip(
                results, (None, [OPPONENTS.get(game, "random")]), (ALONE, AGAINST), strict=True
            )
            if result is not None and given.seconds > 0
        ]
        print(f"{game}: {'SAME AS ON THE CPU' if good else 'WRONG'}; {MANY:,} lanes: {', '.join(rates)}", flush=True)
    missing = [key for key in ((game, kind) for game in games for kind in (ALONE, AGAINST)) if key not in found]
    return 1 if missing or any(verdict(result) for result in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
