"""Success rates: who never wins succeeds never, the walls are the same for all, and rates fall with the han."""

import numpy as np

from tefuda.games.mahjong.paper.success import hans_won, success_rates
from tefuda.players.resolve import resolve
from tests.games.mahjong.mahjong_scene import GAME

RULES = GAME.rulebook.make("hand")


def won(player: str, opponent: str, deals: int, threads: int = 1) -> np.ndarray:
    return hans_won(GAME, resolve(GAME, player, RULES), resolve(GAME, opponent, RULES), 3, deals, threads)


def test_who_never_wins_succeeds_never():
    assert won("tsumogiri", "shanten", 40).tolist() == [0] * 40


def test_success_against_those_who_never_win():
    """The paper's policy wins 64 % of its deals against tsumogiri; a player that only counts shanten does so too."""
    found = won("shanten", "tsumogiri", 250)
    rates = success_rates(found)
    assert [each.mean for each in rates] == [float((found >= han).mean()) for han in (1, 2, 3, 4)]
    assert 0.45 < rates[0].mean < 0.8
    assert rates[0].mean > rates[1].mean > rates[2].mean > rates[3].mean > 0
    assert set(found.tolist()) == {0, 1, 2, 3, 4}
    np.testing.assert_array_equal(won("shanten", "tsumogiri", 250, threads=2), found)


def test_opponents_who_win_leave_less():
    assert (won("shanten", "shanten", 250) > 0).mean() < (won("shanten", "tsumogiri", 250) > 0).mean() - 0.1
