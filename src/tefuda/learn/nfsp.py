"""Neural fictitious self-play: a best response to one's own average, and the average of these best responses.

Heinrich and Silver, "Deep Reinforcement Learning from Self-Play in Imperfect-Information Games" (2016). In fictitious
play each player gives the best answer to how the others have played on average so far. The answers run in circles; in
two-player zero-sum games their averages come near an equilibrium. Here two networks play all seats:

    best      learns what actions are worth (deep Q-learning), from a ring of what happened last:
                  Q(o, a) → r + max Q'(o', a')    r until the seat's next decision o', or until the end of the game
    average   learns to do what the best response has ever done, from an even sample of all of it (a reservoir):
                  loss = − log π(a | o)

In each game each seat plays by the best response with the chance η, else by the average. So the best response learns
against seats that play nearly as the average does, and the average learns from tables that play really leads to. The
run ends in the average. Its value learns besides, towards Σ π(a) Q(o, a).

Two things are not as in the paper. Where the best response explores, the average learns the action that it thinks
best. And η is 0.2: in the same time that came nearer to the equilibrium of Kuhn poker than the paper's 0.1.

The learner knows no game. What it remembers stays on the device: no number comes back to the host while it runs.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.network import NAME
from tefuda.errors import Problem
from tefuda.learn import watched
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
    precision_of,
    scales_of,
    unbiased_rate,
)
from tefuda.learn.deep.memory import Memory
from tefuda.learn.deep.network import NetworkShape, forward
from tefuda.learn.deep.tables import LearnerLanes, Machine, Window
from tefuda.learn.deep.torch import as_graph, chosen_device, torch
from tefuda.learn.method import Method, Offer, Task, Trained, compiled_player
from tefuda.players.entrant import Entrant

OPEN = -2  # what lanes.follow says of a decision whose consequence is not known yet


@dataclass(frozen=True)
class Arguments:
    """How to learn. The defaults suit a CPU; they are stored with the result."""

    MOST: ClassVar = {**MOST, "ring": 1 << 26, "reservoir": 1 << 28}

    decisions: int = 4_000_000  # decisions to learn from, of all seats together
    opponent: str = SELF  # self; or a player who takes all other seats
    goal: str = "score"  # what to play for: score, win, place, or match (the win of several rounds, the score of one)
    also: str = ""  # further rules to learn by, as in "nintendo; paper rounds=3; random:64"; networks are told them
    units: int = 128  # of each layer, up to 1024
    blocks: int = 2  # residual blocks
    lanes: int = 256  # tables that move in step
    steps: int = 16  # decisions of each before the networks learn
    updates: int = 8  # steps of the gradient of each network after that
    batch: int = 512  # decisions for one step of the gradient
    anticipation: float = 0.2  # η, the chance that a seat plays a game by the best response
    explore: float = 0.1  # so often the best response does anything instead, at first …
    explore_end: float = 0.01  # … and at the end
    rate: float = 0.003  # learning rate of the best response at first …
    rate_end: float = 0.001  # … and at the end
    average_rate: float = 0.003  # learning rate of the average at first …
    average_rate_end: float = 0.0001  # … and at the end
    renew: int = 30  # steps of the gradient after which the network Q' that values what follows is taken anew
    ring: int = 50_000  # decisions, the last ones, that the best response learns from
    reservoir: int = 200_000  # decisions of the best response that the average learns from
    value: float = 0.5  # weight of the error of the average's value
    precision: str = "single"  # of hidden layers: single, or half (quicker on a GPU)

    def check(self) -> None:
        """Refuse what cannot be meant."""
        rates = (self.rate, self.rate_end, self.average_rate, self.average_rate_end)
        if not all(math.isfinite(each) and each > 0 for each in rates) or not (
            math.isfinite(self.value) and self.value >= 0
        ):
            raise Problem("rates are numbers above 0, value is at least 0")
        if min(self.decisions, self.lanes, self.updates, self.batch, self.renew, self.reservoir) < 1 or self.steps < 2:
            raise Problem("decisions, lanes, updates, batch, renew and reservoir are at least 1, steps at least 2")
        check_common(self.units, self.blocks, self.precision, self.goal)
        if not (0 < self.anticipation <= 1 and 0 <= self.explore <= 1 and 0 <= self.explore_end <= 1):
            raise Problem("anticipation lies above 0 and up to 1, explore and explore_end from 0 to 1")
        if self.opponent == POOL:
            raise Problem("nfsp has no pool of past selves, its average is one: opponent takes self or a player")


class FictitiousSelfPlay:
    """The state of a run; `advance` plays one window, remembers it and learns."""

    def __init__(
        self, game: Game, rules: list[Rules], opponent: Entrant | None, arguments: Arguments, seed: int, device: Any,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        """`opponent`: a compiled player who takes all seats but one; None for itself."""
        arguments.check()
        self.game, self.arguments, self.seed = game, arguments, seed
        lanes, seats = arguments.lanes, game.seats
        if arguments.ring < (arguments.steps + seats) * lanes:
            raise Problem(f"ring is {arguments.ring:,}, but at least {(arguments.steps + seats) * lanes:,}: one window")
        inputs, actions = game.spaces.observation.size, game.spaces.actions.size
        self.shape = NetworkShape(inputs, arguments.units, arguments.blocks, actions)
        self.precision = precision_of(arguments.precision)
        self.goals = [goal_of(game, each, arguments.goal) for each in rules]
        scales = scales_of(game, rules, self.goals, seed)
        self.scale = scales[0]
        self.machine = machine = Machine(game, device, threads, opponent)
        versus = lanes if opponent else 0
        self.lanes = LearnerLanes(game, machine, rules, self.goals, scales, lanes, deals_of(seed), versus)
        self.window = Window(game, machine, arguments.steps, lanes)
        start = self.shape.initial(seed)
        self.best = torch.tensor(start, device=device, requires_grad=True)
        self.average = torch.tensor(start, device=device, requires_grad=True)
        self.then = self.best.detach().clone()  # the best response of some time ago, Q'
        self.moments = [torch.zeros_like(self.then) for _ in range(4)]  # of the best response, then of the average
        self.done_decisions = self.done_steps = 0
        # what the best response would do at each decision of the window, and whether the seat plays by it
        self.wanted = machine.tensor((arguments.steps, lanes), torch.int64)
        self.follows = machine.tensor((arguments.steps, lanes), torch.bool)
        sight, masks, number = (
            (game.spaces.observation.size, torch.float16),
            (game.spaces.actions.size, torch.bool),
            (0, torch.int64),
        )
        what = {"observation": sight, "action": number, "reward": (0, torch.float32)}
        self.ring = Memory(machine, arguments.ring, {**what, "next_observation": sight, "next_allowed": masks})
        self.reservoir = Memory(
            machine, arguments.reservoir, {"observation": sight, "allowed": masks, "action": number}
        )
        # the last decision of each seat, whose consequence is not known yet: as if it were a step before the window
        self.waiting = {
            "observation": machine.tensor((seats, lanes, game.spaces.observation.size), torch.float32),
            "action": machine.tensor((seats, lanes), torch.int64),
            "reward": machine.tensor((seats, lanes), torch.float32),  # since then
            "known": machine.tensor((seats, lanes), torch.bool),  # whether there is one
        }
        self.batch = machine.tensor((2, arguments.batch), torch.int64)  # rows of the ring, and of the reservoir
        self.rates = machine.tensor((2,), torch.float32)
        self.lanes.start(self.window)
        self.step_best = as_graph(self._step_best, device, [self.best, *self.moments[:2]])
        self.step_average = as_graph(self._step_average, device, [self.average, *self.moments[2:]])

    @property
    def done(self) -> bool:
        return self.done_decisions >= self.arguments.decisions

    @property
    def progress(self) -> float:
        return min(1.0, self.done_decisions / self.arguments.decisions)

    def advance(self) -> None:
        """Play a window, remember it, learn from all that is remembered."""
        generator = torch.Generator(self.machine.device).manual_seed(hash_of(self.seed, self.done_decisions))
        with torch.no_grad():
            self._play()
            self._remember_transitions()
            self._remember_best(generator)
        self._learn(generator)
        self.window.go_on()
        self.done_decisions += self.arguments.lanes * self.arguments.steps

    def _play(self) -> None:
        arguments, window = self.arguments, self.window
        explore = mixed(arguments.explore, arguments.explore_end, self.progress)
        best = self.shape.parts(self.best, self.precision)
        average = self.shape.parts(self.average, self.precision)
        actions = torch.arange(self.game.spaces.actions.size, device=self.machine.device)
        for at in range(arguments.steps):
            observation, allowed = window.observation[at], window.allowed[at]
            worth, _ = forward(best, observation)
            wanted = worth.masked_fill(~allowed, -math.inf).argmax(dim=1)
            chances = explore / allowed.sum(dim=1, keepdim=True) + (1 - explore) * (actions == wanted[:, None])
            logits, _ = forward(average, observation)
            luck = self.lanes.luck.gather(1, window.seat_of[at, :, None].long())
            follows = luck < arguments.anticipation
            self.wanted[at], self.follows[at] = wanted, follows[:, 0]
            self.lanes.step(window, at, torch.where(follows, chances.log(), logits).contiguous())

    def _remember_transitions(self) -> None:
        """What each decision led to goes into the ring. A decision whose consequence the window does not show waits."""
        window, machine, waiting = self.window, self.machine, self.waiting
        steps, seats, lanes = window.steps, self.game.seats, window.lanes
        each = torch.arange(seats, device=machine.device, dtype=torch.int8)
        own = (each[:, None] == each)[:, None] * waiting["reward"][..., None]  # [seats, lanes, seats]
        seat_of = torch.cat([each[:, None].expand(seats, lanes), window.seat_of[:steps]])
        ended = torch.cat([torch.zeros_like(waiting["known"]), window.ended])
        rewards = torch.cat([own, window.rewards])
        next_at, reward = torch.zeros_like(seat_of, dtype=torch.int64), torch.zeros_like(seat_of, dtype=torch.float32)
        course, link = (seat_of, ended, rewards), (next_at, reward)
        machine.run("follow_some", lanes, tuple(map(machine.seen, course)), tuple(map(machine.seen, link)))
        observation = torch.cat([waiting["observation"], window.observation[:steps]])
        action = torch.cat([waiting["action"], window.chosen])
        known = torch.cat([waiting["known"], torch.ones_like(window.ended)])
        here = torch.arange(lanes, device=machine.device)
        after = (next_at - seats).clamp(min=0)  # what comes next lies in the window, never before it
        rows = {
            "observation": observation, "action": action, "reward": reward,
            "next_observation": window.observation[after, here],
            "next_allowed": window.allowed[after, here] & (next_at >= 0)[..., None],  # nothing is, after the end
        }  # fmt: skip
        flat = {key: tensor.flatten(0, 1) for key, tensor in rows.items()}
        self.ring.add(flat, (known & (next_at != OPEN)).flatten())
        for seat in range(seats):  # one decision of a seat at most is open
            waits, at = (known & (next_at == OPEN) & (seat_of == seat)).byte().max(dim=0)
            waiting["known"][seat] = waits.bool()
            for key, tensor in (("observation", observation), ("action", action), ("reward", reward)):
                waiting[key][seat] = tensor[at, here]

    def _remember_best(self, generator: Any) -> None:
        """What the best response thinks best, where seats play by it, goes into the reservoir."""
        window, steps = self.window, self.window.steps
        counts = self.follows.flatten()
        luck = torch.rand(counts.shape, generator=generator, device=counts.device, dtype=torch.float64)
        rows = {
            "observation": window.observation[:steps].flatten(0, 1), "allowed": window.allowed[:steps].flatten(0, 1),
            "action": self.wanted.flatten(),
        }  # fmt: skip
        self.reservoir.add(rows, counts, luck)

    def _learn(self, generator: Any) -> None:
        arguments = self.arguments
        rate = arguments.rate + self.progress * (arguments.rate_end - arguments.rate)
        average = arguments.average_rate + self.progress * (arguments.average_rate_end - arguments.average_rate)
        for _ in range(arguments.updates):
            if self.done_steps % arguments.renew == 0:
                self.then.copy_(self.best.detach())
            self.done_steps += 1
            self.rates[0] = unbiased_rate(rate, self.done_steps)
            self.rates[1] = unbiased_rate(average, self.done_steps)
            self.ring.draw(self.batch[0], generator)
            self.reservoir.draw(self.batch[1], generator)
            self.step_best()
            self.step_average()

    def _step_best(self) -> None:
        """One step of the gradient of the best response: what an action was worth is what it brought until the seat's
        next decision, and what the best action was thought worth there."""
        memory, rows = self.ring.columns, self.batch[0]
        with torch.no_grad():
            after, _ = forward(self.shape.parts(self.then, self.precision), memory["next_observation"][rows].float())
            allowed = memory["next_allowed"][rows]
            best = after.masked_fill(~allowed, -math.inf).amax(dim=1)
            target = memory["reward"][rows] + torch.where(allowed.any(dim=1), best, 0.0)
        worth, _ = forward(self.shape.parts(self.best, self.precision), memory["observation"][rows].float())
        error = worth.gather(1, memory["action"][rows, None])[:, 0] - target
        descend(error.square().mean(), self.best, self.moments[:2], self.rates[0])

    def _step_average(self) -> None:
        """One step of the gradient of the average: what the best response has done, and what that is worth."""
        memory, rows = self.reservoir.columns, self.batch[1]
        observation, forbidden = memory["observation"][rows].float(), ~memory["allowed"][rows]
        logits, value = forward(self.shape.parts(self.average, self.precision), observation)
        log_chances = torch.log_softmax(logits.masked_fill(forbidden, -1e9), dim=1)
        with torch.no_grad():
            worth, _ = forward(self.shape.parts(self.best, self.precision), observation)
            expected = (log_chances.exp() * worth).sum(dim=1)
        loss = -log_chances.gather(1, memory["action"][rows, None])[:, 0]
        loss = loss + self.arguments.value * (value - expected).square()
        descend(loss.mean(), self.average, self.moments[2:], self.rates[1])

    @property
    def result(self) -> np.ndarray:
        """The weights that the run would end in now."""
        return self.average.detach().cpu().numpy().copy()

    def _tensors(self) -> dict[str, Any]:
        moments = {f"moments_{number}": tensor for number, tensor in enumerate(self.moments)}
        waiting = {f"waiting_{key}": tensor for key, tensor in self.waiting.items()}
        networks = {"best": self.best.detach(), "average": self.average.detach(), "then": self.then}
        return {**networks, **moments, **waiting}

    def state(self) -> dict[str, np.ndarray]:
        """All that a later process needs to go on; when all is done, without what was remembered."""
        memories = {} if self.done else {**self.ring.state("ring"), **self.reservoir.state("reservoir")}
        return {
            **{key: tensor.cpu().numpy().copy() for key, tensor in self._tensors().items()},
            "counts": np.array([self.done_decisions, self.done_steps]),
            **memories,
            **self.lanes.state(),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Go on from a stored state."""
        for key, tensor in self._tensors().items():
            tensor.copy_(torch.from_numpy(state[key]))
        self.done_decisions, self.done_steps = map(int, state["counts"])
        if not self.done:
            self.ring.restore("ring", state)
            self.reservoir.restore("reservoir", state)
        self.lanes.restore(state, self.window)


def train(task: Task) -> Trained:
    """The whole run, measured against the game's usual players on the way (watched.py)."""
    game, arguments = task.game, task.arguments
    rules = [task.rules, *more_rules(game, arguments.also, task.seed)]
    opponent = None if arguments.opponent == SELF else compiled_player(game, arguments.opponent, task.rules)
    with watched.enough_memory():
        device = chosen_device(task.device)
        learning = FictitiousSelfPlay(game, rules, opponent, arguments, task.seed, device, task.threads)
        found = watched.learn(learning, game, task.rules, task.out, task.identity, task.threads)
    return watched.trained(found, game, task.rules, names_of_rules(game, task.rules, arguments.also))


def offer(game: Game, rules: Rules) -> Offer | None:
    if not has_network(game):
        return None
    return Offer("nfsp", "the average of best responses to itself (neural fictitious self-play)", NAME)


def check(task: Task) -> Task:
    if task.arguments.opponent != SELF:
        compiled_player(task.game, task.arguments.opponent, task.rules)
    chosen_device(task.device)
    return task


def against(task: Task) -> str:
    opponent = task.arguments.opponent
    return task.game.players.default_opponent if opponent == SELF else opponent


METHOD = Method(Arguments, offer, check, train, against, torch=True, cuda=True)
