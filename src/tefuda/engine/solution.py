"""Players by a solution of a game that has too many information sets to number them: they look views up by a hash.

A file holds a row for each view that was met: two whole numbers of 24 bits, which are 48 bits of its hash, and a chance
for each of its legal actions, lowest first. Rows are in the order of their hashes. Cards that mean the same are renamed
before (the kernel `alike` of a game); actions that mean the same have one chance together and share it. At a view that
has no row any legal action is taken, all alike.
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


def renamer_of(game: Game) -> Any:
    """The kernel rename(table, names) of a game, which leaves all names as they are where the game has none."""
    actions = game.spaces.actions.size

    def same_names(table, names):
        for action in range(actions):
            names[action] = action

    given = game.chance.alike if game.chance is not None else None
    return kernel(same_names) if given is None else given


def reader_of(game: Game) -> Any:
    """The kernel read(view, names): rename what means the same in a view [1] of the seat in turn; its hash.

    `names` are what its actions are called then. Those with one name mean the same.
    """
    to_move, rename, hashed = game.kernels.to_move, renamer_of(game), hash_of(game.State)

    def read(view, names):
        rename(view[0], names)
        return np.int64(mixed_in(hashed(view[0]), to_move(view[0])) >> _16)

    return kernel(read)


@kernel
def rank_of(mask, names, action):
    """How many names of legal actions come before that of one."""
    rank, last = 0, -1.0
    while True:
        lowest = names[action]
        other = next_of_words(mask, 0)
        while other >= 0:
            if last < names[other] < lowest:
                lowest = names[other]
            other = next_of_words(mask, other + 1)
        if lowest == names[action]:
            return rank
        rank, last = rank + 1, lowest


@kernel
def namesakes(mask, names, action):
    """How many legal actions have the name of one."""
    found = 0
    other = next_of_words(mask, 0)
    while other >= 0:
        found += names[other] == names[action]
        other = next_of_words(mask, other + 1)
    return found


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
    actions, read = game.spaces.actions.size, reader_of(game)

    def chances(view, seat, params, mask, worlds, numbers, out):
        names = numbers[:actions]
        worlds[0] = view
        row = row_of(params, read(worlds, names))
        legal = count_words(mask)
        for action in range(actions):
            out[action] = 0.0
            if has_word(mask, action):
                rank = rank_of(mask, names, action)
                told = row >= 0 and rank < int(params[WIDTH])
                out[action] = params[row + rank] / namesakes(mask, names, action) if told else 1.0 / legal

    chances = kernel(chances)

    def choose(view, seat, params, rng, mask, worlds, numbers):
        likely = numbers[actions:]
        chances(view, seat, params, mask, worlds, numbers, likely)
        return drawn(likely, actions, unit(rng))

    policy = Policy(
        NAME, kernel(choose), _parameters, weights=None, features=fingerprint(["rows of a hash and chances"]),
        worlds=1, numbers=2 * actions, own_rules=True, chances=chances, alike=True,
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
