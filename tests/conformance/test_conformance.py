"""The conformance check passes every game of the package, and tells what it found."""

import shutil

import pytest

from tefuda import conformance
from tefuda.conformance import CHECKS, Study, check, check_all, write_golden
from tefuda.conformance.golden import is_unchanged
from tefuda.errors import Problem
from tefuda.games import find, names
from tefuda.games.koikoi import GAME as KOIKOI
from tefuda.games.kuhn import GAME as KUHN
from tests.conformance.breaking import broken, failing

# The games that come with the package.


def test_there_are_games_to_check():
    assert len(names()) >= 2


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("name", names())
def test_every_registered_game_conforms(name):
    report = check(find(name))
    assert report.passed, str(report)
    assert len(report.findings) == len(CHECKS) >= 15


def test_a_check_of_no_game_is_an_error(monkeypatch):
    monkeypatch.setattr(conformance, "names", list)
    with pytest.raises(Problem, match="no game was found"):
        check_all()


def test_all_games_are_checked(monkeypatch):
    monkeypatch.setattr(conformance, "check", lambda game, seed, thorough: (game.name, seed, thorough))
    assert check_all(5, True) == [(name, 5, True) for name in names()]


def test_a_report_without_findings_has_not_passed():
    assert not check(KUHN, checks={}).passed


# The golden playthrough.


@pytest.mark.kernel
def test_a_changed_golden_playthrough_is_shown_as_a_difference(tmp_path):
    game = broken(KUHN, tmp_path, "golden")
    path = write_golden(game)
    assert path == tmp_path / "golden.txt"
    assert failing(game, is_unchanged) == set()
    text = path.read_text(encoding="utf-8")
    assert "decision 1, seat 0" in text
    path.write_text(text.replace("seat 0", "seat 7", 1), encoding="utf-8")
    detail = check(game, checks={"golden": is_unchanged}).findings[0].detail
    assert "seat 7" in detail
    assert "--write-golden" in detail
    assert any(line.startswith("-") for line in detail.splitlines())
    assert any(line.startswith("+") for line in detail.splitlines())


@pytest.mark.kernel
def test_a_missing_golden_playthrough_says_how_to_write_it(tmp_path):
    game = broken(KUHN, tmp_path, "no-golden")
    (tmp_path / "golden.txt").unlink(missing_ok=True)
    detail = check(game, checks={"golden": is_unchanged}).findings[0].detail
    assert f"tefuda check {tmp_path} --write-golden" in detail


# A game of a user's.


@pytest.mark.slow
@pytest.mark.kernel
def test_a_game_given_by_its_path_conforms(tmp_path):
    folder = tmp_path / "little_poker"
    shutil.copytree(KUHN.folder, folder, ignore=shutil.ignore_patterns("__pycache__", "README.md"))
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("from tefuda.games.kuhn import", "from . import").replace("tefuda.games.kuhn.", ".")
        path.write_text(text.replace('name="kuhn"', 'name="little-poker"'), encoding="utf-8")
    game = find(str(folder))
    assert game.name == "little-poker"
    assert game.folder == folder
    report = check(game)
    assert report.passed, str(report)


def test_random_settings_of_all_options_are_among_the_rules():
    tried, again = Study(KOIKOI, 1).many_rules, Study(KOIKOI, 1).many_rules
    presets = list(KOIKOI.rulebook.presets)
    assert [str(rules) for rules in tried[: len(presets)]] == presets
    assert len(tried) > len(Study(KOIKOI, 1).rules) > len(presets)
    assert all(len(rules.changed) > 3 for rules in tried[len(presets) :])
    assert [str(rules) for rules in tried] == [str(rules) for rules in again]
