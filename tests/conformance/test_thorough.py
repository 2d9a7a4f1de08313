"""The thorough check of every game: more rules, more tables, more guesses than in every test run."""

import pytest

from tefuda.conformance import CHECKS, check
from tefuda.games import find, names

pytestmark = pytest.mark.full


@pytest.mark.parametrize("name", names())
def test_every_game_passes_the_thorough_check(name):
    report = check(find(name), thorough=True)
    assert report.passed, str(report)
    assert len(report.findings) == len(CHECKS)
