"""A report in the terminal: the same words and tables as on its page."""

from typing import TYPE_CHECKING

from tefuda.report.document import Document, Section
from tefuda.report.tables import SIGNS, Compared, Comparison, Table, cell_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

VERDICT_STYLES = {"hit": "green", "miss": "bold red", "unclear": "yellow", "no target": "dim", "not run": "dim"}


def print_document(document: Document, console: "Console") -> None:
    """What was found, every table, the names of the figures, and last how it was made."""
    from rich.rule import Rule
    from rich.text import Text  # all text goes through it: the brackets of an interval are no markup

    print_head(document, console)
    if document.found.figure is not None:
        console.print(Text(f"\nfigures/{document.found.figure.key}.png: {document.found.figure.title}"))
    for block in document.blocks:
        if isinstance(block, Section):
            if block.title:
                console.print()
                console.print(Rule(Text(block.title, style="bold"), align="left"))
            if block.text:
                console.print(without_marks(block.text))
        elif isinstance(block, Comparison):
            print_compared(console, block)
        elif isinstance(block, Table):
            print_cells(console, block)
        else:
            console.print(Text(f"\nfigures/{block.key}.png: {block.title}"))
    print_made(document, console)


def print_found(document: Document, console: "Console") -> None:
    """What the page begins with, and the published figures that it speaks of beside ours; else its first table."""
    print_head(document, console)
    if document.found.rows:
        table = Comparison("found", "", tuple(document.found.rows))
        print_compared(console, table)
    else:
        for first in [block for block in document.blocks if isinstance(block, Table)][:1]:
            print_cells(console, first)


def print_head(document: Document, console: "Console") -> None:
    from rich.text import Text

    console.print(Text(document.title, style="bold"))
    if document.about:
        console.print(Text(document.about, style="dim"))
    if document.found.text:
        console.print(without_marks(document.found.text))


def print_made(document: Document, console: "Console") -> None:
    from rich.text import Text

    said = [f"{name} {document.made[name]}" for name in ("deals", "seed", "commit") if name in document.made]
    console.print(Text("\n" + "  ".join(said), style="dim"))


def without_marks(text: str) -> "Text":
    """Paragraphs for the terminal, where names need no backticks."""
    from rich.text import Text

    return Text(text.strip().replace("`", ""))


def compared_texts(row: Compared) -> "list[Text]":
    from rich.text import Text

    verdict = Text(f"{SIGNS[row.verdict]} {row.verdict}", style=VERDICT_STYLES[row.verdict])
    texts = [Text(text) for text in (row.name, row.published, row.ours_text, row.target_text)]
    return [*texts, verdict, Text(cell_text(row.deals))]


def print_compared(console: "Console", block: Comparison) -> None:
    """Published figures beside ours, and below them why targets were not reached."""
    from rich.text import Text

    print_table(console, block, [compared_texts(row) for row in block.rows])
    for row in block.rows:
        if row.reason:
            text = Text(f"{SIGNS[row.verdict]} {row.what}: ", style=VERDICT_STYLES[row.verdict])
            console.print(text.append(row.reason.replace("`", ""), style="not bold default"))


def print_cells(console: "Console", table: Table) -> None:
    from rich.text import Text

    print_table(console, table, [[Text(cell_text(cell, table.digits)) for cell in row] for row in table.rows])


def print_table(console: "Console", block: Table | Comparison, rows: "list[list[Text]]") -> None:
    """A table with its title and note."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    title = Text(block.title) if block.title else None
    table = RichTable(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for name, right in block.headings:
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    if block.title:
        console.print()
    console.print(table)
    if block.note:
        console.print(Text(block.note, style="dim"))
