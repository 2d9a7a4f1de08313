"""The vector environment on a real GPU: the same turns as on the CPU, for every game, and steps a second.

Run it from the root of a checkout on a machine with an NVIDIA GPU, torch and numba-cuda:

    python tests/interop/check_vector_cuda.py [GAME …]

Without a GPU the test of this folder runs the same kernels in Numba's simulator.
"""

import sys
import time

import numpy as np
import pytest
import torch

import tefuda

OPPONENTS = {"koikoi": "rule-based", "mahjong": "rule-based", "tricks": "rule-based", "kuhn": "equilibrium"}
LANES, STEPS, MANY = 512, 80, 1 << 16


def arrays(turn) -> list[np.ndarray]:
    return [each.cpu().numpy() if isinstance(each, torch.Tensor) else each for each in vars(turn).values()]


def check(name: str, opponents: list[str] | None) -> None:
    """Step both side by side with the same actions."""
    cpu = tefuda.vector(name, LANES, opponents, seed=5)
    gpu = tefuda.vector(name, LANES, opponents, seed=5, device="cuda")
    here, there, over = cpu.reset(), gpu.reset(), 0
    for step in range(STEPS):
        for one, other in zip(arrays(here), arrays(there), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6, err_msg=f"{name}, step {step}")
        assert all(each.is_cuda for each in vars(there).values())
        actions = cpu.random_actions()
        here, there = cpu.step(actions), gpu.step(torch.from_numpy(actions).cuda())
        over += int(here.ended.sum())
    with pytest.raises(tefuda.Problem, match="lane 0: illegal move"):
        gpu.step(torch.full((LANES,), gpu.actions, device="cuda"))
    print(f"{name} {opponents or 'alone'}: {STEPS} steps of {LANES} lanes and {over} ends are the same", flush=True)


def rate(name: str) -> float:
    env = tefuda.vector(name, MANY, device="cuda")
    env.reset()
    for _ in range(20):
        env.step(env.random_actions())
    torch.cuda.synchronize()
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < 3:
        env.step(env.random_actions())
        steps += MANY
    torch.cuda.synchronize()
    return steps / (time.perf_counter() - began)


if __name__ == "__main__":
    for game in sys.argv[1:] or tefuda.list_games():
        check(game, None)
        check(game, [OPPONENTS.get(game, "random")])
        print(f"{game}: {rate(game):,.0f} steps a second with {MANY:,} lanes", flush=True)
