"""Success rates (section 5.3): how often a player wins a deal by at least 1, 2, 3 or 4 han.

One player has seat 0, its opponents the others. Deals are those of positions.py, with the winds by lot and without a
random action: the same seed gives all players the same walls.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, Occupant, scratch, seated
from tefuda.games.mahjong.paper.positions import OWN, RULES, class_of, draw_start
from tefuda.intervals import Interval, rate_interval
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, stream
from tefuda.kernel.threads import collect

HANS = (1, 2, 3, 4)
CHUNK = 100  # deals that a core plays at once


@cache
def _deals_of(game: Game) -> Any:
    """The kernel that plays some deals."""
    loops = loops_of(game)
    begin, play_on = loops.begin, loops.play_on

    def play(blank, seed, first, last, sitting, seated, scratch, counts, won):
        """Deals first to last - 1: by how many han seat 0 has won each, from `first` on; 4 for more, 0 for no win."""
        tables, rngs, mask, worlds, numbers, _ = scratch
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            kept = rngs[0]  # the lots come from another stream than the seat's
            rngs[0] = stream(seed, number, OWN, LEARNER)
            draw_start(tables[TABLE], rngs[0:1])
            rngs[0] = kept
            play_on(tables, sitting, seated, rngs, mask, worlds, numbers, counts)
            won[number - first] = class_of(tables[TABLE])

    return kernel(play)


def hans_won(
    game: Game, player: Occupant, opponent: Occupant, seed: int, deals: int, threads: int | None = None
) -> np.ndarray:
    """By how many han a player has won each deal: int8 [deals], 4 for more, 0 for no win."""
    players = [player, opponent]
    blank, sitting, at_table = game.blank(game.rulebook.make(RULES)), np.array([0, 1, 1, 1]), seated(game, players)

    def work(first: int, last: int) -> np.ndarray:
        won = np.zeros(last - first, np.int8)
        counts = np.zeros((0, 1), np.int64)
        _deals_of(game)(blank, seed, first, last, sitting, at_table, scratch(game, players), counts, won)
        return won

    return np.concatenate(collect("playing", work, deals, CHUNK, "deals", threads))


def success_rates(won: np.ndarray, hans: Sequence[int] = HANS) -> list[Interval]:
    """The share of deals that were won by at least so many han."""
    return [rate_interval(int((won >= han).sum()), len(won)) for han in hans]
