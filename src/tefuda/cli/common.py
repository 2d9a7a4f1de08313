"""What commands share: options that mean the same everywhere, and printing."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

GameName = Annotated[str, typer.Argument(help="a game of `tefuda games`, or the path of a game of your own")]
Preset = Annotated[str | None, typer.Option("--rules", help="a rules preset: see `tefuda rules GAME`")]
Changes = Annotated[list[str] | None, typer.Option("--set", help="change one rule, as in --set rounds=1")]
Seed = Annotated[int, typer.Option(min=0, max=2**63 - 1, help="the same seed gives the same deals and decisions")]
Threads = Annotated[int | None, typer.Option(min=1, help="threads to use; all cores when not given")]
Json = Annotated[bool, typer.Option("--json", help="print one object of JSON instead of tables")]
_for_json: list[Any] = []  # where the object goes, while all that others print goes elsewhere


@contextlib.contextmanager
def json_apart(wanted: bool) -> Iterator[None]:
    """Around a command: standard output is for the object of `--json` alone, and what others print goes to standard
    error. Players of one's own may print, and so may programs that they start."""
    if not wanted:
        yield
        return
    before, taken = sys.stdout, -1
    if sys.__stdout__ is not None and before is sys.__stdout__:
        with contextlib.suppress(OSError):
            before.flush()
            taken = os.dup(1)
            os.dup2(2, 1)
    own = open(taken, "w", -1, before.encoding, before.errors, closefd=False) if taken >= 0 else before  # noqa: SIM115
    _for_json.append(own)
    sys.stdout = sys.stderr
    try:
        yield
    finally:
        sys.stdout = before
        _for_json.pop()
        try:
            own.flush()
        finally:
            if taken >= 0:
                os.dup2(taken, 1)
                os.close(taken)


def print_json(value: Any) -> None:
    """One object, and nothing else, on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2), file=_for_json[-1] if _for_json else None)


def all_results(page: Path | None) -> str:
    """Where the page is that leads to all results; nothing where there is none."""
    return "" if page is None else f"   all results: {page}"


def console() -> "Console":
    """Where tables are printed."""
    from rich.console import Console

    return Console()


def table(title: str, columns: list[str], rows: list[list[str]], right: set[int] = frozenset()) -> Any:  # type: ignore[assignment]
    """A plain table; columns in `right` hold numbers."""
    from rich import box
    from rich.table import Table

    result = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", title_style="bold", pad_edge=False)
    for index, column in enumerate(columns):
        result.add_column(column, justify="right" if index in right else "left", overflow="fold")
    for row in rows:
        result.add_row(*row)
    return result
