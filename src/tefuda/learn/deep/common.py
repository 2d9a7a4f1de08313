"""What the learners of networks share: what is played for, in which unit, steps of the gradient, seeds."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.goals import GOALS
from tefuda.engine.loops import loops_of
from tefuda.engine.network import MOST_BLOCKS, MOST_UNITS, NAME
from tefuda.engine.seated import scratch
from tefuda.errors import Problem
from tefuda.files.policy import random_rules
from tefuda.learn.deep.torch import torch

SELF = "self"  # the opponent of a learner that plays all seats
POOL = "pool"  # the opponents of one that plays itself and its past selves
PRECISIONS = {"half": "bfloat16", "single": "float32"}  # what torch calls the type of hidden layers
WORDS = (*GOALS, "match")  # for a goal; a match is played for the win where it has several rounds
ADAM = (0.9, 0.999, 1e-8)
MOST = {"lanes": 1 << 20, "steps": 1 << 14, "batch": 1 << 24}  # of arguments that take memory


def has_network(game: Game) -> bool:
    """Whether networks can play a game."""
    return any(policy.key == NAME for policy in game.players.policies)


def check_common(units: int, blocks: int, precision: str, goal: str) -> None:
    """Refuse a network that cannot be, and words that are not known."""
    if not (1 <= units <= MOST_UNITS and 0 <= blocks <= MOST_BLOCKS):
        raise Problem(f"units are 1 to {MOST_UNITS} and blocks 0 to {MOST_BLOCKS}")
    if precision not in PRECISIONS:
        raise Problem(f"precision is {precision!r}, but takes {' or '.join(PRECISIONS)}")
    if goal not in WORDS:
        raise Problem(f"goal is {goal!r}, but takes {', '.join(WORDS[:-1])} or {WORDS[-1]}")


def precision_of(name: str) -> Any:
    """The type of hidden layers."""
    return getattr(torch, PRECISIONS[name])


WIN_SCALE = 0.5  # shares of the win differ by about so much
PLACE_SCALE = 0.5  # expected places change by about so much in a round
SCALE_GAMES = 2000


def scale_of(game: Game, rules: Rules, seed: int) -> float:
    """The unit of rewards: the standard deviation of the scores of plain games."""
    scores = np.zeros((SCALE_GAMES, game.seats))
    loops_of(game).playouts(game.blank(rules), seed, 0, SCALE_GAMES, scratch(game), scores)
    spread = float((scores - scores.mean(axis=0)).std())
    return spread if spread > 0 else 1.0


def scales_of(game: Game, rules: Sequence[Rules], goals: Sequence[str], seed: int) -> list[float]:
    """The unit of rewards by each of some rules. Scores have one unit, that of the first rules played for scores."""
    units = {"win": WIN_SCALE, "place": PLACE_SCALE}
    if "score" in goals:
        units["score"] = scale_of(game, rules[goals.index("score")], seed)
    return [units[goal] for goal in goals]


def goal_of(game: Game, rules: Rules, goal: str) -> str:
    """What is played for by some rules."""
    if goal == "match":
        return "win" if game.rulebook.rounds(rules) > 1 else "score"
    if goal == "place":
        if game.learning.places is None:
            raise Problem(f"goal is place, but {game.name} tells no expected places; it takes score, win or match")
        return "place" if game.rulebook.rounds(rules) > 1 else "score"
    return goal


def more_rules(game: Game, text: str, seed: int = 0) -> list[Rules]:
    """Rules written as "preset option=value …; random:64; …", where random:64 are so many random rules."""
    found = []
    for each in _entries(text):
        count = random_rules(each)
        if count is not None:
            found += game.rulebook.random(count, seed)
        else:
            preset, *changes = each.split()
            found.append(game.rulebook.make(preset, changes))
    return found


def names_of_rules(game: Game, first: Rules, text: str) -> str:
    """How a policy card names the rules that were learned by: `first`, and those that a text names."""
    more = [[each] if random_rules(each) is not None else map(str, more_rules(game, each)) for each in _entries(text)]
    return "; ".join([str(first), *(name for names in more for name in names)])


def _entries(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def descend(loss: Any, weights: Any, moments: list[Any], rate: Any, tie: Callable[[Any], None] | None = None) -> None:
    """One step of Adam (Kingma and Ba 2015) with a clipped gradient. `rate`: of all weights, or of each. `tie` makes
    the gradient of tied weights equal."""
    (gradient,) = torch.autograd.grad(loss, weights)
    with torch.no_grad():
        if tie is not None:
            tie(gradient)
        gradient = gradient * (0.5 / (gradient.norm() + 1e-6)).clamp(max=1.0)
        first, second = moments
        first.lerp_(gradient, 1 - ADAM[0])
        second.lerp_(gradient.square(), 1 - ADAM[1])
        weights -= rate * first / (second.sqrt() + ADAM[2])


def unbiased_rate(rate: float, steps: int) -> float:
    """The rate of the n-th step of Adam, which makes up for moments that began at 0."""
    return rate * math.sqrt(1 - ADAM[1] ** steps) / (1 - ADAM[0] ** steps)


def mixed(start: float, end: float, share: float) -> float:
    """From start to end by equal ratios, or by equal steps where one is 0."""
    if start > 0 and end > 0:
        return start * (end / start) ** share
    return start + share * (end - start)


def deals_of(seed: int) -> int:
    """The seed of the deals that are learned from: a match by the same seed plays others."""
    return hash_of(seed, 1 << 62)


def hash_of(seed: int, number: int) -> int:
    """A seed for one moment of a run."""
    return int(np.random.SeedSequence([seed, number]).generate_state(1, np.uint64)[0] >> np.uint64(1))
