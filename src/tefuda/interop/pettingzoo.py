"""Our games as PettingZoo environments, seat after seat (AEC).

    from tefuda.interop.pettingzoo import env

    table = env("koikoi", rules="nintendo")
    table.reset(seed=42)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, info = table.last()
        done = termination or truncation
        action = None if done else table.action_space(agent).sample(observation["action_mask"])
        table.step(action)

The agents are player_0, player_1 … in the order of the seats. What may be done is told twice, since learners look in
different places: in `observation["action_mask"]` and in `info["action_mask"]`. The reward of a step is what the scores
have gained by it. `reset(seed=s)` deals deal 0 of the seed, and `reset()` the next deal of the same seed; these are the
games of `tefuda.table`.
"""

from typing import Any

import numpy as np

from tefuda import games, outside
from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.interop.extras import missing
from tefuda.interop.position import Position
from tefuda.interop.rendering import RENDER_MODES, checked_mode, rendered

try:
    import pettingzoo
    from gymnasium import spaces
except ImportError as error:
    raise missing("pettingzoo", "environments", error) from error


def env(
    name: str, rules: str | None = None, changes: list[str] | None = None, seed: int = 1, render_mode: str | None = None
) -> "SeatAfterSeat":
    """An environment of a game, by its name or the path of one of your own. `changes` are options, as `rounds=1`."""
    game = games.find(name)
    return SeatAfterSeat(game, game.rulebook.make(rules, changes), seed, render_mode)


raw_env = env  # PettingZoo's name for an environment without wrappers, as this one is


class SeatAfterSeat(pettingzoo.AECEnv):
    """One table, at which every seat is asked in its turn."""

    metadata = {"render_modes": RENDER_MODES, "name": "tefuda", "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(self, game: Game, rules: Rules, seed: int = 1, render_mode: str | None = None) -> None:
        super().__init__()
        self.game, self.rules, self.render_mode = game, rules, checked_mode(render_mode)
        self.metadata = {**self.metadata, "name": f"tefuda_{game.name}_v0"}
        self.seed, self.deal = outside.seed(seed), -1
        self.possible_agents = [f"player_{seat}" for seat in range(game.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = game.spaces.actions.size
        told: dict[str, spaces.Space] = {
            "observation": spaces.Box(-np.inf, np.inf, (game.spaces.observation.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(told) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._position: Position | None = None

    def observation_space(self, agent: str) -> Any:
        """What an agent is told: the same for all, of the size that the game's table of observations has."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """All actions of the game; the mask says which may be taken."""
        return self.action_spaces[agent]

    @property
    def position(self) -> Position:
        """The table."""
        if self._position is None:
            raise Problem("no game has been dealt: call reset first")
        return self._position

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: deal 0 of a seed, or the next one; `options={"deal": 7}` deals that one."""
        if seed is not None:
            self.seed, self.deal = outside.seed(seed), -1
        self.deal = outside.deal((options or {}).get("deal", self.deal + 1))
        self._position = Position.dealt(self.game, self.rules, self.seed, self.deal)
        self.agents = self.possible_agents[:]
        self._scores = self._position.scores
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._turn()

    def step(self, action: int | None) -> None:
        """Take an action for the agent that is asked; an agent whose game is over says None, once."""
        position = self.position
        agent = self.agent_selection
        if not self.agents:
            raise Problem("the game is over: reset begins the next one")
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        position.apply(action)  # type: ignore[arg-type]  # what is no action is refused there
        self._cumulative_rewards[agent] = 0.0
        scores = position.scores
        gained = (scores - self._scores).tolist()
        self._scores = scores
        self.rewards = dict(zip(self.agents, gained, strict=True))
        self._accumulate_rewards()
        if position.to_move < 0:
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        if self.render_mode == "human":
            self.render()

    def _turn(self) -> None:
        """Who is asked now, and what each agent is told beside its observation."""
        position = self.position
        mover = position.to_move
        self.agent_selection = self.possible_agents[mover] if mover >= 0 else self.agents[0]
        self.infos = {agent: {"action_mask": position.mask(self._seat_of[agent])} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent can know now, and what it may do."""
        seat = self._seat_of[agent]
        return {"observation": self.position.observe(seat), "action_mask": self.position.mask(seat)}

    def render(self) -> Any:
        """The whole table: text (`ansi`; `human` prints it), an SVG, or pixels (`rgb_array`)."""
        if self.render_mode is None:
            raise Problem(f"nothing is rendered: make the environment with a render_mode, {', '.join(RENDER_MODES)}")
        return rendered(self.game, self.position.states, self.render_mode, None)

    def close(self) -> None:
        """Nothing is open."""
