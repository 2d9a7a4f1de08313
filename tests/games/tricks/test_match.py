"""How a match stands: what a learner is told of it by the goal `place`."""

import numpy as np
import pytest

from tefuda.games.tricks import GAME
from tefuda.games.tricks.state import OVER
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel
USUAL = GAME.rulebook.make("usual")


def expected(points: list[int], over: bool = False) -> list[float]:
    """The places that seats may expect who have so many penalty points at the beginning of a deal, or at the end."""
    table = Table(GAME, USUAL, 5, 0)
    state, out = table.states[0], np.zeros(4)
    state.score[:] = points
    if over:
        state.phase = OVER
    GAME.learning.places(state, out)
    return out.tolist()


def test_at_the_end_the_expected_place_is_the_result():
    assert expected([12, 101, 40, 7], over=True) == [0.5, -1.5, -0.5, 1.5]
    assert expected([12, 101, 12, 7], over=True) == [0.0, -1.5, 0.0, 1.5]  # who is level shares the places
    assert expected([5, 5, 5, 5], over=True) == [0.0] * 4


def test_a_lead_counts_for_more_the_nearer_the_end_is():
    early, late = expected([0, 20, 20, 20]), expected([70, 90, 90, 90])
    assert 0 < early[0] < late[0] < 1.5
    for places in (early, late, expected([3, 50, 20, 99])):
        assert sum(places) == pytest.approx(0.0)
    assert expected([0, 0, 0, 0]) == [0.0] * 4
