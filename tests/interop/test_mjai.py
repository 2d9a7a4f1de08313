"""The mjai bot sees and does what its player does at the table."""

import json
import subprocess
import sys

import numpy as np
import pytest

from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai, mjai_read, paifu
from tefuda.games.mahjong.records.paifu import Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.records.replay import action_of
from tefuda.interop.mjai import NONE, Bot, answer
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.resolve import resolve
from tefuda.table.table import Table, legal_actions
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.recorded import eager

pytestmark = pytest.mark.kernel
RULES = RULEBOOK.make("tonpuu")
# What a bot is not told: how the deal before ended.
LAST_DEAL = {"finished", "ended", "paid", "ready", "winners", "win_from", "win_yaku", "win_han", "win_fu", "win_dora"}


def recorded_with_questions(number: int, player: str):
    """A match of eager players, in even ones with two `player`s: the view at each decision and what `player` does."""
    states = GAME.blank(RULES)
    GAME.kernels.deal(states[0], np.array([stream(4, number, 0, DEAL)], np.uint64))
    bits = np.array([stream(4, number, 0, CHECK)], np.uint64)
    recorder, entrant = Recorder(states, RULES), resolve(GAME, player)
    questions = {}
    while GAME.kernels.to_move(states[0]) >= 0:
        seat, deal = int(GAME.kernels.to_move(states[0])), recorder.deal
        action = Table(GAME, RULES, states=states.copy()).ask(entrant)
        taken = eager(legal_actions(GAME, states), bits) if number % 2 or seat % 2 else action
        view = states.copy()
        GAME.kernels.hide(view[0], seat)
        place = (len(recorder.match.deals), len(deal.events), seat)
        questions[place] = (view, answer(states, seat, action), taken)
        recorder.take(taken)
    return recorder.match, questions


@pytest.mark.slow
def test_the_bot_sees_and_does_what_its_player_does_at_the_table():
    kinds = set()
    for number in (0, 3, 6) if COMPILED else (0,):
        match, questions = recorded_with_questions(number, "shanten")
        kinds |= {event.type for deal in match.deals for event in deal.events}
        for seat in range(4):
            compare(match, questions, seat)
    assert not COMPILED or kinds == set(range(len(paifu.EVENT_NAMES)))


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="programs simulate, which takes minutes uncompiled")
def test_every_shipped_player_answers_a_whole_deal():
    """Each answer to the events of a deal is one that its seat may give."""
    match, _ = recorded_with_questions(5, "shanten")
    deal = [event for event in mjai.events(match) if event["type"] != "start_game"]
    deal = deal[: [event["type"] for event in deal].index("end_kyoku")]
    assert sum(event["type"] == "tsumo" and event["actor"] == 0 for event in deal) > 5
    briefly = {named.name: GAME.players.policy(named.policy).brief for named in GAME.players.named}
    assert {"policy-mc", "mcp", "bcp", "bcp+penalty+search", "network-efr", "han-efr"} <= set(briefly)
    for name, variant in briefly.items():
        bot, answers = Bot(resolve(GAME, "/".join(filter(None, (name, variant))), RULES), RULES), []
        bot.react(json.dumps({"type": "start_game", "id": 0}))
        for event in deal:
            reaction, wrong = bot.react(json.dumps(event))
            assert wrong == [], name
            if reaction["type"] in (*mjai.CALLS.values(), "dahai", "ankan", "kakan"):
                move = mjai_read.move_of(reaction["type"], mjai_read.values_of(reaction))
                assert action_of(move) in legal_actions(GAME, bot.deal.asked()), name
            answers.append(reaction["type"])
        assert answers.count("dahai") + answers.count("reach") > 4, name


def compare(match: Match, questions, seat: int) -> None:
    bot = Bot(resolve(GAME, "shanten"), RULES)
    deal = event_number = answered = 0
    for event in mjai.events(match):
        if event["type"] == "start_game":
            event = {"type": "start_game", "id": seat}
        elif event["type"] == "start_kyoku":
            deal, event_number = deal + 1, 0
            hidden = [hand if owner == seat else ["?"] * 13 for owner, hand in enumerate(event["tehais"])]
            event = {**event, "tehais": hidden}
        elif event["type"] == "tsumo" and event["actor"] != seat:
            event = {**event, "pai": "?"}
        counted = event["type"] not in ("start_game", "start_kyoku", "reach_accepted", "hora", "ryukyoku", "end_kyoku")
        event_number += counted
        reaction, wrong = bot.react(json.dumps(event))
        assert wrong == []
        question = questions.get((deal, event_number, seat)) if counted else None
        if question is not None:
            view, expected, _ = question
            assert reaction == expected, (deal, event_number, event)
            asked = bot.deal.asked()
            GAME.kernels.hide(asked[0], seat)
            for name in LAST_DEAL:
                asked[name] = view[name]
            assert asked.tobytes() == view.tobytes(), (deal, event_number, event)
            if reaction["type"] in (*mjai.CALLS.values(), "dahai", "ankan", "kakan"):
                move = mjai_read.move_of(reaction["type"], mjai_read.values_of(reaction))
                assert action_of(move) in legal_actions(GAME, asked)
            answered += 1
        elif reaction != NONE:  # at the table it was not asked, for another's answer went before
            others = [questions.get((deal, event_number, other)) for other in range(4)]
            assert any(each is not None and each[2] != 85 for each in others), (event, reaction, deal, event_number)
    assert answered == sum(place[2] == seat for place in questions)


START = {
    "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "9p",
    "scores": [25000] * 4,
    "tehais": [["?"] * 13, [*"ESW", "1m", "2m", "3m", "4p", "5pr", "6p", "7s", "7s", "8s", "9s"], *[["?"] * 13] * 2],
}  # fmt: skip
NORTH = {"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": True}


def answers(here, monkeypatch, *lines):
    import io

    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    done = here("mjai", "--player", "shanten")
    assert done.returncode == 0
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.splitlines()


def test_the_bot_takes_arrays_and_goes_on_after_nonsense(here, monkeypatch):
    given, errors = answers(
        here, monkeypatch,
        {"type": "start_game", "id": 1, "names": ["a", "b", "c", "d"]},
        "nonsense",
        "7",
        {"type": "weather"},
        [START, {"type": "tsumo", "actor": 0, "pai": "?"}, NORTH],
        {"type": "tsumo", "actor": 1},
        {"type": "tsumo", "actor": 1, "pai": "9s", "can_act": False},
        {"type": "dahai", "actor": 1, "pai": "1z", "tsumogiri": False},
        {"type": "end_kyoku"},
        {"type": "end_game"},
    )  # fmt: skip
    assert [each["type"] for each in given] == ["none"] * 10
    assert [line.split(":")[1] for line in errors] == [" line 2", " line 3", " line 4", " line 6", " line 8"]
    assert "'weather' is not known" in errors[2]
    assert "tsumo hides what seat 1 draws" in errors[3]


def test_the_bot_out_of_step_discards_its_draws_until_the_next_deal(here, monkeypatch):
    draw = {"type": "tsumo", "actor": 1, "pai": "9s"}
    given, errors = answers(
        here, monkeypatch, {"type": "start_game", "id": 1}, START, {"type": "pon", "actor": 2, "target": 0, "pai": "E",
        "consumed": ["E", "E"]}, draw, START, {"type": "tsumo", "actor": 0, "pai": "?"},
        {"type": "dahai", "actor": 0, "pai": "N", "tsumogiri": False}, draw,
    )  # fmt: skip
    assert len(errors) == 1
    assert "no such tile was just discarded" in errors[0]
    assert given[3] == {"type": "dahai", "actor": 1, "pai": "9s", "tsumogiri": True}
    assert given[7]["type"] == "dahai"
    assert given[7]["pai"] in "ESW"


def test_five_of_a_tile_and_players_that_cannot_sit_get_one_clear_line(here, monkeypatch, player_file):
    hand = [*["1m"] * 5, "2m", "3m", "4p", "5p", "6p", "7s", "8s", "9s"]
    bad = {**START, "tehais": [["?"] * 13, hand, ["?"] * 13, ["?"] * 13]}
    _, errors = answers(here, monkeypatch, {"type": "start_game", "id": 1}, bad)
    assert len(errors) == 1
    assert "times more than there are such tiles" in errors[0]
    own = player_file("class Mine:\n    def act(self, view):\n        return 0\n")
    refused = here("mjai", "--player", f"{own}:Mine")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "not a compiled player" in refused.stderr


NOT_A_DEAL = {
    "honba": [-1, 10**30, 1.5, "1", None, True], "kyotaku": [-1, 10**30], "bakaze": ["ES", "", 3], "oya": [1, 4],
    "kyoku": [0, 5, 10**30], "scores": [[25000] * 3, [25000, 25000, 25000, 10**30], 5], "dora_marker": ["?", "0m"],
    "tehais": [[["?"] * 13] * 4, [["1m"] * 13] * 3, [[]] * 4, [[1] * 13] * 4],
}  # fmt: skip


@pytest.mark.parametrize(("key", "values"), NOT_A_DEAL.items())
def test_a_deal_that_cannot_be_is_refused_in_one_line(key, values):
    for value in values:
        bot = Bot(resolve(GAME, "shanten"), RULES, seat=1)
        action, wrong = bot.react(json.dumps({**START, key: value}))
        assert action == NONE
        assert len(wrong) == 1, (key, value)
        assert key in wrong[0] or "hand" in wrong[0]
        assert len(wrong[0]) < 300
        assert bot.deal is None


def test_more_tiles_of_a_kind_than_there_are_put_the_bot_out_of_step():
    bot = Bot(resolve(GAME, "tsumogiri"), RULES, seat=1)
    assert bot.react(json.dumps(START)) == (NONE, [])
    told = []
    for number in range(24):
        actor = (0, 2, 3)[number % 3]
        draws = [{"type": "tsumo", "actor": 1, "pai": "123456789"[number % 9] + "p"},
                 {"type": "dahai", "actor": 1, "pai": "123456789"[number % 9] + "p", "tsumogiri": True}]  # fmt: skip
        events = [{"type": "tsumo", "actor": actor, "pai": "?"}, {**NORTH, "actor": actor}]
        told += bot.react(json.dumps(events + (draws if actor == 0 else [])))[1]
    assert "N comes up more often than there are such tiles" in told[0]


def test_another_discarder_and_impossible_sets_put_the_bot_out_of_step():
    east = {"type": "dahai", "actor": 0, "pai": "E", "tsumogiri": True}
    begin = [START, {"type": "tsumo", "actor": 0, "pai": "?"}, east]
    for call, said in (
        ({"type": "pon", "actor": 2, "target": 3, "pai": "E", "consumed": ["E", "E"]}, "seat 0 has discarded it"),
        ({"type": "chi", "actor": 1, "target": 0, "pai": "E", "consumed": ["S", "W"]}, "is no run"),
        ({"type": "pon", "actor": 2, "target": 0, "pai": "E", "consumed": ["E", "S"]}, "not of one kind"),
    ):
        bot = Bot(resolve(GAME, "shanten"), RULES, seat=1)
        _, wrong = bot.react(json.dumps([*begin, call]))
        assert len(wrong) == 1
        assert said in wrong[0]


def test_a_byte_order_mark_does_not_silence_the_bot(here, monkeypatch):
    draw = {"type": "tsumo", "actor": 1, "pai": "9s"}
    start = "\ufeff" + json.dumps({"type": "start_game", "id": 1})
    given, errors = answers(here, monkeypatch, start, START, {"type": "tsumo", "actor": 0}, NORTH, draw)
    assert errors == []
    assert given[-1]["type"] == "dahai"


def test_a_long_line_is_not_echoed(here, monkeypatch):
    long = "x" * 10_000_000
    given, errors = answers(
        here, monkeypatch, long, json.dumps({"type": long[:900_000]}), {"type": "start_game", "id": long[:900_000]},
        "[" * 500_000, {"type": "start_game", "id": 1},
    )  # fmt: skip
    assert len(given) == 5
    assert len(errors) == 4
    assert all(len(line) < 300 for line in errors)


AFTER_THE_REHEARSAL = """
import sys
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.interop.mjai import GAME, Bot, rehearse
from tefuda.kernel.compiled import Kernel
from tefuda.players.resolve import resolve

rules, entrant = RULEBOOK.make("tonpuu"), resolve(GAME, "shanten")
rehearse(entrant, rules)
late = []
compile_kernel = Kernel.compile
Kernel.compile = lambda self, sig: late.append(self.py_func.__name__) or compile_kernel(self, sig)
lines = sys.stdin.read().splitlines()
for seat in range(4):
    bot = Bot(entrant, rules, seat=seat)
    for line in lines:
        assert bot.react(line)[1] == []
print(sorted(set(late)))
"""


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_nothing_is_compiled_after_the_rehearsal():
    """It calls every kernel that a bot calls in a whole match with all sorts of calls."""
    match, _ = recorded_with_questions(3, "shanten")
    done = subprocess.run(
        [sys.executable, "-c", AFTER_THE_REHEARSAL], input=mjai.write(match), capture_output=True, text=True,
        check=True, timeout=300,
    )  # fmt: skip
    assert done.stdout == "[]\n"
