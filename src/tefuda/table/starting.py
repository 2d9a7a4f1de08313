"""A new session from what a person says: a game, opponents, rules, and what was left open chosen."""

import secrets
from collections.abc import Sequence
from pathlib import Path

from tefuda import outside
from tefuda.contract import Game
from tefuda.errors import Problem, counted
from tefuda.games import find, names
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import Player, entrants_of
from tefuda.table.record import fresh_path
from tefuda.table.session import Session

MOST_DEALS = 1_000_000  # among which a new one is chosen


def begin(
    game: str, opponents: Sequence[Player], seed: int, deal: int | None, seat: int, rules: str | None,
    changes: Sequence[str] | None, record: str | Path | None,
) -> Session:  # fmt: skip
    """The person in one seat, players in the others; the last of fewer opponents takes the seats that are left."""
    found = find(game)
    if outside.whole("seat", seat, 0, outside.MOST_SEED) >= found.seats:
        raise Problem(f"--seat is {seat}, but {found.name} has the seats 0 to {found.seats - 1}")
    players = outside.sequence("opponents", opponents) or [found.players.default_opponent]
    if len(players) > found.seats - 1:
        raise Problem(
            f"{found.name} has {counted(found.seats - 1, 'other seat')}, but {len(players)} opponents were named"
        )
    players += [players[-1]] * (found.seats - 1 - len(players))
    chosen = found.rulebook.make(rules, changes)
    entrants: list[Entrant | None] = [*entrants_of(found, players, chosen)]
    entrants.insert(seat, None)
    seed, number = outside.seed(seed), secrets.randbelow(MOST_DEALS) if deal is None else outside.deal(deal)
    path = fresh_path(Path("games"), found, seed, number) if record is None else outside.place("record", record)
    source = game if own_game(game) is not None else None
    return Session.start(found, entrants, path, chosen, seed, number, source=source)


def own_game(game: str | None) -> Game | None:
    """A game of the user's own, given by its path; None for one that comes with the package."""
    return find(game) if game is not None and game not in names() else None
