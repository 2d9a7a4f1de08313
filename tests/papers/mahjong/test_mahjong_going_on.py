"""The long jobs of the mahjong paper go on where they were stopped: by Ctrl-C, by a full disk, by a damaged file."""

import numpy as np
import pytest

from tefuda.arena import match as match_module
from tefuda.arena import unfinished
from tefuda.errors import Problem
from tefuda.files import parts
from tefuda.games.mahjong import GAME
from tefuda.papers import mahjong
from tefuda.papers.laboratory import Laboratory
from tefuda.papers.mahjong import learned, matches
from tefuda.report.report import Report


def laboratory_in(folder):
    return Laboratory(GAME, Report("", folder, {}, 1, "", ""), mahjong.Scale(), 1, folder, 1)


@pytest.fixture
def played(monkeypatch):
    """The numbers of the positions that are played; a piece of them is small."""
    monkeypatch.setattr(learned, "PIECE", 20)
    found, piece = [], learned.piece

    def counted(*arguments):
        found.append(arguments[4:6])
        return piece(*arguments)

    monkeypatch.setattr(learned, "piece", counted)
    return found


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Problem("cannot write it: No space left on device")])
def test_positions_go_on_behind_the_pieces_that_are_kept(stop, tmp_path, played, monkeypatch):
    write, written = parts.write_archive, []

    def third_fails(path, content):
        written.append(path)
        if len(written) == 3:
            raise stop
        write(path, content)

    lab = laboratory_in(tmp_path)
    with monkeypatch.context() as context:
        context.setattr(parts, "write_archive", third_fails)
        with pytest.raises(type(stop)):
            learned.positions(lab, "tsumogiri", 60)
    played.clear()
    found = learned.positions(lab, "tsumogiri", 60)
    assert played == [(40, 60)]
    player, opponent = (learned.resolve(GAME, name, learned.RULES) for name in ("policy", "tsumogiri"))
    whole = learned.piece(GAME, player, opponent, 1 + learned.POSITIONS, 0, 60)
    np.testing.assert_array_equal(found["rows"], whole.rows)
    np.testing.assert_array_equal(found["came"], whole.came)


def test_a_damaged_part_is_told_in_one_line(tmp_path, played):
    lab = laboratory_in(tmp_path)
    learned.positions(lab, "tsumogiri", 20)
    (path,) = tmp_path.glob("positions-*.npz")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(Problem, match=r"damaged .*: remove it to make it again$"):
        learned.positions(lab, "tsumogiri", 20)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), Problem("cannot write it: No space left on device")])
def test_a_row_of_table_6_goes_on_behind_its_walls(stop, tmp_path, monkeypatch):
    """Walls are saved as they are played; a stop in their midst leaves those before it."""
    monkeypatch.setattr(match_module, "EVERY", -1.0)
    save, saved = unfinished.Unfinished.save, []

    def third_fails(self, walls, seconds):
        saved.append(sum(len(each.scores) for each in walls))
        if len(saved) == 3:
            raise stop
        save(self, walls, seconds)

    lab = laboratory_in(tmp_path)
    with monkeypatch.context() as context:
        context.setattr(unfinished.Unfinished, "save", third_fails)
        with pytest.raises(type(stop)):
            matches.against_three(lab, "shanten", "tsumogiri", 8)
    (path,) = tmp_path.glob("*-unfinished.npz")
    assert 0 < saved[1] < 8
    begun = []
    monkeypatch.setattr(match_module, "_behind", lambda done, pieces: begun.append(done) or behind(done, pieces))
    found = matches.against_three(lab, "shanten", "tsumogiri", 8)
    assert begun[0] >= saved[1]
    assert not path.exists()
    assert found == matches.against_three(laboratory_in(tmp_path / "whole"), "shanten", "tsumogiri", 8)


behind = match_module._behind
