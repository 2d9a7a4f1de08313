"""`tefuda demo`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tefuda.cli.common import ExperimentSeed, Json, Threads, console, print_json


def register(app: typer.Typer) -> None:
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option(help="folder for the pages, and for index.html, which leads to all")] = Path(
        "results"
    ),
    seed: ExperimentSeed = 1,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """A few minutes with tefuda: a player that wins, and the headline figure of each paper beside ours.

    Interrupted (Ctrl-C, or killed), the same command goes on behind what it has finished. What takes longer is
    `tefuda reproduce PAPER --scale quick` or `--scale paper`.

    Example: `tefuda demo`, then open results/index.html
    """
    from tefuda.papers.demo import pieces, steps
    from tefuda.report import index
    from tefuda.report.printing import print_found, print_made

    screen, titles = console(), steps()
    found, number = [], 0
    work = pieces(out, seed, threads)
    while number < len(titles):
        print(f"tefuda demo: {number + 1} of {len(titles)}: {titles[number]} …", file=sys.stderr, flush=True)
        piece = next(work)
        found.append(piece)
        number += 1
        if not json:
            print_found(piece.document, screen)
            print_made(piece.document, screen)
            screen.print(f"{piece.page}   ({piece.seconds:.0f} s, {piece.cpu_seconds:.0f} of CPU)\n", soft_wrap=True)
    next(work, None)  # what it does at the end
    page = out / index.NAME
    seconds, cpu = sum(each.seconds for each in found), sum(each.cpu_seconds for each in found)
    if json:
        pages = [
            {"page": str(each.page), "seconds": each.seconds, "cpu_seconds": each.cpu_seconds, **each.data}
            for each in found
        ]
        print_json({"page": str(page), "seconds": seconds, "cpu_seconds": cpu, "pieces": pages})
        return
    screen.print(f"Done in {seconds:.0f} s, {cpu:.0f} of CPU. One page leads to all: {page}", soft_wrap=True)
    screen.print(f"Open it in a browser:  {page.resolve().as_uri()}", soft_wrap=True)
    screen.print(f"or from elsewhere:     python3 -m http.server --directory {out} 8000", soft_wrap=True)
    screen.print("All experiments:       tefuda reproduce koikoi --scale quick (or paper)", soft_wrap=True)
