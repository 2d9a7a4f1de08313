"""Bad input on the command line: huge numbers, wrong files, strange names and terminals. Each is one line, code 2."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tefuda.cli import main
from tefuda.files.policy import PolicyCard, save
from tests.cli.test_command_line import one_json_value, refused

HUGE = [
    ("match kuhn random random --deals 1000000000000", "--deals"),
    ("match kuhn random random --deals 99999999999999999999999", "--deals"),
    ("match kuhn random random --threads 100000000", "--threads"),
    ("match kuhn random random --until better --margin nan", "--margin"),
    ("match kuhn random random --until better --margin 1e300", "--margin"),
    ("match kuhn random random --rules ''", "unknown rules preset ''"),
    ("play kuhn --deal 99999999999999999999999", "--deal"),
    ("play kuhn --seed 9223372036854775808", "--seed"),
    ("ladder kuhn --deals 1000000000000", "--deals"),
    ("exact kuhn random --samples 1000000000000", "--samples"),
    ("solve kuhn --iterations 1000000000000000", "--iterations"),
    ("bench kuhn --seconds inf", "--seconds"),
    ("bench kuhn --seconds nan", "seconds"),
    ("reproduce koikoi --seed 9223372036854775807", "--seed"),
    ("check kuhn --seed 9223372036854775807", "--seed"),
    ("train kuhn self-play --arg lanes=99999999999", "argument lanes is 99999999999"),
    ("train kuhn self-play --arg steps=99999999999", "argument steps is 99999999999"),
    ("train kuhn nfsp --arg reservoir=99999999999999", "argument reservoir is"),
    ("train koikoi pg-linear --arg episodes=99999999999999999999", "argument episodes is"),
    ("train koikoi pg-linear --deals 1000000000000", "--deals"),
    ("exploit kuhn random --deals 1000000000000", "--deals"),
    ("match kuhn pimc/playout=pimc/playout=pimc random", "cannot play worlds out"),
]


@pytest.mark.parametrize(("command", "said"), HUGE)
def test_huge_numbers_are_one_line(command, said, here):
    refused(here, *shlex.split(command), said=said)


@pytest.mark.parametrize("name", ["notes.txt", "notes", "data.json", "./notes.txt"])
def test_a_file_that_is_no_game_is_told(name, here):
    (here.folder / name).write_text("a plain text\n")
    refused(here, "match", name, "random", "random", said="should end in .py")


def test_a_file_that_is_no_player_is_told(here):
    (here.folder / "a.py:b.txt").write_text("a plain text\n")
    refused(here, "match", "kuhn", "a.py:b.txt:Mine", "random", said="no file a.py")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format": ' * 100_000, "9" * 10_000, "1e99999", '"\\ud800"'])
def test_nested_and_strange_json_is_told(text, here):
    (here.folder / "game.json").write_text(text)
    for command in (["replay"], ["replay", "--json"], ["play", "--resume"], ["records", "verify"]):
        done = here(*command, "game.json")
        assert done.returncode == 2, done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr


def test_an_endless_file_is_not_read_to_its_end(here):
    refused(here, "replay", "/dev/zero", said="is not a game record: it has more than 64 MiB")
    refused(here, "show", "/dev/zero", said="/dev/zero is not a policy file")


# --- advice ---


def test_the_advice_for_a_record_names_its_option(here):
    (here.folder / "taken.json").write_text("in the way")
    refused(here, "play", "kuhn", "--record", "taken.json", said="choose another place with --record")
    refused(here, "play", "kuhn", "--record", "/proc/nowhere/game.json", said="choose another place with --record")


# --- names ---


@pytest.mark.slow
def test_brackets_in_names_are_shown(here):
    folder = Path("runs[a]") / "[bold]x"
    folder.mkdir(parents=True)
    (folder / "p.py").write_text("class P:\n    def act(self, view):\n        return view.legal[0]\n")
    name = f"{folder / 'p.py'}:P"
    done = here("match", "kuhn", name, "random", "--deals", 3, "--out", "o[/u]t", COLUMNS="200")
    assert done.returncode == 0, done.stderr
    assert name in done.stdout
    assert "page: o[/u]t/" in done.stdout


def test_brackets_on_a_policy_card_are_shown(here):
    card = PolicyCard("koikoi", "pg-linear", "paper", "", 1, "[/x]", {"a": "[red]:smile:"}, about="[/b] [link=x]")
    save(here.folder / "p.npz", card, np.zeros(36))
    done = here("show", "p.npz", COLUMNS="200")
    assert done.returncode == 0, done.stderr
    for text in ("[/x]", "[red]:smile:", "[/b] [link=x]"):
        assert text in done.stdout


def test_bytes_that_are_no_text_are_told(here):
    refused(here, "match", "kuhn", "\udcff.py:P", "random", said="characters that no text has")
    refused(here, "rules", "x" * 200_000, said="200,000 characters")


def test_what_json_does_not_know_is_null(here):
    """A single deal has no finite interval."""
    done = here("train", "koikoi", "pg-linear", "--arg", "episodes=2", "--deals", 1, "--out", "run", "--json")
    assert done.returncode == 0, done.stderr
    for text in (done.stdout, here("show", "run/policy.npz", "--json").stdout):
        assert one_json_value(text)["strength"][0]["low"] is None
    assert here("show", "run/policy.npz").returncode == 0


# --- terminals ---


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_terminal_that_knows_no_japanese_gets_what_it_can_show(encoding, tefuda):
    done = tefuda("games", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert "(Koi-Koi)" in done.stdout
    value = json.loads(tefuda("games", "--json", PYTHONIOENCODING=encoding).stdout)
    assert "花札こいこい" in [game["ja"] for game in value]


@pytest.mark.slow
def test_bytes_typed_at_the_table_that_are_no_text_are_no_move(tefuda):
    done = subprocess.run(
        [sys.executable, "-m", "tefuda", "play", "kuhn", "--deal", "1", "--lang", "en"], cwd=tefuda.folder,
        input=b"\xff\xfe\nq\n", capture_output=True, env={**os.environ}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert b"no move" in done.stdout


def test_the_streams_of_a_program_are_left_alone(monkeypatch, here):
    """Tests and notebooks replace standard output by things of their own."""
    monkeypatch.setattr(sys, "argv", ["tefuda", "frobnicate"])
    with pytest.raises(SystemExit):
        main()
