"""Records of mahjong: written down at the table, put into mjai and tenhou/6, read and replayed."""

import json
from dataclasses import replace

import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai, mjlog, paifu, tenhou6
from tefuda.games.mahjong.records.paifu import Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.records.replay import verify
from tefuda.kernel.compile import COMPILED
from tests.games.mahjong.mahjong_scene import Scene
from tests.games.mahjong.recorded import composed, played

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    count = 12 if COMPILED else 1
    return [played(number) for number in range(count)] + [played(99, shanten=True)]


@pytest.mark.slow
def test_what_was_played_replays_without_disagreement(matches):
    for match in matches:
        assert verify(match) == []
    kinds = {event.type for match in matches for deal in match.deals for event in deal.events}
    assert kinds >= {paifu.DRAW, paifu.DISCARD, paifu.CHI, paifu.PON}
    assert any(deal.wins for match in matches for deal in match.deals)


@pytest.mark.slow
def test_mjai_is_written_and_read_again(matches):
    for match in matches:
        again = mjai.read(mjai.write(match), match.name)
        assert verify(again) == []
        assert [deal.events for deal in again.deals] == [deal.events for deal in match.deals]
        assert [deal.paid for deal in again.deals] == [deal.paid for deal in match.deals]
        assert mjai.write(again) == mjai.write(match)


def changed(match: Match, **changes) -> Match:
    return replace(match, deals=[replace(match.deals[0], **changes), *match.deals[1:]])


def test_each_kind_of_disagreement_is_reported_where_it_is(matches):
    match = matches[-1]
    deal = match.deals[0]
    wrong = tuple(points + 100 for points in deal.points)
    texts = [str(each) for each in verify(changed(match, points=wrong))]
    assert any("deal 1, event 0: kyoku, honba, sticks and points" in text for text in texts)
    assert any("are paid, recorded" in str(each) for each in verify(changed(match, paid=(0, 0, 100, -100))))
    without = [event for event in deal.events if event.type != paifu.DRAW or event is deal.events[0]]
    assert verify(changed(match, events=without))
    other = next(i for i, event in enumerate(deal.events) if event.type == paifu.DISCARD and not event.tsumogiri)
    missing = next(face for face in range(34) if face not in deal.hands[deal.events[other].seat])
    events = list(deal.events)
    events[other] = replace(events[other], tile=missing)
    found = verify(changed(match, events=events))
    assert found[0].deal == 1
    assert found[0].event == other + 1
    assert "not legal" in found[0].text
    won = next(number for number, each in enumerate(match.deals) if each.wins)
    first = match.deals[won]
    wins = [replace(first.wins[0], han=99, yaku=0, fu=1), *first.wins[1:]]
    deals = [replace(each, wins=wins) if number == won else each for number, each in enumerate(match.deals)]
    assert {each.text.split()[0] for each in verify(replace(match, deals=deals))} >= {"yaku", "han", "fu"}
    assert "the final points" in str(verify(replace(match, points=(1, 2, 3, 4)))[0])
    assert "goes on" in str(verify(replace(match, deals=match.deals[:-1]))[0])


def test_tenhou6_has_every_take_and_give(matches):
    for match in matches:
        log = json.loads(tenhou6.write(match))
        assert len(log["log"]) == len(match.deals)
        for rows, deal in zip(log["log"], match.deals, strict=True):
            assert rows[0] == [deal.kyoku, deal.honba, deal.sticks]
            took = sum(len(rows[5 + 3 * seat]) for seat in range(4))
            calls = (paifu.DRAW, paifu.CHI, paifu.PON, paifu.OPEN_KAN)
            assert took == sum(event.type in calls for event in deal.events)
            assert rows[16][0] == "和了" if deal.wins else rows[16][0] != "和了"


def test_tenhou6_writes_calls_by_the_side_they_came_from():
    pon = paifu.Event(paifu.PON, 0, 0, own=(0, 0), source=1)
    assert tenhou6.call_text(pon) == "1111p11"
    assert tenhou6.call_text(replace(pon, source=2)) == "11p1111"
    assert tenhou6.call_text(replace(pon, source=3)) == "p111111"
    assert tenhou6.added_text(paifu.Event(paifu.ADDED_KAN, 0, 0), replace(pon, source=2)) == "11k111111"
    red = paifu.Event(paifu.CHI, 1, 5, own=(34, 6), source=0)
    assert tenhou6.call_text(red) == "c165117"
    kan = paifu.Event(paifu.OPEN_KAN, 0, 27, own=(27, 27, 27), source=1)
    assert tenhou6.call_text(kan) == "414141m41"


def test_tenhou6_names_points_and_yaku():
    hands = {0: "147m28p5599s1234z", 1: "234m340p456p67s88s"}
    scene = Scene(hands, draws="9m", dora="3p")
    recorder = Recorder(scene.states, RULEBOOK.make())
    for words in ("5s", "ron"):
        recorder.take(scene.action(words))
    result = tenhou6.result_of(recorder.match.deals[0])
    assert result[1] == [-8000, 8000, 0, 0]
    assert result[2] == [1, 0, 1, "満貫8000点", "平和(1飜)", "断幺九(1飜)", "ドラ(2飜)", "赤ドラ(1飜)"]


def test_mjlog_is_read_and_replayed():
    match = mjlog.read(composed(), "ours")
    assert [win.seat for win in match.deals[0].wins] == [1]
    assert verify(match) == []
    wrong = composed().replace('ten="30,2000,0"', 'ten="40,2600,0"')
    assert [each.text for each in verify(mjlog.read(wrong, "ours"))] == ["fu of seat 1 is 30, recorded 40"]


@pytest.mark.parametrize(
    ("packed", "expected"),
    [
        (41546, paifu.Event(paifu.PON, 2, 27, own=(27, 27), source=0)),
        (21631, paifu.Event(paifu.CHI, 1, 9, own=(10, 11), source=0)),
        (9216, paifu.Event(paifu.CLOSED_KAN, 3, 9, own=(9, 9, 9, 9))),
    ],
)
def test_packed_calls_are_understood(packed, expected):
    call = mjlog.call_of(expected.seat, packed, mjlog.Faces(True))
    assert (call.type, call.seat, call.source) == (expected.type, expected.seat, expected.source)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<mjloggm><GO", "not a whole mjlog"),
        ("<game/>", "mjloggm"),
        ('<mjloggm><GO type="185"/></mjloggm>', "three-player"),
        ("<mjloggm/>", "no GO"),
        ('<mjloggm><GO type="169"/><INIT seed="0"/></mjloggm>', "damaged"),
    ],
)
def test_what_is_no_mjlog_gets_one_clear_line(text, problem):
    with pytest.raises(Problem, match=problem) as raised:
        mjlog.read(text, "file")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "empty"),
        ('{"type":"start_kyoku"}', "begins with start_game"),
        ("nonsense", "one object of JSON"),
        ("[1]", "an object with a type"),
        ('{"type":"start_game"}\n{"type":"start_kyoku"}', "line 2: start_kyoku lacks"),
        ('{"type":"start_game"}\n{"type":"tsumo","actor":0,"pai":"1m"}', "outside of start_kyoku"),
    ],
)
def test_what_is_no_mjai_gets_one_clear_line(text, problem):
    with pytest.raises(Problem, match=problem) as raised:
        mjai.read(text, "file")
    assert "\n" not in str(raised.value)


def test_a_cut_off_mjai_record_is_refused(matches):
    lines = mjai.write(matches[-1]).splitlines()
    with pytest.raises(Problem, match="cut off"):
        mjai.read("\n".join(lines[: len(lines) // 2]), "file")
