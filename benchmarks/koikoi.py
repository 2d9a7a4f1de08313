"""Speed of Koi-Koi through the contract, beside a plain-Python implementation that shares no code with it."""

import sys
import time
from pathlib import Path

import numpy as np
from measure import Rate, core_counts, matches, matches_on_cuda, playouts, playouts_on_cuda, rate

from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.state import KOIKOI
from tefuda.learn.policy_gradient import Arguments, PolicyGradient
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

RULES = GAME.rulebook.make()
CUDA_DEALS = 1 << 22  # of plain playouts in one launch
CUDA_MATCH_DEALS = 1 << 20


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """All measurements; the plain-Python random games are the baseline."""
    from tests.games.koikoi import witness_koikoi

    def plain(first: int, last: int) -> None:
        witness_koikoi.random_games(last - first, first)

    baseline = Rate("plain Python", rate(plain, seconds, 50)[0], "games")
    games, decisions = playouts(GAME, RULES, seconds)
    rows = [baseline, Rate("random playouts, one core", games, "games").against(baseline)]
    rows.append(Rate("random playouts, one core", decisions, "decisions"))
    for name in ("random/always-stop", "rule-based/always-stop", "rule-based", "pg-linear-tuned", "ann-value"):
        for count, where in core_counts(threads):
            games, decisions = matches(GAME, RULES, name, seconds, count)
            rows.append(Rate(f"{name}, {where}", games, "games").against(baseline))
            if name.startswith("random"):
                rows.append(Rate(f"{name}, {where}", decisions, "decisions"))
    rows.append(monte_carlo(seconds))
    rows.append(experiment_1())
    if device == "cuda":
        games, decisions = playouts_on_cuda(GAME, RULES, seconds, CUDA_DEALS)
        rows.append(Rate("random playouts, GPU", games, "games").against(baseline))
        rows.append(Rate("random playouts, GPU", decisions, "decisions"))
        names = (
            ("random/always-stop", CUDA_MATCH_DEALS), ("rule-based/always-stop", CUDA_MATCH_DEALS),
            ("rule-based", CUDA_MATCH_DEALS // 16), ("pg-linear-tuned/always-stop", CUDA_MATCH_DEALS // 4),
            ("ann-value/always-stop", CUDA_MATCH_DEALS // 64),
        )  # fmt: skip
        rows += matches_on_cuda(GAME, RULES, names, seconds, baseline)
    return rows


def monte_carlo(seconds: float) -> Rate:
    """Guessed worlds played to the end at random, from a koi-koi decision."""
    table, entrant = _at_a_call()
    loops = loops_of(GAME)
    view, sitting = table.view().state, np.zeros(2, np.int64)
    players, space, world = seated(GAME, [entrant]), scratch(GAME, [entrant]), np.zeros(1, GAME.State)

    def work(first: int, last: int) -> None:
        results = np.empty((last - first, 1))
        loops.try_actions(
            view, table.to_move, np.array([KOIKOI]), first, last, 1, sitting, players, space, world, results
        )

    return Rate("guessed worlds, one core", rate(work, seconds, 1000)[0], "games")


def _at_a_call() -> tuple[Table, Entrant]:
    """The first table that waits for agari or koi-koi."""
    entrant = resolve(GAME, "random/always-stop")
    for deal in range(1000):
        table = Table(GAME, RULES, 1, deal)
        while not table.over:
            if KOIKOI in table.legal:
                return table, entrant
            table.apply(table.ask(entrant))
    raise AssertionError("no deal offers koi-koi")


def experiment_1() -> Rate:
    """Policy gradient against the rule-based player, with all Monte Carlo decisions."""
    learner = PolicyGradient(GAME, RULES, resolve(GAME, "rule-based"), Arguments(opponent="rule-based"), 1)
    learner.advance(10)
    began = time.perf_counter()
    learner.advance(5000)
    return Rate("policy gradient, one core", 5000 / (time.perf_counter() - began), "episodes")
