"""`tefuda match | play | replay`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tefuda.cli.common import Changes, GameName, Json, Preset, Seed, Threads, all_results, console, print_json, table
from tefuda.log import log

if TYPE_CHECKING:
    from tefuda.contract import Game  # it loads Numba, which takes its time


def register(app: typer.Typer) -> None:
    app.command()(match)
    app.command()(play)
    app.command()(replay)


def match(
    game: GameName,
    players: Annotated[list[str], typer.Argument(help="a name for every seat; the last one fills what is left")],
    deals: Annotated[int, typer.Option(min=1, help="deals; each is played in every distinct rotation")] = 1000,
    seed: Seed = 1,
    rules: Preset = None,
    changes: Changes = None,
    until: Annotated[str | None, typer.Option(help="stop once the first player is shown `better` or `worse`")] = None,
    margin: Annotated[float, typer.Option(help="by how much, for --until")] = 0.1,
    threads: Threads = None,
    device: Annotated[str, typer.Option(help="`cpu`, or `cuda` for compiled players on an NVIDIA GPU")] = "cpu",
    out: Annotated[Path | None, typer.Option(help="a folder to keep the result and its page in")] = None,
    json: Json = False,
) -> None:
    """Play players against each other on paired deals, seats rotated, with 95 % intervals.

    Examples:

    `tefuda match koikoi rule-based random --deals 10000`

    `tefuda match koikoi rule-based/always-stop rule-based --rules nintendo --set rounds=1`

    `tefuda match koikoi my_player.py:MyPlayer random --deals 200 --json`

    `tefuda match koikoi rule-based random --until better --margin 0.5 --deals 100000`

    `tefuda match koikoi champion rule-based --deals 10000 --out results/matches`
    """
    from tefuda.arena.match import match as play_match
    from tefuda.arena.sequential import Sequential
    from tefuda.games import find
    from tefuda.players.resolve import resolve

    found = find(game)
    chosen = found.rulebook.make(rules, changes or [])
    test = Sequential(found.scoring.headline_under(chosen), until, margin) if until is not None else None
    screen = console()
    for name in dict.fromkeys(players):
        resolve(found, name, chosen)  # a wrong name is told before anything is printed
    if test is not None and not json:
        screen.print(test.stated(), soft_wrap=True)
    result = play_match(found, players, deals, seed, chosen, threads, test, device, partial=True)
    if result.deals < deals and (result.verdict is None or result.verdict["decision"] == "undecided"):
        log.warning(f"interrupted after {result.deals} of {deals} deals, which are counted")
    pages = _keep(result, out, game, players, rules, changes) if out is not None else ""
    if json:
        print_json(result.data())
        return
    _print_match(result, screen)
    if pages:
        screen.print(pages, soft_wrap=True)


def _keep(result: Any, out: Path, game: str, players: list[str], rules: str | None, changes: list[str] | None) -> str:
    """Write the page of a match; where it is."""
    import shlex

    from tefuda.report.index import lead_to
    from tefuda.report.match import write

    words = ["tefuda", "match", game, *players, "--deals", str(result.deals), "--seed", str(result.seed)]
    words += ["--rules", rules] if rules else []
    for change in changes or []:
        words += ["--set", change]
    page = write(result, out, shlex.join([*words, "--out", str(out)]))
    return f"page: {page}{all_results(lead_to(page))}"


def _print_match(result: Any, screen: Any) -> None:
    headline = result.game.scoring.headline_under(result.rules)
    rows = []
    for row in result.rows:
        seats = "  ".join(f"{seat.mean:+.{headline.digits}f}" for seat in row.seats)
        win, draw = f"{100 * row.win.mean:.1f} %", f"{100 * row.draw.mean:.1f} %"
        rows.append([row.name, row.figure.text(headline.digits), win, draw, seats])
    columns = ["player", headline.name, "wins", "draws", "by seat, first to last"]
    screen.print(table(f"{result.game.title}, rules {result.rules}", columns, rows, {1, 2, 3}))
    rate = result.decisions / result.seconds if result.seconds > 0 else 0.0
    screen.print(
        f"{result.deals:,} deals × {result.rotations} rotations  seed {result.seed}  commit {result.commit}  "
        f"({result.seconds:.1f} s, {rate:,.0f} decisions a second)",
        soft_wrap=True,
    )
    if result.verdict is not None:
        verdict = result.verdict
        screen.print(
            f"test: {result.rows[0].name} is {verdict['decision']} after {verdict['deals']:,} deals "
            f"(log likelihood ratio {verdict['log_likelihood_ratio']:+.2f})",
            soft_wrap=True,
        )
    details = [row for row in {row.name: row for row in result.rows}.values() if row.more]
    if details:
        _print_details(details, result.game.statistics.shares, screen)


def _print_details(rows: list[Any], shares: frozenset[str], screen: Any) -> None:
    """The game's own statistics side by side: single figures, then those that come as a group."""
    lines: list[list[str]] = []
    for key, value in rows[0].more.items():
        if isinstance(value, dict):
            for inner in value:
                if any(row.more[key][inner] for row in rows):  # what never happened would only fill the screen
                    lines.append([inner, *(_percent(row.more[key][inner]) for row in rows)])
        else:
            lines.append([key.replace("_", " "), *(_figure(row.more[key], key in shares) for row in rows)])
    columns = ["", *(row.name for row in rows)]
    screen.print(table("More", columns, lines, set(range(1, len(columns)))))


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def _figure(value: int | float | None, share: bool) -> str:
    if value is None:
        return "–"
    if share:
        return _percent(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def play(
    game: Annotated[str | None, typer.Argument(help="a game of `tefuda games`, or the path of one of your own")] = None,
    opponents: Annotated[list[str] | None, typer.Argument(help="who plays the other seats")] = None,
    seed: Seed = 1,
    deal: Annotated[int | None, typer.Option(min=0, help="the number of the deal; a new one when not given")] = None,
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
    """
    from tefuda.table.session import Session
    from tefuda.terminal.play import run

    check_language(lang)
    if resume is not None:
        run(Session.resume(resume, own_game(game)), lang)
        return
    run(_begin(game, opponents or [], seed, deal, seat, rules, changes or [], record), lang)


def _begin(
    game: str | None,
    opponents: list[str] | None,
    seed: int,
    deal: int | None,
    seat: int,
    rules: str | None,
    changes: list[str] | None,
    record: Path | None,
) -> Any:
    """A new session: the person in one seat, players in the others."""
    import secrets

    from tefuda.errors import Problem
    from tefuda.games import find
    from tefuda.players.resolve import resolve
    from tefuda.table.record import fresh_path
    from tefuda.table.session import Session

    if game is None:
        raise Problem("name a game, as in `tefuda play koikoi`, or a record with --resume")
    found = find(game)
    if seat >= found.seats:
        raise Problem(f"--seat is {seat}, but {found.name} has the seats 0 to {found.seats - 1}")
    names = opponents or [found.players.default_opponent]
    if len(names) > found.seats - 1:
        raise Problem(f"{found.name} has {found.seats - 1} other seats, but {len(names)} opponents were named")
    names = names + [names[-1]] * (found.seats - 1 - len(names))
    chosen = found.rulebook.make(rules, changes or [])
    entrants: list = [resolve(found, name, chosen) for name in names]
    entrants.insert(seat, None)
    number = secrets.randbelow(1_000_000) if deal is None else deal
    path = record or fresh_path(Path("games"), found, seed, number)
    source = game if own_game(game) is not None else None
    return Session.start(found, entrants, path, chosen, seed, number, source=source)


def own_game(game: str | None) -> "Game | None":
    """A game of the user's own, given by its path; None for one that comes with the package."""
    from tefuda.games import find, names

    return find(game) if game is not None and game not in names() else None


def check_language(lang: str) -> None:
    from tefuda.errors import unknown

    if lang not in ("ja", "en", "both"):
        raise unknown("language", lang, ("ja", "en", "both"))


def replay(
    file: Annotated[Path, typer.Argument(help="a record that `tefuda play` wrote")],
    lang: Annotated[str, typer.Option(help="`ja`, `en`, or `both`")] = "both",
    step: Annotated[bool, typer.Option(help="wait for Enter after every move")] = False,
    game: Annotated[str | None, typer.Option(help="the path of the game, when it is one of your own")] = None,
    json: Json = False,
) -> None:
    """Show a recorded game move by move.

    Example: `tefuda replay games/koikoi-seed1-deal7.json --step`
    """
    check_language(lang)
    if json:
        from dataclasses import asdict

        from tefuda.table.record import load, play_again

        record = load(file)
        play_again(record, file, own_game(game))
        print_json(asdict(record))
        return
    from tefuda.terminal.replay import replay as show

    show(file, lang, step, own_game(game))
