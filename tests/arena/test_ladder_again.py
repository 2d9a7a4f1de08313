"""Ladders whose players have other code than when they played: their cells are played anew, the others stand."""

import pytest

from tefuda import games
from tefuda.arena import ladder as ladders
from tefuda.arena import match as matches
from tefuda.arena.ladder import Ladder, begin
from tefuda.files.provenance import commit

KUHN = games.find("kuhn")
NAMES = ["random", "equilibrium", "always-bet"]


@pytest.fixture
def played(monkeypatch):
    """The matches that ladders play, by the names of both sides, as they come."""
    pairs = []

    def counted(game, players, *arguments, **named):
        pairs.append(tuple(player.name for player in players))
        return matches.match(game, players, *arguments, **named)

    monkeypatch.setattr(ladders, "match", counted)
    return pairs


def climb(folder, deals: int, again=()) -> Ladder:
    ladder = begin(KUHN, KUHN.rulebook.make(), 1, folder, NAMES, again=again)
    ladder.play(deals, 2, 1)
    return ladder


def test_cells_of_a_player_whose_code_has_changed_are_played_again(tmp_path, monkeypatch, played):
    climb(tmp_path, 30)
    before = commit()
    for module in (ladders, matches):
        monkeypatch.setattr(module, "commit", lambda: "changed")
    played.clear()
    climb(tmp_path, 20)
    assert played == []  # a change of code is not seen

    cells = climb(tmp_path, 20, ["equilibrium"]).cells  # of fewer deals than those that stood
    assert played == [("random", "equilibrium"), ("equilibrium", "always-bet")]
    told = {pair: (cell.deals, cell.commit) for pair, cell in cells.items()}
    assert {told[pair] for pair in told if "equilibrium" in pair} == {(20, "changed")}
    assert told["random", "always-bet"] == (30, before)
    assert climb(tmp_path, 20).cells == cells  # as its file has them

    played.clear()
    assert climb(tmp_path, 20, ["equilibrium"]).cells == cells  # as after an interruption
    assert played == []
