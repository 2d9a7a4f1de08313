"""OpenSpiel's CFR on our Leduc poker, and our exact value of what it has found.

python examples/openspiel_cfr.py                    # 30 iterations, some minutes: OpenSpiel walks the game in Python
python examples/openspiel_cfr.py kuhn 100           # Kuhn poker, some seconds
"""

import sys

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import tefuda
import tefuda.interop.openspiel  # tells OpenSpiel of our games


def solve(name: str, iterations: int) -> float:
    """How far its average play can be exploited in the end, in chips a game."""
    game = pyspiel.load_game(f"tefuda_{name}")
    solver = cfr.CFRSolver(game)
    for iteration in range(1, iterations + 1):
        solver.evaluate_and_update_policy()
        if iteration % 10 == 0 or iteration == iterations:
            found = exploitability.exploitability(game, solver.average_policy())
            print(f"{iteration:5} iterations of OpenSpiel's CFR: {found:.4f} chips", flush=True)
    return found


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "leduc"
    solve(name, int(sys.argv[2]) if len(sys.argv) > 2 else 30)
    ours = tefuda.exact(name, "equilibrium").found.exploitability
    print(f"our equilibrium, by CFR+: {ours:.4f} chips")
