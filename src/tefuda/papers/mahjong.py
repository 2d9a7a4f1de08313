"""Mizukami, Tsuruoka: mahjong players by winning score prediction.

The published figures are those of tables 4 to 7 of the text.
"""

from dataclasses import dataclass
from typing import Any

from tefuda.files.policy import load_for
from tefuda.games.mahjong import GAME, POLICY_FILE
from tefuda.games.mahjong.paper.success import HANS, hans_won, success_rates
from tefuda.intervals import Interval, rate_interval
from tefuda.papers import laboratory
from tefuda.papers.laboratory import Claim, Paper, bars, compared, measured
from tefuda.papers.mahjong_hands import composed_hands
from tefuda.papers.mahjong_matches import middle_game, programs, why_it_lost
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.report.report import Table


@dataclass(frozen=True)
class Scale:
    """How large the matches are. A deal is a whole hanchan, and is played in all four seats."""

    deals: int = 2_500
    success: int = 10_000  # single deals for each row of table 5
    programs: int = 500  # walls of each row of tables 6 and 7, each played in all four seats
    searched: int = 50  # walls of the row that searches
    trials: int = 10_000  # for each discard of table 9
    guesses: int = 125  # walls of each further row on why the paper's program lost


SCALES = {
    "paper": Scale(),
    "quick": Scale(500, 2_000, 20, 2, 1_000, 20),
    "headline": Scale(500, 2_000, 20, 2, 1_000, 20),
}
Laboratory = laboratory.Laboratory[Scale]

# Table 4: agreement with the records that were learned from, by sort of decision, in %.
AGREEMENT = {"discards": 75.3, "calls": 85.8, "declined calls": 95.1}
# Table 5: success rates at 1, 2, 3 and 4 han, by opponent.
SUCCESS = {"tsumogiri": (0.6411, 0.5235, 0.3169, 0.1708), "policy": (0.2446, 0.1979, 0.1278, 0.0734)}
OURS = "rule-based against three shanten, with uma"
PLAYERS = ("rule-based", "shanten")  # who is measured, and who sits in the other three seats


def what_stands(lab: Laboratory) -> None:
    """The engine plays whole matches, and our own rule-based player beats one that only counts shanten."""
    deals = lab.size.deals
    lab.report.section(
        "What stands",
        "The engine plays by the rules of Tenhou. Two players of ours learned nothing: `rule-based`, which looks at "
        "what a hand is worth and at what is dangerous, and `shanten`, which only shortens the way to a win. The "
        "opponents of the paper's programs are a program that is not public; ours is made by the paper's plan.",
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
        [compared(OURS, "–", row.figure, "thousand points a hanchan", deals, again, None, 1, True)],
        key="compared", title="What stands", note="Ours alone: there is no published figure.",
    )  # fmt: skip


def one_player_policy(lab: Laboratory) -> None:
    """Table 4: how often the one-player policy chooses what those did that it learned from."""
    lab.report.section(
        "One-player policy",
        "The policy ranks the hands that a decision can leave by a weighted sum of features, learned by an averaged "
        "perceptron. The paper learned from records of strong players. The shipped `policy` learned from games of our "
        "own `rule-based`, so that its agreement is with another teacher. Games that are measured were not learned "
        "from, and forced decisions count nowhere. A call counts where the tiles called are the same.",
    )
    card, _ = load_for(GAME, POLICY_FILE)
    given = " ".join(f"--arg {key}={card.arguments[key]}" for key in ("games", "passes"))
    again = f"tefuda train mahjong one-player --rules tonpuu {given} --seed {card.seed}"
    rows = []
    for each in card.agreement:
        rate = rate_interval(each["right"] + each["partly"], each["decisions"])
        found = Interval(100 * rate.mean, 100 * rate.low, 100 * rate.high)
        published = f"{AGREEMENT[each['sort']]}"
        rows.append(compared(f"agreement on {each['sort']}, %", published, found, "%", None, again, None, 1))
    lab.report.compare(rows, key="agreement", title="Table 4: agreement with the teacher")


def success(lab: Laboratory) -> None:
    """Table 5, the rows of the one-player policy: how often it wins a deal by at least so many han."""
    lab.report.section(
        "Success rates",
        "One `policy` plays single deals against three of each opponent, always on the same walls. A deal counts as a "
        "success at a number of han when it is won by so many or more. The paper's other rows are not built yet.",
    )
    rules = GAME.rulebook.make("hand")
    player, deals, rows = resolve(GAME, "policy", rules), lab.size.success, []
    for name, published in SUCCESS.items():
        opponent = resolve(GAME, name, rules)

        def run(opponent: Entrant = opponent) -> dict[str, Any]:
            return {"won": hans_won(GAME, player, opponent, lab.seed, deals, lab.threads)}

        won = lab.keep(f"success-{name}-{identity(player)[:12]}-{deals}-{lab.seed}", run)["won"]
        for han, theirs, found in zip(HANS, published, success_rates(won), strict=True):
            rows.append(
                compared(f"policy against {name}, {han} han", f"{theirs}", found, "of deals", deals, "", None, 3)
            )
    lab.report.compare(rows, key="success", title="Table 5: success rates of the one-player policy")


PAPER = Paper(
    game=GAME,
    title="Riichi mahjong: what stands of the paper's experiments",
    reference="Mizukami Naoki, Tsuruoka Yoshimasa: 自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー "
    "(computer mahjong players based on winning score prediction by supervised learning from self-play)",
    name="自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー",
    scales=SCALES,
    experiments={
        "headline": (what_stands,),
        "quick": (what_stands, one_player_policy, success, middle_game, programs, composed_hands, why_it_lost),
        "paper": (what_stands, one_player_policy, success, middle_game, programs, composed_hands, why_it_lost),
    },
    claims=(
        Claim(
            "ranks", "bcp+penalty: mean rank",
            "The paper's new program lost to its earlier one; ours, `bcp+penalty`, has a mean rank of {ours} against "
            "three `policy-mc`.",
        ),
        Claim(
            "ranks", "han-efr: mean rank",
            "`han-efr`, which foretells han by a network, has {ours}.",
        ),
        Claim(
            "compared", OURS,
            "Our own `rule-based` wins {ours} thousand points a hanchan, with uma, against three `shanten`.",
        ),
    ),
    unit="thousand points a hanchan",
    records=True,
)  # fmt: skip
