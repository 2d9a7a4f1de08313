"""A match as something that can be sent to another machine: names and numbers in place of kernels."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tefuda.arena.games import Played, Seating, play
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
class SentMatch:
    """The deals of a match, by their numbers."""

    game: str
    rules: Rules
    players: list[SentPlayer]
    rotations: np.ndarray
    seed: int

    def made(self) -> Callable[[int, int], Played]:
        game = find(self.game)
        seating = Seating([player.found(game, self.rules) for player in self.players], self.rotations)
        return lambda first, last: play(game, self.rules, seating, self.seed, first, last)


def sent_match(game: Game, rules: Rules, seating: Seating, seed: int) -> SentMatch:
    """What is sent of a match; a player who cannot be sent is a Problem."""
    return SentMatch(_source(game), rules, [_sent(entrant) for entrant in seating.entrants], seating.rotations, seed)


def _source(game: Game) -> str:
    """What finds a game on another machine: its name, or the place of one of the user's own."""
    if game.name in names():
        return game.name
    if not (game.folder / "__init__.py").exists():
        raise Problem(f"{game.name} cannot be sent to a cluster: a game of one's own must be a folder with __init__.py")
    return str(Path(game.folder).resolve())


def _sent(entrant: Entrant) -> SentPlayer:
    if entrant.policy is None:
        raise Problem(f"{entrant.name} cannot play on a cluster: only compiled players can")
    searches = entrant.policy.search is not None
    return SentPlayer(entrant.name, "" if searches else entrant.policy.key, entrant.params)
