"""The vector environment: many tables of a game in step, for a learner of one's own.

    env = tefuda.vector("koikoi", lanes=1024, opponents=["rule-based"])
    turn = env.reset()
    while True:
        actions = choose(turn.observations, turn.masks)     # one action for each lane
        turn = env.step(actions)
        learn(env.own(turn.rewards), turn.ended)

It is played by the lanes that our own learners use (engine/lanes.py). A lane is one table. Lane `i` of `n` plays the
deals i, i + n, i + 2n … of the seed: the games of `tefuda.table` and `tefuda.match`. The next one is dealt when one is
over. On the CPU all arrays are NumPy's. On CUDA they are torch tensors, and nothing leaves the GPU.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.engine.courses import OTHER
from tefuda.engine.goals import GOALS
from tefuda.engine.machine import OUTSIDE, LaneMachine
from tefuda.engine.random_actions import any_legal, start_streams
from tefuda.errors import Problem, quoted
from tefuda.learn.deep.torch import torch
from tefuda.players.asking import illegal_move
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import Player, entrants_of

MOST_LANES = 1 << 24
Array = Any  # NumPy's array on the CPU, torch's tensor on CUDA


@dataclass(frozen=True, eq=False)
class Turn:
    """The next decision of every lane, and what the last one brought. The arrays are used again two steps later."""

    observations: Array  # [lanes, inputs] float32: what the seat to move can know
    masks: Array  # [lanes, actions] bool: what it may do
    seats: Array  # [lanes] int8: whose turn it is
    rewards: Array  # [lanes, seats] float32: what each seat has gained by the last step
    ended: Array  # [lanes] bool: a game was over by the last step, and the next one has been dealt
    scores: Array  # [lanes, seats] float64: what each seat got in the game that ended; 0 where none did


class VectorEnvironment:
    """Many tables of a game in step; `tefuda.vector` makes it."""

    def __init__(
        self, game: Game, rules: Rules, lanes: int, seed: int = 1, opponents: Sequence[Player] | None = None,
        seat: int | None = None, device: str = "cpu", threads: int | None = None,
    ) -> None:  # fmt: skip
        self.game, self.rules, self.device = game, rules, outside.device(device)
        self.lanes = outside.whole("lanes", lanes, 1, MOST_LANES)
        self.seed = outside.seed(seed)
        self.seats, self.actions, self.inputs = game.seats, game.spaces.actions.size, game.spaces.observation.size
        self.opponents = compiled_opponents(game, rules, opponents)
        if seat is not None and not self.opponents:
            raise Problem("a seat of its own goes with opponents: without them all seats are asked")
        own = np.arange(self.lanes) % self.seats if seat is None else np.full(self.lanes, _seat(game, seat))
        self._machine = LaneMachine(game, [OUTSIDE, *self.opponents], device == "cuda", outside.threads(threads))
        self._games, self._luck, self._first = (
            self._array((self.lanes,), "int64"),
            self._array((self.lanes, self.seats), "float32"),
            self._array((self.lanes, self.seats + 1), "float64"),
        )
        put, seen = self._machine.put, self._seen
        self._own = (
            put(np.zeros(self.lanes, game.State)), put(np.zeros((self.lanes, self.seats), np.uint64)),
            *map(seen, (self._games, self._luck, self._first)),
        )  # fmt: skip
        sitting = sitting_around(own, self.seats, len(self.opponents))
        self._setting = (
            put(game.blank(rules)), put(np.array([GOALS["score"]])), put(np.ones(1)), put(sitting),
            self._machine.seated, 1, put(np.zeros((1, 1), np.int64)),
        )  # fmt: skip
        self._own_seats = self._taken(own)  # [lanes] whose decisions are seen, with opponents
        self._turns = [self._blank_turn() for _ in range(2)]  # so that a turn outlives the next step
        self._asked = self._array((self.lanes,), "int8")
        self._others = self._array((self.lanes, 1), "float32")
        self._sights = [self._sight(turn) for turn in self._turns]
        self._results = [(self._seen(turn.ended), self._seen(turn.rewards)) for turn in self._turns]
        self._numbers = self._taken(np.arange(self.lanes))
        self._now = 0
        self._begun = False
        self._answers = self._array((self.lanes,), "int64")
        self._streams = np.zeros(self.lanes, np.uint64)

    def reset(self, seed: int | None = None) -> Turn:
        """Deal every lane its first game, of this seed from now on. The same seed gives the same games again."""
        self.seed = self.seed if seed is None else outside.seed(seed)
        turn = self._turns[self._now]
        self._run("start_some", True, self._own, self._seeded(), self._sights[self._now])
        turn.rewards[:], turn.ended[:], turn.scores[:] = 0.0, False, 0.0
        start_streams(self.seed, self._streams)
        self._begun = True
        return turn

    def step(self, actions: Array) -> Turn:
        """Take one action in each lane: [lanes] whole numbers, NumPy's or torch's. An illegal one is a Problem, and
        then no lane has moved."""
        taken = self._checked(actions)
        self._now = 1 - self._now
        turn = self._turns[self._now]
        self._first[:, self.seats] = 0.0  # asks for the scores of games that end
        told = (self._results[self._now], self._sights[self._now])
        self._run("act_some", self._own, self._seeded(), self._seen(taken), *told)
        turn.scores[:] = self._first[:, : self.seats] * turn.ended[:, None]
        return turn

    @property
    def turn(self) -> Turn:
        """The turn that the last call of `reset` or `step` has returned."""
        self._must_have_begun()
        return self._turns[self._now]

    @property
    def games(self) -> Array:
        """[lanes] how many games of each lane are over."""
        return self._games

    @property
    def deals(self) -> Array:
        """[lanes] the number of the deal that each lane plays now."""
        return self._games * self.lanes + self._numbers

    @property
    def own_seats(self) -> Array:
        """[lanes] the seat whose decisions are seen; only with opponents."""
        if not self.opponents:
            raise Problem("no seat is the own one: without opponents all seats are asked")
        return self._own_seats

    def own(self, values: Array) -> Array:
        """Of values [lanes, seats], as rewards and scores are, those of the own seat: [lanes]."""
        return values[self._numbers, self.own_seats]

    def random_actions(self) -> Array:
        """Any legal action in each lane, all alike; on the CPU from a stream of each lane."""
        masks = self.turn.masks
        if self.device == "cuda":
            return torch.multinomial(masks.float(), 1)[:, 0]
        any_legal(masks, self._streams, self._answers)
        return self._answers.copy()

    def advice(self) -> Array:
        """[lanes] what the first opponent would do where each lane stands: for a learner that imitates it first."""
        if not self.opponents:
            raise Problem("nobody gives advice: name an opponent, who is asked what it would do")
        self._must_have_begun()
        self._run("tell_some", self._own, self._seeded(), self._seen(self._answers))
        return self._answers

    def __repr__(self) -> str:
        against = f" against {', '.join(each.name for each in self.opponents)}" if self.opponents else ""
        return f"<{self.lanes:,} lanes of {self.game.name}, rules {self.rules}, seed {self.seed}{against}>"

    # --- arrays here and on CUDA ---

    def _array(self, shape: tuple[int, ...], dtype: str) -> Array:
        if self.device == "cpu":
            return np.zeros(shape, dtype)
        return torch.zeros(shape, dtype=getattr(torch, dtype), device=_torch_device())

    def _seen(self, array: Array) -> Any:
        """An array as kernels see it: the same memory."""
        if self.device == "cpu":
            return array
        return self._machine.cuda.as_cuda_array(array) if _torch_device() == "cuda" else array.numpy()

    def _taken(self, array: np.ndarray) -> Array:
        """A NumPy array as this environment gives arrays."""
        return array if self.device == "cpu" else torch.from_numpy(array).to(_torch_device())

    def _blank_turn(self) -> Turn:
        lanes, array = self.lanes, self._array
        return Turn(
            array((lanes, self.inputs), "float32"), array((lanes, self.actions), "bool"), array((lanes,), "int8"),
            array((lanes, self.seats), "float32"), array((lanes,), "bool"), array((lanes, self.seats), "float64"),
        )  # fmt: skip

    def _sight(self, turn: Turn) -> tuple[Any, ...]:
        """A turn as kernels write what is known of the next decision."""
        return tuple(map(self._seen, (turn.observations, turn.masks, turn.seats, self._asked, self._others)))

    def _seeded(self) -> tuple[Any, ...]:
        """The setting of the kernels, with the seed."""
        return (*self._setting[:5], np.uint64(self.seed), *self._setting[5:])

    def _run(self, name: str, *arguments: Any) -> None:
        self._machine.run(name, self.lanes, *arguments, playing=True)

    def _must_have_begun(self) -> None:
        if not self._begun:
            raise Problem("the lanes have no games yet: call reset first")

    def _checked(self, actions: Array) -> Array:
        """The actions as kernels take them; one that is not legal is a Problem."""
        masks = self.turn.masks
        if self.device == "cuda" and isinstance(actions, torch.Tensor):
            whole = not (actions.dtype.is_floating_point or actions.dtype == torch.bool)
            taken = actions.to(device=masks.device, dtype=torch.int64)
        else:
            given = np.asarray(actions)
            whole = np.issubdtype(given.dtype, np.integer)
            taken = self._taken(np.ascontiguousarray(given, np.int64)) if whole else given
        if not whole or tuple(taken.shape) != (self.lanes,):
            raise Problem(f"step takes {self.lanes:,} whole numbers, one action for each lane, not {quoted(actions)}")
        inside = (taken >= 0) & (taken < self.actions)
        fine = inside & masks[self._numbers, taken * inside]
        if not bool(fine.all()):
            lane = int((~fine).nonzero()[0][0])
            legal = [action for action in range(self.actions) if masks[lane, action]]
            raise Problem(f"lane {lane}: {illegal_move(self.game, int(taken[lane]), legal)}")
        return taken


def compiled_opponents(game: Game, rules: Rules, opponents: Sequence[Player] | None) -> list[Entrant]:
    """Players for all seats but one, the last of fewer in all that are left; none where nobody is named."""
    if opponents is None:
        return []
    players = outside.sequence("opponents", [opponents] if isinstance(opponents, str) else opponents)
    if not 1 <= len(players) < game.seats:
        raise Problem(f"{game.name} has 1 to {game.seats - 1} opponents, but {len(players)} were named")
    entrants = entrants_of(game, [*players, *[players[-1]] * (game.seats - 1 - len(players))], rules)
    for each in entrants:
        if each.policy is None:
            raise Problem(f"{each.name} cannot sit here: opponents are compiled players, which are given by name")
    return entrants


def sitting_around(own: np.ndarray, seats: int, opponents: int) -> np.ndarray:
    """[lanes, seats] who sits where: 0 in the own seat, and the opponents in their order after it."""
    if not opponents:
        return np.zeros((len(own), seats), np.int64)
    return (np.arange(seats) - own[:, None]) % seats * OTHER


def _seat(game: Game, seat: int) -> int:
    return outside.whole("seat", seat, 0, game.seats - 1)


def _torch_device() -> str:
    """Where tensors lie; Numba's simulator of CUDA plays in the memory of the CPU."""
    from tefuda.kernel.device import SIMULATED

    return "cpu" if SIMULATED else "cuda"
