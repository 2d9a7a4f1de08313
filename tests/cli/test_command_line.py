"""The command line, run as a person runs it: what it prints, what it refuses, and how it says so."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import typer

from tefuda import games
from tefuda.arena.match import match
from tefuda.cli import app
from tefuda.files.policy import PolicyCard, save
from tefuda.sources import load_source
from tefuda.table import record as game_record
from tefuda.table.table import Table
from tests.conftest import without_announcement

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")
COMMANDS = [command.callback.__name__ for command in app.registered_commands]

OWN = '''
class First:
    """Takes the first legal action."""

    def act(self, view):
        return view.legal[0]


class Illegal:
    def act(self, view):
        return 49


class Raising:
    def act(self, view):
        raise ValueError("two lines:\\nthis is the second")


class Actless:
    pass
'''


def one_json_value(text: str):
    """The JSON value that a text is; JSON knows no NaN and no infinity."""

    def no_number(name):
        raise AssertionError(f"{name} is not JSON")

    return json.loads(text, parse_constant=no_number)


def refused(tefuda, *arguments, said: str = "", **environment) -> str:
    """The one line of a command that a person got wrong: exit code 2, nothing on standard output, nothing written."""
    before = sorted(tefuda.folder.rglob("*"))
    done = tefuda(*arguments, **environment)
    assert done.returncode == 2, (done.returncode, done.stdout, done.stderr)
    assert done.stdout == ""
    assert done.stderr.endswith("\n")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("tefuda: ")
    assert said in done.stderr
    assert sorted(tefuda.folder.rglob("*")) == before
    return done.stderr


# --- mistakes ---

# Those of the first table are made by a person at a shell, those of the second in this process: much quicker.
MISTAKES = [
    ("match koikoy random random", "unknown game 'koikoy': did you mean 'koikoi'?"),
    ("match koikoi rule-bsed random", "unknown player of koikoi 'rule-bsed': did you mean 'rule-based'?"),
    ("match koikoi random random --frobnicate", "No such option: --frobnicate"),
    ("match koikoi random random --rules papr", "unknown rules preset 'papr': did you mean 'paper'?"),
    ("match koikoi random random --set teshi=maybe", "option teshi is 'maybe', but takes play, redeal, points"),
    ("match koikoi random random --set rounds", "--set 'rounds' should be key=value"),
    ("match koikoi random random random", "koikoi seats 2 players, but 3 were named"),
    ("match kuhn random random --seed 18446744073709551616", "seed"),
    ("reproduce bridge", "unknown paper 'bridge': known are koikoi"),
    ("train koikoi deep", "unknown learner of koikoi 'deep': known are nfsp, pg-linear, self-play, ann-value"),
    ("train koikoi pg-linear --arg speed=1", "unknown argument 'speed'"),
    ("train koikoi pg-linear --out /proc/nowhere", "cannot write /proc/nowhere"),
    ("show nowhere.npz", "no policy file nowhere.npz"),
    ("replay nowhere.json", "cannot read game record nowhere.json"),
    # what does not exist
    ("match ./nowhere random random", "no game at nowhere"),
    ("match koikoi rule-based/perhaps random", "unknown koi-koi decision 'perhaps'"),
    ("match kuhn equilibrium/0.5 random", "alpha is a number from 0 to 1/3"),
    ("match kuhn random/x random", "takes no variant"),
    ("reproduce koikoi --scale huge", "unknown scale 'huge': known are quick, paper"),
    ("train kuhn pg-linear", "unknown learner of kuhn"),
    ("check bridge", "unknown game 'bridge'"),
    ("match hearts random random", "unknown game 'hearts': did you mean tricks --rules hearts? known are"),
    ("new player mine --game hearts", "did you mean tricks --rules hearts?"),
    (
        "match koikoi nowhere.py random",
        "no file nowhere.py: a player of your own is given as path/to/file.py:ClassName",
    ),
    ("bench bridge", "unknown benchmark 'bridge'"),
    ("bench koikoi --device tpu", "unknown device 'tpu'"),
    ("play kuhn --lang fr", "unknown language 'fr'"),
    ("frobnicate", "No such command 'frobnicate'"),
    ("--frobnicate", "No such option: --frobnicate"),
    # rules
    ("match koikoi random random --set round=1", "unknown option 'round': did you mean 'rounds'?"),
    ("match koikoi random random --set =1", "unknown option ''"),
    ("match koikoi random random --set rounds=0", "takes a whole number from 1 to 99"),
    ("match koikoi random random --set rounds=two", "takes a whole number from 1 to 99"),
    ("train koikoi pg-linear --rules papr", "unknown rules preset 'papr'"),
    # values
    ("match kuhn nobody random --until better", "unknown player of kuhn 'nobody'"),
    ("match kuhn random random --device tpu", "unknown device 'tpu'"),
    ("match koikoi random", "koikoi seats 2 players, but 1 was named"),
    ("match koikoi", "Missing argument"),
    ("match kuhn random random --deals 0", "--deals"),
    ("match kuhn random random --deals many", "(see `tefuda match --help`)"),
    ("records verify", "(see `tefuda records verify --help`)"),
    ("match kuhn random random --seed -1", "--seed"),
    ("match kuhn random random --threads 0", "--threads"),
    ("match kuhn random random --until sooner", "--until is 'sooner', but takes better or worse"),
    ("match kuhn random random --until better --margin 0", "--margin is 0.0, but takes a number from 1e-06"),
    ("train koikoi pg-linear --arg episodes", "--arg 'episodes' should be key=value"),
    ("train koikoi pg-linear --arg episodes=many", "argument episodes is 'many'"),
    ("train koikoi pg-linear --arg episodes=0", "at least 1"),
    ("train koikoi pg-linear --arg opponent=nobody", "unknown player of koikoi 'nobody'"),
    ("play kuhn --seat 2", "kuhn has the seats 0 to 1"),
    ("play kuhn random random", "kuhn has 1 other seat, but 2 opponents were named"),
    ("play", "name a game"),
    # files
    ("match koikoi nowhere.npz random", "no policy file nowhere.npz"),
    ("match koikoi nowhere.py:Mine random", "no file nowhere.py"),
    ("play --resume nowhere.json", "nowhere.json"),
    ("reproduce koikoi --out /proc/nowhere", "cannot write /proc/nowhere"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "said"), MISTAKES[:2])
def test_a_mistake_is_one_line_of_a_process(command, said, tefuda):
    refused(tefuda, *shlex.split(command), said=said)


@pytest.mark.parametrize(("command", "said"), MISTAKES)
def test_a_mistake_is_one_line(command, said, here):
    refused(here, *shlex.split(command), said=said)


def test_a_file_in_the_way_is_told(here):
    (here.folder / "taken").write_text("in the way")
    refused(here, "train", "koikoi", "pg-linear", "--out", "taken", said="cannot write taken")
    refused(here, "reproduce", "koikoi", "--out", "taken", said="taken")
    assert (here.folder / "taken").read_text() == "in the way"


def test_damaged_files_are_told(here):
    card = PolicyCard("koikoi", "pg-linear", "paper", KOIKOI.players.policies[2].features, 1, "", {})
    save(here.folder / "policy.npz", card, np.zeros(36))
    whole = (here.folder / "policy.npz").read_bytes()
    (here.folder / "half.npz").write_bytes(whole[: len(whole) // 2])
    refused(here, "match", "koikoi", "half.npz", "random", said="half.npz is not a policy file of tefuda, or it is")
    refused(here, "match", "kuhn", "policy.npz", "random", said="is a policy for koikoi, not for kuhn")
    (here.folder / "record.json").write_text('{"format": "tefuda game 1", ')
    refused(here, "replay", "record.json", said="record.json is not a game record")


def test_mistakes_of_an_own_player_are_one_line(here):
    (here.folder / "own.py").write_text(OWN)
    (here.folder / "broken.py").write_text("class Mine\n")
    for player, said in (
        ("own.py:Illegal", "illegal move 49 (koi-koi): legal are "), ("own.py:Raising", "it failed: ValueError: two"),
        ("own.py:Actless", "has no method act(self, view)"), ("own.py:Fist", "did you mean 'First'?"),
        ("broken.py:Mine", "SyntaxError"),
    ):  # fmt: skip
        done = here("match", "koikoi", player, "random", "--deals", "2")
        assert done.returncode == 2
        assert done.stdout == ""
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr


def test_an_own_game_that_cannot_be_loaded_is_one_line(here):
    (here.folder / "raising.py").write_text('raise ValueError("two lines:\\nthis is the second")\n')
    (here.folder / "empty.py").write_text("")
    for name, said in (("raising.py", "could not be loaded: ValueError: two lines:"), ("empty.py", "has no GAME")):
        done = here("rules", f"./{name}")
        assert done.returncode == 2
        assert done.stdout == ""
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.mark.slow
def test_cuda_that_is_not_there_is_told(tefuda):
    """Visible to no process: so too on a machine that has one."""
    for command in ("bench koikoi --device cuda", "match koikoi random random --device cuda"):
        line = refused(tefuda, *command.split(), CUDA_VISIBLE_DEVICES="", said="CUDA")
        assert "--device cuda" in line or "pip install" in line


def test_nothing_to_do_shows_the_help(tefuda):
    done = tefuda()
    assert "Usage:" in done.stdout
    assert "match" in done.stdout
    assert done.stderr == ""


@pytest.mark.slow
def test_an_interrupted_match_tells_of_the_deals_that_were_played(tefuda):
    """Ctrl-C in the middle of a long match: one line, and the result of a shorter match."""
    match(KUHN, ["random", "equilibrium"], 1)  # compiles, if nobody has yet: the interrupt is to come while it plays
    arguments = ["match", "kuhn", "random", "equilibrium", "--deals", "100000000", "--seed", "8", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "tefuda", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while process.poll() is None and processor_seconds(process.pid) < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    value = one_json_value(output)
    assert 0 < value["deals"] < 100_000_000
    said = f"tefuda: interrupted after {value['deals']:,} of 100,000,000 deals, which are counted\n"
    assert without_announcement(errors) == said
    assert process.returncode == 130
    assert value["players"] == match(KUHN, ["random", "equilibrium"], value["deals"], seed=8).data()["players"]


def processor_seconds(number: int) -> float:
    """How long a process has worked; on a warm cache it plays after less than two seconds."""
    with open(f"/proc/{number}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
def test_an_interrupt_before_anything_was_played_says_so_and_fails(tefuda):
    """Ctrl-C in the first decision of the first game: one line, and no exit code of success."""
    text = "import os, signal\n\nclass Stop:\n    def act(self, view):\n        os.kill(os.getpid(), signal.SIGINT)\n"
    (tefuda.folder / "own.py").write_text(text + "        return 0\n")
    done = tefuda("match", "kuhn", "own.py:Stop", "random", "--deals", "5")
    assert done.stdout == ""
    assert done.stderr == "tefuda: interrupted\n"
    assert done.returncode == 130


@pytest.mark.slow
@pytest.mark.parametrize("command", ["rules koikoi", "rules koikoi --json"])
def test_a_reader_who_leaves_early_is_no_reason_to_complain(command, tefuda):
    """`tefuda rules koikoi | true`"""
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.Popen(
        [sys.executable, "-m", "tefuda", *command.split()], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert process.communicate(timeout=60)[1] == ""


# --- help ---


def test_there_are_these_commands(here):
    assert " ".join(COMMANDS) == (
        "demo games players rules show match play replay web hint review ladder exploit exact solve train reproduce "
        "bench check positions mjai doctor"
    )
    shown = here("--help").stdout
    assert all(re.search(rf"^│ {name} ", shown, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_an_example(name, here):
    done = here(name, "--help")
    assert done.returncode == 0
    assert done.stderr == ""
    behind = re.split(r"Examples?:", done.stdout, maxsplit=1)
    assert len(behind) == 2
    assert f"tefuda {name}" in behind[1]


@pytest.mark.parametrize("name", ["records", "new"])
def test_the_help_of_a_group_has_examples(name, here):
    shown = here(name, "--help").stdout
    found = re.findall(rf"tefuda {name} [a-z]+ .*?(?= *│?$)", shown.partition("Examples:")[2], re.MULTILINE)
    assert len(found) >= 2
    for example in found:
        _, _, inner, *arguments = shlex.split(example)
        typer.main.get_command(app).commands[name].commands[inner].make_context(inner, arguments)


def test_a_file_without_a_class_names_its_classes(here):
    (here.folder / "kk.py").write_text(
        "from pathlib import Path\n\n\nclass Collector:\n    def act(self, view):\n        return view.legal[0]\n\n\n"
        "class Other:\n    pass\n"
    )
    refused(here, "match", "koikoi", "kk.py", "random", said="kk.py is a file: name a class of it, kk.py:Collector\n")
    (here.folder / "none.py").write_text("class Other:\n    pass\n")
    refused(here, "play", "koikoi", "none.py", said="none.py has no class with a method act(self, view)")


def test_a_file_that_was_changed_a_moment_ago_is_read_anew(tmp_path):
    """Python keeps a file's code by its second and its length, which may be the same."""
    path = tmp_path / "own.py"
    for number in (1, 2):
        path.write_text(f"number = {number}\n")
        os.utime(path, (1_000_000, 1_000_000))
        assert load_source(path, "player").number == number
    assert [each.name for each in tmp_path.iterdir()] == ["own.py"]


def test_shares_of_a_group_of_numbers_say_what_they_count(here):
    shown = here("match", "tricks", "random", "random", "--rules", "plain", "--deals", "20", "--seed", "3").stdout
    assert re.search(r"^ *3 tricks +\d+\.\d %", shown, re.MULTILINE)
    assert not re.search(r"^ *\d+ +\d+\.\d %", shown, re.MULTILINE)


def examples() -> list[str]:
    found = []
    for command in app.registered_commands:
        found += re.findall(r"`(tefuda [^`]+)`", command.callback.__doc__ or "")
    return found


def test_the_examples_of_the_help_are_commands():
    """Every option and argument in them exists; they are parsed, not run."""
    whole = typer.main.get_command(app)
    assert len(examples()) >= 15
    for example in examples():
        _, name, *arguments = shlex.split(example)
        assert name in COMMANDS
        whole.commands[name].make_context(name, arguments)


@pytest.mark.slow
def test_the_help_loads_no_heavy_library():
    """Numba and matplotlib take seconds; a person who asks for help waits for neither."""
    script = """
import sys
from tefuda.cli import main
sys.argv = ["tefuda", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
loaded = {"numpy", "numba", "matplotlib", "torch", "scipy"} & set(sys.modules)
assert not loaded, loaded
"""
    for arguments in (["--help"], ["match", "--help"], ["frobnicate"]):
        done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


# --- what is printed ---


def test_games_are_listed(here):
    value = one_json_value(here("games", "--json").stdout)
    assert [game["name"] for game in value] == games.names()
    koikoi = next(game for game in value if game["name"] == "koikoi")
    assert (koikoi["seats"], koikoi["actions"], koikoi["observation"]) == (2, 50, KOIKOI.spaces.observation.size)
    assert koikoi["presets"] == ["paper", "nintendo", "bonus"]
    plain = here("games", COLUMNS="160").stdout
    assert all(str(games.find(name).title) in plain for name in games.names())


def test_players_are_listed(here):
    value = one_json_value(here("players", "koikoi", "--json").stdout)
    assert [player["name"] for player in value] == [player.name for player in KOIKOI.players.named]
    assert all(player["about"] for player in value)
    plain = here("players", "koikoi").stdout
    assert "always-koikoi" in plain
    assert "path/to/file.py:ClassName" in plain


def test_rules_are_listed(here):
    value = one_json_value(here("rules", "koikoi", "--json").stdout)
    assert value["game"] == "koikoi"
    names = [option["name"] for option in value["options"]]
    assert names == [option.key for option in KOIKOI.rulebook.options]
    for preset, values in value["presets"].items():
        assert list(values) == names
        changes = [f"{key}={text}" for key, text in values.items()]
        assert KOIKOI.rulebook.make(preset, changes) == KOIKOI.rulebook.make(preset)
    assert "double_koikoi" in here("rules", "koikoi", COLUMNS="200").stdout


@pytest.mark.slow
def test_a_match_prints_its_table_and_where_it_came_from(tefuda):
    done = tefuda("match", "koikoi", "rule-based", "random", "--deals", "50", "--seed", "7", COLUMNS="160")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    row = match(KOIKOI, ["rule-based", "random"], 50, seed=7).rows[0]
    assert row.figure.text(3) in done.stdout
    assert "points a game" in done.stdout
    assert "50 deals × 2 rotations  seed 7  commit " in done.stdout
    assert "三光 three brights" in done.stdout
    assert "koikoi success" in done.stdout


@pytest.mark.slow
def test_a_match_prints_json(here):
    done = here("match", "koikoi", "rule-based", "random", "--deals", "20", "--seed", "3", "--json")
    value = one_json_value(done.stdout)
    assert done.stderr == ""
    assert {"game", "rules", "deals", "seed", "commit", "players"} <= set(value)
    assert (value["game"], value["rules"], value["deals"], value["seed"]) == ("koikoi", "paper", 20, 3)
    for player, row in zip(value["players"], match(KOIKOI, ["rule-based", "random"], 20, seed=3).rows, strict=True):
        assert {"name", "mean", "low", "high"} <= set(player)
        assert (player["name"], player["mean"], player["low"], player["high"]) == (
            row.name, row.figure.mean, row.figure.low, row.figure.high
        )  # fmt: skip


def test_a_match_of_one_deal_prints_json(here):
    one_json_value(here("match", "kuhn", "random", "equilibrium", "--deals", "1", "--json").stdout)


def test_rules_of_a_match_are_named_with_their_changes(here):
    done = here("match", "kuhn", "random", "always-bet", "--deals", "5", "--set", "bet=2", "--json")
    assert one_json_value(done.stdout)["rules"] == "standard bet=2"


def test_equal_players_have_one_row(here):
    value = one_json_value(here("match", "kuhn", "random", "random", "--deals", "10", "--json").stdout)
    assert [player["name"] for player in value["players"]] == ["random"]
    assert all((player["mean"], player["low"], player["high"]) == (0, 0, 0) for player in value["players"])


def test_a_sequential_test_is_stated_before_it_begins(here):
    arguments = shlex.split("match kuhn always-pass equilibrium --until worse --margin 0.2 --deals 5000")
    done = here(*arguments)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("test: +0.000 (no difference) against -0.200 (worse by 0.2) chips a game")
    assert any(line.startswith("test: always-pass is worse after ") for line in lines[1:])
    value = one_json_value(here(*arguments, "--json").stdout)
    assert value["test"]["decision"] == "worse"
    assert value["test"]["deals"] == value["deals"] < 5000


@pytest.mark.slow
def test_an_own_player_plays_in_a_match(here):
    (here.folder / "own.py").write_text(OWN)
    done = here("match", "kuhn", "own.py:First", "random", "--deals", "30", "--seed", "2", "--json")
    value = one_json_value(done.stdout)
    assert value["players"][0]["name"] == "own.py:First"
    assert value["players"][0]["mean"] == match(KUHN, ["always-pass", "random"], 30, seed=2).rows[0].figure.mean


@pytest.mark.slow
def test_train_prints_json_and_its_policy_plays(here):
    text = "--arg episodes=60 --arg opponent=random/always-stop --deals 10 --out made --seed 4"
    arguments = shlex.split(text)
    done = here("train", "koikoi", "pg-linear", *arguments, "--json")
    value = one_json_value(done.stdout)
    assert done.stderr == ""
    assert "made/policy.npz" in value.values()  # where the policy is, beside all that is on its card
    assert value["arguments"]["episodes"] == 60
    assert value["strength"][0]["opponent"] == "random/always-stop"
    assert (value["seed"], value["rules"]) == (4, "paper")
    again = here("train", "koikoi", "pg-linear", *arguments)
    assert again.returncode == 0
    assert "pg-linear vs random/always-stop" in again.stdout
    assert "made/policy.npz" in again.stdout
    played = here("match", "koikoi", "made/policy.npz", "random", "--deals", "3", "--json")
    assert one_json_value(played.stdout)["players"][0]["name"] == "made/policy.npz"
    refused(here, "train", "koikoi", "pg-linear", *arguments[:-1], "5", said="made holds another run (seed differ)")


@pytest.mark.slow
def test_learners_are_listed(here):
    value = one_json_value(here("train", "koikoi", "--list", "--json").stdout)
    assert set(value) == {"pg-linear", "ann-value", "self-play", "nfsp"}
    assert {"name", "default", "meaning"} == set(value["pg-linear"]["arguments"][0])
    assert set(one_json_value(here("train", "kuhn", "--list", "--json").stdout)) == {"self-play", "nfsp"}
    assert "episodes" in here("train", "koikoi", "--list").stdout


@pytest.mark.slow
def test_check_prints_json(here):
    done = here("check", "kuhn", "--json")
    assert done.returncode == 0
    value = one_json_value(done.stdout)
    assert list(value) == ["kuhn"]
    assert len(value["kuhn"]) > 5
    assert all(finding["passed"] for finding in value["kuhn"])


def test_replay_prints_json(here):
    table = Table(KUHN, None, 5, 6)
    record = game_record.record_of(table, ["random", "random"], "abc")
    while not table.over:
        record.actions.append((table.to_move, table.legal[0]))
        record.names.append("pass")
        table.apply(table.legal[0])
    record.scores = table.scores.tolist()
    game_record.save(here.folder / "record.json", record)
    value = one_json_value(here("replay", "record.json", "--json").stdout)
    assert (value["game"], value["seed"], value["deal"]) == ("kuhn", 5, 6)
    assert value["actions"] == [[0, 0], [1, 0]]
    assert value["scores"] == record.scores


@pytest.mark.slow
def test_bench_prints_json(here):
    value = one_json_value(here("bench", "koikoi", "--seconds", "0.1", "--json").stdout)
    assert len(value) >= 2
    assert all(row["rate"] > 0 and row["what"] and row["unit"] for row in value)
    assert any(row["ratio"] for row in value)


@pytest.mark.slow
def test_the_command_is_installed():
    """`tefuda` itself, not only `python -m tefuda`."""
    path = os.path.join(os.path.dirname(sys.executable), "tefuda")
    done = subprocess.run([path, "games"], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "koikoi" in done.stdout
