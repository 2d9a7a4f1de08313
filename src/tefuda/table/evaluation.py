"""The value of every legal action by playing guessed worlds to the end with a chosen player: hints and reviews."""

from dataclasses import dataclass

import numpy as np

from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.intervals import Interval, interval
from tefuda.kernel.threads import run_chunks
from tefuda.players.entrant import Entrant
from tefuda.table.table import View


@dataclass(frozen=True)
class Valued:
    """An action with the mean score that follows it."""

    action: int
    value: Interval


def evaluate(view: View, entrant: Entrant, games: int = 300, seed: int = 0, threads: int | None = None) -> list[Valued]:
    """Each legal action's mean score for the seat, best first, when `entrant` plays all seats from then on.

    All actions are tried in the same guessed worlds, so that their differences are less noisy than their values.
    """
    game = view.game
    legal = view.legal
    players, sitting = seated(game, [entrant]), np.zeros(game.seats, np.int64)
    loops = loops_of(game)

    def work(first: int, last: int) -> list[np.ndarray]:
        totals, space = [], scratch(game, [entrant])
        for position in range(first, last):
            sums = np.zeros(2)
            actions = np.array([legal[position]])
            loops.continue_many(view.state, view.seat, actions, games, seed, sitting, players, space, sums)
            totals.append(sums)
        return totals

    result = []
    pieces = [(position, position + 1) for position in range(len(legal))]
    for first, _, totals in run_chunks(work, pieces, threads):
        mean = totals[0][0] / games
        variance = max(0.0, totals[0][1] / games - mean * mean) * games / max(1, games - 1)
        result.append(Valued(legal[first], interval(mean, variance, games)))
    return sorted(result, key=lambda valued: -valued.value.mean)
