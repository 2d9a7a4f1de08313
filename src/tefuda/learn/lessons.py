"""Lessons: games that were played, as tables and the actions taken at them, with what is to be learned from each.

They come from records of other programs, or from games that players of our own play, written down by a compiled loop.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Ranking, Rules
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, scratch, seated
from tefuda.errors import Problem
from tefuda.kernel.compile import kernel
from tefuda.kernel.threads import chunks, run_chunks
from tefuda.log import log
from tefuda.players.entrant import Entrant
from tefuda.progress import Progress
from tefuda.records import foreign

CHUNK = 8  # games that a core plays at once


@dataclass(frozen=True)
class Lessons:
    """Tables as they began, and what was done at each."""

    starts: np.ndarray  # [tables] of the game's State
    firsts: np.ndarray  # [tables + 1]: where the actions of each begin
    actions: np.ndarray  # int16, of all tables
    codes: np.ndarray  # int32: the candidate that was taken, or -1 where nothing is learned
    games: np.ndarray  # [tables]: which game each belongs to, from 0

    @property
    def number(self) -> int:
        return len(self.starts)

    def of_games(self, wanted: np.ndarray) -> np.ndarray:
        """The tables of some games; wanted [games] says which."""
        return np.flatnonzero(wanted[self.games])

    def decisions(self, tables: np.ndarray) -> int:
        """How many decisions of some tables teach."""
        taught = np.concatenate([[0], np.cumsum(self.codes >= 0)])
        return int((taught[self.firsts[tables + 1]] - taught[self.firsts[tables]]).sum())


def gather(parts: list[tuple[np.ndarray, np.ndarray, np.ndarray, int]]) -> Lessons:
    """Put tables together: each as it began, its actions, its codes and its game."""
    if not parts:
        raise Problem("there is no game to learn from")
    return Lessons(
        starts=np.concatenate([start for start, _, _, _ in parts]),
        firsts=np.concatenate([[0], np.cumsum([len(actions) for _, actions, _, _ in parts])]),
        actions=np.concatenate([actions for _, actions, _, _ in parts]),
        codes=np.concatenate([codes for _, _, codes, _ in parts]),
        games=np.array([game for _, _, _, game in parts], np.int64),
    )


def codes_of(game: Game, ranking: Ranking, start: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """What is to be learned from each action."""
    codes, mask = np.zeros(len(actions), np.int32), np.zeros(game.spaces.mask_words, np.uint64)
    ranking.lessons(start.copy(), actions, codes, mask)
    return codes


def from_records(game: Game, ranking: Ranking, path: Path) -> Lessons:
    """All games of a file of records. One that cannot be read, or does not follow the rules, is left out and told."""
    if game.records is None or game.records.decisions is None:
        raise Problem(f"{game.name} has no records to learn from")
    parts, number, left_out = [], 0, 0
    size = path.stat().st_size if path.is_file() else 0
    with Progress("reading records", size, "bytes") as progress:
        for text in foreign.texts(path, game.name, progress.update):
            try:
                _, played = foreign.read(text)
                tables = list(game.records.decisions(played))
            except Problem as problem:
                log.warning(f"left out: {problem}")
                left_out += 1
                continue
            parts += [(*table, codes_of(game, ranking, *table), number) for table in tables]
            number += 1
    if left_out:
        log.warning(f"{left_out} of {number + left_out} records of {path} were left out")
    return gather(parts)


def from_players(game: Game, ranking: Ranking, rules: Rules, teacher: Entrant, games: int, seed: int,
                 threads: int | None = None) -> Lessons:  # fmt: skip
    """Games in which a compiled player has all seats."""
    parts = []
    with Progress("playing", games, "games") as progress:
        for first, last, tables in _played(game, rules, teacher, games, seed, threads):
            for number, (start, actions) in enumerate(tables, start=first):
                parts.append((start, actions, codes_of(game, ranking, start, actions), number))
            progress.update(last)
    return gather(parts)


def _played(
    game: Game, rules: Rules, teacher: Entrant, games: int, seed: int, threads: int | None
) -> Iterator[tuple[int, int, list[tuple[np.ndarray, np.ndarray]]]]:
    """Games by chunks: each as it was dealt, and all actions."""
    players, blank = seated(game, [teacher]), game.blank(rules)
    most = game.decisions_at_most(rules)
    write_down = _writer_of(game)

    def work(first: int, last: int) -> list[tuple[np.ndarray, np.ndarray]]:
        found = []
        actions = np.zeros(most, np.int16)
        for number in range(first, last):
            start = blank.copy()
            decisions = write_down(blank, seed, number, players, scratch(game, [teacher]), start, actions)
            found.append((start, actions[:decisions].copy()))
        return found

    yield from run_chunks(work, chunks(games, CHUNK), threads)


@cache
def _writer_of(game: Game) -> Any:
    """The compiled loop that plays one game and writes it down."""
    loops = loops_of(game)
    begin, ask = loops.begin, loops.ask
    to_move, apply = game.kernels.to_move, game.kernels.apply

    def write_down(blank, seed, number, seated, scratch, start, actions):
        tables, rngs, mask, worlds, numbers, _ = scratch
        begin(tables, blank, rngs, seed, number)
        start[0] = tables[TABLE]
        decisions = 0
        while True:
            seat = to_move(tables[TABLE])
            if seat < 0:
                return decisions
            action = ask(tables, seat, 0, seated, rngs, mask, worlds, numbers)
            actions[decisions] = action
            decisions += 1
            apply(tables[TABLE], action)

    return kernel(write_down)
