"""Who can play a game: its policies, which are kernels, and the names by which players are called."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.contract.rules import Rules
from tefuda.errors import Problem, unknown

LEVELS = ("easy", "middle", "hard", "champion")  # how strong an opponent a person wants


@dataclass(frozen=True)
class Search:
    """How a search player searches, unless its name says otherwise: see search/pimc.py."""

    worlds: int  # guessed worlds for each decision
    playout: str  # the player that plays them out
    solve: int = 0  # worlds with at most so many decisions left are solved exactly
    adviser: str = ""  # a network that says which actions are worth trying
    trust: float = 0.0  # how far it is trusted, in the game's points; with `ahead`, in what it has learned to reach
    close: float = 0.01  # actions that it takes less often than this share of its most likely one are not tried
    ahead: int = 0  # to which next decision of the seat worlds are played, where the adviser foretells; 0: to their end


@dataclass(frozen=True, eq=False)
class Policy:
    """A compiled way to play. `parameters(variant, weights)` makes the parameters that its kernel reads; for a player
    of several files, `parameters(variant, weights, *more)`."""

    key: str
    choose: Any  # its kernel; None for a search, whose kernel is made for the player that it plays with
    parameters: Callable[..., np.ndarray]
    weights: int | None = 0  # how many weights a policy file for it must hold; None: `parameters` says if they fit
    features: str = ""  # a fingerprint of what these weights mean
    worlds: int = 0  # states of scratch space
    numbers: int = 0  # float64s of scratch space
    blind: bool = False  # the game's plainest player, the one of `playout`: a search need not hide the table from it
    under: Callable[[Rules], bool] | None = None  # the rules that it can play by; None: all
    only: str = ""  # these rules in words, as on the command line
    search: Search | None = None  # for a policy that tries actions out: what it starts from
    own_rules: bool = False  # its files play by the rules that they have learned alone
    brief: str = ""  # for one that takes milliseconds for a decision: the variant by which it takes the least
    chances: Callable | None = None  # kernel that writes the chance of each action to `out`; None: ask it to know
    alike: bool = False  # plays alike whatever cards and seats that mean the same are called (`Chance.alike`)
    playing: str = ""  # for a search: the policy that plays worlds out
    former: str = ""  # the fingerprint as it was taken before, where otherwise: identities of players keep it
    around: Callable[[Any], Any] | None = None  # tells a kernel of other rules: see search/pimc.py
    options: tuple[str, ...] = ()  # rule options that the weights are told, by name
    fit: Callable[[str, Sequence[str] | None, str, np.ndarray], np.ndarray | None] | None = None  # see `fitted`

    def plays(self, rules: Rules) -> bool:
        """Whether it can play by these rules."""
        return self.under is None or self.under(rules)

    def fitted(
        self, features: str, options: Sequence[str] | None, variant: str, weights: np.ndarray
    ) -> np.ndarray | None:
        """The weights of a file as this version reads them; None when they mean something else. The policy card has
        the fingerprint, the options and the variant."""
        if self.fit is not None:
            return self.fit(features, options, variant, weights)
        return weights if features == self.features else None


@dataclass(frozen=True)
class NamedPlayer:
    """A player with a name. Several may have one name, for different rules: the first whose policy plays by the rules
    is taken. A name with a slash, as champion/points, is another way in which `champion` plays."""

    name: str
    about: str
    policy: str
    file: Path | None = None  # where its weights are, for a policy that has weights
    under: Callable[[Rules], bool] | None = (
        None  # the rules that this file is meant for; None: all that the policy plays
    )
    only: str = ""  # these rules in words, as on the command line
    search: Search | None = None  # how it searches, where not as its policy does
    more: tuple[Path, ...] = ()  # further policy files and models that its policy reads, in this order


@dataclass(frozen=True, eq=False)
class Players:
    """The policies of a game, and its players by name."""

    policies: tuple[Policy, ...] = ()
    named: tuple[NamedPlayer, ...] = ()
    default_opponent: str = "random"
    hint_player: str = ""  # the strongest quick one: plays on when a hint is asked for; "", or where it does not play
    # by the rules: the default opponent
    variants: str = ""  # what may stand behind the slash of a player's name, in words
    levels: Mapping[str, str] = field(default_factory=dict)  # who plays each of LEVELS; {}: see `levels_under`

    def levels_under(self, rules: Rules) -> dict[str, str]:
        """A player for each level, as far as they play by the rules. A game that names none gets them from its random
        player, its usual opponent, the strongest quick one and its champion, weakest first, nobody twice."""
        usual = ("random", self.default_opponent, self.hint_player, "champion")
        chosen = self.levels or dict(zip(LEVELS, usual, strict=True))
        found: dict[str, str] = {}
        for level in LEVELS:
            name = chosen.get(level, "")
            if name and name not in found.values() and self.named_under(name, rules):
                found[level] = name
        return found or {LEVELS[1]: self.default_opponent}

    def index(self, key: str) -> int:
        for index, policy in enumerate(self.policies):
            if policy.key == key:
                return index
        raise unknown("policy", key, [policy.key for policy in self.policies])

    def policy(self, key: str) -> Policy:
        return self.policies[self.index(key)]

    def playing(self, entries: Iterable[Any], rules: Rules) -> list[Any]:
        """Those of some entries (named players, values to learn) that these rules allow, as their policies do."""
        meant = [entry for entry in entries if getattr(entry, "under", None) is None or entry.under(rules)]
        return [entry for entry in meant if self.policy(entry.policy).plays(rules)]

    def meant(self, name: str) -> tuple[list[NamedPlayer], str]:
        """The players that a name can mean, and the variant behind it. A variant that is a player of its own, as
        champion/points, is in the list of players with its whole name."""
        base, _, variant = name.partition("/")
        first, _, rest = variant.partition("+")
        own = [player for player in self.named if player.name == f"{base}/{first}"]
        return (own, rest) if own else ([player for player in self.named if player.name == base], variant)

    def named_under(self, name: str, rules: Rules) -> bool:
        """Whether a player of this name, whatever its variant, plays by these rules."""
        return bool(self.playing(self.meant(name)[0], rules))

    def rules_of(self, player: NamedPlayer) -> str:
        """The rules that a named player is for, in words; "": all."""
        return player.only or self.policy(player.policy).only


def fingerprint(meanings: Sequence[str]) -> str:
    """A short hash of what each weight means, so that a file for other features is refused."""
    if not meanings:
        return ""
    return hashlib.sha256("\n".join(meanings).encode()).hexdigest()[:12]


def plain_parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    """For policies that have no variants."""
    if variant:
        raise Problem(f"this player takes no variant, but '/{variant}' was given")
    return np.ascontiguousarray(weights, np.float64)
