"""Sato, Uehara, Ikeda: a computer player for Koi-Koi by reinforcement learning. Both experiments, ours beside theirs.

Published figures are those of the text; the scanned paper's figures are missing, so that curves have only their ends.
"""

from tefuda.games.koikoi import GAME
from tefuda.papers.koikoi.learning import experiment_1
from tefuda.papers.koikoi.network import experiment_2
from tefuda.papers.koikoi.published import ABOVE, AGAINST_RANDOM, BASELINE, BELOW, FITTING, LEARNED, OURS, SCALES
from tefuda.papers.koikoi.readings import readings_of_learner
from tefuda.papers.laboratory import Claim, Paper

PAPER = Paper(
    game=GAME,
    title="Koi-Koi: the paper's experiments",
    reference="Sato Naoyuki, Uehara Ryuhei, Ikeda Kokolo: 花札の「こいこい」ゲームの強化学習によるコンピュータプレイヤ "
    "(a computer player for the hanafuda game Koi-Koi by reinforcement learning)",
    name="花札の「こいこい」ゲームの強化学習によるコンピュータプレイヤ",
    scales=SCALES,
    experiments={
        "paper": (experiment_1, readings_of_learner, experiment_2),
        "quick": (experiment_1, experiment_2),
        "headline": (experiment_1,),
    },
    claims=(
        Claim(
            "experiment-1", LEARNED.format(FITTING),
            "The paper's learner, as first player, ends {far} points a game {above} the plainest reading of the "
            "paper's if-then rules, `rule-based-simple`; in the paper it ended about 0.5 above the rules.",
            "learner above simple rules", ABOVE,
        ),
        Claim(
            "experiment-1", BASELINE.format(FITTING),
            "These rules win {ours} points a game against `random`; the paper's won 2.52, give or take 0.3.",
            "simple rules against random", AGAINST_RANDOM,
        ),
        Claim(
            "experiment-1", LEARNED.format(OURS),
            "Against our own `rule-based`, which is stronger, the same learner ends {far} points {above}.",
            "learner above rule-based", ABOVE,
        ),
        Claim("experiment-1", BASELINE.format(OURS), "", "rule-based against random", AGAINST_RANDOM),
        Claim("experiment-2-compared", BELOW.format(11)),
    ),
    unit="points a game",
)  # fmt: skip
