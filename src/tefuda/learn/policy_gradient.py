"""Policy gradient for a softmax over a weighted sum of features (Williams 1992; Igarashi et al. 2007).

After each episode (one game) the weights move along  η (r − b) Σ_t ∇ log π(a_t | s_t):  r is the score of the
learner's seat, b a baseline (0 in the plain form), and the sampling of episodes stands for their probability. For
this policy ∇ log π is the features of the action taken minus the mean features of all actions. T = 1.

The learner knows no game: a game's `linear` features give the candidates of each decision.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.linear import add_log_gradient, sample, softmax
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW, scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, stream, unit
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.learn.run import run
from tefuda.players.entrant import Entrant


@dataclass(frozen=True)
class Arguments:
    """How to learn. The defaults are the paper's; they are stored with the result."""

    opponent: str = "random"  # who sits in the other seats
    episodes: int = 30_000  # games to learn from
    step: float = 0.5  # learning rate at first
    decay: float = 100.0  # the rate falls as step × decay / (decay + episodes so far); 0: it does not fall
    low: float = 0.0  # initial weights are uniform from low …
    high: float = 1.0  # … to high
    baseline: float = 0.0  # how fast a running mean of each seat's scores follows; 0: no baseline
    seats: str = "first"  # "first": the learner always begins; "all": it changes seats from game to game
    batch: int = 1  # games whose gradients are averaged for one step

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if not all(map(math.isfinite, (self.step, self.decay, self.low, self.high, self.baseline))):
            raise Problem("step, decay, low, high and baseline are plain numbers")
        if self.episodes < 1 or self.batch < 1:
            raise Problem("episodes and batch are at least 1")
        if self.seats not in ("first", "all"):
            raise Problem(f"seats is {self.seats!r}, but takes first or all")
        if self.decay < 0 or not 0 <= self.baseline <= 1 or self.low > self.high:
            raise Problem("decay is at least 0, baseline lies between 0 and 1, and low is at most high")


class PolicyGradient:
    """The state of a run: weights, baselines and the number of episodes; `advance` moves it on."""

    def __init__(self, game: Game, rules: Rules, opponent: Entrant, arguments: Arguments, seed: int) -> None:
        if game.learning.linear is None:
            raise Problem(f"{game.name} has no features for linear policies")
        if opponent.form != "compiled":
            raise Problem(f"{opponent.name} cannot be learned against: only compiled players can")
        arguments.check()
        self.game, self.rules, self.arguments, self.seed = game, rules, arguments, seed
        features = len(game.learning.linear.names)
        policy = game.players.policy(game.learning.linear.policy)
        # only decisions outside the learning are asked with these parameters
        self.players = [Entrant("learner", policy, policy.parameters("", np.zeros(features))), opponent]
        rng = np.array([stream(seed, 0, 0, LEARNER)], np.uint64)
        spread = arguments.high - arguments.low
        self.weights = np.array([arguments.low + spread * unit(rng) for _ in range(features)])
        self.baselines = np.zeros(game.seats)
        self.gradient = np.zeros(features)  # of the batch under way
        self.episode = 0
        self.rewards = np.zeros(0)

    def advance(self, episodes: int) -> None:
        """Learn from some more games; any split into calls gives the same weights."""
        arguments = self.arguments
        last = min(self.episode + episodes, arguments.episodes)
        rewards = np.zeros(last - self.episode)
        weights, baselines, gradient = self.weights.copy(), self.baselines.copy(), self.gradient.copy()
        _episodes_of(self.game)(
            self.game.blank(self.rules), self.seed, self.episode, last, seated(self.game, self.players),
            scratch(self.game, self.players), weights, baselines, gradient, arguments.step, arguments.decay,
            arguments.baseline, arguments.batch, arguments.seats == "all", rewards,
        )  # fmt: skip
        rewards = np.concatenate([self.rewards, rewards])
        # all at once: Ctrl-C may come as soon as the compiled episodes are done
        self.weights, self.baselines, self.gradient = weights, baselines, gradient
        self.rewards, self.episode = rewards, last

    @property
    def done(self) -> bool:
        return self.episode >= self.arguments.episodes

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        return {
            "weights": self.weights, "baselines": self.baselines, "gradient": self.gradient,
            "episode": np.array(self.episode), "rewards": self.rewards,
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        self.weights, self.baselines, self.gradient = state["weights"], state["baselines"], state["gradient"]
        self.episode, self.rewards = int(state["episode"]), state["rewards"]


def train(task: Task) -> Trained:
    """The whole run. The curve is the mean score of each hundredth of the episodes."""
    arguments = task.arguments
    opponent = compiled_player(task.game, arguments.opponent, task.rules)
    learning = PolicyGradient(task.game, task.rules, opponent, arguments, task.seed)

    def advance() -> float:
        learning.advance(500)
        return learning.episode

    run(learning, advance, arguments.episodes, "episodes", task.out, task.identity)
    curve: list[tuple] = [("episode", "mean score of the last episodes")]
    window = max(1, arguments.episodes // 100)
    for last in range(window, len(learning.rewards) + 1, window):
        curve.append((last, float(learning.rewards[last - window : last].mean())))
    return Trained(learning.weights, curve)


def offer(game: Game, rules: Rules) -> Offer | None:
    linear = game.learning.linear
    if linear is None:
        return None
    return Offer(linear.policy, f"policy gradient on {len(linear.names)} features", linear.policy)


def check(task: Task) -> Task:
    compiled_player(task.game, task.arguments.opponent, task.rules)
    return task


METHOD = Method(Arguments, offer, check, train, against=lambda task: task.arguments.opponent)


@cache
def _episodes_of(game: Game) -> Any:
    """The compiled loop of one game."""
    linear = game.learning.linear
    assert linear is not None
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, hide, apply, scores = game.kernels.to_move, game.kernels.hide, game.kernels.apply, game.kernels.scores
    candidates, rows_at_most, features, seats = linear.candidates, linear.rows, len(linear.names), game.seats

    def episodes(
        blank, seed, first, last, seated, scratch, weights, baselines, gradient, step, decay, baseline, batch,
        all_seats, rewards,
    ):  # fmt: skip
        tables, rngs, mask, worlds, numbers, out = scratch
        one = np.empty(features, np.float64)
        for episode in range(first, last):
            begin(tables, blank, rngs, seed, episode)
            learner = episode % seats if all_seats else 0
            one[:] = 0.0
            while True:
                seat = to_move(tables[TABLE])
                if seat < 0:
                    break
                rows = 0
                if seat == learner:
                    tables[VIEW] = tables[TABLE]
                    hide(tables[VIEW], seat)
                    rows = candidates(tables[VIEW], seat, numbers)
                if rows > 0:
                    softmax(numbers, rows, rows_at_most, features, weights)
                    action = sample(numbers, rows, rows_at_most, features, rngs[seat : seat + 1])
                    add_log_gradient(numbers, rows, rows_at_most, features, action, one)
                else:
                    player = 0 if seat == learner else 1
                    action = ask(tables, seat, player, seated, rngs, mask, worlds, numbers)
                apply(tables[TABLE], action)
            scores(tables[TABLE], out)
            reward = out[learner]
            rewards[episode - first] = reward
            for i in range(features):
                gradient[i] += (reward - baselines[learner]) * one[i]
            baselines[learner] += baseline * (reward - baselines[learner])
            if (episode + 1) % batch == 0:
                rate = step * decay / (decay + episode) if decay > 0.0 else step
                for i in range(features):
                    weights[i] += rate * gradient[i] / batch
                    gradient[i] = 0.0

    return kernel(episodes)
