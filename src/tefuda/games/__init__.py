"""The registry: each folder here that has a `GAME` is a game, and so is any folder or file of a user's."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from types import ModuleType

from tefuda import outside
from tefuda.contract import Game
from tefuda.errors import Problem, unknown
from tefuda.sources import load_source


def names() -> list[str]:
    """The games that come with the package."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)  # one folder, one game


def find(name: str) -> Game:
    """A game by its name, or by the path of a folder or file that has a `GAME`."""
    if outside.text("a game", name) in names():
        return _game_of(importlib.import_module(f"tefuda.games.{name}"))
    if "/" not in name and not outside.is_there(Path(name)):
        of_presets = [f"{each} --rules {name}" for each in names() if name in find(each).rulebook.presets]
        if of_presets:  # Hearts is a game to people, and a preset of the rules here
            meant = " or ".join(of_presets)
            raise Problem(f"unknown game {name!r}: did you mean {meant}? known are {', '.join(names())}")
        raise unknown("game", name, names())
    path = Path(name)
    if not outside.is_there(path) or not outside.is_there(path / "__init__.py" if path.is_dir() else path, file=True):
        raise Problem(f"no game at {path}: expected a Python file, or a folder with an __init__.py, that has a GAME")
    return _from_path(path.resolve())  # the same relative path means another game elsewhere


@cache
def _from_path(path: Path) -> Game:
    return _game_of(load_source(path, "game"))


def _game_of(module: ModuleType) -> Game:
    if not isinstance(getattr(module, "GAME", None), Game):
        raise Problem(f"{module.__file__} has no GAME of type tefuda.contract.Game")
    return module.GAME
