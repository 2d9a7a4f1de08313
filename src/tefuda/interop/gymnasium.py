"""Our games as Gymnasium environments: one seat against named opponents, a single table or many in step.

    import gymnasium
    import tefuda.interop.gymnasium                      # makes the names known

    table = gymnasium.make("tefuda/Koikoi-v0", opponents=["rule-based"], rules="nintendo")
    observation, info = table.reset(seed=42)
    action = table.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = table.step(action)

    tables = gymnasium.make_vec("tefuda/Koikoi-v0", num_envs=1024, opponents=["rule-based"])

Without the import, a name with its module will do: `gymnasium.make("tefuda.interop.gymnasium:tefuda/Koikoi-v0")`.

What may be done is in `info["action_mask"]`, and in `env.unwrapped.action_masks()`, where MaskablePPO looks. With
`masked=True` the observation is a dictionary with `observation` and `action_mask`, as RLlib's examples expect.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda import games, outside
from tefuda.errors import Problem, unknown
from tefuda.interop.extras import missing
from tefuda.interop.position import Opponents, Position
from tefuda.interop.rendering import RENDER_MODES, checked_mode, rendered
from tefuda.interop.vector import Turn, VectorEnvironment, compiled_opponents
from tefuda.players.resolve import Player

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium import vector as vectors
except ImportError as error:
    raise missing("gymnasium", "environments", error) from error

ILLEGAL = ("end", "problem")  # what becomes of an illegal move


def register() -> None:
    """Make the names known: tefuda/Koikoi-v0 and so on, one for each game that comes with the package."""
    for name in games.names():
        known = f"tefuda/{name.capitalize()}-v0"
        if known not in gymnasium.registry:
            here = "tefuda.interop.gymnasium"
            gymnasium.register(
                known, entry_point=f"{here}:OneSeat", vector_entry_point=f"{here}:ManySeats", kwargs={"name": name}
            )


class OneSeat(gymnasium.Env):
    """One seat of a table; compiled players sit in the others."""

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self, name: str, opponents: Sequence[Player] | None = None, seat: int = 0, rules: str | None = None,
        changes: list[str] | None = None, masked: bool = False, illegal: str = "end", penalty: float = 1.0,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        """`illegal`: a move that is not legal ends the game and costs the `penalty` (`end`), or is a `problem`."""
        if illegal not in ILLEGAL:
            raise unknown("way to take an illegal move", illegal, ILLEGAL)
        self.game = game = games.find(name)
        self.rules = game.rulebook.make(rules, changes)
        self.seat = outside.whole("seat", seat, 0, game.seats - 1)
        players = compiled_opponents(game, self.rules, opponents or [game.players.default_opponent])
        self.opponents = Opponents(game, players, self.seat)
        self.masked, self.illegal, self.penalty, self.render_mode = masked, illegal, penalty, checked_mode(render_mode)
        self.action_space = spaces.Discrete(game.spaces.actions.size)
        self.observation_space = observation_space(game.spaces.observation.size, game.spaces.actions.size, masked)
        self.seed, self.deal = 1, -1
        self.position: Position | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal a game: deal 0 of a seed, or the next one; `options={"deal": 7}` deals that one. A deal in which the own
        seat is never asked is passed over."""
        super().reset(seed=seed)
        if seed is not None:
            self.seed, self.deal = outside.seed(seed), -1
        self.deal = outside.deal((options or {}).get("deal", self.deal + 1))
        self.position = self._dealt()
        while self.position.to_move < 0:
            self.deal += 1
            self.position = self._dealt()
        self._scores = self.position.scores
        self._over = False
        return self._told()

    def _dealt(self) -> Position:
        """The deal of now, up to the own seat's first decision."""
        position = Position.dealt(self.game, self.rules, self.seed, self.deal)
        self.opponents.move_on(position)
        return position

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the others move on. The reward is what the own seat's score has gained."""
        position = self.position
        if position is None or self._over:
            raise Problem("no game is under way: call reset first")
        taken = int(action) if isinstance(action, np.ndarray) and action.shape == () else action
        try:
            position.apply(taken)
        except Problem as problem:
            if self.illegal == "problem":
                raise
            self._over = True
            observation, info = self._told()
            return observation, -self.penalty, True, False, {**info, "illegal_move": str(problem)}
        self.opponents.move_on(position)
        scores = position.scores
        reward = float(scores[self.seat] - self._scores[self.seat])
        self._scores, self._over = scores, position.to_move < 0
        observation, info = self._told()
        if self.render_mode == "human":
            self.render()
        return observation, reward, self._over, False, info

    def _told(self) -> tuple[Any, dict[str, Any]]:
        """The observation and the info of now."""
        assert self.position is not None
        seen, mask = self.position.observe(self.seat), self.position.mask(self.seat)
        info: dict[str, Any] = {"action_mask": mask, "deal": self.deal}
        if self._over:
            info["scores"] = self._scores.copy()
        return ({"observation": seen, "action_mask": mask.copy()} if self.masked else seen), info

    def action_masks(self) -> np.ndarray:
        """[actions] bool: what may be done now, where MaskablePPO of sb3-contrib looks for it."""
        if self.position is None:
            raise Problem("no game is under way: call reset first")
        return self.position.mask(self.seat).astype(bool)

    def render(self) -> Any:
        """The table as the own seat sees it: text (`ansi`; `human` prints it), an SVG, or pixels (`rgb_array`)."""
        if self.render_mode is None or self.position is None:
            raise Problem(f"nothing is rendered: make with a render_mode, {', '.join(RENDER_MODES)}, and reset")
        return rendered(self.game, self.position.states, self.render_mode, self.seat)


class ManySeats(vectors.VectorEnv):
    """The same for many tables in step, on the vector environment (`tefuda.vector`).

    A game that is over is followed by the next one in the same step, and an illegal move is a Problem.
    `info["scores"]` tells what each seat got in the games that ended, which `info["_scores"]` marks.
    """

    metadata = {"autoreset_mode": vectors.AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self, name: str, num_envs: int = 1, opponents: Sequence[Player] | None = None, seat: int | None = None,
        rules: str | None = None, changes: list[str] | None = None, masked: bool = False, threads: int | None = None,
    ) -> None:  # fmt: skip
        """`seat`: None puts the own seat of each table one further than that of the one before."""
        game = games.find(name)
        chosen = game.rulebook.make(rules, changes)
        players = opponents or [game.players.default_opponent]
        self.lanes = VectorEnvironment(game, chosen, num_envs, 1, players, seat, threads=threads)
        self.num_envs, self.masked = num_envs, masked
        self.single_action_space = spaces.Discrete(self.lanes.actions)
        self.single_observation_space = observation_space(self.lanes.inputs, self.lanes.actions, masked)
        batched = vectors.utils.batch_space
        self.action_space = batched(self.single_action_space, num_envs)
        self.observation_space = batched(self.single_observation_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal every table a game of a seed; without one, of a seed that the last one leads to."""
        if isinstance(seed, list | tuple):
            raise Problem("one seed deals all tables: give a number")
        super().reset(seed=seed)
        self.lanes.reset(int(self.np_random.integers(outside.MOST_EXPERIMENT)) if seed is None else seed)
        return self._told(self.lanes.turn)

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take an action at every table."""
        turn = self.lanes.step(actions)
        observations, info = self._told(turn)
        if turn.ended.any():
            info["scores"], info["_scores"] = turn.scores.copy(), turn.ended.copy()
        rewards = self.lanes.own(turn.rewards).astype(np.float64)
        return observations, rewards, turn.ended.copy(), np.zeros(self.num_envs, bool), info

    def _told(self, turn: Turn) -> tuple[Any, dict[str, Any]]:
        """Copies, for whoever keeps them: the lanes use their arrays again."""
        seen, masks = turn.observations.copy(), turn.masks.astype(np.int8)
        info = {"action_mask": masks, "_action_mask": np.ones(self.num_envs, bool)}
        return ({"observation": seen, "action_mask": masks.copy()} if self.masked else seen), info

    def action_masks(self) -> np.ndarray:
        """[tables, actions] bool: what may be done now."""
        return self.lanes.turn.masks.copy()


def observation_space(inputs: int, actions: int, masked: bool) -> Any:
    """What is observed: numbers, or with `masked` the numbers and the mask of legal actions."""
    seen = spaces.Box(-np.inf, np.inf, (inputs,), np.float32)
    return spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (actions,), np.int8)}) if masked else seen


register()
