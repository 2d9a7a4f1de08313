"""Mizukami, Tsuruoka: mahjong players by winning score prediction. Their players are not built yet: what stands.

The published figures are those of tables 6 and 7 of the text.
"""

from dataclasses import dataclass

from tefuda.games.mahjong import GAME
from tefuda.intervals import Interval, rate_interval
from tefuda.papers import laboratory
from tefuda.papers.laboratory import Claim, Paper, bars, compared, measured
from tefuda.report.report import Compared, Table


@dataclass(frozen=True)
class Scale:
    """How large the matches are. A deal is a whole hanchan, and is played in all four seats."""

    deals: int = 2_500


SCALES = {"paper": Scale(), "quick": Scale(500), "headline": Scale(500)}
Laboratory = laboratory.Laboratory[Scale]

PUBLISHED = "BCP + penalty + search against three earlier programs of the authors, mean rank"
OURS = "rule-based against three shanten, with uma"
PLAYERS = ("rule-based", "shanten")  # who is measured, and who sits in the other three seats


def what_stands(lab: Laboratory) -> None:
    """The engine plays whole matches, and our own rule-based player beats one that only counts shanten."""
    deals = lab.size.deals
    lab.report.section(
        "What stands",
        "The engine plays by the rules of Tenhou, and two players of ours sit at it: `rule-based`, which looks at what "
        "a hand is worth and at what is dangerous, and `shanten`, which only shortens the way to a win. The paper's "
        "players (one-player policy, han prediction, expected final rank, penalty, search) are not built yet, and "
        "their opponents are a program that is not public: nothing here is compared with the paper.",
    )
    row = lab.measure(PLAYERS, deals)
    again = lab.command(PLAYERS, deals)
    places = {place: rate_interval(share * deals, deals) for place, share in row.more["places"].items()}
    shares = [Interval(100 * each.mean, 100 * each.low, 100 * each.high) for each in places.values()]
    names = [f"place {place}" for place in places]
    lab.report.begin_with(
        "", bars("found", "Places of rule-based against three shanten", "", "% of hanchan", names, shares)
    )  # fmt: skip
    lab.report.table(
        Table(
            "places", "Places of rule-based against three shanten",
            ("", *(f"{name}, %" for name in names), "mean rank", "deals won, %", "dealt in, %"),
            [["rule-based", *map(measured, shares), row.more["mean_rank"], 100 * row.more["won_deals_rate"],
              100 * row.more["deal_in_rate"]]],
            note=f"{deals:,} deals, each a hanchan in all four seats; intervals take the deal as their unit.", digits=2,
        )
    )  # fmt: skip
    lab.report.compare(
        [
            Compared(PUBLISHED, "2.54 ± 0.02", None),
            compared(OURS, "–", row.figure, "thousand points a hanchan", deals, again, None, 1, True),
        ],
        key="compared", title="Published, and what stands",
        note="Not run: the player is not built yet. The second line is ours alone, and has no published figure.",
    )  # fmt: skip


PAPER = Paper(
    game=GAME,
    title="Riichi mahjong: what stands of the paper's experiments",
    reference="Mizukami Naoki, Tsuruoka Yoshimasa: 自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー "
    "(computer mahjong players based on winning score prediction by supervised learning from self-play)",
    name="自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー",
    scales=SCALES,
    experiments=dict.fromkeys(SCALES, (what_stands,)),
    claims=(
        Claim("compared", PUBLISHED),
        Claim(
            "compared", OURS,
            "Our own `rule-based` wins {ours} thousand points a hanchan, with uma, against three `shanten`.",
        ),
    ),
    unit="thousand points a hanchan",
    remark="The paper's players are not built yet, so that no figure of the paper is reproduced here.",
)  # fmt: skip
