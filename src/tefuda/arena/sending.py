"""Work that can be sent to another machine: pickled, it is names and numbers in place of kernels."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena import games
from tefuda.arena.games import PlayedDeals, Seating
from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.games import find, names
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve


@dataclass(frozen=True)
class SentPlayer:
    """A compiled player: its policy and what the policy's kernel reads; one that searches by its name."""

    name: str
    policy: str  # "": found by its name
    params: np.ndarray

    def found(self, game: Game, rules: Rules) -> Entrant:
        if not self.policy:
            return resolve(game, self.name, rules)
        return Entrant(self.name, game.players.policy(self.policy), self.params)


@dataclass(frozen=True)
class Deals:
    """The deals of a match: plays a piece of them, by their numbers, wherever it is."""

    game: Game
    rules: Rules
    seating: Seating
    seed: int
    on_gpu: bool = False

    def __call__(self, first: int, last: int) -> PlayedDeals:
        play = games.play_on_gpu if self.on_gpu else games.play
        return play(self.game, self.rules, self.seating, self.seed, first, last)

    def __reduce__(self) -> tuple[Callable[..., "Deals"], tuple[Any, ...]]:
        if self.on_gpu:
            raise Problem("a match on CUDA cannot be sent to a cluster, whose processors play")
        players = [sent_player(entrant) for entrant in self.seating.entrants]
        return _deals, (source_of(self.game), self.rules, players, self.seating.rotations, self.seed)


def _deals(source: str, rules: Rules, players: list[SentPlayer], rotations: np.ndarray, seed: int) -> Deals:
    game = find(source)
    return Deals(game, rules, Seating([player.found(game, rules) for player in players], rotations), seed)


def source_of(game: Game) -> str:
    """What finds a game on another machine: its name, or the place of one of the user's own."""
    if game.name in names():
        return game.name
    if not (game.folder / "__init__.py").exists():
        raise Problem(f"{game.name} cannot be sent to a cluster: a game of one's own must be a folder with __init__.py")
    return str(Path(game.folder).resolve())


def sent_player(entrant: Entrant) -> SentPlayer:
    """What is sent of a player; one who cannot be sent is a Problem."""
    if entrant.policy is None:
        raise Problem(f"{entrant.name} cannot play on a cluster: only compiled players can")
    searches = entrant.policy.search is not None
    return SentPlayer(entrant.name, "" if searches else entrant.policy.key, entrant.params)
