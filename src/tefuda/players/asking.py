"""Asking a player who is not compiled, and checking what it answers."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from tefuda.contract import Game
from tefuda.errors import Problem
from tefuda.players.entrant import Entrant


class Seen(Protocol):
    """What a seat may know: table/table.py has it."""

    game: Game
    seat: int
    state: np.ndarray

    @property
    def legal(self) -> list[int]: ...
    @property
    def legal_names(self) -> dict[str, int]: ...
    @property
    def observation(self) -> dict[str, np.ndarray]: ...


def made(entrant: Entrant) -> Any:
    """A player's object for one seat of one game; None for a compiled player."""
    if entrant.policy is not None:
        return None
    return guarded(f"player {entrant.name} could not be made", entrant.maker)


def answer(entrant: Entrant, player: Any, view: Seen, where: str) -> int:
    """The legal action that a Python or batch player chooses at one table; `where` says who it is and where it sits."""
    if entrant.form == "python":
        said = guarded(f"{where}: it failed", player.act, view)
    else:
        numbers = np.concatenate(list(view.observation.values()))
        mask = np.zeros(view.game.spaces.actions.size, bool)
        mask[view.legal] = True
        said = guarded(f"{where}: it failed", lambda: player.choose(numbers[None, :], mask[None, :])[0])
    if isinstance(said, str):
        said = view.legal_names.get(said, said)
    legal = view.legal
    if isinstance(said, bool) or not isinstance(said, int | np.integer) or said not in legal:
        raise Problem(f"{where}: {illegal_move(view.game, said, legal)}")
    return int(said)


def guarded(where: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """Call somebody's code; what goes wrong there is told in one line."""
    try:
        return call(*arguments)
    except Exception as error:
        raise Problem(f"{where}: {type(error).__name__}: {error}") from error


def illegal_move(game: Game, action: Any, legal: list[int]) -> str:
    """The line for a move that the rules do not allow."""
    known = isinstance(action, int | np.integer) and 0 <= action < game.spaces.actions.size
    names = game.spaces.actions.names
    name = f"{action} ({names[int(action)].en})" if known else repr(action)
    offered = ", ".join(f"{each} ({names[each].en})" for each in legal)
    return f"illegal move {name}: legal are {offered}"
