"""The averaged perceptron, on Kuhn poker: a teacher whose every choice is known, and a second way to take the mean."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tefuda.contract import Learning, Ranking
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.games.kuhn import rules as kuhn
from tefuda.kernel.compile import kernel
from tefuda.learn.lessons import Lessons, from_players, from_records
from tefuda.learn.perceptron import Arguments, Perceptron, offer
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

pytestmark = pytest.mark.kernel

HONEST = np.array([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1], np.float64)  # bets and calls with a king
BLUFFING = np.array([1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1], np.float64)  # bets with a jack too, where it can


@kernel
def candidates(view, seat, mask, work):
    """Both actions, the higher one first: the code is not the row."""
    work[0], work[1] = 1, 0
    return 2


@kernel
def features(view, seat, code, work, active):
    """The action, and the action in this information set."""
    active[0], active[1] = code, 2 + 2 * kuhn.information_set(view, seat) + code
    return 2


@kernel
def lessons(tables, actions, codes, mask):
    for i in range(actions.shape[0]):
        codes[i] = actions[i]
        kuhn.apply(tables[0], np.int64(actions[i]))
    return actions.shape[0]


@kernel
def sort(code):
    return code


@kernel
def alike(code, other):
    return False


RANKING = Ranking(
    "ranked", "random", size=26, largest=1000, work=2, codes=0, active=2, sorts=("passes", "bets"),
    candidates=candidates, features=features, lessons=lessons, sort=sort, alike=alike,
)  # fmt: skip
GAME = replace(find("kuhn"), learning=Learning(ranking=RANKING))


def taught(table: np.ndarray, games: int = 60) -> Lessons:
    """Games of a player whose chances are a table."""
    rules = GAME.rulebook.make()
    player = resolve(GAME, "always-bet", rules)
    return from_players(GAME, RANKING, rules, Entrant("teacher", player.policy, table), games, 5, 1)


def learn(found: Lessons, **arguments: int) -> Perceptron:
    learning = Perceptron(GAME, RANKING, Arguments(**arguments), 3, found)
    while not learning.done:
        learning.advance(7)
    return learning


@pytest.mark.slow
@pytest.mark.parametrize("table", [HONEST, BLUFFING])
def test_it_learns_to_choose_what_the_teacher_chose(table):
    learning = learn(taught(table, 120), passes=20)
    for each in learning.agreement():
        assert each.decisions > 0
        assert each.right == each.decisions
    whole = learning.whole
    assert np.abs(whole).max() == RANKING.largest
    for known in range(3):  # the opening, which every card comes to
        bets = whole[2 * known + 3] + whole[1] > whole[2 * known + 2] + whole[0]
        assert bets == table[known]


def test_the_mean_of_the_weights_is_that_of_the_weights_after_each_decision():
    found = taught(BLUFFING)
    learning = Perceptron(GAME, RANKING, Arguments(passes=1), 3, found)
    order = learning.order.tolist()
    while not learning.done:
        learning.advance(10)
    weights, total, decisions = np.zeros(26), np.zeros(26), 0
    for table in order:
        state = found.starts[table : table + 1].copy()
        for i in range(found.firsts[table], found.firsts[table + 1]):
            known = 3 * int(state[0].betting) + int(state[0].card[int(GAME.kernels.to_move(state[0]))])
            right = int(found.actions[i])
            sums = [weights[code] + weights[2 + 2 * known + code] for code in (0, 1)]
            chosen = right if sums[right] > sums[1 - right] else 1 - right  # who has no more than another is not chosen
            for code, step in ((right, 1), (chosen, -1)):
                weights[code] += step
                weights[2 + 2 * known + code] += step
            total += weights
            decisions += 1
            GAME.kernels.apply(state[0], right)
    assert decisions == learning.decisions > 50
    np.testing.assert_array_equal(learning.weights, weights)
    np.testing.assert_allclose(learning.averaged, total / decisions)


def test_games_kept_apart_are_not_learned_from():
    found = taught(HONEST)
    learning = Perceptron(GAME, RANKING, Arguments(hold=4), 3, found)
    assert set(found.games[learning.apart] % 4) == {3}
    assert set(found.games[learning.learned] % 4) == {0, 1, 2}
    assert len(learning.apart) + len(learning.learned) == found.number == 60
    assert found.decisions(np.arange(60)) == len(found.codes)


def test_an_interrupted_run_ends_as_an_uninterrupted_one_does():
    found = taught(BLUFFING)
    whole = learn(found, passes=3)
    parts = Perceptron(GAME, RANKING, Arguments(passes=3), 3, found)
    while not parts.done:
        parts.advance(11)
        again = Perceptron(GAME, RANKING, Arguments(passes=3), 3, found)
        again.restore({key: np.array(value) for key, value in parts.state().items()})
        parts = again
    np.testing.assert_array_equal(parts.whole, whole.whole)
    assert parts.curve == whole.curve
    assert len(whole.curve) == 3


def test_what_cannot_be_learned_is_refused(tmp_path: Path):
    with pytest.raises(Problem, match="no records to learn from"):
        from_records(GAME, RANKING, tmp_path / "none.xml")
    with pytest.raises(Problem, match="no file"):
        Arguments(records=str(tmp_path / "none.xml")).check()
    with pytest.raises(Problem, match="at least"):
        Arguments(passes=0).check()
    with pytest.raises(Problem, match="too few games"):
        Perceptron(GAME, RANKING, Arguments(hold=100), 3, taught(HONEST, 20))
    assert offer(find("leduc"), find("leduc").rulebook.make()) is None
