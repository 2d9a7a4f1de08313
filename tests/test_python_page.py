"""docs/python.md: each section of it runs, and it calls every function of the library but those of whole papers."""

import io
import re
import sys

import pytest

import tefuda

TEXT = (tefuda.FOLDER.parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
HEAD, *REST = re.split(r"^## ", TEXT, flags=re.MULTILINE)
SECTIONS = {each.partition("\n")[0]: each for each in REST}
LONG = {"Train", "Exploit"}


def code_of(text: str) -> str:
    """The indented lines of a text."""
    return "\n".join(line[4:] for line in text.splitlines() if line.startswith("    ") or not line)


def test_the_page_calls_every_function():
    code = code_of(TEXT)
    functions = {name for name in tefuda.__all__ if callable(getattr(tefuda, name)) and name != "Problem"}
    assert {name for name in functions if f"tefuda.{name}(" not in code} == {"reproduce"}


@pytest.mark.parametrize(
    "title", [pytest.param(each, marks=pytest.mark.slow) if each in LONG else each for each in SECTIONS]
)
def test_a_section_runs(title, tmp_path, monkeypatch, capsys):
    if title == "Exploit":
        pytest.importorskip("torch")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 10))
    code = code_of(SECTIONS[title])
    assert code.strip()
    exec(compile(code_of(HEAD) + "\n" + code, "docs/python.md", "exec"), {"__name__": "page"})


def test_all_sections_were_found():
    assert {"Match", "Ladder", "Table", "Evaluate", "Play", "Records", *LONG} <= set(SECTIONS)
