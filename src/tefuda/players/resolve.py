"""From a player's name to somebody who can sit down: a compiled policy, a batch player, or a Python class.

Names: one of `tefuda players GAME`, with a variant behind a slash where the game has variants; a search player with
its settings, `pimc/worlds=200+solve=8+playout=rule-based`; a policy file, `path/to/policy.npz`; or a class of one's
own, `path/to/file.py:ClassName`, with settings behind a slash; or a bot of another program, which an adapter seats,
`openspiel:ismcts/simulations=100`. From Python a class or an object will do (own.py).
"""

import importlib
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from tefuda import outside
from tefuda.contract import Game, NamedPlayer, Policy, Rules, Search
from tefuda.errors import Problem, quoted, unknown
from tefuda.files import policy
from tefuda.files.policy import PolicyCard
from tefuda.players import own
from tefuda.players.entrant import Entrant
from tefuda.search import pimc
from tefuda.search.pimc import DEPTH

PROGRAMS = {"openspiel": "tefuda.interop.openspiel.bots"}  # whose bots can be seated, and the adapter that finds them
MOST_WORLDS = 1_000_000  # of a search player for each decision
MOST_AHEAD = 1000  # decisions that it looks ahead
# Players of files whose parameters stay in memory: a hint asks two, each of which takes up to a third of a second to
# make. Models of mahjong take up to 78 MB each, so that no more are kept.
KEPT = 3

Player = Any  # a name, an entrant that was found or learned already, or a class or object of one's own


def entrant_of(game: Game, player: Player, rules: Rules | None = None) -> Entrant:
    """Somebody who can be seated, from a name, a class, an object, or an entrant."""
    if isinstance(player, Entrant):
        return player
    return resolve(game, player, rules) if isinstance(player, str) else own.from_python(player)


def entrants_of(game: Game, players: Sequence[Player], rules: Rules | None = None) -> list[Entrant]:
    """The same for several players. One who is given twice is one entrant; different ones get different names."""
    found: list[tuple[Player, Entrant]] = []
    result = []
    for player in players:
        entrant = next((each for given, each in found if _same(given, player)), None)
        if entrant is None:
            entrant = entrant_of(game, player, rules)
            named = [each for _, each in found if each.name.partition("#")[0] == entrant.name]
            if named:
                entrant = replace(entrant, name=f"{entrant.name}#{len(named) + 1}")
            found.append((player, entrant))
        result.append(entrant)
    return result


def _same(one: Player, other: Player) -> bool:
    """Whether two are the same player: entrants and names by their names, classes and objects by themselves."""
    names = [each.name if isinstance(each, Entrant) else each for each in (one, other)]
    return names[0] == names[1] if all(isinstance(name, str) for name in names) else one is other


def resolve(game: Game, name: str, rules: Rules | None = None) -> Entrant:
    """Find a player by its name, for a game by these rules (the usual ones when none are given)."""
    rules = rules or game.rulebook.make()
    named, variant = game.players.meant(outside.text("a player", name))
    searches = _searches(game, named)
    program, colon, _ = name.partition(":")
    if colon and program in PROGRAMS and not named:
        return importlib.import_module(PROGRAMS[program]).player(game, name, rules)
    if ".py:" in name and not searches:
        return own.from_file(name)
    if name.endswith(".py") and not named:
        raise own.without_class(Path(name))
    if ".npz" in name and not searches:
        path, _, rest = name.partition(".npz")
        card, params = _of_files(game, None, [Path(path + ".npz")], rest.lstrip("/"))
        if game.players.policy(card.policy).own_rules and not policy.plays(card, rules):
            raise Problem(f"{name} has learned by the rules {card.rules}, but the rules are {rules}")
        return Entrant(name, _policy_of(game, name, card.policy, rules), params, about=card.about)
    if not named:
        raise _nobody(game, name)
    player = (game.players.playing(named, rules) or named)[0]
    if player.under is not None and not player.under(rules):
        plays = "; or with ".join(filter(None, map(game.players.rules_of, named)))
        raise Problem(f"{name} plays {game.name} with {plays} only, but the rules are {rules}")
    found = _policy_of(game, name, player.policy, rules)
    if found.search is not None:
        return _searching(game, name, player.search or found.search, variant, rules, player.about)
    if player.file:
        _, params = _of_files(game, player.policy, [player.file, *player.more], variant)
    else:
        params = found.parameters(variant, np.zeros(0), *(policy.load_any(game, path) for path in player.more))
    return Entrant(name, found, params, about=player.about)


def _nobody(game: Game, name: str) -> Problem:
    """Why a name is no player's. Where it is the path of something, it says what a path should end in."""
    if os.path.isfile(os.path.join(name, policy.POLICY_FILE)):
        return Problem(f"{name} is a folder: its policy is {os.path.join(name, policy.POLICY_FILE)}")
    if os.path.isfile(f"{name}.npz"):
        return Problem(f"{name} is no player: its policy is {name}.npz")
    if os.path.isfile(name):
        return Problem(f"{name} is no player: a policy file ends in .npz, a class is path/to/file.py:ClassName")
    known = list(dict.fromkeys(player.name for player in game.players.named))
    return unknown(f"player of {game.name}", name if name.startswith("/") else name.partition("/")[0], known)


def _searches(game: Game, named: list[NamedPlayer]) -> bool:
    return any(game.players.policy(player.policy).search for player in named)


def join(stored: str, given: str) -> str:
    """The variant that a policy file names, and what a player's name adds to it."""
    return "+".join(filter(None, (stored, given)))


def _policy_of(game: Game, name: str, key: str, rules: Rules) -> Policy:
    """The policy of a player, which plays by the rules."""
    found = game.players.policy(key)
    if not found.plays(rules):
        raise Problem(f"{name} plays {game.name} with {found.only} only, but the rules are {rules}")
    return found


def _of_files(game: Game, key: str | None, paths: Sequence[Path], variant: str) -> tuple[PolicyCard, np.ndarray]:
    """The policy card of the first file, and the parameters of a player that is made of all these. `key`: the policy
    that reads them; None: the one that the card names. Whoever asks again is given the same array."""
    return _made(game, key, tuple((path, policy.written_of(path)) for path in paths), variant)


@lru_cache(maxsize=KEPT)
def _made(
    game: Game, key: str | None, files: tuple[tuple[Path, tuple[int, ...]], ...], variant: str
) -> tuple[PolicyCard, np.ndarray]:
    first, *more = (path for path, _ in files)
    card, weights = policy.load_for(game, first)
    found = game.players.policy(key or card.policy)
    further = (policy.load_any(game, path) for path in more)
    return card, found.parameters(join(card.variant, variant), weights, *further)


def _searching(game: Game, name: str, start: Search, variant: str, rules: Rules, about: str) -> Entrant:
    """A search player with its settings."""
    chosen: dict[str, str] = {"worlds": str(start.worlds), "solve": str(start.solve), "playout": start.playout}
    if start.adviser:
        chosen |= {"trust": str(start.trust), "close": str(start.close), "ahead": str(start.ahead)}
    if variant:
        settings, given, playout = variant.partition("playout=")
        if given and not playout:
            raise Problem("playout takes a player's name, as in playout=random")
        if given:  # it comes last, for it may have variants of its own
            chosen["playout"] = playout
        for setting in filter(None, settings.split("+")):
            key, _, value = setting.partition("=")
            if key not in chosen:
                raise unknown("setting of a search player", key, chosen)
            chosen[key] = value
    worlds = _whole("worlds", chosen["worlds"], 1, MOST_WORLDS)
    if _searches(game, game.players.meant(chosen["playout"])[0]):
        raise _no_playout(chosen["playout"])
    inner = resolve(game, chosen["playout"], rules)
    solve = _whole("solve", chosen["solve"], 0, DEPTH)
    if solve > 0 and game.kernels.left is None:
        raise Problem(f"{game.name} has no exact solver: leave solve out")
    if inner.policy is None or inner.policy.search is not None:
        raise _no_playout(inner.name)
    search = replace(start, worlds=worlds, playout=chosen["playout"], solve=solve)
    adviser = resolve(game, start.adviser, rules) if start.adviser else None
    if adviser:
        trust, close = _number("trust", chosen["trust"], 1000), _number("close", chosen["close"], 1)
        search = replace(search, trust=trust, close=close, ahead=_whole("ahead", chosen["ahead"], 0, MOST_AHEAD))
    if search.ahead > 0 and solve > 0:
        raise Problem(
            f"ahead={search.ahead} looks so many decisions ahead, and solve={solve} to the end: one must be 0"
        )
    advice = adviser.params if adviser else np.zeros(0)
    around = adviser.policy.around if adviser and adviser.policy else None
    policy = pimc.policy_with(game, inner.policy, adviser is not None, around)
    return Entrant(name, policy, pimc.parameters_of(search, inner.policy, advice, inner.params), about=about)


def _no_playout(name: str) -> Problem:
    return Problem(f"{name} cannot play worlds out: that takes a compiled player that does not search itself")


def _number(key: str, text: str, high: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= high:
        raise Problem(f"{key} is {quoted(text)}, but takes a number from 0 to {high:,}")
    return number


def _whole(key: str, text: str, low: int, high: int) -> int:
    if not text.isdecimal() or len(text) > 9 or not low <= int(text) <= high:
        raise Problem(f"{key} is {quoted(text)}, but takes a whole number from {low} to {high:,}")
    return int(text)
