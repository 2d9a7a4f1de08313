"""How long a newcomer waits: the first and the second match and table of each game, from an empty cache.

Each is a process of its own, as a person starts it, with a cache folder that nobody has used before. At the table one
move is made, and the game left. The goals are for two idle cores.

On CUDA it is how long a learner waits for the first decisions of its tables: the first time all is compiled, the second
time it is loaded.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import tefuda
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.progress import Progress

GAMES = ("koikoi", "tricks", "saichugen", "mahjong")
FIRST, FIRST_OF = 20.0, {"mahjong": 35.0}  # seconds that a first start may take
SECOND = 2.0  # and every later one
FIRST_ON_CUDA, SECOND_ON_CUDA = 250.0, 20.0  # the same of a learner
BUSY = 1.5  # times the CPU seconds: a start waits for little but its own work
MOVES = "1\nq\n"  # the first move of the list, then leave


@dataclass(frozen=True)
class Start:
    """One start, and what is wanted of it; seconds."""

    what: str
    wall: float
    cpu: float
    goal: float

    title: ClassVar = "From the command to its end"
    columns: ClassVar = ("what", "seconds", "of CPU", "goal", "")
    right: ClassVar = {1, 2, 3}

    def data(self) -> dict[str, Any]:
        return {"what": self.what, "seconds": self.wall, "cpu_seconds": self.cpu, "goal": self.goal, "met": self.met}

    @property
    def met(self) -> bool:
        return self.wall <= self.goal

    def cells(self) -> list[str]:
        verdict = "✓" if self.met else "✗ too long"
        return [self.what, f"{self.wall:.1f}", f"{self.cpu:.1f}", f"{self.goal:g}", verdict]

    @staticmethod
    def notes(rows: "list[Start]") -> list[str]:
        notes = [f"{sum(row.met for row in rows)} of {len(rows)} goals met."]
        if sum(row.wall for row in rows) > BUSY * sum(row.cpu for row in rows):
            notes.append("Other programs have kept this machine busy: the seconds of CPU are what an idle one takes.")
        return notes


def run(device: str, seconds: float, threads: int | None) -> list[Start]:
    """All starts; each is what it is, however many `seconds` a measurement should take."""
    if device == "cuda":
        return learners()
    more = [] if threads is None else ["--threads", str(threads)]
    rows: list[Start] = []
    with Progress("starts", 4 * len(GAMES), "starts") as progress:
        for game in GAMES:
            opponent = find(game).players.default_opponent
            commands = {
                "match": (["match", game, opponent, "random", "--deals", "100", *more], ""),
                "play": (["play", game, "--deal", "1", "--record", "game.json"], MOVES),
            }
            for name, (words, typed) in commands.items():
                with tempfile.TemporaryDirectory(prefix="tefuda-start-") as folder:
                    for time_of, goal in (("first", FIRST_OF.get(game, FIRST)), ("second", SECOND)):
                        command = ["-m", "tefuda", *words]
                        rows.append(Start(f"{game}, {time_of} {name}", *start(command, typed, Path(folder)), goal))
                        progress.update(len(rows))
    return rows


def learners() -> list[Start]:
    """Learners on CUDA."""
    rows: list[Start] = []
    with Progress("starts", 2 * len(GAMES), "starts") as progress:
        for game in GAMES:
            with tempfile.TemporaryDirectory(prefix="tefuda-start-") as folder:
                for time_of, goal in (("first", FIRST_ON_CUDA), ("second", SECOND_ON_CUDA)):
                    taken = start([__file__, game], "", Path(folder))
                    rows.append(Start(f"{game}, {time_of} learner on CUDA", *taken, goal))
                    progress.update(len(rows))
    return rows


def learn_a_little(name: str) -> None:
    """What such a learner does until its first decisions are made and learned from."""
    from tefuda.learn.deep.torch import chosen_device, torch
    from tefuda.learn.self_play import Arguments, SelfPlay

    game = find(name)
    arguments = Arguments(lanes=1024, steps=2, batch=1024, units=512, blocks=3, precision="half")
    SelfPlay(game, [game.rulebook.make()], None, arguments, 1, chosen_device("cuda")).advance()
    torch.cuda.synchronize()


def start(words: list[str], typed: str, folder: Path) -> tuple[float, float]:
    """Seconds and CPU seconds of one process of Python; the compiled code is kept in the folder."""
    paths = [str(tefuda.FOLDER.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "TEFUDA_CACHE": str(folder / "cache"), "PYTHONPATH": os.pathsep.join(paths)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a newcomer's Python keeps what it has read
    (folder / "game.json").unlink(missing_ok=True)  # the table of the first start
    before, began = _cpu(), time.perf_counter()
    done = subprocess.run(
        [sys.executable, *words], input=typed, env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    wall, cpu = time.perf_counter() - began, _cpu() - before
    if done.returncode:
        raise Problem(f"{' '.join(words)} failed: {done.stderr.strip().splitlines()[-1:]}")
    return wall, cpu


def _cpu() -> float:
    """CPU seconds of all processes that have ended so far."""
    used = os.times()
    return used.children_user + used.children_system


if __name__ == "__main__":
    learn_a_little(sys.argv[1])
