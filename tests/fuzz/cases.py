"""Bad inputs of every kind: what is tried with each command, each reader, each name and each function."""

import io
import json
import lzma
import random
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tefuda
from tefuda import games
from tefuda.arena import exploit
from tefuda.arena.ladder import begin
from tefuda.cli import app
from tefuda.cli.common import json_apart
from tefuda.errors import Problem, quoted
from tefuda.files.policy import load, load_for
from tefuda.interop.mjai import Bot
from tefuda.kernel import cache
from tefuda.learn.run import parse_arguments
from tefuda.learn.training import methods
from tefuda.players.resolve import resolve
from tefuda.records import foreign
from tefuda.table import record as game_record
from tefuda.table.session import Session
from tefuda.terminal import replay
from tefuda.terminal.play import run as sit_down
from tests.fuzz import mutate
from tests.fuzz.good import COMMANDS, Good
from tests.fuzz.guard import Case

NAMES = games.names()
OBJECTS: list[Any] = [
    *mutate.VALUES, b"x", 1j, (1, 2), {1}, object(), print, float("nan"), float("inf"), np.int64(3), np.float64(2.5),
    np.zeros(3), np.array(1), Path("x"), range(3), type, "kuhn", "random", ["random"], ["random", "random"],
]  # fmt: skip


def commands(good: Good, source: random.Random) -> Iterator[Case]:
    """Every command, with words of it changed; what is typed at a table follows on standard input."""
    while True:
        for line in COMMANDS:
            words = mutate.command(source, line.split(), good.words)
            yield Case(f"tefuda {shlex.join(words)[:500]}", lambda words=words: run_command(words))


def run_command(words: list[str]) -> None:
    """The command line without its outermost handler."""
    sys.stdin = io.StringIO("1\nh\nx\n?\nz\n1\n")
    with json_apart("--json" in words):
        app(words, standalone_mode=False)


def policies(good: Good, source: random.Random) -> Iterator[Case]:
    """Policy files, changed in their bytes or in their arrays."""
    path = good.folder / "bad.npz"
    yield Case("a zip bomb", lambda: refused(path, mutate.bomb(), load))
    while True:
        for content, name in zip(good.policies, ("kuhn", "koikoi", "kuhn"), strict=True):
            if source.random() < 0.3:
                changed = mutate.damaged(source, content)
            else:
                changed = mutate.archive(source, mutate.arrays_of(content))
            yield Case(f"a policy of {name}", lambda changed=changed, name=name: play_policy(path, changed, name))


def play_policy(path: Path, content: bytes, name: str) -> None:
    path.write_bytes(content)
    run_command(["show", str(path)])
    game = games.find(name)
    load_for(game, path)
    tefuda.match(name, [str(path), "random"], 3)


def refused(path: Path, content: bytes, read: Callable[[Path], object]) -> None:
    """Read a file that must be refused."""
    path.write_bytes(content)
    try:
        read(path)
    except Problem:
        return
    raise AssertionError("it was read")


def checkpoints(good: Good, source: random.Random) -> Iterator[Case]:
    """A run that goes on from a changed checkpoint."""
    folder = good.folder / "again"
    folder.mkdir(exist_ok=True)
    arrays = mutate.arrays_of(good.checkpoint)
    while True:
        if source.random() < 0.4:
            changed = mutate.damaged(source, good.checkpoint)
        else:
            some = {key: array for key, array in arrays.items() if key != "digest" or source.random() < 0.5}
            changed = mutate.archive(source, some)
        yield Case("a checkpoint", lambda changed=changed: go_on(folder, changed))


def go_on(folder: Path, content: bytes) -> None:
    (folder / "checkpoint.npz").write_bytes(content)
    tefuda.train("koikoi", "pg-linear", folder, deals=0, episodes=3)


def saved_games(good: Good, source: random.Random) -> Iterator[Case]:
    """Records of our own, which are replayed, resumed and verified."""
    path = good.folder / "bad.json"
    while True:
        for value in good.saved:
            content = mutate.as_json(source, value)
            for what, call in (("replay", show_game), ("resume", resume_game), ("verify", verify_file)):
                yield Case(f"{what} {quoted(content)}", lambda content=content, call=call: call(path, content))


def show_game(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    replay.replay(path, "en")


def resume_game(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    lines = iter(["1", "h", "q"])
    sit_down(Session.resume(path), "en", read=lambda prompt: next(lines))


def verify_file(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    foreign.verify([path], threads=1)


def ladders(good: Good, source: random.Random) -> Iterator[Case]:
    """Files of ladders and of best responses."""
    game = games.find("kuhn")
    path = good.folder / "ladder" / "kuhn-standard.json"
    result = {
        "game": "kuhn", "rules": "standard", "player": "random", "identity": "0", "seed": 1, "arguments": {"a": 1},
        "start_identity": "", "figure": "x", "higher_is_better": True, "digits": 3, "deals": 4, "deals_seed": 1,
        "decisions": 1, "commit": "", "command": "", "format": exploit.FORMAT,
        "gain": (end := {"mean": 0.0, "low": 0.0, "high": 0.0}), "response": end, "itself": end, "by_seat": [end, end],
    }  # fmt: skip
    while True:
        content = mutate.as_json(source, good.ladder)
        yield Case(f"a ladder {quoted(content)}", lambda content=content: read_ladder(game, path, content))
        content = mutate.as_json(source, result)
        yield Case(f"a response {quoted(content)}", lambda content=content: read_response(good.folder, content))


def read_ladder(game: Any, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    ladder = begin(game, game.rulebook.make(), 1, path.parent, ["random", "always-bet"])
    ladder.play(4, 2, 1)
    ladder.data()


def read_response(folder: Path, content: bytes) -> None:
    (folder / exploit.FILE).write_bytes(content)
    exploit.read(folder / exploit.FILE).run()


def records(good: Good, source: random.Random) -> Iterator[Case]:
    """Records of other programs, in every format."""
    while True:
        for suffix, text in good.records.items():
            path = good.folder / f"bad.{suffix}"
            kind = source.random()
            if suffix == "json" and kind < 0.6:
                content = mutate.as_json(source, json.loads(text))
            elif kind < 0.3:
                content = mutate.damaged(source, text.encode())
            elif kind < 0.6:
                content = mutate.lines(source, text).encode(errors="replace")
            else:
                content = mutate.digits(source, text).encode()
            yield Case(f"a record of {suffix}", lambda path=path, content=content: verify_file(path, content))


def bots(good: Good, source: random.Random) -> Iterator[Case]:
    """Lines of mjai, some of which are changed."""
    game = games.find("mahjong")
    entrant, rules = resolve(game, "shanten"), game.rulebook.make()
    events = [json.loads(line) for line in good.events.splitlines()]
    while True:
        start = source.randrange(len(events))
        told = events[: 2 + source.randrange(3)] + events[start : start + source.randrange(1, 30)]
        at = source.randrange(len(told))
        line = mutate.as_json(source, told[at]).decode(errors="replace")
        texts = [json.dumps({"type": "start_game", "id": 0}), *map(json.dumps, told[:at]), line]
        yield Case(f"mjai {quoted(line)}", lambda texts=texts: answer_lines(Bot(entrant, rules), texts))


def answer_lines(bot: Bot, texts: list[str]) -> None:
    for text in texts:
        action, wrong = bot.react(text)
        assert isinstance(action, dict)
        assert all(len(line) < 5000 for line in wrong)


def typed(good: Good, source: random.Random) -> Iterator[Case]:
    """What is typed at a table."""
    number = 0
    while True:
        name = source.choice(["kuhn", "koikoi", "tricks"])
        lines = [
            mutate.some_word(source, ["1", "2", "pine", "松", "QS", "?", "u", "z", "r", "h", ""]) for _ in range(8)
        ]
        number += 1
        yield Case(
            f"at a table {quoted(lines)}", lambda name=name, lines=lines, number=number: type_lines(name, lines, number)
        )


def type_lines(name: str, lines: list[str], number: int) -> None:
    game = games.find(name)
    entrants: list[Any] = [None, *[resolve(game, "random")] * (game.seats - 1)]
    path = Path(f"typed-{number}.json")
    told = iter(lines)

    def read(prompt: str) -> str:
        for line in told:
            return line
        raise EOFError

    sit_down(Session.start(game, entrants, path, deal=number), "both", read=read, hint_worlds=5)
    assert game_record.load(path)


def names(good: Good, source: random.Random) -> Iterator[Case]:
    """Names of games, players, presets, options, learners' arguments and papers."""
    while True:
        game = games.find(source.choice(NAMES))
        known = [player.name for player in game.players.named]
        word = mutate.some_word(
            source, [*known, "policy.npz", "own.py:First", "pimc/worlds=2", "rule-based/monte-carlo:5"]
        )
        yield Case(f"{game.name} {quoted(word)}", lambda game=game, word=word: resolve(game, word))
        word = mutate.some_word(source, [*NAMES, "own.py", "policy.npz", "./", "solved"])
        yield Case(f"game {quoted(word)}", lambda word=word: tefuda.game(word))
        option = source.choice(game.rulebook.options)
        change = f"{option.key}={mutate.some_word(source, ['yes', 'no', '1', '2'])}"
        preset = mutate.some_word(source, [*game.rulebook.presets] * 3)
        yield Case(
            f"{game.name} {quoted(preset)} {quoted(change)}",
            lambda game=game, preset=preset, change=change: game.rulebook.make(preset, [change]),
        )
        method = source.choice(methods())
        text = mutate.some_word(source, [f"{key}=3" for key in method.arguments.__dataclass_fields__])
        yield Case(
            f"--arg {quoted(text)}",
            lambda method=method, text=text: parse_arguments(method.arguments, [text]).check(),
        )


def calls() -> list[tuple[Any, dict[str, Any]]]:
    """Functions of the library, each with good arguments."""
    return [
        (tefuda.game, {"name": "kuhn"}),
        (tefuda.list_players, {"name": "kuhn"}),
        (tefuda.table, {"name": "kuhn", "rules": "standard", "changes": [], "seed": 1, "deal": 0}),
        (
            tefuda.match,
            {
                "name": "kuhn", "players": ["random", "random"], "deals": 3, "seed": 1, "rules": None, "changes": [],
                "threads": 1, "device": "cpu", "seating": "AB", "ray": None,
            },
        ),
        (
            tefuda.vector,
            {
                "name": "kuhn", "lanes": 3, "opponents": ["random"], "seat": 1, "seed": 1, "rules": None, "changes": [],
                "device": "cpu", "threads": 1,
            },
        ),
        (
            tefuda.exact,
            {
                "name": "kuhn", "player": "always-bet", "rules": None, "changes": [], "seats": [0], "samples": 3,
                "seed": 1, "threads": 1,
            },
        ),
        (
            tefuda.solve,
            {
                "name": "kuhn", "out": "solved-again", "iterations": 2, "rules": None, "changes": [], "seed": 1,
                "threads": 1,
            },
        ),
        (
            tefuda.train,
            {
                "name": "koikoi", "learner": "pg-linear", "out": "trained", "seed": 1, "deals": 0, "rules": None,
                "changes": [], "threads": 1, "device": "cpu", "ray": None, "episodes": 2, "opponent": "random",
                "step": 0.5,
            },
        ),
        (
            tefuda.ladder,
            {
                "name": "kuhn", "players": ["random", "always-bet"], "deals": 4, "slow_deals": 2, "seed": 1,
                "rules": None, "changes": [], "out": "ladder-again", "threads": 1, "ray": None, "again": ["random"],
            },
        ),
        (
            tefuda.exploit,
            {
                "name": "kuhn", "player": "random", "out": "exploited", "deals": 4, "seed": 1, "threads": 1,
                "rules": None, "changes": [], "ray": None, "device": "cpu", "decisions": 64, "lanes": 4, "steps": 4,
                "units": 4,
            },
        ),
        (
            tefuda.play,
            {
                "name": "kuhn", "opponents": ["random"], "seed": 1, "deal": 2, "seat": 0, "rules": None, "changes": [],
                "lang": "en", "record": None,
            },
        ),
        (tefuda.evaluate, {"at": tefuda.table("kuhn"), "player": "random", "games": 5, "seed": 0}),
        (
            tefuda.review,
            {
                "file": "saved.json", "seat": 0, "judge": "random", "worlds": 4, "threshold": 0.1, "seed": 1,
                "threads": 1, "game": None, "number": 1,
            },
        ),
        (lambda action: tefuda.table("kuhn").apply(action), {"action": 0}),
        (
            tefuda.reproduce,
            {"paper": "koikoi", "scale": "quick", "out": "paper", "seed": 1, "threads": 1, "records": None},
        ),
        (tefuda.table("kuhn").view, {"seat": 0}),
        (load, {"path": "policy.npz"}),
    ]  # fmt: skip


def functions(good: Good, source: random.Random) -> Iterator[Case]:
    """Functions of the library, with arguments of every kind."""
    while True:
        for function, arguments in calls():
            key = source.choice(list(arguments))
            value = source.choice(OBJECTS)
            changed = {**arguments, key: value}
            yield Case(
                f"{getattr(function, '__name__', function)}({key}={quoted(value)})",
                lambda function=function, changed=changed: function(**changed),
            )


def archives(good: Good, source: random.Random) -> Iterator[Case]:
    """Archives of compiled code."""
    path = good.folder / "bad.tar.xz"
    plain = lzma.decompress(good.archive)
    while True:
        content = mutate.damaged(source, good.archive)
        if source.random() < 0.7:
            content = lzma.compress(mutate.damaged(source, plain), preset=0)
        yield Case("an archive of compiled code", lambda content=content: unpack(path, content))


def unpack(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    cache.unpack(path)


# What is tried, and how many cases of it: all of them, and the few that every run of the tests has.
KINDS: dict[str, tuple[Callable[[Good, random.Random], Iterator[Case]], int, int]] = {
    "commands": (commands, 850, 34),
    "policies": (policies, 200, 16),
    "checkpoints": (checkpoints, 100, 8),
    "saved games": (saved_games, 200, 18),
    "ladders": (ladders, 120, 12),
    "records": (records, 200, 9),
    "bots": (bots, 150, 12),
    "typed": (typed, 80, 4),
    "names": (names, 300, 40),
    "functions": (functions, 250, 40),
    "archives": (archives, 60, 6),
}
