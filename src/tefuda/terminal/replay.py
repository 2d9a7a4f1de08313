"""A record shown move by move: as one long text, or step by step with the table before one's eyes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

from tefuda.contract import Game, Name, Reader
from tefuda.table.record import PERSON, GameRecord, Step, load, play_again, resume_command
from tefuda.table.scene import said_of, scene_of
from tefuda.table.session import SOMEBODY, seat_titles
from tefuda.table.table import Table
from tefuda.terminal import show
from tefuda.terminal.commands import plain
from tefuda.terminal.drawing import draw

_MOVE, _OVER, _UNFINISHED = Name("手", "move"), Name("終わり", "over"), Name("途中まで", "not finished")


def replay(
    path: Path, lang: str = "both", step: bool = False, game: Game | None = None,
    read: Callable[[str], str] = input, console: Console | None = None,
) -> None:  # fmt: skip
    """Show a record, once all of it has been checked. `game` is needed only for one of one's own."""
    console = console or Console(highlight=False, markup=False, emoji=False)
    record = load(path)
    table, steps = play_again(record, path, game)
    called = seat_titles(record.players, SOMEBODY)
    reader = Reader(width=show.width_of(console), called=called).speaking(lang)
    if step:
        _step_through(record, table, steps, path, reader, read, console)
    else:
        _tell_all(record, table, steps, reader, console)
        _tell_end(record, table, path, reader, console)


def _dealt(table: Table) -> np.ndarray:
    """The table before its first move."""
    return Table(table.game, table.rules, table.seed, table.deal).states


def _head(record: GameRecord, table: Table, reader: Reader, console: Console, more: str = "") -> None:
    """What was played, and by whom."""
    game, width = table.game, reader.width
    console.print(show.heading(game, table.rules, record.seed, record.deal, reader, more), width=width, **show.ONE_LINE)
    who = "   ".join(
        f"{name} = {player}" if player not in (name, PERSON) else name
        for name, player in zip(reader.names, record.players, strict=True)
    )
    console.print(Text(f"{who}   {record.commit}", "dim"), width=width)


def _tell_all(record: GameRecord, table: Table, steps: list[Step], reader: Reader, console: Console) -> None:
    """Every round: the cards that were dealt, then the moves in words."""
    _head(record, table, reader, console)
    game, width, start = table.game, reader.width, 0
    console.print(draw(scene_of(game, _dealt(table), reader), reader), width=width)
    said = [said_of(game, step, reader) for step in steps]
    for position, each in enumerate(said, start=1):
        last = position == len(said)
        if last or each.results:
            console.print()
            console.print(show.story(said[start:position], reader, first=start + 1), width=width)
            console.print()
            start = position
            if not last:
                console.print(draw(scene_of(game, steps[position - 1].after, reader), reader), width=width)


def _step_through(
    record: GameRecord, table: Table, steps: list[Step], path: Path, reader: Reader,
    read: Callable[[str], str], console: Console,
) -> None:  # fmt: skip
    """One move at a time, forward and back; behind the last one comes the result."""
    position, game, width = 0, table.game, reader.width
    prompt = reader.say("Enter 次、b 前、番号、q 終了", "Enter next, b back, a number, q quit") + " > "
    while True:
        if console.is_terminal:
            console.clear()
        where = f"{reader.label(_MOVE)} {position}/{len(steps)}"
        _head(record, table, reader, console, where)
        states = steps[position - 1].after if position else _dealt(table)
        scene = scene_of(game, states, reader, steps[max(position - 1, 0) : position], position, moved=False)
        console.print(draw(scene, reader), width=width)
        console.print()
        if position:
            console.print(show.story(scene.said, reader, position), width=width)
        if position == len(steps):
            console.print()
            _tell_end(record, table, path, reader, console)
        try:
            typed = plain(read(prompt))
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if typed in ("q", "quit", "終了") or (not typed and position == len(steps)):
            return
        if typed.isdigit():
            position = min(int(typed), len(steps))
        else:
            position = max(0, position - 1) if typed in ("b", "back") else min(position + 1, len(steps))


def _tell_end(record: GameRecord, table: Table, path: Path, reader: Reader, console: Console) -> None:
    """The result, or that there is none yet."""
    if table.over:
        line = f"{reader.label(_OVER)}   {show.score_line(table.scores, reader)}"
        console.print(Text(line, "bold"), width=reader.width)
        return
    console.print(Text(f"{reader.label(_UNFINISHED)} ({len(record.actions)})", "bold"), width=reader.width)
    console.print(Text("  " + resume_command(record, path)), soft_wrap=True)
