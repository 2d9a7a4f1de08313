"""`tefuda new` writes a game that keeps the contract and a player that plays, each with a test that passes."""

import io
import json
import subprocess
import sys

import numpy as np
import pytest

from tefuda.conformance import check, write_golden
from tefuda.conformance.golden import is_unchanged
from tefuda.games import find
from tefuda.kernel.compile import COMPILED


def own_tests(folder, *files: str) -> subprocess.CompletedProcess[str]:
    """Run the tests that were written, as their owner would."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_new_game_keeps_the_contract_and_can_be_played(here, monkeypatch):
    done = here("new", "game", "my_game")
    assert done.returncode == 0, done.stderr
    assert "try: tefuda check my_game" in done.stdout
    written = {path.name for path in (here.folder / "my_game").iterdir()} - {"__pycache__"}
    assert written == {"__init__.py", "test_my_game.py", "golden.txt"}
    for name in written:
        assert "high_card" not in (here.folder / "my_game" / name).read_text()
    checked = here("check", "my_game", "--json")
    assert checked.returncode == 0, checked.stderr
    assert len(json.loads(checked.stdout)["my_game"]) >= 18
    played = json.loads(here("match", "my_game", "low", "random", "--deals", "300", "--json").stdout)
    assert played["players"][0]["low"] > 0
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nq\n"))
    left = here("play", "my_game", "--deal", "3", "--record", "left.json")
    command = "tefuda play my_game --resume left.json"
    assert command in left.stdout
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 10))
    done = here(*command.split()[1:])
    assert done.returncode == 0, done.stderr
    assert "tefuda replay left.json --game my_game" in done.stdout
    assert here("replay", "left.json", "--game", "my_game").returncode == 0
    refused = here("replay", "left.json")
    assert refused.returncode == 2
    assert "its game 'my_game' does not come with tefuda: name it on the command line" in refused.stderr


@pytest.mark.slow
def test_a_draw_in_a_new_game_is_not_minus_zero(here):
    here("new", "game", "my_game")
    game = find(str(here.folder / "my_game"))
    out = np.ones(game.seats)
    game.kernels.scores(game.blank(game.rulebook.make())[0], out)
    assert [str(score) for score in out.tolist()] == ["0.0", "0.0"]


@pytest.mark.slow
def test_a_misspelt_field_in_a_new_game_is_one_line(here):
    if not COMPILED:
        pytest.skip("nothing is compiled")
    here("new", "game", "my_game")
    written = here.folder / "my_game"  # it was imported to write its golden game, so that another folder is needed
    path = written.rename(here.folder / "misspelt") / "__init__.py"
    text = path.read_text(encoding="utf-8")
    line = text[: text.index("    state.seat = winner")].count("\n") + 1
    path.write_text(text.replace("state.seat = winner", "state.seet = winner"), encoding="utf-8")
    done = here("match", "misspelt", "low", "random", "--deals", "2")
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "unknown field 'seet': did you mean 'seat'?" in done.stderr
    assert f"__init__.py, line {line})" in done.stderr


@pytest.mark.full
def test_the_tests_of_a_new_game_pass(here):
    here("new", "game", "my_game")
    done = own_tests(here.folder, "my_game")
    assert done.returncode == 0, done.stdout
    assert "3 passed" in done.stdout


def test_a_new_player_plays_a_match(here):
    done = here("new", "player", "my_own", "--game", "kuhn")
    assert done.returncode == 0, done.stderr
    assert "try: tefuda match kuhn my_own.py:MyOwn random --deals 20" in done.stdout
    text = (here.folder / "my_own.py").read_text() + (here.folder / "test_my_own.py").read_text()
    assert "MyPlayer" not in text
    assert "my_player" not in text
    played = here("match", "kuhn", "my_own.py:MyOwn/worlds=3", "random", "--deals", "5", "--json")
    assert json.loads(played.stdout)["players"][0]["name"] == "my_own.py:MyOwn/worlds=3"


@pytest.mark.slow
def test_the_tests_of_a_new_player_pass(here):
    told = here("new", "player", "my_own", "--game", "kuhn", "--json")
    assert json.loads(told.stdout)["written"] == ["my_own.py", "test_my_own.py"]
    done = own_tests(here.folder, "test_my_own.py")
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


@pytest.mark.parametrize("name", ["My", "1st", "a-b", "class", "", "a/b", "é", "x" * 41])
@pytest.mark.parametrize("what", ["game", "player"])
def test_a_name_that_names_no_file_is_refused(what, name, here):
    done = here("new", what, name)
    assert done.returncode == 2
    assert "should be a name of small letters, digits and _" in done.stderr
    assert list(here.folder.iterdir()) == []


def test_nothing_is_written_over(here):
    (here.folder / "mine").mkdir()
    (here.folder / "test_mine.py").write_text("mine")
    assert "mine is there already" in here("new", "game", "mine").stderr
    assert "test_mine.py is there already" in here("new", "player", "mine").stderr
    assert (here.folder / "test_mine.py").read_text() == "mine"
    assert not (here.folder / "mine.py").exists()
    assert "koikoi is a game of tefuda" in here("new", "game", "koikoi").stderr
    assert "unknown game 'koikio'" in here("new", "player", "other", "--game", "koikio").stderr


@pytest.mark.slow
def test_a_single_file_is_a_game_with_its_golden_playthrough_beside_it(here):
    here("new", "game", "my_game")
    text = (here.folder / "my_game" / "__init__.py").read_text(encoding="utf-8")
    for name in ("one", "two"):
        path = here.folder / f"{name}.py"
        path.write_text(text.replace('name="my_game"', f'name="{name}"'), encoding="utf-8")
        game = find(str(path))
        told = check(game, checks={"golden": is_unchanged}).findings[0].detail
        assert f"there is no {here.folder / name}.golden.txt: write it with `tefuda check PATH/OF/GAME" in told
        write_golden(game)
        assert check(game, checks={"golden": is_unchanged}).passed
    done = here("match", "one.py", "low", "random", "--deals", "2")
    assert done.returncode == 0
    assert "low − random" in done.stdout
