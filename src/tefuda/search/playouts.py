"""Playouts of guessed worlds: the plain Monte Carlo value of an action, for any game of the contract.

The kernels are closed over a game's own, so that a game's policies can use them and stay compiled, on CUDA too.
"""

from types import SimpleNamespace
from typing import Any

from tefuda.kernel.compile import kernel


def playouts_of(to_move: Any, legal: Any, apply: Any, scores: Any, guess: Any, act: Any) -> SimpleNamespace:
    """Make the playout kernels of a game whose simulated players choose by act(state, rng, mask)."""

    def playout(state, rng, mask):
        """Play a table to its end by `act`."""
        while to_move(state) >= 0:
            legal(state, mask)
            apply(state, act(state, rng, mask))

    playout = kernel(playout)

    def value(view, seat, action, playouts, rng, mask, worlds, numbers):
        """The mean score of a seat that takes an action, over playouts of guessed worlds.

        `view` may be hidden or not: all that the seat cannot see is guessed again for every playout.
        Overwrites mask, worlds[0] and numbers[:seats].
        """
        total = 0.0
        for _ in range(playouts):
            worlds[0] = view
            guess(worlds[0], seat, rng)
            apply(worlds[0], action)
            playout(worlds[0], rng, mask)
            scores(worlds[0], numbers)
            total += numbers[seat]
        return total / playouts

    return SimpleNamespace(playout=playout, value=kernel(value))
