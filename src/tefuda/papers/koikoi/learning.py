"""Experiment 1, section 5: a linear policy learns by policy gradient, against random and against if-then rules."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tefuda.arena.result import Row
from tefuda.contract import Game
from tefuda.intervals import Interval, interval_of
from tefuda.learn import policy_gradient
from tefuda.papers.koikoi.published import (
    ABOVE,
    AGAINST_RANDOM,
    BASELINE,
    FIRST_SEAT,
    FITTING,
    LEARNED,
    MIRROR,
    OURS,
    SHIPPED,
    Laboratory,
    near,
)
from tefuda.papers.laboratory import EVALUATION, compared, measured
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.report.report import Compared, Curves, Line, PlayerName, Point, Series, Table

STRONGER = (
    "The paper does not print its if-then rules, and ours are stronger than those by which its figures come out: no "
    "reading of its learner comes far above them."
)
UNSTEADY = "At T = 1 the first steps are so large that seeds end far apart; the paper shows one run, and no T."


APART = 1_000  # so far apart are the seeds of the deals on which seeds of a learner are measured
SHARP = 1_000.0  # times the weights: the likeliest action is taken


@dataclass(frozen=True)
class Way:
    """How the policy learns, and how it is measured: what the paper does not say.

    Only weights divided by the temperature matter: they begin as the weights do, divided by it, and move by steps
    divided by its square.
    """

    about: str
    temperature: float = 1.0
    high: float = 1.0  # initial weights are uniform from 0 to this
    likeliest: bool = False  # when strength is measured, the likeliest action is taken; else one by its chance

    def arguments(self, episodes: int) -> policy_gradient.Arguments:
        step = policy_gradient.Arguments().step / self.temperature**2
        return policy_gradient.Arguments(episodes=episodes, step=step, high=self.high / self.temperature)


STEADY = Way("T = 5, the likeliest action", 5.0, likeliest=True)  # all seeds learn the same by it
AS_SHIPPED = Way("T = 1, actions drawn by their chances")  # as the file of `pg-linear` has learned


@dataclass(frozen=True)
class RulesReading:
    """A reading of the paper's if-then rules, as a player: against random, and against itself."""

    name: str
    baseline: Row
    mirror: Row


@dataclass(frozen=True)
class Learned:
    """Learners of all seeds: what they have learned, and what they got as first players while they did."""

    weights: list[np.ndarray]  # of each seed
    rewards: np.ndarray  # [seeds, episodes]


def experiment_1(lab: Laboratory) -> None:
    """Section 5: the strength of the rules, and of learners against random and against the rules."""
    size = lab.size
    lab.report.section(
        "Experiment 1: policy gradient on 36 features",
        "A softmax policy over four situations times nine features of an action learns by policy gradient, always "
        f"as the first player, for {size.episodes:,} episodes with the paper's learning rate and initial weights. "
        "Every koi-koi decision, on all sides, is made by 300 Monte Carlo playouts. Strength is measured on deals "
        "that were not learned from.\n\n"
        "The paper learns against if-then rules, which it does not print. Readings of them stand here, the one "
        "that fits most of its figures first. All complete a yaku when they can. `rule-based-simple` otherwise takes "
        "any card, `rule-based-values` those of the highest card values; both give any card when they can take none. "
        "`rule-based`, ours from the beginning, weighs cards by the yaku that they lead to, and gives what is worth "
        "least.\n\n"
        "Nor does the paper give the temperature T of its softmax. At T = 1 the first steps are so large that seeds "
        "end far apart, and some never recover. At T = 5 all seeds learn the same.",
    )
    rows: list[Compared] = []
    table: list[list[Any]] = []
    series = []
    for name in size.rules:
        rules = rules_of(lab, name)
        gaps = []
        for way, seeds in ((STEADY, size.reading_seeds), (AS_SHIPPED, size.seeds)):
            if seeds:
                learned = learn(lab, lab.game, "pg-linear", way, name, seeds)
                gaps.append(interval_of(above(lab, lab.game, way, name, learned)))
                series += [curve(f"against {name}", learned.rewards)] if way is STEADY else []
        rows += compared_with(lab, rules, *gaps) if name in (FITTING, OURS) else []
        table.append(
            [PlayerName(name), measured(rules.baseline.figure), measured(rules.baseline.seats[0]),
             measured(rules.mirror.seats[0], 3), *(measured(gap, 2, True) for gap in gaps),
             *[None] * (2 - len(gaps)), fits(rules, gaps[0])]
        )  # fmt: skip
    lab.report.table(
        Table(
            "rules", "Readings of the if-then rules, points a game",
            ("rules", "against random", "the same as first player", "against itself, first seat",
             "learner above it, T = 5", "learner above it, T = 1", "of the paper's three figures fit"),
            [*table, ["the paper", AGAINST_RANDOM, None, FIRST_SEAT, f"about {ABOVE}", f"about {ABOVE}", None]],
            note=f"{size.deals:,} paired deals, seed {lab.seed + EVALUATION}. The learner is measured as first player, "
            f"each seed on {size.seed_deals:,} deals of its own. Intervals are over seeds: {size.reading_seeds} at "
            f"T = 5, where the likeliest action is taken, and {size.seeds or 'none'} at T = 1, where actions are drawn "
            "by their chances. A figure fits when the whole interval lies within 0.3 of the published one: such is the "
            "paper's own interval, of 1,000 games. The last column counts the learner at T = 5.",
        )
    )  # fmt: skip
    lab.report.figure(
        Curves(
            "figure-3", "Figure 3: learning against if-then rules", "episodes", "points a game as first player", series,
            published=[Point("the paper's, about 0.55", size.episodes, FIRST_SEAT + ABOVE)],
            note=f"Means of {window_of(size.episodes):,} episodes at T = 5, actions drawn by their chances; bands are "
            f"95 % over {size.reading_seeds} seeds.",
        )
    )  # fmt: skip
    if size.seeds:
        against_random(lab)
    if size.tuned_deals:
        rows.append(tuned(lab))
    lab.report.compare(
        rows, key="experiment-1", title="Experiment 1: published and ours",
        note="A target is the published figure give or take 0.3, the paper's own interval. That a player gets next to "
        "nothing from itself says little, so that these lines have no target.",
    )  # fmt: skip


def rules_of(lab: Laboratory, name: str) -> RulesReading:
    deals = lab.size.deals
    return RulesReading(name, lab.measure([name, "random"], deals), lab.measure([name, name], deals))


def compared_with(lab: Laboratory, rules: RulesReading, steady: Interval, *shipped: Interval) -> list[Compared]:
    """The paper's three figures beside those of one reading of its rules."""
    size, name = lab.size, rules.name
    reasons = (STRONGER, STRONGER) if name == OURS else ("", UNSTEADY)
    lines = zip((LEARNED, SHIPPED), (steady, *shipped), reasons, strict=False)
    return [
        *(
            compared(
                what.format(name), f"about {ABOVE}", gap, "points a game", size.seed_deals, lab.again, near(ABOVE),
                signed=True, why=why,
            )
            for what, gap, why in lines
        ),
        compared(
            BASELINE.format(name), f"{AGAINST_RANDOM}", rules.baseline.figure, "points a game", size.deals,
            lab.command([name, "random"], size.deals), near(AGAINST_RANDOM),
        ),
        compared(
            MIRROR.format(name), f"{FIRST_SEAT}", rules.mirror.seats[0], "points a game", size.deals,
            lab.command([name, name], size.deals), digits=3,
        ),
    ]  # fmt: skip


def fits(rules: RulesReading, gap: Interval) -> int:
    """How many of the paper's three figures come out by a reading of its rules."""
    pairs = ((rules.baseline.figure, AGAINST_RANDOM), (rules.mirror.seats[0], FIRST_SEAT), (gap, ABOVE))
    return sum(
        compared("", "", found, "", None, "", near(published)).verdict == "hit" for found, published in pairs
    )  # fmt: skip


def against_random(lab: Laboratory) -> None:
    """Figure 2: learning against random players."""
    size = lab.size
    learned = learn(lab, lab.game, "pg-linear", STEADY, "random", size.reading_seeds)
    lab.report.figure(
        Curves(
            "figure-2", "Figure 2: learning against random", "episodes", "points a game as first player",
            [curve("against random", learned.rewards)],
            [Line("the paper's rules against random, 2.52", AGAINST_RANDOM)],
            note=f"Means of {window_of(size.episodes):,} episodes at T = 5; the band is 95 % over "
            f"{size.reading_seeds} seeds.",
        )
    )  # fmt: skip


def tuned(lab: Laboratory) -> Compared:
    """Beyond the paper: the same features, learned better."""
    players, deals = ["pg-linear-tuned", OURS], lab.size.tuned_deals
    return compared(
        "pg-linear-tuned against rule-based, both seats (beyond the paper)", "–", lab.measure(players, deals).figure,
        "points a game", deals, lab.command(players, deals), (0.0, None), 3, True,
    )  # fmt: skip


def learn(lab: Laboratory, game: Game, key: str, way: Way, opponent: str, seeds: int) -> Learned:
    """All seeds learn, side by side on the cores; finished ones are kept. `game` has the reading of the features, `key`
    names it."""
    other, arguments = resolve(lab.game, opponent), way.arguments(lab.size.episodes)

    def run(seed: int) -> dict[str, np.ndarray]:
        learner = policy_gradient.PolicyGradient(game, game.rulebook.make(), other, arguments, seed)
        learner.advance(arguments.episodes)
        return {"weights": learner.weights, "rewards": learner.rewards}

    def one(number: int) -> tuple[np.ndarray, np.ndarray]:
        seed = lab.seed + number
        how = f"{arguments.step:g}-{arguments.high:g}-{arguments.episodes}"
        kept = lab.keep(f"policy-gradient-{key}-{opponent}-{how}-{seed}", partial(run, seed))
        return kept["weights"], kept["rewards"]

    found = lab.collect(f"{key} learns against {opponent}", one, seeds, "seeds")
    return Learned([weights for weights, _ in found], np.array([rewards for _, rewards in found]))


def above(lab: Laboratory, game: Game, way: Way, rules: str, learned: Learned) -> np.ndarray:
    """What each seed gets as first player against the rules, above the rules in its place [seeds].

    Each seed has deals of its own, so that an interval over seeds is one over deals as well.
    """
    linear, sharpened = game.learning.linear, SHARP if way.likeliest else 1.0
    assert linear is not None
    policy = game.players.policy(linear.policy)
    gaps = []
    for number, weights in enumerate(learned.weights):
        player = Entrant("pg-linear", policy, policy.parameters("monte-carlo", sharpened * weights))
        first = EVALUATION + APART * (number + 1)
        found, itself = (
            lab.measure([who, rules], lab.size.seed_deals, first=first).seats[0].mean for who in (player, rules)
        )
        gaps.append(found - itself)
    return np.array(gaps)


def window_of(episodes: int) -> int:
    return max(1, episodes // 30)


def curve(name: str, rewards: np.ndarray) -> Series:
    """A learning curve: means of some episodes each, and their interval over seeds."""
    window = window_of(rewards.shape[1])
    ends = range(window, rewards.shape[1] + 1, window)
    spread = [interval_of(rewards[:, end - window : end].mean(axis=1)) for end in ends]
    return Series(
        name, list(ends), [each.mean for each in spread], [each.low for each in spread], [each.high for each in spread]
    )
