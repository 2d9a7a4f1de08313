"""What the end of a deal makes of a match, against what the engine makes of it."""

import numpy as np
import pytest

from tefuda.games import find
from tefuda.games.mahjong.end import place_by
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.paper import deal_ends, standing
from tefuda.games.mahjong.paper.deal_ends import RESULT, WORK
from tefuda.games.mahjong.paper.standing import HONBA, KYOKU, STANDING, STICKS
from tefuda.games.mahjong.state import OVER, WON
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

GAME = find("mahjong")
TONPUU = GAME.rulebook.make("tonpuu")
pytestmark = pytest.mark.kernel


def standing_of(state) -> np.ndarray:
    found = np.zeros(STANDING)
    standing.read_standing(state, found)
    return found


def played(deal: int, players: list[str]):
    """Every end of a deal in one match: the standing when it began, the last tables before and after it."""
    table = Table(GAME, TONPUU, seed=11, deal=deal)
    seats = [resolve(GAME, name, TONPUU) for name in players]
    start = standing_of(table.states[0])
    while not table.over:
        before = table.states.copy()
        table.apply(table.ask(seats[table.to_move]))
        if table.states[0].finished != before[0].finished:
            yield start, before[0], table.states[0]
            start = standing_of(table.states[0])


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="18 matches take minutes in plain Python")
@pytest.mark.parametrize("players", [["rule-based"] * 4, ["shanten"] * 4, ["tsumogiri"] * 3 + ["shanten"]])
def test_a_result_taken_into_the_standing_gives_what_the_engine_gives(players):
    ends = wins = 0
    for deal in range(6):
        for start, before, after in played(deal, players):
            ends += 1
            for seat in range(4):
                result, found = np.zeros(RESULT, np.int16), start.copy()
                won = after.ended == WON and seat in after.winners
                assert deal_ends.write_result(before, after, seat, result) == (not won)
                if won:
                    wins += 1
                    continue
                over = deal_ends.take_result(found, result, after.rules, seat)
                assert over == (after.phase == OVER)
                if over:
                    assert [place_by(found, each) for each in range(4)] == [
                        place_by(after.points, each) for each in range(4)
                    ]
                else:
                    assert np.array_equal(found, standing_of(after))
    assert ends > 20
    assert wins > 5


def at(points, kyoku=0, honba=0, sticks=0) -> np.ndarray:
    return np.array([*points, kyoku, honba, sticks], np.float64)


RULES = GAME.blank(TONPUU)[0].rules


@pytest.mark.parametrize(
    ("han", "seat", "giver", "changes"),
    [
        (1, 1, 2, [0, 1000, -1000, 0]),  # 30 fu
        (2, 1, 0, [-2000, 2000, 0, 0]),
        (3, 0, 3, [5800, 0, 0, -5800]),  # the dealer
        (4, 2, 1, [0, -8000, 8000, 0]),  # paid as a mangan
        (1, 1, 1, [-500, 1100, -300, -300]),
        (4, 0, 0, [12000, -4000, -4000, -4000]),
    ],
)
def test_own_wins_are_paid_as_the_tables_of_points_say(han, seat, giver, changes):
    found = at([25_000] * 4)
    assert not deal_ends.take_win(found, han, giver, RULES, seat)
    assert (found[:4] - 25_000).tolist() == changes
    assert found[KYOKU:].tolist() == ([0, 1, 0] if seat == 0 else [1, 0, 0])


def test_a_winner_takes_honba_and_sticks():
    found = at([25_000] * 4, kyoku=1, honba=2, sticks=3)
    deal_ends.take_win(found, 1, 3, RULES, 2)
    assert (found[:4] - 25_000).tolist() == [0, 0, 1000 + 600 + 3000, -1600]
    assert found[KYOKU:].tolist() == [2, 0, 0]
    found = at([25_000] * 4, kyoku=1, honba=2, sticks=3)
    deal_ends.take_win(found, 1, 2, RULES, 2)
    assert (found[:4] - 25_000).tolist() == [-500, -700, 1100 + 600 + 3000, -500]


def test_the_last_deal_ends_the_match_where_somebody_has_the_goal():
    assert deal_ends.take_win(at([29_500, 25_000, 25_000, 20_500], kyoku=3), 1, 1, RULES, 0)  # 30,500
    assert not deal_ends.take_win(at([28_500, 25_000, 25_000, 21_500], kyoku=3), 1, 1, RULES, 0)  # an extra round
    assert deal_ends.take_win(at([25_000, 25_000, 49_500, 500], kyoku=0), 1, 3, RULES, 1)  # somebody is bankrupt


def test_ranks_of_wins_and_the_score_are_means():
    """By a model that knows nothing, a match that goes on is worth 2.5; one that is over, its place."""
    weights, work, ranks = np.zeros(standing.WEIGHTS), np.zeros(WORK), np.zeros(deal_ends.HANS)
    deal_ends.ranks_of_wins(weights, at([25_000] * 4), RULES, 1, work, ranks)
    assert ranks.tolist() == [2.5] * 4
    last = at([31_000, 25_500, 30_000, 13_500], kyoku=3)
    deal_ends.ranks_of_wins(weights, last, RULES, 1, work, ranks)
    # 1,000 points: third, whoever pays; 2,000 from 2: 27,500 beside 28,000, third; 8,000: first in any case
    assert ranks[0] == 3.0
    assert ranks[3] == 1.0
    assert 1.0 <= ranks[2] <= ranks[1] <= 3.0
    assert deal_ends.score(np.array([0.5, 0.5, 0, 0, 0]), np.array([2.0, 9, 9, 9]), 3.0) == 2.5
    assert last.tolist() == at([31_000, 25_500, 30_000, 13_500], kyoku=3).tolist()  # untouched


def test_the_penalty_is_the_mean_over_results():
    weights, work = np.zeros(standing.WEIGHTS), np.zeros(WORK)
    results = np.zeros((2, RESULT), np.int16)
    results[0, :4], results[0, deal_ends.WINNER], results[0, deal_ends.GIVER] = (
        (-80, 80, 0, 0),
        1,
        0,
    )  # 8,000 to the next
    results[1, :4], results[1, deal_ends.WINNER], results[1, deal_ends.GIVER] = (0, 10, 0, -10), 1, 3
    last = at([29_000, 33_000, 28_000, 10_000], kyoku=3)
    assert deal_ends.penalty(weights, results[0], last, RULES, 0, work) == 3.0
    assert deal_ends.penalty(weights, results[1], last, RULES, 0, work) == 2.0
    assert deal_ends.penalty(weights, results.ravel(), last, RULES, 0, work) == 2.5


def test_sticks_and_rules_are_those_of_the_standing():
    assert (HONBA, STICKS) == (KYOKU + 1, KYOKU + 2)
    assert RULEBOOK.make("tonpuu") == TONPUU
