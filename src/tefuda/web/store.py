"""What is kept: tables, their actions and the keys of their seats, in one SQLite file.

An action is answered only after it lies on the disk. One thread writes; it takes all that waits into one transaction,
so a hundred actions a second cost a few writes of the disk. Reads come from the thread that asks.
"""

import asyncio
import hashlib
import hmac
import json
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tefuda.errors import Problem
from tefuda.files.lock import keep_out_others

FILE = "tables.db"
FORMAT = 1  # of the file: PRAGMA user_version
MOST_AT_ONCE = 500  # writes in one transaction
BUSY = 10.0  # seconds that a read waits for a lock

SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, preset TEXT NOT NULL, options TEXT NOT NULL, seed TEXT NOT NULL,
    deal TEXT NOT NULL, secret INTEGER NOT NULL, practice INTEGER NOT NULL, players TEXT NOT NULL, made REAL NOT NULL,
    changed REAL NOT NULL, left_by TEXT NOT NULL DEFAULT '[]', result TEXT
) WITHOUT ROWID;
CREATE TABLE actions (
    table_id TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE keys (hash BLOB PRIMARY KEY, table_id TEXT NOT NULL, seat INTEGER) WITHOUT ROWID;
CREATE INDEX keys_of_table ON keys (table_id);
CREATE TABLE kept (
    kind TEXT NOT NULL, id TEXT NOT NULL, changed REAL NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
"""

Statement = tuple[str, Sequence[Any]]


@dataclass
class KeptTable:
    """A table as it is kept."""

    id: str
    game: str
    preset: str
    options: dict[str, str]  # every option, as it is written on the command line
    seed: int
    deal: int
    secret: bool  # several people sit here: the deal is told when the game is over
    practice: bool
    players: list[str]  # by seat: `person`, or a player's name
    made: float = field(default_factory=time.time)
    changed: float = field(default_factory=time.time)
    left_by: list[int] = field(default_factory=list)  # seats of people for whom a program plays
    result: dict[str, Any] | None = None  # once it is over


def hashed(key: str) -> bytes:
    """A key as it is kept: who reads the file cannot sit down with it."""
    return hashlib.sha256(key.encode()).digest()


class Store:
    """The file, its writer, and what can be read from it."""

    def __init__(self, folder: Path) -> None:
        self.path = Path(folder) / FILE
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            self._lock = keep_out_others(Path(folder), "web table")
            self._reader = self._connect()
            self._begin()
        except (OSError, sqlite3.Error) as error:
            raise Problem(f"tables cannot be kept in {folder}: {error}") from None
        self._jobs: queue.SimpleQueue[tuple[list[Statement], Future[None]] | None] = queue.SimpleQueue()
        self._closed = False
        self._writer = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._writer.start()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=BUSY, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        return connection

    def _begin(self) -> None:
        """Make the tables of a new file; a file of another version is refused."""
        (version,) = self._reader.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._reader.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version={FORMAT}; COMMIT;")
        elif version != FORMAT:
            raise Problem(f"{self.path} is a file of format {version}, but this version reads {FORMAT}")
        self.path.chmod(0o600)

    def close(self) -> None:
        """Write what waits, and close the file; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._writer.join()
        self._reader.close()
        os.close(self._lock)

    # Writing

    def submit(self, statements: list[Statement]) -> "Future[None]":
        """Write some statements, all or none; the future is done when they lie on the disk."""
        done: Future[None] = Future()
        self._jobs.put((statements, done))
        return done

    async def write(self, *statements: Statement) -> None:
        """The same for who can wait."""
        await asyncio.wrap_future(self.submit(list(statements)))

    def _write_all(self) -> None:
        connection = self._connect()
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            while len(jobs) < MOST_AT_ONCE and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    self._jobs.put(None)
                    break
                jobs.append(more)
            self._write_some(connection, jobs)
        connection.close()

    def _write_some(self, connection: sqlite3.Connection, jobs: list[tuple[list[Statement], "Future[None]"]]) -> None:
        """All in one transaction; where that fails, each in its own, so that one who fails stands alone."""
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statements, _ in jobs:
                for sql, values in statements:
                    connection.execute(sql, values)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            if len(jobs) == 1:
                jobs[0][1].set_exception(error)
                return
            for job in jobs:
                self._write_some(connection, [job])
            return
        for _, done in jobs:
            done.set_result(None)

    # Tables

    @staticmethod
    def adding(table: KeptTable, keys: Sequence[tuple[str, int | None]]) -> list[Statement]:
        """What writes a new table with the keys of its seats; a seat of None is a watcher's."""
        values = (
            table.id, table.game, table.preset, json.dumps(table.options), str(table.seed), str(table.deal),
            int(table.secret), int(table.practice), json.dumps(table.players), table.made, table.changed,
        )  # fmt: skip
        columns = "id, game, preset, options, seed, deal, secret, practice, players, made, changed"
        return [
            (f"INSERT INTO tables ({columns}) VALUES ({', '.join('?' * len(values))})", values),
            *(
                ("INSERT INTO keys (hash, table_id, seat) VALUES (?, ?, ?)", (hashed(key), table.id, seat))
                for key, seat in keys
            ),
        ]

    @staticmethod
    def acting(table: str, first: int, moves: Sequence[tuple[int, int]]) -> list[Statement]:
        """What writes some decisions of a table; the first has the number `first`."""
        rows = [value for number, move in enumerate(moves, start=first) for value in (table, number, *move)]
        places = ", ".join(["(?, ?, ?, ?)"] * len(moves))  # one statement: the writer waits for its turn after each
        return [
            (f"INSERT INTO actions (table_id, number, seat, action) VALUES {places}", rows),
            ("UPDATE tables SET changed = ? WHERE id = ?", (time.time(), table)),
        ]

    @staticmethod
    def taking_back(table: str, first: int) -> list[Statement]:
        """What takes back all decisions from a number on."""
        return [
            ("DELETE FROM actions WHERE table_id = ? AND number >= ?", (table, first)),
            ("UPDATE tables SET changed = ?, result = NULL WHERE id = ?", (time.time(), table)),
        ]

    @staticmethod
    def ending(table: str, result: dict[str, Any]) -> Statement:
        """What writes how a table has ended."""
        return "UPDATE tables SET result = ? WHERE id = ?", (json.dumps(result, ensure_ascii=False), table)

    @staticmethod
    def leaving(table: str, seats: Sequence[int]) -> Statement:
        """What writes for which seats programs play."""
        return "UPDATE tables SET left_by = ? WHERE id = ?", (json.dumps(list(seats)), table)

    def table(self, table: str) -> KeptTable | None:
        """A table as it is kept."""
        columns = "game, preset, options, seed, deal, secret, practice, players, made, changed, left_by, result"
        row = self._reader.execute(f"SELECT {columns} FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        game, preset, options, seed, deal, secret, practice, players, made, changed, left_by, result = row
        return KeptTable(
            table, game, preset, json.loads(options), int(seed), int(deal), bool(secret), bool(practice),
            json.loads(players), made, changed, json.loads(left_by), json.loads(result) if result else None,
        )  # fmt: skip

    def moves(self, table: str) -> list[tuple[int, int]]:
        """All decisions of a table: (seat, action)."""
        sql = "SELECT seat, action FROM actions WHERE table_id = ? ORDER BY number"
        return [(seat, action) for seat, action in self._reader.execute(sql, (table,))]

    def seat_of(self, table: str, key: str) -> tuple[bool, int | None]:
        """Whether a key opens a table, and whose seat it is; None: a watcher's."""
        given, found = hashed(key), (False, None)
        for kept, seat in self._reader.execute("SELECT hash, seat FROM keys WHERE table_id = ?", (table,)):
            if hmac.compare_digest(kept, given):
                found = (True, seat)
        return found

    def table_of(self, key: str) -> tuple[str, int | None] | None:
        """The table that a key opens, and whose seat it is. The file is asked for the hash of a key of 128 bits: how
        long that takes tells nothing about other keys."""
        row = self._reader.execute("SELECT table_id, seat FROM keys WHERE hash = ?", (hashed(key),)).fetchone()
        return (row[0], row[1]) if row is not None else None

    def size(self) -> int:
        """How many tables there are."""
        return int(self._reader.execute("SELECT COUNT(*) FROM tables").fetchone()[0])

    # Other things that are kept: reviews, positions

    @staticmethod
    def keeping(kind: str, number: str, value: Any) -> Statement:
        """What keeps a value of JSON under a name, in place of the one before."""
        sql = "INSERT OR REPLACE INTO kept (kind, id, changed, value) VALUES (?, ?, ?, ?)"
        return sql, (kind, number, time.time(), json.dumps(value, ensure_ascii=False))

    async def keep(self, kind: str, number: str, value: Any) -> None:
        """Keep a value of JSON under a name, in place of the one before."""
        await self.write(self.keeping(kind, number, value))

    def kept(self, kind: str, number: str) -> Any:
        """A value that was kept; None where there is none."""
        row = self._reader.execute("SELECT value FROM kept WHERE kind = ? AND id = ?", (kind, number)).fetchone()
        return json.loads(row[0]) if row is not None else None

    def count(self, kind: str) -> int:
        """How many values of a kind are kept."""
        return int(self._reader.execute("SELECT COUNT(*) FROM kept WHERE kind = ?", (kind,)).fetchone()[0])

    def unfinished(self, kind: str) -> list[str]:
        """The names of the values of a kind whose `state` says that there is work left, the oldest first."""
        sql = "SELECT id FROM kept WHERE kind = ? AND json_extract(value, '$.state') IN ('waiting', 'running')"
        return [number for (number,) in self._reader.execute(f"{sql} ORDER BY changed", (kind,))]
