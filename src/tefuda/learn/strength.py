"""How strong a player is, at the end of a run and on the way."""

from typing import Any

import numpy as np

from tefuda.arena.match import match
from tefuda.contract import Game, Rules
from tefuda.intervals import Interval, interval_of
from tefuda.learn.deep.network import NetworkShape, Parts, forward
from tefuda.learn.deep.tables import LearnerLanes, Machine, Window
from tefuda.learn.deep.torch import torch
from tefuda.players.entrant import Entrant

AHEAD = 8  # steps between looks at whether all games are over


STRENGTH_SEED = 90_001  # deals on which results are measured, apart from those that are learned from


def strength(
    game: Game, player: str | Entrant, opponent: str, deals: int, rules: Rules, threads: int | None = None
) -> dict[str, Any]:
    """A measured result as a policy's card keeps it."""
    result = match(game, [player, opponent], deals, STRENGTH_SEED, rules, threads)
    figure = result.rows[0].figure
    return {
        "opponent": opponent, "rules": str(rules), "figure": game.scoring.headline_under(rules).name,
        "mean": figure.mean, "low": figure.low, "high": figure.high, "deals": deals, "rotations": result.rotations,
        "seed": STRENGTH_SEED,
    }  # fmt: skip


class Yardstick:
    """Measures a network that still learns, against fixed opponents on deals that are always the same.

    Each deal is played from every seat. All is played on the CPU, also by a run on CUDA: to compile a player for CUDA
    can take longer than to ask it here.
    """

    def __init__(
        self, game: Game, rules: Rules, opponents: list[Entrant], deals: int, seed: int, threads: int | None = None
    ) -> None:  # fmt: skip
        self.game, self.rules, self.names = game, rules, [opponent.name for opponent in opponents]
        self.places = []
        lanes = deals * game.seats
        for opponent in opponents:
            machine = Machine(game, torch.device("cpu"), threads, opponent)
            tables = LearnerLanes(game, machine, [rules], ["score"], [1.0], lanes, seed, lanes, game.seats)
            self.places.append((tables, Window(game, machine, AHEAD, lanes)))

    def measure(self, shape: NetworkShape, weights: np.ndarray) -> list[Interval]:
        """The game's figure for a network against each opponent, who takes all other seats."""
        with torch.no_grad():
            parts = shape.parts(torch.from_numpy(weights))
            return [self._against(*place, parts) for place in self.places]

    def _against(self, tables: LearnerLanes, window: Window, parts: Parts) -> Interval:
        tables.start(window)
        while True:
            for at in range(AHEAD):
                logits, _ = forward(parts, window.observation[at])
                tables.step(window, at, logits.contiguous())
            window.go_on()
            if bool((tables.first[:, -1] != 0).all()):
                break
        seats = self.game.seats
        scores = tables.first[:, :-1].numpy().reshape(-1, seats, seats)  # [deals, seat of the network, seats]
        figures = np.asarray(self.game.scoring.headline_under(self.rules).of(scores), np.float64)
        return interval_of(np.einsum("dss->ds", figures).mean(axis=1))
