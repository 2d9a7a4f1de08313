"""Expected final rank: what models are asked about, in games of our own and in recorded hanchan."""

from types import SimpleNamespace

import numpy as np
import pytest

from tefuda import papers
from tefuda.games.mahjong import GAME
from tefuda.games.mahjong.paper import standing
from tefuda.learn.regression import Rows
from tefuda.papers import mahjong
from tefuda.papers.mahjong import ranks


def hanchan(points, *deals):
    """A recorded match: its last points, and the deals as (kyoku, honba, sticks, points)."""
    names = ("kyoku", "honba", "sticks", "points")
    played = [SimpleNamespace(**dict(zip(names, deal, strict=True))) for deal in deals]
    return SimpleNamespace(points=points, deals=played, rules=GAME.rulebook.make("hanchan"))


def test_records_are_compared_from_south_1_on(monkeypatch, tmp_path):
    """South 1 to 4 are the situations of a tonpuu game; among equals who dealt first is ahead."""
    even = (25_000,) * 4
    found = [
        hanchan((20_000, 41_000, 20_000, 19_000), (0, 0, 0, even), (4, 1, 2, (30_000, 25_000, 24_000, 21_000))),
        hanchan(None, (4, 0, 0, even)),  # cut off: nobody knows how it ended
        hanchan((10_000, 20_000, 30_000, 40_000), (7, 0, 0, even)),
    ]
    monkeypatch.setattr(ranks, "matches_of", lambda _: iter(found))
    rows = ranks.of_records(tmp_path)
    assert rows.game.tolist() == [0] * 4 + [2] * 4
    assert rows.came.tolist() == [1, 0, 2, 3, 3, 2, 1, 0]
    tonpuu = [standing.situation_of(kyoku, 1, seat) for kyoku in (0, 3) for seat in range(4)]
    assert rows.situation.tolist() == tonpuu
    assert rows.amounts[0, -3:].tolist() == pytest.approx([0.2, 0.5, 1.0])  # honba, sticks, 1
    assert (rows.amounts[0, :5] > 0).all()  # the dealer is ahead of the next seat
    assert (rows.amounts[4, :15] == 0).all()  # all alike


def test_losses_take_a_game_as_their_unit():
    rows = Rows(np.array([5, 5, 8]), np.zeros(3, int), np.zeros((3, 1)), np.array([0, 0, 3]))
    chances = np.array([[1.0, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0, 1.0]])
    assert ranks.loss_of(rows, chances).mean == pytest.approx(np.log(2) / 4)
    assert ranks.miss_of(rows, chances).mean == pytest.approx(0.125)


@pytest.mark.slow
def test_models_of_final_rank_know_more_than_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(mahjong.SCALES, "quick", mahjong.Scale(matches=400))
    monkeypatch.setitem(mahjong.PAPER.experiments, "quick", (mahjong.final_rank,))
    report = papers.reproduce("mahjong", "quick", tmp_path / "report", 1, 1)
    (table,) = (block for block in report.blocks if getattr(block, "key", "") == "final-rank")
    learned, shipped, nothing = ([cell.mean for cell in row[2:4]] for row in table.rows)
    assert shipped[0] < learned[0] < nothing[0] == pytest.approx(np.log(4))
    assert max(shipped[1], learned[1]) < nothing[1] == 1.0
