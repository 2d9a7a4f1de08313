"""`tefuda hint`: the values of the moves of a recorded game."""

import json
import shutil
from pathlib import Path

import pytest

from tefuda import games
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import Evaluation
from tefuda.table.record import load, play_again
from tefuda.table.table import Table

KEPT = Path(__file__).parents[1] / "files" / "kept" / "games"


@pytest.fixture
def record(here):
    shutil.copy(KEPT / "koikoi-left.json", here.folder / "game.json")
    return load(here.folder / "game.json")


def test_the_values_are_those_of_an_evaluation_of_what_the_seat_could_know(here, record):
    told = here(
        "hint", "game.json", "--move", 2, "--worlds", 30, "--player", "random/always-stop", "--seed", 4, "--json"
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    game = games.find("koikoi")
    table = Table(game, record.rules(game), record.seed, record.deal)
    table.apply(record.actions[0][1])
    player = resolve(game, "random/always-stop", table.rules)
    expected = Evaluation(table.view(), player, 4, this_round=True).more(30).data()
    assert {key: found[key] for key in expected} == expected
    assert (found["game"], found["move"], found["seat"]) == ("koikoi", 2, table.to_move)
    assert found["taken"] == record.actions[1][1]
    assert found["moves"][0]["loss"] == {"mean": 0.0, "low": 0.0, "high": 0.0}
    assert found["opinion"] is None  # this player does not tell its chances


def test_without_a_move_it_is_the_decision_that_waits(here, record):
    table, _ = play_again(record, Path("game.json"))
    found = json.loads(here("hint", "game.json", "--worlds", 10, "--json").stdout)
    assert (found["move"], found["seat"], found["taken"]) == (len(record.actions) + 1, table.to_move, None)
    assert sorted(move["action"] for move in found["moves"]) == table.legal
    assert sorted(move["action"] for move in found["opinion"]["moves"]) == table.legal
    shutil.copy(KEPT / "koikoi-finished.json", here.folder / "over.json")
    whole = load(here.folder / "over.json")
    found = json.loads(here("hint", "over.json", "--worlds", 10, "--json").stdout)
    assert (found["move"], found["taken"]) == (len(whole.actions), whole.actions[-1][1])
    shown = here("hint", "over.json", "--worlds", 10, "--lang", "en").stdout
    assert "10 guessed worlds" in shown
    assert "taken: " in shown
    assert "champion would play: " in shown
    assert "searches on" not in shown


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--move", 99], "--move is 99, but game.json has the decisions 1 to"),
        (["--worlds", 10**9], "--worlds is 1000000000, but takes a whole number from 1 to 1,000,000"),
        (["--player", "quik"], "did you mean 'quick'"),
        (["--lang", "fr"], "unknown language 'fr'"),
    ],
)
def test_what_is_wrong_is_one_line(here, record, arguments, line):
    done = here("hint", "game.json", *arguments)
    assert done.returncode == 2
    assert line in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
