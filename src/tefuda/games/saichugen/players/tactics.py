"""The tables: which choices make a tactic, which tactics a strategy, and what may stand behind a player's slash.

Tables 1 and 2 of the paper, row by row; a choice and a tactic by themselves are played in every turn or round.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from tefuda.errors import Problem, unknown
from tefuda.games.saichugen.players import plan
from tefuda.games.saichugen.players.choices import (
    AIM_MIDDLE,
    AIM_MIDDLE_POINTS,
    AIM_OUTSIDE,
    AIM_POINTS,
    ANY,
    HIGHEST,
    LEAST,
    LOWEST,
    MOST,
)
from tefuda.games.saichugen.rules import ROUNDS, TURNS

Turn = tuple[int, int]  # the choice while the seat has not scored in the round, and once it has


class Tactic(NamedTuple):
    """The choices of a round's turns."""

    about: str
    turns: tuple[Turn, ...]


class Strategy(NamedTuple):
    """The tactics of a game's rounds: without points in the game, with some, and level with or above both others."""

    about: str
    rounds: tuple[tuple[str, str, str], ...]


CHOICES = {
    "choice0": ("any card", ANY),
    "choice1": ("the card most likely to score", MOST),
    "choice2": ("the card least likely to score", LEAST),
    "choice3": ("the lowest card", LOWEST),
    "choice4": ("the highest card", HIGHEST),
    "choice5": ("the likeliest card whose points bring the round to the middle, else choice2", AIM_MIDDLE),
}

_TAKE, _NOT_TAKE = (MOST, LEAST), (LEAST, MOST)
TACTICS = {
    **{name: Tactic(about, ((choice, choice),) * TURNS) for name, (about, choice) in CHOICES.items()},
    "T-random": Tactic("any card", ((ANY, ANY),) * TURNS),
    "T-take": Tactic("wins rounds: scores once, then avoids to", (_TAKE,) * TURNS),
    "T-nottake": Tactic("loses rounds: avoids to score, goes on once it has", (_NOT_TAKE,) * TURNS),
    "T-take+3t": Tactic("T-take that aims at the middle in the third turn", (_TAKE, _TAKE, (AIM_MIDDLE, AIM_MIDDLE))),
    "T-nottake+3t": Tactic(
        "T-nottake that aims beside the middle in the third turn", (_NOT_TAKE, _NOT_TAKE, (AIM_OUTSIDE, AIM_OUTSIDE))
    ),
    "T-takepoint": Tactic(
        "aims at the points of a round that bring its game score to the middle",
        ((AIM_POINTS, LEAST), (AIM_POINTS, LEAST), (AIM_MIDDLE_POINTS, AIM_MIDDLE_POINTS)),
    ),
}

_BASE = ("T-take", "T-nottake", "T-nottake")
_BASE_3T = ("T-take+3t", "T-nottake+3t", "T-nottake+3t")
_LATE = ("T-takepoint", "T-takepoint", "T-nottake+3t")
STRATEGIES = {
    **{name: Strategy(tactic.about, ((name,) * 3,) * ROUNDS) for name, tactic in TACTICS.items()},
    "S-random": Strategy("any card", (("T-random",) * 3,) * ROUNDS),
    "S-base": Strategy("T-take until it has points in the game, then T-nottake", (_BASE,) * ROUNDS),
    "S-base+3t": Strategy("the same with T-take+3t and T-nottake+3t", (_BASE_3T,) * ROUNDS),
    "S-base+3t+4r": Strategy(
        "the same, and T-takepoint in rounds 4 and 5: the strongest of the paper", (_BASE_3T,) * 3 + (_LATE,) * 2
    ),
}


class TacticReading(NamedTuple):
    """Something that the paper leaves open: the place of its number, its values, the first of them the default."""

    place: int
    values: Mapping[str, int]
    meaning: str


READINGS = {
    "none": TacticReading(
        plan.NONE, {"least": LEAST, "random": ANY, "most": MOST},
        "what T-take+3t and T-takepoint lay when no card of the hand fits choice5",
    ),
    "none_loses": TacticReading(
        plan.NONE_LOSES, {"random": ANY, "least": LEAST, "most": MOST},
        "what T-nottake+3t lays when no card of the hand fits choice5",
    ),
    "lose": TacticReading(
        plan.LOSE_BY, {"above": plan.ABOVE, "below": plan.BELOW, "either": plan.EITHER},
        "how T-nottake+3t rather loses a round in turn 3",
    ),
    "lose_card": TacticReading(
        plan.LOSE_CARD, {"most": MOST, "least": LEAST, "random": ANY},
        "the card among those with which T-nottake+3t loses: the most or least likely to score, or any",
    ),
    "points": TacticReading(
        plan.POINTS_FROM, {"any": 0, "n1": 1}, "what T-takepoint takes in turns 1 and 2: up to n2, or from n1 to n2"
    ),
    "end": TacticReading(plan.EXACT_END, {"plan": 0, "exact": 1}, "the last turn of the game: by plan, or computed"),
}  # fmt: skip
AHEAD = "ahead"  # one more: which tactic S-base+3t+4r has in rounds 4 and 5 when level with or above both others
AHEAD_TACTICS = {"nottake": "T-nottake+3t", "takepoint": "T-takepoint"}

VARIANTS = "NAME/reading=value,… for what the paper leaves open, the default first: " + "; ".join(
    [
        *(f"{key}={'|'.join(reading.values)} ({reading.meaning})" for key, reading in READINGS.items()),
        f"{AHEAD}={'|'.join(AHEAD_TACTICS)} (the tactic of S-base+3t+4r in rounds 4 and 5 when level with or above "
        "both others)",
    ]
)


def plan_of(strategy: Strategy, ahead: str) -> np.ndarray:
    """A strategy written out: the choice of every round, standing, turn, and whether the seat has scored."""
    written = np.zeros((ROUNDS, plan.STANDINGS, TURNS, 2))
    for number, tactics in enumerate(strategy.rounds):
        for standing, tactic in enumerate(tactics):
            name = AHEAD_TACTICS[ahead] if tactics == _LATE and standing == plan.AHEAD else tactic
            written[number, standing] = TACTICS[name].turns
    return written.ravel()


def parameters_of(name: str) -> Callable[[str, np.ndarray], np.ndarray]:
    """What the player of a name reads: its plan, then the readings that its variant names."""

    def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
        chosen = {key: next(iter(reading.values)) for key, reading in READINGS.items()}
        chosen[AHEAD] = next(iter(AHEAD_TACTICS))
        for change in variant.split(",") if variant else ():
            key, equals, value = change.partition("=")
            if key not in chosen or not equals:
                raise unknown(f"reading of {name}", change, [f"{key}=…" for key in chosen])
            values = AHEAD_TACTICS if key == AHEAD else READINGS[key].values
            if value not in values:
                raise Problem(f"{name}/{change}: {key} takes {', '.join(values)}")
            chosen[key] = value
        params = np.zeros(plan.SIZE)
        params[: plan.PLAN] = plan_of(STRATEGIES[name], chosen[AHEAD])
        for key, reading in READINGS.items():
            params[reading.place] = reading.values[chosen[key]]
        return params

    return parameters
