"""How far a player of a small game can be exploited, exactly: see search/exact.py.

A player that tells its chances (a table, a network) is known exactly. Any other compiled player is asked many times in
each information set: where it draws no lots this is exact too, otherwise its chances are an estimate, which a best
response can exploit a little further than the player itself.
"""

from dataclasses import dataclass

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.files.frames import Columns, Framed
from tefuda.kernel.random import CHECK, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import Player, entrant_of
from tefuda.progress import Progress
from tefuda.search.exact import Exploited, chances_of, exploited
from tefuda.search.tree import Tree, write_out
from tefuda.table.table import Table

SAMPLES = 200  # decisions in each information set of a player that does not tell its chances


@dataclass(frozen=True, repr=False)
class Exact(Framed):
    """What a player gets against itself in each seat, and what a best response gets in its place."""

    game: str
    rules: str
    player: str
    found: Exploited
    positions: int  # of the whole game
    information_sets: int
    samples: int  # decisions asked for in each information set; 0: the player tells its chances

    def __repr__(self) -> str:
        return f"<{self.heading()}: exploitability {self.found.exploitability:.6f}>"

    def heading(self) -> str:
        return f"{self.game}, rules {self.rules}, {self.player} valued exactly"

    def columns(self) -> Columns:
        """What the player gets in each seat against itself, and what a best response gets there."""
        found = self.found
        return {
            "seat": list(range(len(found.values))), "value": list(found.values), "response": list(found.responses),
            "gain": list(found.gains),
        }  # fmt: skip

    def data(self) -> dict:
        """What `--json` prints."""
        return {
            "game": self.game, "rules": self.rules, "player": self.player, "values": self.found.values,
            "responses": self.found.responses, "gains": self.found.gains,
            "exploitability": self.found.exploitability, "positions": self.positions,
            "information_sets": self.information_sets, "samples": self.samples,
        }  # fmt: skip


def exact(game: Game, given: Player, rules: Rules, samples: int = SAMPLES, seed: int = 1) -> Exact:
    """Write the whole game out, and value a player in it."""
    outside.seed(seed)
    outside.whole("samples", samples, 1, outside.MOST_SAMPLES)
    player = entrant_of(game, given, rules)
    if player.policy is None:
        raise Problem(f"{player.name} cannot be valued exactly: only compiled players can")
    tree = write_out(game, rules)
    if player.policy.chances is not None:
        samples, chances = 0, chances_of(tree, player.policy, player.params)
    else:
        chances = asked(tree, player, samples, seed)
    return Exact(game.name, str(rules), player.name, exploited(tree, chances), len(tree.parent), tree.sets, samples)


def asked(tree: Tree, player: Entrant, samples: int, seed: int) -> np.ndarray:
    """How often a compiled player takes each action, in every information set."""
    counts = np.zeros(tree.legal.shape)
    with Progress(f"asking {player.name}", tree.sets, "information sets") as progress:
        for number, seat in enumerate(tree.owner):
            table = Table(tree.game, tree.rules, states=tree.views[number : number + 1].copy())
            for sample in range(samples):
                table.rngs[seat] = stream(seed, number * samples + sample, seat, CHECK)
                counts[number, table.ask(player)] += 1
            progress.update(number + 1)
    return counts / samples
