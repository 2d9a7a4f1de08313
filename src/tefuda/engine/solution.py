"""Players by a solution of a game that has too many information sets to number them: they look views up by a hash.

A file holds a row for each view that was met: two whole numbers of 24 bits, which are 48 bits of its hash, and a chance
for each of its legal actions, lowest first. Rows are in the order of their hashes. Cards that mean the same are renamed
before (the kernel `alike` of a game). At a view that has no row any legal action is taken, all alike.
"""

from typing import Any

import numpy as np

from tefuda.contract import Game, Policy, fingerprint
from tefuda.errors import Problem
from tefuda.kernel.bits import count_words, has_word, next_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.hashing import hash_of, mixed_in
from tefuda.kernel.random import drawn, unit

NAME = "solution"
HALF = 1 << 24  # a float32 holds all whole numbers below it
ROWS, WIDTH, FIRST = 0, 1, 2  # what stands before the rows in a policy's parameters
MOST_WIDTH = 64
_16 = np.uint64(16)


def reader_of(game: Game) -> Any:
    """The kernel read(view, seat, mask, names): rename the cards of a view [1] that mean the same, and give its hash.

    `names` are what its actions are called then, `mask` its legal actions by these names.
    """
    legal, alike = game.kernels.legal, game.chance.alike if game.chance is not None else None
    actions, hashed = game.spaces.actions.size, hash_of(game.State)

    def same_names(view, names):
        for action in range(actions):
            names[action] = action

    rename = kernel(same_names) if alike is None else alike

    def read(view, seat, mask, names):
        rename(view[0], names)
        legal(view[0], mask)
        return np.int64(mixed_in(hashed(view[0]), seat) >> _16)

    return kernel(read)


@kernel
def rank_of(mask, action):
    """How many actions of a mask come before one."""
    rank = 0
    other = next_of_words(mask, 0)
    while other >= 0 and other < action:
        rank += 1
        other = next_of_words(mask, other + 1)
    return rank


@kernel
def row_of(params, number):
    """Where the chances of a view stand in a policy's parameters, or -1."""
    rows, step = int(params[ROWS]), int(params[WIDTH]) + 1
    low, high = 0, rows
    while low < high:
        middle = (low + high) // 2
        if params[FIRST + middle * step] < number:
            low = middle + 1
        else:
            high = middle
    if low < rows and params[FIRST + low * step] == number:
        return FIRST + low * step + 1
    return -1


def with_solution(game: Game) -> Game:
    """A game with the policy that plays by a solution."""
    actions, words, read = game.spaces.actions.size, game.spaces.mask_words, reader_of(game)

    def chances(view, seat, params, mask, worlds, numbers, out):
        names, renamed = numbers[:actions], numbers[actions : actions + words].view(np.uint64)
        worlds[0] = view
        row = row_of(params, read(worlds, seat, renamed, names))
        legal = count_words(mask)
        for action in range(actions):
            out[action] = 0.0
            if has_word(mask, action):
                rank = rank_of(renamed, int(names[action]))
                out[action] = params[row + rank] if row >= 0 and rank < int(params[WIDTH]) else 1.0 / legal

    chances = kernel(chances)

    def choose(view, seat, params, rng, mask, worlds, numbers):
        likely = numbers[actions + words :]
        chances(view, seat, params, mask, worlds, numbers, likely)
        return drawn(likely, actions, unit(rng))

    policy = Policy(
        NAME, kernel(choose), _parameters, weights=None, features=fingerprint(["rows of a hash and chances"]),
        worlds=1, numbers=2 * actions + words, own_rules=True, chances=chances,
    )  # fmt: skip
    return game.with_more((policy,))


def variant_of(width: int) -> str:
    """The width of a solution as a policy card names it."""
    return f"width={width}"


def weights_of(hashes: np.ndarray, chances: np.ndarray) -> np.ndarray:
    """The weights of a policy file: `hashes` [rows], sorted, and chances [rows, width]."""
    return np.column_stack([hashes // HALF, hashes % HALF, chances]).astype(np.float32).ravel()


def _parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """The parameters of a solution. Its variant is its width: the most legal actions that a row has chances for."""
    width = int(variant.removeprefix("width=")) if variant.removeprefix("width=").isdecimal() else 0
    if not 1 <= width <= MOST_WIDTH or len(weights) % (width + 2):
        raise Problem(f"a solution says width=1 to {MOST_WIDTH}, and has as many chances in each row, not {variant!r}")
    rows = np.asarray(weights, np.float64).reshape(-1, width + 2)
    hashes, chances = rows[:, 0] * HALF + rows[:, 1], rows[:, 2:]
    if not (np.all(np.diff(hashes) > 0) and np.all(chances >= 0) and np.all(chances.sum(axis=1) > 0)):
        raise Problem("the rows of a solution are in the order of their hashes, and their chances are not all 0")
    return np.concatenate([[len(rows), width], np.column_stack([hashes, chances]).ravel(), np.zeros(1)])
