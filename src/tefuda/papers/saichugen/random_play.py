"""Section 4: what games of random players are like."""

from tefuda.arena.result import Row
from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS
from tefuda.intervals import Interval
from tefuda.papers.laboratory import bars, compared, gap, measured
from tefuda.papers.saichugen.published import FEW, GAMES_OF_PAPER, RANDOM_WINS, Laboratory, near, percent, total
from tefuda.report.report import Table


def random_play(lab: Laboratory) -> None:
    """Section 4: games of three random players, figures 1 and 2."""
    games = lab.size.games
    lab.report.section(
        "Random play",
        f"Section 4: {games:,} games of three random players. Two or three can win a game together, so that each "
        "wins more than a third. A round is won by the middle sum, which can be 0 points; it counts as scored "
        "when it was won with more.",
    )
    found = lab.measure(["random", "random"], games)
    command = lab.command(["random", "random"], games)
    lab.report.table(
        Table(
            "winners", "How many win a game of three random players", ("winners", "games, %"),
            [[many, measured(percent(share, games))] for many, share in enumerate(winners(found, games), 1)],
            note=f"{games:,} games.",
        )
    )  # fmt: skip

    of_rounds = shares(found, "winners_of_rounds", found.more["rounds"] * found.more["round_win_rate"])
    of_games = shares(found, "winners_of_games", SEATS * games * found.figure.mean / 100)
    lab.report.figure(
        bars(
            "figure-1", "Figure 1: turns in which winners of a round scored", "turns scored",
            "% of round winners", range(TURNS + 1), of_rounds,
        )
    )  # fmt: skip
    lab.report.figure(
        bars(
            "figure-2", "Figure 2: rounds in which winners of a game scored", "rounds scored",
            "% of game winners", range(ROUNDS + 1), of_games,
        )
    )  # fmt: skip
    for key, what, winner, there, rates in (
        ("turns", "turns scored in a round", "round", of_rounds, "round_wins"),
        ("rounds", "rounds scored in a game", "game", of_games, "game_wins"),
    ):
        lab.report.table(
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
    lab.report.compare(
        [
            compared(
                "games won by a random player", f"{RANDOM_WINS}", found.figure, "%", games, command,
                near(RANDOM_WINS, found.figure), digits=3,
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


def winners(found: Row, games: int) -> list[float]:
    """The shares of games with one, two and three winners, of three equal players.

    Who wins alone is the only winner; those who win together are two, or three.
    """
    one = round(SEATS * games * found.win.mean)
    together = round(SEATS * games * found.draw.mean)  # twice the games of two winners, thrice those of three
    three = together - 2 * (games - one)
    return [one / games, (games - one - three) / games, three / games]


def shares(found: Row, key: str, count: float) -> list[Interval]:
    """A distribution of the game's statistics, in percent; `count` is how many it is from."""
    return [percent(share, count) for share in found.more[key].values()]
