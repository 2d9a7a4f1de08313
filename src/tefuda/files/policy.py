"""Policy files: the weights of a learned player with a card that says what it is and how it came about.

A file is a NumPy archive with `card` (JSON) and `weights` (float32, or float16 for networks); reading it runs
nobody's code.
"""

import io
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.errors import Problem, unknown
from tefuda.files.whole import write_bytes

FORMAT = "tefuda policy 1"


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
    buffer = io.BytesIO()
    text = json.dumps(asdict(card), ensure_ascii=False)
    np.savez_compressed(buffer, card=np.array(text), weights=np.asarray(weights, np.float16 if half else np.float32))
    write_bytes(Path(path), buffer.getvalue())


def load(path: Path) -> tuple[PolicyCard, np.ndarray]:
    """Read a policy file, or say why it is none."""
    path = Path(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            card = json.loads(str(archive["card"]))
            weights = np.asarray(archive["weights"], np.float64)
    except FileNotFoundError:
        raise Problem(f"no policy file {path}") from None
    except Exception as error:  # damaged archives fail in many ways
        raise Problem(f"{path} is not a policy file of tefuda, or it is damaged ({type(error).__name__})") from error
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise Problem(f"{path} is not a policy file of the format {FORMAT!r}")
    try:
        read = PolicyCard(**card)
    except TypeError:
        raise Problem(f"{path} has a policy card with unknown or missing entries") from None
    if read.options is not None and not (isinstance(read.options, list) and all(map(_is_text, read.options))):
        raise Problem(f"{path} has a policy card whose options are no names")
    return read, weights


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


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
    if not np.isfinite(weights).all():
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


def plays(card: PolicyCard, rules: Rules) -> bool:
    """Whether a policy has learned by these rules."""
    return str(rules) in card.rules.split("; ")
