"""tefuda (手札, "the hand you hold"): a laboratory for card and tile games of hidden information.

    import tefuda

    game = tefuda.game("koikoi")                                   # a game of the contract
    result = tefuda.match("koikoi", ["rule-based", "random"], deals=1000)
    print(result.rows[0].figure.text())                            # +2.680 ± 0.170

    table = tefuda.table("koikoi", seed=1, deal=7)                 # one table, move by move
    while not table.over:
        view = table.view()                                        # what the seat to move may know
        table.apply(view.legal[0])
    print(table.scores)

Everything is loaded when it is first used, so that importing this package is quick.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tefuda.sources import FOLDER
from tefuda.version import __version__

if TYPE_CHECKING:
    from tefuda.arena.match import MatchResult
    from tefuda.contract import Game
    from tefuda.report.report import Report
    from tefuda.table.evaluation import Valued
    from tefuda.table.table import Table

__all__ = [
    "FOLDER", "__version__", "evaluate", "game", "list_games", "list_players", "match", "reproduce", "table", "train",
]  # fmt: skip


def list_games() -> list[str]:
    """The names of the games that come with the package."""
    from tefuda.games import names

    return names()


def game(name: str) -> "Game":
    """A game by its name, or by the path of a folder or file of your own."""
    from tefuda.games import find

    return find(name)


def list_players(name: str) -> dict[str, str]:
    """The players of a game, each with a line that says what it is."""
    return {player.name: player.about for player in game(name).players.named}


def table(
    name: str, rules: str | None = None, changes: list[str] | None = None, seed: int = 1, deal: int = 0
) -> "Table":
    """One table with a numbered deal. `changes` are options as the command line takes them, `rounds=1`."""
    from tefuda.table.table import Table

    found = game(name)
    return Table(found, found.rulebook.make(rules, changes or []), seed, deal)


def match(
    name: str,
    names: list[str],
    deals: int = 1000,
    seed: int = 1,
    rules: str | None = None,
    changes: list[str] | None = None,
    threads: int | None = None,
) -> "MatchResult":
    """Players against each other on paired deals, seats rotated; `result.data()` is what `--json` prints."""
    from tefuda.arena.match import match as play

    found = game(name)
    return play(found, names, deals, seed, found.rulebook.make(rules, changes or []), threads)


def evaluate(at: "Table", player: str, games: int = 300, seed: int = 0) -> "list[Valued]":
    """The value of each legal action for the seat to move, best first, when `player` plays on in guessed worlds."""
    from tefuda.players.resolve import resolve
    from tefuda.table.evaluation import evaluate as value

    return value(at.view(), resolve(at.game, player, at.rules), games, seed)


def train(name: str, learner: str, out: Path, seed: int = 1, deals: int = 2000, **arguments: Any) -> Any:
    """Train a player into a folder; a run that was interrupted goes on. Returns the card of its policy."""
    from tefuda.learn.training import train as run

    found = game(name)
    texts = [f"{key}={value}" for key, value in arguments.items()]
    return run(found, learner, texts, Path(out), seed, found.rulebook.make(), deals, None)


def reproduce(paper: str, scale: str = "quick", out: Path | None = None, seed: int = 1) -> "Report":
    """A paper's experiments, with every published figure beside ours."""
    from tefuda.papers import reproduce as run

    return run(paper, scale, out, seed)
