"""How quickly players answer over mjai: four of a kind at a table of the engine, hanchan after hanchan.

Each player is measured in three ways: in the bulk match that the arena plays, without any mjai; as four bots of this
process, which read and write lines; and as four processes of `tefuda mjai`, each asked over pipes. The engine judges
every answer: one that is not legal ends the benchmark. The time of an answer goes from writing the line to having read
the answer. A hanchan's CPU is that of the table and of all four bots, on one core.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from measure import rate, seating_of

from tefuda.arena.games import play
from tefuda.contract import Rules
from tefuda.errors import Problem
from tefuda.interop.mjai import GAME, Bot, rehearse
from tefuda.interop.mjai_table import Ask, MjaiTable, asking
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

PLAYERS = ("rule-based", "champion")
GOAL = 50.0  # milliseconds within which every answer must come
HANCHAN, HOURS, CORES = 1000, 1.0, 2  # that a player must be able to play against itself, and in which time
NOTHING = '{"type":"none"}'


@dataclass(frozen=True)
class Answers:
    """Hanchan of one player in one way, and its answers that are moves; milliseconds."""

    what: str
    rate: float  # hanchan a minute: of CPU, over pipes of the clock
    baseline: str | None  # the way without mjai, of the same player
    ratio: float | None
    times: Sequence[float] = ()
    longest: float = 0.0  # of all answers, whether moves or not

    title: ClassVar = "Hanchan of four of a kind, and their answers in milliseconds"
    columns: ClassVar = ("players", "a minute", "ratio", "moves", "median", "99 %", "longest", "")
    right: ClassVar = {1, 2, 3, 4, 5, 6}

    @property
    def met(self) -> bool:
        return self.longest <= GOAL

    def data(self) -> dict[str, Any]:
        moves = {"moves": len(self.times), "median_ms": self.within(50), "most_ms": self.within(99)}
        return {
            "what": self.what, "rate": self.rate, "unit": "hanchan a minute", "baseline": self.baseline,
            "ratio": self.ratio, **moves, "longest_ms": self.longest, "met": self.met,
        }  # fmt: skip

    def within(self, percent: float) -> float:
        """So many of the moves came within this time."""
        return float(np.percentile(self.times, percent)) if len(self.times) else 0.0

    def cells(self) -> list[str]:
        ratio = f"{self.ratio:.2g} ×" if self.ratio else ""
        if not len(self.times):
            return [self.what, f"{self.rate:,.0f}", ratio, "", "", "", "", ""]
        figures = [f"{each:.2f}" for each in (self.within(50), self.within(99), self.longest)]
        verdict = "✓" if self.met else "✗"
        return [self.what, f"{self.rate:,.0f}", ratio, f"{len(self.times):,}", *figures, verdict]

    @staticmethod
    def notes(rows: "list[Answers]") -> list[str]:
        notes = [
            f"Wanted: every answer within {GOAL:g} ms. A minute is one of CPU, over pipes one of the clock. Ratios are "
            "to the same player in bulk, without mjai."
        ]
        by_lines = [row for row in rows if row.what.endswith("lines")]
        for row in by_lines:
            hours = HANCHAN / row.rate / 60 / CORES
            told = f"{HANCHAN:,} hanchan, {row.what}, take {60 * hours:.1f} minutes of {CORES} cores"
            notes.append(f"{told}: {'within' if hours <= HOURS else 'more than'} {HOURS:g} hour.")
        slow, quick = by_lines[1].rate, by_lines[0].rate
        notes.append(f"{by_lines[1].what}: {slow / quick:.2g} times as many as {by_lines[0].what}.")
        return notes


def run(device: str, seconds: float, threads: int | None) -> list[Answers]:
    """All measurements, each of so many seconds at least and of whole hanchan."""
    if device != "cpu":
        raise Problem(f"mjai is measured on the CPU: leave out --device {device}")
    rules = GAME.rulebook.make("hanchan")
    rows = []
    for name in PLAYERS:
        entrant = resolve(GAME, name, rules)
        rehearse(entrant, rules)
        bulk = Answers(f"{name}, bulk", 60 * bulk_rate(name, rules, seconds), None, None)
        rows.append(bulk)
        rows.append(measured(f"{name}, lines", bulk, in_process(entrant, rules), rules, seconds, time.process_time))
        with processes(name) as asks:
            rows.append(measured(f"{name}, pipes", bulk, lambda asks=asks: asks, rules, seconds, time.perf_counter))
    return rows


def bulk_rate(name: str, rules: Rules, seconds: float) -> float:
    """Hanchan a second of CPU without mjai."""
    seating = seating_of(GAME, rules, name)
    return rate(lambda first, last: play(GAME, rules, seating, 1, first, last), seconds, 20, time.process_time)[0]


def measured(
    what: str, bulk: Answers, seat: Callable[[], list[Ask]], rules: Rules, seconds: float, clock: Callable[[], float]
) -> Answers:
    """Play hanchan for so long, after one deal to warm up."""
    times: list[tuple[float, bool]] = []
    MjaiTable(seat(), GAME.rulebook.make("hand"), 2).run()
    began, done = clock(), 0
    while not done or clock() - began < seconds:
        MjaiTable([timed(ask, times) for ask in seat()], rules, 1, done).run()
        done += 1
    played = 60 * done / (clock() - began)
    moves = [each for each, is_move in times if is_move]
    return Answers(what, played, bulk.what, played / bulk.rate, moves, max(each for each, _ in times))


def timed(ask: Ask, times: list[tuple[float, bool]]) -> Ask:
    def answered(line: str) -> str:
        began = time.perf_counter()
        answer = ask(line)
        times.append((1000 * (time.perf_counter() - began), answer.rstrip() != NOTHING))
        return answer

    return answered


def in_process(entrant: Entrant, rules: Rules) -> Callable[[], list[Ask]]:
    return lambda: [asking(Bot(entrant, rules)) for _ in range(GAME.seats)]


@contextmanager
def processes(name: str) -> Iterator[list[Ask]]:
    """Four processes of `tefuda mjai`, which end with the block."""
    with ExitStack() as stack:
        yield [stack.enter_context(process(name)) for _ in range(GAME.seats)]


@contextmanager
def process(name: str) -> Iterator[Ask]:
    command = [sys.executable, "-m", "tefuda", "mjai", "--player", name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8") as bot:
        source, out = bot.stdin, bot.stdout
        assert source is not None
        assert out is not None

        def ask(line: str) -> str:
            source.write(line + "\n")
            source.flush()
            return out.readline()

        try:
            yield ask
        finally:
            source.close()
