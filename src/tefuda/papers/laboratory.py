"""What the papers share: how a run begins and ends, its seeds, its finished parts, and published figures beside ours.

A paper's module has its published figures, its experiments (functions of a Laboratory, which add to its report) and
its claims, the few lines that its page begins with.
"""

import hashlib
import json
import math
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import numpy as np

from tefuda.arena.match import match
from tefuda.arena.result import Row
from tefuda.contract import Game, Rules
from tefuda.files.parts import keep
from tefuda.files.provenance import commit
from tefuda.intervals import Interval
from tefuda.kernel.threads import collect
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.report.report import Bars, Compared, Measured, Report

EVALUATION = 70_000  # added to the seed: deals to evaluate on are others than those to learn from

Size = TypeVar("Size")
Learned = TypeVar("Learned")
Target = tuple[float | None, float | None]


@dataclass(frozen=True)
class Claim:
    """A line of a comparison that the page begins with: in words, and as a bar of its figure."""

    key: str  # of the comparison
    what: str  # of its line
    sentence: str = ""  # with {ours}; or {far} and {above} or {below}, which say −0.2 as 0.2 below or above
    bar: str = ""  # its name in the figure; without one it has no bar
    published: float | None = None  # what the bar is marked with
    shown: str = ""  # its name beside the other claims, where `what` alone does not say enough

    def said(self, row: Compared) -> str:
        """The sentence with the figures in it."""
        assert row.ours is not None
        above, below = "above", "below"
        far = Measured(row.ours, row.low, row.high, row.digits, signed=False)
        if row.ours < 0:
            above, below = below, above
            low, high = (None if end is None else -end for end in (row.high, row.low))
            far = Measured(-row.ours, low, high, row.digits, signed=False)
        return self.sentence.format(ours=row.ours_text, far=far.text, above=above, below=below)


@dataclass(frozen=True)
class Paper(Generic[Size]):
    """A paper as it is reproduced."""

    game: Game
    title: str  # of the page
    reference: str  # authors and title of the paper
    scales: Mapping[str, Size]  # how large the experiments are
    experiments: Mapping[str, Sequence[Callable[["Laboratory[Size]"], None]]]  # which ones, by scale
    claims: Sequence[Claim]
    unit: str  # of the bars that the page begins with
    remark: str = ""  # what the first paragraph ends with
    name: str = ""  # of the paper as it was printed, by which it can be looked up
    records: bool = False  # whether some experiments can use records of other programs, which are not shipped


@dataclass(frozen=True)
class Laboratory(Generic[Size]):
    """One run of a paper's experiments."""

    game: Game
    report: Report
    size: Size
    seed: int
    work: Path  # the finished parts of an interrupted run
    threads: int | None
    records: Path | None = None  # a file with records of other programs, where one was given

    def keep(self, name: str, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The arrays of a part: computed once, however often the run is interrupted."""
        return keep(self.work, self.game, name, run)

    def collect(self, what: str, work: Callable[[int], Learned], count: int, unit: str) -> list[Learned]:
        """Independent tasks, numbered from 0, side by side on the cores."""
        return collect(what, lambda number, _: work(number), count, 1, unit, self.threads)

    def measure(
        self, players: Sequence[str | Entrant], deals: int, rules: Rules | None = None, first: int = EVALUATION
    ) -> Row:
        """What a match says of its first player; `first` is added to the seed. A finished match is a part."""
        rules = rules or self.game.rulebook.make()
        entrants = [resolve(self.game, each, rules) if isinstance(each, str) else each for each in players]
        seed = self.seed + first

        def run() -> dict[str, Any]:
            row = match(self.game, entrants, deals, seed, rules, self.threads).rows[0]
            return {"row": np.array(json.dumps(asdict(row)))}

        who = [(each.name, identity(each)) for each in entrants]
        part = hashlib.sha256(repr((str(rules), who, deals, seed)).encode()).hexdigest()[:24]
        found = json.loads(str(self.keep(f"match-{part}", run)["row"]))
        intervals = {key: Interval(**found[key]) for key in ("figure", "win", "draw")}
        return Row(**{**found, **intervals, "seats": [Interval(**each) for each in found["seats"]]})

    @property
    def again(self) -> str:
        """The command that makes the page again: with all its seeds, which other commands take one by one."""
        given = f" --records {self.records.name}" if self.records else ""
        return f"tefuda reproduce {self.game.name} --scale {self.report.arguments['scale']} --seed {self.seed}{given}"

    def command(self, names: Sequence[str], deals: int, rules: str = "") -> str:
        """The command that plays a match again."""
        preset = f" --rules {rules}" if rules else ""
        seed = self.seed + EVALUATION
        return f"tefuda match {self.game.name} {' '.join(names)}{preset} --deals {deals} --seed {seed}"


def run(
    paper: Paper[Any], scale: str, folder: Path, seed: int, threads: int | None, work: Path | None = None,
    records: Path | None = None,
) -> Report:  # fmt: skip
    """Run a paper's experiments and write its report.

    Finished parts are kept for a run that is interrupted: in `work`, or in a folder that is removed at the end.
    """
    size = paper.scales[scale]
    given = {"records": records.name} if records else {}
    report = Report(
        title=paper.title, folder=folder, arguments={"paper": paper.game.name, "scale": scale, **asdict(size), **given},
        seed=seed, commit=commit(), paper=paper.reference, link=looked_up(paper.name),
        code=code_of(paper.game.name),
    )  # fmt: skip
    report.prepare()
    parts = work or folder.parent / f"{folder.name}-work"
    laboratory = Laboratory(paper.game, report, size, seed, parts, threads, records)
    for experiment in paper.experiments[scale]:
        experiment(laboratory)
    begin(paper, report)
    report.write()
    if work is None:
        shutil.rmtree(parts, ignore_errors=True)
    return report


def code_of(name: str) -> str:
    """Where the experiments of a paper stand: a folder, or a module."""
    return f"src/tefuda/papers/{name}" if (Path(__file__).parent / name).is_dir() else f"src/tefuda/papers/{name}.py"


def looked_up(title: str) -> str:
    """Where a paper is found by its title: the index of Japan's National Institute of Informatics."""
    return f"https://cir.nii.ac.jp/all?q={quote(title)}" if title else ""


def begin(paper: Paper[Any], report: Report) -> None:
    """What the page begins with: the claims of which the figures were measured, in words and as bars.

    Those in words are the paper's headline figures; a claim without words or a bar says what was not measured.
    """
    lines = [(claim, report.compared(claim.key, claim.what)) for claim in paper.claims]
    there = [(claim, row) for claim, row in lines if row is not None]
    sentences: list[str] = []
    names, found, marks = [], [], []
    for claim, row in there:
        if row.ours is None:
            continue
        if claim.sentence:
            sentences.append(claim.said(row))
        if claim.bar:
            names.append(claim.bar)
            found.append(
                Interval(row.ours, row.ours if row.low is None else row.low, row.ours if row.high is None else row.high)
            )
            marks.append(claim.published)
    figure = report.found.figure  # an experiment may have drawn one
    if figure is None and names:
        figure = bars("found", "Published and ours", "", paper.unit, names, found, marks)
    rows = [replace(row, what=claim.shown or row.what) for claim, row in there if claim.sentence or not claim.bar]
    report.begin_with(" ".join([*sentences, paper.remark]).strip(), figure, rows)


def compared(
    what: str, published: str, found: Interval, unit: str, deals: int | None, command: str,
    target: Target | None = None, digits: int = 2, signed: bool = False, why: str = "", counted: bool = False,
) -> Compared:  # fmt: skip
    """A published figure beside a measured one."""
    return Compared(
        what, published, found.mean, found.low, found.high, unit, deals, command, target, digits, signed, why, counted
    )


def measured(found: Interval, digits: int = 2, signed: bool = False) -> Measured:
    """A measured figure as a cell of a table."""
    return Measured(found.mean, found.low, found.high, digits, signed)


def bars(
    key: str, title: str, x_label: str, y_label: str, names: Sequence[Any], found: Sequence[Interval],
    published: Sequence[float | None] | None = None,
) -> Bars:  # fmt: skip
    """Measured figures as bars."""
    return Bars(
        key, title, x_label, y_label, [str(name) for name in names], [each.mean for each in found],
        [each.low for each in found], [each.high for each in found], published,
    )  # fmt: skip


def half(found: Interval) -> float:
    """How far an interval reaches to each side."""
    return (found.high - found.low) / 2


def gap(above: Interval, below: Interval) -> Interval:
    """A difference, as if both were independent."""
    mean, spread = above.mean - below.mean, math.hypot(half(above), half(below))
    return Interval(mean, mean - spread, mean + spread)


def agreement(published: float, found: Interval, theirs: float, rounding: float = 0.0) -> tuple[float, float]:
    """Where ours may lie beside a published figure: give or take both half intervals, and how it was rounded.

    The ends are rounded to two figures of that distance: a page shows what was judged by. Whoever compares with this
    target says that it is `counted`.
    """
    margin = rounding + math.hypot(half(found), theirs)
    places = 1 - math.floor(math.log10(margin)) if 0 < margin < math.inf else 3
    return round(published - margin, places), round(published + margin, places)
