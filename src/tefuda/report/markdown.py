"""A page of results in Markdown, as repositories show it: the same order as on `page.py`."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tefuda.report.document import Document, Section
from tefuda.report.figures import Figure
from tefuda.report.tables import Comparison, PlayerName, Table, cell_text, is_number


def markdown(document: Document, links: Mapping[str, str]) -> str:
    """The whole page; `links` are the files of its figures by their keys. A figure without one is left out."""
    lines = [f"# {document.title}", ""]
    lines += [document.about, ""] if document.about else []
    lines += [document.found.text, ""] if document.found.text else []
    lines += _figure(document.found.figure, links)
    sections = any(isinstance(block, Section) and block.title for block in document.blocks)
    for block in document.blocks:
        if isinstance(block, Section):
            lines += [f"## {block.title}", ""] if block.title else []
            lines += [block.text, ""] if block.text else []
        elif isinstance(block, Table):
            lines += _table(block, "###" if sections else "##")
        elif isinstance(block, Comparison):
            raise TypeError("comparisons with papers are pages of HTML")
        else:
            lines += _figure(block, links)
    if document.made:
        lines += ["## How this was made", "", *_made(document.made)]
    return "\n".join(lines)


def _figure(figure: Figure | None, links: Mapping[str, str]) -> list[str]:
    if figure is None or figure.key not in links:
        return []
    lines = [f"![{figure.title}]({links[figure.key]})", ""]
    return lines + ([figure.note, ""] if figure.note else [])


def _table(table: Table, mark: str) -> list[str]:
    """A table under its title, a heading with this mark; columns of numbers stand at the right."""
    lines = [f"{mark} {table.title}", ""] if table.title else []
    headings = [_cell(name, 0) for name, _ in table.headings]
    rule = ["---:" if right else "---" for _, right in table.headings]
    rows = [[_cell(cell, table.digits) for cell in row] for row in table.rows]
    lines += [f"| {' | '.join(row)} |" for row in (headings, rule, *rows)]
    return [*lines, "", *([table.note, ""] if table.note else [])]


def _cell(cell: Any, digits: int) -> str:
    if isinstance(cell, PlayerName):
        return f"`{re.sub(r'[|`]', '', cell)}`"
    text = cell_text(cell, digits)
    return text.replace("-", "−") if is_number(cell) else text.replace("|", "\\|")


def _made(made: Mapping[str, Any]) -> list[str]:
    """What makes the page again: short entries as a list, commands as code."""
    lines = [f"- {name}: {value}" for name, value in made.items() if not _is_code(name)]
    for name, value in made.items():
        if _is_code(name):
            commands: Sequence[str] = [value] if isinstance(value, str) else value
            lines += ["", *(f"    {command}" for command in commands)]
    return [*lines, ""]


def _is_code(name: str) -> bool:
    return name in ("command", "commands")
