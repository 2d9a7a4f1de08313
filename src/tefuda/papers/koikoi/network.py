"""Experiment 2, section 6: a network of 252-200-1 units predicts the score from after-states."""

from dataclasses import replace
from typing import Any

import numpy as np

from tefuda.intervals import interval_of
from tefuda.learn import positions, value_network
from tefuda.papers.koikoi.published import BELOW, Laboratory
from tefuda.papers.laboratory import compared, measured
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.report.report import Compared, Curves, Line, Measured, Scatter, Series, Table

TURNS = (1, 7, 11)  # single plies, so these are the first player's


def experiment_2(lab: Laboratory) -> None:
    """Section 6: positions of three turns, and the networks that learn their values."""
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
        rows.append(gain_row(lab, BELOW.format(turn), "above 0", gaps[turn]))
    lab.report.table(
        Table(
            "experiment-2", "Squared error on the test positions after learning",
            ("turn", "constant", "L2 divided", "L2 plain", "below the constant by", "the same in % of it"), table,
            note=f"{size.network_seeds} seeds of the network; intervals are 95 % over them.",
        )
    )  # fmt: skip
    for earlier, later in ((1, 7), (7, 11)):
        what = f"how much more it lies below at turn {later} than at turn {earlier}"
        rows.append(gain_row(lab, what, "–", gaps[later] - gaps[earlier]))
    lab.report.compare(rows, key="experiment-2-compared", title="Experiment 2: published and ours")


def gain_row(lab: Laboratory, what: str, published: str, values: np.ndarray) -> Compared:
    """A difference of errors that should lie above 0, over seeds of the network."""
    return compared(what, published, interval_of(values), "squared points", None, lab.again, (0.0, None), 2, True)


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


def teach(lab: Laboratory, teacher: Entrant, turn: int, wanted: int, part: str) -> value_network.ValuedPositions:
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
    return value_network.ValuedPositions(
        np.concatenate([each["active"] for each in found]), np.concatenate([each["values"] for each in found])
    )


def learn_networks(
    lab: Laboratory, train: value_network.ValuedPositions, test: value_network.ValuedPositions, divided: bool, turn: int
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
