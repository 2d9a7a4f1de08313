"""What benchmarks share: run for about so long and give a rate; playouts and matches of any game, on CPU and CUDA."""

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tefuda.arena.games import Seating, play, seat_players
from tefuda.contract import Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.players.resolve import resolve

COMPARED_DEALS = 50_000  # played on CPU and CUDA, to compare


@dataclass(frozen=True)
class Rate:
    """A measured rate; its ratio is to the baseline row of the same run."""

    what: str
    rate: float
    unit: str
    baseline: str | None = None
    ratio: float | None = None

    title: ClassVar = "Speed"
    columns: ClassVar = ("what", "rate", "", "ratio")
    right: ClassVar = {1, 3}

    def data(self) -> dict[str, Any]:
        return {"what": self.what, "rate": self.rate, "unit": self.unit, "ratio": self.ratio, "baseline": self.baseline}

    def against(self, other: "Rate") -> "Rate":
        return Rate(self.what, self.rate, self.unit, other.what, self.rate / other.rate)

    def cells(self) -> list[str]:
        ratio = "" if not self.ratio else f"{self.ratio:,.1f} ×" if self.ratio >= 1 else f"{self.ratio:.2g} ×"
        return [self.what, f"{self.rate:,.0f}", self.unit, ratio]

    @staticmethod
    def notes(rows: "list[Rate]") -> list[str]:
        baselines = sorted({row.baseline for row in rows if row.baseline})
        return [f"Rates are a second; ratios are to {each}, measured in the same run." for each in baselines]


def rate(
    work: Callable[[int, int], Any], seconds: float, first_size: int, clock: Callable[[], float] = time.perf_counter
) -> tuple[float, float]:
    """Call work(first, last) on growing pieces for about so long, after one call to warm up.

    Returns pieces a second and, when work returns a number (decisions, say), that number a second. What runs on one
    core can be measured by the clock of the process, which stands still while others have the core.
    """
    work(0, 1)
    size, done, counted, began = first_size, 0, 0.0, clock()
    while True:
        result = work(done, done + size)
        counted += result if isinstance(result, int | float) else 0.0
        done += size
        passed = clock() - began
        if passed >= seconds:
            return done / passed, counted / passed
        size = max(1, min(2 * size, int(done / passed * max(0.05, seconds - passed))))


def playouts(game: Game, rules: Rules, seconds: float) -> tuple[float, float]:
    """Games and decisions a second of random play on one core."""
    loops, blank, space = loops_of(game), game.blank(rules), scratch(game)

    def work(first: int, last: int) -> int:
        return loops.playouts(blank, 1, first, last, space, np.empty((last - first, game.seats)))

    return rate(work, seconds, 10_000)


def seating_of(game: Game, rules: Rules, name: str) -> Seating:
    """One player in every seat."""
    return seat_players(game, [resolve(game, name, rules)] * game.seats)


def matches(game: Game, rules: Rules, name: str, seconds: float, threads: int) -> tuple[float, float]:
    """Games and decisions a second of a match of one player with itself."""
    seating = seating_of(game, rules, name)

    def work(first: int, last: int) -> int:
        pieces = [(first + a, first + b) for a, b in chunks(last - first, max(50, (last - first) // (4 * threads)))]
        done = run_chunks(lambda a, b: play(game, rules, seating, 1, a, b), pieces, threads)
        return sum(result.decisions for _, _, result in done)

    return rate(work, seconds, 200)


def core_counts(threads: int | None) -> list[tuple[int, str]]:
    """One core, and all that may be used, with their names."""
    return [(count, "one core" if count == 1 else f"{count} cores") for count in sorted({1, threads or cores()})]


def playouts_on_cuda(game: Game, rules: Rules, seconds: float, deals: int) -> tuple[float, float]:
    """Games and decisions a second of random play on a GPU, so many deals in a launch."""
    from tefuda.engine.cuda import Playouts
    from tefuda.kernel.device import wait

    there = Playouts(game, game.blank(rules), deals)

    def launch(first: int, last: int) -> None:
        for number in range(first, last):
            there.play(1, number * deals)
        wait()

    launches, _ = rate(launch, seconds, 2)
    return launches * deals, launches * deals * float(there.decisions.copy_to_host().mean())


def matches_on_cuda(
    game: Game, rules: Rules, names: Iterable[tuple[str, int]], seconds: float, baseline: Rate
) -> list[Rate]:
    """Matches of players with themselves, each with the deals of a launch; their games are compared with the CPU's."""
    from tefuda.engine.cuda import Batch
    from tefuda.kernel.device import wait

    rows = []
    for name, deals in names:
        seating = seating_of(game, rules, name)
        arguments = (game, game.blank(rules), seating.rotations, seating.entrants)
        batch = Batch(*arguments, deals)

        def launch(first: int, last: int, batch: Batch = batch, deals: int = deals) -> None:
            for number in range(first, last):
                batch.play(1, number * deals)
            wait()

        launches, _ = rate(launch, seconds, 1)
        rows.append(Rate(f"{name}, GPU", launches * batch.lanes, "games").against(baseline))
        compared = min(COMPARED_DEALS, deals)
        small = Batch(*arguments, compared)
        small.play(7, 0)
        wait()
        results = run_chunks(lambda a, b, s=seating: play(game, rules, s, 7, a, b), chunks(compared, 500))
        here = np.concatenate([result.scores for _, _, result in results])
        same = float((small.scores() == here).all(axis=(1, 2)).mean())
        print(f"{name}: {100 * same:.4f} % of {compared:,} games are the same on GPU and CPU", file=sys.stderr)
        rows.append(Rate(f"{name}, same on GPU and CPU", 100 * same, "% of games"))
    return rows
