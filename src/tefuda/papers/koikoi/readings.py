"""What the paper leaves open beside its rules: each thing read otherwise, and what the learner then comes to."""

from dataclasses import dataclass
from typing import Any

from tefuda.games.koikoi.players.readings import READINGS, with_reading
from tefuda.intervals import interval_of
from tefuda.learn.policy_gradient import Arguments
from tefuda.papers.koikoi.learning import learn
from tefuda.papers.koikoi.published import ABOVE, FITTING, OURS, Laboratory, near
from tefuda.papers.laboratory import compared, measured
from tefuda.report.report import Table

SHARP = 1_000.0  # times the weights: the likeliest action is taken


@dataclass(frozen=True)
class Way:
    """One way to read what is not a feature. Only the weights by their temperature matter: what is divided by T is
    learned with steps divided by its square."""

    about: str
    temperature: float = 1.0
    high: float = 1.0  # initial weights are uniform from 0 to this
    sharpened: float = 1.0

    def arguments(self, episodes: int) -> Arguments:
        step = Arguments().step / self.temperature**2
        return Arguments(episodes=episodes, step=step, high=self.high / self.temperature)


PUBLISHED = Way("as in experiment 1: T = 1, initial weights from 0 to 1")
WAYS = (
    PUBLISHED,
    Way("T = 0.5", temperature=0.5),
    Way("T = 2", temperature=2.0),
    Way("T = 5", temperature=5.0),
    Way("initial weights of 0", high=0.0),
    Way("the likeliest action is taken when strength is measured", sharpened=SHARP),
)


def readings_of_learner(lab: Laboratory) -> None:
    """The learner by every reading, against the rules that fit best and against ours."""
    size = lab.size
    lab.report.section(
        "Readings of the learner",
        "The appendix that defines the measures `high score` and `early finish` is missing, and the text gives no "
        "temperature T. Here each such thing is read otherwise, one at a time. Every reading learns against the rules "
        "that fit best and against ours.",
    )
    table: list[list[Any]] = []
    mirrors = {name: lab.measure([name, name], size.deals).seats[0].mean for name in (FITTING, OURS)}
    tasks = [(way.about, lab.game, "pg-linear", way) for way in WAYS]
    tasks += [(each.about, with_reading(lab.game, each), each.key, PUBLISHED) for each in READINGS]
    for about, game, key, way in tasks:
        cells: list[Any] = []
        for name, mirror in mirrors.items():
            arguments = way.arguments(size.episodes)
            learned = learn(lab, game, key, arguments, name, size.reading_seeds, way.sharpened)
            gap = interval_of(learned.first - mirror)
            verdict = compared("", "", gap, "", None, "", near(ABOVE)).verdict
            cells += [measured(gap, 2, True), float(min(learned.first)) - mirror, float(max(learned.first)) - mirror]
            cells += [verdict] if name == FITTING else []
        table.append([about, *cells])
    lab.report.table(
        Table(
            "readings", "What is read otherwise, and what the learner then gets above the rules as first player",
            ("reading", f"above {FITTING}", "worst seed", "best seed", f"about {ABOVE}?", f"above {OURS}", "worst seed",
             "best seed"),
            table,
            note=f"Points a game, {size.reading_seeds} seeds of {size.episodes:,} episodes, each measured on "
            f"{size.seed_deals:,} deals; intervals are 95 % over seeds.",
            digits=2,
        )
    )  # fmt: skip
