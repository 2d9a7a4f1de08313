"""The documents, and the commands that they show."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import tefuda

ROOT = tefuda.FOLDER.parents[1]
README = ROOT / "README.md"
OURS = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
HOW_TO = [*sorted((ROOT / "docs" / "howto").glob("*.md")), *sorted((ROOT / "docs" / "ja").glob("*.md"))]
OF_GAMES = sorted((tefuda.FOLDER / "games").glob("*/README.md"))
DOCUMENTS = [*OURS, *sorted((ROOT / "docs").glob("*/*.md")), *OF_GAMES]

COMMAND = re.compile(r"^ {4,}(?:\.venv/bin/)?(tefuda .*)$|`(tefuda [^`]*)`", re.MULTILINE)


def title(path: Path) -> str:
    return str(path.relative_to(ROOT))


def commands(path: Path) -> Iterator[list[str]]:
    """The commands that a document shows, as words without `tefuda`; those with dots left out are no commands."""
    for block, inline in COMMAND.findall(path.read_text(encoding="utf-8")):
        text = block or inline
        if "…" not in text and "|" not in text:
            yield shlex.split(text, comments=True)[1:]
