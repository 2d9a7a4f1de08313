"""A network under way: measured now and then against fixed players, interrupted only between two windows."""

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
from tefuda.learn.method import Trained
from tefuda.learn.run import run
from tefuda.learn.strength import Yardstick
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

POINTS = 10  # of the curve
DEALS = 512  # for each of them, always the same, each from every seat
SEED = 80_001  # of these deals: neither learned from, nor those on which results are measured at the end
CHECKPOINT = 20.0  # seconds between checkpoints: they hold all tables


class Watched:
    """A network that learns (SelfPlay, FictitiousSelfPlay) with its curve, as learn/run.py runs it."""

    def __init__(self, learning: Any, yardstick: Yardstick) -> None:
        self.learning, self.yardstick = learning, yardstick
        self.curve: list[list[float]] = []  # decisions, then mean, low and high against each of the yardstick

    @property
    def done(self) -> bool:
        return self.learning.done

    def advance(self) -> float:
        with uninterrupted():
            self.learning.advance()
            if self.learning.progress * POINTS >= len(self.curve) + 1:
                found = self.yardstick.measure(self.learning.shape, self.learning.result)
                ends = [number for each in found for number in (each.mean, each.low, each.high)]
                self.curve.append([self.learning.done_decisions, *ends])
        return self.learning.done_decisions

    def note(self) -> str:
        """The last strengths, for the line of progress."""
        if not self.curve:
            return ""
        texts = []
        for number, name in enumerate(self.yardstick.names):
            mean, low, high = self.curve[-1][1 + 3 * number : 4 + 3 * number]
            texts.append(f"{Interval(mean, low, high).text(2, sign=False)} vs {name}")
        return "; " + ", ".join(texts)

    def state(self) -> dict[str, np.ndarray]:
        return {**self.learning.state(), "curve": np.array(self.curve)}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        self.learning.restore(state)
        self.curve = [[int(decisions), *figures] for decisions, *figures in state["curve"].tolist()]


def usual_opponents(game: Game, rules: Rules) -> list[Entrant]:
    """Whom a run is measured against on the way: the plainest player, and the default opponent."""
    names = dict.fromkeys(("random", game.players.default_opponent))
    return [resolve(game, name, rules) for name in names]


def learn(
    learning: Any, game: Game, rules: Rules, out: Path, identity: dict[str, Any], threads: int | None,
    against: list[Entrant] | None = None, deals: int = DEALS,
) -> Watched:  # fmt: skip
    """Learn to the end, from the checkpoint where there is one. `against`: who it is measured against on the way."""
    yardstick = Yardstick(
        game, rules, usual_opponents(game, rules) if against is None else against, deals, SEED, threads
    )
    watched = Watched(learning, yardstick)
    total = learning.arguments.decisions
    run(watched, watched.advance, total, "decisions", out, identity, CHECKPOINT, watched.note)
    return watched


@contextlib.contextmanager
def enough_memory() -> Iterator[None]:
    """Turn a full memory into advice. It belongs around the making of a learner too, which makes the windows.

    torch has an error of its own for a full GPU, and a plain one for the CPU; Numba has one for all that the driver
    says; NumPy has Python's.
    """
    try:
        yield
    except Problem:
        raise
    except Exception as error:
        if isinstance(error, MemoryError) or "not enough memory" in str(error) or "can't allocate" in str(error):
            machine, lanes = "this machine", 256
        elif isinstance(error, torch.OutOfMemoryError) or "CUDA_ERROR_OUT_OF_MEMORY" in str(error):
            machine, lanes = "the GPU", 8192
        else:
            raise
        raise Problem(
            f"{machine} has too little memory for this run: take fewer lanes or steps, as in --arg lanes={lanes} "
            "--arg steps=16"
        ) from None


def head(game: Game, rules: Rules, yardstick: Yardstick) -> tuple[str, ...]:
    """The head of curve.csv."""
    figure = game.scoring.headline_under(rules).name
    columns = [column for name in yardstick.names for column in (f"{figure} against {name}", "low", "high")]
    return ("decisions", *columns)


def write_curve(path: Path, game: Game, rules: Rules, watched: Watched) -> None:
    write_rows(path, [head(game, rules, watched.yardstick), *watched.curve])


def variant(learning: Any) -> str:
    """How the policy file says what network it holds."""
    arguments = learning.arguments
    return variant_of(arguments.units, arguments.blocks, learning.scale, learning.goals[0])


def trained(watched: Watched, game: Game, rules: Rules, names: str) -> Trained:
    """What a run that was measured by some rules, and has learned by those of these names, has ended in."""
    curve = [head(game, rules, watched.yardstick), *map(tuple, watched.curve)]
    return Trained(watched.learning.result, curve, variant(watched.learning), names)


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
