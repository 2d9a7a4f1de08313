"""RiichiEnv, an engine written by others in Rust, plays the same walls and moves: see witness_mahjong.py."""

import pytest

pytest.importorskip("riichienv")

from tests.games.mahjong.witness_mahjong import Disagreement, Match, Report, play_all

HANCHAN = 24
MORE_HANCHAN = 200
MET = (  # what so many hanchan must have met, so that the comparison is worth something
    "chi", "pon", "open kan", "closed kan", "added kan", "riichi", "ron", "tsumo", "double ron", "exhaustive_draw",
    "furiten: own discard", "no yaku", "yaku: ippatsu", "yaku: double riichi", "yaku: seven pairs", "over: bankrupt",
    "over: last deal",
)  # fmt: skip


@pytest.fixture(scope="module")
def report() -> Report:
    return play_all(1, HANCHAN + 1)


@pytest.mark.slow
def test_every_decision_and_payment_agrees(report):
    assert report.disagreements == []
    assert report.hanchan == HANCHAN
    assert report.deals > 5 * HANCHAN
    assert report.decisions > 300 * HANCHAN


@pytest.mark.full
def test_every_decision_and_payment_agrees_in_many_more():
    more = play_all(HANCHAN + 1, HANCHAN + 1 + MORE_HANCHAN)
    assert more.disagreements == []
    assert more.hanchan == MORE_HANCHAN


@pytest.mark.slow
def test_the_rules_are_met(report):
    assert [what for what in MET if not report.met[what]] == []


def test_a_wrong_move_is_found():
    """The comparison sees one tile that lies elsewhere."""
    match = Match(1)
    match.observations = match.begin_deal()
    match.compare_table()
    state = match.state
    kind = int(state.hand[1].argmax())
    state.hand[1, kind] -= 1
    state.hand[1, (kind + 1) % 34] += 1
    with pytest.raises(Disagreement, match="hand of 1"):
        match.compare_table()
