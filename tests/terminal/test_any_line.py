"""Whatever is typed at a table, it answers and goes on: commands, moves and nonsense at random, in every game."""

import io
import json
import random
import sys

import pytest

from tefuda import games
from tefuda.terminal import play

pytestmark = pytest.mark.full

COMMANDS = ["?", "h", "u", "r", "z", "undo", "hint", "help", "rules", "unseen", "", " ", "quit now", "0", "-1", "99999"]
LETTERS = "0123456789abcdhjkmpsqrtwz*/+-=?!　あ手一五東白花札🀄\t\\'\"%{}[]"
LINES = 400


def lines(source: random.Random) -> list[str]:
    """Half of them moves by number, so that the game goes on."""
    found = []
    for _ in range(LINES):
        kind = source.random()
        if kind < 0.5:
            found.append(str(source.randrange(1, 9)))
        elif kind < 0.7:
            found.append(source.choice(COMMANDS))
        else:
            found.append("".join(source.choice(LETTERS) for _ in range(source.randrange(1, 12))))
    return [line for line in found if line.strip().lower() not in ("q", "quit", "exit")]


@pytest.mark.parametrize("lang", ["both", "ja", "en"])
@pytest.mark.parametrize("name", games.names())
def test_any_line_is_answered(name, lang, here, monkeypatch):
    source = random.Random(f"{name} {lang}")
    preset = source.choice(list(games.find(name).rulebook.presets))
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines(source))))
    monkeypatch.setattr(play, "HINT_SECONDS", 0.02)
    monkeypatch.setattr(play, "MOST_HINT_SECONDS", 0.02)
    seat = source.randrange(games.find(name).seats)
    words = ("play", name, "random", "--rules", preset, "--deal", 3, "--seat", seat, "--lang", lang)
    done = here(*words, "--record", "game.json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    record = json.loads((here.folder / "game.json").read_text(encoding="utf-8"))
    assert record["actions"]
    assert here("replay", "game.json", "--lang", lang).returncode == 0
