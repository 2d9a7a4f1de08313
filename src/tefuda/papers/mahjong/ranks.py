"""Expected final rank (section 5.4): how well final places are foretold when a deal begins.

A model learns here from whole tonpuu games of the one-player policy. The shipped model learned from its hanchan, so
that programs play both lengths by it; the last four deals are the same situations in both. Records of people are
hanchan: they are compared from South 1 on, where as many deals are to come as in a tonpuu game.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.files.policy import load, load_any
from tefuda.games.mahjong import FINAL_RANK, GAME, MODELS
from tefuda.games.mahjong.paper import standing
from tefuda.games.mahjong.state import SEATS
from tefuda.intervals import Interval, interval_of
from tefuda.learn import outcomes
from tefuda.learn.collecting import HELD_OUT, Arguments
from tefuda.learn.method import Task
from tefuda.learn.regression import Rows, Shape, chances_of, fitted
from tefuda.learn.training import offers, train
from tefuda.papers.laboratory import EVALUATION, Laboratory, measured
from tefuda.papers.mahjong.matches import RULES, matches_of
from tefuda.report.report import Table

PLAYER = "policy"  # whose games are learned from, as those of the shipped model
SOUTH_1 = SEATS  # the deal of a hanchan from which on as many are to come as in a tonpuu game
PIECE = 50  # games that a core plays at once
SHAPE = Shape(standing.SITUATIONS, SEATS, standing.FEATURES)
PLACES = np.arange(1, SEATS + 1)


def learned(lab: Laboratory[Any]) -> np.ndarray:
    """The weights of a model of tonpuu games alone. An interrupted run goes on."""
    out = lab.work / f"final-rank-{lab.size.matches}-{lab.seed}"
    if not (out / "model.npz").exists():
        texts = [f"player={PLAYER}", f"games={lab.size.matches}"]
        train(GAME, FINAL_RANK.model, texts, out, lab.seed, RULES, 0, lab.threads)
    return load_any(GAME, out / "model.npz")


def of_play(lab: Laboratory[Any], games: int) -> Rows:
    """Rows of tonpuu games that no model has learned from; a part."""
    _, offer = offers(GAME, RULES)[FINAL_RANK.model]
    task = Task(GAME, RULES, offer, Arguments(player=PLAYER, games=games), lab.seed + EVALUATION, lab.work, lab.threads)
    source = outcomes.source_of(task, FINAL_RANK)

    def run() -> dict[str, Any]:
        pieces = -(-games // PIECE)
        found = lab.collect("games", lambda number: source.look(PIECE * number, PIECE * (number + 1)), pieces, "pieces")
        return vars(Rows.joined(found))

    return Rows(**lab.keep(f"final-rank-{games}-{lab.seed}", run))


def of_records(records: Path) -> Rows:
    """Rows of recorded hanchan, from South 1 on."""
    rows: list[tuple[int, int, np.ndarray, int]] = []
    for number, match in enumerate(matches_of(records)):
        if match.points is None or not match.deals:
            continue
        rules = GAME.blank(match.rules)[0].rules
        order = sorted(range(SEATS), key=lambda seat, points=match.points: (-points[seat], seat))  # type: ignore[misc]
        for deal in match.deals:
            if deal.kyoku >= SOUTH_1:
                rows += _rows_of(number, deal, rules, order)
    game, situation, came = (np.array([row[place] for row in rows], np.int64) for place in (0, 1, 3))
    amounts = np.array([row[2] for row in rows], np.float32).reshape(-1, standing.FEATURES)
    return Rows(game, situation, amounts, came)


def _rows_of(number: int, deal: Any, rules: Any, order: list[int]) -> Iterator[tuple[int, int, np.ndarray, int]]:
    """What each seat sees when a deal begins, and its final place, from 0."""
    points = np.array(deal.points, np.float64)
    for seat in range(SEATS):
        amounts = np.zeros(standing.FEATURES)
        standing.write_amounts(points, deal.honba, deal.sticks, 100 * int(rules.goal), seat, amounts)
        yield number, int(standing.situation_of(deal.kyoku, int(rules.length), seat)), amounts, order.index(seat)


def loss_of(rows: Rows, chances: np.ndarray) -> Interval:
    """The mean of −log(chance of what came); a game is the unit."""
    return _by_game(rows, -np.log(np.maximum(chances[np.arange(len(rows.came)), rows.came], 1e-12)))


def miss_of(rows: Rows, chances: np.ndarray) -> Interval:
    """How far the expected final rank is from the final one, in the mean."""
    return _by_game(rows, np.abs(chances @ PLACES - (rows.came + 1)))


def _by_game(rows: Rows, each: np.ndarray) -> Interval:
    _, game = np.unique(rows.game, return_inverse=True)
    return interval_of(np.bincount(game, each) / np.bincount(game))


def final_rank(lab: Laboratory[Any]) -> None:
    """How well models of expected final rank foretell, in games that they have not learned from."""
    lab.report.section(
        "Expected final rank",
        "When a deal begins, a model gives the chance of each final place, from the points, the deal, honba, sticks "
        f"and the dealer. One model learns here from {lab.size.matches:,} tonpuu games of `{PLAYER}`. The shipped one "
        f"learned from hanchan of `{PLAYER}`, so that programs play both lengths by it. With `--records` both foretell "
        "hanchan of people from South 1 on, where as many deals are to come as in a tonpuu game; a third model learns "
        "from these records themselves. It is neither shipped nor played by.",
    )
    shipped = MODELS / f"{FINAL_RANK.model}.npz"
    card = load(shipped)[0]
    models = {
        "tonpuu games of our own": learned(lab),
        "shipped: hanchan of our own": load_any(GAME, shipped),
    }
    rows = _lines("tonpuu games of our own", of_play(lab, max(10, lab.size.matches // 4)), models)
    if lab.records is not None:
        found = of_records(lab.records)
        test = found.game % HELD_OUT == 0
        models["records"] = fitted(found.where(~test), SHAPE, Arguments().decay)
        rows += _lines("records, from South 1 on", found.where(test), models)
    lab.report.table(
        Table(
            "final-rank", "Expected final rank: how well it is foretold when a deal begins",
            ("games foretold", "learned from", "log loss", "expected rank is off by", "games"), rows,
            note=f"Log loss: the mean of −log(chance of the place that came); {np.log(SEATS):.3f} is to know nothing. "
            "None of the games foretold was learned from. The model of tonpuu games learned from "
            f"{lab.size.matches:,}, the shipped one from {card.arguments['games']:,} hanchan.", digits=3,
        )
    )  # fmt: skip


def _lines(which: str, rows: Rows, models: dict[str, np.ndarray]) -> list[list[Any]]:
    """The lines of one set of games."""
    even = np.full((len(rows.came), SEATS), 1 / SEATS)
    found = {name: chances_of(rows, weights, SHAPE) for name, weights in models.items()}
    games = len(np.unique(rows.game))
    return [
        [which, name, measured(loss_of(rows, chances), 3), measured(miss_of(rows, chances), 3), games]
        for name, chances in {**found, "nothing: all places alike": even}.items()
    ]
