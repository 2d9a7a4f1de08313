"""Ladders: a cross table of players, each against each, kept in a file that grows cell by cell.

A cell is a match (arena/match.py): one player in one seat, another in all the others, every deal in all rotations.
At a table of two the match of A and B also gives the cell of B and A, its mirror. Where equal players get a known
figure the diagonal is that figure; elsewhere it is played, since what is fair then depends on who plays.

Every cell has deals of its own, from a seed made of the ladder's seed and the two names, so that cells are
independent and a new player changes no other cell.

A cell stands as long as both players are who they were: the same policy of the game with the same numbers, or the
same source file. A policy that was trained again is played again, in its row and column only. A change of the code
itself is not seen. But cells name their commit: those of players who are named for it (`again`) are played anew where
they are of another one.

Several processes can work on one file. Each adds its cells to those that are there, and leaves out what another has
played in the meantime.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from tefuda import outside
from tefuda.arena import rating
from tefuda.arena.match import match
from tefuda.contract import Game, Rules
from tefuda.errors import Problem, unknown
from tefuda.files.frames import Columns, Framed
from tefuda.files.lock import turn
from tefuda.files.provenance import commit
from tefuda.files.whole import name_of_file, read_json, write_bytes
from tefuda.intervals import Interval
from tefuda.kernel.cluster import Cluster
from tefuda.players.entrant import Entrant
from tefuda.players.identity import digest, identity
from tefuda.players.resolve import Player, entrants_of
from tefuda.progress import Progress

FORMAT = "tefuda ladder 1"


@dataclass(frozen=True)
class Cell:
    """What a player got against another in all other seats, and all that is needed to play it again."""

    player: str
    opponents: str
    player_identity: str
    opponents_identity: str
    rules: str
    deals: int
    rotations: int
    seed: int
    commit: str
    mean: float
    low: float
    high: float
    mirror: bool = False  # the other side of a match of two, which is no evidence of its own

    @property
    def figure(self) -> Interval:
        return Interval(self.mean, self.low, self.high)


@dataclass(frozen=True)
class LadderRow:
    """Where a player stands; None while too few cells have been played."""

    name: str
    rating: Interval | None
    against_all: Interval | None  # the plain mean of its advantages over all opponents, which assumes nothing


@dataclass(repr=False)
class Ladder(Framed):
    """The players of a cross table, and the cells that have been played."""

    game: Game
    rules: Rules
    seed: int
    players: list[Entrant]
    path: Path
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)  # also of players who are not listed this time
    command: str = ""  # that made it
    kept: bool = True  # in its file
    again: frozenset[str] = frozenset()  # players whose code has changed: no cell of theirs of another commit stands

    def __post_init__(self) -> None:
        self.played: dict[tuple[str, str], Cell] = {}  # by this process
        self.identities = {player.name: identity(player) for player in self.players}

    def __repr__(self) -> str:
        digits = self.game.scoring.headline_under(self.rules).digits
        rated = [f"{each.name} {each.rating.text(digits) if each.rating else '–'}" for each in self.rated()[0]]
        return f"<ladder of {self.heading()}: {', '.join(rated)}>"

    def heading(self) -> str:
        figure = self.game.scoring.headline_under(self.rules).name
        return f"{self.game.name}, rules {self.rules}, advantage in {figure}, seed {self.seed}"

    def columns(self) -> Columns:
        """The players, the best first: the rating and the mean over all others, each with its ends."""
        found: dict[str, list[Any]] = {"player": [each.name for each in self.rated()[0]]}
        for key in ("rating", "against_all"):
            intervals = [getattr(each, key) for each in self.rated()[0]]
            for end in ("mean", "low", "high"):
                name = key if end == "mean" else f"{key}_{end}"
                found[name] = [getattr(each, end) if each else None for each in intervals]
        return found

    @property
    def fair(self) -> float | None:
        """What each of equal players gets, where that is the same for all of them."""
        return (
            self.game.scoring.headline_under(self.rules).fair
            if self.game.scoring.total_under(self.rules) is not None
            else None
        )

    def stands(self, player: Entrant, opponents: Entrant) -> Cell | None:
        """The cell of two players as they are now."""
        cell = self.cells.get((player.name, opponents.name))
        found = (self.identities[player.name], self.identities[opponents.name])
        return cell if cell and (cell.player_identity, cell.opponents_identity) == found else None

    def pairs(self) -> list[tuple[Entrant, Entrant]]:
        """The matches of a whole ladder; those with slow players last, so that most of the table is there soon."""
        pairs = [(player, player) for player in self.players if self.fair is None]
        for index, player in enumerate(self.players):
            for other, opponents in enumerate(self.players):
                if other != index and (self.game.seats > 2 or index < other):
                    pairs.append((player, opponents))
        return sorted(pairs, key=lambda pair: any(player.slow for player in pair))

    def missing(self, deals: int, slow_deals: int) -> list[tuple[Entrant, Entrant, int]]:
        """The matches that are still to be played, with their deals. A cell of more deals than asked for stands."""
        todo = []
        for player, opponents in self.pairs():
            wanted = slow_deals if player.slow or opponents.slow else deals
            if not self._stands_with(player, opponents, wanted):
                todo.append((player, opponents, wanted))
        return todo

    def play(self, deals: int, slow_deals: int, threads: int | None = None, cluster: Cluster | None = None) -> None:
        """Play what is missing; after every cell the file holds all cells so far."""
        todo = self.missing(deals, slow_deals)
        if todo:
            self.write()  # a place that cannot be written to is told now, not after the first match
        with Progress(f"ladder of {self.game.name}", len(todo), "matches") as progress:
            for done, (player, opponents, wanted) in enumerate(todo):
                if not self._stands_with(player, opponents, wanted):
                    self._play(player, opponents, wanted, threads, cluster)
                    self.write()
                progress.update(done + 1)

    def _stands_with(self, player: Entrant, opponents: Entrant, wanted: int) -> bool:
        """Whether a cell has been played with so many deals: by another process, say."""
        cell = self.stands(player, opponents)
        return cell is not None and cell.deals >= wanted and not self._outdated(cell)

    def _outdated(self, cell: Cell) -> bool:
        """Whether a cell is to be played anew since the code of one of its players has changed."""
        return bool(self.again & {cell.player, cell.opponents}) and cell.commit != commit()

    def _play(
        self, player: Entrant, opponents: Entrant, deals: int, threads: int | None, cluster: Cluster | None
    ) -> None:
        seed = cell_seed(self.seed, player.name, opponents.name)
        result = match(self.game, [player, opponents], deals, seed, self.rules, threads, cluster=cluster)
        sides = [(player, opponents)]
        if self.game.seats == 2 and player is not opponents:
            sides.append((opponents, player))
        for side, (one, other) in enumerate(sides):
            figure = result.rows[side].figure
            self.played[one.name, other.name] = self.cells[one.name, other.name] = Cell(
                one.name, other.name, self.identities[one.name], self.identities[other.name], str(self.rules),
                result.deals, result.rotations, seed, result.commit, figure.mean, figure.low, figure.high, side == 1,
            )  # fmt: skip

    def equals(self, player: Entrant) -> Interval | None:
        """What a player gets among equals: the diagonal."""
        if self.fair is not None:
            return Interval(self.fair, self.fair, self.fair)
        cell = self.stands(player, player)
        return cell.figure if cell else None

    def figure(self, player: Entrant, opponents: Entrant) -> Interval | None:
        """What the table shows for two players, the diagonal included."""
        if player is opponents:
            return self.equals(player)
        cell = self.stands(player, opponents)
        return cell.figure if cell else None

    def advantage(self, player: Entrant, opponents: Entrant) -> Interval | None:
        """What a player gets beyond what one of the opponents would in its seat; positive is better."""
        figure, equals = self.figure(player, opponents), self.equals(opponents)
        if figure is None or equals is None or player is opponents:
            return None
        mean = self.sign * (figure.mean - equals.mean)
        half = math.hypot(figure.high - figure.low, equals.high - equals.low) / 2
        return Interval(mean, mean - half, mean + half)

    @property
    def sign(self) -> int:
        return 1 if self.game.scoring.headline_under(self.rules).higher_is_better else -1

    def rated(self) -> tuple[list[LadderRow], float | None]:
        """All players, the best first, and the misfit of their ratings: see arena/rating.py."""
        entries = []
        for index, player in enumerate(self.players):
            for other, opponents in enumerate(self.players):
                cell = self.stands(player, opponents)
                if cell and not cell.mirror:
                    spread = rating.spread_of(cell.figure, cell.deals)
                    entries.append(rating.Entry(index, other, self.sign * cell.mean, spread, cell.deals))
        fair = None if self.fair is None else self.sign * self.fair
        found = rating.rate(len(self.players), entries, fair)
        standings = [
            LadderRow(player.name, found.ratings[index] if found else None, self._against_all(player))
            for index, player in enumerate(self.players)
        ]
        if found:
            standings.sort(key=lambda standing: -standing.rating.mean)  # type: ignore[union-attr]
        return standings, found.misfit if found else None

    def deals_of(self, player: Entrant) -> list[int]:
        """The different numbers of deals that a player's cells against others have, the largest first."""
        cells = [self.stands(player, other) for other in self.players if other is not player]
        return sorted({cell.deals for cell in cells if cell is not None}, reverse=True)

    def _against_all(self, player: Entrant) -> Interval | None:
        found = [self.advantage(player, other) for other in self.players if other is not player]
        known = [each for each in found if each is not None]
        if len(known) < len(found):
            return None
        mean = sum(each.mean for each in known) / len(known)
        half = math.hypot(*(each.high - each.low for each in known)) / 2 / len(known)
        return Interval(mean, mean - half, mean + half)

    def data(self) -> dict[str, Any]:
        """As one object of JSON: what is kept in the file."""
        headline = self.game.scoring.headline_under(self.rules)
        standings, misfit = self.rated()
        return {
            "format": FORMAT, "game": self.game.name, "rules": str(self.rules), "seed": self.seed,
            "figure": headline.name, "higher_is_better": headline.higher_is_better, "fair": self.fair,
            "command": self.command, "misfit": misfit,
            "players": [
                {
                    "name": each.name, "identity": self.identities[each.name],
                    "rating": each.rating.data() if each.rating else None,
                    "against_all": each.against_all.data() if each.against_all else None,
                }
                for each in standings
            ],
            "cells": [asdict(cell) for cell in self.cells.values()],
        }  # fmt: skip

    def write(self) -> None:
        """Write the file with all cells: ours, and those that another process has added to it."""
        if not self.kept:
            return
        with turn(self.path.parent):
            there = _read(self.path, self.game, self.rules, self.seed)
            ours = {key: cell for key, cell in self.played.items() if not self._better(there.get(key), cell)}
            self.cells |= {**there, **ours}
            self._write()

    def _better(self, other: Cell | None, cell: Cell) -> bool:
        """Whether another cell of the same players has more deals, and stands."""
        return (
            other is not None
            and other.deals > cell.deals
            and ((other.player_identity, other.opponents_identity) == (cell.player_identity, cell.opponents_identity))
            and not self._outdated(other)
        )

    def _write(self) -> None:
        write_bytes(self.path, (json.dumps(self.data(), ensure_ascii=False, indent=1) + "\n").encode())


def begin(
    game: Game,
    rules: Rules,
    seed: int,
    folder: str | Path | None,
    names: Sequence[Player] = (),
    more: Sequence[Player] = (),
    again: Sequence[str] = (),
) -> Ladder:
    """The ladder of a game in a folder: a new one, or with the cells that its file has. Without a folder it is kept
    nowhere.

    `names` are its players, all who play by these rules when none are given, each in one way; `more` join them.
    `again` names those whose code has changed: their cells of other commits are played anew.
    """
    seed = outside.seed(seed)
    registered = [player.name for player in game.players.playing(game.players.named, rules) if "/" not in player.name]
    named = outside.sequence("players", names) or registered
    found = entrants_of(game, [*named, *outside.sequence("players", more)], rules)
    players = list({player.name: player for player in found}.values())
    if len(players) < 2:
        found_names = ", ".join(player.name for player in players) or "none"
        raise Problem(f"a ladder takes two players or more, but only {found_names} was named")
    for name in outside.sequence("again", again):
        if name not in {player.name for player in players}:
            raise unknown("player of this ladder", name, [player.name for player in players])
    place = Path() if folder is None else outside.place("out", folder)
    path = place / f"{name_of_file(f'{game.name}-{rules}')}.json"
    if folder is None:
        return Ladder(game, rules, seed, players, path, kept=False)
    return Ladder(game, rules, seed, players, path, _read(path, game, rules, seed), again=frozenset(again))


def _read(path: Path, game: Game, rules: Rules, seed: int) -> dict[tuple[str, str], Cell]:
    """The cells in a file; a file that is not this very ladder is refused, so that nothing of it is lost."""
    if not outside.is_there(path):
        return {}
    content = read_json(path, "ladder")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise Problem(f"{path} is not a ladder of the format {FORMAT!r}: choose another place with --out")
    for key, ours in (("game", game.name), ("rules", str(rules)), ("seed", seed)):
        if content.get(key) != ours:
            raise Problem(
                f"{path} is a ladder with {key} {content.get(key)!r}, not {ours!r}: choose another place with --out"
            )
    try:
        cells = [_cell(entry) for entry in content["cells"]]
    except (KeyError, TypeError, ValueError):
        raise Problem(f"{path} is a damaged ladder: remove it, or choose another place with --out") from None
    return {(cell.player, cell.opponents): cell for cell in cells}


def _cell(entry: dict[str, Any]) -> Cell:
    """A cell as it was written; a TypeError or ValueError when it was not written so."""
    cell = Cell(**entry)
    for each in fields(Cell):
        value = getattr(cell, each.name)
        if type(value) is not each.type:
            raise TypeError(each.name)
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(each.name)
    if cell.deals < 2:
        raise ValueError("deals")
    return cell


def cell_seed(seed: int, player: str, opponents: str) -> int:
    """The seed of a cell: its own, and the same whoever else is on the ladder."""
    return int.from_bytes(digest([str(seed), player, opponents])[:4], "big")
