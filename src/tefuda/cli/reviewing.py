"""`tefuda review`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tefuda import outside
from tefuda.cli.common import Json, Ray, Seed, Threads, console, print_json, table
from tefuda.errors import Interrupted, Problem, counted
from tefuda.log import log

if TYPE_CHECKING:
    from tefuda.records.reviewing import Reviewing, Reviews
    from tefuda.table.review import Review

MOST_SECONDS = 7 * 24 * 3600.0
SHOWN = 3  # records that a message names
UNLIMITED = 1 << 15  # worlds, where the time is what limits them


def register(app: typer.Typer) -> None:
    app.command()(review)


def review(
    files: Annotated[
        list[Path],
        typer.Argument(help="a record of `tefuda play`, or mjlog, mjai, tenhou/6; packed or not; several, or a folder"),
    ],
    seat: Annotated[int | None, typer.Option(min=0, help="whose decisions; the person's when not given")] = None,
    judge: Annotated[str | None, typer.Option(help="who plays worlds on; the game's quick one when not given")] = None,
    worlds: Annotated[int | None, typer.Option(min=1, help="guessed worlds at one decision, at most [512]")] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.1, max=MOST_SECONDS, help="stop a review after so long, and show what was found"),
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0.0, help="a smaller loss is no mistake; chosen by the game when not given")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="list every decision, not only the mistakes")] = False,
    keep: Annotated[
        Path | None,
        typer.Option(help="keep the review in this file, several in a folder; the same command then goes on with it"),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="write one page, which opens without a server")] = None,
    number: Annotated[int | None, typer.Option(min=1, help="which record of the file, where it has several")] = None,
    seed: Seed = 1,
    threads: Threads = None,
    ray: Ray = None,
    lang: Annotated[str, typer.Option(help="`ja`, `en`, or `both`")] = "both",
    game: Annotated[str | None, typer.Option(help="the path of the game, when it is one of your own")] = None,
    json: Json = False,
) -> None:
    """Review a game: what each decision of a seat has lost, as the seat could know, and how much was luck.

    Every move is tried in guessed worlds, which the judge plays on. The best move is compared with the one played in
    fresh worlds. A mistake is a loss whose whole interval lies above the threshold. Ctrl-C shows what was judged so
    far. Of several games a table is shown; on a cluster each review is a piece of the work. Examples:

    `tefuda review games/koikoi-seed1-deal7.json`

    `tefuda review log.xml.gz --seat 2 --seconds 300 --keep log.review.json`

    `tefuda review games/tricks-seed1-deal7.json --judge champion --threshold 0.5 --out review.html`

    `tefuda review games --keep results/reviews --ray auto`
    """
    from tefuda.files.whole import read_json
    from tefuda.outside import is_there
    from tefuda.records.played import played_in
    from tefuda.records.reviewing import Reviewing, files_of
    from tefuda.table.review import WORLDS

    outside.language(lang)
    most = worlds or (WORLDS if seconds is None else UNLIMITED)
    how = Reviewing(seat, judge, most, seed, threshold, seconds, game, threads if ray is None else 1)
    wanted = files_of(files)
    if number is None and (wanted != files or len(files) > 1 or _several(files[0], game)):
        if out is not None:
            raise Problem("--out writes the page of one game: keep several with --keep, then ask for one with both")
        _review_all(wanted, how, keep, ray, threads, json)
        return
    if wanted != files or len(files) > 1:
        raise Problem("--number chooses one record of one file: name a single file with it")
    if ray is not None:
        raise Problem("--ray is for the reviews of several games: leave it out for one")
    found = how.begun(played_in(files[0], game, number))
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


def _several(file: Path, game: str | None) -> bool:
    """Whether a file has more than one record."""
    from itertools import islice

    from tefuda.records.finding import texts

    return len(list(islice(texts(file, game), 2))) > 1


def _review_all(
    files: list[Path], how: "Reviewing", keep: Path | None, ray: str | None, cores: int | None, json: bool
) -> None:
    """The reviews of several games, as a table."""
    from tefuda.kernel.cluster import cluster_at
    from tefuda.records.reviewing import review_all

    if keep is not None and outside.is_there(keep, file=True):
        raise Problem(f"several reviews are kept in a folder, but {keep} is a file")
    with cluster_at(ray, cores) as cluster:
        reviews = review_all(files, how, keep, cluster)
    if json:
        print_json(
            {
                "games": reviews.in_order, "of": reviews.of, "empty": reviews.empty, "unreadable": reviews.unreadable,
            }
        )  # fmt: skip
    elif reviews.found:
        _print_all(reviews)
    if reviews.empty:
        log.warning(f"{counted(reviews.empty, 'game')} left out, since nothing was decided there")
    if reviews.interrupted:
        more = "" if keep is None else f"; they are kept in {keep}: give the same command again to go on"
        raise Interrupted(f"interrupted: {len(reviews.found)} of {counted(reviews.of, 'game')} were reviewed{more}")
    if reviews.unreadable:
        number = counted(len(reviews.unreadable), "record")
        raise Problem(f"{number} could not be reviewed: {'; '.join(reviews.unreadable[:SHOWN])}")


def _print_all(reviews: "Reviews") -> None:
    import numpy as np

    from tefuda.intervals import interval_of

    found, screen = reviews.in_order, console()
    rows = [
        [
            Path(each["name"]).name, each["game"], str(each["seat"]), str(len(each["decisions"])),
            str(len(each["mistakes"])), f"{each['skill']['mean']:+.2f}", f"{each['luck']['mean']:+.2f}",
            f"{each['result']:+.2f}",
        ]
        for each in found
    ]  # fmt: skip
    columns = ["record", "game", "seat", "decisions", "mistakes", "skill", "luck", "result"]
    screen.print(table("Reviews", columns, rows, set(range(2, len(columns)))))
    decisions, mistakes = (sum(len(each[key]) for each in found) for key in ("decisions", "mistakes"))
    told = f"{counted(len(found), 'game')}, {counted(decisions, 'decision')}, {counted(mistakes, 'mistake')}"
    if len(found) > 1 and len({each["unit"]["en"] for each in found}) == 1:
        skill = interval_of(np.array([each["skill"]["mean"] for each in found]))
        told += f"; skill a game {skill.text(2)} ({found[0]['unit']['en']})"
    screen.print(told, soft_wrap=True)


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
