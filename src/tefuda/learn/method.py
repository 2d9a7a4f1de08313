"""What a method of learning is. A learner is a module of this folder that exports one as `METHOD`."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.errors import Problem
from tefuda.files.policy import POLICY_FILE
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import Player, entrant_of


@dataclass(frozen=True)
class Offer:
    """What a learner makes of one game."""

    name: str  # the learner's name in that game, as in `tefuda train GAME NAME`
    about: str  # one line
    policy: str = ""  # the game's policy that plays by the weights
    model: str = ""  # or the model that they are, which foretells something and does not play

    @property
    def file(self) -> str:
        """What the file with the result is called."""
        return "model.npz" if self.model else POLICY_FILE


@dataclass(frozen=True)
class Task:
    """One run of a learner: what it learns, from which arguments, and where the run is stored."""

    game: Game
    rules: Rules
    offer: Offer
    arguments: Any  # of the learner's type of arguments
    seed: int
    out: Path
    threads: int | None = None
    device: str = "cpu"
    ray: str | None = None  # the address of a cluster to learn on
    more: dict[str, str] = field(default_factory=dict)  # what tells this run from others beside the arguments

    @property
    def identity(self) -> dict[str, Any]:
        """What tells this run from others: a checkpoint holds it, and goes on with this run only."""
        return {
            "game": self.game.name, "learner": self.offer.name, "rules": str(self.rules), "seed": self.seed,
            **as_data(self.arguments), **self.more,
        }  # fmt: skip


@dataclass(frozen=True)
class Trained:
    """What a run ends in."""

    weights: np.ndarray
    curve: list[tuple[Any, ...]]  # the lines of curve.csv, the head first
    variant: str = ""  # how the policy reads the weights
    rules: str = ""  # the rules that were learned by, where they are more than those of the task
    agreement: list[dict[str, Any]] = field(default_factory=list)  # with those who were learned from, see perceptron.py


@dataclass(frozen=True, eq=False)
class Method:
    """A way to learn, for all games that give what it needs. It is described without torch."""

    arguments: type  # a dataclass; the comment behind an argument is its help
    offer: Callable[[Game, Rules], Offer | None]  # None: the game does not give what the learner needs
    check: Callable[[Task], Task]  # refuses what cannot be learned, before a folder is made; may complete the task
    train: Callable[[Task], Trained]  # the whole run
    against: Callable[[Task], str] | None  # whom the strength of the result is measured against; None: a model
    torch: bool = False  # it needs torch
    cuda: bool = False  # it runs on an NVIDIA GPU too
    ray: bool = False  # it can play on a cluster


def as_data(arguments: Any) -> dict[str, Any]:
    """Arguments as they are stored with a result."""
    return asdict(arguments)


def compiled_player(game: Game, player: Player, rules: Rules) -> Entrant:
    """A player to learn against."""
    found = entrant_of(game, player, rules)
    if found.form != "compiled":
        raise Problem(f"{found.name} cannot be learned against: only compiled players can")
    return found
