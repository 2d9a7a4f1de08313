"""Positions of self-play on disk, as Parquet: a folder with a file for each PIECE of numbers.

A file says in its metadata what made it: the version of its columns, the game, what its features mean, the seed, and
who plays, by a hash of the player's policy and parameters. A file that says otherwise than is wanted is refused, and so
is one whose content does not fit its hash. It is sealed besides: among its metadata stands a hash of all its bytes, so
that a damaged file is refused before the package that reads Parquet sees it, which gives up in ways of its own. Files
are written whole or not at all, so that an interrupted run, or one that has found the disk full, goes on behind the
last of them.
"""

import hashlib
import importlib
import importlib.util
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.arena.sending import SentPlayer, sent_player, source_of
from tefuda.contract import Game, Sampled
from tefuda.errors import Problem
from tefuda.files.whole import write_bytes
from tefuda.games import find
from tefuda.kernel.cluster import Cluster
from tefuda.kernel.threads import chunks, run_chunks
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.progress import Progress

SCHEMA = "tefuda positions 1"
KEY = "tefuda"  # of our entry in the metadata of a file
PIECE = 10_000  # numbers of a file: some seconds of work, the same everywhere
AT_ONCE = 200  # numbers that a core plays at once
SEAL, OPEN = b'"seal": "', b"0" * 64  # where the seal stands among the metadata, and what stands there without it
NONE = -1
LATER = {"exploring": "random"}  # what older files do not say of themselves, and how they were made


@dataclass(frozen=True)
class Kept:
    """Positions as a file has them."""

    numbers: np.ndarray  # int64 [positions]
    rows: np.ndarray  # int32 [positions, most]: features, NONE behind the last
    plain: np.ndarray  # uint8 [positions, bytes]
    came: np.ndarray  # int8 [positions]


def polars() -> Any:
    """The package that reads and writes Parquet."""
    if importlib.util.find_spec("polars") is None:
        raise Problem("positions are kept as Parquet, which takes polars: pip install 'tefuda[frame]'")
    return importlib.import_module("polars")


def made_by(game: Game, sampled: Sampled, seats: tuple[Entrant, Entrant], seed: int) -> dict[str, Any]:
    """What tells positions from others: a file holds it."""
    player, opponent = seats
    return {
        "schema": SCHEMA, "game": game.name, "features": game.players.policy(sampled.policy).features, "seed": seed,
        "player": identity(player), "opponent": identity(opponent), "exploring": sampled.exploring,
    }  # fmt: skip


def name_of(first: int) -> str:
    return f"positions-{first:012}.parquet"


def file_of(maker: dict[str, Any], first: int, last: int, found: Any) -> bytes:
    """The file with the positions of numbers first to last - 1."""
    frames, lengths = polars(), (found.rows != NONE).sum(axis=1)
    flat = found.rows[found.rows != NONE].astype(np.uint32)
    ends = np.cumsum(lengths)
    lists = [flat[end - length : end].tolist() for end, length in zip(ends, lengths, strict=True)]
    frame = frames.DataFrame(
        {
            "number": np.asarray(found.numbers, np.int64),
            "came": np.asarray(found.came, np.int8),
            "features": frames.Series(lists, dtype=frames.List(frames.UInt32)),
            "plain": frames.Series([row.tobytes() for row in found.plain], dtype=frames.Binary),
        }
    )
    entry = {**maker, "first": first, "last": last, "content": content_of(found), "seal": OPEN.decode()}
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata={KEY: json.dumps(entry, sort_keys=True)})
    return sealed(buffer.getvalue())


def sealed(content: bytes) -> bytes:
    """The bytes of a file with their hash where the seal belongs; the same where it has no seal, as older files."""
    place = content.rfind(SEAL) + len(SEAL)
    if place < len(SEAL):
        return content
    before, after = content[:place], content[place + len(OPEN) :]
    return before + hashlib.sha256(before + OPEN + after).hexdigest().encode() + after


def content_of(found: Any) -> str:
    """A hash of what a file holds."""
    hashed = hashlib.sha256()
    on = found.rows[found.rows != NONE].astype(np.uint32)
    lengths = (found.rows != NONE).sum(axis=1)
    for array in (np.asarray(found.numbers, np.int64), np.asarray(found.came, np.int8), lengths, on, found.plain):
        hashed.update(np.ascontiguousarray(array).tobytes())
    return hashed.hexdigest()[:32]


def what_polars_raises() -> tuple[type[BaseException], ...]:
    """For what is no Parquet: errors of many types, and a panic, which is no Exception."""
    return Exception, polars().exceptions.PanicException


def bytes_of(path: Path) -> bytes:
    """The bytes of a file that is whole, as far as its seal tells."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise Problem(f"no file {path}") from None
    except OSError as error:
        raise Problem(f"cannot read {path}: {error.strerror or error}") from error
    if sealed(content) != content:
        raise Problem(f"{path} is damaged: remove it to make it again")
    return content


def entry_of(path: Path, content: bytes | None = None) -> dict[str, Any]:
    """What a file says of itself; `content` are its bytes, where they were read."""
    content = bytes_of(path) if content is None else content
    try:
        entry = outside.json_value(polars().read_parquet_metadata(io.BytesIO(content)).get(KEY, ""))
    except what_polars_raises() as error:
        raise Problem(f"{path} is damaged, or no file of positions: remove it to make it again") from error
    if not isinstance(entry, dict) or entry.get("schema") != SCHEMA:
        raise Problem(f"{path} has not the columns of {SCHEMA!r}: it was made by another version")
    return entry


def check(path: Path, maker: dict[str, Any], first: int, last: int) -> None:
    """Refuse a file of other positions than are wanted."""
    entry = {**LATER, **entry_of(path)}
    for key, wanted in {**maker, "first": first, "last": last}.items():
        if entry.get(key) != wanted:
            raise Problem(
                f"{path} holds other positions: its {key} is {entry.get(key)!r}, not {wanted!r}; "
                "remove it, or choose another folder"
            )


def read(path: Path, most: int) -> Kept:
    """The positions of a file; `most` is how many features a row has at most."""
    content = bytes_of(path)
    entry = entry_of(path, content)
    try:
        frame = polars().read_parquet(io.BytesIO(content))
        lists, plain = frame["features"], frame["plain"]
        lengths = lists.list.len().to_numpy().astype(np.int64)
        flat = np.array([each for some in lists.to_list() for each in some], np.int32)
        if len(flat) != lengths.sum() or (len(lengths) and lengths.max() > most):
            raise ValueError("lists of features of another length")
        rows = np.full((len(lengths), most), NONE, np.int32)
        rows[np.arange(most) < lengths[:, None]] = flat
        width = len(plain[0]) if len(plain) else 0
        given = np.frombuffer(b"".join(plain.to_list()), np.uint8).reshape(len(lengths), width)
        found = Kept(frame["number"].to_numpy(), rows, given, frame["came"].to_numpy())
        if content_of(found) != entry.get("content"):
            raise ValueError("a content that does not fit its hash")
    except what_polars_raises() as error:
        raise Problem(f"{path} is damaged: remove it to make it again") from error
    return found


def make(
    game: Game, sampled: Sampled, seats: tuple[Entrant, Entrant], seed: int, deals: int, folder: Path,
    threads: int | None = None, device: str = "cpu", cluster: Cluster | None = None,
) -> dict[str, int]:  # fmt: skip
    """Make all files of numbers 0 to deals - 1 that are not there yet. Returns how many deals and positions there are,
    and how many files were there before. On a cluster each file is the work of one core."""
    polars()
    maker, pieces = made_by(game, sampled, seats, seed), list(chunks(deals, PIECE))
    there = [place for place, (first, _) in enumerate(pieces) if (folder / name_of(first)).exists()]
    for place in there:
        check(folder / name_of(pieces[place][0]), maker, *pieces[place])
    missing = [pieces[place] for place in range(len(pieces)) if place not in set(there)]
    making = Making(game, sampled, seats, seed)
    with Progress("making positions", sum(last - first for first, last in missing), "deals") as progress:
        done = 0

        def told(more: int) -> None:
            progress.update(done + more)

        if cluster is not None:
            files: Iterator[tuple[int, int, bytes]] = cluster.run(making, missing, in_order=False)
        else:
            play = _on_cuda(making) if device == "cuda" else _on_cores(making, threads)
            files = ((*piece, file_of(maker, *piece, play(*piece, told))) for piece in missing)
        for first, last, content in files:
            write_bytes(folder / name_of(first), content)
            done += last - first
            progress.update(done)
    positions = sum(_number(folder / name_of(first)) for first, _ in pieces)
    return {"deals": deals, "positions": positions, "files": len(pieces), "files there before": len(there)}


def _number(path: Path) -> int:
    try:
        return int(polars().scan_parquet(path).select(polars().len()).collect().item())
    except what_polars_raises() as error:
        raise Problem(f"{path} is damaged: remove it to make it again") from error


@dataclass(frozen=True)
class Making:
    """What is played for files of positions. It makes a whole file, also on another machine."""

    game: Game
    sampled: Sampled
    seats: tuple[Entrant, Entrant]
    seed: int

    def play(self, first: int, last: int) -> Any:
        """The positions of some numbers, on one core."""
        return self.sampled.piece(self.game, *self.seats, self.seed, first, last)

    def __call__(self, first: int, last: int) -> bytes:
        """The file of some numbers, on one core."""
        maker = made_by(self.game, self.sampled, self.seats, self.seed)
        return file_of(maker, first, last, self.play(first, last))

    def __reduce__(self) -> tuple[Callable[..., "Making"], tuple[Any, ...]]:
        players = [sent_player(seat) for seat in self.seats]
        return _making, (source_of(self.game), self.sampled.exploring, players, self.seed)


def _making(source: str, exploring: str, players: list[SentPlayer], seed: int) -> Making:
    game = find(source)
    sampled = game.learning.sampled
    assert sampled is not None  # it was there where this was sent from
    polars()
    player, opponent = (each.found(game, game.rulebook.make()) for each in players)
    return Making(game, sampled.exploring_by(exploring), (player, opponent), seed)


Play = Callable[[int, int, Callable[[int], None]], Any]  # the positions of a file; how far it is is told


def _on_cores(making: Making, threads: int | None) -> Play:
    def play(first: int, last: int, told: Callable[[int], None]) -> Kept:
        pieces, found = [(first + a, first + b) for a, b in chunks(last - first, AT_ONCE)], []
        for _, end, some in run_chunks(making.play, pieces, threads):
            found.append(some)
            told(end - first)
        return joined(found)

    return play


def _on_cuda(making: Making) -> Play:
    if making.sampled.lanes is None:
        raise Problem(f"{making.game.name} makes positions on the CPU only: leave out --device cuda")
    lanes = making.sampled.lanes(making.game, *making.seats, PIECE)

    def play(first: int, last: int, told: Callable[[int], None]) -> Kept:
        lanes.play(making.seed, first)
        found = lanes.positions()
        some = found.numbers < last
        return Kept(found.numbers[some], found.rows[some], found.plain[some], found.came[some])

    return play


def joined(found: list[Any]) -> Kept:
    """Positions of several pieces as one."""
    return Kept(
        *(np.concatenate([getattr(some, key) for some in found]) for key in ("numbers", "rows", "plain", "came"))
    )


def piece_of(folder: Path, maker: dict[str, Any], first: int, last: int, most: int) -> Kept:
    """The positions of the file that begins with number `first`, as `make` has made it."""
    path = folder / name_of(first)
    if not path.exists():
        raise Problem(
            f"{folder} has no positions of numbers {first:,} to {last - 1:,}: make them by `tefuda positions`"
        )
    check(path, maker, first, last)
    return read(path, most)
