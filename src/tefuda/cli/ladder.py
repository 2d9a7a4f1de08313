"""`tefuda ladder`."""

import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from tefuda.cli.common import (
    Changes,
    GameName,
    Json,
    Preset,
    Ray,
    Seed,
    Threads,
    all_results,
    console,
    print_json,
    table,
)
from tefuda.outside import MOST_DEALS

FOLDER = Path("results/ladder")
NARROW = 8  # columns that a cell of the cross table takes


def register(app: typer.Typer) -> None:
    app.command()(ladder)


def ladder(
    game: GameName,
    players: Annotated[str | None, typer.Option(help="the players, as in --players a,b,c; all when not given")] = None,
    add: Annotated[list[str] | None, typer.Option(help="a player more: a policy file, say, or one of your own")] = None,
    again: Annotated[
        list[str] | None,
        typer.Option(help="a player whose code has changed: its cells of other commits are played anew"),
    ] = None,
    deals: Annotated[
        int, typer.Option(min=2, max=MOST_DEALS, help="deals a cell; each is played in every distinct rotation")
    ] = 1000,
    slow_deals: Annotated[
        int | None,
        typer.Option(
            min=2, max=MOST_DEALS, help="deals of cells with a player that searches or is not compiled; a tenth"
        ),
    ] = None,
    seed: Seed = 1,
    rules: Preset = None,
    changes: Changes = None,
    out: Annotated[Path, typer.Option(help="folder for the table (JSON), its page and its heat map")] = FOLDER,
    threads: Threads = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Play every player against every other: a cross table with 95 % intervals, and ratings.

    Interrupted (Ctrl-C, or killed), the same command goes on where it stopped. A new player adds a row and a column,
    and only those are played; so too for a policy that was trained again. A change of code is not seen: name the
    players by --again.

    Examples:

    `tefuda ladder koikoi`

    `tefuda ladder tricks --rules hearts --deals 10000 --slow-deals 200`

    `tefuda ladder koikoi --add results/mine/policy.npz --add my_player.py:Collector`
    """
    from tefuda.arena.ladder import begin
    from tefuda.errors import Interrupted, counted
    from tefuda.games import find
    from tefuda.kernel.cluster import cluster_at
    from tefuda.report.index import lead_to
    from tefuda.report.ladder import write

    found = find(game)
    chosen = found.rulebook.make(rules, changes)
    names = [name for name in (players or "").split(",") if name]
    cross_table = begin(found, chosen, seed, out, names, add or [], again or [])
    slower = slow_deals or max(2, deals // 10)
    cross_table.command = _command(game, players, add, deals, slower, seed, rules, changes, out)
    interrupted = False
    try:
        with cluster_at(ray, threads) as cluster:
            cross_table.play(deals, slower, threads, cluster)
    except KeyboardInterrupt:
        interrupted = True
    left, whole = len(cross_table.missing(deals, slower)), len(cross_table.pairs())
    if interrupted and left == whole:
        raise KeyboardInterrupt
    cross_table.write()
    written = write(cross_table)
    leads = lead_to(out)
    if json:
        print_json(cross_table.data())
    else:
        _print(cross_table, written, leads)
    if interrupted:
        raise Interrupted(
            f"interrupted after {whole - left} of {counted(whole, 'match', 'matches')}, "
            f"which are kept in {cross_table.path}: "
            "give the same command again to go on"
        )


def _command(
    game: str,
    players: str | None,
    add: list[str] | None,
    deals: int,
    slow_deals: int,
    seed: int,
    rules: str | None,
    changes: list[str] | None,
    out: Path | None,
) -> str:
    """The command that makes this very table, with all that is chosen by default said."""
    words = ["tefuda", "ladder", game, "--deals", str(deals), "--slow-deals", str(slow_deals), "--seed", str(seed)]
    words += ["--rules", rules] if rules else []
    for change in changes or []:
        words += ["--set", change]
    words += ["--players", players] if players else []
    for name in add or []:
        words += ["--add", name]
    return shlex.join([*words, "--out", str(out)])


def _print(ladder: Any, written: list[Path], leads: Path | None) -> None:
    screen = console()
    headline = ladder.game.scoring.headline_under(ladder.rules)
    standings, misfit = ladder.rated()
    title = f"{ladder.game.title}, rules {ladder.rules}: advantage in {headline.name}"
    deals = {player.name: ladder.deals_of(player) for player in ladder.players}
    differ = len({number for numbers in deals.values() for number in numbers}) > 1
    rows = []
    for place, each in enumerate(standings, 1):
        figures = [figure.text(headline.digits) if figure else "–" for figure in (each.rating, each.against_all)]
        figures += [" or ".join(f"{number:,}" for number in deals[each.name]) or "–"] if differ else []
        rows.append([str(place), each.name, *figures])
    columns = ["", "player", "rating", "mean over all others", *(["deals a cell"] if differ else [])]
    screen.print(table(title, columns, rows, {0, 2, 3, 4}))
    _print_cells(ladder, [each.name for each in standings], screen)
    if misfit is not None:
        screen.print(
            f"One number a player leaves {misfit:.{headline.digits}f} a cell unexplained.  seed {ladder.seed}",
            soft_wrap=True,
        )
    pages = [path for path in written if path.suffix in (".md", ".png") and path.stem == ladder.path.stem]
    shown = "   figure: ".join(map(str, reversed(pages)))
    screen.print(f"table: {ladder.path}   page: {shown}{all_results(leads)}", soft_wrap=True)


def _print_cells(ladder: Any, names: list[str], screen: Any) -> None:
    """The advantage of each row over each column, where the screen is wide enough."""
    longest = max(map(len, names))
    if longest + 6 + NARROW * len(names) > screen.width:
        return
    players = {player.name: player for player in ladder.players}
    digits = min(2, ladder.game.scoring.headline_under(ladder.rules).digits - 1)
    rows = []
    for place, name in enumerate(names, 1):
        found = [ladder.advantage(players[name], players[other]) for other in names]
        rows.append([str(place), name, *(f"{each.mean:+.{digits}f}" if each else "–" for each in found)])
    columns = ["", "against", *(str(place) for place in range(1, len(names) + 1))]
    screen.print(table("Cells", columns, rows, {0, *range(2, len(columns))}))
