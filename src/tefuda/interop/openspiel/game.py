"""Our games as games of OpenSpiel: `tefuda_koikoi` and so on.

Chance acts before the first decision. In a game that lists its deals (Kuhn, Leduc) each deal is one outcome, with its
chance. In the others chance draws the number of a deal, digit by digit: all that is hidden follows from it, and from
the seed that is a parameter of the game. So a history of actions is the whole game.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tefuda import games
from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.interop.extras import missing
from tefuda.interop.openspiel.knowledge import Node
from tefuda.interop.position import Position

try:
    import pyspiel
except ImportError as error:
    raise missing("open_spiel", "openspiel", error) from error

DIGITS, BASE = 3, 1024  # the number of a deal has so many digits, each below this
MOST_LISTED = 20_000  # deals that chance draws as such; of more it draws the number
BOUND = 1e6  # on what a seat can get, where the game tells none
RECALLED = 256  # decisions that an information state tensor tells at most, the last ones


def known_as(name: str) -> str:
    """OpenSpiel's name of a game."""
    return f"tefuda_{name}"


def register(name: str) -> None:
    """Tell OpenSpiel of a game that comes with the package."""
    game = games.find(name)
    rules = game.rulebook.make()

    class Registered(SpielGame):
        def __init__(self, parameters: dict[str, Any] | None = None) -> None:
            super().__init__(game, parameters or {})

    Registered.__name__ = f"Tefuda{name.capitalize()}"
    pyspiel.register_game(game_type(game, rules), Registered)


def parameters_of(game: Game) -> dict[str, Any]:
    """What can be set, with the usual values: a preset, options as `rounds:1+sake:5`, a seed."""
    return {"rules": next(iter(game.rulebook.presets)), "changes": "", "seed": 1}


def game_type(game: Game, rules: Rules) -> Any:
    """What OpenSpiel asks of the kind of a game."""
    kinds, total = pyspiel.GameType, game.scoring.total_under(rules)
    sums = kinds.Utility.GENERAL_SUM if total is None else kinds.Utility.CONSTANT_SUM
    return kinds(
        short_name=known_as(game.name),
        long_name=f"{game.title.en}, of tefuda",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if total == 0 else sums,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=game.seats,
        min_num_players=game.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(game),
    )


class Dealing:
    """What chance does before the first decision, and the tables that it leads to."""

    def __init__(self, game: Game, rules: Rules, seed: int) -> None:
        self.game, self.rules, self.seed = game, rules, seed
        self._nodes: dict[tuple[int, ...], Node] = {}
        listed = game.listed(rules, MOST_LISTED)
        self.listed = listed is not None
        if listed is not None:
            self.chances, self.tables = listed.deals(game.blank(rules))

    @property
    def digits(self) -> int:
        """How often chance acts."""
        return 1 if self.listed else DIGITS

    @cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        """What it may draw each time, with its chance."""
        if self.listed:
            return list(enumerate(map(float, self.chances)))
        return [(digit, 1.0 / BASE) for digit in range(BASE)]

    def node(self, drawn: Sequence[int]) -> Node:
        """The table that was dealt."""
        if not self.listed:
            number = 0
            for digit in drawn:
                number = BASE * number + digit
            return Node(Position.dealt(self.game, self.rules, self.seed, number))
        key = tuple(drawn)
        if key not in self._nodes:  # few, and asked for over and over
            table = self.tables[key[0] : key[0] + 1].copy()
            self._nodes[key] = Node(Position(self.game, table, np.zeros(self.game.seats, np.uint64)))
        return self._nodes[key]


class SpielGame(pyspiel.Game):
    """A game of ours, by some rules."""

    def __init__(self, game: Game, parameters: dict[str, Any]) -> None:
        chosen = {**parameters_of(game), **parameters}
        changes = [each.replace(":", "=") for each in filter(None, str(chosen["changes"]).split("+"))]
        self.contract = game
        self.rules = rules = game.rulebook.make(str(chosen["rules"]), changes)
        self.dealing = Dealing(game, rules, int(chosen["seed"]))
        self.longest = game.decisions_at_most(rules)
        total = game.scoring.total_under(rules)
        low, high = game.scoring.bounds(rules) if game.scoring.bounds else (-BOUND, BOUND)
        information = pyspiel.GameInfo(
            num_distinct_actions=game.spaces.actions.size,
            max_chance_outcomes=len(self.dealing.outcomes),
            num_players=game.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=total,
            max_game_length=self.longest,
        )
        super().__init__(game_type(game, rules), information, parameters)

    def new_initial_state(self) -> "SpielState":
        """Before the deal."""
        return SpielState(self)

    def state_of(self, node: Node) -> "SpielState":
        """A state in the middle of a game, whose deal OpenSpiel is not told."""
        state = SpielState(self)
        state.node = node
        return state

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Who looks at states: a seat, with what it remembers or without."""
        if params:
            raise Problem(f"observers of tefuda's games take no parameters, but {params} were given")
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class SpielState(pyspiel.State):
    """A table before or after its deal."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._game = _Shared(game)
        self.drawn: tuple[int, ...] = ()
        self.node: Node | None = None  # once all is dealt

    def current_player(self) -> int:
        """The seat that decides, chance, or nobody."""
        if self.node is None:
            return pyspiel.PlayerId.CHANCE
        return self.node.seat if self.node.seat >= 0 else pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        node = self.node
        return node.legal.copy() if node is not None and node.seat == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may draw now."""
        return self._game.it.dealing.outcomes

    def _apply_action(self, action: int) -> None:
        if self.node is not None:
            self.node = self.node.after(action)
            return
        self.drawn = (*self.drawn, action)
        if len(self.drawn) == self._game.it.dealing.digits:
            self.node = self._game.it.dealing.node(self.drawn)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        if self.node is None or action not in self.node.legal:
            return str(self._game.it.contract.spaces.actions.names[action].en)
        return self._game.it.contract.words.action_name(self.node.position.states, action, "en")

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.node is not None and self.node.seat < 0

    def returns(self) -> list[float]:
        """What each seat got; nothing before the end."""
        if not self.is_terminal():
            return [0.0] * self._game.it.contract.seats
        assert self.node is not None
        return self.node.position.scores.tolist()

    def resample_from_infostate(self, player: int, sampler: Any = None) -> "SpielState":
        """A state that a seat cannot tell from this one, with the unseen cards dealt again (the kernel `guess`).

        `sampler` gives random numbers from 0 to 1; OpenSpiel's `UniformProbabilitySampler` will do.
        """
        if self.node is None:
            return self.clone()
        draw = sampler if callable(sampler) else np.random.random
        bits = int(draw() * 2**32) << 32 | int(draw() * 2**32)
        return self._game.it.state_of(self.node.guessed(player, bits))

    def __str__(self) -> str:
        if self.node is None:
            return f"dealing {' '.join(map(str, self.drawn))}".strip()
        return self._game.it.contract.words.show(self.node.position.states, None, "en")


class _Shared:
    """A game inside of a state: OpenSpiel copies all that a state holds, but this is not to be copied."""

    def __init__(self, it: SpielGame) -> None:
        self.it = it

    def __deepcopy__(self, memo: dict) -> "_Shared":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (str(self.it),)


def _shared(name: str) -> _Shared:
    """A game that a state was written down with."""
    return _Shared(pyspiel.load_game(name))


class Observer:
    """What a seat sees of a state, as numbers and as text (OpenSpiel's PyObserver).

    The numbers are those of the game's table of observations. With perfect recall the decisions follow that the seat
    was told, one after the other: who decided, counted from itself, and what, both from 0 to 1, or 0 where the action
    is not public. The text of an information state ends in a hash of all that the seat has seen.
    """

    def __init__(self, game: SpielGame, kind: Any) -> None:
        self.game, self.recalls = game, bool(kind.perfect_recall)
        self.private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        inputs = game.contract.spaces.observation.size
        self.recalled = min(game.longest, RECALLED) if self.recalls else 0
        self.tensor = np.zeros(inputs + 2 * self.recalled, np.float32)
        self.dict = {"observation": self.tensor[:inputs]}
        if self.recalled:
            self.dict["told"] = self.tensor[inputs:].reshape(self.recalled, 2)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat knows into the tensor."""
        self.tensor.fill(0)
        if state.node is None or not self.private:
            return
        game = self.game.contract
        self.dict["observation"][:] = state.node.position.observe(player)
        if self.recalled:
            history = state.node.history(player)[-self.recalled :]
            for place, (mover, action) in enumerate(history):
                self.dict["told"][place, 0] = (1 + (mover - player) % game.seats) / game.seats
                self.dict["told"][place, 1] = 0.0 if action is None else (1 + action) / game.spaces.actions.size

    def string_from(self, state: SpielState, player: int) -> str:
        """What a seat knows, in words."""
        if state.node is None or not self.private:
            return ""
        if not self.recalls:
            shown = self.game.contract.words.show(state.node.hidden(player), player, "en")
            return f"player {player}\n{shown}"
        heard = " ".join(f"{mover}:{'?' if act is None else act}" for mover, act in state.node.history(player))
        return f"player {player}\ntold {heard or 'nothing'}\nseen {state.node.sight(player)}"
