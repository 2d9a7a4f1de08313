"""`tefuda solve`: an equilibrium of a small game by CFR, kept as a policy file that can be seated like any other.

A game that can be written out is solved by CFR+. One that gives its deals in parts is larger: it is written out by what
its seats are shown (search/views.py), and where that is too much, CFR samples.
"""

from pathlib import Path

import numpy as np

from tefuda import outside
from tefuda.arena.exact import Exact, exact
from tefuda.contract import Game, Rules
from tefuda.engine import solution, tabular
from tefuda.errors import Problem
from tefuda.files.policy import POLICY_FILE, PolicyCard, save
from tefuda.files.provenance import commit
from tefuda.progress import Progress
from tefuda.search.cfr import Solver
from tefuda.search.response import MOST_DEALS
from tefuda.search.sampling import Sampler
from tefuda.search.tree import listed, write_out
from tefuda.search.views import Views, write_views

AT_ONCE = 10  # iterations between looks at the clock …
SAMPLED_AT_ONCE = 10_000  # … where each is one deal
USUAL, BY_VIEWS_USUAL, SAMPLED_USUAL = 1000, 200, 2_000_000  # iterations


def solve(
    game: Game, rules: Rules, iterations: int | None, out: str | Path, seed: int = 1, threads: int | None = None
) -> Exact:
    """Solve a game and write the average of all play to a folder; returns what the file's player gets."""
    if iterations is not None:
        iterations = outside.whole("iterations", iterations, 1, outside.MOST_ITERATIONS)
    out, seed, threads = outside.place("out", out), outside.seed(seed), outside.threads(threads)
    if listed(game, rules, MOST_DEALS).parts is None:
        card, weights = _written_out(game, rules, iterations or USUAL)
    elif (views := write_views(game, rules)) is not None:
        card, weights = _by_views(views, iterations or BY_VIEWS_USUAL)
    else:
        card, weights = _sampled(game, rules, iterations or SAMPLED_USUAL, seed)
    save(out / POLICY_FILE, card, weights)
    return exact(game, str(out / POLICY_FILE), rules, threads=threads)


def _written_out(game: Game, rules: Rules, iterations: int) -> tuple[PolicyCard, np.ndarray]:
    """The solution as a table, by CFR+ on the whole game."""
    solver = Solver(write_out(game, rules))
    _check(game, tabular.NAME, "by a table", "engine/tabular.py")
    _advance(solver, game, iterations, AT_ONCE)
    about = f"the average of {iterations:,} iterations of CFR+"
    features, arguments = game.players.policy(tabular.NAME).features, {"iterations": iterations}
    card = PolicyCard(game.name, tabular.NAME, str(rules), features, 0, commit(), arguments, about=about)
    return card, solver.table().ravel()


def _by_views(views: Views, iterations: int) -> tuple[PolicyCard, np.ndarray]:
    """The solution as rows of views, by CFR+ on the game as they show it."""
    solver, game = Solver(views), views.game
    _check(game, solution.NAME, "by a solution", "engine/solution.py")
    _advance(solver, game, iterations, 1)
    about = f"the average of {iterations:,} iterations of CFR+"
    if game.seats > 2:
        about += f", which need not come near an equilibrium for {game.seats} seats"
    return _rows(game, views.rules, 0, iterations, about, views.hashes, solver.average)


def _sampled(game: Game, rules: Rules, iterations: int, seed: int) -> tuple[PolicyCard, np.ndarray]:
    """The solution as rows of views, by CFR on sampled deals."""
    sampler = Sampler(game, rules, seed)
    _check(game, solution.NAME, "by a solution", "engine/solution.py")
    _advance(sampler, game, iterations, SAMPLED_AT_ONCE)
    about = f"the average of {iterations:,} iterations of sampled CFR"
    return _rows(game, rules, seed, iterations, about, *sampler.average())


def _rows(
    game: Game, rules: Rules, seed: int, iterations: int, about: str, hashes: np.ndarray, chances: np.ndarray
) -> tuple[PolicyCard, np.ndarray]:
    """The card and the weights of a solution."""
    features, arguments = game.players.policy(solution.NAME).features, {"iterations": iterations}
    card = PolicyCard(
        game.name, solution.NAME, str(rules), features, seed, commit(), arguments, about=about,
        variant=solution.variant_of(chances.shape[1]),
    )  # fmt: skip
    return card, solution.weights_of(hashes, chances)


def _check(game: Game, name: str, how: str, where: str) -> None:
    if all(policy.key != name for policy in game.players.policies):
        raise Problem(f"{game.name} has no players {how}, who could play by its solution ({where})")


def _advance(solver: Solver | Sampler, game: Game, iterations: int, at_once: int) -> None:
    with Progress(f"solving {game.name}", iterations, "iterations") as progress:
        while solver.iterations < iterations:
            solver.advance(min(at_once, iterations - solver.iterations))
            progress.update(solver.iterations)
