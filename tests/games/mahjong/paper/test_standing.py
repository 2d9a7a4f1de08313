"""How a match stands, and the chances of final places from there."""

import numpy as np
import pytest

from tefuda.games import find
from tefuda.games.mahjong.options import HANCHAN, TONPUU
from tefuda.games.mahjong.paper import standing

pytestmark = pytest.mark.kernel
EVEN = [25_000] * 4
GAME = find("mahjong")
RULES = GAME.blank(GAME.rulebook.make("tonpuu"))[0].rules


def foretold(weights, points=EVEN, kyoku=0, honba=0, sticks=0, seat=0):
    amounts, out = np.zeros(standing.FEATURES), np.zeros(4)
    stands = np.array([*points, kyoku, honba, sticks], np.float64)
    expected = standing.expected_place(weights, stands, RULES, seat, amounts, out)
    return expected, out, amounts


def test_without_weights_all_places_are_alike():
    expected, chances, amounts = foretold(np.zeros(standing.WEIGHTS))
    assert expected == 2.5
    assert chances.tolist() == [0.25] * 4
    assert amounts[:15].tolist() == [0.0] * 15
    assert amounts[15] == pytest.approx(-5 / 8)
    assert amounts[-1] == 1.0


def test_weights_of_a_situation_move_the_chances_of_that_situation_alone():
    weights = np.zeros((standing.SITUATIONS, 4, standing.FEATURES))
    weights[standing.situation_of(3, TONPUU, 3), 0, 2] = (
        1.6  # the last dealer: points above the next seat, for the first
    )
    ahead, behind = [20_000, 25_000, 25_000, 30_000], [30_000, 25_000, 25_000, 20_000]
    flat = weights.ravel()
    expected, chances, amounts = foretold(flat, ahead, kyoku=3, seat=3)
    assert amounts[2] == pytest.approx(10 / 16)
    assert chances[0] == pytest.approx(np.e / (np.e + 3))
    assert expected == pytest.approx(chances @ [1, 2, 3, 4])
    assert foretold(flat, behind, kyoku=3, seat=3)[0] > 2.5 > expected
    assert foretold(flat, ahead, kyoku=2, seat=3)[0] == 2.5


@pytest.mark.parametrize(
    ("kyoku", "length", "seat", "left", "wind"),
    [(0, TONPUU, 0, 3, 0), (3, TONPUU, 2, 0, 3), (5, TONPUU, 1, 0, 0), (0, HANCHAN, 3, 7, 3), (7, HANCHAN, 3, 0, 0)],
)
def test_a_situation_is_the_deals_to_come_and_the_own_wind(kyoku, length, seat, left, wind):
    assert standing.situation_of(kyoku, length, seat) == 4 * left + wind
    assert 0 <= standing.situation_of(kyoku, length, seat) < standing.SITUATIONS


def test_amounts_are_between_minus_one_and_one_whatever_the_points():
    for points in ([100_000, 0, 0, 0], [-20_000, 60_000, 30_000, 30_000]):
        for seat in range(4):
            amounts = foretold(np.zeros(standing.WEIGHTS), points, honba=20, sticks=9, seat=seat)[2]
            assert np.abs(amounts).max() <= 1.0
