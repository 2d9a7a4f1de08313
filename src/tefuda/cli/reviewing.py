"""`tefuda review`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tefuda import outside
from tefuda.cli.common import Json, Seed, Threads, console, print_json

if TYPE_CHECKING:
    from tefuda.table.review import Review

MOST_SECONDS = 7 * 24 * 3600.0
UNLIMITED = 1 << 15  # worlds, where the time is what limits them


def register(app: typer.Typer) -> None:
    app.command()(review)


def review(
    file: Annotated[Path, typer.Argument(help="a record of `tefuda play`, or mjlog, mjai, tenhou/6; packed or not")],
    seat: Annotated[int | None, typer.Option(min=0, help="whose decisions; the person's when not given")] = None,
    judge: Annotated[str | None, typer.Option(help="who plays worlds on; the game's quick one when not given")] = None,
    worlds: Annotated[int | None, typer.Option(min=1, help="guessed worlds at one decision, at most [512]")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, max=MOST_SECONDS, help="stop after so long, and show what was found")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0.0, help="a smaller loss is no mistake; chosen by the game when not given")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="list every decision, not only the mistakes")] = False,
    keep: Annotated[
        Path | None, typer.Option(help="keep the review in this file; the same command then goes on with it")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="write one page, which opens without a server")] = None,
    number: Annotated[int | None, typer.Option(min=1, help="which record of the file, where it has several")] = None,
    seed: Seed = 1,
    threads: Threads = None,
    lang: Annotated[str, typer.Option(help="`ja`, `en`, or `both`")] = "both",
    game: Annotated[str | None, typer.Option(help="the path of the game, when it is one of your own")] = None,
    json: Json = False,
) -> None:
    """Review a game: what each decision of a seat has lost, as the seat could know, and how much was luck.

    Every move is tried in guessed worlds, which the judge plays on. The best move is compared with the one played in
    fresh worlds. A mistake is a loss whose whole interval lies above the threshold. Ctrl-C shows what was judged so
    far. Examples:

    `tefuda review games/koikoi-seed1-deal7.json`

    `tefuda review log.xml.gz --seat 2 --seconds 300 --keep log.review.json`

    `tefuda review games/tricks-seed1-deal7.json --judge champion --threshold 0.5 --out review.html`
    """
    from tefuda.errors import Interrupted, Problem
    from tefuda.files.whole import read_json
    from tefuda.outside import is_there
    from tefuda.players.resolve import resolve
    from tefuda.records.played import played_in
    from tefuda.table.review import WORLDS, Review

    outside.language(lang)
    played = played_in(file, game, number)
    entrant = resolve(played.game, judge, played.rules) if judge else None
    most = worlds or (WORLDS if seconds is None else UNLIMITED)
    found = Review(played, seat, entrant, most, seed, threshold, threads)
    for place in filter(None, (keep, out)):
        outside.place("--keep" if place is keep else "--out", place)
        if not (is_there(place.parent) and place.parent.is_dir()):
            raise Problem(f"cannot write {place}: there is no folder {place.parent}")
    if keep is not None and is_there(keep):
        try:
            found.restore(read_json(keep, "review"))
        except Problem as problem:
            raise Problem(f"{keep}: {problem}") from None
    stopped = _work(found, seconds, keep)
    if out is not None:
        from tefuda.web.standalone import write_review

        write_review(out, found)
    if json:
        print_json(found.data())
    else:
        _print(found, lang, every, out)
    if stopped:
        raise Interrupted(f"interrupted: {len(found.judged)} of {len(found.turns)} decisions were judged")


def _work(review: "Review", seconds: float | None, keep: Path | None) -> bool:
    """Judge until all is done or the time is over; returns whether somebody has interrupted it."""
    from tefuda.progress import Progress

    began = saved = time.monotonic()
    try:
        with Progress("reviewing", review.of, "tries") as progress:
            for _ in review.run():
                progress.total = review.of
                progress.update(review.done)
                now = time.monotonic()
                if keep is not None and now - saved > 5:
                    _save(review, keep)
                    saved = now
                if seconds is not None and now - began > seconds:
                    break
    except KeyboardInterrupt:
        return True
    finally:
        if keep is not None:
            _save(review, keep)
    return False


def _save(review: "Review", place: Path) -> None:
    import json

    from tefuda.files.whole import write_bytes

    write_bytes(place, json.dumps(review.data(), ensure_ascii=False).encode(), "--keep")


def _print(review: "Review", lang: str, every: bool, out: Path | None) -> None:
    from tefuda.contract import Reader
    from tefuda.table.session import SOMEBODY, seat_titles
    from tefuda.terminal import show
    from tefuda.terminal.review import shown

    screen, played = console(), review.played
    called = seat_titles(played.players, SOMEBODY)
    reader = Reader(review.seat, width=show.width_of(screen), called=called).speaking(lang)
    facts = (reader.label(played.game.title), f"{reader.label(show.RULES)} {played.rules}", Path(played.name).name)
    screen.print(" · ".join(facts), style="bold cyan", **show.ONE_LINE)
    screen.print(f"{reader.say('席', 'seat')} {review.seat}: {reader.names[review.seat]}", soft_wrap=True)
    screen.print(shown(review, reader, every))
    if out is not None:
        screen.print(reader.say(f"ページ：{out}", f"page: {out}"), soft_wrap=True)
