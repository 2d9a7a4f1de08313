"""A game and a player to start from: small, working, each with its test. `tefuda new` writes them under a new name.

Their tests lie here as text, for they import the whole package.
"""

import keyword
import re
from pathlib import Path

from tefuda.conformance import write_golden
from tefuda.errors import Problem, quoted
from tefuda.files.whole import write_bytes
from tefuda.games import find, names
from tefuda.outside import is_there

FOLDER = Path(__file__).parent
GAME, PLAYER, CLASS, ANY_GAME = "high_card", "my_player", "MyPlayer", "GAME"  # what stands for the names to be given


def new_game(name: str, folder: Path) -> list[Path]:
    """Write a game of that name into a folder of its own; the files that were written."""
    _check(name)
    if name in names():
        raise Problem(f"{name} is a game of tefuda: give yours another name")
    there = folder / name
    if is_there(there):
        raise Problem(f"{there} is there already: give another name, or another folder with --out")
    written = []
    for source in (FOLDER / GAME / "__init__.py", FOLDER / GAME / f"test_{GAME}.txt"):
        written.append((there / source.name.replace(GAME, name)).with_suffix(".py"))
        write_bytes(written[-1], source.read_text(encoding="utf-8").replace(GAME, name).encode())
    write_golden(find(str(there)))
    return [*written, there / "golden.txt"]


def new_player(name: str, folder: Path, game: str) -> list[Path]:
    """Write a player of that name, whose test plays some game; the files that were written."""
    _check(name)
    find(game)
    words = {CLASS: class_name(name), PLAYER: name, ANY_GAME: game}
    pieces = [
        (folder / f"{name}.py", FOLDER / f"{PLAYER}.py"),
        (folder / f"test_{name}.py", FOLDER / f"test_{PLAYER}.txt"),
    ]
    for path, _ in pieces:
        if is_there(path):
            raise Problem(f"{path} is there already: give another name, or another folder with --out")
    for path, source in pieces:
        text = re.sub(
            r"\b(test_)?(MyPlayer|my_player|GAME)\b",
            lambda found: _renamed(found, words),
            source.read_text(encoding="utf-8"),
        )
        write_bytes(path, text.encode())
    return [path for path, _ in pieces]


def _renamed(found: re.Match[str], words: dict[str, str]) -> str:
    return (found[1] or "") + words[found[2]]


def class_name(name: str) -> str:
    """my_player is MyPlayer."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _check(name: str) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name) or keyword.iskeyword(name):
        raise Problem(f"{quoted(name)} should be a name of small letters, digits and _, as in my_game: it names a file")
