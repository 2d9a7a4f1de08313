"""How quickly the web table answers: two hundred people at two hundred tables, each moving every two seconds.

The server is a process of its own, as `tefuda web` starts it. The people are connections of this process, which shares
the cores with it. The time of an answer goes from sending a move to reading the table after it and after all that the
programs have answered. At the end every table's record is read: a move that is not in it was lost.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from websockets.asyncio.client import connect

from tefuda.errors import Problem
from tefuda.games import find
from tefuda.kernel.threads import cores
from tefuda.progress import Progress

PEOPLE = 200
EVERY = 2.0  # seconds between two moves of one person
LEAST = 10.0  # seconds of a measurement
GOAL, SHARE = 250.0, 0.99  # milliseconds, and how many of the answers must come within
ENOUGH = 0.9  # of the moves that the people would make, were they answered at once
LONGEST = 20.0  # seconds after which an answer counts as lost
GAMES = (("koikoi", "paper"), ("tricks", "hearts"), ("saichugen", "stake"), ("mahjong", "hand"))


@dataclass(frozen=True)
class Answers:
    """The answers of one game's tables, or of all; milliseconds."""

    what: str
    people: int
    times: list[float]
    lost: int

    title: ClassVar = f"Answers to moves: {PEOPLE} people, each moving every {EVERY:g} seconds"
    columns: ClassVar = ("tables", "people", "moves", "median ms", "99 % ms", "longest ms", "lost", "")
    right: ClassVar = {1, 2, 3, 4, 5, 6}
    cpu: tuple[float, float, float, int] = (0.0, 0.0, 1.0, 1)  # once all sit: seconds of the server, of the people and
    # of the clock, and moves

    def within(self, share: float) -> float:
        """So many of the answers came within this time."""
        return sorted(self.times)[min(len(self.times) - 1, int(share * len(self.times)))] if self.times else 0.0

    @property
    def met(self) -> bool:
        return self.lost == 0 and bool(self.times) and self.within(SHARE) < GOAL

    def data(self) -> dict[str, Any]:
        return {
            "what": self.what, "people": self.people, "moves": len(self.times), "median_ms": self.within(0.5),
            "most_ms": self.within(SHARE), "longest_ms": self.within(1.0), "lost": self.lost, "goal_ms": GOAL,
            "met": self.met, "server_cpu_seconds": self.cpu[0],
        }  # fmt: skip

    def cells(self) -> list[str]:
        figures = [f"{self.within(share):.0f}" for share in (0.5, SHARE, 1.0)]
        return [self.what, str(self.people), f"{len(self.times):,}", *figures, str(self.lost), "✓" if self.met else "✗"]

    @staticmethod
    def notes(rows: "list[Answers]") -> list[str]:
        server, people, clock, moves = rows[0].cpu
        moves = max(1, moves)
        notes = [
            f"Wanted: {SHARE:.0%} of the answers within {GOAL:.0f} ms, none lost.",
            f"A move takes {1000 * server / moves:.1f} ms of CPU of the server, and {1000 * people / moves:.1f} ms of "
            "the people's process.",
        ]
        wanted = PEOPLE / EVERY * clock
        if moves < ENOUGH * wanted and server + people < cores() * clock / 2:
            notes.append("Other programs have kept this machine busy: these times are not those of an idle one.")
        return notes


@dataclass
class Person:
    """Somebody at a table."""

    game: str
    preset: str
    number: int
    times: list[float] = field(default_factory=list)
    lost: int = 0
    moves: dict[str, tuple[str, list[int]]] = field(default_factory=dict)  # by table: the key, and what was decided

    async def play(self, base: str, until: float) -> None:
        """Play one game after the other."""
        await asyncio.sleep(EVERY * self.number / PEOPLE)
        while time.monotonic() < until:
            opened = await asyncio.to_thread(post, f"{base}/api/tables", self.wanted())
            self.moves[opened["table"]] = opened["key"], []
            address = f"{base.replace('http', 'ws', 1)}/ws/tables/{opened['table']}"
            async with connect(address, origin=base, compression=None, max_size=None) as socket:
                await socket.send(json.dumps({"type": "hello", "key": opened["key"]}))
                await self.sit(socket, opened["table"], until)

    def wanted(self) -> dict[str, Any]:
        game = find(self.game)
        programs = [game.players.default_opponent] * (game.seats - 1)
        return {"game": self.game, "preset": self.preset, "seats": ["person", *programs], "deal": self.number}

    async def sit(self, socket: Any, table: str, until: float) -> None:
        """Move every two seconds, until the game or the measurement is over."""
        luck = random.Random(self.number)
        message, sent = await self.told(socket), 0.0
        while not message["over"] and time.monotonic() < until:
            if not message["turns"] or not message["turns"][-1]["scene"].get("moves"):
                message = await self.told(socket)  # somebody else is asked
                continue
            if sent:
                self.times.append(1000 * (time.monotonic() - sent))
            turn, scene = message["turns"][-1]["turn"], message["turns"][-1]["scene"]
            await asyncio.sleep(EVERY * luck.uniform(0.8, 1.2))
            action = luck.choice(scene["moves"])["action"]
            self.moves[table][1].append(action)
            sent = time.monotonic()
            await socket.send(json.dumps({"type": "move", "turn": turn, "action": action}))
            message = await self.told(socket)
        if sent and message["over"]:
            self.times.append(1000 * (time.monotonic() - sent))

    async def told(self, socket: Any) -> dict[str, Any]:
        """The next message that tells turns."""
        try:
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), LONGEST))
                if message["type"] == "turns":
                    return message
                if message["type"] in ("refused", "gone"):
                    raise Problem(f"the server refused a move: {message['why']['en']}")
        except TimeoutError:
            self.lost += 1
            raise Problem("a move was not answered") from None

    def count_lost(self, base: str) -> None:
        """Moves that the records do not have. The last one of a table that was left may still be on its way."""
        for table, (key, decided) in self.moves.items():
            record = post(f"{base}/api/tables/{table}/record", None, key)
            kept = [action for seat, action, _ in record["actions"] if seat == 0]
            self.lost += len(decided) - len(kept) if kept == decided[: len(kept)] else len(decided)


def post(address: str, body: Any, key: str = "") -> Any:
    """Ask the server; without a body, by GET."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    content = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(address, content, headers), timeout=60) as answer:
        return json.load(answer)


def run(device: str, seconds: float, threads: int | None) -> list[Answers]:
    """All measurements together: the tables of all games at once."""
    if device != "cpu":
        raise Problem(f"the web table is measured on the CPU: leave out --device {device}")
    with tempfile.TemporaryDirectory(prefix="tefuda-web-") as folder:
        games = [name for name, _ in GAMES]
        command = [sys.executable, "-m", "tefuda", "web", *games, "--no-open", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            words = server.stdout.readline().split()
            if len(words) < 3:
                raise Problem("the server did not start")
            return asyncio.run(measure(words[2].rstrip("/"), max(LEAST, seconds), server.pid))
        finally:
            server.terminate()
            server.wait()


def cpu_of(process: int) -> float:
    """Seconds of CPU that a process has taken; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(base: str, seconds: float, server: int) -> list[Answers]:
    """All people at their tables for so long."""
    people = [Person(*GAMES[number % len(GAMES)], number) for number in range(PEOPLE)]
    until = time.monotonic() + EVERY + seconds
    playing = asyncio.gather(*(person.play(base, until) for person in people))
    await asyncio.wait([playing], timeout=2 * EVERY)  # until all sit
    began, server_before, before = time.monotonic(), cpu_of(server), time.process_time()
    moves = sum(len(person.times) for person in people)
    with Progress("people at their tables", seconds + EVERY, "seconds") as progress:
        while not playing.done():
            progress.update(min(seconds + EVERY, seconds + EVERY - (until - time.monotonic())))
            await asyncio.wait([playing], timeout=0.5)
    await playing
    moves = sum(len(person.times) for person in people) - moves
    cpu = cpu_of(server) - server_before, time.process_time() - before, time.monotonic() - began, moves
    await asyncio.sleep(1.0)
    for person in people:
        await asyncio.to_thread(person.count_lost, base)
    kinds = {"all": people} | {game: [each for each in people if each.game == game] for game, _ in GAMES}
    return [
        Answers(what, len(some), [one for each in some for one in each.times], sum(each.lost for each in some), cpu)
        for what, some in kinds.items()
    ]
