"""`tefuda records verify | convert | rates`, and `tefuda mjai`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.common import Changes, Json, Preset, Seed, Threads, console, print_json
from tefuda.outside import is_there

records = typer.Typer(
    help="""Records of other programs: replay them by the rules, write them in other formats, and count in them.

Examples:

`tefuda records verify games/*.json log.xml.gz`

`tefuda records convert log.xml game.json --to tenhou6`

`tefuda records rates log.xml.gz`
""",
    no_args_is_help=True,
)
OfGame = Annotated[str | None, typer.Option("--game", help="the game, when the files do not tell it")]


def register(app: typer.Typer) -> None:
    records.command()(verify)
    records.command()(convert)
    records.command()(rates)
    app.add_typer(records, name="records")
    app.command()(mjai)


Files = Annotated[list[Path], typer.Argument(help="records: mjlog, mjai, tenhou/6, or our own; .gz, .xz and .bz2 too")]


def verify(
    files: Files,
    game: OfGame = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Replay records by the rules, and report each disagreement. A file may hold many, one after another.

    Every action must be legal, and everything that a record states must be what the replay gives: called sets and whom
    they came from, hands that are shown, indicators, yaku, points, payments, the end of each deal and of the match.

    Example: `tefuda records verify games/*.json log.xml.gz`
    """
    import time
    from dataclasses import asdict

    from tefuda.errors import Problem, counted
    from tefuda.progress import Progress
    from tefuda.records import foreign

    size = sum(file.stat().st_size for file in files if is_there(file, file=True))
    began = time.monotonic()
    with Progress("verifying", size / 1000, "kB") as progress:
        tally = foreign.verify(files, game, threads, lambda done: progress.update(done / 1000))
    seconds = time.monotonic() - began
    if json:
        print_json(
            {
                "games": tally.games, **tally.counts, "seconds": seconds,
                "disagreements": [asdict(each) for each in tally.disagreements], "unreadable": tally.unreadable,
            }
        )  # fmt: skip
    else:
        for line in (*map(str, tally.disagreements), *tally.unreadable):
            print(line)
        counts = {"games": tally.games, **tally.counts, "disagreements": len(tally.disagreements)}
        if tally.unreadable:
            counts["not readable"] = len(tally.unreadable)
        rate = tally.games / seconds if seconds > 0 else 0.0
        print(
            ", ".join(counted(number, what.removesuffix("s"), what) for what, number in counts.items())
            + f" ({seconds:.1f} s, {rate:,.0f} games a second)"
        )
    wrong = [counted(len(tally.disagreements), "disagreement")] if tally.disagreements else []
    wrong += [f"{len(tally.unreadable)} not readable: {tally.unreadable[0]}"] if tally.unreadable else []
    if wrong:
        raise Problem(f"the records do not all agree with the rules: {'; '.join(wrong)}")


def convert(
    source: Annotated[Path, typer.Argument(help="a file of records, as for verify")],
    target: Annotated[Path, typer.Argument(help="the file to write; packed when it ends in .gz, .xz or .bz2")],
    to: Annotated[str | None, typer.Option(help="the format, where the file's name does not tell it")] = None,
    game: OfGame = None,
    json: Json = False,
) -> None:
    """Write records in another format: `mjai`, `mjlog`, or `tenhou6`, which viewers and reviewers of mahjong open.

    Only what agrees with the rules is written, and what was written can be verified again.

    Examples:

    `tefuda records convert games/mahjong-seed1-deal7.json game.mjai`

    `tefuda records convert log.xml game.json --to tenhou6`
    """
    from tefuda.records import foreign

    number = foreign.convert(source, target, to, game)
    if json:
        print_json({"games": number, "file": str(target)})
        return
    console().print(f"{number:,} written to {target}", soft_wrap=True)


def rates(
    files: Files,
    by_name: Annotated[bool, typer.Option("--by-name", help="count each player by name, too")] = False,
    game: OfGame = None,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Count in records what a match counts beside the scores: in mahjong how often a deal is won or dealt in, with
    riichi or called tiles, and what it brings.

    All seats are counted together. `tefuda match` counts the same for players of ours. Examples:

    `tefuda records rates log.xml.gz`

    `tefuda records rates games/*.json --by-name`
    """
    from types import SimpleNamespace

    from tefuda import games
    from tefuda.cli.playing import print_details
    from tefuda.errors import Problem, counted
    from tefuda.progress import Progress
    from tefuda.records.rates import rates as count

    size = sum(file.stat().st_size for file in files if is_there(file, file=True))
    with Progress("counting", size / 1000, "kB") as progress:
        found = count(files, game, by_name, threads, lambda done: progress.update(done / 1000))
    rows = [SimpleNamespace(name=name, more=found.summary(name)) for name in found.names]
    if json:
        told = {row.name: row.more for row in rows}
        print_json({"game": found.game, "records": found.records, "players": told, "unreadable": found.unreadable})
    elif rows:
        for line in found.unreadable:
            print(line)
        title = f"{games.find(found.game).title}: {counted(found.records, 'record')}"
        print_details(rows, games.find(found.game).statistics.shares, console(), title)
    if found.unreadable:
        raise Problem(f"{counted(len(found.unreadable), 'record')} not readable: {found.unreadable[0]}")


def mjai(
    player: Annotated[str, typer.Option(help="a compiled player of `tefuda players mahjong`")] = "champion",
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="the seat, when start_game has no id")] = None,
    rules: Preset = None,
    changes: Changes = None,
    seed: Seed = 1,
) -> None:
    """Play mahjong as an mjai bot: events on standard input, an action for each line on standard output.

    Example: `tefuda mjai --player champion`
    """
    from io import TextIOWrapper

    from tefuda.interop.mjai import serve

    if isinstance(sys.stdin, TextIOWrapper):  # JSON is UTF-8, whatever the terminal is
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    serve(player, rules, changes or [], seed, seat, sys.stdin, sys.stdout, sys.stderr)
