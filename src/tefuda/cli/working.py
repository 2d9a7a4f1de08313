"""`tefuda train | reproduce | bench | check`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tefuda.cli import completing
from tefuda.cli.common import (
    Changes,
    ExperimentSeed,
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
from tefuda.errors import counted
from tefuda.outside import LEAST_SECONDS, MOST_DEALS, MOST_SECONDS


def register(app: typer.Typer) -> None:
    app.command()(train)
    app.command()(reproduce)
    app.command()(bench)
    app.command()(check)


def train(
    game: GameName,
    learner: Annotated[str, typer.Argument(help="what to learn: see --list", autocompletion=completing.learners)] = "",
    arguments: Annotated[list[str] | None, typer.Option("--arg", help="an argument, as in --arg episodes=1000")] = None,
    out: Annotated[Path, typer.Option(help="folder for checkpoint, curve and policy")] = Path("results/train"),
    seed: Seed = 1,
    rules: Preset = None,
    changes: Changes = None,
    deals: Annotated[int, typer.Option(min=0, max=MOST_DEALS, help="deals to measure the result on; 0: none")] = 2000,
    listing: Annotated[bool, typer.Option("--list", help="list the learners and their arguments")] = False,
    device: Annotated[str, typer.Option(help="`cpu`, or `cuda` for an NVIDIA GPU (learners of networks)")] = "cpu",
    threads: Threads = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Train a player. Interrupted (Ctrl-C, or killed), the same command goes on where it stopped.

    Examples:

    `tefuda train koikoi --list`

    `tefuda train koikoi pg-linear --arg opponent=rule-based --out results/pg`

    `tefuda train koikoi self-play --rules nintendo --arg also=random:64 --arg goal=place --out results/all`

    `tefuda train koikoi self-play --arg actors=64 --arg lanes=4096 --ray auto --device cuda --out results/net`

    `tefuda match koikoi results/pg/policy.npz rule-based`
    """
    from tefuda.games import find
    from tefuda.learn import training

    found = find(game)
    if listing or not learner:
        _list_learners(found, json)
        return
    chosen = found.rulebook.make(rules, changes)
    card = training.train(found, learner, arguments or [], out, seed, chosen, deals, threads, device, ray)
    made = out / training.offers(found, chosen)[learner][1].file
    if json:
        from dataclasses import asdict

        print_json({"file": str(made), **asdict(card)})
        return
    screen = console()
    for each in card.strength:
        screen.print(
            f"{learner} vs {each['opponent']}  {found.name}  {each['mean']:+.3f} ± "
            f"{(each['high'] - each['low']) / 2:.3f} {each['figure']}  {counted(each['deals'], 'deal')} × "
            f"{counted(each['rotations'], 'seat')}  seed {each['seed']}  commit {card.commit}",
            soft_wrap=True,
        )
    for each in card.agreement:
        partly = f" (and in part {each['partly']:,})" if each["partly"] else ""
        screen.print(
            f"agreement on {each['sort']}: {100 * each['rate']:.1f} %, {each['right']:,}{partly} of "
            f"{each['decisions']:,} in games that were not learned from",
            soft_wrap=True,
        )
    screen.print(f"{made.stem}: {made}   curve: {out / 'curve.csv'}", soft_wrap=True)


def _list_learners(game: Any, json: bool) -> None:
    from tefuda.learn import training

    described = training.describe(game)
    if json:
        print_json(described)
        return
    for name, entry in described.items():
        rows = [[each["name"], str(each["default"]), each["meaning"]] for each in entry["arguments"]]
        console().print(table(f"{name}: {entry['about']}", ["argument", "default", "meaning"], rows))
    if not described:
        console().print(f"{game.name} has nothing to train yet")


def reproduce(
    paper: Annotated[str, typer.Argument(help="a paper, named after its game: koikoi, mahjong, saichugen or tricks")],
    scale: Annotated[
        str, typer.Option(help="`headline` (the main figures), `quick` (minutes) or `paper` (the full size)")
    ] = "quick",
    out: Annotated[Path | None, typer.Option(help="folder for the report; results/PAPER-SCALE when not given")] = None,
    seed: ExperimentSeed = 1,
    threads: Threads = None,
    records: Annotated[
        Path | None, typer.Option(help="records of strong players, for mahjong: some experiments then use them too")
    ] = None,
    json: Json = False,
) -> None:
    """Run a paper's experiments and write a page with every published figure beside ours.

    Examples: `tefuda reproduce koikoi --scale quick`, then open results/koikoi-quick/index.html

    `tefuda reproduce mahjong --records hanchan.tsv.xz`
    """
    from tefuda import papers
    from tefuda.report.index import lead_to

    report = papers.reproduce(paper, scale, out, seed, threads, records=records)
    page = report.folder / "index.html"
    leads = lead_to(page)
    if json:
        print_json(report.data())
        return
    screen = console()
    report.print(screen)
    screen.print(f"\nThe page with all figures: {page}{all_results(leads)}", soft_wrap=True)


def bench(
    what: Annotated[str, typer.Argument(help="a game, `training` for learners of networks, or `start`")] = "koikoi",
    device: Annotated[str, typer.Option(help="`cpu`, or `cuda` for an NVIDIA GPU as well")] = "cpu",
    seconds: Annotated[
        float, typer.Option(min=LEAST_SECONDS, max=MOST_SECONDS, help="how long each measurement runs, roughly")
    ] = 2.0,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Measure speed, as ratios to a baseline in the same run; or how long first and second starts take.

    Examples: `tefuda bench koikoi`, `tefuda bench training --device cuda`, `tefuda bench start`
    """
    from tefuda.cli.benchmarks import run

    rows = run(what, device, seconds, threads)
    if json:
        print_json([row.data() for row in rows])
        return
    first = rows[0]
    console().print(table(first.title, list(first.columns), [row.cells() for row in rows], first.right))
    for note in first.notes(rows):
        console().print(note, soft_wrap=True)


def check(
    game: Annotated[
        str | None,
        typer.Argument(help="a game, or the path of your own; all when not given", autocompletion=completing.games),
    ] = None,
    seed: ExperimentSeed = 1,
    write_golden: Annotated[bool, typer.Option(help="write the golden playthrough anew")] = False,
    thorough: Annotated[bool, typer.Option(help="many more samples; minutes instead of seconds")] = False,
    json: Json = False,
) -> None:
    """Check that games keep the contract: they end, hide what is hidden, guess evenly, and play as before.

    Examples: `tefuda check`, `tefuda check path/to/my_game`
    """
    from tefuda import conformance
    from tefuda.errors import Problem
    from tefuda.games import find, names

    wanted = [game] if game else names()
    if not wanted:
        raise Problem("no game was found to check")
    reports = []
    for each in wanted:
        found = find(each)
        if write_golden:
            conformance.write_golden(found)
        reports.append((found.name, conformance.check(found, seed, thorough)))
    if json:
        print_json(
            {
                name: [{"check": each.name, "passed": each.passed, "detail": each.detail} for each in report.findings]
                for name, report in reports
            }
        )
    else:
        for name, report in reports:
            rows = [["ok" if each.passed else "FAILED", each.name, each.detail] for each in report.findings]
            console().print(table(f"Contract of {name}", ["", "check", "detail"], rows))
    failed = [f"{name}: {each.name}" for name, report in reports for each in report.findings if not each.passed]
    if failed:
        raise Problem(f"{counted(len(failed), 'check')} failed: {'; '.join(failed)}")
