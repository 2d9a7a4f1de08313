"""Four mjai bots at a table of the engine, which judges their answers."""

import json

import pytest

from tefuda.errors import Problem
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai, mjai_read
from tefuda.games.mahjong.records.replay import verify
from tefuda.interop.mjai import NONE, Bot
from tefuda.interop.mjai_table import MjaiTable, asking
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.recorded import played

TONPUU = RULEBOOK.make("tonpuu")


def bots(rules, *names):
    return [asking(Bot(resolve(GAME, name, rules), rules)) for name in names]


def test_bots_play_the_match_that_their_player_plays_without_mjai():
    """`shanten` has no luck of its own, so that its match is the same in every way; and it is told in full."""
    rules = RULEBOOK.make("hand")
    heard: list[list[str]] = [[] for _ in range(4)]

    def listening(ask, lines):
        return lambda line: lines.append(line) or ask(line)

    asks = [listening(ask, lines) for ask, lines in zip(bots(rules, *["shanten"] * 4), heard, strict=True)]
    match = MjaiTable(asks, rules, 3, 2).run()
    alone = played(2, "hand", shanten=True)
    assert [deal.events for deal in match.deals] == [deal.events for deal in alone.deals]
    assert match.points == alone.points
    for seat, lines in enumerate(heard):
        told = [json.loads(line) for line in lines]
        assert [each["type"] for each in told[-2:]] == ["end_kyoku", "end_game"]
        assert told[1]["tehais"][seat] == mjai.names(match.deals[0].hands[seat])
        assert told[1]["tehais"][seat - 1] == ["?"] * 13
        draws = [each for each in told if each["type"] == "tsumo"]
        assert all((each["pai"] == "?") == (each["actor"] != seat) for each in draws)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="the network of mahjong takes seconds a decision uncompiled")
@pytest.mark.parametrize("rules", ["tonpuu", "tonpuu red=no open_tanyao=no ron=triple swap_calls=yes"])
def test_no_answer_of_the_champion_is_illegal(rules):
    """What was played is a record, too, with which the rules agree."""
    preset, *changes = rules.split()
    chosen = RULEBOOK.make(preset, changes)
    events = 0
    for deal in range(2):
        match = MjaiTable(bots(chosen, *["champion"] * 3, "rule-based"), chosen, 11, deal).run()
        events += sum(len(each.events) for each in match.deals)
        assert verify(mjai_read.read(mjai.write(match), "written")) == []
    assert events > 500


WRONG = {
    "nonsense": (2, "seat 2 answers 'nonsense'"),
    '{"type": "hora", "actor": 2, "target": 2}': (0, "it was not asked"),
    '{"type": "reach"}': (2, "reach has no actor"),
    '{"type": "hora", "actor": 2}': (2, "it has no target"),
    '{"type": "weather", "actor": 2}': (2, "weather is no move"),
}


@pytest.mark.parametrize(("answer", "whose", "said"), [(answer, *expected) for answer, expected in WRONG.items()])
def test_an_answer_that_is_not_legal_is_one_clear_line(answer, whose, said):
    asks = bots(TONPUU, *["tsumogiri"] * 4)

    def ask(line):
        event = json.loads(line)
        return answer if (event["type"], event.get("actor")) == ("tsumo", whose) else json.dumps(NONE)

    with pytest.raises(Problem, match=said) as raised:
        MjaiTable([*asks[:2], ask, asks[3]], TONPUU, 1).run()
    assert "\n" not in str(raised.value)


def test_a_tile_that_is_not_held_and_a_call_that_cannot_be_are_refused():
    asks = bots(TONPUU, *["tsumogiri"] * 4)

    def discards(line):
        event = json.loads(line)
        own = event["type"] == "tsumo" and event["actor"] == 2
        return json.dumps({"type": "dahai", "actor": 2, "pai": "5mr", "tsumogiri": True} if own else NONE)

    def calls(line):
        event = json.loads(line)
        if event["type"] != "dahai" or event["actor"] == 2:
            return json.dumps(NONE)
        pai = event["pai"]
        return json.dumps({"type": "pon", "actor": 2, "target": event["actor"], "pai": pai, "consumed": [pai, pai]})

    for ask, said in ((discards, "the engine writes it as"), (calls, "it was not asked|it may take")):
        with pytest.raises(Problem, match=said):
            MjaiTable([*asks[:2], ask, asks[3]], TONPUU, 1).run()
