"""Saito, Tsuruoka: Q-learning for trick-taking card games. Table 3, figures 1 to 3, ours beside theirs.

Published figures are those of the text and of table 3; the scanned paper's figures are missing, so that curves and the
distribution have none.
"""

import math
import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.match import MatchResult, Row, match
from tefuda.contract import Rules
from tefuda.files.parts import keep
from tefuda.files.provenance import commit
from tefuda.games.tricks import GAME
from tefuda.games.tricks.cards import RANKS
from tefuda.intervals import Z95, Interval, interval_of
from tefuda.learn.q_learning import SELF, Arguments, QLearning
from tefuda.players.entrant import Entrant
from tefuda.progress import Progress, collect
from tefuda.report.report import Compared, Curves, Line, Measured, Report, Series, Table

PAPER = (
    "Saito Yuta, Tsuruoka Yoshimasa: トリックテイキングゲームの線形関数近似によるQ学習 "
    "(Q-learning for trick-taking card games with linear function approximation)"
)
REGIMES = {SELF: "self-play", "random": "against random"}
JUDGE = "rule-based"  # three of them sit in the other seats whenever somebody is measured
EVALUATION = 70_000  # added to the seed: deals to evaluate on are others than those to learn from
CURVE = 80_000  # and those of the learning curves are others again
GAMES_OF_PAPER = 100_000  # that each of its figures was measured on
OTHER_READING = "before"


@dataclass(frozen=True)
class Scale:
    """How large the experiments are. A deal is played in all four seats, so that it makes four games."""

    games: int = 100_000  # to learn from
    seeds: int = 5  # of learners
    deals: int = 25_000  # to evaluate a player on
    curve_deals: int = 2_500  # for each point of a learning curve, always the same
    points: int = 20
    search_deals: int = 500  # for the search player


SCALES = {
    "paper": Scale(),
    "quick": Scale(games=20_000, seeds=3, deals=2_500, curve_deals=500, points=10, search_deals=25),
}


@dataclass(frozen=True)
class Published:
    """What the paper says of its four players: means, and in Hearts the share of games without points."""

    means: dict[str, float]
    zero_rates: dict[str, float]
    within: float  # a learner that comes so near reproduces the paper


PLAIN = Published({SELF: 3.69, "random": 3.49, "rule-based": 3.25, "random player": 2.47}, {}, 0.1)
HEARTS = Published(
    {SELF: 4.37, "random": 4.55, "rule-based": 6.51, "random player": 9.24},
    {SELF: 0.39, "random": 0.37, "rule-based": 0.31, "random player": 0.13}, 0.2,
)  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One learner's end: the weights and their mean as players, and the weights along the way."""

    plain: Entrant
    averaged: Entrant
    curve: list[Entrant]


def reproduce(scale: str, folder: Path, seed: int, threads: int | None) -> Report:
    """Run all experiments and write the report."""
    size = SCALES[scale]
    report = Report(
        title="Trick-taking and Hearts: the paper's experiments", folder=folder,
        arguments={"paper": "tricks", "scale": scale, **size.__dict__}, seed=seed, commit=commit(), paper=PAPER,
    )  # fmt: skip
    report.prepare()
    work = folder.parent / f"{folder.name}-work"  # finished parts of an interrupted run
    lab = Laboratory(report, size, seed, work, threads)
    lab.plain()
    lab.hearts(
        "hearts", "Hearts by the rules of the text",
        "Section 4.2: hearts cannot be led before one was played, as the text says.",
    )  # fmt: skip
    lab.hearts(
        "hearts-as-run", "Hearts as the paper's program seems to have played it",
        "With hearts led at any time the rows of the two players that do not learn agree with the paper, and by the "
        "text's rule they do not: so its program seems not to have had that rule.",
    )  # fmt: skip
    lab.readings()
    lab.search()
    report.write()
    shutil.rmtree(work, ignore_errors=True)
    return report


@dataclass(frozen=True)
class Laboratory:
    """What all experiments share."""

    report: Report
    size: Scale
    seed: int
    work: Path
    threads: int | None

    def plain(self) -> None:
        """Section 4.1: the tricks of the four players, figures 1 and 2."""
        size = self.size
        self.report.section(
            "Plain trick-taking",
            f"A weighted sum of 8,503 features learns by Q-learning from {size.games:,} games, against random players "
            f"and against its own past, {size.seeds} seeds each. Everybody is measured against three rule-based "
            f"players on the same {size.deals:,} deals, each played in all four seats.",
        )
        rules = GAME.rulebook.make("plain")
        rows = self.four_players("plain", rules, PLAIN)
        self.report.figure(
            Curves(
                "figure-1", "Figure 1: tricks won against three rule-based players", "tricks in a game",
                "share of games",
                [
                    Series(name, list(range(RANKS + 1)), [_share(many, tricks) for tricks in range(RANKS + 1)])
                    for name, many in rows.items()
                ],
            )
        )  # fmt: skip
        self.curves("figure-2", "Figure 2: learning plain trick-taking", "plain", rules, rows)

    def hearts(self, preset: str, title: str, text: str) -> None:
        """Section 4.2: table 3 and figure 3."""
        self.report.section(
            title,
            f"{text} The features are 24,415, since the card itself counts; otherwise all is as before.",
        )
        rules = GAME.rulebook.make(preset)
        rows = self.four_players(preset, rules, HEARTS)
        figure = "figure-3" if preset == "hearts" else f"figure-3-{preset}"
        self.curves(figure, f"Figure 3: learning Hearts ({preset})", preset, rules, rows)

    def four_players(self, preset: str, rules: Rules, published: Published) -> dict[str, list[Row]]:
        """Everybody against three rule-based players; returns the rows of each (of a learner, one for each seed)."""
        size, hearts = self.size, preset != "plain"
        unit = "points a game" if hearts else "tricks a game"
        rows: dict[str, list[Row]] = {}
        means: dict[str, np.ndarray] = {}
        compared: list[Compared] = []
        for regime, said in REGIMES.items():
            runs = self.learn(rules, regime, "")
            rows[said] = [self.measure(run.plain, rules).rows[0] for run in runs]
            means[said] = np.array([row.figure.mean for row in rows[said]])
            command = f"tefuda train tricks q-linear --rules {preset} --arg opponent={regime}"
            wanted = published.means[regime]
            target = (wanted - published.within, wanted + published.within)
            compared += self.row(f"q-linear, {said}", wanted, interval_of(means[said]), unit, command, target)
            if hearts:
                zero = interval_of(np.array([row.more["zero_rate"] for row in rows[said]]))
                compared += self.row(
                    f"q-linear, {said}, games without points", published.zero_rates[regime], zero, "", command
                )
            best = interval_of(np.array([self.measure(run.averaged, rules).rows[0].figure.mean for run in runs]))
            reach = published.means[SELF]
            compared += self.row(
                f"q-linear with averaged weights, {said} (beyond the paper)", None, best, unit,
                f"{command} --arg average=yes",
                ((None, reach) if hearts else (reach, None)) if regime == SELF else None,
            )  # fmt: skip
        for name, label in (("rule-based", "rule-based"), ("random", "random player")):
            row = self.measure(name, rules).rows[0]
            rows[label] = [row]
            command = f"tefuda match tricks {name} rule-based --rules {preset} --deals {size.deals}"
            wanted = published.means[label]
            seat = row.seats[0]
            theirs = (seat.high - seat.low) / 2 * math.sqrt(size.deals / GAMES_OF_PAPER)
            target = agreement(wanted, row.figure, theirs)
            compared += self.row(label, wanted, row.figure, unit, command, target)
            if hearts:
                zero = row.more["zero_rate"]
                half = Z95 * math.sqrt(zero * (1 - zero) / (4 * size.deals))
                there = Interval(zero, zero - half, zero + half)
                theirs = half * math.sqrt(4 * size.deals / GAMES_OF_PAPER)
                target = agreement(published.zero_rates[label], there, theirs)
                compared += self.row(
                    f"{label}, games without points", published.zero_rates[label], there, "", command, target
                )
        gain = interval_of(means[REGIMES[SELF]] - means[REGIMES["random"]])
        wanted = published.means[SELF] - published.means["random"]
        compared.append(
            Compared(
                "q-linear, self-play minus against random", f"{wanted:+.2f}", gain.mean, gain.low, gain.high, unit,
                size.deals, "tefuda reproduce tricks", (None, 0.0) if hearts else (0.0, None), 3, True,
            )
        )  # fmt: skip
        self.report.compare(
            compared, key=f"compared-{preset}", title=f"{preset}: published and ours",
            note="Of learners, mean and interval are over seeds; of others, over deals. The target of the players "
            "that do not learn is the published figure give or take its rounding and both intervals.",
        )  # fmt: skip
        return rows

    def row(
        self, what: str, published: float | None, found: Interval, unit: str, command: str,
        target: tuple[float | None, float | None] | None = None,
    ) -> list[Compared]:  # fmt: skip
        text = "–" if published is None else f"{published:.2f}"
        return [
            Compared(what, text, found.mean, found.low, found.high, unit, self.size.deals, command, target, 3)
        ]  # fmt: skip

    def curves(self, key: str, title: str, preset: str, rules: Rules, rows: dict[str, list[Row]]) -> None:
        """Learning curves on the same deals at every point, mean and interval over seeds."""
        size = self.size
        at = [size.games * (point + 1) // size.points for point in range(size.points)]
        series = []
        for regime, said in REGIMES.items():
            runs = self.learn(rules, regime, "")
            figures = np.zeros((size.seeds, size.points))
            with Progress(f"learning curves, {preset}, {said}", figures.size, "points") as progress:
                for number, run in enumerate(runs):
                    for point, player in enumerate(run.curve):
                        there = match(
                            GAME, [player, JUDGE], size.curve_deals, self.seed + CURVE, rules, self.threads
                        )  # fmt: skip
                        figures[number, point] = there.rows[0].figure.mean
                        progress.update(number * size.points + point + 1)
            spread = [interval_of(figures[:, point]) for point in range(size.points)]
            series.append(
                Series(
                    f"q-linear, {said}", at, [each.mean for each in spread], [each.low for each in spread],
                    [each.high for each in spread],
                )
            )  # fmt: skip
        figure = GAME.scoring.headline_under(rules)
        self.report.figure(
            Curves(
                key, title, "games learned from", f"{figure.name} against three rule-based", series,
                [Line("rule-based", rows["rule-based"][0].figure.mean)],
                note=f"{size.curve_deals:,} deals in all four seats; bands are 95 % over {size.seeds} seeds.",
            )
        )  # fmt: skip

    def readings(self) -> None:
        """What the features of tables 1 and 2 may mean."""
        size = self.size
        self.report.section(
            "Readings of the features",
            "Above, n counts the cards of a suit in the other hands, as the text says, and the hand is what is left "
            "when the card is played: which of the 0 to 12 cards of a suit that are then unplayed. In the reading "
            "`before`, n counts all unplayed cards of the suit and the hand is what the card is played from, so that "
            "cards that take nothing are all worth the same, and the paper's rule list decides between them. The "
            "first row of each pair is the reading used above.",
        )
        table: list[list[Any]] = []
        for preset in ("plain", "hearts"):
            rules = GAME.rulebook.make(preset)
            for variant in ("", OTHER_READING):
                for regime, said in REGIMES.items():
                    runs = self.learn(rules, regime, variant)
                    cells = [
                        interval_of(np.array([self.measure(player, rules).rows[0].figure.mean for player in players]))
                        for players in ([run.plain for run in runs], [run.averaged for run in runs])
                    ]
                    table.append([preset, variant or "(as above)", said, *map(_measured, cells)])
        self.report.table(
            Table(
                "readings", "Two readings of the features, against three rule-based players",
                ("rules", "reading", "learned", "paper's constants", "averaged weights"), table,
                note=f"Tricks or points a game, {size.seeds} seeds, {size.deals:,} deals in all four seats.",
            )
        )  # fmt: skip

    def search(self) -> None:
        """Beyond the paper: the players that come with the package, and the one that searches."""
        size = self.size
        self.report.section(
            "Beyond the paper",
            "The learned players that come with the package, and `pimc`, which tries every card in worlds that agree "
            "with all that its seat has seen. On the left, who is measured; on top, who sits in the other three seats.",
        )
        table: list[list[Any]] = []
        for preset in ("plain", "hearts"):
            rules = GAME.rulebook.make(preset)
            for name in ("q-linear", "q-linear-averaged", "q-softmax", "pimc"):
                deals = size.search_deals if name == "pimc" else size.deals
                cells = [
                    _measured(
                        match(GAME, [name, other], deals, self.seed + EVALUATION, rules, self.threads).rows[0].figure
                    )
                    for other in ("rule-based", "q-linear-averaged")
                ]
                table.append([preset, name, deals, *cells])
        self.report.table(
            Table(
                "beyond", "Players of the package", ("rules", "player", "deals", "rule-based", "q-linear-averaged"),
                table, note="Tricks or points a game; a player against three of itself gets 3.25 and 6.5.",
            )
        )  # fmt: skip

    def learn(self, rules: Rules, regime: str, variant: str) -> list[Run]:
        """All seeds of a learner, side by side on the cores; finished ones are kept."""
        size = self.size
        arguments = Arguments(opponent=regime, games=size.games, variant=variant, points=size.points)

        def run(number: int) -> dict[str, np.ndarray]:
            learner = QLearning(GAME, rules, arguments, self.seed + number)
            learner.advance(size.games)
            return {"plain": learner.weights, "averaged": learner.averaged, "curve": np.array(learner.curve)}

        def one(number: int, _: int) -> dict[str, np.ndarray]:
            name = f"{rules.preset}-{regime}-{variant or 'plain'}-{self.seed + number}-{size.games}-{size.points}"
            return keep(self.work, GAME, name, partial(run, number))

        kept = collect(f"learning {rules}, {REGIMES[regime]}", one, list(range(size.seeds)), "seeds", self.threads)
        reader = QLearning(GAME, rules, arguments, self.seed)
        return [
            Run(
                reader.player(each["plain"], "q-linear"), reader.player(each["averaged"], "q-linear"),
                [reader.player(weights, "q-linear") for weights in each["curve"]],
            )
            for each in kept
        ]  # fmt: skip

    def measure(self, player: str | Entrant, rules: Rules) -> MatchResult:
        return match(GAME, [player, JUDGE], self.size.deals, self.seed + EVALUATION, rules, self.threads)


def agreement(published: float, found: Interval, theirs: float) -> tuple[float, float]:
    """How far ours may lie from a published figure: its rounding to hundredths, and both intervals."""
    margin = 0.005 + math.hypot((found.high - found.low) / 2, theirs)
    return published - margin, published + margin


def _share(rows: list[Row], tricks: int) -> float:
    """The share of games with so many tricks."""
    return float(np.mean([row.more["tricks"][str(tricks)] for row in rows]))


def _measured(found: Interval) -> Measured:
    return Measured(found.mean, found.low, found.high, 3, signed=False)
