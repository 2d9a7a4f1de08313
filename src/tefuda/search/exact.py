"""What players get in a small game, and what a best response gets against them: exactly, without a game being played.

Both sum over the whole game as search/tree.py writes it out, for any number of seats. Play is an array of chances
[information sets, actions], in which each seat has its own rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tefuda.contract import Policy
from tefuda.errors import Problem
from tefuda.search.tree import END, Tree, WrittenOut


@dataclass(frozen=True)
class Exploited:
    """What each seat gets when all play by the same chances, and what a best response gets in its place."""

    values: list[float]
    responses: list[float]

    @property
    def gains(self) -> list[float]:
        """What a best response gains in each seat; all 0 in an equilibrium."""
        return [response - value for response, value in zip(self.responses, self.values, strict=True)]

    @property
    def exploitability(self) -> float:
        """The mean of these gains."""
        return sum(self.gains) / len(self.gains)


def uniform(tree: WrittenOut) -> np.ndarray:
    """Play that takes any legal action, all alike."""
    return tree.legal / tree.legal.sum(axis=1, keepdims=True)


def chances_of(tree: Tree, policy: Policy, params: np.ndarray) -> np.ndarray:
    """The play of a policy that tells its chances."""
    game = tree.game
    if policy.chances is None:
        raise Problem(f"{policy.key} of {game.name} does not tell its chances")
    chances = np.zeros(tree.legal.shape)
    mask = np.zeros(game.spaces.mask_words, np.uint64)
    worlds, numbers = np.zeros(max(1, policy.worlds), game.State), np.zeros(max(1, policy.numbers))
    for number, seat in enumerate(tree.owner):
        view = tree.views[number : number + 1].copy()
        game.kernels.legal(view[0], mask)
        policy.chances(view[0], int(seat), params, mask, worlds, numbers, chances[number])
    return chances


def seated(tree: Tree, plays: Sequence[np.ndarray]) -> np.ndarray:
    """The play of several players, one for each seat."""
    return np.stack(list(plays))[tree.owner, np.arange(tree.sets)]


def value(tree: WrittenOut, chances: np.ndarray) -> np.ndarray:
    """[seats] what each seat gets on average."""
    return tree.deal_chances @ tree.up(chances, tree.scores)[tree.levels[0]]


def best_response(tree: Tree, chances: np.ndarray, seat: int) -> tuple[float, np.ndarray]:
    """The most that a seat can get against the others' chances, and the play in which it takes its best actions.

    The last decisions are settled first: what an earlier one is worth depends on them.
    """
    others = tree.other_part(chances, seat)
    play = chances.copy()
    own = np.flatnonzero(tree.owner == seat)
    for depth in sorted(set(tree.depth[own]), reverse=True):
        rows = own[tree.depth[own] == depth]
        worth = action_values(tree, others, tree.up(play, tree.scores[:, seat]), seat)[rows]
        worth[~tree.legal[rows]] = -np.inf
        play[rows] = 0.0
        play[rows, worth.argmax(axis=1)] = 1.0
    return float(value(tree, play)[seat]), play


def action_values(tree: WrittenOut, others: np.ndarray, values: np.ndarray, seat: int) -> np.ndarray:
    """[information sets, actions] what follows each action of a seat, weighted by how likely its position is."""
    after = np.flatnonzero((tree.seat[tree.parent] == seat) & (tree.parent != END))
    weights = others[tree.parent[after]] * tree.share[after] * values[after]
    return np.bincount(tree.edge[after], weights, tree.legal.size).reshape(tree.legal.shape)


def exploited(tree: Tree, chances: np.ndarray) -> Exploited:
    """What play gets against itself, and what a best response gets in each seat."""
    responses = [best_response(tree, chances, seat)[0] for seat in range(tree.game.seats)]
    return Exploited(value(tree, chances).tolist(), responses)
