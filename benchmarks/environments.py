"""Steps a second of the vector environment beside environments of others with the same game, and what wrappers cost.

A step is one decision of one seat: choose a legal action at random, take it, and get the next observation and mask. The
vector environment is measured on one core. Its ratio is to the quickest peer of the same game in the same run; on a GPU
without peers, to one core. Peers are in peers.py. What runs on one core is measured in CPU time, which counts all
threads of the process.
"""

import random
import sys
import time
from typing import Any

import numpy as np
from measure import Rate, core_counts, rate
from peers import Work, agent_steps, found_peers, other_games, peers_of, spiel_steps

import tefuda

LANES, GPU_LANES = 4096, 1 << 16
RULES = {"tricks": "hearts", "mahjong": "hanchan"}
WRAPPED = "koikoi"  # the game on which wrappers are measured


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; peers that are not installed are named and left out."""
    rows: list[Rate] = []
    for name in tefuda.list_games():
        peers = measured(found_peers(name, peers_of), seconds)
        best = max(peers, key=lambda peer: peer.rate, default=None)
        rows += peers
        ours = [
            Rate(f"{name}, vector, {where}", vector_rate(name, seconds, "cpu", count), "steps")
            for count, where in core_counts(threads)
        ]
        rows += [beside(row, best) for row in ours]
        if device == "cuda":
            gpu = Rate(f"{name}, vector, GPU", vector_rate(name, seconds, "cuda", None), "steps")
            rows.append(gpu.against(best or ours[0]))
    return rows + measured(found_peers("other games", other_games), seconds) + wrappers(seconds)


def measured(peers: list[tuple[str, Work]], seconds: float) -> list[Rate]:
    return [Rate(what, rate(work, seconds, 20, time.process_time)[1], "steps") for what, work in peers]


def beside(row: Rate, other: Rate | None) -> Rate:
    return row.against(other) if other else row


def vector_rate(name: str, seconds: float, device: str, threads: int | None, opponents: Any = None) -> float:
    """Steps a second of all lanes together."""
    lanes = LANES if device == "cpu" else GPU_LANES
    env = tefuda.vector(name, lanes, opponents, rules=RULES.get(name), device=device, threads=threads)
    env.reset()

    def work(first: int, last: int) -> int:
        for _ in range(first, last):
            env.step(env.random_actions())
        if device == "cuda":
            env.turn.ended.sum().item()  # waits for the GPU
        return (last - first) * lanes

    return rate(work, seconds, 5, time.process_time if threads == 1 else time.perf_counter)[1]


# --- wrappers ---


def wrappers(seconds: float) -> list[Rate]:
    """What each way in costs on the same game: steps a second, and microseconds a step."""
    base = Rate(f"{WRAPPED}, vector against random", vector_rate(WRAPPED, seconds, "cpu", 1, ["random"]), "steps")
    rows = [base]
    for what, made in (("table and views", views), ("PettingZoo", zoo), ("Gymnasium", gym), ("Gymnasium, vector", gyms),
                       ("OpenSpiel", spiel)):  # fmt: skip
        try:
            found = rate(made(), seconds, 5, time.process_time)[1]
        except tefuda.Problem as problem:
            print(f"{what}: left out, since {problem}", file=sys.stderr)
            continue
        rows.append(Rate(f"{WRAPPED} through {what}", found, "steps").against(base))
        rows.append(Rate(f"{WRAPPED} through {what}", 1e6 / found, "µs a step"))
    return rows


def views() -> Work:
    luck = random.Random(1)

    def work(first: int, last: int) -> int:
        steps = 0
        for deal in range(first, last):
            table = tefuda.table(WRAPPED, deal=deal)
            while not table.over:
                view = table.view()
                _ = view.inputs
                table.apply(luck.choice(view.legal))
                steps += 1
        return steps

    return work


def zoo() -> Work:
    from tefuda.interop.pettingzoo import env

    return agent_steps(env(WRAPPED))


def gym() -> Work:
    from tefuda.interop.gymnasium import OneSeat

    table, luck = OneSeat(WRAPPED, ["random"]), random.Random(1)

    def work(first: int, last: int) -> int:
        steps = 0
        for _ in range(first, last):
            _, info = table.reset()
            over = False
            while not over:
                action = luck.choice(np.flatnonzero(info["action_mask"]).tolist())
                _, _, over, _, info = table.step(action)
                steps += 1
        return steps

    return work


def gyms() -> Work:
    from tefuda.interop.gymnasium import ManySeats

    tables = ManySeats(WRAPPED, LANES, ["random"], threads=1)
    tables.reset(seed=1)

    def work(first: int, last: int) -> int:
        for _ in range(first, last):
            tables.step(tables.lanes.random_actions())
        return (last - first) * LANES

    return work


def spiel() -> Work:
    from tefuda.interop.openspiel import pyspiel

    return spiel_steps(pyspiel.load_game(f"tefuda_{WRAPPED}"), random.Random(1), True)
