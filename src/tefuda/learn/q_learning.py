"""Q-learning of a weighted sum of binary features (Watkins 1989; Saito and Tsuruoka for trick-taking games).

After each decision of the learner's seat the weights of the features of what it did move by

    step × (reward + discount × max Q(next decision) − Q(this one)),

where the reward is what the seat's score gained in between. One seat learns; it changes its place from game to game.
One fixed player sits in the other seats, or past selves do: after every so many games the player of the moment is
saved, and each of the other seats draws one, all alike, from those saved so far and one random player.

The learner knows no game: a game's `action_values` give the features of an action.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from tefuda.contract import ActionValues, Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW, scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.bits import count_words, next_of_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, below, stream, unit
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run
from tefuda.learn.strength import strength
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

LARGEST = 1e9  # a weight beyond it means that learning has got out of hand
SELF = "self-play"
RANDOM = "random"  # the player that past selves are mixed with
CURVE_DEALS = 1000  # on which each point of the curve is measured, always the same


@dataclass(frozen=True)
class Arguments:
    """How to learn. The defaults are the paper's; they are stored with the result."""

    MOST: ClassVar = {"points": 100_000}

    opponent: str = SELF  # who sits in the other seats: a player's name, or self-play against past selves
    games: int = 100_000  # to learn from
    step: float = 0.1  # learning rate α
    decay: float = 0.0  # the rate falls as step × decay / (decay + games so far); 0: it does not fall
    discount: float = 0.8  # γ
    explore: float = 0.1  # ε: so often a random action instead of the player's choice
    every: int = 100  # games between two saved selves
    average: bool = False  # the result is the mean of the weights over the second half of the games
    variant: str = ""  # how the policy reads its weights, where it has more ways than one
    points: int = 20  # of the learning curve

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if not all(map(math.isfinite, (self.step, self.decay, self.discount, self.explore))):
            raise Problem("step, decay, discount and explore are plain numbers")
        if self.games < 1 or self.every < 1 or self.points < 1:
            raise Problem("games, every and points are at least 1")
        if not 0 <= self.discount <= 1 or not 0 <= self.explore <= 1 or self.decay < 0:
            raise Problem("discount and explore lie between 0 and 1, and decay is at least 0")


def values_of(game: Game, rules: Rules) -> ActionValues | None:
    """The action values of a game under some rules, if it has any."""
    return next(iter(game.players.playing(game.learning.action_values, rules)), None)


class QLearning:
    """The state of a run; `advance` moves it on. Any split into calls gives the same weights."""

    @staticmethod
    def values_of(game: Game, rules: Rules) -> Any:
        """What is learned."""
        return values_of(game, rules)

    @staticmethod
    def games_of(game: Game, values: Any) -> Any:
        """The compiled loop that learns."""
        return _games_of(game, values)

    def __init__(self, game: Game, rules: Rules, arguments: Arguments, seed: int) -> None:
        arguments.check()
        values = self.values_of(game, rules)
        if values is None:
            raise Problem(f"{game.name} has no such values to learn under the rules {rules}")
        self.game, self.rules, self.arguments, self.seed, self.values = game, rules, arguments, seed, values
        self.policy = game.players.policy(values.policy)
        self.random = resolve(game, RANDOM, rules)
        self.opponent = None if arguments.opponent == SELF else compiled_player(game, arguments.opponent, rules)
        self.weights = np.zeros(values.size)
        self.moved = np.zeros(values.size)  # changes, each times the number of its game: what a mean is made of
        self.half = np.zeros((2, values.size))  # both of these when half of the games were played
        self.saved: list[np.ndarray] = []  # past selves, float32
        self.curve: list[np.ndarray] = []  # the result after each point of the curve, float32
        self.episode = 0
        self.parameters(self.weights)  # a wrong variant is told at once

    def parameters(self, weights: np.ndarray) -> np.ndarray:
        """A policy's parameters for some weights."""
        return self.policy.parameters(self.arguments.variant, weights)

    def player(self, weights: np.ndarray, name: str) -> Entrant:
        """Somebody who plays by some weights."""
        return Entrant(name, self.policy, self.parameters(weights))

    @property
    def result(self) -> np.ndarray:
        """What was learned so far: the weights, or their mean where that is asked for."""
        return self.averaged if self.arguments.average else self.weights

    @property
    def averaged(self) -> np.ndarray:
        """The mean of the weights after each game of the second half; the weights themselves before it begins."""
        return self._averaged(self.episode, self.weights, self.moved, self.half)

    def _averaged(self, episode: int, weights: np.ndarray, moved: np.ndarray, at_half: np.ndarray) -> np.ndarray:
        half = self.arguments.games // 2
        if episode <= half:
            return weights
        so_far = episode * weights - moved
        return (so_far - (half * at_half[0] - at_half[1])) / (episode - half)

    def opponents(self) -> list[Entrant]:
        """Who sits in the other seats for the next games."""
        others = self.game.seats - 1
        if self.opponent is not None:
            return [self.opponent] * others
        rng = np.array([stream(self.seed, len(self.saved), 0, LEARNER)], np.uint64)
        drawn = []
        for _ in range(others):
            which = below(rng, len(self.saved) + 1)
            past = which < len(self.saved)
            drawn.append(self.player(self.saved[which], "past self") if past else self.random)
        return drawn

    def advance(self, games: int) -> None:
        """Learn from some more games."""
        last = min(self.episode + games, self.arguments.games)
        while self.episode < last:
            self._stretch(min(last, self._next_stop()))

    def _next_stop(self) -> int:
        """The next game after which something is saved."""
        arguments, now = self.arguments, self.episode
        stops = [arguments.games, self.point(len(self.curve))]
        if self.opponent is None:
            stops.append((now // arguments.every + 1) * arguments.every)
        if now < arguments.games // 2:
            stops.append(arguments.games // 2)
        return min(stop for stop in stops if stop > now)

    @property
    def points(self) -> int:
        """How many points the curve has: at most one a game."""
        return min(self.arguments.points, self.arguments.games)

    def point(self, number: int) -> int:
        """After how many games a point of the curve is taken."""
        return self.arguments.games * (number + 1) // self.points

    def _stretch(self, last: int) -> None:
        arguments = self.arguments
        players = [self.player(self.weights, "learner"), *self.opponents()]
        choosers, starts, params = seated(self.game, players)
        moved = self.moved.copy()
        self.games_of(self.game, self.values)(
            self.game.blank(self.rules), self.seed, self.episode, last, (choosers, starts, params),
            scratch(self.game, players), moved, arguments.step, arguments.decay, arguments.discount,
            arguments.explore,
        )  # fmt: skip
        weights = params[self.values.first : starts[1]].copy()
        if not (np.abs(weights) < LARGEST).all():
            raise Problem(f"the weights grow without end after {last:,} games: take a smaller step")
        half, saved, curve = self.half, self.saved, self.curve
        if last == arguments.games // 2:
            half = np.stack([weights, moved])
        if self.opponent is None and last % arguments.every == 0:
            saved = [*saved, weights.astype(np.float32)]
        if len(curve) < self.points and self.point(len(curve)) <= last:
            result = self._averaged(last, weights, moved, half) if arguments.average else weights
            curve = [*curve, result.astype(np.float32)]
        # all at once: Ctrl-C may come as soon as the compiled games are done
        self.weights, self.moved, self.episode, self.half, self.saved, self.curve = (
            weights, moved, last, half, saved, curve,
        )  # fmt: skip

    @property
    def done(self) -> bool:
        return self.episode >= self.arguments.games

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on; when nothing is left to do, past selves are not needed."""
        size = self.values.size
        saved = [] if self.done else self.saved
        return {
            "weights": self.weights, "moved": self.moved, "half": self.half, "episode": np.array(self.episode),
            "saved": np.array(saved, np.float32).reshape(-1, size),
            "curve": np.array(self.curve, np.float32).reshape(-1, size),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.weights, self.moved, self.half = state["weights"], state["moved"], state["half"]
        self.episode = int(state["episode"])
        self.saved, self.curve = list(state["saved"]), list(state["curve"])


def learned(task: Task, learning: QLearning) -> Trained:
    """The whole run. The points of its curve are measured against the game's default opponent."""
    arguments, game, rules = task.arguments, task.game, task.rules

    def advance() -> float:
        learning.advance(100)
        return learning.episode

    run(learning, advance, arguments.games, "games", task.out, task.identity)
    figure, opponent = game.scoring.headline_under(rules).name, against(task)
    curve: list[tuple] = [("game", f"{figure} against {opponent}", "low", "high")]
    for point, weights in enumerate(learning.curve):
        player = learning.player(weights, "learner")
        there = strength(game, player, opponent, CURVE_DEALS, rules, task.threads)
        curve.append((learning.point(point), there["mean"], there["low"], there["high"]))
    return Trained(learning.result, curve, arguments.variant)


def train(task: Task) -> Trained:
    return learned(task, QLearning(task.game, task.rules, task.arguments, task.seed))


def offer(game: Game, rules: Rules) -> Offer | None:
    values = values_of(game, rules)
    if values is None:
        return None
    return Offer(values.learner, f"Q-learning of {values.size:,} weights", values.policy)


def check(task: Task) -> Task:
    if task.arguments.opponent != SELF:
        compiled_player(task.game, task.arguments.opponent, task.rules)
    policy = task.game.players.policy(task.offer.policy)
    policy.parameters(task.arguments.variant, np.zeros(policy.weights or 0))  # a wrong variant is told
    return task


def against(task: Task) -> str:
    return task.game.players.default_opponent


METHOD = Method(Arguments, offer, check, train, against)


@cache
def _games_of(game: Game, values: ActionValues) -> Any:
    """The compiled loop of one game."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    kernels = game.kernels
    to_move, legal, hide, apply, scores = kernels.to_move, kernels.legal, kernels.hide, kernels.apply, kernels.scores
    write, above_mean, first_weight, most = values.write, values.above_mean, values.first, values.active
    seats = game.seats

    def total(weights, active, number):
        value = 0.0
        for i in range(number):
            value += weights[active[i]]
        return value

    total = kernel(total)

    def games(blank, seed, first, last, seated, scratch, moved, step, decay, discount, explore):
        """Player 0 learns; its weights, in `params`, and `moved` change in place."""
        tables, rngs, mask, worlds, numbers, out = scratch
        _, starts, params = seated
        active, done = np.empty(most, np.int64), np.empty(most, np.int64)  # features tried, and of the last decision
        luck = np.empty(1, np.uint64)
        own = params[: starts[1]]
        weights = own[first_weight:]
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            luck[0] = stream(seed, number, 1, LEARNER)
            learner = number % seats
            rate = step * decay / (decay + number) if decay > 0.0 else step
            features, before = -1, 0.0  # none: no decision yet
            while True:
                seat = to_move(tables[TABLE])
                if seat >= 0 and seat != learner:
                    player = (seat - learner) % seats
                    apply(tables[TABLE], ask(tables, seat, player, seated, rngs, mask, worlds, numbers))
                    continue
                scores(tables[TABLE], out)
                now = out[learner] - out.mean() if above_mean else out[learner]
                best = 0.0
                if seat >= 0:
                    tables[VIEW] = tables[TABLE]
                    hide(tables[VIEW], seat)
                    legal(tables[VIEW], mask)
                    best = -math.inf
                    action = next_of_words(mask, 0)
                    while action >= 0:
                        best = max(best, total(weights, active, write(tables[VIEW], seat, own, action, active)))
                        action = next_of_words(mask, action + 1)
                if features >= 0:
                    change = rate * (now - before + discount * best - total(weights, done, features))
                    for i in range(features):
                        weights[done[i]] += change
                        moved[done[i]] += change * number
                if seat < 0:
                    break
                before = now
                if unit(luck) < explore:
                    action = nth_of_words(mask, below(luck, count_words(mask)))
                else:
                    action = ask(tables, seat, 0, seated, rngs, mask, worlds, numbers)
                features = write(tables[VIEW], seat, own, action, done)
                apply(tables[TABLE], action)

    return kernel(games)
