"""A tournament on a cluster of Ray: every player against every other, rated, each figure with its interval.

python examples/ray_tournament.py                    # players of Leduc poker, two workers on this machine
python examples/ray_tournament.py koikoi auto 20000  # of Koi-Koi, on the cluster that this machine belongs to
"""

import sys
from pathlib import Path

import tefuda

WORKERS = 2  # of a cluster on this machine


def tournament(game: str = "leduc", ray: str = "local", deals: int = 2000, out: Path | None = None) -> list[str]:
    """A line for each player, the best first. With a folder `out`, a tournament that was killed goes on."""
    ladder = tefuda.ladder(game, deals=deals, out=out, threads=WORKERS, ray=ray)
    table = ladder.columns()
    rows = zip(*(table[name] for name in ("player", "rating", "rating_low", "rating_high")), strict=True)
    return [f"{player:>20} {mean:+8.3f}   {low:+.3f} to {high:+.3f}" for player, mean, low, high in rows]


if __name__ == "__main__":
    given = sys.argv[1:]
    name, ray, deals = [*given, *("leduc", "local", "2000")[len(given) :]]
    print("\n".join(tournament(name, ray, int(deals), Path("results/tournament"))))
