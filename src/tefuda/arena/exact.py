"""How far a player of a small game can be exploited, exactly: see search/exact.py.

A player that tells its chances (a table, a network) is known exactly. Any other compiled player is asked many times in
each information set: where it draws no lots this is exact too, otherwise its chances are an estimate, which a best
response can exploit a little further than the player itself.

A game that gives its deals in parts is too large to be written out: search/response.py plays all its deals instead.
"""

from collections.abc import Sequence
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
from tefuda.search.response import MOST_DEALS, Opposition
from tefuda.search.tree import Tree, listed, write_out
from tefuda.table.table import Table

SAMPLES = 200  # decisions in each information set of a player that does not tell its chances


@dataclass(frozen=True, repr=False)
class Exact(Framed):
    """What a player gets against itself in some seats, and what a best response gets in its place."""

    game: str
    rules: str
    player: str
    found: Exploited
    positions: int  # of the whole game; where it is not written out, those that best responses can come to
    information_sets: int  # of all seats; where it is not written out, those in which a best response has a choice
    samples: int  # decisions asked for in each information set; 0: the player tells its chances
    seats: tuple[int, ...]  # those that were valued

    def __repr__(self) -> str:
        return f"<{self.heading()}: exploitability {self.found.exploitability:.6f}>"

    def heading(self) -> str:
        return f"{self.game}, rules {self.rules}, {self.player} valued exactly"

    def columns(self) -> Columns:
        """What the player gets in each seat against itself, and what a best response gets there."""
        found = self.found
        return {
            "seat": list(self.seats), "value": list(found.values), "response": list(found.responses),
            "gain": list(found.gains),
        }  # fmt: skip

    def data(self) -> dict:
        """What `--json` prints."""
        return {
            "game": self.game, "rules": self.rules, "player": self.player, "seats": list(self.seats),
            "values": self.found.values, "responses": self.found.responses, "gains": self.found.gains,
            "exploitability": self.found.exploitability, "positions": self.positions,
            "information_sets": self.information_sets, "samples": self.samples,
        }  # fmt: skip


def exact(
    game: Game, given: Player, rules: Rules, samples: int = SAMPLES, seed: int = 1, seats: Sequence[int] | None = None,
    threads: int | None = None,
) -> Exact:  # fmt: skip
    """Value a player in the whole game; `seats`: those of the best responses, None for all."""
    seed, threads = outside.seed(seed), outside.threads(threads)
    outside.whole("samples", samples, 1, outside.MOST_SAMPLES)
    player = entrant_of(game, given, rules)
    if player.policy is None:
        raise Problem(f"{player.name} cannot be valued exactly: only compiled players can")
    wanted = range(game.seats) if seats is None else outside.sequence("seats", seats)
    chosen = tuple(dict.fromkeys(outside.whole("seat", seat, 0, game.seats - 1) for seat in wanted))
    if not chosen:
        raise Problem("seats name no seat: leave them out for all")
    tells = player.policy.chances is not None
    known = (game.name, str(rules), player.name)
    if listed(game, rules, MOST_DEALS).parts is not None:
        opposition = Opposition(game, rules, player.policy, player.params, samples, seed)
        best = [opposition.response(seat, threads) for seat in chosen]
        found = Exploited([each.itself for each in best], [each.value for each in best])
        tables, sets = sum(each.tables for each in best), sum(each.information_sets for each in best)
        return Exact(*known, found, tables, sets, 0 if tells else samples, chosen)
    tree = write_out(game, rules)
    chances = chances_of(tree, player.policy, player.params) if tells else asked(tree, player, samples, seed)
    whole = exploited(tree, chances)
    found = Exploited([whole.values[seat] for seat in chosen], [whole.responses[seat] for seat in chosen])
    return Exact(*known, found, len(tree.parent), tree.sets, 0 if tells else samples, chosen)


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
