"""Saito, Tsuruoka: Q-learning for trick-taking card games. Table 3, figures 1 to 3, ours beside theirs.

Published figures are those of the text and of table 3; the scanned paper's figures are missing, so that curves and the
distribution have none.
"""

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tefuda.arena.result import Row
from tefuda.contract import Rules
from tefuda.games.tricks import GAME
from tefuda.games.tricks.cards import RANKS
from tefuda.intervals import Z95, Interval, interval_of
from tefuda.learn.q_learning import SELF, Arguments, QLearning
from tefuda.papers import laboratory
from tefuda.papers.laboratory import Claim, Paper, Target, agreement, compared, half, measured
from tefuda.players.entrant import Entrant
from tefuda.progress import Progress
from tefuda.report.report import Compared, Curves, Line, Point, Series, Table

REGIMES = {SELF: "self-play", "random": "against random"}
OPPONENT = "rule-based"  # three of them sit in the other seats whenever somebody is measured
CURVE = 80_000  # added to the seed: the deals of learning curves are neither learned from nor those of the tables
GAMES_OF_PAPER = 100_000  # that each of its figures was measured on
OTHER_READING = "before"
ROUNDING = 0.005  # the paper's figures have two places
GAIN = "q-linear, self-play minus against random"


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
    "headline": Scale(curve_deals=1_000, points=10),
}
Laboratory = laboratory.Laboratory[Scale]


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
class LearnedPlayers:
    """One learner's end: the weights and their mean as players, and the weights along the way."""

    plain: Entrant
    averaged: Entrant
    curve: list[Entrant]


def plain(lab: Laboratory) -> None:
    """Section 4.1: the tricks of the four players, figures 1 and 2."""
    size = lab.size
    lab.report.section(
        "Plain trick-taking",
        f"A weighted sum of 8,503 features learns by Q-learning from {size.games:,} games, against random players "
        f"and against its own past, {size.seeds} seeds each. Everybody is measured against three rule-based "
        f"players on the same {size.deals:,} deals, each played in all four seats.",
    )
    rules = lab.game.rulebook.make("plain")
    rows = four_players(lab, rules, PLAIN)
    lab.report.figure(
        Curves(
            "figure-1", "Figure 1: tricks won against three rule-based players", "tricks in a game",
            "share of games",
            [
                Series(name, list(range(RANKS + 1)), [share(many, tricks) for tricks in range(RANKS + 1)])
                for name, many in rows.items()
            ],
        )
    )  # fmt: skip
    curves(lab, "figure-2", "Figure 2: learning plain trick-taking", rules, rows, PLAIN)


def hearts(lab: Laboratory) -> None:
    """Section 4.2: table 3 and figure 3."""
    lab.report.section(
        "Hearts by the rules of the text",
        f"Section 4.2: hearts cannot be led before one was played, as the text says. {FEATURES_OF_HEARTS}",
    )
    rules = lab.game.rulebook.make("hearts")
    rows = four_players(lab, rules, HEARTS)
    curves(lab, "figure-3", "Figure 3: learning Hearts (hearts)", rules, rows, HEARTS)


def hearts_as_run(lab: Laboratory) -> None:
    """The same without a rule that the paper's program seems not to have had."""
    lab.report.section(
        "Hearts as the paper's program seems to have played it",
        "With hearts led at any time the rows of the two players that do not learn agree with the paper, and by the "
        f"text's rule they do not: so its program seems not to have had that rule. {FEATURES_OF_HEARTS}",
    )
    rules = lab.game.rulebook.make("hearts-as-run")
    rows = four_players(lab, rules, HEARTS)
    curves(lab, "figure-3-hearts-as-run", "Figure 3: learning Hearts (hearts-as-run)", rules, rows, HEARTS)


AS_RUN = (
    "With hearts led at any time this figure agrees with the paper (rules `hearts-as-run`): its program seems not to "
    "have had the rule that its text states."
)
FEATURES_OF_HEARTS = "The features are 24,415, since the card itself counts; otherwise all is as before."


def four_players(lab: Laboratory, rules: Rules, published: Published) -> dict[str, list[Row]]:
    """Everybody against three rule-based players; returns the rows of each (of a learner, one for each seed)."""
    size, preset, hearts = lab.size, rules.preset, bool(published.zero_rates)
    unit = "points a game" if hearts else "tricks a game"
    rows: dict[str, list[Row]] = {}
    means: dict[str, np.ndarray] = {}
    lines: list[Compared] = []

    def add(
        what: str, theirs: float | None, found: Interval, unit: str, command: str, target: Target | None = None,
        why: str = "", counted: bool = False,
    ) -> None:  # fmt: skip
        text = "–" if theirs is None else f"{theirs:.2f}"
        lines.append(compared(what, text, found, unit, size.deals, command, target, 3, why=why, counted=counted))

    for regime, said in REGIMES.items():
        runs = learn(lab, rules, regime, "")
        rows[said] = [against_three(lab, run.plain, rules) for run in runs]
        means[said] = np.array([row.figure.mean for row in rows[said]])
        wanted = published.means[regime]
        near = (wanted - published.within, wanted + published.within)
        add(f"q-linear, {said}", wanted, interval_of(means[said]), unit, lab.again, near)
        if hearts:
            zero = interval_of(np.array([row.more["zero_rate"] for row in rows[said]]))
            add(f"q-linear, {said}, games without points", published.zero_rates[regime], zero, "", lab.again)
        best = interval_of(np.array([against_three(lab, run.averaged, rules).figure.mean for run in runs]))
        reach = published.means[SELF]
        add(
            f"q-linear with averaged weights, {said} (beyond the paper)", None, best, unit, lab.again,
            ((None, reach) if hearts else (reach, None)) if regime == SELF else None,
        )  # fmt: skip
    for name, label in (("rule-based", "rule-based"), ("random", "random player")):
        row = against_three(lab, name, rules)
        rows[label] = [row]
        command, why = lab.command([name, OPPONENT], size.deals, preset), AS_RUN if preset == "hearts" else ""
        wanted = published.means[label]
        theirs = half(row.seats[0]) * math.sqrt(size.deals / GAMES_OF_PAPER)
        # whoever sits among equals gets a fair share, whatever the rules: that has no target
        close = agreement(wanted, row.figure, theirs, ROUNDING) if name != OPPONENT else None
        add(label, wanted, row.figure, unit, command, close, why, True)
        if hearts:
            rate, wanted = row.more["zero_rate"], published.zero_rates[label]
            spread = Z95 * math.sqrt(rate * (1 - rate) / (4 * size.deals))
            there = Interval(rate, rate - spread, rate + spread)
            theirs = spread * math.sqrt(4 * size.deals / GAMES_OF_PAPER)
            close = agreement(wanted, there, theirs, ROUNDING)
            add(f"{label}, games without points", wanted, there, "", command, close, why, True)
    gain = interval_of(means[REGIMES[SELF]] - means[REGIMES["random"]])
    wanted = published.means[SELF] - published.means["random"]
    better = (None, 0.0) if hearts else (0.0, None)
    lines.append(
        compared(GAIN, f"{wanted:+.2f}", gain, unit, size.deals, lab.again, better, 3, True)
    )  # fmt: skip
    lab.report.compare(
        lines, key=f"compared-{preset}", title=f"{preset}: published and ours",
        note="Of learners, mean and interval are over seeds; of others, over deals. The target of the players "
        "that do not learn is the published figure give or take its rounding and both intervals; what a player gets "
        "among three of itself has none, for it is always the fair share.",
    )  # fmt: skip
    return rows


def curves(
    lab: Laboratory, key: str, title: str, rules: Rules, rows: dict[str, list[Row]], published: Published
) -> None:  # fmt: skip
    """Learning curves on the same deals at every point, mean and interval over seeds."""
    size = lab.size
    at = [size.games * (point + 1) // size.points for point in range(size.points)]
    series = []
    for regime, said in REGIMES.items():
        figures = np.zeros((size.seeds, size.points))
        with Progress(f"learning curves, {rules.preset}, {said}", figures.size, "points") as progress:
            for number, run in enumerate(learn(lab, rules, regime, "")):
                for point, player in enumerate(run.curve):
                    there = lab.measure([player, OPPONENT], size.curve_deals, rules, CURVE)
                    figures[number, point] = there.figure.mean
                    progress.update(number * size.points + point + 1)
        spread = [interval_of(figures[:, point]) for point in range(size.points)]
        series.append(
            Series(
                f"q-linear, {said}", at, [each.mean for each in spread], [each.low for each in spread],
                [each.high for each in spread],
            )
        )  # fmt: skip
    figure = lab.game.scoring.headline_under(rules)
    lab.report.figure(
        Curves(
            key, title, "games learned from", f"{figure.name} against three rule-based", series,
            [Line("rule-based", rows["rule-based"][0].figure.mean)],
            [Point(f"the paper's, {said}", size.games, published.means[regime]) for regime, said in REGIMES.items()],
            note=f"{size.curve_deals:,} deals in all four seats; bands are 95 % over {size.seeds} seeds.",
        )
    )  # fmt: skip


def readings(lab: Laboratory) -> None:
    """What the features of tables 1 and 2 may mean."""
    size = lab.size
    lab.report.section(
        "Readings of the features",
        "Above, n counts the cards of a suit in the other hands, as the text says, and the hand is what is left "
        "when the card is played: which of the 0 to 12 cards of a suit that are then unplayed. In the reading "
        "`before`, n counts all unplayed cards of the suit and the hand is what the card is played from, so that "
        "cards that take nothing are all worth the same, and the paper's rule list decides between them. The "
        "first row of each pair is the reading used above.",
    )
    table: list[list[Any]] = []
    for preset in ("plain", "hearts"):
        rules = lab.game.rulebook.make(preset)
        for variant in ("", OTHER_READING):
            for regime, said in REGIMES.items():
                runs = learn(lab, rules, regime, variant)
                cells = [
                    interval_of(np.array([against_three(lab, player, rules).figure.mean for player in players]))
                    for players in ([run.plain for run in runs], [run.averaged for run in runs])
                ]
                table.append([preset, variant or "(as above)", said, *(measured(cell, 3) for cell in cells)])
    lab.report.table(
        Table(
            "readings", "Two readings of the features, against three rule-based players",
            ("rules", "reading", "learned", "paper's constants", "averaged weights"), table,
            note=f"Tricks or points a game, {size.seeds} seeds, {size.deals:,} deals in all four seats.",
        )
    )  # fmt: skip


def beyond(lab: Laboratory) -> None:
    """Beyond the paper: the players that come with the package, and the one that searches."""
    size = lab.size
    lab.report.section(
        "Beyond the paper",
        "The learned players that come with the package, and `pimc`, which tries every card in worlds that agree "
        "with all that its seat has seen. On the left, who is measured; on top, who sits in the other three seats.",
    )
    table: list[list[Any]] = []
    for preset in ("plain", "hearts"):
        rules = lab.game.rulebook.make(preset)
        for name in ("q-linear", "q-linear-averaged", "q-softmax", "pimc"):
            deals = size.search_deals if name == "pimc" else size.deals
            cells = [
                measured(lab.measure([name, other], deals, rules).figure, 3)
                for other in ("rule-based", "q-linear-averaged")
            ]
            table.append([preset, name, deals, *cells])
    lab.report.table(
        Table(
            "beyond", "Players of the package", ("rules", "player", "deals", "rule-based", "q-linear-averaged"),
            table, note="Tricks or points a game; a player against three of itself gets 3.25 and 6.5.",
        )
    )  # fmt: skip


def learn(lab: Laboratory, rules: Rules, regime: str, variant: str) -> list[LearnedPlayers]:
    """All seeds of a learner, side by side on the cores; finished ones are kept."""
    size = lab.size
    arguments = Arguments(opponent=regime, games=size.games, variant=variant, points=size.points)

    def run(seed: int) -> dict[str, np.ndarray]:
        learner = QLearning(lab.game, rules, arguments, seed)
        learner.advance(size.games)
        return {"plain": learner.weights, "averaged": learner.averaged, "curve": np.array(learner.curve)}

    def one(number: int) -> dict[str, np.ndarray]:
        seed = lab.seed + number
        name = f"{rules.preset}-{regime}-{variant or 'plain'}-{seed}-{size.games}-{size.points}"
        return lab.keep(name, partial(run, seed))

    kept = lab.collect(f"learning {rules}, {REGIMES[regime]}", one, size.seeds, "seeds")
    reader = QLearning(lab.game, rules, arguments, lab.seed)
    return [
        LearnedPlayers(
            reader.player(each["plain"], "q-linear"), reader.player(each["averaged"], "q-linear"),
            [reader.player(weights, "q-linear") for weights in each["curve"]],
        )
        for each in kept
    ]  # fmt: skip


def against_three(lab: Laboratory, player: str | Entrant, rules: Rules) -> Row:
    """What a player gets against three of the opponent."""
    return lab.measure([player, OPPONENT], lab.size.deals, rules)


def share(rows: list[Row], tricks: int) -> float:
    """The share of games with so many tricks."""
    return float(np.mean([row.more["tricks"][str(tricks)] for row in rows]))


PAPER = Paper(
    game=GAME,
    title="Trick-taking and Hearts: the paper's experiments",
    reference="Saito Yuta, Tsuruoka Yoshimasa: トリックテイキングゲームの線形関数近似によるQ学習 "
    "(Q-learning for trick-taking card games with linear function approximation)",
    name="トリックテイキングゲームの線形関数近似によるQ学習",
    scales=SCALES,
    experiments={
        "paper": (plain, hearts, hearts_as_run, readings, beyond),
        "quick": (plain, hearts, hearts_as_run, readings, beyond),
        "headline": (plain, hearts),
    },
    claims=(
        Claim(
            "compared-plain", "q-linear, self-play",
            "`q-linear`, which has learned here from nothing by self-play, takes {ours} tricks a game against three "
            "`rule-based`, where equal players take 3.25; the paper's took 3.69.",
            "q-linear, self-play", 3.69,
        ),
        Claim("compared-plain", "q-linear, against random", "", "q-linear, against random", 3.49),
        Claim("compared-plain", "rule-based", "", "rule-based", 3.25),
        Claim("compared-plain", "random player", "", "random", 2.47),
        Claim(
            "compared-hearts", "q-linear, self-play",
            "In Hearts it takes {ours} penalty points, where equal players take 6.5; the paper's took 4.37.",
            shown="Hearts: q-linear, self-play",
        ),
        Claim(
            "compared-plain", GAIN,
            "Learning by self-play ends {far} tricks {above} learning against random players; in the paper 0.20 above.",
        ),
    ),
    unit="tricks a game",
)  # fmt: skip
