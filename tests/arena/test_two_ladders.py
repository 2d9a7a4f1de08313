"""Two processes on one ladder: no cell is lost, and what one has played the other does not play again."""

import json
import subprocess
import sys
import threading

import pytest

from tefuda import games
from tefuda.arena import ladder as ladders
from tefuda.arena.ladder import begin
from tefuda.errors import Problem
from tefuda.files.lock import turn

KUHN = games.find("kuhn")
RULES = KUHN.rulebook.make()


def cells_of(path) -> set[tuple[str, str]]:
    return {(cell["player"], cell["opponents"]) for cell in json.loads(path.read_text())["cells"]}


def test_cells_of_two_that_began_together_are_all_kept(tmp_path):
    one = begin(KUHN, RULES, 1, tmp_path, ["random", "always-bet"])
    two = begin(KUHN, RULES, 1, tmp_path, ["random", "equilibrium"])
    one.play(10, 10)
    two.play(10, 10)
    both = {("random", "always-bet"), ("always-bet", "random"), ("random", "equilibrium"), ("equilibrium", "random")}
    assert cells_of(one.path) == both
    one.write()
    assert cells_of(one.path) == both


def test_what_another_has_played_is_not_played_again(tmp_path, monkeypatch):
    names = ["random", "always-bet", "equilibrium"]
    one, two = (begin(KUHN, RULES, 1, tmp_path, names) for _ in range(2))
    played, whole = [], ladders.match

    def match(game, players, *arguments, **named):
        played.append(tuple(player.name for player in players))
        if len(played) == 1:
            two.play(10, 10)  # another process does everything meanwhile
        return whole(game, players, *arguments, **named)

    monkeypatch.setattr(ladders, "match", match)
    one.play(10, 10)
    assert len(played) == 4  # all three by one, and the first by both
    assert not one.missing(10, 10)
    assert len(cells_of(one.path)) == 6


def test_a_cell_of_more_deals_stays(tmp_path):
    few, many = (begin(KUHN, RULES, 1, tmp_path, ["random", "always-bet"]) for _ in range(2))
    few.missing(10, 10)
    many.play(50, 50)
    few._play(*few.pairs()[0], 10, None, None)
    few.write()
    assert {cell.deals for cell in begin(KUHN, RULES, 1, tmp_path).cells.values()} == {50}


def test_a_ladder_of_another_seed_that_came_meanwhile_is_not_overwritten(tmp_path):
    one, other = (begin(KUHN, RULES, seed, tmp_path, ["random", "always-bet"]) for seed in (1, 2))
    other.play(10, 10)
    before = other.path.read_bytes()
    with pytest.raises(Problem, match="is a ladder with seed 2, not 1"):
        one.play(10, 10)
    assert other.path.read_bytes() == before


@pytest.mark.slow
def test_two_commands_at_once_keep_all_cells(tmp_path):
    groups = (
        "random,always-bet,equilibrium",
        "random,equilibrium/0.1,equilibrium/0.2",
        "always-bet,equilibrium/0.3,random",
    )
    commands = [
        subprocess.Popen(
            [sys.executable, "-m", "tefuda", "ladder", "kuhn", "--players", group, "--deals", "999", "--out", tmp_path],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for group in groups
    ]  # fmt: skip
    for command in commands:
        _, errors = command.communicate(timeout=300)
        assert command.returncode == 0, errors
    found = cells_of(tmp_path / "kuhn-standard.json")
    for group in groups:
        players = group.split(",")
        assert {(one, other) for one in players for other in players if one != other} <= found


def test_one_has_its_turn_after_the_other(tmp_path):
    order = []

    def second():
        with turn(tmp_path):
            order.append("second")

    with turn(tmp_path):
        waiting = threading.Thread(target=second)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]
    assert not list(tmp_path.iterdir())
