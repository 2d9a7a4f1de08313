"""`tefuda records verify | convert`, with games that we recorded ourselves."""

import gzip
import json
import lzma
import re

import numpy as np
import pytest

from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai
from tefuda.games.mahjong.records.paifu import Match
from tefuda.kernel.random import CHECK, stream
from tefuda.records import foreign
from tefuda.table import record as game_record
from tefuda.table.table import Table
from tests.games.mahjong.mahjong_scene import GAME
from tests.games.mahjong.recorded import composed, eager, played

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def match() -> Match:
    return played(1)


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
    assert done.stdout.splitlines()[0] == "many.tsv 8, deal 1, event 2: AGARI: ten is 30,2000,0, recorded '40,2600,0'"
    assert done.stdout.splitlines()[1].startswith("2 games, 2 hands, 2 wins, 1 disagreement (")
    assert done.stderr.count("\n") == 1
    assert "1 disagreement" in done.stderr


@pytest.mark.slow
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


@pytest.mark.slow
def test_our_own_records_are_verified_and_converted(here):
    our_own(here)
    done = here("records", "verify", "own.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 game, 1 hand, ")
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
    assert "1 game, 1 disagreement" in done.stdout


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
    refused = here("records", "convert", "ours.mjai", "out", "--to", "sgf")
    assert "unknown format to write mahjong in 'sgf'" in refused.stderr


def test_what_convert_writes_can_be_verified_and_is_not_put_into_a_new_folder(here, match):
    (here.folder / "ours.mjai").write_text(mjai.write(match), encoding="utf-8")
    for name in ("a.xml", "b.json.gz", "c.mjai"):
        assert here("records", "convert", "ours.mjai", name).returncode == 0
        done = here("records", "verify", name)
        assert done.returncode == 0, done.stdout
        assert done.stdout.startswith(f"1 game, {len(match.deals)} hands, ")
    pretty = json.dumps(json.loads(gzip.decompress((here.folder / "b.json.gz").read_bytes())), indent=1)
    (here.folder / "pretty.json").write_text(pretty, encoding="utf-8")
    assert here("records", "verify", "pretty.json").returncode == 0
    refused = here("records", "convert", "ours.mjai", "none/out.mjai")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "there is no folder none" in refused.stderr
    assert not (here.folder / "none").exists()


def test_convert_refuses_what_disagrees_and_rules_that_a_format_cannot_tell(here, match):
    wrong = mjai.write(match).replace('"honba":0', '"honba":1', 1)
    (here.folder / "wrong.mjai").write_text(mjai.write(match) + wrong, encoding="utf-8")
    refused = here("records", "convert", "wrong.mjai", "out.json")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "disagrees with the rules" in refused.stderr
    assert not (here.folder / "out.json").exists()
    our_own(here)  # one deal: Tenhou has no such match
    refused = here("records", "convert", "own.json", "own.xml")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "mjlog can tell Tenhou's rules only" in refused.stderr


@pytest.mark.slow
def test_good_files_are_counted_beside_bad_ones(here, match):
    """What ended in a traceback before, and took the results of the others with it."""
    text, line = mjai.write(match), mjai.write(match).splitlines()[1]
    bad = {
        "yaku": composed().replace('yaku="7,1,8,1"', f'yaku="{10**12},1"'),
        "points": composed().replace('ten="250,250', f'ten="{10**30},250', 1),
        "seat": text.replace('"actor":1', '"actor":7', 1),
        "kyoku": text.replace('"kyoku":1', '"kyoku":99', 1),
        "tile": composed().replace('machi="90"', 'machi="-46"'),
        "negative": composed().replace("<T32/>", "<T-104/>"),
        "deep": "[" * 100_000,
        "deeper": text.replace(line, '{"type":"start_kyoku","tehais":' + "[" * 200_000 + "}"),
        "deepest": '{"log":' + "[" * 200_000,
        "nested": "<mjloggm>" * 100_000,
        "blank": " " * 9_000_000,
        "bytes": "\udcff",
    }
    for name, content in bad.items():
        (here.folder / name).write_bytes(content.encode(errors="surrogateescape"))
    (here.folder / "folder").mkdir()
    (here.folder / "good.mjai").write_text(text, encoding="utf-8")
    done = here("records", "verify", *bad, "folder", "good.mjai", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 2
    read = [name for name in ("yaku", "tile") if any(each["match"] == name for each in told["disagreements"])]
    assert read == ["yaku", "tile"]
    assert len(told["unreadable"]) == len(bad) + 1 - len(read)
    assert all("\n" not in each and len(each) < 300 for each in told["unreadable"])
    assert not [each for each in told["unreadable"] if re.search("Error|index|NoneType|list of|int\\(", each)]
    assert told["games"] == 1 + len(read)
    assert told["hands"] == len(match.deals) + len(read)


@pytest.mark.slow
def test_a_line_that_does_not_end_is_refused_before_it_fills_the_memory(here):
    with lzma.open(here.folder / "blanks.xz", "wb", preset=0) as file:
        for _ in range(100):
            file.write(b" " * 1_000_000)
    for endless in ("blanks.xz", "/dev/zero"):
        done = here("records", "verify", endless)
        assert done.returncode == 2
        assert "a line has at most 8,000,000 characters" in done.stdout


def five_of_a_tile(text: str) -> str:
    events = [json.loads(line) for line in text.splitlines()]
    events[1]["tehais"][0][:5] = ["9m"] * 5
    return "\n".join(map(json.dumps, events))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text[: len(text) // 2], "line"),
        (lambda text: "\n".join(text.splitlines()[:40]), "cut off"),
        (lambda text: "\n".join(text.splitlines()[:1]), "it has no deal"),
        (five_of_a_tile, "times more than there are such tiles"),
        (lambda text: '<mjloggm ver="2.3"><GO type="185"/></mjloggm>', "three-player"),
        (
            lambda text: text.replace('"scores":[25000,', '"scores":['),
            "scores of start_kyoku is a list of 3, but it should be a list of 4",
        ),
        (
            lambda text: text.replace('"scores":[25000,', '"scores":["east",'),
            "a whole number from -1000000 to 1000000, and number 1 is 'east'",
        ),
        (lambda text: composed()[:300], "not a whole mjlog"),
        (lambda text: "Date,Player\n1,2\n", "should be mjlog, mjai, tenhou6 or tefuda's own, but begins 'Date,Player'"),
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
