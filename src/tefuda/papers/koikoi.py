"""Sato, Uehara, Ikeda: a computer player for Koi-Koi by reinforcement learning. Both experiments, ours beside theirs.

Published figures are those of the text; the scanned paper's figures are missing, so that curves have none.
"""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.match import match
from tefuda.files.parts import keep
from tefuda.files.policy import Card, save
from tefuda.files.provenance import commit
from tefuda.games.koikoi import GAME
from tefuda.intervals import interval_of
from tefuda.learn import policy_gradient, positions, value_network
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.progress import collect
from tefuda.report.report import Compared, Curves, Line, Measured, Report, Scatter, Series, Table

PAPER = (
    "Sato Naoyuki, Uehara Ryuhei, Ikeda Kokolo: 花札の「こいこい」ゲームの強化学習によるコンピュータプレイヤ "
    "(a computer player for the hanafuda game Koi-Koi by reinforcement learning)"
)
TURNS = (1, 7, 11)  # single plies, so these are the first player's
SEEDS = 5  # of learners in experiment 1
EVALUATION = 70_000  # added to the seed: deals to evaluate on are others than those to learn from


@dataclass(frozen=True)
class Scale:
    """How large the experiments are."""

    episodes: int = 30_000
    deals: int = 20_000  # to evaluate a player on
    positions: int = 10_000  # to learn from, for each turn
    tests: int = 300
    games: int = 300  # that value a position
    network_seeds: int = 5
    epochs: int = 40


SCALES = {"paper": Scale(), "quick": Scale(deals=2_000, positions=1_000, games=120, network_seeds=3, epochs=60)}


def reproduce(scale: str, folder: Path, seed: int, threads: int | None) -> Report:
    """Run both experiments and write the report."""
    size = SCALES[scale]
    report = Report(
        title="Koi-Koi: the paper's experiments", folder=folder,
        arguments={"paper": "koikoi", "scale": scale, **size.__dict__}, seed=seed, commit=commit(), paper=PAPER,
    )  # fmt: skip
    report.prepare()
    work = folder.parent / f"{folder.name}-work"  # finished parts of an interrupted run
    experiment_1(report, size, seed, work, threads)
    experiment_2(report, size, seed, work, threads)
    report.write()
    shutil.rmtree(work, ignore_errors=True)
    return report


def experiment_1(report: Report, size: Scale, seed: int, work: Path, threads: int | None) -> None:
    """Section 5: policy gradient on few features, against `random` and against `rule-based`."""
    report.section(
        "Experiment 1: policy gradient on 36 features",
        "A softmax policy over four situations times nine features of an action learns by policy gradient, always "
        f"as the first player, for {size.episodes:,} episodes with the paper's learning rate and initial weights. "
        "Every koi-koi decision, on all sides, is made by 300 Monte Carlo playouts. Strength is measured on deals "
        "that were not learned from.",
    )
    baseline = match(GAME, ["rule-based", "random"], size.deals, seed + EVALUATION, threads=threads).rows[0]
    mirror = match(GAME, ["rule-based", "rule-based"], size.deals, seed + EVALUATION, threads=threads).rows[0]
    command = f"--deals {size.deals} --seed {seed + EVALUATION}"
    compared = [
        Compared(
            "rule-based against random, both seats", "2.52", baseline.figure.mean, baseline.figure.low,
            baseline.figure.high, "points a game", size.deals, f"tefuda match koikoi rule-based random {command}",
            (2.3, 2.8),
        ),
        Compared(
            "rule-based against itself, first seat", "0.051", mirror.seats[0].mean, mirror.seats[0].low,
            mirror.seats[0].high, "points a game", size.deals,
            f"tefuda match koikoi rule-based rule-based {command}",
        ),
    ]  # fmt: skip
    rows: list[list[Any]] = []
    for figure, opponent in ((2, "random"), (3, "rule-based")):
        runs = learn_all(size, opponent, seed, work, threads)
        window = max(1, size.episodes // 30)
        series = []
        finals = []
        for number, (weights, rewards) in enumerate(runs):
            ends = np.arange(window, len(rewards) + 1, window)
            means = [float(rewards[end - window : end].mean()) for end in ends]
            series.append(Series(f"seed {seed + number}", ends.tolist(), means))
            result = match(
                GAME, [learned(work, weights, opponent, seed + number, size), opponent], size.deals,
                seed + EVALUATION, threads=threads,
            )  # fmt: skip
            row = result.rows[0]
            above = row.seats[0].mean - mirror.seats[0].mean
            finals.append(row)
            rows.append(
                [f"pg-linear, seed {seed + number}", opponent, measured(row.figure), measured(row.seats[0]),
                 above if opponent == "rule-based" else None]
            )  # fmt: skip
        lines = [Line("rule-based against random, first seat", baseline.seats[0].mean)] if opponent == "random" else [
            Line("rule-based against itself, first seat", mirror.seats[0].mean)
        ]  # fmt: skip
        report.figure(
            Curves(
                f"figure-{figure}", f"Figure {figure}: learning against {opponent}", "episodes",
                f"points a game, mean of {window} episodes", series, lines,
            )
        )  # fmt: skip
        if opponent == "rule-based":
            over_seeds = interval_of(np.array([row.seats[0].mean - mirror.seats[0].mean for row in finals]))
            compared.append(
                Compared(
                    "pg-linear as first player against rule-based, above rule-based itself, mean of five seeds",
                    "about 0.5", over_seeds.mean, over_seeds.low, over_seeds.high, "points a game", size.deals,
                    f"tefuda train koikoi pg-linear --arg opponent=rule-based --seed {seed}", (0.4, None),
                )
            )  # fmt: skip
    deals = 5 * size.deals  # the difference is small
    tuned = match(GAME, ["pg-linear-tuned", "rule-based"], deals, seed + EVALUATION, threads=threads).rows[0]
    rows.append(
        ["pg-linear-tuned", "rule-based", measured(tuned.figure), measured(tuned.seats[0]),
         tuned.seats[0].mean - mirror.seats[0].mean]
    )  # fmt: skip
    compared.append(
        Compared(
            "pg-linear-tuned against rule-based, both seats, lower end of the 95 % interval (beyond the paper)", "–",
            tuned.figure.low, None, None, "points a game", deals,
            f"tefuda match koikoi pg-linear-tuned rule-based --deals {deals} --seed {seed + EVALUATION}",
            (0.0, None), 3,
        )
    )  # fmt: skip
    report.table(
        Table(
            "strength", "Strength after learning, points a game",
            ("player", "opponent", "both seats", "as first player", "above rule-based as first player"), rows,
            note=f"{size.deals:,} paired deals each ({deals:,} for pg-linear-tuned), seed {seed + EVALUATION}; "
            "intervals are 95 %.",
        )
    )  # fmt: skip
    report.compare(compared, key="experiment-1", title="Experiment 1: published and ours")


def measured(interval: Any) -> Measured:
    return Measured(interval.mean, interval.low, interval.high, 3)


def learn_all(size: Scale, opponent: str, seed: int, work: Path, threads: int | None) -> list:
    """Weights and rewards of all seeds, side by side on the cores."""
    entrant = resolve(GAME, opponent)

    def learn(number: int, _: int) -> tuple[np.ndarray, np.ndarray]:
        def run() -> dict[str, np.ndarray]:
            arguments = policy_gradient.Arguments(opponent=opponent, episodes=size.episodes)
            learner = policy_gradient.PolicyGradient(GAME, GAME.rulebook.make(), entrant, arguments, seed + number)
            learner.advance(size.episodes)
            return {"weights": learner.weights, "rewards": learner.rewards}

        kept = keep(work, GAME, f"policy-gradient-{opponent}-{seed + number}-{size.episodes}", run)
        return kept["weights"], kept["rewards"]

    return collect(f"learning against {opponent}", learn, list(range(SEEDS)), "seeds", threads)


def learned(work: Path, weights: np.ndarray, opponent: str, seed: int, size: Scale) -> str:
    """A learned policy as a file that a match can name."""
    policy = GAME.players.policies[GAME.players.index("pg-linear")]
    card = Card(
        "koikoi", "pg-linear", "paper", policy.features, seed, commit(),
        {"opponent": opponent, "episodes": size.episodes},
    )  # fmt: skip
    path = work / f"pg-linear-{opponent}-{seed}.npz"
    save(path, card, weights)
    return str(path)


def experiment_2(report: Report, size: Scale, seed: int, work: Path, threads: int | None) -> None:
    """Section 6: a network of 252-200-1 units predicts the score from after-states."""
    report.section(
        "Experiment 2: predicting the score with a 252-200-1 network",
        f"For each of the turns 1, 7 and 11, {size.positions:,} positions to learn from and {size.tests} to test on, "
        f"each from a deal of its own. A position's value is the mean over {size.games} games between rule-based "
        "players that go on from it with the hidden cards dealt again. Learning rate 0.05, L2 coefficient 0.1. Taken "
        "as plain weight decay the L2 term holds the network near a constant; divided by the number of positions it "
        "learns. Both readings are shown; bands and intervals are over seeds of the network.",
    )
    teacher = resolve(GAME, "rule-based")
    rows: list[list[Any]] = []
    compared: list[Compared] = []
    gaps: dict[int, np.ndarray] = {}  # by how much the test error lies below the constant's
    for turn in TURNS:
        train = teach(teacher, turn, size.positions, size, seed, "train", work, threads)
        test = teach(teacher, turn, size.tests, size, seed, "test", work, threads)
        constant = float(np.mean((test.values - train.values.mean()) ** 2))
        curves, finals = [], {}
        for divided in (True, False):
            learners = learn_networks(train, test, size, seed, divided, turn, threads)
            errors = np.array([learner[1] for learner in learners])  # [seeds, epochs]
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
                gaps[turn] = constant - errors[:, -1]
                outputs = learners[0][2]
        report.figure(
            Curves(
                f"figure-turn-{turn}", f"Test error at turn {turn}", "epochs", "squared error", curves,
                [Line("constant", constant)],
            )
        )  # fmt: skip
        report.figure(
            Scatter(
                f"scatter-turn-{turn}", f"Turn {turn}: output and teacher on the test positions", "teacher, points",
                "network, points", test.values.tolist(), outputs.tolist(), True,
            )
        )  # fmt: skip
        gap, share = interval_of(gaps[turn]), interval_of(100 * gaps[turn] / constant)
        rows.append(
            [turn, constant, measured(finals[True]), measured(finals[False]), measured(gap),
             Measured(share.mean, share.low, share.high, 1)]
        )  # fmt: skip
        compared.append(
            Compared(
                f"turn {turn}: test error below the constant's by", "above 0", gap.mean, gap.low, gap.high,
                "squared points", None, "tefuda reproduce koikoi", (0.0, None), 2, True,
            )
        )  # fmt: skip
    report.table(
        Table(
            "experiment-2", "Squared error on the test positions after learning",
            ("turn", "constant", "L2 divided", "L2 plain", "below the constant by", "the same in % of it"), rows,
            note=f"{size.network_seeds} seeds of the network; intervals are 95 % over them.",
        )
    )  # fmt: skip
    for earlier, later in ((1, 7), (7, 11)):
        gain = interval_of(gaps[later] - gaps[earlier])
        compared.append(
            Compared(
                f"how much more it lies below at turn {later} than at turn {earlier}", "–", gain.mean, gain.low,
                gain.high, "squared points", None, "tefuda reproduce koikoi", (0.0, None), 2, True,
            )
        )  # fmt: skip
    report.compare(compared, key="experiment-2-compared", title="Experiment 2: published and ours")


PART = 500  # positions that an interrupted run keeps


def teach(
    teacher: Entrant, turn: int, wanted: int, size: Scale, seed: int, part: str, work: Path, threads: int | None
) -> positions.Positions:
    """Positions of one turn with their values; finished parts are kept for a run that is resumed."""
    found = []
    arguments = positions.Arguments("rule-based", (turn,), 0, size.games)
    first_seed = 1_000_000 * seed + 10_000 * turn + (5_000 if part == "test" else 0)
    for number, first in enumerate(range(0, wanted, PART)):
        here = replace(arguments, positions=min(PART, wanted - first))

        def run(here: positions.Arguments = here, number: int = number, first: int = first) -> dict[str, np.ndarray]:
            what = f"turn {turn}, {part}: part {number + 1} of {-(-wanted // PART)}"
            got = positions.collect(GAME, GAME.rulebook.make(), teacher, here, first_seed + number, threads, what)
            return {"active": got.active, "values": got.values}

        found.append(keep(work, GAME, f"positions-{first_seed + number}-{here.positions}-{size.games}", run))
    return positions.Positions(
        np.concatenate([each["active"] for each in found]), np.concatenate([each["values"] for each in found])
    )


def learn_networks(
    train: positions.Positions, test: positions.Positions, size: Scale, seed: int, divided: bool, turn: int,
    threads: int | None,
) -> list:  # fmt: skip
    """For every seed: the learner, its test error by epoch, its outputs on the test positions."""
    after = GAME.learning.after_states
    assert after is not None
    arguments = value_network.Arguments(hidden=after.hidden, epochs=size.epochs, divide_decay=divided)

    def learn(number: int, _: int):
        learner = value_network.ValueNetworkTraining(after.inputs, train, arguments, seed + number)
        errors = []
        while not learner.done:
            learner.advance()
            errors.append(learner.error(test))
        return learner, errors, learner.predict(test.active)

    return collect(f"networks of turn {turn}", learn, list(range(size.network_seeds)), "networks", threads)
