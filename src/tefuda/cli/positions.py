"""`tefuda positions`."""

from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.common import GameName, Json, Ray, Seed, Threads, console, print_json

MOST_DEALS = 1_000_000_000
FOLDER = Path("results/positions")


def register(app: typer.Typer) -> None:
    app.command()(positions)


def positions(
    game: GameName,
    out: Annotated[Path, typer.Option(help="folder for the files, each with the positions of 10,000 deals")] = FOLDER,
    deals: Annotated[
        int, typer.Option(min=1, max=MOST_DEALS, help="deals to play, of which each gives one position at most")
    ] = 100_000,
    player: Annotated[str | None, typer.Option(help="who plays; the usual one when not given")] = None,
    opponent: Annotated[
        str | None, typer.Option(help="who sits in the other seats; the usual one when not given")
    ] = None,
    exploring: Annotated[
        str,
        typer.Option(
            help="the action before a position: `random`, `never` (the player's own), or `calls` (random, and "
            "in every other deal at a chance to call)"
        ),
    ] = "random",
    seed: Seed = 1,
    device: Annotated[str, typer.Option(help="`cpu`, or `cuda` for an NVIDIA GPU; the positions are the same")] = "cpu",
    threads: Threads = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Make positions by self-play, as Parquet: what one seat has after a random action, and what came of it.

    A position depends on the seed and its number alone. Interrupted (Ctrl-C, or killed), or stopped by a full disk, the
    same command goes on behind the last whole file.

    Examples:

    `tefuda positions mahjong --deals 50000 --out results/positions`

    `tefuda positions mahjong --opponent tsumogiri --deals 10000000 --device cuda --out results/tsumogiri`

    `tefuda positions mahjong --deals 130000000 --ray auto --out results/positions`

    `tefuda positions mahjong --exploring calls --deals 50000 --out results/calls`

    `tefuda train mahjong han --arg positions=results/positions --arg deals=50000`
    """
    from tefuda import outside
    from tefuda.errors import Interrupted, Problem
    from tefuda.games import find
    from tefuda.kernel.cluster import cluster_at
    from tefuda.learn import position_files
    from tefuda.learn.method import compiled_player

    found = find(game)
    sampled = found.learning.sampled
    if sampled is None:
        raise Problem(f"{found.name} samples no positions")
    outside.device(device)
    sampled = sampled.exploring_by(exploring)
    rules = found.rulebook.make()  # of the names; the game says by which rules positions are played
    seats = tuple(
        compiled_player(found, name or usual, rules)
        for name, usual in ((player, sampled.player), (opponent, sampled.opponent))
    )
    try:
        with cluster_at(ray, threads, device) as cluster:
            made = position_files.make(found, sampled, (seats[0], seats[1]), seed, deals, out, threads, device, cluster)
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; the files stand in {out}: give the same command again to go on") from None
    if json:
        print_json({"folder": str(out), "seed": seed, "player": seats[0].name, "opponent": seats[1].name,
                    "exploring": exploring, **made})  # fmt: skip
        return
    console().print(
        f"{out}: {made['positions']:,} positions of {made['deals']:,} deals in {made['files']:,} files "
        f"({made['files there before']:,} were there)  {seats[0].name} against {seats[1].name}  seed {seed}",
        soft_wrap=True,
    )
