"""The golden playthrough: one game in readable text, so that a change of rules is a readable difference."""

import difflib
from itertools import islice
from pathlib import Path

import numpy as np

from tefuda.conformance.study import Failed, Study
from tefuda.contract import Game
from tefuda.files.whole import write_bytes
from tefuda.kernel.random import CHECK, below, stream
from tefuda.sources import FOLDER
from tefuda.table.table import Table

SEED, DEAL = 1, 1
SHOWN = 24  # lines of a difference
MOST = 120  # decisions: a long game is not written out to its end


def playthrough(game: Game) -> str:
    """One game under the default rules with random actions: every table, all legal moves, the one taken."""
    table = Table(game, None, SEED, DEAL)
    bits = np.array([stream(SEED, DEAL, 0, CHECK)], np.uint64)
    lines = [
        f"{game.title}: one game of random play, to notice when rules or their text change.",
        f"rules {table.rules}, seed {SEED}, deal {DEAL}",
    ]
    most = min(MOST, game.decisions_at_most(table.rules))
    while not table.over and len(table.history) < most:
        legal = table.legal
        action = legal[int(below(bits, len(legal)))]
        lines += ["", f"── decision {len(table.history) + 1}, seat {table.to_move}", table.show()]
        lines.append("legal:")
        lines += [f"    {each:3} {game.words.action_name(table.states, each, 'both')}" for each in legal]
        lines.append(f"taken: {action} {game.words.action_name(table.states, action, 'both')}")
        table.apply(action)
    scores = " ".join(f"{score:g}" for score in table.scores)
    lines += ["", "── end" if table.over else "── and so on", table.show(), f"scores: {scores}"]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n")) + "\n"


def path_of(game: Game) -> Path:
    """In the folder of the game; a game that is a file shares its folder with others."""
    shared = not (game.folder / "__init__.py").is_file() and any(game.folder.glob("*.py"))
    return game.folder / (f"{game.name}.golden.txt" if shared else "golden.txt")


def write_golden(game: Game) -> Path:
    """Write the playthrough of the game as it is now; returns where."""
    write_bytes(path_of(game), playthrough(game).encode("utf-8"))
    return path_of(game)


def is_unchanged(study: Study) -> str:
    game, path = study.game, path_of(study.game)
    named = game.name if game.folder.is_relative_to(FOLDER) else game.folder  # a game of one's own has a path
    if path.name != "golden.txt":
        named = "PATH/OF/GAME"
    command = f"`tefuda check {named} --write-golden`"
    if not path.is_file():
        raise Failed(f"there is no {path}: write it with {command}, and read it")
    stored, now = path.read_text(encoding="utf-8").splitlines(), playthrough(game).splitlines()
    difference = list(islice(difflib.unified_diff(stored, now, "golden.txt", "now", "", "", 1, ""), SHOWN))
    if difference:
        text = "\n".join(difference)
        raise Failed(f"{path} differs from play now; when the change is meant, write it anew with {command}\n{text}")
    return f"{len(stored)} lines of {path.name}"
