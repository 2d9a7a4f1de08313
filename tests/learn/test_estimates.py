"""Estimating what is hidden: rows of games, a model of several parts, and a run that goes on."""

import numpy as np
import pytest

from tefuda.errors import Problem
from tefuda.files.policy import load_model
from tefuda.games import find
from tefuda.learn import estimates, training
from tefuda.learn.collecting import Arguments, Collecting
from tefuda.learn.method import Offer, Task

pytestmark = pytest.mark.slow
GAME = find("mahjong")
HAND = GAME.rulebook.make("hand")
MODEL = GAME.learning.estimates


def sources(tmp_path):
    task = Task(GAME, HAND, Offer("others", "", model="others"), Arguments("shanten", 12), 5, tmp_path)
    return {part.name: estimates.source_of(task, part, number) for number, part in enumerate(MODEL.parts)}


def test_rows_do_not_depend_on_how_games_are_cut_into_pieces(tmp_path):
    for name, source in sources(tmp_path).items():
        whole = source.look(0, 12)
        parts = [source.look(0, 5), source.look(5, 12)]
        assert len(whole.came) > 0, name
        assert np.array_equal(whole.amounts, np.concatenate([part.amounts for part in parts]))
        assert np.array_equal(whole.came, np.concatenate([part.came for part in parts]))
        assert set(whole.game.tolist()) <= set(range(12))
        assert whole.situation.min() >= 0
        assert whole.situation.max() < source.shape.situations
        assert whole.came.max() < source.shape.classes


def test_an_interrupted_collection_goes_on_to_the_same_rows(tmp_path):
    found = sources(tmp_path)
    whole, part, again = (Collecting(found, 12, 4, 1) for _ in range(3))
    while not whole.done:
        whole.advance()
    part.advance()
    again.restore(part.state())
    while not again.done:
        again.advance()
    for name in found:
        assert np.array_equal(whole.rows(name).amounts, again.rows(name).amounts)
        assert np.array_equal(whole.rows(name).came, again.rows(name).came)


def test_a_model_of_all_parts_is_written_and_foretells_better_than_plain_shares(tmp_path):
    words = ["player=rule-based", "games=400"]
    card = training.train(GAME, "others", words, tmp_path, 1, HAND, 0, 2)
    assert load_model(GAME, "others", tmp_path / "model.npz").shape == (MODEL.weights,)
    with pytest.raises(Problem, match="no final-rank of mahjong"):
        load_model(GAME, "final-rank", tmp_path / "model.npz")
    lines = [line.split(",") for line in (tmp_path / "curve.csv").read_text(encoding="utf-8").splitlines()[1:]]
    assert [line[0] for line in lines] == [part.name for part in MODEL.parts]
    assert float(lines[0][3]) < float(lines[0][4])  # readiness
    assert card.policy == "others"
