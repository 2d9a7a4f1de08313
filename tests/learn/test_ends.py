"""Results of rounds that are kept: those of games played one by one, and the same after an interruption."""

import numpy as np
import pytest

from tefuda.contract import Ends
from tefuda.errors import Problem
from tefuda.files.policy import load_for, load_model
from tefuda.games import find
from tefuda.games.mahjong.paper import penalty
from tefuda.games.mahjong.paper.deal_ends import RESULT, write_result
from tefuda.learn import ends, training
from tefuda.learn.ends import Gathering
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

GAME = find("mahjong")
TONPUU = GAME.rulebook.make("tonpuu")


def test_results_are_those_of_games_played_one_by_one():
    player = resolve(GAME, "shanten", TONPUU)
    rows = penalty.collect(GAME, TONPUU, player, player, penalty.GAMES, 5, 0, 2)
    found = []
    for number in range(2):
        table = Table(GAME, TONPUU, seed=5, deal=number)
        while not table.over:
            before = table.states.copy()
            table.apply(table.ask(player))
            after = table.states[0]
            if after.finished != before[0].finished:
                for seat in range(4):
                    out = np.zeros(RESULT, np.int64)
                    if write_result(before[0], after, seat, out):
                        found.append([(seat - int(before[0].kyoku)) % 4, *out])
    assert len(found) > 20
    assert rows.tolist() == [[int(each) for each in row] for row in found]


def test_results_of_positions_are_of_deals_that_were_not_won():
    player = resolve(GAME, "shanten", TONPUU)
    rows = penalty.collect(GAME, TONPUU, player, player, penalty.POSITIONS, 5, 0, 6)
    assert 5 < len(rows) <= 24
    assert set(rows[:, 0]) <= {0, 1, 2, 3}
    assert (rows[:, 1 + 5] != 0).all()  # the winner, counted from the own seat


class Counted:
    """A game of numbers: game n gives one result, n, of the situation n % 2."""

    ends = Ends("numbers", 2, 1, 10, ("plainly",), None)  # type: ignore[arg-type]

    @staticmethod
    def collect(first: int, last: int) -> np.ndarray:
        return np.array([[number % 2, number] for number in range(first, last)])


@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_results_of_each_situation_are_kept(threads):
    gathering = Gathering(Counted.ends, Counted.collect, threads)
    while not gathering.done:
        gathering.advance()
    assert gathering.kept[:, :, 0].tolist() == [list(range(0, 20, 2)), list(range(1, 21, 2))]


def test_an_interrupted_run_goes_on_to_the_same_results():
    whole, part, again = (Gathering(Counted.ends, Counted.collect, 1) for _ in range(3))
    while not whole.done:
        whole.advance()
    part.advance()
    again.restore(part.state())
    while not again.done:
        again.advance()
    assert np.array_equal(whole.kept, again.kept)


def test_a_model_is_written_and_read_and_does_not_play(tmp_path):
    given = ["player=tsumogiri"]
    training.train(GAME, "penalty", given, tmp_path / "run", 3, TONPUU, 0, 1)
    path = tmp_path / "run" / "model.npz"
    weights = load_model(GAME, "penalty", path)
    assert weights.shape == (4 * penalty.ROWS * RESULT,)
    rows = weights.reshape(4, penalty.ROWS, RESULT)
    assert (rows[:, :, 5] == -1).all()  # nobody ever wins among those who discard what they draw
    with pytest.raises(Problem, match="does not play"):
        load_for(GAME, path)


def test_unknown_sources_are_refused(tmp_path):
    with pytest.raises(Problem, match="games or positions"):
        training.train(GAME, "penalty", ["source=films"], tmp_path / "run", 3, TONPUU, 0, 1)
    assert not (tmp_path / "run").exists()
    assert ends.offer(find("kuhn"), find("kuhn").rulebook.make()) is None
