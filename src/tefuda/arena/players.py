"""From a player's name to somebody who can sit down: a compiled policy, a batch player, or a Python class.

Names: one of `tefuda players GAME`, with a variant behind a slash where the game has variants; a policy file,
`path/to/policy.npz`; or a class of one's own, `path/to/file.py:ClassName`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game
from tefuda.errors import Problem, unknown
from tefuda.records import policy
from tefuda.sources import load_source

OUTSIDE = -1  # the kind of a player that is not compiled


@dataclass(frozen=True, eq=False)
class Entrant:
    """A player who has been found and fits the game."""

    name: str
    kind: int  # which of the game's policies, or OUTSIDE
    params: np.ndarray
    maker: Any = None  # OUTSIDE: the class, called once for each seat that it takes
    about: str = ""

    @property
    def form(self) -> str:
        """compiled, batch or python."""
        if self.kind != OUTSIDE:
            return "compiled"
        return "python" if hasattr(self.maker, "act") else "batch"


def resolve(game: Game, name: str) -> Entrant:
    """Find a player by its name."""
    if ".py:" in name:
        return _own_class(name)
    if ".npz" in name:
        path, _, rest = name.partition(".npz")
        card, weights = policy.load_for(game, Path(path + ".npz"))
        return _compiled(game, name, card.policy, rest.lstrip("/"), weights, card.about)
    base, _, variant = name.partition("/")
    for player in game.players:
        if player.name == base:
            weights = policy.load_for(game, player.file)[1] if player.file else np.zeros(0)
            return _compiled(game, name, player.policy, variant, weights, player.about)
    raise unknown(f"player of {game.name}", base, [player.name for player in game.players])


def _compiled(game: Game, name: str, key: str, variant: str, weights: np.ndarray, about: str) -> Entrant:
    kind = game.policy_index(key)
    params = game.policies[kind].parameters(variant, weights)
    return Entrant(name, kind, params, about=about)


def _own_class(name: str) -> Entrant:
    path_text, _, class_name = name.rpartition(":")
    path = Path(path_text)
    if not path.is_file():
        raise Problem(f"no file {path}: a player of your own is given as path/to/file.py:ClassName")
    module = load_source(path, "player")
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [key for key, value in vars(module).items() if isinstance(value, type)]
        raise unknown(f"class in {path}", class_name, classes)
    if not hasattr(found, "act") and not hasattr(found, "choose"):
        raise Problem(f"{class_name} in {path} has no method act(self, view) that returns an action")
    return Entrant(name, OUTSIDE, np.zeros(0), maker=found, about=(found.__doc__ or "").strip().split("\n")[0])
