"""The order of the packages: nothing imports what stands below it in the README's list of folders."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tefuda

README = tefuda.FOLDER.parents[1] / "README.md"
LIST = re.compile(r"^## Folders.*?^    src/tefuda/\n((?:      \S[^\n]*\n)+)", re.MULTILINE | re.DOTALL)


def order() -> list[str]:
    """The packages and modules as the README lists them, as in `tefuda.learn.deep`; the package itself comes last."""
    found = LIST.search(README.read_text(encoding="utf-8"))
    assert found, "README.md has no list of folders"
    entries = [line.split()[0].removesuffix(".py").strip("/") for line in found[1].splitlines()]
    return [*(f"tefuda.{entry.replace('/', '.')}" for entry in entries), "tefuda.__main__", "tefuda"]


def place(name: str, listed: list[str]) -> str:
    """The entry of the list that a module belongs to: the longest that begins its name."""
    return max((entry for entry in listed if f"{name}.".startswith(f"{entry}.")), key=len)


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    return list(found_imports(path))


def found_imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the name of all that a file imports of this package, inside functions and for types alone too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names if each.name.split(".")[0] == "tefuda")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by dots"
            if (node.module or "").split(".")[0] == "tefuda":
                yield from ((node.lineno, f"{node.module}.{each.name}") for each in node.names)


def modules() -> dict[str, Path]:
    names = {path: path.relative_to(tefuda.FOLDER.parent).with_suffix("").parts for path in tefuda.FOLDER.rglob("*.py")}
    return {".".join(parts).removesuffix(".__init__"): path for path, parts in names.items()}


def test_every_module_has_its_place():
    listed = order()
    assert len(listed) > 20
    assert len(modules()) > 100
    for entry in listed:
        assert entry in modules(), f"README.md lists {entry}, which is not there"
    homeless = [name for name in modules() if place(name, listed) == "tefuda" and name != "tefuda"]
    assert homeless == [], "not in README.md's list of folders"


def test_nothing_imports_what_stands_below_it():
    listed, wrong, found = order(), [], 0
    for name, path in sorted(modules().items()):
        for line, imported in imports(path):
            found += 1
            above, below = (listed.index(place(each, listed)) for each in (imported, name))
            if above > below:
                wrong.append(f"{path.relative_to(tefuda.FOLDER.parents[1])}:{line} imports {imported}")
    assert found > 500
    assert wrong == []


def test_nothing_but_papers_and_protocols_knows_one_game():
    """All else finds games by their names: a game is one folder, and nothing outside it knows more of it."""
    wrong = []
    for name, path in sorted(modules().items()):
        for line, imported in imports(path):
            game = re.match(r"tefuda\.games\.(?!find$|names$)\w+", imported)
            if game and not name.startswith((game[0], "tefuda.papers", "tefuda.interop")):
                wrong.append(f"{path.relative_to(tefuda.FOLDER.parents[1])}:{line} imports {imported}")
    assert wrong == []
