"""Game records: written and read without loss, refused in one line when damaged, and shown move by move."""

import io
import json
import random
import re
from dataclasses import replace

import pytest
from rich.console import Console

from tefuda import games
from tefuda.errors import Problem
from tefuda.games.kuhn import rules as kuhn
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.table import record as game_record
from tefuda.table.record import PERSON, fresh_path, load, play_again, record_of, save, take
from tefuda.table.session import Session
from tefuda.table.table import Table
from tefuda.terminal.replay import replay

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")


def played(game=KOIKOI, seed=3, deal=5, moves=None, changes=()):
    """A record of a game of random moves, or of its beginning."""
    table = Table(game, game.rulebook.make(changes=list(changes)), seed, deal)
    record = record_of(table, [PERSON, "random"][: game.seats], "abc1234")
    choose = random.Random(seed)
    while not table.over and (moves is None or len(table.history) < moves):
        action = choose.choice(table.legal)
        record.names.append(game.words.action_name(table.states, action))
        step = take(table, action)
        record.actions.append((step.seat, step.action))
    record.scores = table.scores.tolist() if table.over else None
    return record


def written(path, change):
    """A record on disk with something changed in its JSON."""
    save(path, played())
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def text_of(path, width=80, lines=(), **options) -> str:
    """What `replay` prints."""
    console = Console(file=io.StringIO(), width=width, highlight=False)
    typed = iter(lines)

    def read(prompt):
        line = next(typed, None)
        if line is None:
            raise EOFError
        return line

    replay(path, console=console, read=read, **options)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


@pytest.mark.parametrize("moves", [None, 0, 7])
@pytest.mark.parametrize("changes", [(), ("rounds=3", "extras=both", "next_dealer=alternate")])
def test_round_trip(tmp_path, moves, changes):
    record = played(moves=moves, changes=changes)
    path = tmp_path / "game.json"
    save(path, record)
    again = load(path)
    assert again == record
    table, steps = play_again(again, path)
    assert table.history == record.actions
    assert [step.action for step in steps] == [action for _, action in record.actions]
    assert table.over == (record.scores is not None)
    assert again.rules(KOIKOI) == KOIKOI.rulebook.make(changes=list(changes))
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_a_line_for_each_decision(tmp_path):
    record = played()
    save(tmp_path / "game.json", record)
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    assert sum(line.startswith("    [") for line in text.splitlines()) == len(record.actions)
    assert json.loads(text)["rules"]["preset"] == "paper"
    assert set(json.loads(text)["rules"]) == {"preset", *(option.key for option in KOIKOI.rulebook.options)}


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(tmp_path, keep):
    path = tmp_path / "game.json"
    save(path, played())
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep) - 3 if keep else 0])
    with pytest.raises(Problem, match="not a game record: it is damaged"):
        load(path)


def test_foreign_files_are_refused(tmp_path):
    path = tmp_path / "other.json"
    with pytest.raises(Problem, match="cannot read game record"):
        load(path)
    for content in (b"[]", b"{}", b"3", b'{"format": "somebody else"}', b'{"format": ["tefuda game 1"]}'):
        path.write_bytes(content)
        with pytest.raises(Problem, match="is not a game record of tefuda"):
            load(path)
    for content in (b"\xff\xfe\x00binary", b"not json"):
        path.write_bytes(content)
        with pytest.raises(Problem, match="damaged or another kind of file"):
            load(path)
    with pytest.raises(Problem, match="cannot read"):
        load(tmp_path)


def test_another_version_is_named(tmp_path):
    path = written(tmp_path / "game.json", lambda value: value.update(format="tefuda game 2"))
    with pytest.raises(Problem, match="format 'tefuda game 2', but this version reads 'tefuda game 1'"):
        load(path)


@pytest.mark.parametrize("key", ["game", "rules", "seed", "deal", "players", "commit", "scores", "actions"])
@pytest.mark.parametrize("wrong", [{"a": 1}, [[1]], -1, 1.5, True])
def test_entries_of_a_wrong_kind_are_named(tmp_path, key, wrong):
    path = written(tmp_path / "game.json", lambda value: value.update({key: wrong}))
    with pytest.raises(Problem, match=f"damaged: its '{key}' cannot be read"):
        load(path)


@pytest.mark.parametrize("key", ["game", "rules", "seed", "deal", "players", "commit", "scores", "actions"])
def test_missing_entries_are_named(tmp_path, key):
    path = written(tmp_path / "game.json", lambda value: value.pop(key))
    with pytest.raises(Problem, match=f"damaged: it has no '{key}'"):
        load(path)


def _append_move(value):
    value["actions"].append([0, 0, ""])


def _other_action(value):
    value["actions"][4][1] = 49


def _other_seat(value):
    value["actions"][4][0] = 1 - value["actions"][4][0]


def _huge_action(value):
    value["actions"][4][1] = 10**30


REFUSED = [
    (_other_action, "move 5 of .*: illegal move 49 .*: legal are "),
    (_huge_action, "move 5 of .*: illegal move 1000"),
    (_other_seat, "move 5 of .* is by seat"),
    (_append_move, "comes after the end of the game"),
    (lambda value: value.update(scores=[100, -100]), "has scores .*, but its moves give"),
    (lambda value: value["actions"].pop(), "final scores, but its moves do not reach the end"),
    (lambda value: value["rules"].update(tea="1"), "option tea, which this version does not have"),
    (lambda value: value["rules"].update(sake="99"), "option sake is '99'"),
    (lambda value: value["rules"].update(preset="mine"), "unknown rules preset 'mine'"),
    (lambda value: value.update(game="chess"), "'chess' does not come with tefuda"),
    (lambda value: value["players"].append("random"), "3 players, but koikoi has 2 seats"),
]


@pytest.mark.parametrize(("change", "line"), REFUSED)
def test_what_the_rules_refuse_is_named_by_its_place(tmp_path, change, line):
    path = written(tmp_path / "game.json", change)
    with pytest.raises(Problem, match=line) as caught:
        play_again(load(path), path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_record_never_makes_us_load_a_game_from_a_path(tmp_path):
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('run')")
    path = written(tmp_path / "game.json", lambda value: value.update(game=str(trap)))
    with pytest.raises(Problem, match="name it on the command line"):
        replay(path, console=Console(file=io.StringIO()))
    table, _ = play_again(load(path), path, given=KOIKOI)
    assert table.over


def test_fresh_paths_take_nobodys_place(tmp_path):
    first = fresh_path(tmp_path, KOIKOI, 1, 2)
    assert first.name == "koikoi-seed1-deal2.json"
    first.write_text("mine")
    assert fresh_path(tmp_path, KOIKOI, 1, 2).name == "koikoi-seed1-deal2-2.json"


HEAD = """花札こいこい Koi-Koi · 規則 rules paper · 配り deal 5 · 種 seed 3
人 person   random   abc1234
"""
GOLDEN = """
13  person  played plum red poem, took chaff
            drew cherry curtain, left on the field
            yaku: ribbons 1
14          koi-koi!
15  random  played paulownia phoenix, took chaff
            drew plum warbler, left on the field
16  person  played pampas chaff, took geese
            drew maple deer, took blue ribbon
            yaku: ribbons 2
17          koi-koi!
18  random  played iris chaff, took chaff
            drew mum chaff, took sake cup
19  person  played plum chaff, took warbler
            drew clover boar, left on the field
20  random  played peony chaff, two cards fit
21          took chaff with peony chaff
            drew paulownia chaff, left on the field
            round 1  random agari +1: chaff 1
            score  person -1  random +1

over   person -1   random +1"""


def test_replay_of_a_game_in_both_languages(tmp_path):
    path = tmp_path / "game.json"
    save(path, played())
    text = text_of(path)
    assert text.startswith(HEAD)
    assert "手から played" in text
    assert "山から drew" in text
    assert text.splitlines()[-1].startswith("終わり over   人 person ")
    english, japanese = text_of(path, lang="en"), text_of(path, lang="ja")
    assert english.endswith(GOLDEN)
    assert set(english) - set(map(chr, range(128))) <= set("·─→×")
    assert "played" not in japanese
    assert "を出し" in japanese
    for told in (text, english, japanese):
        assert "\x1b" not in told


def test_replay_of_an_unfinished_game_says_how_to_go_on(tmp_path):
    path = tmp_path / "my game.json"
    save(path, played(moves=6))
    text = text_of(path, lang="en")
    assert "not finished (6)" in text
    assert f"tefuda play --resume '{path}'" in text


def test_replay_step_by_step(tmp_path):
    path = tmp_path / "game.json"
    record = played()
    save(path, record)
    last = len(record.actions)
    places = [f"move {place}/{last}" for place in (0, 1, 2, 1, last, last - 1, last)]
    text = text_of(path, lang="en", step=True, lines=["", "n", "b", "9999", "b", "", ""])
    assert re.findall(r"· (move \d+/\d+)", text) == places
    assert text.splitlines()[-1].startswith("over   person ")
    stopped = text_of(path, lang="en", step=True, lines=["", "q"])
    assert "over   " not in stopped
    assert f"move 1/{last}" in stopped
    assert "move 0/" in text_of(path, lang="en", step=True)  # the end of the input ends it


@pytest.mark.slow
def test_every_game_has_records(tmp_path):
    found = games.names()
    assert "koikoi" in found
    for name in found:
        game = games.find(name)
        table = Table(game, seed=1, deal=2)
        record = record_of(table, ["random"] * game.seats, "abc1234")
        choose = random.Random(1)
        while not table.over:
            action = choose.choice(table.legal)
            record.names.append(game.words.action_name(table.states, action))
            record.actions.append((table.to_move, action))
            table.apply(action)
        record.scores = table.scores.tolist()
        path = tmp_path / f"{name}.json"
        game_record.save(path, record)
        for lang in ("both", "ja", "en"):
            assert text_of(path, lang=lang)


def test_a_record_of_before_an_option_came_is_played_as_its_preset_says():
    table = Table(KOIKOI, KOIKOI.rulebook.make("nintendo"), 3, 5)
    record = game_record.record_of(table, ["random", "random"], "")
    whole = record.rules(KOIKOI)
    del record.options["sake"]
    assert record.rules(KOIKOI) == whole


@kernel
def contrary(state, action):
    """Kuhn poker in which the two actions have changed places."""
    kuhn.apply(state, 1 - action)


@pytest.mark.skipif(not COMPILED, reason="kernels that run as plain Python have no content name")
def test_a_game_of_ones_own_that_has_changed_is_told_at_the_first_move_that_means_another(tmp_path, caplog):
    def swapped(states, action, lang="both"):
        return KUHN.words.action_name(states, 1 - action, lang)

    def told(game) -> str:
        with pytest.raises(Problem) as problem:
            play_again(load(path), path, game)
        return str(problem.value)

    record = played(KUHN, moves=1)
    record.game, path = "my/kuhn", tmp_path / "game.json"
    save(path, record)
    ruled = replace(KUHN, kernels=replace(KUHN.kernels, apply=contrary))
    worded = replace(KUHN, words=replace(KUHN.words, action_name=swapped))
    both = replace(ruled, words=worded.words)
    was, now = record.names[0], swapped(Table(KUHN, KUHN.rulebook.make(), 3, 5).states, record.actions[0][1])
    since = "the code of kuhn has changed since this was recorded"
    assert told(both) == f"{path}: move 1 of 1 was {was!r}, and is {now!r} now: {since}"
    play_again(record, path, worded)  # the same rules in other words
    play_again(record, path, ruled)  # other rules, and a move that may be taken and is called the same
    for game, warned in ((KUHN, False), (ruled, True), (ruled, False)):  # it goes on by the new rules, told once
        caplog.clear()
        Session.resume(path, game)
        assert (f"the code of kuhn has changed since {path} was recorded" in caplog.text) == warned
    record.actions[0] = (1, record.actions[0][1])
    save(path, record)
    assert told(both).endswith(f"is by seat 1, but seat 0 is to move: {since}")
    assert since not in told(worded)
