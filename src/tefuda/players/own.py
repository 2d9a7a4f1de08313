"""Players of one's own: a class in a file, or from Python a class or an object, as somebody who can be seated.

A class with `act(self, view)` gives one object for each seat of each game. A class with `choose(self, observations,
masks)` gives one object for a whole match. An object plays as it is, in all seats and games.
"""

import contextlib
import inspect
import pickle
import re
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.errors import Problem, quoted, told, unknown
from tefuda.players.entrant import Entrant
from tefuda.sources import files_of, load_source

EXAMPLE = "path/to/file.py:ClassName"
TRUTHS = {"yes": True, "no": False, "true": True, "false": False}  # in small or large letters


@contextlib.contextmanager
def _looked_at(title: str) -> Iterator[None]:
    """Around a look at somebody's class: what its own code does wrong there is told in one line."""
    try:
        yield
    except Problem:
        raise
    except (Exception, SystemExit) as error:
        raise Problem(f"{title} cannot play: {told(error)}") from error


def from_file(name: str) -> Entrant:
    """The player `path/to/file.py:ClassName`; settings may follow, as in `/worlds=50+depth=2`."""
    path, class_name, settings = parts_of(name)
    module = _loaded(path)
    with _looked_at(name):
        found = getattr(module, class_name, None)
        if not isinstance(found, type):
            classes = [key for key, value in vars(module).items() if isinstance(value, type)]
            raise unknown(f"class in {path}", class_name, classes)
        _check(found, f"{class_name} in {path}")
        content = [file.read_bytes() for file in files_of(module)]
        return from_class(name, found, settings, (*content, settings.encode()) if settings else tuple(content))


def from_class(name: str, found: type, settings: str, content: tuple[bytes, ...]) -> Entrant:
    """A class that plays, with the settings that stand behind the slash of its name."""
    chosen = _settings(found, settings, name)
    return _entrant(name, found, partial(found, **chosen) if chosen else found, content)


def without_class(path: Path) -> Problem:
    """The line for a file whose class was not named, with those in it that can play."""
    module = _loaded(path)
    with _looked_at(str(path)):
        here = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
        playing = [f"{path}:{each.__name__}" for each in here if _plays(each)]
    if not playing:
        return Problem(f"{path} has no class with a method act(self, view) that returns an action")
    return Problem(f"{path} is a file: name a class of it, {' or '.join(playing)}")


def _loaded(path: Path) -> ModuleType:
    if not outside.is_there(path, file=True):
        raise Problem(f"no file {path}: a player of your own is given as {EXAMPLE}")
    return load_source(path, "player")


def parts_of(name: str) -> tuple[Path, str, str]:
    """The file, the class and the settings in a name. A file's own path may hold `.py:` too."""
    ends = [found.end() for found in re.finditer(r"\.py(?=:)", name)]
    end = next((end for end in ends if outside.is_there(Path(name[:end]), file=True)), ends[0])
    class_name, _, settings = name[end + 1 :].partition("/")
    return Path(name[:end]), class_name, settings


def from_python(player: Any) -> Entrant:
    """A class, a class with some arguments (functools.partial), or an object that plays."""
    if player is None or isinstance(player, int | float | bytes | list | tuple | dict | set):
        raise Problem(f"a player is a name, a class with act(self, view), or an object of one, not {quoted(player)}")
    plays = player.func if isinstance(player, partial) else player
    is_class = isinstance(plays, type)
    with _looked_at(plays.__name__ if is_class else type(plays).__name__):
        title = plays.__name__ if is_class else str(getattr(plays, "name", "") or type(plays).__name__)
        _check(plays, title)
        if isinstance(player, type):
            _settings(player, "", title)
        maker: Callable[[], Any] = player if is_class else (lambda: player)
        return _entrant(title, plays, maker, _content(player))


def _check(plays: Any, title: str) -> None:
    if not _plays(plays):
        raise Problem(f"{title} has no method act(self, view) that returns an action")


def _plays(plays: Any) -> bool:
    return any(callable(getattr(plays, method, None)) for method in ("act", "choose"))


def _entrant(name: str, plays: Any, maker: Callable[[], Any], content: tuple[bytes, ...]) -> Entrant:
    batch = not callable(getattr(plays, "act", None))
    about = str(plays.__doc__ or "").strip().split("\n")[0]
    return Entrant(
        name, None, np.zeros(0), maker, about, batch, batch and _takes_lanes(plays.choose, isinstance(plays, type)),
        content,
    )  # fmt: skip


def _takes_lanes(choose: Callable[..., Any], unbound: bool) -> bool:
    """Whether a method `choose` takes the lanes behind observations and masks."""
    try:
        taken = inspect.signature(choose).parameters.values()
    except (TypeError, ValueError):  # a function that Python cannot look into
        return False
    places = [each for each in taken if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    return len(places) - unbound >= 3


# The settings of a name


def _settings(found: type, text: str, name: str) -> dict[str, Any]:
    """The arguments of a class from what stands behind the slash of its name."""
    title = found.__name__
    known = _arguments(found)
    any_key = any(each.kind is each.VAR_KEYWORD for each in known.values())
    named = {key: each for key, each in known.items() if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    chosen: dict[str, Any] = {}
    for setting in filter(None, re.split(r"\+(?=\w+=)", text)):
        key, equals, value = setting.partition("=")
        if not equals:
            raise Problem(f"{name}: {setting!r} should be setting=value, as in {title}/worlds=50")
        if key not in named and not any_key:
            raise unknown(f"setting of {title}", key, named)
        chosen[key] = _value(f"{name}: {key}", value, named.get(key))
    missing = [key for key, each in named.items() if each.default is each.empty and key not in chosen]
    if missing:
        raise Problem(
            f"{title} needs the setting {missing[0]}: {title}/{missing[0]}=… by name, or an object from Python"
        )
    return chosen


def _arguments(found: type) -> dict[str, inspect.Parameter]:
    """What a class takes when it is made."""
    try:
        return dict(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        return {}


def _value(where: str, text: str, taken: inspect.Parameter | None) -> Any:
    """A setting as the type that the class names for it, or that its default has; else as it looks."""
    wanted = None
    if taken is not None:
        named = taken.annotation if taken.annotation is not taken.empty else type(taken.default)
        wanted = {"bool": bool, "int": int, "float": float, "str": str}.get(getattr(named, "__name__", str(named)))
    if wanted is None:
        return _as_it_looks(text)
    if wanted is bool:
        if text.lower() not in TRUTHS:
            raise Problem(f"{where} is {text!r}, but takes yes or no, True or False")
        return TRUTHS[text.lower()]
    try:
        return wanted(text)
    except ValueError:
        what = "a whole number" if wanted is int else "a number"
        raise Problem(f"{where} is {text!r}, but takes {what}") from None


def _as_it_looks(text: str) -> Any:
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return TRUTHS.get(text.lower(), text)


# What an identity is taken from


def _content(player: Any) -> tuple[bytes, ...]:
    """The source of a class and what an object holds. Where these cannot be read, it is a new player every time."""
    given = isinstance(player, partial)
    plays = player.func if given else player
    try:
        held = (player.args, player.keywords) if given else None if isinstance(plays, type) else vars(plays)
        source = inspect.getsource(plays if isinstance(plays, type) else type(plays))
        return (source.encode(), *([pickle.dumps(held)] if held is not None else []))
    except Exception:  # no file, or something that cannot be written down
        return (secrets.token_bytes(16),)
