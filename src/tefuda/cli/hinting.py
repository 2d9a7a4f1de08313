"""`tefuda hint`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tefuda import outside
from tefuda.cli.common import Json, Seed, Threads, console, print_json

if TYPE_CHECKING:
    from tefuda.table.evaluation import Evaluation, Values


def register(app: typer.Typer) -> None:
    app.command()(hint)


def hint(
    file: Annotated[Path, typer.Argument(help="a record that `tefuda play` wrote")],
    move: Annotated[int | None, typer.Option(min=1, help="the decision to look at; the last when not given")] = None,
    player: Annotated[str | None, typer.Option(help="who plays worlds on; the game's quick one when not given")] = None,
    worlds: Annotated[int, typer.Option(min=1, help="guessed worlds in which every move is tried")] = 1000,
    seed: Seed = 1,
    threads: Threads = None,
    lang: Annotated[str, typer.Option(help="`ja`, `en`, or `both`")] = "both",
    game: Annotated[str | None, typer.Option(help="the path of the game, when it is one of your own")] = None,
    json: Json = False,
) -> None:
    """What each move of a recorded game was worth, and what it loses against the best, as its seat could know.

    All moves are tried in the same guessed worlds, so a loss is known better than the values. Examples:

    `tefuda hint games/koikoi-seed1-deal7.json`

    `tefuda hint games/mahjong-seed1-deal7.json --move 12 --worlds 5000 --json`
    """
    from tefuda.contract import Reader
    from tefuda.errors import Problem
    from tefuda.players.resolve import resolve
    from tefuda.table.evaluation import Evaluation
    from tefuda.table.opinion import opinion_of
    from tefuda.table.record import load, play_again
    from tefuda.table.session import SOMEBODY, hint_player_of, seat_titles
    from tefuda.table.starting import own_game
    from tefuda.terminal import show

    outside.language(lang)
    record = load(file)
    found = own_game(game)
    played, _ = play_again(record, file, found)
    number = move if move is not None else len(record.actions) + (not played.over)
    if number > len(record.actions) + (not played.over):
        raise Problem(f"--move is {move}, but {file} has the decisions 1 to {len(record.actions) + (not played.over)}")
    taken = record.actions[number - 1][1] if number <= len(record.actions) else None
    record.actions, record.scores = record.actions[: number - 1], None
    table, _ = play_again(record, file, found)
    view = table.view()
    entrant = resolve(table.game, player, table.rules) if player else hint_player_of(table.game, table.rules)
    opinion = opinion_of(view, entrant)
    values = _searched(Evaluation(view, entrant, seed, threads, this_round=True), worlds)
    if json:
        about = {"game": table.game.name, "rules": str(table.rules), "seat": view.seat, "move": number, "taken": taken}
        print_json(about | values.data() | {"opinion": opinion.data() if opinion else None})
        return
    screen = console()
    reader = Reader(view.seat, width=show.width_of(screen), called=seat_titles(record.players, SOMEBODY)).speaking(lang)
    names = [(valued.action, reader.label(valued.name)) for valued in sorted(values, key=lambda each: each.action)]
    screen.print(show.heading(table.game, table.rules, record.seed, record.deal, reader), **show.ONE_LINE)
    screen.print(f"{reader.names[view.seat]}, {reader.say(f'{number}手目', f'move {number}')}", soft_wrap=True)
    if opinion:
        screen.print(opinion.line(reader), soft_wrap=True, markup=False, highlight=False)
    screen.print(show.hints(table.game, values, names, reader, searches_on=False))
    if taken is not None:
        chosen = next(place for place, (action, _) in enumerate(names, start=1) if action == taken)
        screen.print(reader.say(f"指した手：{chosen}", f"taken: {chosen}"), soft_wrap=True)


def _searched(evaluation: "Evaluation", worlds: int) -> "Values":
    """Play so many worlds, and tell how far it is."""
    from tefuda.progress import Progress
    from tefuda.table.evaluation import MOST_WORLDS

    outside.whole("--worlds", worlds, 1, MOST_WORLDS)
    with Progress("hint", worlds, "worlds") as progress:
        for values in evaluation.search(most=worlds):
            progress.update(values.worlds)
    return values
