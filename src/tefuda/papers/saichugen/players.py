"""Sections 5 and 6: the paper's players, what its text leaves open, and how often they win."""

from typing import Any

from tefuda.games.saichugen.players.choices import AIM_MIDDLE, AIM_MIDDLE_POINTS, AIM_OUTSIDE, AIM_POINTS
from tefuda.games.saichugen.players.tactics import CHOICES, STRATEGIES, TACTICS
from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS
from tefuda.papers.laboratory import bars, compared, gap, measured
from tefuda.papers.saichugen.published import (
    BEST,
    BEST_TARGET,
    BEST_WINS,
    NOT_TAKE_WITHIN,
    RANDOM_WINS,
    READINGS_OF_BEST,
    READINGS_OF_NOT_TAKE,
    READINGS_OF_TAKE,
    STRATEGIES_OF_PAPER,
    TACTICS_OF_PAPER,
    TAKE_GAIN,
    TAKE_WITHIN,
    Laboratory,
    near,
    rounds,
)  # fmt: skip
from tefuda.report.report import Table

AIMS = {
    AIM_MIDDLE: "the middle of the round", AIM_OUTSIDE: "beside the middle of the round",
    AIM_POINTS: "points for the middle of the game", AIM_MIDDLE_POINTS: "the middle of the round and of the game",
}  # fmt: skip
CHOICE_NAMES = {code: name for name, (_, code) in CHOICES.items()} | {
    code: f"choice5: {aim}" for code, aim in AIMS.items()
}


def parts(lab: Laboratory) -> None:
    """Tables 1 and 2, from the tables that the players are made of."""
    lab.report.section(
        "Choices, tactics, strategies",
        "Tables 1 and 2, written from the tables that our players read.",
    )
    lab.report.table(
        Table(
            "table-1", "Table 1: tactics and choices", ("tactic", *(f"turn {turn + 1}" for turn in range(TURNS))),
            [
                [name, *(choices_text(turn) for turn in TACTICS[name].turns)]
                for name in (*TACTICS_OF_PAPER, "T-takepoint")
            ],
            note="The paper's table leaves T-takepoint out; section 5.4 describes it.",
        )
    )  # fmt: skip
    lab.report.table(
        Table(
            "table-2", "Table 2: strategies and tactics",
            ("strategy", *(f"round {number + 1}" for number in range(ROUNDS))),
            [[name, *(tactics_text(each) for each in STRATEGIES[name].rounds)] for name in STRATEGIES_OF_PAPER],
            note="Ahead: with points, and nobody has more.",
        )
    )  # fmt: skip


def tactics(lab: Laboratory) -> None:
    """Section 6.1: figures 3 and 4."""
    deals = lab.size.deals
    lab.report.section(
        "Tactics",
        "Section 6.1: each tactic is played in every round against two random players, on the same "
        f"{deals:,} deals in all three seats.",
    )
    found = {name: lab.measure([name, "random"], deals) for name in TACTICS_OF_PAPER}
    won = {name: rounds(each, "round_win_rate") for name, each in found.items()}
    zero = {name: rounds(each, "zero_rate") for name, each in found.items()}
    for key, title, label, names, rates in (
        ("figure-3", "Figure 3: rounds won", "% of rounds won", ("T-random", "T-take", "T-take+3t"), won),
        (
            "figure-4", "Figure 4: rounds with 0 points", "% of rounds with 0 points",
            ("T-random", "T-nottake", "T-nottake+3t"), zero,
        ),
    ):  # fmt: skip
        lab.report.figure(bars(key, title, "tactic", label, names, [rates[name] for name in names]))
    lab.report.table(
        Table(
            "tactics", "Tactics against two random players",
            ("tactic", "rounds won, %", "rounds with 0 points, %", "games won, %"),
            [
                [name, measured(won[name]), measured(zero[name]), measured(found[name].figure)]
                for name in TACTICS_OF_PAPER
            ],
            note=f"{deals:,} deals in all three seats. A round won with 0 points is in both columns.",
        )
    )  # fmt: skip
    lab.report.compare(
        [
            compared(
                "rounds won, T-take+3t minus T-take", f"about {TAKE_GAIN:g}", gap(won["T-take+3t"], won["T-take"]),
                "points", deals, lab.command(["T-take+3t", "random"], deals),
                (TAKE_GAIN - TAKE_WITHIN, TAKE_GAIN + TAKE_WITHIN), signed=True,
            ),
            compared(
                "rounds with 0 points, T-nottake+3t minus T-nottake", "little influence",
                gap(zero["T-nottake+3t"], zero["T-nottake"]), "points", deals,
                lab.command(["T-nottake+3t", "random"], deals), (-NOT_TAKE_WITHIN, NOT_TAKE_WITHIN), signed=True,
            ),
        ],
        key="compared-tactics", title="Tactics: published and ours",
        note="Intervals of rates take rounds as independent, those of differences both tactics: since the deals "
        "are the same, differences are known better than that.",
    )  # fmt: skip


def strategies(lab: Laboratory) -> None:
    """Section 6.2: figure 5."""
    deals = lab.size.deals
    lab.report.section(
        "Strategies",
        f"Section 6.2: each strategy against two random players, {SEATS * deals:,} games.",
    )
    found = {name: lab.measure([name, "random"], deals).figure for name in STRATEGIES_OF_PAPER}
    published = {"S-random": RANDOM_WINS, BEST: BEST_WINS}
    lab.report.figure(
        bars(
            "figure-5", "Figure 5: games won by the strategies against two random players", "strategy",
            "% of games won", STRATEGIES_OF_PAPER, list(found.values()),
            [published.get(name) for name in STRATEGIES_OF_PAPER],
        )
    )  # fmt: skip
    targets = {
        "S-random": near(RANDOM_WINS, found["S-random"]),
        BEST: BEST_TARGET,
    }
    rows = [
        compared(
            f"{name}, games won", f"{published[name]}" if name in published else "–", figure, "%", deals,
            lab.command([name, "random"], deals), targets.get(name), digits=3, counted=name == "S-random",
        )
        for name, figure in found.items()
    ]  # fmt: skip
    rows.append(
        compared(
            f"{BEST} minus S-base+3t", "above 0", gap(found[BEST], found["S-base+3t"]), "points", deals,
            lab.command([BEST, "random"], deals), (0.0, None), signed=True,
        )
    )  # fmt: skip
    lab.report.compare(rows, key="compared-strategies", title="Strategies: published and ours")


def readings(lab: Laboratory) -> None:
    """What the paper leaves open, and what it would have measured."""
    deals = lab.size.reading_deals
    lab.report.section(
        "Readings of the paper",
        "What the paper leaves open, as it stands behind the slash of a player's name; `tefuda players saichugen` "
        "says what each means. A name without a slash has the default readings.",
    )
    table: list[list[Any]] = []
    for reading in READINGS_OF_BEST:
        found = lab.measure([variant(BEST, reading), "random"], deals)
        table.append([variant(BEST, reading), measured(found.figure), found.figure.mean - BEST_WINS])
    lab.report.table(
        Table(
            "readings", f"Readings of {BEST}", ("reading", "games won, %", f"from the paper's {BEST_WINS}"), table,
            note=f"Against two random players, {deals:,} deals in all three seats.", digits=2,
        )
    )  # fmt: skip
    table = []
    for plain, key, readings in (
        ("T-take", "round_win_rate", READINGS_OF_TAKE),
        ("T-nottake", "zero_rate", READINGS_OF_NOT_TAKE),
    ):
        without = lab.measure([plain, "random"], deals)
        for name in (plain, *(variant(f"{plain}+3t", reading) for reading in readings)):
            there = lab.measure([name, "random"], deals)
            gain = None if name == plain else measured(gap(rounds(there, key), rounds(without, key)), 2, True)
            won = key == "round_win_rate"
            table.append(
                [name, measured(rounds(there, "round_win_rate")), measured(rounds(there, "zero_rate")),
                 gain if won else None, None if won else gain]
            )  # fmt: skip
    lab.report.table(
        Table(
            "readings-tactics", "Readings of the tactics",
            ("reading", "rounds won, %", "0 points, %", "rounds won above T-take", "0 points above T-nottake"),
            table,
            note=f"Against two random players, {deals:,} deals in all three seats. The paper says about "
            f"{TAKE_GAIN:g} points for T-take+3t and little influence for T-nottake+3t.",
        )
    )  # fmt: skip


def choices_text(turn: tuple[int, int]) -> str:
    """A cell of table 1: the choice while the seat has not scored in the round, and once it has."""
    first, then = (CHOICE_NAMES[code] for code in turn)
    return first if first == then else f"{first}; {then} once it has scored"


def tactics_text(tactics: tuple[str, str, str]) -> str:
    """A cell of table 2: the tactic without points in the game, with points, and ahead."""
    without, points, ahead = tactics
    text = without
    if points != without:
        text += f"; {points} with points"
    if ahead != points:
        text += f"; {ahead} when ahead"
    return text


def variant(name: str, reading: str) -> str:
    return f"{name}/{reading}" if reading else name
