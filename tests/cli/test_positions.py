"""`tefuda positions` as a person runs it."""

import json

import pytest
from typer.testing import CliRunner

from tefuda.cli import app
from tefuda.errors import Problem

pytest.importorskip("polars")


def run(*words: str):
    return CliRunner().invoke(app, ["positions", *words])


@pytest.mark.slow
def test_files_are_made_and_found_again(tmp_path):
    """By players that decide at once. The second run makes nothing; one of another seed is refused."""
    words = ["mahjong", "--player", "shanten", "--opponent", "tsumogiri", "--deals", "40", "--threads", "1"]
    first = run(*words, "--out", str(tmp_path), "--json")
    assert first.exit_code == 0, first.output
    made = json.loads(first.stdout)
    assert (made["deals"], made["files"], made["files there before"]) == (40, 1, 0)
    assert 10 < made["positions"] < 40
    again = run(*words, "--out", str(tmp_path))
    assert "(1 were there)" in again.output
    refused = run(*words, "--out", str(tmp_path), "--seed", "2")
    assert isinstance(refused.exception, Problem)
    assert "its seed is 1, not 2" in str(refused.exception)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["kuhn"], "kuhn samples no positions"),
        (["mahjong", "--device", "tpu"], "device"),
        (["mahjong", "--opponent", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_is_one_line(words, told, tmp_path):
    result = run(*words, "--out", str(tmp_path / "out"))
    assert isinstance(result.exception, Problem)
    assert told in str(result.exception)
    assert not (tmp_path / "out").exists()


def test_rules_are_not_asked_for(tmp_path):
    """Positions are those of single deals, whatever the match: other rules would change nothing."""
    assert run("mahjong", "--rules", "tonpuu", "--out", str(tmp_path / "out")).exit_code == 2
    assert not (tmp_path / "out").exists()
