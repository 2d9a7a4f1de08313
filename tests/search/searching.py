"""Tables of trick-taking, solvers and search players to ask."""

import random

import numpy as np

from tefuda import games
from tefuda.contract import Game
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch_shapes, seated
from tefuda.games.tricks import GAME
from tefuda.kernel.random import CHECK, DEAL, stream
from tefuda.players.entrant import Entrant
from tefuda.search.solve import numbers_for, solver_of
from tefuda.table.table import legal_actions

KUHN = games.find("kuhn")
SEARCHED = [name for name in games.names() if any(each.key == "pimc" for each in games.find(name).players.policies)]


def dealt(preset: str = "plain", *changes: str, deal: int = 0) -> np.ndarray:
    states = GAME.blank(GAME.rulebook.make(preset, changes))
    GAME.kernels.deal(states[0], np.array([stream(2, deal, 0, DEAL)], np.uint64))
    return states


def play_until(states: np.ndarray, left: int, source: random.Random) -> None:
    """Random cards until so many decisions are left; one seat plays high, so that the moon stays possible."""
    high = source.randrange(8)
    while GAME.kernels.left(states[0]) > left:
        legal = legal_actions(GAME, states)
        high_card = max(legal, key=lambda card: card % 13)
        GAME.kernels.apply(states[0], high_card if states[0].seat == high else source.choice(legal))


def solver(game: Game):
    return solver_of(
        game.seats,
        game.kernels.to_move,
        game.kernels.legal,
        game.kernels.apply,
        game.kernels.scores,
    )


SOLVE, SOLVE_KUHN = solver(GAME), solver(KUHN)


def solved(states: np.ndarray, game: Game = GAME, solve=SOLVE, left: int | None = None) -> np.ndarray:
    """A table's values, with exactly the scratch space that is declared, between areas that must stay as they are."""
    left = int(game.kernels.left(states[0])) if left is None else left
    needed = numbers_for(game.seats, left)
    worlds = np.zeros(left + 1 + 4, game.State)
    worlds.view(np.uint8)[:] = 0xA5
    numbers = np.full(needed + 8, 1e300)
    mask = np.full(3, 12345, np.uint64)
    worlds[2], guard = states[0], worlds.copy()
    solve(worlds[2 : 2 + left + 1], numbers[4 : 4 + needed], mask[1:2])
    outside = [0, 1, *range(left + 3, left + 5)]
    assert worlds[outside].tobytes() == guard[outside].tobytes()
    assert worlds[2].tobytes() == states[0].tobytes()
    assert set(numbers[:4]) | set(numbers[4 + needed :]) == {1e300}
    assert mask[[0, 2]].tolist() == [12345, 12345]
    return numbers[4 : 4 + game.seats].copy()


class Asked:
    """One decision of a search player, and what it leaves in its scratch space."""

    def __init__(self, states: np.ndarray, entrant: Entrant, number: int = 0, game: Game = GAME) -> None:
        tables = np.zeros(2, game.State)
        tables[0] = states[0]
        seat = int(game.kernels.to_move(states[0]))
        self.rngs = np.array([stream(3, number, each, CHECK) for each in range(game.seats)], np.uint64)
        others = np.delete(self.rngs, seat)
        _, _, (words, _), (worlds_needed, _), (needed, _), _ = scratch_shapes(game, [entrant])
        worlds = np.zeros(worlds_needed + 2, game.State)
        worlds.view(np.uint8)[:] = 0xA5
        guard = worlds.copy()
        numbers = np.zeros(needed + 4)
        numbers[needed:] = 1e300
        mask = np.zeros(words, np.uint64)
        self.before = self.rngs[seat]
        self.action = int(
            loops_of(game).ask(
                tables, seat, 0, seated(game, [entrant]), self.rngs, mask, worlds[1:-1], numbers[:needed],
            )
        )  # fmt: skip
        assert tables[0].tobytes() == states[0].tobytes()
        assert np.delete(self.rngs, seat).tolist() == others.tolist()
        assert worlds[[0, -1]].tobytes() == guard[[0, -1]].tobytes()
        assert set(numbers[needed:]) == {1e300}
        assert self.action in legal_actions(game, states)
        self.drew = self.rngs[seat] != self.before
        self.worlds, self.numbers = worlds[1:-1], numbers[:needed]
        self.untouched = worlds.tobytes() == guard.tobytes()


PLAIN, HEARTS_RULES = GAME.rulebook.make("plain"), GAME.rulebook.make("hearts")
