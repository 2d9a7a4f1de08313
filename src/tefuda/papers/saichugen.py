"""Omuro, Yokoyama: an attempt at learning strategies of Saichugen. Figures 1 to 5 and both tables, ours beside theirs.

Published figures are those of the text; the scanned paper's figures are missing, so that most bars have none.
"""

import json
import math
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.match import match
from tefuda.contract import Rules
from tefuda.files.parts import keep
from tefuda.files.provenance import commit
from tefuda.games.saichugen import GAME
from tefuda.games.saichugen.players.choices import AIM_MIDDLE, AIM_MIDDLE_POINTS, AIM_OUTSIDE, AIM_POINTS
from tefuda.games.saichugen.players.tactics import CHOICES, STRATEGIES, TACTICS
from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS
from tefuda.intervals import Interval, rate_interval
from tefuda.players.resolve import resolve
from tefuda.report.report import Bars, Compared, Measured, Report, Table

PAPER = (
    "Omuro Hikaru, Yokoyama Daisaku: 最中限における戦略学習の試み "
    "(an attempt at learning strategies of the card game Saichugen)"
)
EVALUATION = 70_000  # added to the seed: deals to evaluate on are others than those that anybody learns from

# What the paper says in numbers, in percent, and how many games each of its figures is from.
RANDOM_WINS, BEST_WINS, TAKE_GAIN = 37.054, 48.416, 5.0
GAMES_OF_PAPER = 100_000
# So near counts as reproduced.
BEST_WITHIN, TAKE_WITHIN, NOT_TAKE_WITHIN = 0.5, 1.5, 2.0
FEW = 10.0  # "overwhelmingly few", in percent
# Wanted of players that are not the paper's, against two random players.
LEARNED_WINS, SEARCH_WINS = 60.0, 64.0
CLEAR = 2.0  # so near, in points, a win rate is known before it is judged: else luck decides

BEST, LEARNED, SEARCH = "S-base+3t+4r", "learned", "pimc"
TACTICS_OF_PAPER = ("T-random", "T-take", "T-take+3t", "T-nottake", "T-nottake+3t")
STRATEGIES_OF_PAPER = ("S-random", "S-base", "S-base+3t", BEST)
READINGS_OF_BEST = (
    "", "none=random", "none_loses=least", "none=random,ahead=takepoint", "none_loses=least,lose=either",
    "lose=either", "lose=below", "lose_card=least", "lose_card=random", "points=n1", "ahead=takepoint",
    "none_loses=least,ahead=takepoint",
)  # fmt: skip
READINGS_OF_TAKE = ("", "none=random")
READINGS_OF_NOT_TAKE = (
    "", "none_loses=least", "lose=either", "lose=below", "lose_card=least", "lose_card=random",
    "none_loses=least,lose=either",
)  # fmt: skip

AIMS = {
    AIM_MIDDLE: "the middle of the round", AIM_OUTSIDE: "beside the middle of the round",
    AIM_POINTS: "points for the middle of the game", AIM_MIDDLE_POINTS: "the middle of the round and of the game",
}  # fmt: skip
CHOICE_NAMES = {code: name for name, (_, code) in CHOICES.items()} | {
    code: f"choice5: {aim}" for code, aim in AIMS.items()
}


@dataclass(frozen=True)
class Scale:
    """How large the experiments are. A deal is played in all three seats, so that it makes three games."""

    games: int = 100_000  # of three equal players, who make one game of a deal
    deals: int = 33_334  # to evaluate a player on
    reading_deals: int = 33_334  # the same for other readings
    learned_deals: int = 10_000  # and for learned players, who look far ahead
    search_deals: int = 3_000  # and for the search player


SCALES = {"paper": Scale(), "quick": Scale(reading_deals=10_000, learned_deals=250, search_deals=100)}


@dataclass(frozen=True)
class Found:
    """What a match says of its first player."""

    figure: Interval  # % of games won, or stakes a game
    alone: float  # share of its games that it has won alone
    shared: float  # and together with others
    more: dict[str, Any]  # the game's own statistics

    def rounds(self, key: str) -> Interval:
        """A rate of rounds, in percent."""
        return percent(self.more[key], self.more["rounds"])


def reproduce(scale: str, folder: Path, seed: int, threads: int | None) -> Report:
    """Run all experiments and write the report."""
    size = SCALES[scale]
    report = Report(
        title="Saichugen: the paper's experiments", folder=folder,
        arguments={"paper": "saichugen", "scale": scale, **size.__dict__}, seed=seed, commit=commit(), paper=PAPER,
    )  # fmt: skip
    report.prepare()
    work = folder.parent / f"{folder.name}-work"  # finished parts of an interrupted run
    lab = Laboratory(report, size, seed, work, threads)
    lab.random_play()
    lab.parts()
    lab.tactics()
    lab.strategies()
    lab.readings()
    lab.beyond()
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

    def random_play(self) -> None:
        """Section 4: games of three random players, figures 1 and 2."""
        games = self.size.games
        self.report.section(
            "Random play",
            f"Section 4: {games:,} games of three random players. Two or three can win a game together, so that each "
            "wins more than a third. A round is won by the middle sum, which can be 0 points; it counts as scored "
            "when it was won with more.",
        )
        found = self.measure("random", "random", games)
        command = self.command("random", "random", games)
        self.report.table(
            Table(
                "winners", "How many win a game of three random players", ("winners", "games, %"),
                [[many, measured(percent(share, games))] for many, share in enumerate(winners(found, games), 1)],
                note=f"{games:,} games.",
            )
        )  # fmt: skip

        of_rounds = shares(found, "winners_of_rounds", found.more["rounds"] * found.more["round_win_rate"])
        of_games = shares(found, "winners_of_games", SEATS * games * found.figure.mean / 100)
        self.report.figure(
            bars(
                "figure-1", "Figure 1: turns in which winners of a round scored", "turns scored",
                "% of round winners", range(TURNS + 1), of_rounds,
            )
        )  # fmt: skip
        self.report.figure(
            bars(
                "figure-2", "Figure 2: rounds in which winners of a game scored", "rounds scored",
                "% of game winners", range(ROUNDS + 1), of_games,
            )
        )  # fmt: skip
        for key, what, winner, there, rates in (
            ("turns", "turns scored in a round", "round", of_rounds, "round_wins"),
            ("rounds", "rounds scored in a game", "game", of_games, "game_wins"),
        ):
            self.report.table(
                Table(
                    f"random-{key}", f"{what.capitalize()}, and who wins",
                    (what, f"of {winner} winners, %", f"{winner}s won with so many, %"),
                    [
                        [number, measured(share), 100 * rate]
                        for number, (share, rate) in enumerate(zip(there, found.more[rates].values(), strict=True))
                    ],
                    digits=2,
                )
            )  # fmt: skip
        lead = gap(of_rounds[1], max((of_rounds[0], *of_rounds[2:]), key=lambda each: each.mean))
        one_or_two, seldom = total(of_games[1:3]), total([of_games[0], *of_games[4:]])
        self.report.compare(
            [
                compared(
                    "games won by a random player", f"{RANDOM_WINS}", found.figure, "%", games, command,
                    agreement(RANDOM_WINS, found.figure), digits=3,
                ),
                compared(
                    "round winners who scored in all three turns", "impossible", of_rounds[TURNS], "%", games, command,
                    (None, 0.0),
                ),
                compared(
                    "round winners who scored in one turn, above any other number of turns", "best", lead, "points",
                    games, command, (0.0, None), signed=True,
                ),
                compared(
                    "game winners who scored in one or two rounds", "best", one_or_two, "%", games, command,
                    (50.0, None),
                ),
                compared(
                    "game winners who scored in none, four or five rounds", "overwhelmingly few", seldom, "%", games,
                    command, (None, FEW),
                ),
            ],
            key="compared-random", title="Random play: published and ours",
            note=f"{RANDOM_WINS} % may be off by both intervals, the paper's that of {GAMES_OF_PAPER:,} games of one "
            "player. Where the paper has words, the target is our reading of them.",
        )  # fmt: skip

    def parts(self) -> None:
        """Tables 1 and 2, from the tables that the players are made of."""
        self.report.section(
            "Choices, tactics, strategies",
            "Tables 1 and 2, written from the tables that our players read.",
        )
        self.report.table(
            Table(
                "table-1", "Table 1: tactics and choices", ("tactic", *(f"turn {turn + 1}" for turn in range(TURNS))),
                [
                    [name, *(choices_text(turn) for turn in TACTICS[name].turns)]
                    for name in (*TACTICS_OF_PAPER, "T-takepoint")
                ],
                note="The paper's table leaves T-takepoint out; section 5.4 describes it.",
            )
        )  # fmt: skip
        self.report.table(
            Table(
                "table-2", "Table 2: strategies and tactics",
                ("strategy", *(f"round {number + 1}" for number in range(ROUNDS))),
                [[name, *(tactics_text(each) for each in STRATEGIES[name].rounds)] for name in STRATEGIES_OF_PAPER],
                note="Ahead: with points, and nobody has more.",
            )
        )  # fmt: skip

    def tactics(self) -> None:
        """Section 6.1: figures 3 and 4."""
        deals = self.size.deals
        self.report.section(
            "Tactics",
            "Section 6.1: each tactic is played in every round against two random players, on the same "
            f"{deals:,} deals in all three seats.",
        )
        found = {name: self.measure(name, "random", deals) for name in TACTICS_OF_PAPER}
        won = {name: each.rounds("round_win_rate") for name, each in found.items()}
        zero = {name: each.rounds("zero_rate") for name, each in found.items()}
        for key, title, label, names, rates in (
            ("figure-3", "Figure 3: rounds won", "% of rounds won", ("T-random", "T-take", "T-take+3t"), won),
            (
                "figure-4", "Figure 4: rounds with 0 points", "% of rounds with 0 points",
                ("T-random", "T-nottake", "T-nottake+3t"), zero,
            ),
        ):  # fmt: skip
            self.report.figure(bars(key, title, "tactic", label, names, [rates[name] for name in names]))
        self.report.table(
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
        self.report.compare(
            [
                compared(
                    "rounds won, T-take+3t minus T-take", f"about {TAKE_GAIN:g}", gap(won["T-take+3t"], won["T-take"]),
                    "points", deals, self.command("T-take+3t", "random", deals),
                    (TAKE_GAIN - TAKE_WITHIN, TAKE_GAIN + TAKE_WITHIN), signed=True,
                ),
                compared(
                    "rounds with 0 points, T-nottake+3t minus T-nottake", "little influence",
                    gap(zero["T-nottake+3t"], zero["T-nottake"]), "points", deals,
                    self.command("T-nottake+3t", "random", deals), (-NOT_TAKE_WITHIN, NOT_TAKE_WITHIN), signed=True,
                ),
            ],
            key="compared-tactics", title="Tactics: published and ours",
            note="Intervals of rates take rounds as independent, those of differences both tactics: since the deals "
            "are the same, differences are known better than that.",
        )  # fmt: skip

    def strategies(self) -> None:
        """Section 6.2: figure 5."""
        deals = self.size.deals
        self.report.section(
            "Strategies",
            f"Section 6.2: each strategy against two random players, {SEATS * deals:,} games.",
        )
        found = {name: self.measure(name, "random", deals).figure for name in STRATEGIES_OF_PAPER}
        published = {"S-random": RANDOM_WINS, BEST: BEST_WINS}
        self.report.figure(
            bars(
                "figure-5", "Figure 5: games won by the strategies against two random players", "strategy",
                "% of games won", STRATEGIES_OF_PAPER, list(found.values()),
                [published.get(name) for name in STRATEGIES_OF_PAPER],
            )
        )  # fmt: skip
        targets = {
            "S-random": agreement(RANDOM_WINS, found["S-random"]),
            BEST: (BEST_WINS - BEST_WITHIN, BEST_WINS + BEST_WITHIN),
        }
        rows = [
            compared(
                f"{name}, games won", f"{published[name]}" if name in published else "–", figure, "%", deals,
                self.command(name, "random", deals), targets.get(name), digits=3,
            )
            for name, figure in found.items()
        ]  # fmt: skip
        rows.append(
            compared(
                f"{BEST} minus S-base+3t", "above 0", gap(found[BEST], found["S-base+3t"]), "points", deals,
                self.command(BEST, "random", deals), (0.0, None), signed=True,
            )
        )  # fmt: skip
        self.report.compare(rows, key="compared-strategies", title="Strategies: published and ours")

    def readings(self) -> None:
        """What the paper leaves open, and what it would have measured."""
        deals = self.size.reading_deals
        self.report.section(
            "Readings of the paper",
            "What the paper leaves open, as it stands behind the slash of a player's name; `tefuda players saichugen` "
            "says what each means. A name without a slash has the default readings.",
        )
        table: list[list[Any]] = []
        for reading in READINGS_OF_BEST:
            found = self.measure(variant(BEST, reading), "random", deals)
            table.append([variant(BEST, reading), measured(found.figure), found.figure.mean - BEST_WINS])
        self.report.table(
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
            without = self.measure(plain, "random", deals)
            for name in (plain, *(variant(f"{plain}+3t", reading) for reading in readings)):
                there = self.measure(name, "random", deals)
                gain = None if name == plain else signed(gap(there.rounds(key), without.rounds(key)))
                won = key == "round_win_rate"
                table.append(
                    [name, measured(there.rounds("round_win_rate")), measured(there.rounds("zero_rate")),
                     gain if won else None, None if won else gain]
                )  # fmt: skip
        self.report.table(
            Table(
                "readings-tactics", "Readings of the tactics",
                ("reading", "rounds won, %", "0 points, %", "rounds won above T-take", "0 points above T-nottake"),
                table,
                note=f"Against two random players, {deals:,} deals in all three seats. The paper says about "
                f"{TAKE_GAIN:g} points for T-take+3t and little influence for T-nottake+3t.",
            )
        )  # fmt: skip

    def beyond(self) -> None:
        """Players that are not the paper's, against random players and against the paper's strongest."""
        size = self.size
        self.report.section(
            "Beyond the paper",
            f"Each player against two random players and against two {BEST}. Stakes (+2 −1 −1 with one winner, "
            "+1 +1 −2 with two, nothing with three) are measured in matches for a stake, where players that look at "
            "the payoff play otherwise.\n\n"
            f"The fair share against two {BEST} is what each of three of them wins, not a third: winners may be two or "
            "three.",
        )
        names = (BEST, f"{BEST}/end=exact", *learned_players(), SEARCH)
        found = {
            (name, other): self.measure(name, other, self.deals_of(name, other))
            for name in names
            for other in ("random", BEST)
        }
        fair = found[BEST, BEST].figure
        table: list[list[Any]] = []
        for (name, other), each in found.items():
            deals = self.deals_of(name, other)
            stake = GAME.rulebook.make("stake")
            stakes = signed(self.measure(name, other, deals, stake).figure, 3) if plays(name, stake) else None
            table.append(
                [name, f"two {other}", deals, measured(each.figure), measured(each.rounds("round_win_rate")),
                 measured(each.rounds("zero_rate")), stakes]
            )  # fmt: skip
        self.report.table(
            Table(
                "beyond", "Players of the package",
                ("player", "against", "deals", "games won, %", "rounds won, %", "0 points, %", "stakes a game"), table,
                note="Each deal in all three seats; three equal players make one game of it.",
            )
        )  # fmt: skip
        for key, other in (("beyond-random", "random"), ("beyond-strategy", BEST)):
            self.report.figure(
                bars(
                    key, f"Games won against two {other}", "player", "% of games won", names,
                    [found[name, other].figure for name in names],
                )
            )  # fmt: skip
        rows = [
            compared(
                f"fair share: games won by each of three {BEST}", "–", fair, "%", self.deals_of(BEST, BEST),
                self.command(BEST, BEST, self.deals_of(BEST, BEST)),
            )
        ]  # fmt: skip
        for name, wanted in ((LEARNED, LEARNED_WINS), (SEARCH, SEARCH_WINS)):
            if name in names:
                deals, figure = self.deals_of(name, "random"), found[name, "random"].figure
                rows.append(
                    compared(
                        f"{name} against two random, {wanted:g} wanted", "–", figure, "%", deals,
                        self.command(name, "random", deals), (wanted, None) if half(figure) <= CLEAR else None,
                    )
                )  # fmt: skip
        if LEARNED in names:
            low = found[LEARNED, BEST].figure.low
            rows.append(
                Compared(
                    f"{LEARNED} against two {BEST}, lower end of the 95 % interval", "–", low, None, None, "%",
                    size.learned_deals, self.command(LEARNED, BEST, size.learned_deals), (round(fair.mean, 3), None),
                )
            )  # fmt: skip
        self.report.compare(
            rows, key="compared-beyond", title="Beyond the paper: wanted and ours",
            note=f"What is wanted against random players is judged when it is known within {CLEAR:g} points; players "
            "that think long play so many deals at paper scale only.",
        )  # fmt: skip

    def deals_of(self, name: str, other: str) -> int:
        """How many deals a player is measured on."""
        if name == other:
            return self.size.games
        if name in learned_players():
            return self.size.learned_deals
        return self.size.search_deals if name == SEARCH else self.size.deals

    def measure(self, name: str, other: str, deals: int, rules: Rules | None = None) -> Found:
        """A player against two others; what was measured before an interruption is not measured again."""
        rules = rules or GAME.rulebook.make()
        seed = self.seed + EVALUATION
        entrants = [resolve(GAME, each, rules) for each in (name, other)]

        def run() -> dict[str, np.ndarray]:
            row = match(GAME, entrants, deals, seed, rules, self.threads).rows[0]
            figure = (row.figure.mean, row.figure.low, row.figure.high)
            return {"found": np.array(json.dumps([figure, row.win.mean, row.draw.mean, row.more]))}

        numbers = zlib.crc32(b"".join(each.params.tobytes() for each in entrants))  # learned ones are no source
        part = f"{rules.preset}-{name}-{other}-{deals}-{seed}-{numbers:08x}".replace("/", "~")
        figure, alone, shared, more = json.loads(str(keep(self.work, GAME, part, run)["found"]))
        return Found(Interval(*figure), alone, shared, more)

    def command(self, name: str, other: str, deals: int) -> str:
        return f"tefuda match saichugen {name} {other} --deals {deals} --seed {self.seed + EVALUATION}"


def learned_players() -> list[str]:
    """The players with a learned strategy and learned tactics that the game has."""
    return list(dict.fromkeys(each.name for each in GAME.players.named if each.name.startswith(LEARNED)))


def plays(name: str, rules: Rules) -> bool:
    """Whether somebody of this name plays by these rules."""
    known = [each.policy for each in GAME.players.named if each.name == name.partition("/")[0]]
    return any(GAME.players.policies[GAME.players.index(policy)].plays(rules) for policy in known)


def variant(name: str, reading: str) -> str:
    return f"{name}/{reading}" if reading else name


def winners(found: Found, games: int) -> list[float]:
    """The shares of games with one, two and three winners, of three equal players.

    Who wins alone is the only winner; those who win together are two, or three.
    """
    one = round(SEATS * games * found.alone)
    together = round(SEATS * games * found.shared)  # twice the games of two winners, thrice those of three
    three = together - 2 * (games - one)
    return [one / games, (games - one - three) / games, three / games]


def shares(found: Found, key: str, count: float) -> list[Interval]:
    """A distribution of the game's statistics, in percent; `count` is how many it is from."""
    return [percent(share, count) for share in found.more[key].values()]


def percent(rate: float, count: float) -> Interval:
    """A rate of so many cases, in percent."""
    found = rate_interval(rate * count, count)
    return Interval(100 * rate, 100 * min(rate, found.low), 100 * max(rate, found.high))


def half(found: Interval) -> float:
    return (found.high - found.low) / 2


def gap(above: Interval, below: Interval) -> Interval:
    """A difference, as if both were independent."""
    mean, spread = above.mean - below.mean, math.hypot(half(above), half(below))
    return Interval(mean, mean - spread, mean + spread)


def total(parts: list[Interval]) -> Interval:
    """A sum, as if all were independent; shares of one distribution vary less."""
    mean, spread = sum(each.mean for each in parts), math.hypot(*map(half, parts))
    return Interval(mean, mean - spread, mean + spread)


def agreement(published: float, found: Interval) -> tuple[float, float]:
    """How far ours may lie from a published win rate: both intervals."""
    margin = math.hypot(half(found), half(percent(published / 100, GAMES_OF_PAPER)))
    return round(published - margin, 3), round(published + margin, 3)


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


def bars(
    key: str, title: str, x_label: str, y_label: str, names: Any, found: list[Interval],
    published: list[float | None] | None = None,
) -> Bars:  # fmt: skip
    return Bars(
        key, title, x_label, y_label, [str(name) for name in names], [each.mean for each in found],
        [each.low for each in found], [each.high for each in found], published,
    )  # fmt: skip


def compared(
    what: str, published: str, found: Interval, unit: str, deals: int, command: str,
    target: tuple[float | None, float | None] | None = None, digits: int = 2, signed: bool = False,
) -> Compared:  # fmt: skip
    return Compared(what, published, found.mean, found.low, found.high, unit, deals, command, target, digits, signed)


def measured(found: Interval, digits: int = 2) -> Measured:
    return Measured(found.mean, found.low, found.high, digits, signed=False)


def signed(found: Interval, digits: int = 2) -> Measured:
    return Measured(found.mean, found.low, found.high, digits)
