"""What the paper leaves open beside its rules: each thing read otherwise, and what the learner then comes to."""

from typing import Any

from tefuda.games.koikoi.players.readings import READINGS, with_reading
from tefuda.intervals import interval_of
from tefuda.papers.koikoi.learning import AS_SHIPPED, STEADY, Way, above, learn
from tefuda.papers.koikoi.published import ABOVE, FITTING, OURS, Laboratory, near
from tefuda.papers.laboratory import compared, measured
from tefuda.report.report import Table

WAYS = (
    STEADY,
    Way("T = 5, initial weights of 0", 5.0, high=0.0, likeliest=True),
    Way("T = 5, actions drawn by their chances", 5.0),
    Way("T = 2, actions drawn by their chances", 2.0),
    AS_SHIPPED,
    Way("T = 1, the likeliest action", likeliest=True),
    Way("T = 0.5, actions drawn by their chances", 0.5),
)


def readings_of_learner(lab: Laboratory) -> None:
    """The learner by every reading, against the rules that fit best and against ours."""
    size = lab.size
    lab.report.section(
        "Readings of the learner",
        "The text gives no temperature T, and the appendix that defines the measures `high score` and `early finish` "
        "is missing. Here each such thing is read otherwise, one at a time: first how the policy learns and how it is "
        f"measured, then its features, these as in the first line ({STEADY.about}). Every reading learns against the "
        "rules that fit best and against ours.",
    )
    table: list[list[Any]] = []
    tasks = [(way.about, lab.game, "pg-linear", way) for way in WAYS]
    tasks += [(each.about, with_reading(lab.game, each), each.key, STEADY) for each in READINGS]
    for about, game, key, way in tasks:
        cells: list[Any] = []
        for name in (FITTING, OURS):
            gaps = above(lab, game, way, name, learn(lab, game, key, way, name, size.reading_seeds))
            gap = interval_of(gaps)
            cells += [measured(gap, 2, True), float(gaps.min()), float(gaps.max())]
            cells += [compared("", "", gap, "", None, "", near(ABOVE)).verdict] if name == FITTING else []
        table.append([about, *cells])
    lab.report.table(
        Table(
            "readings", "What is read otherwise, and what the learner then gets above the rules as first player",
            ("reading", f"above {FITTING}", "worst seed", "best seed", f"about {ABOVE}?", f"above {OURS}", "worst seed",
             "best seed"),
            table,
            note=f"Points a game, {size.reading_seeds} seeds of {size.episodes:,} episodes, each measured on "
            f"{size.seed_deals:,} deals of its own; intervals are 95 % over seeds.",
            digits=2,
        )
    )  # fmt: skip
