"""Records of mahjong: written down at the table, put into mjai and tenhou/6, read and replayed."""

import json
from dataclasses import replace

import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong import actions
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai, mjai_read, mjlog, mjlog_write, packed, paifu, tenhou6, tenhou6_read
from tefuda.games.mahjong.records.holding import WITH_RED, Meld
from tefuda.games.mahjong.records.paifu import Deal, Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.records.replay import replayed, verify
from tefuda.games.mahjong.records.shapes import first_misfit
from tefuda.games.mahjong.state import FOUR_WINDS, NAGASHI, NINE_TERMINALS
from tefuda.kernel.compile import COMPILED
from tests.games.mahjong.mahjong_scene import JUNK, MORE_JUNK, Scene
from tests.games.mahjong.recorded import composed, played
from tests.games.mahjong.test_ends import draws_of_orphans

pytestmark = pytest.mark.kernel
FORMATS = {
    "mjlog": (mjlog_write.write, mjlog.read),
    "mjai": (mjai.write, mjai_read.read),
    "tenhou6": (tenhou6.write, tenhou6_read.read),
}


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
def test_every_format_is_written_and_read_again(matches):
    for match in matches:
        for write, read in FORMATS.values():
            again = read(write(match), match.name)
            assert verify(again) == []
            assert [moves(deal) for deal in again.deals] == [moves(deal) for deal in match.deals]
            ours = replayed(again)  # with all that the other formats tell
            assert [deal.wins for deal in ours.deals] == [deal.wins for deal in match.deals]
            for other, _ in FORMATS.values():
                if write is FORMATS["mjlog"][0] or other is not FORMATS["mjlog"][0]:  # which numbers its tiles anew
                    assert other(ours) == other(match)


def moves(deal: Deal) -> list:
    return [replace(event, source=-1) for event in deal.events if event.type != paifu.DORA]


@pytest.mark.slow
def test_each_kind_of_disagreement_is_reported_where_it_is(matches):
    text = mjai.write(matches[-1])
    lines = text.splitlines()

    def told(number: int, **changes) -> list[str]:
        """What is said of a match whose line was changed."""
        event = {**json.loads(lines[number]), **changes}
        changed = "\n".join([*lines[:number], json.dumps(event), *lines[number + 1 :]])
        return [str(each) for each in verify(mjai_read.read(changed, "ours"))]

    def first(kind: str, **fields) -> int:
        events = map(json.loads, lines)
        return next(
            number for number, event in enumerate(events) if event["type"] == kind and fields.items() <= event.items()
        )

    begin = "deal 1, event 0: kyoku, honba, sticks and points are (0, 0, 0, (25000, 25000, 25000, 25000)), recorded"
    assert begin in told(1, scores=[24000, 26000, 25000, 25000])[0]
    start = json.loads(lines[1])
    other = first("dahai", tsumogiri=False)
    actor = json.loads(lines[other])["actor"]
    missing = next(tile for tile in mjai.TILES if tile not in start["tehais"][actor])
    assert told(other, pai=missing)[0].startswith(f"ours, deal 1, event {other - 1}: discard of seat {actor}: ")
    assert "is not legal" in told(other, pai=missing)[0]
    won = first("hora")
    assert told(won, fu=1)[0].split(": ")[1].startswith("hora")
    assert [each.split(": ")[2].split(" is ")[0] for each in told(won, fan=99, hora_points=700)] == [
        "fan",
        "hora_points",
    ]
    end = first("end_game")
    assert "the final points are" in told(end, scores=[1, 2, 3, 4])[0]
    assert "goes on" in str(verify(replace(mjai_read.read(text), deals=mjai_read.read(text).deals[:-1]))[0])


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
    found = [each.text for each in verify(mjlog.read(wrong, "ours"))]
    assert found == ["AGARI: ten is 30,2000,0, recorded '40,2600,0'"]


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (41546, paifu.Event(paifu.PON, 2, 27, own=(27, 27), source=0)),
        (21631, paifu.Event(paifu.CHI, 1, 9, own=(10, 11), source=0)),
        (9216, paifu.Event(paifu.CLOSED_KAN, 3, 9, own=(9, 9, 9, 9))),
    ],
)
def test_packed_calls_are_understood(number, expected):
    call, numbers = packed.unpack(expected.seat, number, WITH_RED)
    assert call == expected
    assert packed.pack(Meld(call, numbers)) == number


LEAN = {
    "hora": {"type", "actor", "target", "deltas", "ura_markers"}, "ryukyoku": {"type", "deltas"},
    "reach_accepted": {"type", "actor"}, "end_game": {"type"}, "start_game": {"type", "names", "kyoku_first"},
}  # fmt: skip


def test_lean_mjai_and_that_of_the_first_server_are_read(matches):
    for match in matches[:3]:
        events = [json.loads(line) for line in mjai.write(match).splitlines()]
        lean = [
            {key: value for key, value in event.items() if key in LEAN.get(event["type"], event)} for event in events
        ]
        first = [{"uradora_markers" if key == "ura_markers" else key: value for key, value in event.items()}
                 for event in events]  # fmt: skip
        for event in first:
            if event["type"] == "hora":
                event["hora_tehais"] = event["hora_tehais"][:-1]  # without the winning tile
                event["id"], event["meta"] = 3, {"mask": [1, 2]}  # what another program has added
        for each in (lean, first):
            assert verify(mjai_read.read("\n".join(map(json.dumps, each)), "ours")) == []


def test_mjlog_of_people_who_leave_and_come_back_is_read(matches):
    text = mjlog_write.write(matches[-1])
    text = text.replace("<GO ", '<SHUFFLE seed="mt19937ar-sha512-n288-base64,xyz" ref=""/><GO ', 1)
    text = text.replace("<T", '<BYE who="2"/><T', 1).replace("<E", '<UN n2="%E6%89%8B"/><E', 1)
    assert verify(mjlog.read(text, "ours")) == []
    assert mjlog.read(text, "ours").players == matches[-1].players


def test_tenhou6_of_other_writers_is_read(matches):
    for match in matches[:3]:
        log = json.loads(tenhou6.write(match)) | {"ver": 2.3, "dan": [""] * 4, "rate": [1500.0] * 4, "sx": ["M"] * 4}
        log["rule"] = {"disp": "鳳東喰赤", "aka": 0, "aka51": 1, "aka52": 1, "aka53": 1}
        for rows in log["log"]:
            result = rows[16]
            if result[0] != "和了" and not any(result[1]):
                rows[16] = result[:1]
            for win in result[2::2]:
                win[4:] = [*reversed(win[4:]), "裏ドラ(0飜)"]
        assert verify(tenhou6_read.read(json.dumps(log), "ours")) == []


def test_a_chi_of_honours_and_a_call_of_somebody_elses_discard_are_noticed():
    deal = mjlog.read(composed(), "ours").deals[0]
    draw, discard = deal.events
    winds = replace(discard, tile=27)
    for call, said in (
        (paifu.Event(paifu.CHI, 1, 27, own=(28, 29), source=0), "chi of seat 1: 1z 2z 3z is no run"),
        (paifu.Event(paifu.CHI, 1, 27, own=(28,), source=0), "1 own tiles are laid down, but it takes 2"),
        (paifu.Event(paifu.PON, 2, 27, own=(27, 28), source=0), "pon of seat 2: 1z 1z 2z are not of one kind"),
        (paifu.Event(paifu.PON, 2, 27, own=(27, 27), source=1), "pon of seat 2 claims 1z of seat 1, but 1z of seat 0"),
        (paifu.Event(paifu.PON, 2, 28, own=(28, 28), source=0), "pon of seat 2 claims 2z of seat 0, but 1z of seat 0"),
        (paifu.Event(paifu.ADDED_KAN, 0, 27), "added kan of seat 0: it has no pon of 1z"),
    ):
        found = first_misfit(replace(deal, events=[draw, winds, call]))
        assert found is not None
        assert found[0] == 3
        assert said in found[1]


EASTS = {0: JUNK, 1: MORE_JUNK, 2: "147m369p258s1346z", 3: "147m258p369s1467z"}
DRAWN = {
    FOUR_WINDS: (lambda: Scene(EASTS, draws="7z 7z 6z 4z"), ["1z"] * 4),
    NINE_TERMINALS: (lambda: Scene({0: "199m19p19s123z258m"}, draws="9m"), ["nine"]),
    NAGASHI: (lambda: draws_of_orphans(False), ["*"] * 70),
}


@pytest.mark.parametrize("ended", DRAWN)
def test_every_format_tells_how_a_deal_was_drawn(ended):
    make, moves = DRAWN[ended]
    scene = make()
    recorder = Recorder(scene.states, RULEBOOK.make("hanchan"), players=("", "", "", ""))
    for words in moves:
        while scene.asking and not scene.ended:
            recorder.take(int(actions.PASS))
        recorder.take(scene.action(words))
    while not scene.ended:
        recorder.take(int(actions.PASS))
    match = replace(recorder.match, deals=recorder.match.deals[:1])
    assert match.deals[0].ended == ended
    for write, read in FORMATS.values():
        assert verify(read(write(match), "ours")) == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<mjloggm><GO", "not a whole mjlog"),
        ("<game/>", "mjloggm"),
        ('<mjloggm><GO type="185"/></mjloggm>', "three-player"),
        ("<mjloggm/>", "no GO"),
        ('<mjloggm><GO type="169"/><INIT seed="0"/></mjloggm>', "its seed is '0', but it should be 6 whole numbers"),
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
        ('{"type":"start_game"}\n{"type":"start_kyoku"}', "line 2: start_kyoku has no bakaze"),
        ('{"type":"start_game"}\n{"type":"tsumo","actor":0,"pai":"1m"}', "outside of start_kyoku"),
    ],
)
def test_what_is_no_mjai_gets_one_clear_line(text, problem):
    with pytest.raises(Problem, match=problem) as raised:
        mjai_read.read(text, "file")
    assert "\n" not in str(raised.value)


def test_a_cut_off_mjai_record_is_refused(matches):
    lines = mjai.write(matches[-1]).splitlines()
    with pytest.raises(Problem, match="cut off"):
        mjai_read.read("\n".join(lines[: len(lines) // 2]), "file")
