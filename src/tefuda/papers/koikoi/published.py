"""What the Koi-Koi paper says, and how large its experiments are here."""

from dataclasses import dataclass

from tefuda.papers import laboratory


@dataclass(frozen=True)
class Scale:
    """How large the experiments are."""

    episodes: int = 30_000
    seeds: int = 20  # of learners at T = 1, which differ much; 0: neither these nor figure 2
    rules: tuple[str, ...] = ("rule-based-simple", "rule-based-values", "rule-based")  # readings of the if-then rules
    deals: int = 20_000  # to evaluate a player on
    seed_deals: int = 4_000  # to evaluate each seed of a learner on
    reading_seeds: int = 5  # of all other learners
    tuned_deals: int = 100_000  # for pg-linear-tuned, whose difference is small; 0: not measured
    positions: int = 10_000  # to learn from, for each turn
    tests: int = 300
    games: int = 300  # that value a position
    network_seeds: int = 5
    epochs: int = 40


SCALES = {
    "paper": Scale(),
    "quick": Scale(
        seeds=5, rules=("rule-based-simple", "rule-based"), deals=5_000, seed_deals=2_000, tuned_deals=10_000,
        positions=1_000, games=120, network_seeds=3, epochs=60,
    ),
    "headline": Scale(
        seeds=0, rules=("rule-based-simple", "rule-based"), deals=10_000, seed_deals=2_000, tuned_deals=0
    ),
}  # fmt: skip
Laboratory = laboratory.Laboratory[Scale]

OURS, FITTING = "rule-based", "rule-based-simple"  # our rules, and those by which the paper's figures come out

AGAINST_RANDOM = 2.52  # points a game of the paper's rules, over 1,000 games
FIRST_SEAT = 0.051  # of the first player when the paper's rules play themselves, over 1,000 games
ABOVE = 0.5  # "about": of the learner as first player, above FIRST_SEAT
THEIRS = 0.3  # the 95 % interval of 1,000 games, rounded: a game has a standard deviation of 4.4 points


def near(published: float) -> tuple[float, float]:
    """The target of a published figure: give or take the paper's own interval."""
    return round(published - THEIRS, 2), round(published + THEIRS, 2)


# What is compared.
BASELINE = "{} against random, both seats"
MIRROR = "{} against itself, first seat"
LEARNED = "the paper's learner as first player against {0}, above {0} itself, mean over seeds"
SHIPPED = "the same at T = 1, as pg-linear has learned, against {0}, mean over seeds"
BELOW = "turn {}: test error below the constant's by"
