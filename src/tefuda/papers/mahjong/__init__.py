"""Mizukami, Tsuruoka: mahjong players by winning score prediction (tables 4 to 11, figures 3 to 7)."""

from dataclasses import dataclass

from tefuda.games.mahjong import GAME
from tefuda.papers.laboratory import Claim, Paper
from tefuda.papers.mahjong.hands import composed_hands
from tefuda.papers.mahjong.matches import middle_game, programs, why_it_lost
from tefuda.papers.mahjong.ranks import final_rank
from tefuda.papers.mahjong.records import other_records
from tefuda.papers.mahjong.success_rates import figures, one_player_policy, success


@dataclass(frozen=True)
class Scale:
    """How large the experiments are."""

    success: int = 10_000  # single deals for each row of table 5
    learned: int = 400_000  # deals whose positions the curves of figures 3 to 5 learn from
    passes: int = 6  # over the records, where some are given
    programs: int = 500  # walls of each row of tables 6 and 7, each played in all four seats
    searched: int = 500  # walls of the row that searches
    trials: int = 10_000  # for each discard of table 9
    guesses: int = 500  # walls of each further row on why the paper's program lost
    recorded: int = 300_000  # deals of each of the other records that models learn from
    goal: int = 3_000  # walls of the row of han-efr, whose interval must be small
    matches: int = 24_000  # tonpuu games that a model of expected final rank learns from


SCALES = {
    "paper": Scale(),
    "quick": Scale(2_000, 18_000, 1, 20, 2, 1_000, 20, 4_000, 20, 2_000),
    "headline": Scale(400, 0, 1, 20, 2, 1_000, 20, 0, 20, 0),
}
EXPERIMENTS = (
    one_player_policy, success, figures, final_rank, middle_game, programs, composed_hands, why_it_lost, other_records,
)  # fmt: skip
PAPER = Paper(
    game=GAME,
    title="Riichi mahjong: players by han prediction",
    reference="Mizukami Naoki, Tsuruoka Yoshimasa: 自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー "
    "(computer mahjong players based on winning score prediction by supervised learning from self-play)",
    name="自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー",
    scales=SCALES,
    experiments={"headline": (success,), "quick": EXPERIMENTS, "paper": EXPERIMENTS},
    claims=(
        Claim(
            "success", "MCP vs tsumogiri, 4 han, more than the policy",
            "Against three `tsumogiri`, MCP wins by four han or more in {ours} of the deals more than the one-player "
            "policy does.",
            "MCP vs tsumogiri", 0.2274 - 0.1708,
        ),
        Claim(
            "success", "BCP, 4 han, more than the policy",
            "", "BCP", 0.0793 - 0.0734,
        ),
        Claim(
            "success", "network, 4 han, more than the policy",
            "", "network",
        ),
        Claim(
            "ranks", "bcp+penalty: mean rank",
            "The paper's new program lost to its earlier one; ours, `bcp+penalty`, has a mean rank of {ours} against "
            "three `policy-mc`.",
        ),
        Claim(
            "ranks", "han-efr: mean rank",
            "`han-efr`, which foretells han by a network, has {ours}.",
        ),
    ),
    unit="of deals won by four han or more, beyond the policy",
    records=True,
)  # fmt: skip
