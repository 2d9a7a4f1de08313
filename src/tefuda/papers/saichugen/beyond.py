"""Players that are not the paper's, against random players and against the paper's strongest."""

from typing import Any

from tefuda.contract import Game, Rules
from tefuda.papers.laboratory import bars, compared, measured
from tefuda.papers.saichugen.published import (
    BEST,
    LEARNED,
    LEARNED_WINS,
    SEARCH,
    SEARCH_WINS,
    Laboratory,
    rounds,
)
from tefuda.report.report import Table


def beyond(lab: Laboratory) -> None:
    """Players that are not the paper's, against random players and against the paper's strongest."""
    size = lab.size
    lab.report.section(
        "Beyond the paper",
        f"Each player against two random players and against two {BEST}. Stakes (+2 −1 −1 with one winner, "
        "+1 +1 −2 with two, nothing with three) are measured in matches for a stake, where players that look at "
        "the payoff play otherwise.\n\n"
        f"The fair share against two {BEST} is what each of three of them wins, not a third: winners may be two or "
        "three.",
    )
    names = (BEST, f"{BEST}/end=exact", *learned_players(lab.game), SEARCH)
    found = {
        (name, other): lab.measure([name, other], deals_of(lab, name, other))
        for name in names
        for other in ("random", BEST)
    }
    fair = found[BEST, BEST].figure
    table: list[list[Any]] = []
    for (name, other), each in found.items():
        deals = deals_of(lab, name, other)
        stake = lab.game.rulebook.make("stake")
        stakes = (
            measured(lab.measure([name, other], deals, stake).figure, 3, True) if plays(lab.game, name, stake) else None
        )
        table.append(
            [name, f"two {other}", deals, measured(each.figure), measured(rounds(each, "round_win_rate")),
             measured(rounds(each, "zero_rate")), stakes]
        )  # fmt: skip
    lab.report.table(
        Table(
            "beyond", "Players of the package",
            ("player", "against", "deals", "games won, %", "rounds won, %", "0 points, %", "stakes a game"), table,
            note="Each deal in all three seats; three equal players make one game of it.",
        )
    )  # fmt: skip
    for key, other in (("beyond-random", "random"), ("beyond-strategy", BEST)):
        lab.report.figure(
            bars(
                key, f"Games won against two {other}", "player", "% of games won", names,
                [found[name, other].figure for name in names],
            )
        )  # fmt: skip
    rows = [
        compared(
            f"fair share: games won by each of three {BEST}", "–", fair, "%", deals_of(lab, BEST, BEST),
            lab.command([BEST, BEST], deals_of(lab, BEST, BEST)),
        )
    ]  # fmt: skip
    for name, wanted in ((LEARNED, LEARNED_WINS), (SEARCH, SEARCH_WINS)):
        if name in names:
            deals, figure = deals_of(lab, name, "random"), found[name, "random"].figure
            rows.append(
                compared(
                    f"{name} against two random, {wanted:g} wanted", "–", figure, "%", deals,
                    lab.command([name, "random"], deals), (wanted, None),
                )
            )  # fmt: skip
    if LEARNED in names:
        rows.append(
            compared(
                f"{LEARNED} against two {BEST}", "–", found[LEARNED, BEST].figure, "%", size.learned_deals,
                lab.command([LEARNED, BEST], size.learned_deals), (round(fair.mean, 1), None),
            )
        )  # fmt: skip
    lab.report.compare(
        rows, key="compared-beyond", title="Beyond the paper: wanted and ours",
        note="Players that think long play enough deals for a verdict at paper scale only.",
    )  # fmt: skip


def deals_of(lab: Laboratory, name: str, other: str) -> int:
    """How many deals a player is measured on."""
    if name == other:
        return lab.size.games
    if name in learned_players(lab.game):
        return lab.size.learned_deals
    return lab.size.search_deals if name == SEARCH else lab.size.deals


def learned_players(game: Game) -> list[str]:
    """The players with a learned strategy and learned tactics that the game has."""
    return list(dict.fromkeys(each.name for each in game.players.named if each.name.startswith(LEARNED)))


def plays(game: Game, name: str, rules: Rules) -> bool:
    """Whether somebody of this name plays by these rules."""
    known = [each.policy for each in game.players.named if each.name == name.partition("/")[0]]
    return any(game.players.policies[game.players.index(policy)].plays(rules) for policy in known)
