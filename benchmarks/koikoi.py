"""Speed of Koi-Koi through the contract, beside a plain-Python implementation that shares no code with it."""

import sys
import time
from pathlib import Path

import numpy as np
from measure import Rate, rate

from tefuda.arena.games import Seating, play, seat_players
from tefuda.arena.players import Entrant, resolve
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.rules import KOIKOI
from tefuda.kernel.loops import loops_of
from tefuda.kernel.threads import chunks, cores, run_chunks
from tefuda.learn.policy_gradient import Arguments, Learner

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

RULES = GAME.rulebook.make()
CUDA_DEALS = 1 << 22  # of plain playouts in one launch
CUDA_MATCH_DEALS = 1 << 20
COMPARED_DEALS = 50_000  # played on both, to compare


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; the plain-Python random games are the baseline."""
    import witness_koikoi

    blank = GAME.blank(RULES)
    loops = loops_of(GAME)

    def plain(first: int, last: int) -> None:
        witness_koikoi.random_games(last - first, first)

    def playouts(first: int, last: int) -> int:
        return loops.playouts(blank, 1, first, last, np.empty((last - first, 2)))

    baseline = Rate("plain Python", rate(plain, seconds, 50)[0], "games")
    games, decisions = rate(playouts, seconds, 10_000)
    rows = [baseline, Rate("random playouts, one core", games, "games").against(baseline)]
    rows.append(Rate("random playouts, one core", decisions, "decisions"))
    for name in ("random/always-stop", "rule-based/always-stop", "rule-based", "pg-linear-tuned", "ann-value"):
        names = [name, name]
        for count in sorted({1, threads or cores()}):
            games, decisions = rate(match_work(names, count), seconds, 200)
            where = "one core" if count == 1 else f"{count} cores"
            rows.append(Rate(f"{name}, {where}", games, "games").against(baseline))
            if name.startswith("random"):
                rows.append(Rate(f"{name}, {where}", decisions, "decisions"))
    rows.append(monte_carlo(seconds))
    rows.append(experiment_1())
    if device == "cuda":
        rows += on_cuda(seconds, baseline)
    return rows


def seating_of(names: list[str]) -> Seating:
    return seat_players(GAME, names, [resolve(GAME, name) for name in names])


def match_work(names: list[str], threads: int):
    seating = seating_of(names)

    def work(first: int, last: int) -> int:
        pieces = [(first + a, first + b) for a, b in chunks(last - first, max(50, (last - first) // (4 * threads)))]
        done = run_chunks(lambda a, b: play(GAME, RULES, seating, 1, a, b), pieces, threads)
        return sum(result.decisions for _, _, result in done)

    return work


def monte_carlo(seconds: float) -> Rate:
    """Guessed worlds played to the end at random, from a koi-koi decision."""
    table, entrant = _at_a_call()
    loops = loops_of(GAME)
    seating = (np.full(2, entrant.kind), np.array([0, len(entrant.params), 2 * len(entrant.params)]))
    params, view = np.tile(entrant.params, 2), table.view().state

    def work(first: int, last: int) -> None:
        loops.continue_many(view, table.to_move, np.array([KOIKOI]), last - first, first, *seating, params, np.zeros(2))

    return Rate("guessed worlds, one core", rate(work, seconds, 1000)[0], "games")


def _at_a_call() -> tuple:
    """The first table that waits for agari or koi-koi."""
    from tefuda.arena.table import Table

    entrant: Entrant = resolve(GAME, "random/always-stop")
    for deal in range(1000):
        table = Table(GAME, RULES, 1, deal)
        while not table.over:
            if KOIKOI in table.legal:
                return table, entrant
            table.apply(table.ask(entrant))
    raise AssertionError("no deal offers koi-koi")


def experiment_1() -> Rate:
    """Policy gradient against the rule-based player, with all Monte Carlo decisions."""
    learner = Learner(GAME, RULES, resolve(GAME, "rule-based"), Arguments(opponent="rule-based"), 1)
    learner.advance(10)
    began = time.perf_counter()
    learner.advance(5000)
    return Rate("policy gradient, one core", 5000 / (time.perf_counter() - began), "episodes")


def on_cuda(seconds: float, baseline: Rate) -> list[Rate]:
    """The same on a GPU, and a comparison of its games with the CPU's."""
    from tefuda.kernel.cuda import Batch, Playouts, wait

    rows = []
    playouts = Playouts(GAME, GAME.blank(RULES), CUDA_DEALS)

    def launch(first: int, last: int) -> None:
        for number in range(first, last):
            playouts.play(1, number * CUDA_DEALS)
        wait()

    launches, _ = rate(launch, seconds, 2)
    share = float(playouts.decisions.copy_to_host().mean())
    rows.append(Rate("random playouts, GPU", launches * CUDA_DEALS, "games").against(baseline))
    rows.append(Rate("random playouts, GPU", launches * CUDA_DEALS * share, "decisions"))
    for name, deals in (
        ("random/always-stop", CUDA_MATCH_DEALS),
        ("rule-based/always-stop", CUDA_MATCH_DEALS),
        ("rule-based", CUDA_MATCH_DEALS // 16),
        ("pg-linear-tuned/always-stop", CUDA_MATCH_DEALS // 4),
        ("ann-value/always-stop", CUDA_MATCH_DEALS // 64),
    ):
        names = [name, name]
        seating = seating_of(names)
        arguments = (GAME, GAME.blank(RULES), seating.rotations, seating.kinds, seating.starts, seating.params)
        batch = Batch(*arguments, deals)

        def launch_match(first: int, last: int, batch: Batch = batch, deals: int = deals) -> None:
            for number in range(first, last):
                batch.play(1, number * deals)
            wait()

        launches, _ = rate(launch_match, seconds, 1)
        rows.append(Rate(f"{name}, GPU", launches * batch.lanes, "games").against(baseline))
        compared = min(COMPARED_DEALS, deals)
        small = Batch(*arguments, compared)
        small.play(7, 0)
        wait()
        pieces = chunks(compared, 500)
        results = run_chunks(lambda a, b, s=seating: play(GAME, RULES, s, 7, a, b), pieces)
        here = np.concatenate([result.scores for _, _, result in results])
        same = float((small.scores() == here).all(axis=(1, 2)).mean())
        print(f"{name}: {100 * same:.4f} % of {compared:,} games are the same on GPU and CPU", file=sys.stderr)
        rows.append(Rate(f"{name}, same on GPU and CPU", 100 * same, "% of games"))
    return rows
