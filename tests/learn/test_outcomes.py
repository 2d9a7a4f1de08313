"""Foretelling how games end: the rows agree with games played one by one."""

import numpy as np
import pytest

from tefuda.errors import Problem
from tefuda.files.policy import load_for, load_model
from tefuda.games import find
from tefuda.games.mahjong.actions import PASS, TSUMOGIRI
from tefuda.learn import collecting, outcomes, training
from tefuda.learn.collecting import Collecting
from tefuda.learn.method import Offer, Task
from tefuda.learn.regression import fitted
from tefuda.table.table import Table

GAME = find("mahjong")
TONPUU = GAME.rulebook.make("tonpuu")
MODEL = GAME.learning.outcomes


def task(tmp_path, games=12, **more) -> Task:
    arguments = collecting.Arguments(player="tsumogiri", games=games, **more)
    return Task(GAME, TONPUU, Offer("final-rank", "", model="final-rank"), arguments, 5, tmp_path)


@pytest.mark.kernel
def test_rows_are_the_rounds_of_games_played_one_by_one(tmp_path):
    rows = outcomes.source_of(task(tmp_path, games=3), MODEL).look(0, 3)
    found = 0
    for number in range(3):
        table = Table(GAME, TONPUU, seed=5, deal=number)
        seen = []
        while True:
            state = table.states[0]
            if table.to_move >= 0 and (not seen or state.finished != seen[-1][0]):
                seen.append((int(state.finished), int(state.kyoku), state.points.tolist()))
            if table.to_move < 0:
                break
            legal = table.legal
            table.apply(TSUMOGIRI if TSUMOGIRI in legal else PASS if PASS in legal else legal[0])
        places = sorted(range(4), key=lambda seat: (-table.states[0].points[seat], seat))
        here = np.flatnonzero(rows.game == number)
        assert len(here) == 4 * len(seen)
        for place, row in enumerate(here):
            _, kyoku, points = seen[place // 4]
            seat = place % 4
            assert rows.came[row] == places.index(seat)
            assert rows.situation[row] == (3 - min(kyoku, 3)) * 4 + (seat - kyoku) % 4
            ahead = points[seat] - points[(seat + 1) % 4]
            assert rows.amounts[row, 0] == pytest.approx(ahead / 1000 / (0.4 + abs(ahead) / 1000))
        found += len(here)
    assert found == len(rows.game)


def test_a_run_that_was_interrupted_goes_on_to_the_same_model(tmp_path):
    whole = outcomes.train(task(tmp_path / "whole"))
    source = outcomes.source_of(task(tmp_path), MODEL)
    part, again = (Collecting({"final-rank": source}, 12, 5, 1) for _ in range(2))
    part.advance()
    again.restore(part.state())
    while not again.done:
        again.advance()
    rows = again.rows("final-rank")
    assert np.array_equal(fitted(rows.where(rows.game % 10 != 0), source.shape, 1.0), whole.weights)


def test_a_model_is_written_read_and_refused_as_a_player(tmp_path):
    card = training.train(GAME, "final-rank", ["player=tsumogiri", "games=10"], tmp_path, 1, TONPUU, 2000, 1)
    assert card.strength == []
    weights = load_model(GAME, "final-rank", tmp_path / "model.npz")
    assert weights.shape == (MODEL.weights,)
    with pytest.raises(Problem, match="does not play"):
        load_for(GAME, tmp_path / "model.npz")
    with pytest.raises(Problem, match="no final-rank of mahjong"):
        load_model(GAME, "final-rank", find("koikoi").folder / "policies" / "quick.npz")


@pytest.mark.parametrize("text", ["games=0", "games=1000000000", "decay=0", "decay=nan", "player=nobody"])
def test_what_cannot_be_meant_is_refused(text, tmp_path):
    with pytest.raises(Problem):
        training.train(GAME, "final-rank", [text], tmp_path / "run", 1, TONPUU, 0, 1)
    assert not (tmp_path / "run").exists()


def test_a_single_deal_has_no_final_rank_to_foretell():
    assert "final-rank" not in training.offers(GAME, GAME.rulebook.make("hand"))
    assert "final-rank" in training.offers(GAME, TONPUU)
