"""The playing part of self-play: actors play windows by the networks of the moment, and a learner learns from them.

One actor plays all lanes where the learner is, on CPU or CUDA. Several actors have a piece of the lanes each, with
deals of their own, and play on processors: here one after another, or on a cluster side by side. A piece of the work is
then a number, and the tables as an actor left them. Nobody keeps anything between two windows but the learner. So any
worker can play any piece, and what comes out depends on the number of actors and not on that of the workers.
"""

import hashlib
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from tefuda.arena.sending import SentPlayer, sent_player, source_of
from tefuda.contract import Game, Rules
from tefuda.games import find
from tefuda.kernel.cluster import Cluster, run_pieces
from tefuda.learn.deep.common import hash_of, precision_of
from tefuda.learn.deep.network import NetworkShape, Parts, forward
from tefuda.learn.deep.tables import LearnerLanes, Machine, Window
from tefuda.learn.deep.torch import torch
from tefuda.players.entrant import Entrant

SURE = 1e3  # a logit that leaves no chance to others, which are 0
LaneState = dict[str, np.ndarray]  # of lanes: the tables as they stand


@dataclass(frozen=True, eq=False)
class Conditions:
    """What the actors of a run play by, all alike."""

    game: Game
    rules: list[Rules]
    goals: list[str]
    scales: list[float]
    shape: NetworkShape
    critic: NetworkShape | None  # its weights stand behind those of the network
    precision: str
    actors: int
    lanes: int  # of each actor
    steps: int
    versus: int  # in so many lanes of each actor somebody else has all seats but one
    player: Entrant | None  # a compiled player who sits there, or teaches
    seed: int  # of the deals

    def parts(self, flat: Any) -> tuple[Parts, Parts | None]:
        """The layers of the network and of the critic, if there is one."""
        size, precision = self.shape.size, precision_of(self.precision)
        critic = self.critic.parts(flat[size : size + self.critic.size], precision) if self.critic else None
        return self.shape.parts(flat[:size], precision), critic

    def window(self, machine: Machine, lanes: int) -> Window:
        return Window(self.game, machine, self.steps, lanes, self.critic is not None)

    def lanes_of(self, number: int, machine: Machine) -> LearnerLanes:
        """The lanes of an actor; several actors play different deals."""
        seed = self.seed if self.actors == 1 else hash_of(self.seed, number)
        return LearnerLanes(self.game, machine, self.rules, self.goals, self.scales, self.lanes, seed, self.versus)

    @cached_property
    def actor(self) -> "Actor":
        """The actor of this process, which plays the lanes of any: on one core."""
        machine = Machine(self.game, torch.device("cpu"), 1, self.player)
        return Actor(self, machine, self.window(machine, self.lanes))

    def __reduce__(self) -> tuple[Callable[..., "Conditions"], tuple[Any, ...]]:
        sent = sent_player(self.player) if self.player is not None else None
        plain = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("game", "player")}
        return _conditions, (source_of(self.game), sent, plain)


def _conditions(source: str, sent: SentPlayer | None, plain: dict[str, Any]) -> Conditions:
    game = find(source)
    return Conditions(game=game, player=sent.found(game, plain["rules"][0]) if sent else None, **plain)


@dataclass(frozen=True)
class Networks:
    """Who decides in a window."""

    weights: Any  # flat: of the network that learns, and of its critic, then what only learning needs
    others: tuple[NetworkShape, Any] | None = None  # of the other seats: flat [networks, size], each at some lanes
    taught: bool = False  # the teacher decides

    def on(self, device: Any) -> "Networks":
        """The same where they are asked."""
        others = None if self.others is None else (self.others[0], self.others[1].to(device))
        return Networks(self.weights.to(device), others, self.taught)


class Actor:
    """Plays windows of lanes."""

    def __init__(self, conditions: Conditions, machine: Machine, window: Window) -> None:
        self.conditions, self.machine, self.window = conditions, machine, window
        self.answer = machine.tensor((conditions.lanes,), torch.int64)  # the teacher's

    def play(self, lanes: LearnerLanes, networks: Networks) -> Any:
        """Fill the window, and give the values [lanes] of the decisions behind it."""
        window, conditions = self.window, self.conditions
        parts, critic = conditions.parts(networks.weights)
        others = None
        if networks.others is not None:
            shape, flat = networks.others
            flat = flat.to(self.machine.device, torch.float32)
            others = shape.parts(flat if len(flat) > 1 else flat[0], precision_of(conditions.precision)), len(flat)
        for at in range(window.steps):
            logits, window.values[at] = _ask(parts, critic, window.observation[at], window.others[at])
            lanes.step(
                window, at, self._taught(lanes, logits) if networks.taught else self._with_others(at, logits, others)
            )
        return _ask(parts, critic, window.observation[-1], window.others[-1])[1]

    def _taught(self, lanes: LearnerLanes, logits: Any) -> Any:
        """Logits that leave the teacher's choice alone."""
        lanes.tell(self.answer)
        return torch.zeros_like(logits, dtype=torch.float32).scatter_(1, self.answer[:, None], SURE)

    def _with_others(self, at: int, logits: Any, others: tuple[Parts, int] | None) -> Any:
        """The logits of those who decide: of an opponent's network where it is its turn, else the own ones."""
        if others is None:
            return logits.contiguous()
        (parts, groups), versus = others, self.conditions.versus
        observation = self.window.observation[at, :versus].reshape(groups, versus // groups, -1)
        theirs, _ = forward(parts, observation if groups > 1 else observation[0])
        theirs = theirs.reshape(versus, -1)
        turn = self.window.asked_of[at, :versus, None] != 0
        return torch.cat([torch.where(turn, theirs, logits[:versus]), logits[versus:]]).contiguous()


def _ask(parts: Parts, critic: Parts | None, observation: Any, others: Any) -> tuple[Any, Any]:
    """The logits of the network, and the values by which decisions get their credit: the critic's, or its own."""
    logits, value = forward(parts, observation)
    return logits, forward(critic, torch.cat([observation, others], dim=-1))[1] if critic else value


@dataclass(frozen=True)
class Playing:
    """One window of one of several actors: work that can be sent."""

    conditions: Conditions
    networks: Networks

    def __call__(self, number: int, state: LaneState) -> tuple[LaneState, np.ndarray, LaneState]:
        """What the window holds, the values behind it, and the tables as they stand then."""
        actor = self.conditions.actor
        lanes = self.conditions.lanes_of(number, actor.machine)
        own = {key: array.copy() for key, array in state.items()}  # what was sent cannot be written to
        with torch.no_grad(), _one_thread():
            lanes.restore(own, actor.window)
            behind = actor.play(lanes, self.networks)
        return actor.window.arrays(), behind.numpy(), lanes.state()

    def __reduce__(self) -> tuple[Callable[..., "Playing"], tuple[Any, ...]]:
        shape, flat = self.networks.others or (None, None)
        plain = (self.networks.weights.numpy(), shape, None if flat is None else flat.numpy(), self.networks.taught)
        return _playing, (pickle.dumps(self.conditions), *plain)


_known: dict[str, Conditions] = {}  # of this process: those of the run that it plays for


def _playing(
    conditions: bytes, weights: np.ndarray, shape: NetworkShape | None, flat: np.ndarray | None, taught: bool
) -> Playing:
    key = hashlib.sha256(conditions).hexdigest()
    if key not in _known:
        _known.clear()
        _known[key] = pickle.loads(conditions)
    others = None if shape is None or flat is None else (shape, torch.from_numpy(flat))
    return Playing(_known[key], Networks(torch.from_numpy(weights), others, taught))


@contextmanager
def _one_thread() -> Iterator[None]:
    """torch on one core: sums in another order, as more cores may take them, have other last bits."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Actors:
    """All lanes of a run."""

    def __init__(self, conditions: Conditions, machine: Machine, window: Window, cluster: Cluster | None) -> None:
        """`machine` and `window` are the learner's; `cluster` plays for several actors."""
        self.conditions, self.window, self.cluster = conditions, window, cluster
        self.alone = Actor(conditions, machine, window)
        self.lanes: LearnerLanes | None = None  # of the one actor
        self.states: list[LaneState] = []  # of several
        if conditions.actors == 1:
            self.lanes = conditions.lanes_of(0, machine)
            self.lanes.start(window)
            return
        self.behind = machine.tensor((conditions.actors * conditions.lanes,), torch.float32)
        for number in range(conditions.actors):
            lanes = conditions.lanes_of(number, conditions.actor.machine)
            lanes.start(conditions.actor.window)
            self.states.append(lanes.state())

    def play(self, networks: Networks) -> Any:
        """Let all lanes play a window, and give the values [lanes] of the decisions behind it."""
        if self.lanes is not None:
            return self.alone.play(self.lanes, networks)
        size, work = self.conditions.lanes, Playing(self.conditions, networks.on("cpu"))
        for number, _, found in run_pieces(work, list(enumerate(self.states)), 1, self.cluster):
            arrays, behind, state = found
            self.states[number] = {key: array.copy() for key, array in state.items()}
            self.window.take(number * size, arrays)
            self.behind[number * size : (number + 1) * size].copy_(torch.tensor(behind))
        return self.behind

    def state(self) -> LaneState:
        """The tables of all lanes as they stand."""
        if self.lanes is not None:
            return self.lanes.state()
        return {key: np.concatenate([each[key] for each in self.states]) for key in self.states[0]}

    def restore(self, state: LaneState) -> None:
        """Go on from there."""
        if self.lanes is not None:
            self.lanes.restore(state, self.window)
            return
        parts = {key: np.split(state[key], self.conditions.actors) for key in self.states[0]}
        self.states = [{key: found[number] for key, found in parts.items()} for number in range(len(self.states))]
