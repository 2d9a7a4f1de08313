"""How deals end for a seat that does not win them: the results that the penalty is a mean of (section 5.4).

They come from whole games of a player, or from the deals of self-play records (positions.py), in which one seat takes
one random action. Results are kept by the own wind, since the dealer pays more.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW, Occupant, scratch, seated
from tefuda.games.mahjong.paper import hands, positions
from tefuda.games.mahjong.paper.deal_ends import RESULT, write_result
from tefuda.games.mahjong.paper.features import ACTIVE
from tefuda.games.mahjong.paper.inputs import BYTES
from tefuda.games.mahjong.rules import apply
from tefuda.games.mahjong.state import SEATS, State, wind_of
from tefuda.kernel.compile import kernel

GAMES, POSITIONS = SOURCES = ("games", "positions")
ROWS = 192  # results of each wind
_ROOM = 80 * SEATS  # results of a game at most: 64 deals


@cache
def _games_of(game: Game) -> Any:
    """The kernel of whole games."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, apply = game.kernels.to_move, game.kernels.apply

    def play(blank, seed, number, seated, scratch, out):
        """The results of one game: out [results, 1 + RESULT]; returns how many."""
        tables, rngs, mask, worlds, numbers, _ = scratch
        begin(tables, blank, rngs, seed, number)
        rows = 0
        while True:
            seat = to_move(tables[TABLE])
            if seat < 0:
                return rows
            apply(tables[TABLE], ask(tables, seat, 0, seated, rngs, mask, worlds, numbers))
            if tables[TABLE].finished != tables[VIEW].finished:
                for each in range(SEATS):
                    out[rows, 0] = wind_of(tables[VIEW], each)
                    if write_result(tables[VIEW], tables[TABLE], each, out[rows, 1:]):
                        rows += 1

    return kernel(play)


@cache
def _position_of(game: Game) -> Any:
    """The kernel of one deal of self-play records."""
    play = positions.loop_of(game)

    def result(blank, seed, number, seated, scratch, work, active, plain, out):
        """The result of a deal that gave a position and was not won: out [1 + RESULT]; returns whether there is one."""
        if play(blank, seed, number, positions.RANDOM, seated, scratch, work, active, plain) != 0:
            return False
        tables = scratch[0]
        out[0] = wind_of(tables[VIEW], positions.OWN)
        return write_result(tables[VIEW], tables[TABLE], positions.OWN, out[1:])

    return kernel(result)


@kernel
def write_results(tables, actions, out):
    """Play a deal that was written down, at tables[TABLE], and write its results: out [4, 1 + RESULT]; returns how
    many."""
    for i in range(actions.shape[0]):
        tables[VIEW] = tables[TABLE]
        apply(tables[TABLE], np.int64(actions[i]))
    rows = 0
    for each in range(SEATS):
        out[rows, 0] = wind_of(tables[VIEW], each)
        if write_result(tables[VIEW], tables[TABLE], each, out[rows, 1:]):
            rows += 1
    return rows


def of_deals(deals: Iterable[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Results of deals that were written down, each as it began and its actions: [winds, ROWS, RESULT], the first ones.
    There may be too few; then as many of each wind as all have."""
    tables, found = np.zeros(2, State), []
    counts = np.zeros(SEATS, np.int64)
    for start, actions in deals:
        tables[TABLE] = start[0]
        out = np.zeros((SEATS, 1 + RESULT), np.int64)
        found.append(out[: write_results(tables, actions, out)])
        counts += np.bincount(found[-1][:, 0], minlength=SEATS)
        if counts.min() >= ROWS:
            break
    rows, least = np.concatenate([np.zeros((0, 1 + RESULT), np.int64), *found]), min(ROWS, int(counts.min()))
    return np.array([rows[rows[:, 0] == wind][:least, 1:] for wind in range(SEATS)])


def collect(
    game: Game, rules: Rules, player: Occupant, opponent: Occupant, source: str, seed: int, first: int, last: int
) -> np.ndarray:
    """Results of games first to last - 1, on one core: [results, 1 + RESULT], the own wind before each."""
    rows = _of_games(game, rules, player, seed, first, last)
    if source == POSITIONS:
        rows = _of_positions(game, player, opponent, seed, SEATS * first, SEATS * last)
    return np.concatenate([np.zeros((0, 1 + RESULT), np.int64), *rows])


def _of_games(game: Game, rules: Rules, player: Occupant, seed: int, first: int, last: int) -> Iterator[np.ndarray]:
    at_table, space = seated(game, [player]), scratch(game, [player])
    for number in range(first, last):
        out = np.zeros((_ROOM, 1 + RESULT), np.int64)
        count = _games_of(game)(game.blank(rules), seed, number, at_table, space, out)
        yield out[:count]


def _of_positions(
    game: Game, player: Occupant, opponent: Occupant, seed: int, first: int, last: int
) -> Iterator[np.ndarray]:
    players = [player, opponent]
    at_table, space = seated(game, players), scratch(game, players)
    work, active, plain = np.zeros(hands.SIZE, np.int64), np.zeros(ACTIVE + 1, np.int64), np.zeros(BYTES, np.uint8)
    blank, out = game.blank(game.rulebook.make(positions.RULES)), np.zeros((1, 1 + RESULT), np.int64)
    for number in range(first, last):
        if _position_of(game)(blank, seed, number, at_table, space, work, active, plain, out[0]):
            yield out.copy()
