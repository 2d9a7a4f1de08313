"""tefuda (手札, "the hand you hold"): a laboratory for card and tile games of hidden information.

    import tefuda

    game = tefuda.game("koikoi")                                   # a game of the contract
    result = tefuda.match("koikoi", ["rule-based", "random"], deals=1000)
    print(result.rows[0].figure.text())                            # points a game, with their 95 % interval

    table = tefuda.table("koikoi", seed=1, deal=7)                 # one table, move by move
    while not table.over:
        view = table.view()                                        # what the seat to move may know
        table.apply(view.legal[0])
    print(table.scores)

    class First:                                                   # a player of one's own: a class, or an object
        def act(self, view):
            return view.legal[0]

    tefuda.match("koikoi", [First, "random"], deals=100).frame()   # the result as a data frame
    tefuda.ladder("koikoi", ["random", "rule-based", First], deals=100)

    env = tefuda.vector("koikoi", lanes=1024, opponents=["random"])   # many tables in step, for a learner of one's own
    turn = env.reset()
    turn = env.step(env.random_actions())

    tefuda.train("koikoi", "pg-linear", "results/pg", opponent="rule-based", episodes=1000)
    tefuda.match("koikoi", ["results/pg/policy.npz", "rule-based"], rules="nintendo", changes=["rounds=1"])

What cannot be done raises `tefuda.Problem`, whose text is the line that the command line prints. Everything is loaded
when it is first used, so that importing this package is quick.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tefuda import outside
from tefuda.errors import Problem, quoted
from tefuda.sources import FOLDER
from tefuda.version import __version__

if TYPE_CHECKING:
    from tefuda.arena.exact import Exact
    from tefuda.arena.exploit import Result as ExploitResult
    from tefuda.arena.ladder import Ladder
    from tefuda.arena.result import MatchResult
    from tefuda.contract import Game
    from tefuda.files.policy import PolicyCard
    from tefuda.interop.vector import VectorEnvironment
    from tefuda.players.resolve import Player
    from tefuda.report.report import Report
    from tefuda.table.evaluation import Values
    from tefuda.table.review import Review
    from tefuda.table.table import Table

__all__ = [
    "FOLDER", "Problem", "__version__", "evaluate", "exact", "exploit", "game", "ladder", "list_games", "list_players",
    "match", "play", "reproduce", "review", "solve", "table", "train", "vector",
]  # fmt: skip


class _Package(ModuleType):
    """This package. Its function `table` stays, although there is a package tefuda.table that is imported later."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name == "table" and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


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
    return Table(found, found.rulebook.make(rules, changes), seed, deal)


def vector(
    name: str,
    lanes: int,
    opponents: "Sequence[Player] | None" = None,
    seat: int | None = None,
    seed: int = 1,
    rules: str | None = None,
    changes: list[str] | None = None,
    device: str = "cpu",
    threads: int | None = None,
) -> "VectorEnvironment":
    """Many tables of a game in step, for a learner of one's own: `reset`, then `step(actions)`, each gives a `Turn`.

    Without `opponents` every decision of every seat is asked for. With them, names of compiled players, only those of
    one seat: `seat`, or when none is given the lane's number modulo the seats. The opponents sit in their order after
    it, and the last of fewer takes the seats that are left. Lane i plays the deals i, i + lanes, … of the seed.
    `device` is `cpu` for NumPy arrays, or `cuda` for torch tensors that never leave the GPU.
    """
    from tefuda.interop.vector import VectorEnvironment

    found = game(name)
    chosen = found.rulebook.make(rules, changes)
    return VectorEnvironment(found, chosen, lanes, seed, opponents, seat, device, threads)


def match(
    name: str,
    players: "Sequence[Player]",
    deals: int = 1000,
    seed: int = 1,
    rules: str | None = None,
    changes: list[str] | None = None,
    threads: int | None = None,
    device: str = "cpu",
    seating: str | None = None,
    ray: str | None = None,
) -> "MatchResult":
    """Players against each other on paired deals, seats rotated; `result.data()` is what `--json` prints.

    A player is a name, a class, or an object. `seating` says who sits where: `AABB,ABAB` is two against two. `changes`
    are options as the command line takes them, `rounds=1`; `device` is `cpu`, or `cuda` for an NVIDIA GPU.
    `ray` is the address of a Ray cluster, `auto`, or `local`: compiled players then play on its machines.
    """
    from tefuda.arena.match import match as play
    from tefuda.kernel.cluster import cluster_at

    found = game(name)
    chosen = found.rulebook.make(rules, changes)
    with cluster_at(ray, threads, device) as cluster:
        return play(found, players, deals, seed, chosen, threads, device=device, seating=seating, cluster=cluster)


def ladder(
    name: str,
    players: "Sequence[Player]" = (),
    deals: int = 1000,
    slow_deals: int | None = None,
    seed: int = 1,
    rules: str | None = None,
    changes: list[str] | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    ray: str | None = None,
    again: "Sequence[str]" = (),
) -> "Ladder":
    """Every player against every other; all players of the game when none are given.

    With a folder `out` the ladder is kept there and goes on where it stopped. `slow_deals` are those of players that
    search or are not compiled, a tenth of `deals` when not given. `again` names players whose code has changed: their
    cells of other commits are played anew.
    """
    from tefuda.arena.ladder import begin
    from tefuda.kernel.cluster import cluster_at

    found = game(name)
    chosen = found.rulebook.make(rules, changes)
    result = begin(found, chosen, seed, out, players, again=again)
    with cluster_at(ray, threads) as cluster:
        result.play(deals, slow_deals or max(2, deals // 10), threads, cluster)
    return result


def exploit(
    name: str,
    player: "Player",
    out: str | Path,
    deals: int = 10_000,
    seed: int = 1,
    rules: str | None = None,
    changes: list[str] | None = None,
    threads: int | None = None,
    device: str = "cpu",
    ray: str | None = None,
    **arguments: Any,
) -> "ExploitResult":
    """Learn a best response to a compiled player into a folder, and measure what it gains.

    The player is a name or a policy file: one that Python asks, a class or an object, is too slow to learn against.
    `arguments` are those of `tefuda exploit --arg`; the others are as for `match`.
    """
    from tefuda.learn.exploit import exploit as run

    found = game(name)
    chosen = found.rulebook.make(rules, changes)
    return run(found, player, _as_texts(arguments), out, seed, chosen, deals, threads, device, ray=ray)


def play(
    name: str,
    opponents: "Sequence[Player]" = (),
    seed: int = 1,
    deal: int | None = None,
    seat: int = 0,
    rules: str | None = None,
    changes: list[str] | None = None,
    lang: str = "both",
    record: str | Path | None = None,
) -> None:
    """Sit down at a table in the terminal. The last of fewer opponents takes the seats that are left."""
    from tefuda.table.starting import begin
    from tefuda.terminal.play import run

    run(begin(name, opponents, seed, deal, seat, rules, changes, record), outside.language(lang))


def evaluate(at: "Table", player: "Player", games: int = 300, seed: int = 0) -> "Values":
    """The value of each legal action for the seat to move, best first, when `player` plays on in guessed worlds.

    Each comes with what it loses against the best, with the interval of that paired difference. `print(values)` shows a
    table, `values.data()` is for JSON. `tefuda.table.evaluation.Evaluation` gives better and better values.
    """
    from tefuda.players.resolve import entrant_of
    from tefuda.table.evaluation import evaluate as value
    from tefuda.table.table import Table

    if not isinstance(at, Table):
        raise Problem(f"actions are valued at a table that `tefuda.table` has opened, not at {quoted(at)}")
    if at.over:
        raise Problem("the game is over: there is no action to value")
    return value(at.view(), entrant_of(at.game, player, at.rules), games, seed)


def review(
    file: str | Path,
    seat: int | None = None,
    judge: "Player | None" = None,
    worlds: int = 512,
    threshold: float | None = None,
    seed: int = 1,
    threads: int | None = None,
    game: str | None = None,
    number: int | None = None,
) -> "Review":
    """Judge every decision of a seat in a recorded game: what it lost, and how much of the result was luck.

    The file is a record of ours, or mjlog, mjai or tenhou/6; of several records in it `number` chooses one. `judge`
    plays guessed worlds on. `game` is the path of a game of your own. `tefuda.table.review.Review` tells every step.
    """
    from tefuda.players.resolve import entrant_of
    from tefuda.records.played import played_in
    from tefuda.table.review import Review

    which = None if number is None else outside.whole("number", number, 1, outside.MOST_DEALS)
    played = played_in(outside.place("file", file), None if game is None else outside.text("game", game), which)
    entrant = None if judge is None else entrant_of(played.game, judge, played.rules)
    found = Review(played, seat, entrant, worlds, seed, threshold, threads)
    for _ in found.run():
        pass
    return found


def exact(
    name: str, player: "Player", rules: str | None = None, changes: list[str] | None = None,
    seats: list[int] | None = None, samples: int = 200, seed: int = 1, threads: int | None = None,
) -> "Exact":  # fmt: skip
    """A compiled player of a small game valued exactly: `exact("leduc", "equilibrium").found.exploitability`.

    `seats`: those of the best responses; None for all. A player that does not tell its chances is asked for `samples`
    decisions in each information set."""
    from tefuda.arena.exact import exact as value

    found = game(name)
    return value(found, player, found.rulebook.make(rules, changes), samples, seed, seats, threads)


def solve(
    name: str, out: str | Path, iterations: int | None = None, rules: str | None = None,
    changes: list[str] | None = None, seed: int = 1, threads: int | None = None,
) -> "Exact":  # fmt: skip
    """Solve a small game by CFR into a folder; returns the value of the player that plays by the solution.

    `seed` is for games that are too large to be written out, where CFR samples."""
    from tefuda.learn.equilibrium import solve as run

    found = game(name)
    return run(found, found.rulebook.make(rules, changes), iterations, out, seed, threads)


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
    ray: str | None = None,
    **arguments: Any,
) -> "PolicyCard":
    """Train a player into a folder; a run that was interrupted goes on. Returns the card of its policy.

    `arguments` are the learner's, as `tefuda train GAME --list` shows them, and None leaves one at its
    default; the others are as for `match`.
    """
    from tefuda.learn.training import train as run

    found = game(name)
    chosen = found.rulebook.make(rules, changes)
    return run(found, learner, _as_texts(arguments), out, seed, chosen, deals, threads, device, ray)


def _as_texts(arguments: dict[str, Any]) -> list[str]:
    """Arguments as they are written on the command line; None leaves one at its default."""
    return [f"{key}={_as_text(value)}" for key, value in arguments.items() if value is not None]


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if any(callable(getattr(value, method, None)) for method in ("act", "choose")):
        title = getattr(value, "__name__", type(value).__name__)
        raise Problem(f"{title} cannot be learned against: only compiled players can, which are given by name")
    return ",".join(map(str, value)) if isinstance(value, (tuple, list)) else str(value)


def reproduce(
    paper: str, scale: str = "quick", out: str | Path | None = None, seed: int = 1, threads: int | None = None,
    records: str | Path | None = None,
) -> "Report":  # fmt: skip
    """A paper's experiments, with every published figure beside ours.

    `records` is a file with records of strong players, for mahjong: some experiments then use them too."""
    from tefuda.papers import reproduce as run

    return run(paper, scale, out, seed, threads, records=records)
