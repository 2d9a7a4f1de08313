"""What a shell offers when a person presses Tab: games, players, learners.

Where nothing fits, the shell offers files.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import typer

from tefuda.errors import Problem

if TYPE_CHECKING:
    from tefuda.contract import Game


def games(incomplete: str) -> list[str]:
    """The games that come with the package."""
    from tefuda.games import names

    return _beginning(incomplete, names())


def players(context: typer.Context, incomplete: str) -> list[str]:
    """The players of the game that was typed before."""
    return _of_game(context, incomplete, lambda game: [each.name for each in game.players.named])


def learners(context: typer.Context, incomplete: str) -> list[str]:
    """What can be learned in that game."""
    from tefuda.learn.training import offers

    return _of_game(context, incomplete, lambda game: offers(game, game.rulebook.make()))


def _of_game(context: typer.Context, incomplete: str, names: Callable[["Game"], Iterable[str]]) -> list[str]:
    from tefuda.games import find

    try:
        return _beginning(incomplete, names(find(str(context.params.get("game")))))
    except Problem:  # no such game: there is nothing to offer
        return []


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
