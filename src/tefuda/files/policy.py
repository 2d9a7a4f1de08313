"""Policy files: the weights of a learned player with a card that says what it is and how it came about.

A file is a NumPy archive with `card` (JSON) and `weights` (float32, or float16 for networks); reading it runs
nobody's code.
"""

import contextlib
import json
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Game, Rules
from tefuda.errors import Problem, unknown
from tefuda.files.archive import read_archive, write_archive

FORMAT = "tefuda policy 1"
POLICY_FILE = "policy.npz"  # what a run ends in, in its folder
MOST_BYTES = 256 << 20  # unpacked; the largest network of ours has 10 MiB
MOST_CARD = 1 << 20  # characters
KEPT = 8  # files that stay in memory: a player of mahjong is made of five, which the next one shares
RANDOM = "random"  # random:64 names so many random rules
MOST_RULES = 4096


@dataclass(frozen=True)
class PolicyCard:
    """What a policy is, and how it was made."""

    game: str
    policy: str  # which kernel of the game reads the weights
    rules: str  # what it has learned by; of several, with "; " between them
    features: str  # a fingerprint of the meaning of the weights
    seed: int
    commit: str
    arguments: dict[str, Any]
    strength: list[dict[str, Any]] = field(default_factory=list)  # measured results, each with its interval
    about: str = ""
    variant: str = ""  # how the policy reads the weights, where it has more ways than one
    options: list[str] | None = None  # the rule options that a network is told; None: a file of before they were kept
    agreement: list[dict[str, Any]] = field(default_factory=list)  # with those it learned from, by sort of decision
    format: str = FORMAT


def save(path: Path, card: PolicyCard, weights: np.ndarray, half: bool = False) -> None:
    """Write a policy file, whole or not at all; `half`: in half precision, which is enough for networks."""
    text = json.dumps(asdict(card), ensure_ascii=False)
    found = {"card": np.array(text), "weights": np.asarray(weights, np.float16 if half else np.float32)}
    write_archive(Path(path), found, packed=True)


def load(path: Path) -> tuple[PolicyCard, np.ndarray]:
    """Read a policy file, or say why it is none. One that was read lately, and is unchanged, is not read again."""
    path = outside.place("a policy file", path)
    card, weights = _read(path, written_of(path))
    return card, np.array(weights, np.float64)


def written_of(path: Path) -> tuple[int, ...]:
    """What changes when a file is written anew; nothing where there is no file."""
    with contextlib.suppress(OSError, ValueError):  # reading it says why
        found = path.stat()
        return (found.st_dev, found.st_ino, found.st_mtime_ns, found.st_size)
    return ()


@lru_cache(maxsize=KEPT)
def _read(path: Path, written: tuple[int, ...]) -> tuple[PolicyCard, np.ndarray]:
    """A policy file that was written as this says; its weights are as it holds them."""
    try:
        found = read_archive(path, MOST_BYTES)
        card, weights = _card_in(found["card"]), found["weights"]
    except FileNotFoundError:
        raise Problem(f"no policy file {path}") from None
    except (Problem, KeyError, ValueError) as error:
        why = f"it has no {error}" if isinstance(error, KeyError) else str(error).replace(f"{path} ", "it ", 1)
        raise Problem(f"{path} is not a policy file of tefuda, or it is damaged ({why})") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise Problem(f"{path} is not a policy file of the format {FORMAT!r}")
    try:
        read = PolicyCard(**card)
    except TypeError:
        raise Problem(f"{path} has a policy card with unknown or missing entries") from None
    wrong = _first_wrong(read)
    if wrong:
        raise Problem(f"{path} has a policy card whose {wrong}")
    if weights.dtype.kind != "f" or weights.ndim != 1:
        raise Problem(f"{path} is not a policy file of tefuda: its weights are not one row of numbers")
    return read, weights


def _card_in(entry: np.ndarray) -> Any:
    """The policy card, which an archive holds as a text."""
    if entry.dtype.kind != "U" or entry.ndim != 0 or entry.itemsize > 4 * MOST_CARD:
        raise ValueError("its policy card is no text")
    return outside.json_value(str(entry))


def _first_wrong(card: PolicyCard) -> str | None:
    """The first entry of a policy card that is not what it should be, and what that is."""
    texts = ("game", "policy", "rules", "features", "commit", "about", "variant")
    fits = {f"{key} is no text": isinstance(getattr(card, key), str) for key in texts}
    fits |= {
        "seed is no whole number": isinstance(card.seed, int) and not isinstance(card.seed, bool),
        "arguments are no table": isinstance(card.arguments, dict),
        "options are no names": card.options is None or _all_of(str, card.options),
        "strength is no list of measured results": _all_of(dict, card.strength)
        and all(map(_is_measured, card.strength)),
    }
    return next((what for what, well in fits.items() if not well), None)


def _all_of(wanted: type, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, wanted) for value in values)


def _is_measured(entry: dict[str, Any]) -> bool:
    """Whether an entry is a result as learn/strength.py writes it. A single deal has no finite interval."""
    numbers = (entry.get("mean"), entry.get("low"), entry.get("high"))
    return (
        all(isinstance(entry.get(key), str) for key in ("opponent", "figure"))
        and all(type(entry.get(key)) is int for key in ("deals", "seed"))
        and all(isinstance(each, float | int) and not isinstance(each, bool) for each in numbers)
    )


def load_for(game: Game, path: Path) -> tuple[PolicyCard, np.ndarray]:
    """Read a policy file and check that it fits a game."""
    card, weights = load(path)
    if card.game != game.name:
        raise Problem(f"{path} is a policy for {card.game}, not for {game.name}")
    keys = [policy.key for policy in game.players.policies]
    if game.learning.model(card.policy) is not None:
        raise Problem(f"{path} holds the model {card.policy}, which foretells and does not play")
    if card.policy not in keys:
        raise unknown(f"policy of {game.name}", card.policy, keys)
    policy = game.players.policy(card.policy)
    if policy.weights is not None and weights.shape != (policy.weights,):
        raise Problem(f"{path} has {weights.size} weights, but {card.policy} of {game.name} takes {policy.weights}")
    if not (np.abs(weights) <= np.finfo(np.float32).max).all():
        raise Problem(f"{path} has weights that are not numbers")
    try:
        fitted = policy.fitted(card.features, card.options, card.variant, weights)
        if fitted is not None and policy.weights is None:
            policy.parameters(card.variant, fitted)
    except Problem as problem:
        raise Problem(f"{path}: {problem}") from None
    if fitted is None:
        raise Problem(f"{path} was made for other features of {card.policy} than this version has; train it again")
    return card, fitted


def load_model(game: Game, name: str, path: Path) -> np.ndarray:
    """Read the weights of a model of a game, and check that they fit."""
    card, weights = load(path)
    model = game.learning.model(name)
    if model is None or (card.game, card.policy) != (game.name, name):
        raise Problem(f"{path} is no {name} of {game.name}: it holds {card.policy} of {card.game}")
    if weights.shape != (model.weights,) or card.features != model.features or not np.isfinite(weights).all():
        raise Problem(f"{path} is a {model.model} of another version; train it again")
    return weights


def load_any(game: Game, path: Path) -> np.ndarray:
    """Read the weights of a model or a policy file of a game, and check that they fit."""
    card, _ = load(path)
    return load_model(game, card.policy, path) if game.learning.model(card.policy) else load_for(game, path)[1]


def plays(card: PolicyCard, rules: Rules) -> bool:
    """Whether a policy has learned by these rules, or by random ones."""
    names = card.rules.split("; ")
    return str(rules) in names or any(random_rules(name) is not None for name in names)


def random_rules(name: str) -> int | None:
    """How many random rules a name means: 64 for random:64. None: it names one set of rules."""
    word, colon, count = name.partition(":")
    if not colon or word != RANDOM:
        return None
    if not count.isdecimal() or not 1 <= int(count) <= MOST_RULES:
        raise Problem(f"{name} names no rules: say how many random ones, from 1 to {MOST_RULES:,}, as in random:64")
    return int(count)
