"""Which rule options a network is told. They stand apart from its other inputs, so that a game can gain options.

One part of an observation tells the options of the rules (`Part.rules`). The fingerprint of a network's inputs says
where that part stands, but not how many options it tells. The policy card keeps the options by name. When a game has
gained an option since, the network does not know it: its file is read with a row of zeros for that input, and it plays
as it did before. In older files the fingerprint counts the options. Their options are the first of the game, since new
ones are added behind the others.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tefuda.contract import Game, Part, fingerprint
from tefuda.errors import Problem

MOST_FORMER = 64  # options of a file of before, at most


def options_of(game: Game) -> tuple[str, ...]:
    """The options that a network of this version is told, by name."""
    where = game.spaces.observation.rules
    if where is None:
        return ()
    options = tuple(option.key for option in game.rulebook.options)
    if len(options) != where.stop - where.start:
        raise Problem(f"{game.name} has {len(options)} options, but its observation tells {where.stop - where.start}")
    return options


def meaning_of(game: Game) -> str:
    """A fingerprint of what goes into a network, its options aside, and of what comes out."""
    return _fingerprint(game, lambda part: ["rules"])


def former_meaning_of(game: Game, options: int) -> str:
    """The fingerprint of before: of a game with so many options."""
    return _fingerprint(game, lambda part: [f"{part.key} {options} {part.meaning}"])


def _fingerprint(game: Game, rules_part: Callable[[Part], list[str]]) -> str:
    lines = []
    for space in (game.spaces.observation, game.spaces.actions):
        lines += [f"version {space.version}"] if space.version > 1 else []
        for part in space.parts:
            lines += rules_part(part) if part.rules else [f"{part.key} {part.size} {part.meaning}"]
    return fingerprint(lines)


def known_options(game: Game, features: str, options: Sequence[str] | None) -> tuple[str, ...] | None:
    """The options that a network of a file is told, by the fingerprint and the options on its card.

    None when its other inputs, or its outputs, mean something else than this version's.
    """
    now = options_of(game)
    if features == meaning_of(game):
        return now if options is None else tuple(options)
    if features == _fingerprint(game, lambda part: []):  # of a time when the game told no options
        return ()
    for count in range(MOST_FORMER):
        if features == former_meaning_of(game, count):
            return (*now[:count], *(f"number {each}" for each in range(len(now) + 1, count + 1)))
    return None


def with_options(game: Game, known: Sequence[str], units: int, weights: np.ndarray) -> np.ndarray:
    """The weights of a network that knows the options `known`, for the options that this version tells.

    When an option has gone since, a network loads only if it gives no weight to it, as one that has learned by a single
    set of rules. Others are refused.
    """
    now, where = options_of(game), game.spaces.observation.rules
    if tuple(known) == now or where is None:
        return weights
    inputs = game.spaces.observation.size - len(now) + len(known)
    first, rest = weights[: inputs * units], weights[inputs * units :]
    if len(first) < inputs * units:
        raise Problem(f"a network with {inputs} inputs and {units} units has more weights than {len(weights):,}")
    rows = first.reshape(inputs, units)
    told = dict(zip(known, rows[where.start : where.start + len(known)], strict=True))
    gone = [name for name, row in told.items() if name not in now and row.any()]
    if gone:
        raise Problem(f"it has learned with rule options that {game.name} has no more: {', '.join(gone)}")
    fresh = np.stack([told.get(name, np.zeros(units)) for name in now])
    return np.concatenate([rows[: where.start].ravel(), fresh.ravel(), rows[where.start + len(known) :].ravel(), rest])
