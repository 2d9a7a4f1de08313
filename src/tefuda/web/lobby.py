"""What the lobby tells: games, their rules and players, levels, today's deal, pages of results."""

import datetime
from functools import cache
from pathlib import Path
from typing import Any

from tefuda.contract import LEVELS, Game, Name, Option, Reader, Rules
from tefuda.errors import Problem
from tefuda.files.whole import read_json
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.sources import FOLDER as PACKAGE
from tefuda.table.evaluation import unit_of
from tefuda.table.scene import scene_of
from tefuda.table.table import Table
from tefuda.version import __version__
from tefuda.web.house import House
from tefuda.web.messages import name_data
from tefuda.web.results import pages
from tefuda.web.telling import lines_in_both

LADDERS = PACKAGE.parents[1] / "docs" / "ladder"  # of a checkout; an installed package has none
LEVEL_NAMES = {
    "easy": Name("やさしい", "easy"), "middle": Name("ふつう", "middle"), "hard": Name("つよい", "hard"),
    "champion": Name("チャンピオン", "champion"),
}  # fmt: skip


def lobby_data(house: House) -> dict[str, Any]:
    """All that the lobby needs to know."""
    return {
        "version": __version__,
        "games": [_game_data(game) for game in house.games.values()],
        "today": {"deal": todays_deal()},
        "results": pages(),
    }


def todays_deal(day: datetime.date | None = None) -> int:
    """The number of the day, as in 20261116: the same for everybody."""
    day = day or datetime.datetime.now(datetime.UTC).date()
    return int(day.strftime("%Y%m%d"))


@cache
def _game_data(game: Game) -> dict[str, Any]:
    book, players = game.rulebook, game.players
    usual = book.make()
    presets = [_preset_data(game, name) for name in book.presets]
    return {
        "name": game.name, "title": name_data(game.title), "seats": game.seats, "deck": _deck_of(game),
        "presets": presets,
        "options": [
            {
                "name": option.key, "about": name_data(game.words.about(option.key, option.meaning)),
                "default": option.text(usual.values[option.key]),
                **_values_data(game, option),
            }
            for option in book.options
        ],
        "players": [
            {
                "name": name, "about": name_data(game.words.about(name, about)), "only": only,
                "level": _level_of(game, usual, name), "strength": strength(game, usual.preset, name),
            }
            for name, about, only in _listed(game)
        ],
        "levels": presets[0]["levels"], "usual": players.default_opponent, "adviser": players.hint_player,
        "hints": {"unit": name_data(unit_of(game))},
    }  # fmt: skip


def _values_data(game: Game, option: Option) -> dict[str, Any]:
    """The values that an option may have; `names` has what some are called in Japanese."""
    if not option.values:
        return {"low": option.low, "high": option.high}
    names = {value: game.words.about(f"{option.key}={value}", value) for value in option.values}
    told = {value: name_data(name) for value, name in names.items() if name.ja != name.en}
    return {"choices": list(option.values), "names": told}


def _preset_data(game: Game, name: str) -> dict[str, Any]:
    rules = game.rulebook.make(name)
    options = {option.key: option.text(rules.values[option.key]) for option in game.rulebook.options}
    return {
        "name": name, "about": name_data(game.words.about(name, game.rulebook.about.get(name, ""))), "options": options,
        "players": [each for each in House.names(game) if game.players.named_under(each, rules)],
        "levels": [
            {"key": key, "name": name_data(LEVEL_NAMES[key]), "player": player,
             "strength": strength(game, name, player)}
            for key, player in game.players.levels_under(rules).items()
        ],
        "advisers": [*advisers(game, rules), *searchers(game, rules)],
    }  # fmt: skip


def _listed(game: Game) -> list[tuple[str, str, str]]:
    """Each player once: its name, what it is, and the rules that it is for."""
    found: dict[str, tuple[str, list[str]]] = {}
    for player in game.players.named:
        _, only = found.setdefault(player.name, (player.about, []))
        only.append(game.players.rules_of(player))
    for name in House.names(game):
        found.setdefault(name, (f"a variant of {name.partition('/')[0]}", [""]))
    return [
        (name, about, "" if "" in only else "; ".join(dict.fromkeys(only))) for name, (about, only) in found.items()
    ]


def _level_of(game: Game, rules: Rules, name: str) -> str | None:
    return next((key for key, player in game.players.levels_under(rules).items() if player == name), None)


def advisers(game: Game, rules: Rules) -> list[str]:
    """Players that can value moves in guessed worlds, the usual one first: all that do not search themselves."""
    players = game.players
    first = players.hint_player if players.named_under(players.hint_player, rules) else players.default_opponent
    order = [first, "champion", players.default_opponent, *(player.name for player in players.named)]
    fitting = [
        name
        for name in dict.fromkeys(order)
        for player in players.playing([each for each in players.named if each.name == name], rules)[:1]
        if players.policy(player.policy).search is None
    ]
    return fitting or [first]


def searchers(game: Game, rules: Rules) -> list[str]:
    """Players that search themselves, the strongest first: they say what they would do, and another values the
    moves."""
    players = game.players
    fitting = players.playing([each for each in players.named if players.policy(each.policy).search], rules)
    names = list(dict.fromkeys(player.name for player in fitting))
    return sorted(names, key=lambda name: not name.startswith("champion"))


@cache
def _deck_of(game: Game) -> str:
    """Which cards a page draws for a game."""
    return scene_of(game, Table(game).states, Reader(0)).deck


@cache
def _ladder(game: str, preset: str, folder: Path = LADDERS) -> dict[str, Any]:
    """A ladder that was played: how each player does, best first."""
    try:
        found = read_json(folder / f"{game}-{preset}.json", "ladder")
        rated = {each["name"]: each for each in found["players"] if each["rating"]}
        return {"figure": found["figure"], "players": rated}
    except (Problem, OSError, KeyError, TypeError):
        return {"figure": "", "players": {}}


def strength(game: Game, preset: str, name: str) -> dict[str, str] | None:
    """A player's strength in a line: its rating and its place in the ladder of these rules; None where none was
    played, or where the player was another one then."""
    ladder = _ladder(game.name, preset)
    order = list(ladder["players"])
    if name not in order:
        return None
    found, place, many = ladder["players"][name], order.index(name) + 1, len(order)
    if found.get("identity") != identity(resolve(game, name, game.rulebook.make(preset))):
        return None
    rating = found["rating"]
    figure = f"{rating['mean']:+.2f} ± {(rating['high'] - rating['low']) / 2:.2f}"
    ja = f"{preset} で{many}人中{place}位（{figure}）"
    return name_data(Name(ja, f"number {place} of {many} by {preset} ({figure} {ladder['figure']})"))


@cache
def guide_data(game: Game, preset: str, changed: tuple[str, ...]) -> dict[str, Any]:
    """The rules in force, in a player's words."""
    rules = game.rulebook.make(preset, changed)
    if game.words.rules:
        told = game.words.rules
        return {"lines": lines_in_both(lambda reader: told(rules, reader), Reader())}
    lines = [
        f"{option.key} = {option.text(rules.values[option.key])}: {option.meaning}" for option in game.rulebook.options
    ]
    return {"lines": [{"ja": line, "en": line} for line in lines]}


assert tuple(LEVEL_NAMES) == LEVELS
