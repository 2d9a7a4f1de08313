"""How strong a network is at this moment of a run: its games against fixed players.

They are played on the CPU, also by a run on CUDA: to compile a player for CUDA can take longer than to ask it here.
"""

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.intervals import Interval, interval_of
from tefuda.learn.deep.network import Parts, Shape, forward
from tefuda.learn.deep.tables import Lanes, Machine, Window
from tefuda.learn.deep.torch import torch
from tefuda.players.entrant import Entrant

AHEAD = 8  # steps between looks at whether all games are over


class Ladder:
    """Fixed opponents, and deals that are the same at every moment, each played from every seat."""

    def __init__(
        self, game: Game, rules: Rules, opponents: list[Entrant], deals: int, seed: int, threads: int | None = None
    ) -> None:  # fmt: skip
        self.game, self.rules, self.names = game, rules, [opponent.name for opponent in opponents]
        self.places = []
        lanes = deals * game.seats
        for opponent in opponents:
            machine = Machine(game, torch.device("cpu"), threads, opponent)
            tables = Lanes(game, machine, [rules], ["score"], [1.0], lanes, seed, lanes, game.seats)
            self.places.append((tables, Window(game, machine, AHEAD, lanes)))

    @torch.no_grad()
    def measure(self, shape: Shape, weights: np.ndarray) -> list[Interval]:
        """The game's figure for a network against each opponent, who takes all other seats."""
        parts = shape.parts(torch.from_numpy(weights))
        return [self._against(*place, parts) for place in self.places]

    def _against(self, tables: Lanes, window: Window, parts: Parts) -> Interval:
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
