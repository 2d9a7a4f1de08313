"""Compiled players as the loops take them: who chooses, and by which parameters.

On the CPU each policy is compiled on its own and called by its address: another player at the table compiles nothing
but its own policy. On CUDA the policies that sit at the table are compiled into the loop, as a switch.

The loops take one tuple, `seated`:
    choosers [players]      the address of each player's policy, or its place in the switch; 0: asked from outside
    starts [players + 1]    where the parameters of each player lie in params
    params                  the parameters of all players, one after the other
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.pointers import INT64, PLACES, array_at, call_address, memory_of

TABLE, VIEW = 0, 1  # places in the array of tables of one lane: the table itself, and a seat's view of it


class Occupant(Protocol):
    """Somebody who can be seated: a policy with its parameters, or no policy for one who is asked from outside."""

    @property
    def policy(self) -> Policy | None: ...
    @property
    def params(self) -> np.ndarray: ...


def seated(game: Game, players: Sequence[Occupant]) -> tuple[Any, np.ndarray, np.ndarray]:
    """Players for the loops on the CPU; their policies are compiled now, unless they were before."""
    choosers = [address_of(game, player.policy) for player in players]
    return (np.array(choosers, np.int64) if COMPILED else tuple(choosers), *parameters_of(players))


def parameters_of(players: Sequence[Occupant]) -> tuple[np.ndarray, np.ndarray]:
    """Where the parameters of each player lie, and those of all, never an empty array: kernels need a place."""
    starts = np.cumsum([0, *(len(player.params) for player in players)])
    return starts, np.concatenate([*(player.params for player in players), np.zeros(1)])


@cache
def address_of(game: Game, policy: Policy | None) -> Any:
    """Where the machine code of a policy lies; uncompiled, the function itself; 0 for nobody."""
    if policy is None:
        return 0
    return _entry_of(game.State, policy.choose).address(*[INT64] * PLACES) if COMPILED else policy.choose


def scratch(game: Game, players: Sequence[Occupant] = ()) -> tuple[np.ndarray, ...]:
    """Scratch space for one core: tables [2], rngs [seats], mask, worlds, numbers, out [seats]."""
    return tuple(np.zeros(shape, dtype) for shape, dtype in scratch_shapes(game, players))


def scratch_shapes(game: Game, players: Sequence[Occupant] = ()) -> list[tuple[int, Any]]:
    """The size and the type of each array of scratch space, enough for all who are seated."""
    policies = [player.policy for player in players if player.policy is not None]
    worlds = max([1, *(policy.worlds for policy in policies)])
    numbers = max([game.spaces.actions.size, *(policy.numbers for policy in policies)])
    return [
        (2, game.State), (game.seats, np.uint64), (game.spaces.mask_words, np.uint64), (worlds, game.State),
        (numbers, np.float64), (game.seats, np.float64),
    ]  # fmt: skip


@cache
def caller() -> Any:
    """The kernel call(chooser, view, seat, params, rng, mask, worlds, numbers) that calls a policy by its address."""
    if not COMPILED:
        return lambda chooser, *arguments: chooser(*arguments)

    def call(chooser, view, seat, params, rng, mask, worlds, numbers):
        return call_address(
            chooser, memory_of(view), seat, memory_of(params), params.shape[0], memory_of(rng), memory_of(mask),
            mask.shape[0], memory_of(worlds), worlds.shape[0], memory_of(numbers), numbers.shape[0],
        )  # fmt: skip

    return kernel(call, inline=True)


@cache
def _entry_of(State: np.dtype, choose: Any) -> Any:
    """A policy's kernel as it is called by its address. It takes places in memory: for arrays, Numba would count
    references at each call."""
    tables, numbers_at, bits_at = array_at(State), array_at(np.dtype(np.float64)), array_at(np.dtype(np.uint64))

    def entry(view, seat, params, size, rng, mask, words, worlds, worlds_there, numbers, numbers_there):
        return choose(
            tables(view, 1)[0], seat, numbers_at(params, size), bits_at(rng, 1), bits_at(mask, words),
            tables(worlds, worlds_there), numbers_at(numbers, numbers_there),
        )  # fmt: skip

    return kernel(entry)


@cache
def switch_of(policies: tuple[Policy, ...]) -> Any:
    """One kernel for some policies: choose(place, view, …), where the first has the place 1."""

    def nobody(place, view, seat, params, rng, mask, worlds, numbers):
        return -1

    choose = kernel(nobody)
    for number in range(len(policies), 0, -1):
        choose = _link(number, policies[number - 1].choose, choose)
    return choose


def _link(place: int, policy: Any, rest: Any) -> Any:
    def link(chosen, view, seat, params, rng, mask, worlds, numbers):
        if chosen == place:
            return policy(view, seat, params, rng, mask, worlds, numbers)
        return rest(chosen, view, seat, params, rng, mask, worlds, numbers)

    return kernel(link, inline=True)
