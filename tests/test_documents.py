"""The documents: short where they must be, with links that lead somewhere and commands that the command line takes."""

import re
import shlex
import tomllib
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import tefuda
from tefuda import games
from tefuda.cli import app
from tefuda.players.resolve import resolve
from tests.conftest import LONGEST
from tests.shown import DOCUMENTS, HOW_TO, OF_GAMES, OURS, README, ROOT, commands, title

SCRIPTS = [path for name in ("src", "tests", "benchmarks") for path in sorted((ROOT / name).rglob("*.py"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
SOURCE = re.compile(r"`([\w./*-]+\.(?:py|md))`")
MODULE = re.compile(r"(?<![\w{}./\"'-])((?:\w+/)+\w+\.py)\b")
MACHINE = re.compile(r"/(?:home|work|root|tmp|Users)/|[A-Z]:\\|\.\./shared")


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def test_the_documents_are_there():
    assert len(OF_GAMES) == len(games.names())
    assert {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/README.md", "docs/ARCHITECTURE.md"} <= {
        title(path) for path in DOCUMENTS
    }


def test_the_readme_is_read_in_two_minutes():
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 150
    assert [line for line in lines if len(line) > 160] == []


def test_the_files_of_tests_that_are_named_are_there():
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []


def test_tests_have_the_shape_of_the_sources():
    """Each package has its folder of tests; one inside another may have a file there instead, test_NAME.py."""
    own = ROOT / "src" / "tefuda"
    packages = [path.parent.relative_to(own) for path in own.glob("*/**/__init__.py")]
    packages = [path for path in packages if path.parts[:-1] != ("templates",)]  # those are copied, not called
    assert len(packages) > 30
    without = [
        path.as_posix()
        for path in packages
        if not any((ROOT / "tests" / path).glob("**/test_*.py"))
        and not (len(path.parts) > 1 and (ROOT / "tests" / path.parent / f"test_{path.name}.py").is_file())
    ]
    assert without == []


def test_each_file_of_tests_has_a_package():
    """Those that look at the whole of the project lie at the top."""
    folders = {path.parent.relative_to(ROOT / "tests") for path in (ROOT / "tests").glob("*/**/test_*.py")}
    own = {path.parent.relative_to(ROOT / "src" / "tefuda") for path in (ROOT / "src").rglob("__init__.py")
           if path.parent != ROOT / "src" / "tefuda"}  # fmt: skip
    elsewhere = {"fuzz", "web/page"}  # every command and function; the page itself, in a browser
    assert {path.as_posix() for path in folders - own} == elsewhere


def test_every_file_can_be_read_in_one_sitting():
    """Tests have at most 600 lines. Sources should have about 300; none has more than 400."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SCRIPTS}
    assert len(lengths) > 500
    most = {path: 400 if path.is_relative_to(ROOT / "src") else 600 for path in SCRIPTS}
    assert {title(path): length for path, length in lengths.items() if length > most[path]} == {}


def test_links_lead_somewhere():
    found, wrong = 0, []
    for path in DOCUMENTS:
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            if target.startswith(("https://", "http://")):
                continue
            found += 1
            file, _, anchor = target.partition("#")
            page = (path.parent / file).resolve() if file else path
            if not page.exists() or (anchor and anchor not in anchors(page)):
                wrong.append(f"{title(path)}: {target}")
    assert found > 50
    assert wrong == []


def test_the_index_of_docs_leads_to_every_page():
    linked = set(LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8")))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    folders = {f"{path.parent.name}/README.md" for path in (ROOT / "docs").glob("*/README.md")}
    folders |= {f"howto/{path.name}" for path in (ROOT / "docs" / "howto").glob("*.md")}
    readmes = {f"../{title(path)}" for path in OF_GAMES}
    assert pages
    assert folders
    assert (pages | folders | readmes) - linked == set()


def test_the_page_of_readings_is_made_from_its_files():
    spec = spec_from_file_location("draw_readings", ROOT / "docs" / "draw_readings.py")
    drawing = module_from_spec(spec)
    spec.loader.exec_module(drawing)
    assert drawing.page() == (ROOT / "docs" / "readings" / "README.md").read_text(encoding="utf-8")
    assert [row[0] for row in drawing.table("rules.json").rows[:3]] == [
        "rule-based-simple", "rule-based-values", "rule-based",
    ]  # fmt: skip


@cache
def sources() -> list[str]:
    """All source files and documents, by their paths from the root."""
    folders = ("src", "tests", "docs", "benchmarks", "examples")
    found = [*ROOT.glob("*.md"), *(path for folder in folders for path in (ROOT / folder).rglob("*"))]
    return [f"/{title(path)}" for path in found]


def test_files_that_documents_name_are_there():
    found, wrong = 0, []
    for path in DOCUMENTS:
        for name in SOURCE.findall(path.read_text(encoding="utf-8")):
            found += 1
            ending = re.compile(re.escape(f"/{name}").replace(r"\*", "[^/]*").replace("GAME", "[^/]*") + "$")
            if not any(ending.search(source) for source in sources()):
                wrong.append(f"{title(path)}: {name}")
    assert found > 50
    assert wrong == []


def test_files_that_sources_name_are_there():
    """In docstrings and comments, as engine/loops.py; those of the user's own are called path/to/…"""
    found, wrong = 0, []
    for path in SCRIPTS:
        for name in MODULE.findall(path.read_text(encoding="utf-8")):
            found += 1
            if not name.startswith("path/to/") and not any(source.endswith(f"/{name}") for source in sources()):
                wrong.append(f"{title(path)}: {name}")
    assert found > 20
    assert wrong == []


def parsed(words: list[str]) -> dict[str, Any]:
    """What the command line makes of a command, which is not run; a usage error when it takes no such command."""
    command: Any = get_command(app)
    context = command.make_context("tefuda", [], resilient_parsing=True)
    while words and hasattr(command, "commands"):
        name, *words = words
        assert name in command.commands, f"there is no command {name}"
        command = command.commands[name]
    if not words:  # the command is only named
        return {}
    return command.make_context(name, words, parent=context).params


@pytest.mark.parametrize("path", DOCUMENTS, ids=title)
def test_commands_are_accepted(path):
    for words in commands(path):
        try:
            parsed(words)
        except Exception as error:
            raise AssertionError(f"tefuda {shlex.join(words)}: {error}") from error


EXAMPLES = {  # a program that pages call: the test that runs it, shortly
    "examples/ppo.py": "test_environments_page.py",
    "examples/mjai_bot.py": "interop/test_mjai_server.py",
}
INSTALLING = {"python -m venv first", "source .venv/bin/activate"}  # and what pip is asked for: cli/test_install.py
PROGRAM = re.compile(
    r"^ {4,}(?:[A-Z_]+=\S+ )*((?:\S*/)?(?:python3?|pip|make|source|ray|mkdocs|git)) (.*)$", re.MULTILINE
)


def test_commands_of_other_programs_name_what_there_is():
    """Targets of make, extras that pip is asked for, examples and tests."""
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = 0
    for path in DOCUMENTS:
        for program, rest in PROGRAM.findall(path.read_text(encoding="utf-8")):
            words, name = shlex.split(rest, comments=True), Path(program).name
            found += 1
            if name == "make":
                assert set(words) <= set(targets), f"{title(path)}: make {rest}"
            elif name == "pip":
                extras = {
                    extra for word in words for extra in re.findall(r"[\w-]+", "".join(re.findall(r"\[.*\]", word)))
                }
                assert words[0] == "install"
                assert extras <= set(project["optional-dependencies"]), f"{title(path)}: pip {rest}"
            elif words[:2] == ["-m", "pytest"]:
                assert (ROOT / words[2]).exists(), f"{title(path)}: {rest}"
            elif words[0] in EXAMPLES:
                assert Path(words[0]).name in (ROOT / "tests" / EXAMPLES[words[0]]).read_text(encoding="utf-8")
            else:
                assert " ".join([name, *words]) in INSTALLING, f"{title(path)}: {program} {rest}"
    assert found > 20


def is_meant(name: str | None) -> bool:
    """Whether a name is one of ours: no file, and no word like GAME that stands for any name."""
    return name is not None and "/" not in name and "." not in name and not name.isupper()


@pytest.mark.parametrize("path", [README, ROOT / "CONTRIBUTING.md", ROOT / "docs" / "commands.md", *HOW_TO], ids=title)
def test_commands_name_what_there_is(path):
    """Games, presets, options and players."""
    for words in commands(path):
        given = parsed(words)
        if not is_meant(given.get("game")):
            continue
        game = games.find(given["game"])
        rules = game.rulebook.make(given.get("rules"), given.get("changes") or [])
        players = [*(given.get("players") or []), *(given.get("opponents") or []), given.get("player")]
        for name in filter(is_meant, players):
            resolve(game, name, rules)


def test_all_commands_were_found():
    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    shown = {words[0] for path in OURS for words in commands(path) if words}
    assert shown <= known
    assert len(list(commands(README))) > 10
    on_its_page = {words[0] for words in commands(ROOT / "docs" / "commands.md")}
    assert known == shown == on_its_page, "commands that no document shows"


@pytest.mark.parametrize("path", [*DOCUMENTS, *sorted((ROOT / "docs").glob("*.svg"))], ids=title)
def test_no_document_names_a_machine(path):
    assert MACHINE.findall(path.read_text(encoding="utf-8")) == []


def test_the_picture_is_small():
    assert (ROOT / "docs" / "table.svg").stat().st_size < 100_000
    assert "(table.svg)" in (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")


def test_a_word_of_the_glossary_has_one_meaning():
    glossary = (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Glossary")[2]
    words = [
        word.strip(" `")
        for line in glossary.splitlines()
        if line.startswith("| ") and not line.startswith(("| word |", "| --- |"))
        for word in line.split("|")[1].split(",")
    ]
    assert len(words) > 100
    assert sorted({word for word in words if words.count(word) > 1}) == []


def test_the_version_stands_in_one_place():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert "version" not in project["project"]
    module, _, name = project["tool"]["setuptools"]["dynamic"]["version"]["attr"].rpartition(".")
    assert getattr(import_module(module), name) == tefuda.__version__
    literal = f'"{tefuda.__version__}"'
    places = [title(path) for path in tefuda.FOLDER.rglob("*.py") if literal in path.read_text(encoding="utf-8")]
    assert len(places) == 1
    assert f"## {tefuda.__version__} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_contributing_names_the_marks_of_tests():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    marks = {line.partition(":")[0] for line in project["tool"]["pytest"]["ini_options"]["markers"]}
    told = re.search(r"^Tests have three marks\. .*$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.M)
    assert told is not None
    assert set(re.findall(r"`(\w+)`", told[0])) == marks
    assert len(marks) == 3
