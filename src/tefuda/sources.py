"""Where the sources of this package are, and loading those of the user's own: games and players outside it."""

import hashlib
import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from tefuda.errors import Problem, told

FOLDER = Path(__file__).parent  # of the package

_neighbours: dict[str, list[Path]] = {}  # by the name of a module: the files beside its own that it has imported
_imported: set[str] = set()  # the names by which neighbours stand among Python's modules
_folders: list[str] = []  # of the user's files, the latest first


class _Afresh(SourceFileLoader):
    """Reads the source itself: Python takes a file that was changed within a second, to the same length, for its old
    self. It leaves nothing beside the user's file."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        code: CodeType = self.source_to_code(self.get_data(path), path)
        return code


def load_source(path: Path, what: str) -> ModuleType:
    """The module of a Python file, or of a folder with an `__init__.py`; `what` names it in an error's line.

    Its module name is its own, made from its place, so that it hides no other module. A file can import its
    neighbours.
    """
    file = path / "__init__.py" if path.is_dir() else path
    if file.suffix != ".py":
        raise Problem(f"{path} is no Python file, so that it holds no {what}: it should end in .py")
    place = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]
    name = f"tefuda_{what}_{path.resolve().stem}_{place}"
    folders = [str(path)] if path.is_dir() else None
    loader = _Afresh(name, str(file))
    spec = importlib.util.spec_from_file_location(name, file, loader=loader, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise Problem(f"the {what} at {path} could not be loaded: the name of a file of Python ends with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    if not path.is_dir():
        _open(path.resolve().parent)
    before = set(sys.modules)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise Problem(f"the {what} at {path} could not be loaded: {told(error)}") from error
    finally:
        _note_neighbours(name, path.resolve().parent, set(sys.modules) - before)
    return module


def files_of(module: ModuleType) -> list[Path]:
    """The file of a module that `load_source` has loaded, and those of the neighbours that it has imported."""
    return [Path(str(module.__file__)), *_neighbours.get(module.__name__, [])]


def _open(folder: Path) -> None:
    """Let the files of a folder be imported by their names, behind all that is installed.

    What files elsewhere have imported as their neighbours is forgotten: the same name means another file here.
    """
    for name in _imported:
        sys.modules.pop(name, None)
    _imported.clear()
    here = str(folder)
    sys.path[:] = [each for each in sys.path if each not in _folders]
    _folders[:] = [here, *(each for each in _folders if each != here)]
    sys.path.extend(each for each in _folders if each not in sys.path)
    importlib.invalidate_caches()  # a neighbour may have been written a moment ago


def _note_neighbours(name: str, folder: Path, new: set[str]) -> None:
    """Keep which of the modules that have just come in are neighbours of a file."""
    files = {each: getattr(sys.modules[each], "__file__", None) for each in new if each in sys.modules}
    ours = {each: Path(file) for each, file in files.items() if file and _is_neighbour(each, Path(file), folder)}
    _imported.update(ours)
    _neighbours[name] = sorted(ours.values())


def _is_neighbour(name: str, file: Path, folder: Path) -> bool:
    """Whether a module is a file of the folder, or of a package there; what is installed below it is not."""
    package = folder / name.partition(".")[0]
    return file == package.with_suffix(".py") or package in file.parents
