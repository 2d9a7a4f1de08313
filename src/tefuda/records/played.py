"""A record of any format as a game that was played: what a review reads."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from tefuda import games
from tefuda.contract import Game
from tefuda.errors import Problem
from tefuda.outside import json_value
from tefuda.records.finding import OWN, Text, texts
from tefuda.records.foreign import read
from tefuda.table.played import Played, play_through, played_of
from tefuda.table.record import GameRecord, record_from
from tefuda.table.table import Table

MOST_NAME = 40  # characters of a player's name


def played_in(path: Path, game: str | None = None, number: int | None = None) -> Played:
    """The game of a file, once all of it has been checked. Of several records `number` chooses one, from 1; `game` is
    needed where it is one of one's own."""
    return played_from(chosen(texts(path, game), path, number), path, games.find(game) if game else None)


def chosen(found: Iterator[Text], path: Path, number: int | None = None) -> Text:
    """One of several records by its number, from 1; without a number, the only one."""
    text = next(islice(found, (number or 1) - 1, None), None)
    if text is None:
        raise Problem(f"{path} has no record {number}: it has fewer")
    if number is None and next(found, None) is not None:
        raise Problem(f"{path} has several records: choose one with --number")
    return text


def played_from(text: Text, path: Path, given: Game | None = None) -> Played:
    """The game of one record. A record never makes us run code at a path it names: a game of one's own is `given`."""
    if text.format == OWN:
        return played_of(own_record(text, path), path, given)
    game, match = read(text)
    records = game.records
    decisions = records.decisions if records else None
    if records is None or decisions is None or records.about is None:
        raise Problem(f"{path}: records of {game.name} in the format {text.format} have no decisions to look at")
    for disagreement in records.verify(match):
        raise Problem(f"it disagrees with the rules: {disagreement}")
    rules, players = records.about(match)
    named = [_shown(name) or str(seat + 1) for seat, name in enumerate(players)]

    def pieces() -> Iterator[tuple[Table, Sequence[int]]]:
        for states, actions in decisions(match):
            yield Table.of_round(game, rules, states), actions.tolist()

    return play_through(text.name, game, rules, named, pieces())


def own_record(text: Text, path: Path) -> GameRecord:
    """A record in our own format."""
    try:
        value = json_value(text.text)
    except ValueError:
        raise Problem(f"{path} is not a game record: it is damaged or another kind of file") from None
    return record_from(value, path)


def _shown(name: str) -> str:
    """A name out of a file as it can be shown anywhere."""
    return "".join(character for character in name if character.isprintable())[:MOST_NAME]
