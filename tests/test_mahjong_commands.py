"""`tefuda records verify | convert` and the mjai bot, with games that we recorded ourselves."""

import gzip
import json
import lzma
import re

import numpy as np
import pytest
from mahjong_scene import GAME
from test_mahjong_records import composed, eager, played

from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai, paifu
from tefuda.games.mahjong.records.paifu import Match
from tefuda.games.mahjong.records.recorder import Recorder
from tefuda.games.mahjong.records.replay import action_of
from tefuda.interop.mjai import NONE, Bot, answer
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.resolve import resolve
from tefuda.records import foreign
from tefuda.table import record as game_record
from tefuda.table.table import Table, legal_actions

pytestmark = pytest.mark.kernel
RULES = RULEBOOK.make("tonpuu")


@pytest.fixture(scope="module")
def match() -> Match:
    return played(1)


# Records.


def test_verify_finds_nothing_wrong_in_games_of_every_format(here, match):
    (here.folder / "ours.mjai").write_text(mjai.write(match) * 2, encoding="utf-8")
    lines = "".join(f"{number}\t{composed()}\n" for number in (7, 8, 9))
    (here.folder / "many.tsv.xz").write_bytes(lzma.compress(lines.encode()))
    (here.folder / "one.mjlog").write_bytes(gzip.compress(b'<?xml version="1.0"?>\n' + composed().encode()))
    done = here("records", "verify", "ours.mjai", "many.tsv.xz", "one.mjlog", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    wins = sum(len(deal.wins) for deal in match.deals)
    assert (told["games"], told["hands"], told["wins"]) == (6, 2 * len(match.deals) + 4, 2 * wins + 4)
    assert told["disagreements"] == told["unreadable"] == []
    plain = here("records", "verify", "many.tsv.xz", "--game", "mahjong", "--threads", 1)
    assert plain.stdout.startswith("3 games, 3 hands, 3 wins, 0 disagreements (")


def test_verify_names_game_hand_and_event_of_a_disagreement(here):
    wrong = composed().replace('ten="30,2000,0"', 'ten="40,2600,0"')
    (here.folder / "many.tsv").write_text(f"7\t{composed()}\n8\t{wrong}\n", encoding="utf-8")
    done = here("records", "verify", "many.tsv")
    assert done.returncode == 2
    assert done.stdout.splitlines()[0] == "many.tsv 8, deal 1, event 3: fu of seat 1 is 30, recorded 40"
    assert done.stdout.splitlines()[1].startswith("2 games, 2 hands, 2 wins, 1 disagreements (")
    assert done.stderr.count("\n") == 1
    assert "1 disagreements" in done.stderr


def test_verify_gives_the_same_in_processes(tmp_path):
    wrong = composed().replace("-20,250,20", "-30,250,30")
    path = tmp_path / "many.tsv"
    path.write_text(f"1\t{composed()}\n2\t{wrong}\n3\t{composed()}\nx\n4\t<mjloggm>\n", encoding="utf-8")
    alone, beside = (foreign.verify([path], None, threads, chunk=1) for threads in (1, 2))
    assert alone == beside
    assert (alone.games, len(alone.disagreements), len(alone.unreadable)) == (2, 1, 2)
    assert alone.disagreements[0].match == "many.tsv 2"


def test_a_draw_without_its_reason_is_no_fault(here, match):
    text = re.sub(r'"reason":"\w+",', "", mjai.write(match))
    assert text != mjai.write(match)
    (here.folder / "ours.mjai").write_text(text, encoding="utf-8")
    assert here("records", "verify", "ours.mjai").returncode == 0


def our_own(here, preset: str = "hand", edit=lambda record: None) -> str:
    """A file that `tefuda play` might have written."""
    rules = RULEBOOK.make(preset)
    table = Table(GAME, rules, 5, 1)
    record = game_record.record_of(table, ["random"] * 4, "0")
    rng = np.array([stream(5, 1, 0, CHECK)], np.uint64)
    while not table.over:
        record.actions.append((table.to_move, int(eager(table.legal, rng))))
        record.names.append("")
        table.apply(record.actions[-1][1])
    record.scores = table.scores.tolist()
    edit(record)
    game_record.save(here.folder / "own.json", record)
    return "own.json"


def test_our_own_records_are_verified_and_converted(here):
    our_own(here)
    done = here("records", "verify", "own.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 games, 1 hands, ")
    assert here("records", "convert", "own.json", "own.mjai.gz").returncode == 0
    assert here("records", "verify", "own.mjai.gz").returncode == 0
    assert here("records", "convert", "own.mjai.gz", "viewer.json").returncode == 0
    log = json.loads((here.folder / "viewer.json").read_text(encoding="utf-8"))["log"]
    assert len(log) == 1
    assert len(log[0]) == 17


def test_a_wrong_move_in_our_own_record_is_a_disagreement(here):
    def edit(record):
        record.actions[3] = (record.actions[3][0], 84)

    done = here("records", "verify", our_own(here, edit=edit))
    assert done.returncode == 2
    assert "own.json: move 4 of" in done.stdout
    assert "1 games, 1 disagreements" in done.stdout


def test_a_game_that_was_left_is_verified_but_not_converted(here):
    def edit(record):
        record.scores = None
        del record.actions[9:], record.names[9:]

    own = our_own(here, edit=edit)
    assert here("records", "verify", own).returncode == 0
    refused = here("records", "convert", own, "own.mjai")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "left within a deal" in refused.stderr


def test_convert_keeps_every_game(here, match):
    (here.folder / "ours.mjai").write_text(mjai.write(match) * 2, encoding="utf-8")
    assert "2 written" in here("records", "convert", "ours.mjai", "out", "--to", "tenhou6").stdout
    lines = (here.folder / "out").read_text(encoding="utf-8").splitlines()
    assert [len(json.loads(line)["log"]) for line in lines] == [len(match.deals)] * 2
    refused = here("records", "convert", "ours.mjai", "out")
    assert refused.returncode == 2
    assert "name it with --to" in refused.stderr
    refused = here("records", "convert", "ours.mjai", "out", "--to", "mjlog")
    assert "unknown format to write mahjong in 'mjlog'" in refused.stderr


def five_of_a_tile(text: str) -> str:
    events = [json.loads(line) for line in text.splitlines()]
    events[1]["tehais"][0][:5] = ["9m"] * 5
    return "\n".join(map(json.dumps, events))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[: len(text) // 2], "line"),
        (lambda text: "\n".join(text.splitlines()[:40]), "cut off"),
        (lambda text: "\n".join(text.splitlines()[:1]), "it has no deal"),
        (five_of_a_tile, "times more than there are such tiles"),
        (lambda text: '<mjloggm ver="2.3"><GO type="185"/></mjloggm>', "three-player"),
        (lambda text: text.replace('"scores":[25000,', '"scores":['), "4 must play"),
        (lambda text: composed()[:300], "not a whole mjlog"),
        (lambda text: "Date,Player\n1,2\n", "should be mjlog, mjai or tefuda's own, but begins 'Date,Player'"),
        (lambda text: '{"title":["a","b"]}', "is not a game record of tefuda"),
        (lambda text: "", "is empty"),
    ],
)
def test_what_cannot_be_verified_gets_one_clear_line(here, match, change, said):
    (here.folder / "bad").write_text(change(mjai.write(match)), encoding="utf-8")
    done = here("records", "verify", "bad")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert said in done.stdout.splitlines()[0]
    assert done.stdout.startswith("bad")


def test_a_damaged_or_missing_file_gets_one_clear_line(here):
    (here.folder / "cut.gz").write_bytes(gzip.compress(composed().encode())[:200])
    assert "cut.gz is damaged or cut off" in here("records", "verify", "cut.gz").stdout
    assert "cannot read none" in here("records", "verify", "none").stdout
    assert "unknown game" in here("records", "verify", "cut.gz", "--game", "chess").stderr


# The bot.

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


def test_the_bot_sees_and_does_what_its_player_does_at_the_table():
    kinds = set()
    for number in (0, 3, 6) if COMPILED else (0,):
        match, questions = recorded_with_questions(number, "shanten")
        kinds |= {event.type for deal in match.deals for event in deal.events}
        for seat in range(4):
            compare(match, questions, seat)
    assert not COMPILED or kinds == set(range(len(paifu.EVENT_NAMES)))


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
            if reaction["type"] in mjai.CALL_TYPES or reaction["type"] in ("dahai", "ankan", "kakan"):
                assert action_of(mjai.read_event(reaction)) in legal_actions(GAME, asked)
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
    assert "lacks or has a wrong 'pai'" in errors[3]


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
