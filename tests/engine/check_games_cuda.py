"""Whole games on a real GPU: the same scores as on the CPU to the last bit, deal by deal, for every game.

Run it from the root of a checkout on a machine with an NVIDIA GPU and numba-cuda:

    PYTHONPATH=src python tests/engine/check_games_cuda.py [WORD …]

Each line of CASES runs in a process of its own, all side by side, since each compiles its players. With words only the
lines that have one of them run. Without a GPU, test_cuda_simulated.py runs the same kernels in Numba's simulator.
"""

import subprocess
import sys
import time

# game, preset, deals, players: the first against as many of the last as there are seats left
CASES = (
    ("koikoi", "paper", 4096, "rule-based", "random"),
    ("koikoi", "paper", 512, "pg-linear", "ann-value"),
    ("koikoi", "paper", 1024, "champion", "quick"),
    ("koikoi", "nintendo", 256, "champion", "rule-based"),
    ("tricks", "plain", 4096, "rule-based", "random"),
    ("tricks", "hearts", 2048, "rule-based", "q-linear"),
    ("tricks", "usual", 256, "champion", "rule-based"),
    ("saichugen", "", 2048, "S-base+3t+4r", "random"),
    ("saichugen", "", 1024, "champion", "learned"),
    ("kuhn", "", 4096, "equilibrium", "random"),
    ("leduc", "", 4096, "equilibrium", "honest"),
    ("mahjong", "hand", 512, "rule-based", "shanten"),
    ("mahjong", "tonpuu", 128, "champion", "rule-based"),
    ("mahjong", "hand", 256, "policy", "tsumogiri"),
    ("mahjong", "hand", 128, "mcp", "bcp"),
)


def check(name: str, preset: str, deals: int, first: str, last: str) -> bool:
    """Play the same deals on both, and tell on how many of them the scores of all seats agree."""
    began = time.perf_counter()
    import tefuda
    from tefuda.arena.games import play, seat_players
    from tefuda.engine.cuda import Batch
    from tefuda.kernel.device import wait
    from tefuda.players.resolve import resolve

    game = tefuda.game(name)
    rules = game.rulebook.make(preset or None)
    players = [resolve(game, each, rules) for each in [first, *[last] * (game.seats - 1)]]
    seating = seat_players(game, players)
    batch = Batch(game, game.blank(rules), seating.rotations, seating.entrants, deals)
    batch.play(7, 0)
    wait()
    ready = time.perf_counter()
    batch.play(7, 0)
    wait()
    played = time.perf_counter()
    here = play(game, rules, seating, 7, 0, deals)
    same = int((batch.scores() == here.scores).all(axis=(1, 2)).sum())
    decided = int(batch.decisions.copy_to_host().sum())
    print(
        f"{name} {preset}, {first} and {last}: {same} of {deals} deals are the same, {decided} decisions there and "
        f"{here.decisions} here; ready in {ready - began:.1f} s, played in {played - ready:.3f} s",
        flush=True,
    )
    return same == deals and decided == here.decisions


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--one":
        sys.exit(0 if check(*CASES[int(sys.argv[2])]) else 1)
    words = sys.argv[1:]
    chosen = [at for at, case in enumerate(CASES) if not words or any(word in case for word in words)]
    running = [subprocess.Popen([sys.executable, __file__, "--one", str(at)]) for at in chosen]
    failed = [at for at, process in zip(chosen, running, strict=True) if process.wait() != 0]
    for at in failed:
        print("NOT THE SAME:", *CASES[at])
    sys.exit(1 if failed else 0)
