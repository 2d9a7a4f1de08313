"""Mizukami, Tsuruoka: mahjong players by winning score prediction (tables 4 to 11, figures 3 to 7)."""

from dataclasses import dataclass

from tefuda.games.mahjong import GAME
from tefuda.papers.laboratory import Claim, Paper
from tefuda.papers.mahjong_hands import composed_hands
from tefuda.papers.mahjong_matches import middle_game, programs
from tefuda.papers.mahjong_success import figures, one_player_policy, success


@dataclass(frozen=True)
class Scale:
    """How large the experiments are."""

    success: int = 10_000  # single deals for each row of table 5
    learned: int = 400_000  # deals whose positions the curves of figures 3 to 5 learn from
    passes: int = 6  # over the records, where some are given
    programs: int = 500  # walls of each row of tables 6 and 7, each played in all four seats
    trials: int = 10_000  # for each discard of table 9


SCALES = {
    "paper": Scale(),
    "quick": Scale(2_000, 18_000, 1, 20, 1_000),
    "headline": Scale(400, 0, 1, 20, 1_000),
}
PAPER = Paper(
    game=GAME,
    title="Riichi mahjong: players by han prediction",
    reference="Mizukami Naoki, Tsuruoka Yoshimasa: 自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー "
    "(computer mahjong players based on winning score prediction by supervised learning from self-play)",
    name="自動対戦棋譜の教師あり学習による翻数予測に基づく麻雀プレイヤー",
    scales=SCALES,
    experiments={
        "headline": (success,),
        "quick": (one_player_policy, success, figures, middle_game, programs, composed_hands),
        "paper": (one_player_policy, success, figures, middle_game, programs, composed_hands),
    },
    claims=(
        Claim(
            "success", "MCP vs tsumogiri, 4 han, more than the policy",
            "Against three `tsumogiri`, MCP wins by four han or more in {ours} of the deals more than the one-player "
            "policy does.",
            "MCP vs tsumogiri", 0.2274 - 0.1708,
        ),
        Claim(
            "success", "BCP, 4 han, more than the policy",
            "Against three policies BCP does in {ours}.", "BCP", 0.0793 - 0.0734,
        ),
        Claim(
            "success", "network, 4 han, more than the policy",
            "A network on features that are not combined, which the paper asks for at its end, does in {ours} there.",
            "network",
        ),
    ),
    unit="of deals won by four han or more, beyond the policy",
    records=True,
)  # fmt: skip
