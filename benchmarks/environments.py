"""Steps a second of the vector environment beside environments of others with the same game, and what wrappers cost.

A step is one decision of one seat: choose a legal action at random, take it, and get the next observation and mask. The
vector environment is measured on one core. Its ratio is to the quickest peer of the same game in the same run. Peers
are measured through Python, as their users call them: without any observation, which is the quickest that they can be,
and with the numbers that a network would be given. What runs on one core is measured in CPU time.
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Rate, core_counts, rate

import tefuda

LANES, GPU_LANES = 4096, 1 << 16
RULES = {"tricks": "hearts", "mahjong": "hanchan"}
SPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker", "tricks": "hearts(pass_cards=false)"}
WRAPPED = "koikoi"  # the game on which wrappers are measured
Work = Callable[[int, int], int]  # work(first, last) -> steps


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; peers that are not installed are named and left out."""
    rows: list[Rate] = []
    for name in tefuda.list_games():
        peers = [Rate(what, rate(work, seconds, 20, time.process_time)[1], "steps") for what, work in peers_of(name)]
        best = max(peers, key=lambda peer: peer.rate, default=None)
        rows += peers
        for count, where in core_counts(threads):
            rows.append(
                beside(Rate(f"{name}, vector, {where}", vector_rate(name, seconds, "cpu", count), "steps"), best)
            )
        if device == "cuda":
            rows.append(beside(Rate(f"{name}, vector, GPU", vector_rate(name, seconds, "cuda", None), "steps"), best))
    return rows + wrappers(seconds)


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


# --- peers ---


def peers_of(name: str) -> list[tuple[str, Work]]:
    """What others have of a game."""
    found: list[tuple[str, Work]] = []
    for peers in (open_spiel, riichienv, pettingzoo_leduc, rlcard, pgx):
        try:
            found += peers(name)
        except ImportError as error:
            print(f"{peers.__name__}, {name}: left out, since {error.name} is not installed", file=sys.stderr)
    return found


def open_spiel(name: str) -> list[tuple[str, Work]]:
    """States of OpenSpiel, with and without the tensor of the information state."""
    if name not in SPIEL:
        return []
    import pyspiel

    game, luck = pyspiel.load_game(SPIEL[name]), random.Random(1)
    return [(f"OpenSpiel {SPIEL[name]}, states alone", spiel_steps(game, luck, False)),
            (f"OpenSpiel {SPIEL[name]}, with tensors", spiel_steps(game, luck, True))]  # fmt: skip


def spiel_steps(game: Any, luck: random.Random, tensors: bool) -> Work:
    def work(first: int, last: int) -> int:
        steps = 0
        for _ in range(first, last):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(luck.choice(state.legal_actions()))
                    continue
                if tensors:
                    state.information_state_tensor()
                state.apply_action(luck.choice(state.legal_actions()))
                steps += 1
        return steps

    return work


def riichienv(name: str) -> list[tuple[str, Work]]:
    """RiichiEnv, an engine in Rust, without its log."""
    if name != "mahjong":
        return []
    from riichienv import GameRule, RiichiEnv

    luck = random.Random(1)

    def steps_with(encoded: bool) -> Work:
        def work(first: int, last: int) -> int:
            steps = 0
            for number in range(first, last):
                table = RiichiEnv("4p-red-half", skip_mjai_logging=True, seed=number, rule=GameRule.default_tenhou())
                seen = table.reset()
                while not table.done():
                    steps += len(seen)
                    if encoded:
                        for each in seen.values():
                            each.encode()
                            each.mask()
                    seen = table.step({seat: luck.choice(each.legal_actions()) for seat, each in seen.items()})
            return steps

        return work

    return [("RiichiEnv, steps alone", steps_with(False)), ("RiichiEnv, with features", steps_with(True))]


def pettingzoo_leduc(name: str) -> list[tuple[str, Work]]:
    """PettingZoo's Leduc, which is RLCard's."""
    if name != "leduc":
        return []
    from pettingzoo.classic import leduc_holdem_v4

    return [("PettingZoo leduc_holdem_v4", agent_steps(leduc_holdem_v4.env()))]


def agent_steps(table: Any) -> Work:
    """Games of an environment of PettingZoo."""
    luck = random.Random(1)

    def work(first: int, last: int) -> int:
        steps = 0
        for number in range(first, last):
            table.reset(seed=number)
            for _ in table.agent_iter():
                observation, _, over, cut, _ = table.last()
                if over or cut:
                    table.step(None)
                else:
                    table.step(luck.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                    steps += 1
        return steps

    return work


def rlcard(name: str) -> list[tuple[str, Work]]:
    """RLCard's own Leduc."""
    if name != "leduc":
        return []
    import rlcard as library

    table, luck = library.make("leduc-holdem"), random.Random(1)

    def work(first: int, last: int) -> int:
        steps = 0
        for _ in range(first, last):
            state, _ = table.reset()
            while not table.is_over():
                state, _ = table.step(luck.choice(list(state["legal_actions"])))
                steps += 1
        return steps

    return [("RLCard leduc-holdem", work)]


def pgx(name: str) -> list[tuple[str, Work]]:
    """Pgx, all lanes in one compiled call of JAX, with its own choice of random actions."""
    if name not in ("kuhn", "leduc"):
        return []
    import jax
    import pgx as library

    env = library.make({"kuhn": "kuhn_poker", "leduc": "leduc_holdem"}[name])

    def one(state: Any, key: Any) -> Any:
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        after = env.step(state, jax.random.categorical(key, logits))
        return jax.lax.cond(after.terminated | after.truncated, lambda: env.init(key), lambda: after)

    step = jax.jit(jax.vmap(one))
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), LANES))]

    def work(first: int, last: int) -> int:
        for number in range(first, last):
            held[0] = step(held[0], jax.random.split(jax.random.PRNGKey(number), LANES))
        jax.block_until_ready(held[0].observation)
        return (last - first) * LANES

    return [(f"Pgx {name}", work)]


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
