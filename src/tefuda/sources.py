"""Where the sources of this package are, and loading those of the user's own: games and players outside it."""

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from tefuda.errors import Problem

FOLDER = Path(__file__).parent  # of the package


def load_source(path: Path, what: str) -> ModuleType:
    """The module of a Python file, or of a folder with an `__init__.py`; `what` names it in an error's line.

    Its module name is its own, made from its place, so that it hides no other module.
    """
    file = path / "__init__.py" if path.is_dir() else path
    if file.suffix != ".py":
        raise Problem(f"{path} is no Python file, so that it holds no {what}: it should end in .py")
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"tefuda_{what}_{path.resolve().stem}_{place}"
    folders = [str(path)] if path.is_dir() else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=folders)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise Problem(f"the {what} at {path} could not be loaded: {type(error).__name__}: {error}") from error
    return module
