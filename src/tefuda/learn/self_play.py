"""Self-play policy gradient: one network plays every seat and learns from all of them.

The method is proximal policy optimisation (Schulman et al. 2017) with generalised advantages. In games of hidden
information plain self-play runs in circles. Regularisation brings it near an equilibrium: the entropy has a large
weight at first and a small one at the end, and the policy stays near a magnet, the slowly moving mean of the weights
(Sokota et al. 2023; Rudolph et al., "Reevaluating Policy Gradient Methods for Imperfect-Information Games", 2025).
The run ends in that mean.

    loss = − E[min(ρ A, clip(ρ) A)] + v E[(V − R)²] − e H(π) + m KL(π ‖ π_magnet),    ρ = π(a) / π_then(a)

A critic can value the decisions. It is told what is hidden, so that it tells luck from skill better than the network's
own value does; only the learning needs it (Perfect-Training-Imperfect-Execution, Yang et al. 2022). In a run that
begins as a network, a critic of the same size begins as that network's value.

A run can begin as a given network, made wider if need be. It can also begin with lessons: a teacher decides in all
seats, and the network learns its choices by heart. The loss is then − E[log π(a)] + v E[(V − R)²].

What a network has learned by heart it hardly tries otherwise, so that it cannot find better: the gradients of the gain
and of the entropy fade with the chance of an action. That of − E[Σ log π / n], over the n legal actions, does not
(`reopen`).

Where a game says what can be exchanged in it, as suits, weights are tied so that the network treats all alike
(learn/deep/symmetry.py).

The lanes can be cut into pieces, one for each of several actors (learn/deep/acting.py): on a cluster they play side by
side, and the one learner sends them its weights before each window.

Schedules count decisions, so that a run that was killed goes on to the same result.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.lanes import hidden_size
from tefuda.engine.network import NAME
from tefuda.errors import Problem
from tefuda.kernel.cluster import Cluster, cluster_at
from tefuda.learn import watched
from tefuda.learn.deep.acting import Actors, Conditions, Networks
from tefuda.learn.deep.common import (
    MOST,
    POOL,
    SELF,
    check_common,
    deals_of,
    descend,
    goal_of,
    has_network,
    hash_of,
    mixed,
    more_rules,
    names_of_rules,
    scales_of,
    unbiased_rate,
)
from tefuda.learn.deep.credit import Between, Credit
from tefuda.learn.deep.network import NetworkShape, forward
from tefuda.learn.deep.players import as_it_plays, begun_as, teacher_of, without_rules
from tefuda.learn.deep.symmetry import Ties, ties_of
from tefuda.learn.deep.tables import Machine
from tefuda.learn.deep.torch import as_graph, chosen_device, torch
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve

GROUPS = 8  # different past selves that are played against at a time


@dataclass(frozen=True)
class Arguments:
    """How to learn. The defaults suit a CPU; they are stored with the result."""

    MOST: ClassVar = {**MOST, "actors": 1 << 14, "critic": 1 << 12, "past": 10_000}

    decisions: int = 4_000_000  # decisions to learn from, of all seats together
    opponent: str = SELF  # self; pool: itself and past selves; or a player who takes all other seats
    share: float = 1.0  # share of the tables at which that player sits; at the others the network plays all seats
    goal: str = "score"  # what to play for: score, win, place, or match (the win of several rounds, the score of one)
    also: str = ""  # further rules to learn by, as in "nintendo; paper rounds=3; random:64"; networks are told them
    start: str = ""  # a network to begin as: a player or a policy file; with more units it is made wider
    teacher: str = ""  # a player, not a network, to imitate at first …
    lessons: float = 0.05  # … for this share of the decisions
    units: int = 64  # of each layer, up to 1024
    blocks: int = 1  # residual blocks
    symmetric: bool = True  # tie weights where the game says that parts of it can be exchanged, as suits
    critic: int = 0  # units of a critic that is told what is hidden while learning; 0: none
    settle: float = 0.0  # share of the decisions, the first ones, from which only the critic learns
    lanes: int = 256  # tables that move in step
    actors: int = 1  # pieces of the lanes, each with its own deals: with --ray they are played side by side
    steps: int = 64  # decisions of each before the network learns from them
    batch: int = 1024  # decisions for one step of the gradient
    epochs: int = 1  # passes over what was played
    rate: float = 0.002  # learning rate at first …
    rate_end: float = 0.00005  # … and at the end
    entropy: float = 0.02  # weight of the entropy at first …
    entropy_end: float = 0.001  # … and at the end
    reopen: float = 0.0  # weight of trying all actions alike at first, 0 at the end: opens what lessons have closed
    magnet: float = 0.02  # weight of staying near the mean of the weights; 0: none
    average: float = 0.998  # how slowly that mean follows, for each step of the gradient
    clip: float = 0.2  # how far a step may change the chance of an action
    fade: float = 0.8  # λ of the advantages
    value: float = 0.5  # weight of the value's error
    past: int = 50  # pool: how many past selves are kept over the whole run
    precision: str = "single"  # of hidden layers: single, or half (quicker on a GPU)

    def check(self) -> None:
        """Refuse what cannot be meant."""
        given = (self.rate, self.rate_end, self.entropy, self.entropy_end, self.reopen, self.magnet, self.value)
        if not all(math.isfinite(each) and each >= 0 for each in given) or self.rate <= 0 or self.rate_end <= 0:
            raise Problem("rates are numbers above 0; entropy, entropy_end, reopen, magnet and value are at least 0")
        if min(self.decisions, self.lanes, self.actors, self.batch, self.epochs, self.past) < 1 or self.steps < 2:
            raise Problem("decisions, lanes, actors, batch, epochs and past are at least 1, steps at least 2")
        if self.lanes % self.actors:
            raise Problem(
                f"{self.lanes} lanes cannot be shared by {self.actors} actors: lanes are a multiple of actors"
            )
        check_common(self.units, self.blocks, self.precision, self.goal)
        if self.critic < 0:
            raise Problem("critic is a number of units, or 0")
        if not 0 <= self.settle < 1 or (self.settle and not self.critic):
            raise Problem("settle lies from 0 to below 1, and above 0 only with a critic")
        if not (0 <= self.average < 1 and 0 < self.clip < 1 and 0 <= self.fade <= 1 and 0 <= self.lessons <= 1):
            raise Problem("average lies from 0 to below 1, clip between 0 and 1, fade and lessons from 0 to 1")
        if not 0 < self.share <= 1 or (self.share < 1 and self.opponent in (SELF, POOL)):
            raise Problem("share lies above 0 up to 1, and below 1 only with a player for opponent")
        if self.opponent == POOL and self.lanes < 2 * self.actors:
            raise Problem("a pool takes at least 2 lanes, of each actor: in half of them it sits opposite")


class SelfPlay:
    """The state of a run; `advance` plays one window and learns from it."""

    def __init__(
        self, game: Game, rules: list[Rules], opponent: Entrant | None, arguments: Arguments, seed: int, device: Any,
        threads: int | None = None, initial: np.ndarray | None = None, cluster: Cluster | None = None,
    ) -> None:  # fmt: skip
        """`opponent`: who takes all seats but one; None for itself or a pool of past selves. `cluster`: where several
        actors play."""
        arguments.check()
        self.game, self.rules, self.arguments, self.seed = game, rules, arguments, seed
        inputs, actions = game.spaces.observation.size, game.spaces.actions.size
        self.shape = NetworkShape(inputs, arguments.units, arguments.blocks, actions)
        self.critic = None  # its shape; its weights stand behind those of the network
        if arguments.critic:
            self.critic = NetworkShape(inputs + hidden_size(game), arguments.critic, arguments.blocks, 0)
        self.goals = [goal_of(game, each, arguments.goal) for each in rules]
        scales = scales_of(game, rules, self.goals, seed)
        self.scale = scales[0]
        self.pooled = arguments.opponent == POOL
        network = opponent is not None and opponent.plays_by(NAME)
        lanes, each = arguments.lanes, arguments.lanes // arguments.actors
        versus = math.ceil(arguments.share * each) if opponent is not None else each // 2 if self.pooled else 0
        compiled = None if network else opponent
        self.lessons = 0.0  # decisions in which a teacher is imitated
        if arguments.teacher:
            if versus and compiled is None:  # lanes would seat the teacher there, not those who are asked from outside
                raise Problem(
                    f"teacher is {arguments.teacher}: then opponent takes self, or the teacher, no network or pool"
                )
            compiled = teacher_of(game, rules[0], arguments.teacher, compiled)
            self.lessons = arguments.lessons * arguments.decisions
        self.machine = Machine(game, device, threads, compiled)
        self.conditions = Conditions(
            game, rules, self.goals, scales, self.shape, self.critic, arguments.precision, arguments.actors, each,
            arguments.steps, versus, compiled, deals_of(seed),
        )  # fmt: skip
        self.window = self.conditions.window(self.machine, lanes)
        self.actors = Actors(self.conditions, self.machine, self.window, cluster)
        self.others: tuple[NetworkShape, Any] | None = None  # the networks of the other seats
        if network and opponent is not None:
            self.others = as_it_plays(game, opponent)
        start = self.shape.initial(seed) if initial is None else initial
        self.ties = self._ties(initial)
        if self.ties is not None and initial is None:
            start = self.ties.copy(start)
        if self.critic:
            like = initial is not None and arguments.critic == arguments.units
            foreseeing = self.critic.with_value_of(self.shape, start) if like else self.critic.initial(seed + 1)
            start = np.concatenate([start, foreseeing])
        self.between = None  # what is foretold between rounds; its weights stand behind those of the critic
        if self.critic and game.learning.between is not None:
            self.between = Between(game, game.learning.between, device)
            start = np.concatenate([start, self.between.shape.initial(seed + 2)])
        self.weights = torch.tensor(start, device=device, requires_grad=True)
        self.mean = self.weights.detach().clone()
        self.moments = [torch.zeros_like(self.mean), torch.zeros_like(self.mean)]
        self.own = torch.arange(len(self.mean), device=device) < self.shape.size  # the weights of the network itself
        self.past: list[Any] = []
        self.done_decisions = self.done_steps = 0
        self.batch = self.machine.tensor((min(arguments.batch, arguments.steps * lanes),), torch.int64)
        # entropy, rate, follow, whether to imitate, whether the network learns (or its critic alone), reopen
        self.schedule = self.machine.tensor((6,), torch.float32)
        lane = torch.arange(lanes, device=device)
        rule_of = lane % each // game.seats % len(rules)  # as engine/lanes.py gives them out
        self.credit = Credit(self.machine, self.window, rule_of, self.between, arguments.fade)
        changed = [self.weights, self.mean, *self.moments]
        self.step = as_graph(self._step, device, changed)

    @property
    def done(self) -> bool:
        return self.done_decisions >= self.arguments.decisions

    @property
    def progress(self) -> float:
        return min(1.0, self.done_decisions / self.arguments.decisions)

    def advance(self) -> None:
        """Play a window, give each decision its credit, learn from them."""
        arguments, window = self.arguments, self.window
        if self.pooled:
            self._draw_past_selves()
        with torch.no_grad():
            behind = self.actors.play(Networks(self.weights.detach(), self.others, self.in_lesson))
            self._give_credit(behind)
        generator = torch.Generator(self.machine.device).manual_seed(hash_of(self.seed, self.done_decisions))
        for _ in range(arguments.epochs):
            self._learn(generator)
        window.go_on()
        self.done_decisions += arguments.lanes * arguments.steps

    def _ties(self, initial: np.ndarray | None) -> Ties | None:
        """The ties of the network; none where the game has no symmetry, or where it begins as one without ties."""
        if not self.arguments.symmetric or self.game.learning.symmetry is None:
            return None
        ties = ties_of(self.shape, self.game.learning.symmetry, self.machine.device)
        return ties if initial is None or ties.hold(initial) else None

    @property
    def in_lesson(self) -> bool:
        return self.done_decisions < self.lessons

    def _draw_past_selves(self) -> None:
        """Save the network of the moment every so often, and seat some of those saved for one window."""
        if len(self.past) < self.progress * self.arguments.past or not self.past:
            self.past.append(self.mean[: self.shape.size].half())
        random = np.random.default_rng(hash_of(self.seed + 1, self.done_decisions))
        groups = math.gcd(GROUPS, self.conditions.versus)
        drawn = torch.stack([self.past[number] for number in random.integers(len(self.past), size=groups)])
        self.others = self.shape, drawn

    def _give_credit(self, behind: Any) -> None:
        """`behind`: the values of the decisions behind the window."""
        self.credit.give(behind, self._between_weights())

    def _between_weights(self) -> Any:
        return self.weights[-self.between.shape.size :] if self.between else None

    def _learn(self, generator: Any) -> None:
        """One pass over the window in random batches."""
        arguments, size = self.arguments, len(self.batch)
        rows = torch.nonzero(self.credit.counts.flatten()).flatten() if self.conditions.versus else None
        total = self.window.steps * self.window.lanes if rows is None else len(rows)
        if total == 0:  # a window so short that nobody was asked twice in it
            return
        order = torch.randperm(total, generator=generator, device=self.machine.device)
        order = order if rows is None else rows[order.repeat(-(-size // total))]
        self.schedule[0] = mixed(arguments.entropy, arguments.entropy_end, self.progress)
        self.schedule[3] = float(self.in_lesson)
        self.schedule[4] = float(self.done_decisions >= arguments.settle * arguments.decisions)
        self.schedule[5] = mixed(arguments.reopen, 0.0, self.progress)
        rate = arguments.rate + self.progress * (arguments.rate_end - arguments.rate)
        for first in range(0, len(order) - size + 1, size):
            self.done_steps += 1
            self.schedule[1] = unbiased_rate(rate, self.done_steps)
            self.schedule[2] = max(1 - arguments.average, 1 / self.done_steps)  # the mean of all, while these are few
            self.batch.copy_(order[first : first + size])
            self.step()

    def _step(self) -> None:
        """One step of the gradient, by the decisions of `batch`."""
        arguments, window, rows = self.arguments, self.window, self.batch
        entropy_weight, rate, follow, lesson, learns, reopening = self.schedule.unbind()
        credit = self.credit
        spread = credit.spread[rows % window.lanes]
        advantage, target, counts = (each.view(-1)[rows] for each in (credit.advantage, credit.target, credit.counts))
        observation = window.observation.flatten(0, 1)[rows]
        forbidden = ~window.allowed.flatten(0, 1)[rows]
        parts, critic = self.conditions.parts(self.weights)
        logits, value = forward(parts, observation)
        log_chances = torch.log_softmax(logits.masked_fill(forbidden, -1e9), dim=1)
        chances = log_chances.exp()
        now = log_chances.gather(1, window.chosen.view(-1)[rows, None])[:, 0]
        ratio = (now - window.log_chance.view(-1)[rows]).exp()
        scaled = advantage / spread
        gain = torch.minimum(ratio * scaled, ratio.clamp(1 - arguments.clip, 1 + arguments.clip) * scaled)
        log_chances = log_chances.masked_fill(forbidden, 0.0)
        loss = -gain + entropy_weight * (chances * log_chances).sum(dim=1)
        if arguments.reopen > 0:
            loss = loss - reopening * log_chances.sum(dim=1) / (~forbidden).sum(dim=1)
        if arguments.magnet > 0:
            with torch.no_grad():
                there, _ = forward(self.conditions.parts(self.mean)[0], observation)
                there = torch.log_softmax(there.masked_fill(forbidden, -1e9), dim=1).masked_fill(forbidden, 0.0)
            loss = loss + arguments.magnet * (chances * (log_chances - there)).sum(dim=1)
        if self.lessons:
            loss = torch.where(lesson > 0, -now, loss)
        # errors of values in the unit of the first rules: by others they can be many times as large
        value_weight = arguments.value * (credit.spread[0] / spread).square()
        loss = loss + value_weight * (value - target).square()
        if critic:
            everything = torch.cat([observation, window.others.flatten(0, 1)[rows]], dim=-1)
            _, foreseen = forward(critic, everything)
            loss = loss + value_weight * (foreseen - target).square()
        if self.between:
            foretold = self.between.foretold(self._between_weights(), observation)
            loss = loss + value_weight * credit.begins.view(-1)[rows] * (foretold - target).square()

        if arguments.settle:  # the moments of a network that does not learn yet are gathered all the same
            rate = torch.where(self.own, rate * learns, rate)
        tie = self.ties.mean if self.ties is not None else None
        descend((loss * counts).sum() / counts.sum().clamp(min=1.0), self.weights, self.moments, rate, tie)
        with torch.no_grad():
            self.mean.lerp_(self.weights, follow)

    @property
    def result(self) -> np.ndarray:
        """The weights that the run would end in now."""
        weights = self.mean[: self.shape.size].cpu().numpy().copy()
        return without_rules(self.game, self.rules[0], self.shape, weights) if len(self.rules) == 1 else weights

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on."""
        first, second = self.moments
        past = torch.stack(self.past) if self.past and not self.done else torch.zeros((0, self.shape.size))
        tensors = {"weights": self.weights.detach(), "mean": self.mean, "first": first, "second": second}
        return {
            **{key: tensor.cpu().numpy().copy() for key, tensor in tensors.items()},
            "past": past.half().cpu().numpy(),
            "counts": np.array([self.done_decisions, self.done_steps]),
            **self.actors.state(),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        device = self.machine.device
        with torch.no_grad():
            self.weights.copy_(torch.from_numpy(state["weights"]))
            for kept, key in ((self.mean, "mean"), (self.moments[0], "first"), (self.moments[1], "second")):
                kept.copy_(torch.from_numpy(state[key]))
        self.past = list(torch.from_numpy(state["past"]).to(device))
        self.done_decisions, self.done_steps = map(int, state["counts"])
        self.actors.restore(state)


def train(task: Task) -> Trained:
    """The whole run, measured against the game's usual players on the way (watched.py)."""
    game, arguments = task.game, task.arguments
    rules = [task.rules, *more_rules(game, arguments.also, task.seed)]
    opponent = compiled_player(game, arguments.opponent, task.rules) if has_opponent(arguments) else None
    initial = begun_as(game, resolve(game, arguments.start, task.rules), arguments)[1] if arguments.start else None
    with watched.enough_memory(), cluster_at(task.ray, task.threads) as cluster:
        device = chosen_device(task.device)
        learning = SelfPlay(game, rules, opponent, arguments, task.seed, device, task.threads, initial, cluster)
        found = watched.learn(learning, game, task.rules, task.out, task.identity, task.threads)
    return watched.trained(found, game, task.rules, names_of_rules(game, task.rules, arguments.also))


def has_opponent(arguments: Any) -> bool:
    """Whether somebody else than the network itself sits in the other seats."""
    return arguments.opponent not in (SELF, POOL)


def offer(game: Game, rules: Rules) -> Offer | None:
    if not has_network(game):
        return None
    return Offer("self-play", "a network that plays all seats and learns from all of them (PPO)", NAME)


def check(task: Task) -> Task:
    """A run that begins as another network takes that one's shape, and is told from others by that one's identity."""
    game, arguments, more = task.game, task.arguments, {}
    if arguments.start:
        start = resolve(game, arguments.start, task.rules)
        arguments, _ = begun_as(game, start, arguments)
        more = {"start's identity": identity(start)}
    if has_opponent(arguments):
        compiled_player(game, arguments.opponent, task.rules)
    if task.ray is not None and arguments.actors == 1:
        raise Problem("--ray plays with several actors, on a core each: say how many, as in --arg actors=16")
    chosen_device(task.device)
    return replace(task, arguments=arguments, more=more)


def against(task: Task) -> str:
    return task.arguments.opponent if has_opponent(task.arguments) else task.game.players.default_opponent


METHOD = Method(Arguments, offer, check, train, against, torch=True, cuda=True, ray=True)
