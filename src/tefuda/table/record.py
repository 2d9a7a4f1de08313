"""Game records: one game in one JSON file, enough to play it again move by move.

A record names the game, its rules, the seed and the deal, who sat where, and every decision; the cards follow
from these. A line of `actions` is [seat, action, name]; the numbers are what counts. The name is for people, and
tells where a game of one's own has changed since: `kernels` is the content name of those by which it was played.
"""

import hashlib
import json
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import games
from tefuda.contract import Game, Rules
from tefuda.errors import Problem, counted
from tefuda.files.whole import read_json, write_bytes
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.content import Unnameable, name_of
from tefuda.outside import MOST_SEED, encodable, finite
from tefuda.table.table import Table

FORMAT = "tefuda game 1"
PERSON = "person"  # the player's name for a seat where a person sits
_KEYS = ("format", "game", "rules", "seed", "deal", "players", "commit", "scores", "actions")
_LATER = ("kernels",)  # entries that older records do not have


@dataclass
class GameRecord:
    """One game: finished, or as far as it has come."""

    game: str  # a registered name, or the path of a game of one's own
    preset: str
    options: dict[str, str]  # the value of every option, as it is written on the command line
    seed: int
    deal: int
    players: list[str]  # by seat
    commit: str
    actions: list[tuple[int, int]] = field(default_factory=list)  # (seat, action)
    names: list[str] = field(default_factory=list)  # what each action was called
    scores: list[float] | None = None  # by seat, once the game is finished
    kernels: str = ""  # the content name of the game's kernels; empty where it is not known

    def rules(self, game: Game) -> Rules:
        """The rules of the record, checked against those that the game has now."""
        known = {option.key for option in game.rulebook.options}
        gone = sorted(set(self.options) - known)
        if gone:
            raise Problem(f"its rules have the option {', '.join(gone)}, which this version does not have")
        # an option that has come since is as the preset has it
        return game.rulebook.make(self.preset, [f"{key}={value}" for key, value in self.options.items()])


@dataclass(frozen=True, eq=False)
class Step:
    """One decision, with the true table [1] before and after it."""

    seat: int
    action: int
    before: np.ndarray
    after: np.ndarray
    secret: bool  # not told to the other seats


def take(table: Table, action: int) -> Step:
    """Take an action at a table and keep what it changed."""
    seat, before = table.to_move, table.states.copy()
    table.apply(action)
    return Step(seat, int(action), before, table.states.copy(), table.secrets[-1])


def record_of(table: Table, players: list[str], commit: str, source: str | None = None) -> GameRecord:
    """The record of a table before its first move."""
    game, rules = table.game, table.rules
    options = {option.key: option.text(rules.values[option.key]) for option in game.rulebook.options}
    where = source or game.name
    kernels = kernels_of(game)
    return GameRecord(where, rules.preset, options, table.seed, table.deal, list(players), commit, kernels=kernels)


def kernels_of(game: Game) -> str:
    """The content name of the kernels that deal, allow and apply: it changes with the rules of the game alone."""
    kernels = game.kernels
    try:
        names = [name_of(each) for each in (kernels.deal, kernels.to_move, kernels.legal, kernels.apply)]
    except Unnameable:
        return ""
    return hashlib.sha256("".join(names).encode()).hexdigest()[:12] if COMPILED else ""


def has_changed(record: GameRecord, game: Game) -> bool:
    """Whether the rules of a game are written in another way than when a record of it was made."""
    return bool(record.kernels) and record.kernels != kernels_of(game)


def save(path: Path, record: GameRecord) -> None:
    """Write a record, whole or not at all: a line for each entry, and a line for each decision."""
    head = {
        "format": FORMAT, "game": record.game, "rules": {"preset": record.preset, **record.options},
        "seed": record.seed, "deal": record.deal, "players": record.players, "commit": record.commit,
        **({"kernels": record.kernels} if record.kernels else {}), "scores": record.scores,
    }  # fmt: skip
    lines = [f"  {_json(key)}: {_json(value)}" for key, value in head.items()]
    moves = [f"    {_json([*move, name])}" for move, name in zip(record.actions, record.names, strict=True)]
    lines.append('  "actions": [' + ("\n" + ",\n".join(moves) + "\n  ]" if moves else "]"))
    write_bytes(Path(path), ("{\n" + ",\n".join(lines) + "\n}\n").encode(), "--record")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def load(path: Path) -> GameRecord:
    """Read a record, or say in one line why it is none."""
    return record_from(read_json(Path(path), "game record"), Path(path))


def record_from(value: Any, path: Path) -> GameRecord:
    """A record from the JSON that a file holds."""
    written = value.get("format") if isinstance(value, dict) else None
    if not isinstance(written, str) or not written.startswith("tefuda game "):
        raise Problem(f"{path} is not a game record of tefuda")
    if written != FORMAT:
        raise Problem(f"{path} is a record of the format {written!r}, but this version reads {FORMAT!r}")
    for key in _KEYS:
        if key not in value:
            raise Problem(f"{path} is damaged: it has no {key!r}")
    unknown = sorted(set(value) - {*_KEYS, *_LATER})
    if unknown:
        raise Problem(f"{path} is damaged: it has an unknown entry {unknown[0]!r}")
    wrong = _first_wrong(value)
    if wrong:
        raise Problem(f"{path} is damaged: its {wrong!r} cannot be read")
    rules = dict(value["rules"])
    preset = rules.pop("preset")
    moves = value["actions"]
    return GameRecord(
        value["game"], preset, rules, value["seed"], value["deal"], value["players"], value["commit"],
        [(seat, action) for seat, action, _ in moves], [name for _, _, name in moves], value["scores"],
        value.get("kernels", ""),
    )  # fmt: skip


def _first_wrong(value: dict[str, Any]) -> str | None:
    """The first entry of a record that is not of its kind."""
    rules, scores = value["rules"], value["scores"]
    fits = {
        "game": _is_text(value["game"]),
        "rules": isinstance(rules, dict) and "preset" in rules and all(map(_is_text, rules.values())),
        "seed": _is_whole(value["seed"]) and 0 <= value["seed"] <= MOST_SEED,
        "deal": _is_whole(value["deal"]) and 0 <= value["deal"] <= MOST_SEED,
        "players": _is_list(value["players"], _is_text),
        "commit": _is_text(value["commit"]),
        "kernels": _is_text(value.get("kernels", "")),
        "scores": scores is None or _is_list(scores, finite),
        "actions": _is_list(value["actions"], _is_move),
    }
    return next((key for key, well in fits.items() if not well), None)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and encodable(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(values: Any, of: Callable[[Any], bool]) -> bool:
    return isinstance(values, list) and all(map(of, values))


def _is_move(value: Any) -> bool:
    return _is_list(value, lambda _: True) and len(value) == 3 and _is_text(value[2]) and all(map(_is_whole, value[:2]))


def game_of(record: GameRecord, given: Game | None = None) -> Game:
    """The game of a record. A file never makes us run code at a path it names: that game must be `given`."""
    if given is not None:
        return given
    if record.game in games.names():
        return games.find(record.game)
    raise Problem(
        f"its game {record.game!r} does not come with tefuda: name it on the command line, as in "
        "`tefuda play PATH/OF/GAME --resume FILE` or `tefuda replay FILE --game PATH/OF/GAME`"
    )


def resume_command(record: GameRecord, path: Path) -> str:
    """The command that goes on with a game; one of one's own is named, for a file never makes us run its code."""
    own = [] if record.game in games.names() else [record.game]
    return shlex.join(["tefuda", "play", *own, "--resume", str(path)])


def replay_command(record: GameRecord, path: Path) -> str:
    """The command that shows a game again."""
    own = [] if record.game in games.names() else ["--game", record.game]
    return shlex.join(["tefuda", "replay", str(path), *own])


def play_again(record: GameRecord, path: Path, given: Game | None = None) -> tuple[Table, list[Step]]:
    """Play a record by the rules: the table at its end, and every move; a wrong one is told by its place."""
    steps = []
    since = ""  # told where something does not fit
    try:
        game = game_of(record, given)
        changed = has_changed(record, game)
        since = f": the code of {game.name} has changed since this was recorded" if changed else ""
        if len(record.players) != game.seats:
            raise Problem(f"it has {counted(len(record.players), 'player')}, but {game.name} has {game.seats} seats")
        table = Table(game, record.rules(game), record.seed, record.deal)
        for position, (seat, action) in enumerate(record.actions, start=1):
            place = f"move {position} of {len(record.actions)}"
            if table.over:
                raise Problem(f"{place} comes after the end of the game")
            if seat != table.to_move:
                raise Problem(f"{place} is by seat {seat}, but seat {table.to_move} is to move")
            name = game.words.action_name(table.states, action) if action in table.legal else ""
            try:
                steps.append(take(table, action))
            except Problem as problem:
                raise Problem(f"{place}: {problem}") from None
            if changed and record.game not in games.names() and name != record.names[position - 1]:
                raise Problem(f"{place} was {record.names[position - 1]!r}, and is {name!r} now")
        if table.over and record.scores is not None and not np.array_equal(table.scores, record.scores):
            raise Problem(f"it has scores {record.scores}, but its moves give {table.scores.tolist()}")
        if not table.over and record.scores is not None:
            raise Problem("it has final scores, but its moves do not reach the end")
    except Problem as problem:
        raise Problem(f"{path}: {problem}{since}") from None
    return table, steps


def fresh_path(folder: Path, game: Game, seed: int, deal: int) -> Path:
    """A file name for a new game that is not taken yet."""
    stem = f"{game.name}-seed{seed}-deal{deal}"
    path, number = Path(folder) / f"{stem}.json", 2
    while path.exists():
        path, number = Path(folder) / f"{stem}-{number}.json", number + 1
    return path
