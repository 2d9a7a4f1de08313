"""OpenSpiel's bots at our tables: `openspiel:ismcts/simulations=100`, `openspiel:cfr/iterations=200`.

A bot is given a state that is guessed from what its seat may know, so that it cannot look at hidden cards.
"""

from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.errors import Problem, unknown
from tefuda.interop.openspiel.game import MOST_LISTED, SpielGame, SpielState
from tefuda.interop.openspiel.knowledge import Node
from tefuda.interop.position import Position
from tefuda.players import own
from tefuda.players.entrant import Entrant
from tefuda.table.table import View

MOST_SIMULATIONS, MOST_ROLLOUTS = 1_000_000, 10_000


def player(game: Game, name: str, rules: Rules) -> Entrant:
    """The bot that a name means, `ismcts/simulations=100`, as somebody who can be seated."""
    bot, _, settings = name.partition(":")[2].partition("/")
    if bot not in BOTS:
        raise unknown("bot of OpenSpiel", bot, BOTS)
    if bot == "cfr" and game.listed(rules, MOST_LISTED) is None:
        raise Problem(f"{name} cannot play {game.name}: CFR takes a game that lists its deals, as kuhn and leduc do")
    return own.from_class(name, BOTS[bot], settings, (name.encode(), version("open_spiel").encode()))


@cache
def game_under(game: Game, preset: str, changed: tuple[str, ...]) -> SpielGame:
    """A game of ours as OpenSpiel's, by some rules."""
    return SpielGame(game, {"rules": preset, "changes": "+".join(changed).replace("=", ":")})


def spiel_game(view: View) -> SpielGame:
    """The game that a view belongs to, as OpenSpiel's."""
    return game_under(view.game, view.rules.preset, view.rules.changed)


def guessed_state(view: View) -> SpielState:
    """A state that agrees with all that a seat may know."""
    position = Position(view.game, view.guess().states, np.zeros(view.game.seats, np.uint64))
    history = tuple(view.history)
    return spiel_game(view).state_of(Node(position, told=dict.fromkeys(range(view.game.seats), history)))


class Ismcts:
    """OpenSpiel's information set Monte Carlo tree search; worlds are guessed and played out by our kernels."""

    def __init__(self, simulations: int = 100, c: float = 2.0, rollouts: int = 1) -> None:
        """`c`: how much it explores; `rollouts`: plain games that value a new position."""
        self.simulations = outside.whole("simulations", simulations, 1, MOST_SIMULATIONS)
        self.c = outside.number("c", c, 0.0, 1e6)
        self.rollouts = outside.whole("rollouts", rollouts, 1, MOST_ROLLOUTS)

    def act(self, view: View) -> int:
        from open_spiel.python.algorithms import ismcts

        luck = np.random.RandomState(view.random.getrandbits(32))
        bot = ismcts.ISMCTSBot(
            spiel_game(view), PlayoutEvaluator(self.rollouts, luck), self.c, self.simulations, random_state=luck
        )
        bot.set_resampler(lambda state, seat: state.resample_from_infostate(seat, luck.random_sample))
        return int(bot.step(guessed_state(view)))


class PlayoutEvaluator:
    """Values positions by plain games to the end, as OpenSpiel's evaluators do."""

    def __init__(self, rollouts: int, luck: np.random.RandomState) -> None:
        self.rollouts, self.luck = rollouts, luck

    def evaluate(self, state: SpielState) -> np.ndarray:
        """[seats] the mean of what each seat got."""
        assert state.node is not None
        total = np.zeros(state.node.game.seats)
        for _ in range(self.rollouts):
            position = state.node.position.copy()
            rng = np.array([self.luck.randint(0, 2**63, dtype=np.int64)], np.uint64)
            mask = np.zeros(state.node.game.spaces.mask_words, np.uint64)
            loops_of(state.node.game).playout(position.states[0], rng, mask)
            total += position.scores
        return total / self.rollouts

    def prior(self, state: SpielState) -> list[tuple[int, float]]:
        """All actions alike."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


class Cfr:
    """OpenSpiel's CFR, which solves a small game before it plays it."""

    def __init__(self, iterations: int = 200) -> None:
        self.iterations = outside.whole("iterations", iterations, 1, outside.MOST_ITERATIONS)

    def act(self, view: View) -> int:
        policy, nodes = solved(view.game, view.rules.preset, view.rules.changed, self.iterations)
        state = spiel_game(view).state_of(_way_there(view, nodes))
        chances = policy.action_probabilities(state)
        return int(view.random.choices(list(chances), list(chances.values()))[0])


@cache
def solved(contract: Game, preset: str, changed: tuple[str, ...], iterations: int) -> tuple[Any, list[Node]]:
    """The average policy of CFR, and the tables that can be dealt."""
    game = game_under(contract, preset, changed)
    from open_spiel.python.algorithms import cfr

    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return solver.average_policy(), [game.dealing.node((deal,)) for deal, _ in game.dealing.outcomes]


def _way_there(view: View, dealt: list[Node]) -> Node:
    """A way from a deal to a position that looks to the seat as its view does: all such ways look alike to it."""
    seen = view.state.tobytes()
    for node in dealt:
        for mover, action in view.history:
            if action is None or node.seat != mover or action not in node.legal:
                break
            node = node.after(action)
        else:
            if node.look(view.seat) == seen:
                return node
    raise Problem("no deal leads to what this seat sees: the table was not dealt by the game's own rules")


BOTS: dict[str, type] = {"ismcts": Ismcts, "cfr": Cfr}
