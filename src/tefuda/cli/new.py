"""`tefuda new game | player`."""

from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.common import Json, console, print_json

new = typer.Typer(
    help="""Write a small game or player of your own, working and with its test.

Examples:

`tefuda new player my_player`

`tefuda new player my_player --game tricks`

`tefuda new game my_game --out path/to`
""",
    no_args_is_help=True,
)
Out = Annotated[Path, typer.Option(help="the folder to write into")]


def register(app: typer.Typer) -> None:
    new.command()(game)
    new.command()(player)
    app.add_typer(new, name="new")


def game(
    name: Annotated[str, typer.Argument(help="its name: small letters, digits and _")],
    out: Out = Path("."),
    json: Json = False,
) -> None:
    """Write a whole small game in one file, with its test and its golden playthrough.

    Example: `tefuda new game my_game`, then `tefuda check my_game` and `tefuda play my_game`
    """
    from tefuda.templates import new_game

    written = new_game(name, out)
    _tell(written, [f"tefuda check {out / name}", f"tefuda play {out / name}"], json)


def player(
    name: Annotated[str, typer.Argument(help="its name: small letters, digits and _")],
    game: Annotated[str, typer.Option(help="the game that its test plays")] = "koikoi",
    out: Out = Path("."),
    json: Json = False,
) -> None:
    """Write a player in one class, with its test.

    Example: `tefuda new player my_player --game koikoi`, then
    `tefuda match koikoi my_player.py:MyPlayer random --deals 20`
    """
    from tefuda.templates import class_name, new_player

    written = new_player(name, out, game)
    called = f"{written[0]}:{class_name(name)}"
    _tell(written, [f"tefuda match {game} {called} random --deals 20", f"python -m pytest {written[1]}"], json)


def _tell(written: list[Path], commands: list[str], json: bool) -> None:
    """What was written, and what to do with it."""
    if json:
        print_json({"written": list(map(str, written)), "commands": commands})
        return
    screen = console()
    for path in written:
        screen.print(f"written: {path}", soft_wrap=True, markup=False, highlight=False)
    for command in commands:
        screen.print(f"try: {command}", soft_wrap=True, markup=False, highlight=False)
