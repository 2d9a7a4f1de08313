"""A deep learner under way: measured against a fixed ladder at times, interrupted only between two windows."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.network import variant_of
from tefuda.errors import Problem
from tefuda.files.whole import write_rows
from tefuda.intervals import Interval
from tefuda.learn.deep.torch import torch
from tefuda.learn.run import run
from tefuda.learn.strength import Ladder
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

POINTS = 10  # of the curve
DEALS = 512  # for each of them, always the same, each from every seat
SEED = 80_001  # of these deals: neither learned from, nor those on which results are measured at the end
CHECKPOINT = 20.0  # seconds between checkpoints: they hold all tables


class Watched:
    """A learner with its curve, as learn/run.py runs it."""

    def __init__(self, learner: Any, ladder: Ladder) -> None:
        self.learner, self.ladder = learner, ladder
        self.curve: list[list[float]] = []  # decisions, then mean, low and high against each of the ladder

    @property
    def done(self) -> bool:
        return self.learner.done

    def advance(self) -> float:
        with uninterrupted():
            self.learner.advance()
            if self.learner.progress * POINTS >= len(self.curve) + 1:
                found = self.ladder.measure(self.learner.shape, self.learner.result)
                ends = [number for each in found for number in (each.mean, each.low, each.high)]
                self.curve.append([self.learner.done_decisions, *ends])
        return self.learner.done_decisions

    def note(self) -> str:
        """The last strengths, for the line of progress."""
        if not self.curve:
            return ""
        texts = []
        for number, name in enumerate(self.ladder.names):
            mean, low, high = self.curve[-1][1 + 3 * number : 4 + 3 * number]
            texts.append(f"{Interval(mean, low, high).text(2, sign=False)} vs {name}")
        return "; " + ", ".join(texts)

    def state(self) -> dict[str, np.ndarray]:
        return {**self.learner.state(), "curve": np.array(self.curve)}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        self.learner.restore(state)
        self.curve = [[int(decisions), *figures] for decisions, *figures in state["curve"].tolist()]


def judges(game: Game, rules: Rules) -> list[Entrant]:
    """The fixed ladder of a run: the plainest player and the one that others are usually measured against."""
    names = dict.fromkeys(("random", game.players.default_opponent))
    return [resolve(game, name, rules) for name in names]


def learn(
    learner: Any, game: Game, rules: Rules, out: Path, identity: dict[str, Any], threads: int | None,
    against: list[Entrant] | None = None, deals: int = DEALS,
) -> Watched:  # fmt: skip
    """Run a learner to its end, or go on with it; `against`: who it is measured against on the way."""
    ladder = Ladder(game, rules, judges(game, rules) if against is None else against, deals, SEED, threads)
    watched = Watched(learner, ladder)
    total = learner.arguments.decisions
    run(watched, watched.advance, total, "decisions", out, identity, CHECKPOINT, watched.note)
    return watched


@contextlib.contextmanager
def enough_memory() -> Iterator[None]:
    """Turn a GPU that is full into advice; windows are made when a learner is, so that this belongs around both.

    torch has an error of its own for it, Numba one for all that the driver says.
    """
    try:
        yield
    except Exception as error:
        if not isinstance(error, torch.OutOfMemoryError) and "CUDA_ERROR_OUT_OF_MEMORY" not in str(error):
            raise
        raise Problem(
            "the GPU has too little memory for this run: take fewer lanes or steps, as in --arg lanes=8192 "
            "--arg steps=16"
        ) from None


def head(game: Game, rules: Rules, ladder: Ladder) -> tuple[str, ...]:
    """The head of curve.csv."""
    figure = game.scoring.headline_under(rules).name
    columns = [column for name in ladder.names for column in (f"{figure} against {name}", "low", "high")]
    return ("decisions", *columns)


def write_curve(path: Path, game: Game, rules: Rules, watched: Watched) -> None:
    write_rows(path, [head(game, rules, watched.ladder), *watched.curve])


def variant(learner: Any) -> str:
    """How the policy file says what network it holds."""
    arguments = learner.arguments
    return variant_of(arguments.units, arguments.blocks, learner.scale, learner.goals[0])


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done, so that what is stored then is of one moment."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting = []
    before = signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting:
        raise KeyboardInterrupt
