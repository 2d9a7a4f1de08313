"""The long jobs of the mahjong paper go on where they were stopped: by Ctrl-C, by a full disk, by a damaged file."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda.arena import match as match_module
from tefuda.arena import unfinished
from tefuda.errors import Problem
from tefuda.files import parts
from tefuda.games.mahjong import GAME
from tefuda.papers import mahjong
from tefuda.papers.laboratory import Laboratory
from tefuda.papers.mahjong import hands, learned, matches, records
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


def test_trials_go_on_behind_the_pieces_that_are_kept(tmp_path, monkeypatch):
    """As if they had been played in one piece."""
    lab = replace(laboratory_in(tmp_path), size=mahjong.Scale(trials=50))
    policy, table = learned.resolve(GAME, "shanten", learned.RULES), hands.figure_6()
    actions, play, begun = [(hands.faces("5m")[0], -1)], hands.hans_won_after, []

    def third_stops(*arguments):
        begun.append(arguments[-1])
        if len(begun) == 3:
            raise KeyboardInterrupt
        return play(*arguments)

    monkeypatch.setattr(hands, "PIECE", 20)
    monkeypatch.setattr(hands, "hans_won_after", third_stops)
    with pytest.raises(KeyboardInterrupt):
        hands._won(lab, "figure-6", table, actions, policy)
    found = hands._won(lab, "figure-6", table, actions, policy)
    assert begun == [0, 20, 40, 40]
    np.testing.assert_array_equal(found, play(GAME, table, actions, policy, lab.seed, 50, 1))


def test_a_model_learns_in_slices_as_in_one_go(tmp_path, monkeypatch):
    """And what it has learned is kept."""
    lab = laboratory_in(tmp_path)
    found = learned.positions(lab, "tsumogiri", 60)
    found = {key: np.concatenate([column] * 30) for key, column in found.items()}
    whole = learned.learner_of("BCP", len(found["came"]))
    for _ in range(records.PASSES):
        whole.learn(found["rows"], found["came"])
    monkeypatch.setattr(learned, "SLICE", 50)
    variant, weights = records.bcp_of(lab, found)
    assert variant == "ordered"
    assert weights.any()
    np.testing.assert_array_equal(weights, learned.whole_of(whole))
    monkeypatch.setattr(records, "teach", None)
    np.testing.assert_array_equal(records.bcp_of(lab, found)[1], weights)


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
