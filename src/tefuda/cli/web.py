"""`tefuda web`."""

from pathlib import Path
from typing import Annotated

import typer

from tefuda import outside
from tefuda.cli import completing
from tefuda.errors import Problem


def register(app: typer.Typer) -> None:
    app.command()(web)


def web(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            help="games to offer, or paths of games of your own; all when not given", autocompletion=completing.games
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="the address to listen on; another than this machine asks for a token")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 lets the system choose")] = 8377,
    token: Annotated[str | None, typer.Option(help="what visitors must know; a new one when needed")] = None,
    data: Annotated[Path, typer.Option(help="the folder in which tables are kept")] = Path("games"),
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="open the page in the browser")] = True,
) -> None:
    """Sit down at a table in the browser: play, take hints, review your games.

    Examples:

    `tefuda web`

    `tefuda web koikoi tricks --port 9000`

    `tefuda web path/to/my_game`

    `tefuda web --host 0.0.0.0 --no-open`
    """
    try:
        from tefuda.web.starting import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "tefuda":
            raise
        raise Problem(f"`tefuda web` needs {missing.name}: install it with pip install 'tefuda[web]'") from None

    outside.text("--host", host, 255)
    if token is not None and not len(outside.text("--token", token, 200)) >= 8:
        raise Problem("--token has at least 8 characters")
    serve(games or [], host, port, token, outside.place("--data", data), open_page)
