"""Positions for value networks: after-states of games between a teacher and itself, valued by the teacher's play.

From each deal at most one position is taken, at a wanted stage of the game, so that positions are independent. Its
value is the mean score of the seat that acted, over games that go on from it with the hidden cards dealt again.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW, scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.bits import count_words, nth_of_words
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, below, stream, unit
from tefuda.kernel.threads import run_chunks
from tefuda.players.entrant import Entrant
from tefuda.progress import Progress


@dataclass(frozen=True)
class ValuedPositions:
    """Positions with their values: active [positions, most] holds input numbers, -1 where there is none."""

    active: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Arguments:
    """Which positions, and how they are valued."""

    teacher: str = "rule-based"  # who plays, before and after
    stages: tuple[int, ...] = ()  # stages of the game, taken in turn; empty: all
    positions: int = 10_000
    games: int = 300  # games that value a position
    explore: float = 0.0  # chance that the action at the position is a random one instead of the teacher's


def collect(
    game: Game, rules: Rules, teacher: Entrant, arguments: Arguments, seed: int, threads: int | None = None,
    what: str = "positions",
) -> ValuedPositions:  # fmt: skip
    """Play, value and describe positions; the same for any number of threads."""
    after = game.learning.after_states
    if after is None:
        raise Problem(f"{game.name} has no after-states for value networks")
    if teacher.form != "compiled":
        raise Problem(f"{teacher.name} cannot teach: only compiled players can")
    stages = np.array(arguments.stages or range(1, after.stages + 1))
    label = _label_of(game)
    players, sitting, blank = seated(game, [teacher]), np.zeros(game.seats, np.int64), game.blank(rules)

    def work(first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        active = np.full((last - first, after.active), -1, np.int64)
        values = np.full(last - first, np.nan)
        label(
            blank,
            seed,
            first,
            last,
            stages,
            sitting,
            players,
            scratch(game, [teacher]),
            scratch(game, [teacher]),
            np.zeros(1, game.State),
            arguments.games,
            arguments.explore,
            active,
            values,
        )
        return active, values

    found_active, found_values, found, tried = [], [], 0, 0
    piece = 20
    limit = 1000 * arguments.positions  # deals; a stage that games do not reach must not be waited for for ever
    with Progress(what, arguments.positions, "positions") as progress:
        work_pieces = run_chunks(work, ((first, first + piece) for first in range(0, limit, piece)), threads)
        for _, last, (active, values) in work_pieces:
            reached = ~np.isnan(values)
            found_active.append(active[reached])
            found_values.append(values[reached])
            found += int(reached.sum())
            tried = last
            progress.update(min(found, arguments.positions))
            if found >= arguments.positions:
                break
        work_pieces.close()
    if found < arguments.positions:
        raise Problem(f"only {found} of {tried} deals reach the stages {list(stages)}: ask for fewer positions")
    return ValuedPositions(
        np.concatenate(found_active)[: arguments.positions], np.concatenate(found_values)[: arguments.positions]
    )


@cache
def _label_of(game: Game) -> Any:
    """The compiled loop of one game: one position for each deal that reaches its stage."""
    after = game.learning.after_states
    assert after is not None
    loops = loops_of(game)
    begin, ask, try_actions = loops.begin, loops.ask, loops.try_actions
    to_move, legal, apply, write, stage = (
        game.kernels.to_move,
        game.kernels.legal,
        game.kernels.apply,
        after.write,
        after.stage,
    )

    def label(blank, seed, first, last, stages, sitting, seated, scratch, inner, world, games, explore, active, values):
        """`inner` and `world`: more scratch space, for the games that value a position."""
        tables, rngs, mask, worlds, numbers, _ = scratch
        rng = np.empty(1, np.uint64)
        actions = np.empty(1, np.int64)
        results = np.empty((games, 1), np.float64)
        for number in range(first, last):
            begin(tables, blank, rngs, seed, number)
            rng[0] = stream(seed, number, 0, LEARNER)
            wanted = stages[number % stages.shape[0]]
            random_action = unit(rng) < explore
            while True:
                seat = to_move(tables[TABLE])
                if seat < 0:
                    break
                action = ask(tables, seat, 0, seated, rngs, mask, worlds, numbers)
                if stage(tables[VIEW]) == wanted:
                    if random_action:
                        legal(tables[VIEW], mask)
                        action = nth_of_words(mask, below(rng, count_words(mask)))
                    if write(tables[VIEW], seat, action, active[number - first]) > 0:
                        actions[0] = action
                        try_actions(
                            tables[VIEW:], seat, actions, 0, games, stream(seed, number, 1, LEARNER), sitting, seated,
                            inner, world, results,
                        )  # fmt: skip
                        total = 0.0
                        for game_number in range(games):
                            total += results[game_number, 0]
                        values[number - first] = total / games
                        break
                apply(tables[TABLE], action)

    return kernel(label)
