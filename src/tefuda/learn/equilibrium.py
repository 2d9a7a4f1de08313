"""`tefuda solve`: an equilibrium of a small game by CFR+, kept as a policy file that can be seated like any other."""

from pathlib import Path

from tefuda import outside
from tefuda.arena.exact import Exact, exact
from tefuda.contract import Game, Rules
from tefuda.engine.tabular import NAME
from tefuda.errors import Problem
from tefuda.files.policy import PolicyCard, save
from tefuda.files.provenance import commit
from tefuda.progress import Progress
from tefuda.search.cfr import Solver
from tefuda.search.tree import write_out

POLICY = "policy.npz"
AT_ONCE = 10  # iterations between looks at the clock


def solve(game: Game, rules: Rules, iterations: int, out: str | Path) -> Exact:
    """Solve a game and write the average of all play to a folder; returns what the file's player gets."""
    iterations = outside.whole("iterations", iterations, 1, outside.MOST_ITERATIONS)
    out = outside.place("out", out)
    solver = Solver(write_out(game, rules))
    if all(policy.key != NAME for policy in game.players.policies):
        raise Problem(f"{game.name} has no players by a table, who could play by its solution (engine/tabular.py)")
    with Progress(f"solving {game.name}", iterations, "iterations") as progress:
        while solver.iterations < iterations:
            solver.advance(min(AT_ONCE, iterations - solver.iterations))
            progress.update(solver.iterations)
    about = f"the average of {iterations:,} iterations of CFR+"
    arguments = {"iterations": iterations}
    features = game.players.policy(NAME).features
    card = PolicyCard(game.name, NAME, str(rules), features, 0, commit(), arguments, about=about)
    save(out / POLICY, card, solver.table().ravel())
    return exact(game, str(out / POLICY), rules)
