"""The registry: each folder here that has a `GAME` is a game, and so is any folder or file of a user's."""

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

from tefuda.contract import Game
from tefuda.errors import Problem, unknown


def names() -> list[str]:
    """The games that come with the package."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)  # one folder, one game


@cache
def find(name: str) -> Game:
    """A game by its name, or by the path of a folder or file that has a `GAME`."""
    if name in names():
        return _game_of(importlib.import_module(f"tefuda.games.{name}"))
    if "/" not in name and not Path(name).exists():
        raise unknown("game", name, names())
    return _from_path(Path(name))


def _from_path(path: Path) -> Game:
    source = path / "__init__.py" if path.is_dir() else path
    if not source.is_file():
        raise Problem(f"no game at {path}: expected a Python file, or a folder with an __init__.py, that has a GAME")
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    module_name = f"tefuda_game_{path.resolve().stem}_{place}"  # a name of its own, so that it hides no other module
    spec = importlib.util.spec_from_file_location(
        module_name, source, submodule_search_locations=[str(path)] if path.is_dir() else None
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise Problem(f"the game at {path} could not be loaded: {type(error).__name__}: {error}") from error
    return _game_of(module)


def _game_of(module: ModuleType) -> Game:
    if not isinstance(getattr(module, "GAME", None), Game):
        raise Problem(f"{module.__file__} has no GAME of type tefuda.contract.Game")
    return module.GAME
