"""`tefuda match | play | replay`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tefuda import outside
from tefuda.cli import completing
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
from tefuda.errors import Interrupted, counted
from tefuda.outside import MOST_DEALS, MOST_SEED


def register(app: typer.Typer) -> None:
    app.command()(match)
    app.command()(play)
    app.command()(replay)


def match(
    game: GameName,
    players: Annotated[
        list[str],
        typer.Argument(
            help="two names or more; the last one fills the seats that are left", autocompletion=completing.players
        ),
    ],
    deals: Annotated[
        int, typer.Option(min=1, max=MOST_DEALS, help="deals; each is played in every distinct rotation")
    ] = 1000,
    seed: Seed = 1,
    rules: Preset = None,
    changes: Changes = None,
    until: Annotated[str | None, typer.Option(help="stop once the first player is shown `better` or `worse`")] = None,
    margin: Annotated[float, typer.Option(help="by how much, for --until")] = 0.1,
    threads: Threads = None,
    ray: Ray = None,
    device: Annotated[str, typer.Option(help="`cpu`, or `cuda` for compiled players on an NVIDIA GPU")] = "cpu",
    seating: Annotated[
        str | None, typer.Option(help="who sits where, A for the first player: `AABB,ABAB` is two against two")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="a folder to keep the result and its page in")] = None,
    scores: Annotated[Path | None, typer.Option(help="a file .csv or .parquet for the scores of every deal")] = None,
    json: Json = False,
) -> None:
    """Play players against each other on paired deals, seats rotated, with 95 % intervals.

    Examples:

    `tefuda match koikoi rule-based random --deals 10000`

    `tefuda match koikoi rule-based/always-stop rule-based --rules nintendo --set rounds=1`

    `tefuda match koikoi my_player.py:MyPlayer random --deals 200 --json`

    `tefuda match koikoi rule-based random --until better --margin 0.5 --deals 100000`

    `tefuda match koikoi champion rule-based --deals 10000 --out results/matches`

    `tefuda match koikoi champion rule-based --deals 1000000 --ray auto`

    `tefuda match tricks champion rule-based --rules hearts --seating AABB,ABAB --scores scores.csv`
    """
    from tefuda.arena.match import match as play_match
    from tefuda.arena.sequential import Sequential
    from tefuda.files.frames import check_place, write_columns
    from tefuda.games import find
    from tefuda.kernel.cluster import cluster_at
    from tefuda.players.resolve import entrants_of
    from tefuda.report.match import file_name

    found = find(game)
    chosen = found.rulebook.make(rules, changes)
    if scores is not None:
        check_place(scores)
    test = Sequential(found.scoring.headline_under(chosen), until, margin) if until is not None else None
    screen = console()
    entrants = entrants_of(found, players, chosen)  # a wrong name is told before anything is printed
    if test is not None and not json:
        screen.print(test.stated(), soft_wrap=True)
    keep = None
    if out is not None:
        keep = out / f"{file_name(found.name, str(chosen), players, seed)}.unfinished.npz"
    with cluster_at(ray, threads, device) as cluster:
        result = play_match(
            found, entrants, deals, seed, chosen, threads, test, device, partial=True, seating=seating, keep=keep,
            cluster=cluster,
        )  # fmt: skip
    if scores is not None:
        write_columns(scores, result.score_columns())
    pages = _keep(result, out, game, players, rules, changes, seating) if out is not None else ""
    if json:
        print_json(result.data())
    else:
        _print_match(result, screen)
        if pages:
            screen.print(pages, soft_wrap=True)
    if result.deals < deals and (result.verdict is None or result.verdict["decision"] == "undecided"):
        more = "" if out is None else ", and kept: give the same command again to go on"
        raise Interrupted(f"interrupted after {result.deals:,} of {counted(deals, 'deal')}, which are counted{more}")


def _keep(
    result: Any, out: Path, game: str, players: list[str], rules: str | None, changes: list[str] | None,
    seating: str | None,
) -> str:  # fmt: skip
    """Write the page of a match; where it is."""
    import shlex

    from tefuda.report.index import lead_to
    from tefuda.report.match import write

    words = ["tefuda", "match", game, *players, "--deals", str(result.deals), "--seed", str(result.seed)]
    words += ["--rules", rules] if rules else []
    for change in changes or []:
        words += ["--set", change]
    words += ["--seating", seating] if seating else []
    page = write(result, out, shlex.join([*words, "--out", str(out)]))
    return f"page: {page}{all_results(lead_to(page))}"


def _print_match(result: Any, screen: Any) -> None:
    headline = result.game.scoring.headline_under(result.rules)
    rows = []
    for row in result.rows:
        seats = "  ".join(f"{seat.mean:+.{headline.digits}f}" for seat in row.seats)
        win, draw = f"{100 * row.win.mean:.1f} %", f"{100 * row.draw.mean:.1f} %"
        a_round = [row.a_round.text(headline.digits)] if row.a_round else []
        rows.append([row.name, row.figure.text(headline.digits), *a_round, win, draw, seats])
    more = ["a round"] if any(row.a_round for row in result.rows) else []
    columns = ["player", headline.name, *more, "wins", "draws", "by seat, first to last"]
    numbers = set(range(1, len(columns) - 1))
    screen.print(table(f"{result.game.title}, rules {result.rules}", columns, rows, numbers))
    if result.differences:
        apart = [[f"{each.player} − {each.minus}", each.figure.text(headline.digits)] for each in result.differences]
        screen.print(table("Differences on the same deals", ["players", headline.name], apart, {1}))
    rate = result.decisions / result.seconds if result.seconds > 0 else 0.0
    screen.print(
        f"{counted(result.deals, 'deal')} × {counted(result.rotations, 'rotation')}  seed {result.seed}  "
        f"commit {result.commit}  "
        f"({counted(result.decisions, 'decision')} in {result.seconds:.1f} s, {rate:,.0f} a second)",
        soft_wrap=True,
    )
    if result.verdict is not None:
        verdict = result.verdict
        screen.print(
            f"test: {result.rows[0].name} is {verdict['decision']} after {counted(verdict['deals'], 'deal')} "
            f"(log likelihood ratio {verdict['log_likelihood_ratio']:+.2f})",
            soft_wrap=True,
        )
    details = [row for row in result.rows if row.more]
    if details:
        print_details(details, result.game.statistics.shares, screen)


def print_details(rows: list[Any], shares: frozenset[str], screen: Any, title_of_all: str = "More") -> None:
    """The game's own statistics side by side, by the `name` and `more` of each row: single figures, then those that
    come as a group."""
    lines: list[list[str]] = []
    for key, value in rows[0].more.items():
        title = key.replace("_", " ")
        if isinstance(value, dict):
            for inner in value:
                if any(row.more[key][inner] for row in rows):  # what never happened would only fill the screen
                    lines.append(
                        [
                            f"{inner} {title}" if inner.isdecimal() else inner,
                            *(_percent(row.more[key][inner]) for row in rows),
                        ]
                    )
        else:
            lines.append([title, *(_figure(row.more[key], key in shares) for row in rows)])
    columns = ["", *(row.name for row in rows)]
    screen.print(table(title_of_all, columns, lines, set(range(1, len(columns)))))


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _figure(value: int | float | None, share: bool) -> str:
    if value is None:
        return "–"
    if share:
        return _percent(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            help="a game of `tefuda games`, or the path of one of your own", autocompletion=completing.games
        ),
    ] = None,
    opponents: Annotated[
        list[str] | None, typer.Argument(help="who plays the other seats", autocompletion=completing.players)
    ] = None,
    seed: Seed = 1,
    deal: Annotated[
        int | None, typer.Option(min=0, max=MOST_SEED, help="the number of the deal; a new one when not given")
    ] = None,
    seat: Annotated[int, typer.Option(min=0, help="your seat; 0 begins")] = 0,
    rules: Preset = None,
    changes: Changes = None,
    lang: Annotated[str, typer.Option(help="`ja`, `en`, or `both`")] = "both",
    resume: Annotated[Path | None, typer.Option(help="go on with a game that was left")] = None,
    record: Annotated[Path | None, typer.Option(help="file for the record; one in games/ when not given")] = None,
) -> None:
    """Sit down at a table in the terminal. `?` gives a hint, `u` the cards not yet seen, `h` all commands.

    Examples:

    `tefuda play koikoi`

    `tefuda play koikoi pg-linear-tuned --deal 7 --lang ja`

    `tefuda play koikoi --rules nintendo --seat 1`

    `tefuda play --resume games/koikoi-seed1-deal7.json`

    `tefuda play path/to/my_game --resume games/my_game-seed1-deal7.json`
    """
    from tefuda.errors import Problem
    from tefuda.table.session import Session
    from tefuda.table.starting import begin, own_game
    from tefuda.terminal.play import run

    outside.language(lang)
    if resume is not None:
        run(Session.resume(resume, own_game(game)), lang)
        return
    if game is None:
        raise Problem("name a game, as in `tefuda play koikoi`, or a record with --resume")
    run(begin(game, opponents or [], seed, deal, seat, rules, changes or [], record), lang)


def replay(
    file: Annotated[Path, typer.Argument(help="a record that `tefuda play` wrote")],
    lang: Annotated[str, typer.Option(help="`ja`, `en`, or `both`")] = "both",
    step: Annotated[bool, typer.Option(help="wait for Enter after every move")] = False,
    game: Annotated[str | None, typer.Option(help="the path of the game, when it is one of your own")] = None,
    out: Annotated[Path | None, typer.Option(help="write one page to watch it, which opens without a server")] = None,
    json: Json = False,
) -> None:
    """Show a recorded game move by move. A page is written of records of other programs too.

    Examples:

    `tefuda replay games/koikoi-seed1-deal7.json --step`

    `tefuda replay log.xml.gz --out game.html`
    """
    from tefuda.table.starting import own_game

    outside.language(lang)
    if out is not None:
        _write_page(file, game, out, json)
        return
    if json:
        from dataclasses import asdict

        from tefuda.table.record import load, play_again

        record = load(file)
        play_again(record, file, own_game(game))
        print_json(asdict(record))
        return
    from tefuda.terminal.replay import replay as show

    show(file, lang, step, own_game(game))


def _write_page(file: Path, game: str | None, out: Path, json: bool) -> None:
    """A recorded game as one page."""
    from tefuda.records.played import played_in
    from tefuda.web.standalone import write_game

    played = played_in(file, game)
    write_game(outside.place("--out", out), played)
    if json:
        print_json({"file": str(out), "game": played.game.name, "decisions": len(played.steps)})
        return
    console().print(f"{len(played.steps):,} decisions of {played.game.name}: {out}", soft_wrap=True)
