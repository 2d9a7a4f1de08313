"""Sato, Uehara, Ikeda: a computer player for Koi-Koi by reinforcement learning. Both experiments, ours beside theirs.

Published figures are those of the text; the scanned paper's figures are missing, so that curves have none.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from tefuda.arena.result import Row
from tefuda.files.policy import PolicyCard, save
from tefuda.files.provenance import commit
from tefuda.games.koikoi import GAME
from tefuda.intervals import interval_of
from tefuda.learn import policy_gradient, positions, value_network
from tefuda.papers import laboratory
from tefuda.papers.laboratory import EVALUATION, Claim, Paper, compared, measured
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.report.report import Compared, Curves, Line, Measured, Scatter, Series, Table


@dataclass(frozen=True)
class Scale:
    """How large the experiments are."""

    episodes: int = 30_000
    seeds: int = 5  # of learners in experiment 1
    opponents: tuple[str, ...] = ("random", "rule-based")  # to learn against
    deals: int = 20_000  # to evaluate a player on
    tuned_deals: int = 100_000  # for pg-linear-tuned, whose difference is small; 0: not measured
    positions: int = 10_000  # to learn from, for each turn
    tests: int = 300
    games: int = 300  # that value a position
    network_seeds: int = 5
    epochs: int = 40


SCALES = {
    "paper": Scale(),
    "quick": Scale(deals=2_000, tuned_deals=10_000, positions=1_000, games=120, network_seeds=3, epochs=60),
    "headline": Scale(opponents=("rule-based",), deals=10_000, tuned_deals=0),
}
Laboratory = laboratory.Laboratory[Scale]

TURNS = (1, 7, 11)  # single plies, so these are the first player's
FIGURES = {"random": 2, "rule-based": 3}  # of the paper, by whom is learned against

# What is compared, and the published figures.
BASELINE = "rule-based against random, both seats"
MIRROR = "rule-based against itself, first seat"
LEARNED = "pg-linear as first player against rule-based, above rule-based itself, mean of five seeds"
BELOW = "turn {}: test error below the constant's by"


def experiment_1(lab: Laboratory) -> None:
    """Section 5: policy gradient on few features, against `random` and against `rule-based`."""
    size = lab.size
    lab.report.section(
        "Experiment 1: policy gradient on 36 features",
        "A softmax policy over four situations times nine features of an action learns by policy gradient, always "
        f"as the first player, for {size.episodes:,} episodes with the paper's learning rate and initial weights. "
        "Every koi-koi decision, on all sides, is made by 300 Monte Carlo playouts. Strength is measured on deals "
        "that were not learned from.",
    )
    baseline = lab.measure(["rule-based", "random"], size.deals)
    mirror = lab.measure(["rule-based", "rule-based"], size.deals)
    rows = [
        compared(
            BASELINE, "2.52", baseline.figure, "points a game", size.deals,
            lab.command(["rule-based", "random"], size.deals), (2.3, 2.8),
        ),
        compared(
            MIRROR, "0.051", mirror.seats[0], "points a game", size.deals,
            lab.command(["rule-based", "rule-based"], size.deals),
        ),
    ]  # fmt: skip
    table: list[list[Any]] = []
    for opponent in size.opponents:
        finals = learning(lab, opponent, baseline, mirror, table)
        if opponent == "rule-based":
            over_seeds = interval_of(np.array([row.seats[0].mean - mirror.seats[0].mean for row in finals]))
            rows.append(
                compared(
                    LEARNED, "about 0.5", over_seeds, "points a game", size.deals,
                    f"tefuda train koikoi pg-linear --arg opponent=rule-based --seed {lab.seed}", (0.4, None),
                )
            )  # fmt: skip
    note = f"{size.deals:,} paired deals each"
    if size.tuned_deals:
        rows.append(tuned(lab, mirror, table))
        note += f" ({size.tuned_deals:,} for pg-linear-tuned)"
    lab.report.table(
        Table(
            "strength", "Strength after learning, points a game",
            ("player", "opponent", "both seats", "as first player", "above rule-based as first player"), table,
            note=f"{note}, seed {lab.seed + EVALUATION}; intervals are 95 %.",
        )
    )  # fmt: skip
    lab.report.compare(rows, key="experiment-1", title="Experiment 1: published and ours")


def learning(lab: Laboratory, opponent: str, baseline: Row, mirror: Row, table: list[list[Any]]) -> list[Row]:
    """Figures 2 and 3: all seeds learn against an opponent; their strength goes into the table."""
    size = lab.size
    window = max(1, size.episodes // 30)
    series, finals = [], []
    for number, (weights, rewards) in enumerate(learn_all(lab, opponent)):
        ends = np.arange(window, len(rewards) + 1, window)
        means = [float(rewards[end - window : end].mean()) for end in ends]
        series.append(Series(f"seed {lab.seed + number}", ends.tolist(), means))
        row = lab.measure([learned(lab, weights, opponent, lab.seed + number), opponent], size.deals)
        finals.append(row)
        table.append(
            [f"pg-linear, seed {lab.seed + number}", opponent, measured(row.figure, 3, True),
             measured(row.seats[0], 3, True),
             row.seats[0].mean - mirror.seats[0].mean if opponent == "rule-based" else None]
        )  # fmt: skip
    against, line = ("random", baseline) if opponent == "random" else ("itself", mirror)
    lab.report.figure(
        Curves(
            f"figure-{FIGURES[opponent]}", f"Figure {FIGURES[opponent]}: learning against {opponent}", "episodes",
            f"points a game, mean of {window} episodes", series,
            [Line(f"rule-based against {against}, first seat", line.seats[0].mean)],
        )
    )  # fmt: skip
    return finals


def learn_all(lab: Laboratory, opponent: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Weights and rewards of all seeds, side by side on the cores."""
    entrant, episodes = resolve(lab.game, opponent), lab.size.episodes

    def run(seed: int) -> dict[str, np.ndarray]:
        arguments = policy_gradient.Arguments(opponent=opponent, episodes=episodes)
        learner = policy_gradient.PolicyGradient(lab.game, lab.game.rulebook.make(), entrant, arguments, seed)
        learner.advance(episodes)
        return {"weights": learner.weights, "rewards": learner.rewards}

    def learn(number: int) -> tuple[np.ndarray, np.ndarray]:
        seed = lab.seed + number
        kept = lab.keep(f"policy-gradient-{opponent}-{seed}-{episodes}", partial(run, seed))
        return kept["weights"], kept["rewards"]

    return lab.collect(f"learning against {opponent}", learn, lab.size.seeds, "seeds")


def learned(lab: Laboratory, weights: np.ndarray, opponent: str, seed: int) -> str:
    """A learned policy as a file that a match can name."""
    policy = lab.game.players.policies[lab.game.players.index("pg-linear")]
    card = PolicyCard(
        "koikoi", "pg-linear", "paper", policy.features, seed, commit(),
        {"opponent": opponent, "episodes": lab.size.episodes},
    )  # fmt: skip
    path = lab.work / f"pg-linear-{opponent}-{seed}.npz"
    save(path, card, weights)
    return str(path)


def tuned(lab: Laboratory, mirror: Row, table: list[list[Any]]) -> Compared:
    """Beyond the paper: the same features, learned better."""
    deals = lab.size.tuned_deals
    found = lab.measure(["pg-linear-tuned", "rule-based"], deals)
    table.append(
        ["pg-linear-tuned", "rule-based", measured(found.figure, 3, True), measured(found.seats[0], 3, True),
         found.seats[0].mean - mirror.seats[0].mean]
    )  # fmt: skip
    return Compared(
        "pg-linear-tuned against rule-based, both seats, lower end of the 95 % interval (beyond the paper)", "–",
        found.figure.low, None, None, "points a game", deals,
        lab.command(["pg-linear-tuned", "rule-based"], deals), (0.0, None), 3,
    )  # fmt: skip


def experiment_2(lab: Laboratory) -> None:
    """Section 6: a network of 252-200-1 units predicts the score from after-states."""
    size = lab.size
    lab.report.section(
        "Experiment 2: predicting the score with a 252-200-1 network",
        f"For each of the turns 1, 7 and 11, {size.positions:,} positions to learn from and {size.tests} to test on, "
        f"each from a deal of its own. A position's value is the mean over {size.games} games between rule-based "
        "players that go on from it with the hidden cards dealt again. Learning rate 0.05, L2 coefficient 0.1. Taken "
        "as plain weight decay the L2 term holds the network near a constant; divided by the number of positions it "
        "learns. Both readings are shown; bands and intervals are over seeds of the network.",
    )
    table: list[list[Any]] = []
    rows: list[Compared] = []
    gaps: dict[int, np.ndarray] = {}  # by how much the test error lies below the constant's
    for turn in TURNS:
        gaps[turn] = predicting(lab, turn, table)
        rows.append(gain_row(BELOW.format(turn), "above 0", gaps[turn]))
    lab.report.table(
        Table(
            "experiment-2", "Squared error on the test positions after learning",
            ("turn", "constant", "L2 divided", "L2 plain", "below the constant by", "the same in % of it"), table,
            note=f"{size.network_seeds} seeds of the network; intervals are 95 % over them.",
        )
    )  # fmt: skip
    for earlier, later in ((1, 7), (7, 11)):
        what = f"how much more it lies below at turn {later} than at turn {earlier}"
        rows.append(gain_row(what, "–", gaps[later] - gaps[earlier]))
    lab.report.compare(rows, key="experiment-2-compared", title="Experiment 2: published and ours")


def gain_row(what: str, published: str, values: np.ndarray) -> Compared:
    """A difference of errors that should lie above 0, over seeds of the network."""
    return compared(
        what, published, interval_of(values), "squared points", None, "tefuda reproduce koikoi", (0.0, None), 2, True
    )


def predicting(lab: Laboratory, turn: int, table: list[list[Any]]) -> np.ndarray:
    """The networks of one turn: their curves, their row of the table, and what they gain on a constant."""
    size, teacher = lab.size, resolve(lab.game, "rule-based")
    train = teach(lab, teacher, turn, size.positions, "train")
    test = teach(lab, teacher, turn, size.tests, "test")
    constant = float(np.mean((test.values - train.values.mean()) ** 2))
    curves, finals = [], {}
    for divided in (True, False):
        learners = learn_networks(lab, train, test, divided, turn)
        errors = np.array([errors for errors, _ in learners])  # [seeds, epochs]
        spread = [interval_of(errors[:, epoch]) for epoch in range(size.epochs)]
        name = "L2 divided by the positions" if divided else "L2 as plain weight decay"
        curves.append(
            Series(
                name, list(range(1, size.epochs + 1)), [each.mean for each in spread],
                [each.low for each in spread], [each.high for each in spread],
            )
        )  # fmt: skip
        finals[divided] = interval_of(errors[:, -1])
        if divided:
            gaps, outputs = constant - errors[:, -1], learners[0][1]
    lab.report.figure(
        Curves(
            f"figure-turn-{turn}", f"Test error at turn {turn}", "epochs", "squared error", curves,
            [Line("constant", constant)],
        )
    )  # fmt: skip
    lab.report.figure(
        Scatter(
            f"scatter-turn-{turn}", f"Turn {turn}: output and teacher on the test positions", "teacher, points",
            "network, points", test.values.tolist(), outputs.tolist(), True,
        )
    )  # fmt: skip
    share = interval_of(100 * gaps / constant)
    table.append(
        [turn, constant, measured(finals[True], 3, True), measured(finals[False], 3, True),
         measured(interval_of(gaps), 3, True), Measured(share.mean, share.low, share.high, 1)]
    )  # fmt: skip
    return gaps


PART = 500  # positions that an interrupted run keeps


def teach(lab: Laboratory, teacher: Entrant, turn: int, wanted: int, part: str) -> value_network.Positions:
    """Positions of one turn with their values; finished parts are kept for a run that is resumed."""
    found = []
    arguments = positions.Arguments("rule-based", (turn,), 0, lab.size.games)
    first_seed = 1_000_000 * lab.seed + 10_000 * turn + (5_000 if part == "test" else 0)
    for number, first in enumerate(range(0, wanted, PART)):
        here = replace(arguments, positions=min(PART, wanted - first))
        what = f"turn {turn}, {part}: part {number + 1} of {-(-wanted // PART)}"

        def run(here: positions.Arguments = here, seed: int = first_seed + number, what: str = what) -> dict[str, Any]:
            got = positions.collect(lab.game, lab.game.rulebook.make(), teacher, here, seed, lab.threads, what)
            return {"active": got.active, "values": got.values}

        found.append(lab.keep(f"positions-{first_seed + number}-{here.positions}-{lab.size.games}", run))
    return value_network.Positions(
        np.concatenate([each["active"] for each in found]), np.concatenate([each["values"] for each in found])
    )


def learn_networks(
    lab: Laboratory, train: value_network.Positions, test: value_network.Positions, divided: bool, turn: int
) -> list[tuple[list[float], np.ndarray]]:
    """For every seed: its test error by epoch, and its outputs on the test positions."""
    after = lab.game.learning.after_states
    assert after is not None
    arguments = value_network.Arguments(hidden=after.hidden, epochs=lab.size.epochs, divide_decay=divided)

    def learn(number: int) -> tuple[list[float], np.ndarray]:
        learner = value_network.ValueNetworkTraining(after.inputs, train, arguments, lab.seed + number)
        errors = []
        while not learner.done:
            learner.advance()
            errors.append(learner.error(test))
        return errors, learner.predict(test.active)

    return lab.collect(f"networks of turn {turn}", learn, lab.size.network_seeds, "networks")


PAPER = Paper(
    game=GAME,
    title="Koi-Koi: the paper's experiments",
    reference="Sato Naoyuki, Uehara Ryuhei, Ikeda Kokolo: 花札の「こいこい」ゲームの強化学習によるコンピュータプレイヤ "
    "(a computer player for the hanafuda game Koi-Koi by reinforcement learning)",
    scales=SCALES,
    experiments={
        "paper": (experiment_1, experiment_2),
        "quick": (experiment_1, experiment_2),
        "headline": (experiment_1,),
    },
    claims=(
        Claim(
            "experiment-1", BASELINE, "`rule-based` wins {ours} points a game against `random`; the paper's won 2.52.",
            "rule-based against random", 2.52,
        ),
        Claim(
            "experiment-1", LEARNED,
            "The policy that the paper learns by gradient, `pg-linear`, ends {far} points a game {above} `rule-based` "
            "as first player; the paper's ended about 0.5 above it.",
            "pg-linear above rule-based", 0.5,
        ),
        Claim(
            "experiment-2-compared", BELOW.format(11),
            "At turn 11 the squared error of the network that predicts scores lies {far} {below} that of a constant.",
        ),
    ),
    unit="points a game",
)  # fmt: skip
