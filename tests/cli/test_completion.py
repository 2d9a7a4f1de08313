"""What the shell offers when a person presses Tab."""

import pytest
from typer.testing import CliRunner

import tefuda
from tefuda.cli import app


def offered(text: str) -> list[str]:
    """What bash would be given for a line that is being typed."""
    asked = {"_TEFUDA_COMPLETE": "complete_bash", "COMP_WORDS": text, "COMP_CWORD": str(len(text.split(" ")) - 1)}
    done = CliRunner().invoke(app, env=asked, prog_name="tefuda")
    assert done.exit_code == 0, done.output
    return done.stdout.split()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("tefuda mat", ["match"]),
        ("tefuda match k", ["koikoi", "kuhn"]),
        ("tefuda match kuhn always", ["always-bet", "always-pass"]),
        ("tefuda match kuhn random eq", ["equilibrium"]),
        ("tefuda train koikoi pg", ["pg-linear"]),
        ("tefuda match nogame ", []),
    ],
)
def test_a_line_is_completed(text, wanted):
    assert offered(text) == wanted


def test_every_game_is_offered():
    assert offered("tefuda play ") == tefuda.list_games()
