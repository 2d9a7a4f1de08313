"""Records of which one field was altered: every alteration is noticed, in every format."""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong.records import declared, mjai, mjai_read, mjlog, mjlog_write, tenhou6, tenhou6_read
from tefuda.games.mahjong.records.paifu import Match
from tefuda.games.mahjong.state import EXHAUSTED, FOUR_KANS, FOUR_RIICHI, NINE_TERMINALS, TRIPLE_RON, WON
from tests.games.mahjong.recorded import played, stacked
from tests.games.mahjong.records import altered

pytestmark = pytest.mark.slow

FORMATS = {
    "mjlog": (mjlog_write.write, mjlog.read, altered.mjlog),
    "mjai": (mjai.write, mjai_read.read, altered.mjai_lines),
    "tenhou6": (tenhou6.write, tenhou6_read.read, altered.tenhou6_object),
}
# Stacked matches: with a liable seat and four riichi; triple ron and nine terminals; double ron and four kans.
LIABLE, ABORTED, DOUBLE = 70, 79, 80
MOST = 20  # alterations of one field in a match, where all are tried


def tried(text: str, read: Callable[[str, str], Match], alterations: Iterator[altered.Altered], most: int) -> Counter:
    """How many alterations of each field were tried, at most so many of each; every one must be noticed."""
    assert declared.verify(read(text, "whole")) == []
    number: Counter = Counter()
    for what, other in alterations:
        number[what] += 1
        if number[what] > most:
            number[what] -= 1
            continue
        lines = said_of(other, read)
        assert lines, (what, other)
        assert all("\n" not in line and len(line) < 1000 for line in lines)
    return number


def said_of(text: str, read: Callable[[str, str], Match]) -> list[str]:
    try:
        return [str(each) for each in declared.verify(read(text, "altered"))]
    except Problem as problem:
        return [str(problem)]


@pytest.mark.parametrize("name", FORMATS)
def test_one_alteration_of_every_field_is_noticed(name):
    write, read, alter = FORMATS[name]
    match = stacked(LIABLE)
    assert any(win.liable >= 0 for deal in match.deals for win in deal.wins)
    number = tried(write(match), read, alter(write(match)), 1)
    assert len(number) > {"mjlog": 250, "mjai": 120, "tenhou6": 25}[name]


@pytest.mark.full
@pytest.mark.parametrize("name", FORMATS)
def test_every_alteration_of_every_field_is_noticed(name, capsys):
    write, read, alter = FORMATS[name]
    matches = [stacked(LIABLE), stacked(ABORTED), stacked(DOUBLE), played(99, shanten=True)]
    ends = {deal.ended for match in matches for deal in match.deals}
    assert ends >= {WON, EXHAUSTED, NINE_TERMINALS, FOUR_RIICHI, FOUR_KANS, TRIPLE_RON}
    assert any(len(deal.wins) == 2 for match in matches for deal in match.deals)
    number: Counter = Counter()
    for match in matches:
        number += tried(write(match), read, alter(write(match)), MOST)
    with capsys.disabled():
        print(f"\n{name}: {number.total():,} alterations of {len(number)} fields, all noticed")
