"""What commands share: options that mean the same everywhere, and printing."""

import contextlib
import json
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tefuda.cli import completing
from tefuda.outside import MOST_EXPERIMENT, MOST_SEED, MOST_THREADS

if TYPE_CHECKING:
    from rich.console import Console

GameName = Annotated[
    str,
    typer.Argument(help="a game of `tefuda games`, or the path of a game of your own", autocompletion=completing.games),
]
Preset = Annotated[str | None, typer.Option("--rules", help="a rules preset: see `tefuda rules GAME`")]
Changes = Annotated[list[str] | None, typer.Option("--set", help="change one rule, as in --set rounds=1")]
Seed = Annotated[int, typer.Option(min=0, max=MOST_SEED, help="the same seed gives the same deals and decisions")]
ExperimentSeed = Annotated[int, typer.Option(min=0, max=MOST_EXPERIMENT, help="the same seed gives the same results")]
Threads = Annotated[int | None, typer.Option(min=1, max=MOST_THREADS, help="threads to use; all cores when not given")]
Ray = Annotated[
    str | None,
    typer.Option("--ray", help="work on a Ray cluster: an address, `auto`, or `local` (this machine)"),
]
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
    """One object, and nothing else, on standard output. What the terminal cannot write is escaped."""
    value, out = _plain(value), _for_json[-1] if _for_json else sys.stdout
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(out, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    print(text, file=out)


def _plain(value: Any) -> Any:
    """A value without what JSON does not know: an interval of a single deal is infinite, and becomes null."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def all_results(page: Path | None) -> str:
    """Where the page is that leads to all results; nothing where there is none."""
    return "" if page is None else f"   all results: {page}"


def console() -> "Console":
    """Where tables are printed. Nothing is markup: names and paths may have brackets and colons of their own."""
    from rich.console import Console

    return Console(markup=False, emoji=False)


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
