"""The thorough check of every game: more rules, more tables, more guesses than in every test run."""

import pytest

from tefuda.conformance import CHECKS, check
from tefuda.games import find, names

pytestmark = pytest.mark.full

GAMES = ("koikoi", "kuhn", "leduc")  # of the others it takes many minutes: `tefuda check GAME --thorough`


def test_the_games_are_there():
    assert set(GAMES) <= set(names())


@pytest.mark.parametrize("name", GAMES)
def test_every_game_passes_the_thorough_check(name):
    report = check(find(name), thorough=True)
    assert report.passed, str(report)
    assert len(report.findings) == len(CHECKS)
