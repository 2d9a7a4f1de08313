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

    tefuda.train("koikoi", "pg-linear", "results/pg", opponent="rule-based", episodes=1000)
    tefuda.match("koikoi", ["results/pg/policy.npz", "rule-based"], rules="nintendo", changes=["rounds=1"])

What cannot be done raises `tefuda.Problem`, whose text is the line that the command line prints. Everything is loaded
when it is first used, so that importing this package is quick.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tefuda import table as _folder  # noqa: F401 - loaded first: later, it would take the place of the function `table`
from tefuda.errors import Problem
from tefuda.sources import FOLDER
from tefuda.version import __version__

if TYPE_CHECKING:
    from tefuda.arena.exact import Exact
    from tefuda.arena.match import MatchResult
    from tefuda.contract import Game
    from tefuda.files.policy import PolicyCard
    from tefuda.report.report import Report
    from tefuda.table.evaluation import Values
    from tefuda.table.table import Table

__all__ = [
    "FOLDER", "Problem", "__version__", "evaluate", "exact", "game", "list_games", "list_players", "match",
    "reproduce", "solve", "table", "train",
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
    device: str = "cpu",
) -> "MatchResult":
    """Players against each other on paired deals, seats rotated; `result.data()` is what `--json` prints.

    `changes` are options as the command line takes them, `rounds=1`; `device` is `cpu`, or `cuda` for an NVIDIA GPU.
    """
    from tefuda.arena.match import match as play

    found = game(name)
    return play(found, names, deals, seed, found.rulebook.make(rules, changes or []), threads, device=device)


def evaluate(at: "Table", player: str, games: int = 300, seed: int = 0) -> "Values":
    """The value of each legal action for the seat to move, best first, when `player` plays on in guessed worlds.

    Each comes with what it loses against the best, with the interval of that paired difference. `print(values)` shows a
    table, `values.data()` is for JSON. `tefuda.table.evaluation.Evaluation` gives better and better values.
    """
    from tefuda.players.resolve import resolve
    from tefuda.table.evaluation import evaluate as value

    if at.over:
        raise Problem("the game is over: there is no action to value")
    return value(at.view(), resolve(at.game, player, at.rules), games, seed)


def exact(name: str, player: str, rules: str | None = None, changes: list[str] | None = None) -> "Exact":
    """A player of a small game valued exactly: `exact("leduc", "equilibrium").found.exploitability`."""
    from tefuda.arena.exact import exact as value

    found = game(name)
    return value(found, player, found.rulebook.make(rules, changes or []))


def solve(
    name: str, out: Path, iterations: int = 1000, rules: str | None = None, changes: list[str] | None = None
) -> "Exact":
    """Solve a small game by CFR+ into a folder; returns the value of the player that plays by the solution."""
    from tefuda.learn.equilibrium import solve as run

    found = game(name)
    return run(found, found.rulebook.make(rules, changes or []), iterations, Path(out))


def train(
    name: str,
    learner: str,
    out: str | Path,
    seed: int = 1,
    deals: int = 2000,
    rules: str | None = None,
    changes: list[str] | None = None,
    threads: int | None = None,
    device: str = "cpu",
    **arguments: Any,
) -> "PolicyCard":
    """Train a player into a folder; a run that was interrupted goes on. Returns the card of its policy.

    `arguments` are the learner's, as `tefuda train GAME --list` shows them; the others are as for `match`.
    """
    from tefuda.learn.training import train as run

    found = game(name)
    texts = [f"{key}={_as_text(value)}" for key, value in arguments.items()]
    chosen = found.rulebook.make(rules, changes or [])
    return run(found, learner, texts, Path(out), seed, chosen, deals, threads, device)


def _as_text(value: Any) -> str:
    """An argument as it is written on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def reproduce(paper: str, scale: str = "quick", out: Path | None = None, seed: int = 1) -> "Report":
    """A paper's experiments, with every published figure beside ours."""
    from tefuda.papers import reproduce as run

    return run(paper, scale, out, seed)
