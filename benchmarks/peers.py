"""Environments of others, as their users call them through Python.

An environment is measured without any observation where that can be left out, which is the quickest that it can be, and
with the numbers that a network would be given. `pip install 'tefuda[peers]'` brings those that nothing else here needs.
"""

import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

PGX_LANES, PGX_STEPS = 4096, 16  # tables in step, and steps of one compiled call
SPIEL = {"kuhn": "kuhn_poker", "leduc": "leduc_poker", "tricks": "hearts(pass_cards=false)"}
PGX = {"kuhn": "kuhn_poker", "leduc": "leduc_holdem"}
RLCARD = {"leduc": "leduc-holdem"}
PETTINGZOO = {"leduc": "leduc_holdem_v4"}
Work = Callable[[int, int], int]  # work(first, last) -> steps
Peers = list[tuple[str, Work]]  # what it is, and how it steps


def peers_of(name: str) -> list[Callable[[], Peers]]:
    """What others have of one of our games."""
    found: list[Callable[[], Peers]] = []
    if name in SPIEL:
        found.append(lambda: open_spiel(SPIEL[name]))
    if name in PGX:
        found.append(lambda: pgx(PGX[name]))
    if name in RLCARD:
        found.append(lambda: rlcard(RLCARD[name]))
    if name in PETTINGZOO:
        found.append(lambda: pettingzoo(PETTINGZOO[name]))
    if name == "mahjong":
        found.append(riichienv)
    return found


def other_games(_: str) -> list[Callable[[], Peers]]:
    """Card games that we do not have: a small mahjong with three seats, and poker. They show how quick others are."""
    return [lambda: pgx("sparrow_mahjong"), lambda: rlcard("mahjong"), lambda: pettingzoo("texas_holdem_v4")]


def found_peers(name: str, listed: Callable[[str], list[Callable[[], Peers]]]) -> Peers:
    """Those that are installed; the others are named and left out."""
    found: Peers = []
    for made in listed(name):
        try:
            found += made()
        except ImportError as error:
            told = f"{name}: a peer is left out, since {error.name} is not installed: pip install 'tefuda[peers]'"
            print(told, file=sys.stderr)
    return found


def open_spiel(name: str) -> Peers:
    """States of OpenSpiel, with and without the tensor of the information state."""
    import pyspiel

    game, luck = pyspiel.load_game(name), random.Random(1)
    return [(f"OpenSpiel {name}, states alone", spiel_steps(game, luck, False)),
            (f"OpenSpiel {name}, with tensors", spiel_steps(game, luck, True))]  # fmt: skip


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


def riichienv() -> Peers:
    return [("RiichiEnv, steps alone", riichienv_steps(False)), ("RiichiEnv, with features", riichienv_steps(True))]


def riichienv_steps(encoded: bool) -> Work:
    """Hanchan of RiichiEnv, an engine in Rust, without its log; `encoded`: with the numbers for a network."""
    from riichienv import GameRule, RiichiEnv

    luck = random.Random(1)

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


def pettingzoo(name: str) -> Peers:
    """A card game of PettingZoo, which is RLCard's."""
    from importlib import import_module

    return [(f"PettingZoo {name}", agent_steps(import_module(f"pettingzoo.classic.{name}").env()))]


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


def rlcard(name: str) -> Peers:
    """A game of RLCard."""
    import rlcard as library

    table, luck = library.make(name, {"seed": 1}), random.Random(1)

    def work(first: int, last: int) -> int:
        steps = 0
        for _ in range(first, last):
            state, _ = table.reset()
            while not table.is_over():
                state, _ = table.step(luck.choice(list(state["legal_actions"])))
                steps += 1
        return steps

    return [(f"RLCard {name}", work)]


def pgx(name: str) -> Peers:
    """A game of Pgx: all lanes, and several steps of them, in one call that JAX has compiled."""
    import jax
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> Any:
        to_choose, to_deal = jax.random.split(key)
        actions = jax.random.categorical(to_choose, jax.numpy.where(state.legal_action_mask, 0.0, -1e9))
        return step(state, actions, jax.random.split(to_deal, PGX_LANES)), None

    some = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, PGX_STEPS))[0])
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), PGX_LANES))]

    def work(first: int, last: int) -> int:
        for number in range(first, last):
            held[0] = some(held[0], jax.random.PRNGKey(number))
        jax.block_until_ready(held[0].observation)
        return (last - first) * PGX_STEPS * PGX_LANES

    return [(f"Pgx {name}", work)]
