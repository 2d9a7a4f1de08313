"""Omuro, Yokoyama: an attempt at learning strategies of Saichugen. Figures 1 to 5 and both tables, ours beside theirs.

Published figures are those of the text; the scanned paper's figures are missing, so that most bars have none.
"""

from tefuda.games.saichugen import GAME
from tefuda.papers.laboratory import Claim, Paper
from tefuda.papers.saichugen.beyond import beyond
from tefuda.papers.saichugen.players import parts, readings, strategies, tactics
from tefuda.papers.saichugen.published import BEST, BEST_WINS, LEARNED, LEARNED_WINS, RANDOM_WINS, SCALES
from tefuda.papers.saichugen.random_play import random_play

PAPER = Paper(
    game=GAME,
    title="Saichugen: the paper's experiments",
    reference="Omuro Hikaru, Yokoyama Daisaku: 最中限における戦略学習の試み "
    "(an attempt at learning strategies of the card game Saichugen)",
    name="最中限における戦略学習の試み",
    scales=SCALES,
    experiments={
        "paper": (random_play, parts, tactics, strategies, readings, beyond),
        "quick": (random_play, parts, tactics, strategies, readings, beyond),
        "headline": (random_play, strategies),
    },
    claims=(
        Claim(
            "compared-random", "games won by a random player",
            f"A random player wins {{ours}} % of the games of three random players; the paper counted {RANDOM_WINS} %.",
            "random", RANDOM_WINS,
        ),
        Claim("compared-strategies", "S-base, games won", "", "S-base"),
        Claim("compared-strategies", "S-base+3t, games won", "", "S-base+3t"),
        Claim(
            "compared-strategies", f"{BEST}, games won",
            f"The paper's strongest strategy, `{BEST}`, wins {{ours}} % against two random players; in the paper "
            f"{BEST_WINS} %.",
            BEST, BEST_WINS,
        ),
        Claim(
            "compared-beyond", f"{LEARNED} against two random, {LEARNED_WINS:g} wanted",
            "Beyond the paper, `learned` wins {ours} % against them.",
            LEARNED,
        ),
    ),
    unit="% of games won",
)  # fmt: skip
