"""Results of rounds, kept as they came: what may happen to a seat, for players that reckon with it.

Games are played by number until every situation has as many results as the model keeps; the first ones are kept. The
learner knows no game: a game's `ends` plays and gives the results.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tefuda.contract import Ends, Game, Rules
from tefuda.errors import Problem
from tefuda.kernel.threads import cores, run_chunks
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run

PIECE = 8  # games that a core plays at once
EVERY = 30.0  # seconds between checkpoints
MOST_GAMES = 100_000  # that are played at most


@dataclass(frozen=True)
class Arguments:
    """Whose results to keep."""

    player: str = "policy"  # who plays
    opponent: str = ""  # who sits in the other seats, where the source tells them apart; empty: the same
    source: str = ""  # how games are played; empty: the usual way

    def check(self) -> None:
        """All that can be wrong depends on the game."""


class Gathering:
    """Results by their situations; `advance` plays some more games."""

    def __init__(self, ends: Ends, collect: Callable[[int, int], np.ndarray], threads: int | None) -> None:
        self.ends, self.collect, self.threads = ends, collect, threads or cores()
        self.played = 0
        self.rows = np.zeros((0, 1 + ends.size), np.int64)

    @property
    def least(self) -> int:
        """Results of the situation that has fewest."""
        return int(np.bincount(self.rows[:, 0], minlength=self.ends.situations).min())

    @property
    def done(self) -> bool:
        return self.least >= self.ends.rows

    def advance(self) -> float:
        """Play a piece on each core."""
        if self.played >= MOST_GAMES:
            raise Problem(f"{MOST_GAMES:,} games have too few results of one situation: give another player or source")
        pieces = [(self.played + PIECE * each, self.played + PIECE * (each + 1)) for each in range(self.threads)]
        found = [rows for _, _, rows in run_chunks(self.collect, pieces, self.threads)]
        self.rows = np.concatenate([self.rows, *found])
        self.played += PIECE * self.threads
        return min(self.least, self.ends.rows)

    @property
    def kept(self) -> np.ndarray:
        """[situations, rows, size]: the first results of each situation."""
        return np.array(
            [self.rows[self.rows[:, 0] == each][: self.ends.rows, 1:] for each in range(self.ends.situations)]
        )

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        return {"played": np.array(self.played), "rows": self.rows}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.played, self.rows = int(state["played"]), state["rows"]


def train(task: Task) -> Trained:
    ends = task.game.learning.ends
    assert ends is not None  # `offer` has seen it
    player = compiled_player(task.game, task.arguments.player, task.rules)
    opponent = compiled_player(task.game, task.arguments.opponent or task.arguments.player, task.rules)
    source = task.arguments.source or ends.sources[0]

    def collect(first: int, last: int) -> np.ndarray:
        return ends.collect(task.game, task.rules, player, opponent, source, task.seed, first, last)

    gathering = Gathering(ends, collect, task.threads)
    run(gathering, gathering.advance, ends.rows, "results", task.out, task.identity, EVERY)
    kept = gathering.kept
    curve: list[tuple] = [("situation", "results", "games played")]
    curve += [(each, len(rows), gathering.played) for each, rows in enumerate(kept)]
    return Trained(kept.ravel().astype(np.float64), curve)


def offer(game: Game, rules: Rules) -> Offer | None:
    ends = game.learning.ends
    if ends is None:
        return None
    about = f"{ends.rows:,} results of rounds for each of {ends.situations} situations, from games of some player"
    return Offer(ends.model, about, model=ends.model)


def check(task: Task) -> Task:
    """Refuse players that cannot be learned from, and unknown sources."""
    ends = task.game.learning.ends
    assert ends is not None
    for name in (task.arguments.player, task.arguments.opponent or task.arguments.player):
        compiled_player(task.game, name, task.rules)
    if task.arguments.source and task.arguments.source not in ends.sources:
        raise Problem(f"source is {task.arguments.source!r}, but takes {' or '.join(ends.sources)}")
    return task


METHOD = Method(Arguments, offer, check, train, against=None)
