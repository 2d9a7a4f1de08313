"""Asking a player who is not compiled, and checking what it answers.

One rule holds for all ways of asking. An answer is a whole number of any integer type, or for `act` the name of a legal
action, in Japanese, in English or in both. A float, a truth value, an array or anything else is refused.
"""

from collections.abc import Callable
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from tefuda import outside
from tefuda.contract import Game
from tefuda.errors import Problem, told
from tefuda.players.entrant import Entrant

# For each row of what a batch player is asked: the game that it belongs to, and the seat there.
LANES = np.dtype([("deal", np.int64), ("rotation", np.int64), ("seat", np.int64)])


class Seen(Protocol):
    """What a seat may know: table/table.py has it."""

    game: Game
    seat: int
    _seen: np.ndarray  # [1]; the player cannot have written there

    @property
    def legal(self) -> list[int]: ...
    @property
    def inputs(self) -> np.ndarray: ...


def made(entrant: Entrant) -> Any:
    """A player's object; None for a compiled player."""
    if entrant.maker is None:
        return None
    return guarded(f"player {entrant.name} could not be made", entrant.maker)


def answer(entrant: Entrant, player: Any, view: Seen, where: str, lane: tuple[int, int] = (0, 0)) -> int:
    """The legal action that a Python or batch player chooses at one table; `where` says who it is and where it sits.

    `lane`: the deal and the rotation, for a batch player that wants to know them.
    """
    if entrant.batch:
        mask = np.zeros((1, view.game.spaces.actions.size), bool)
        mask[0, view.legal] = True
        lanes = np.array([(*lane, view.seat)], LANES)
        return int(answers(entrant, player, view.game, view.inputs[None, :].copy(), mask, lanes, where)[0])
    said = guarded(f"{where}: it failed", player.act, view)
    legal = view.legal
    if isinstance(said, str):
        said = named(view.game, view._seen, legal, said)
    if not is_whole(said) or said not in legal:
        raise Problem(f"{where}: {illegal_move(view.game, said, legal)}")
    return int(said)


def answers(
    entrant: Entrant, player: Any, game: Game, observations: np.ndarray, masks: np.ndarray, lanes: np.ndarray,
    where: str,
) -> np.ndarray:  # fmt: skip
    """The legal actions that a batch player chooses, one for each row; `lanes` [rows] says which games they are."""
    rows = len(masks)
    given = [observations, masks.copy(), *([lanes] if entrant.told_lanes else [])]  # a copy: it may write there
    said = guarded(f"{where}: it failed", lambda: np.asarray(player.choose(*given)))
    if said.shape != (rows,) or not np.issubdtype(said.dtype, np.integer):
        raise Problem(f"{where}: choose must return {rows} whole numbers, one for each row")
    inside = (said >= 0) & (said < game.spaces.actions.size)
    fine = inside & masks[np.arange(rows), np.where(inside, said, 0)]
    if not fine.all():
        wrong = int(np.flatnonzero(~fine)[0])
        legal = np.flatnonzero(masks[wrong]).tolist()
        raise Problem(f"{where}: {illegal_move(game, int(said[wrong]), legal)}")
    return said.astype(np.int64)


def named(game: Game, states: np.ndarray, legal: list[int], said: str) -> int | str:
    """The legal action of a table [1] that a name means; the name itself where it means none, or several.

    An action has the name by which the game tells it at this table, and the one in the game's table of actions.
    """
    found = {action for action in legal if said in names_of(game, states, action)}
    return found.pop() if len(found) == 1 else said


def names_of(game: Game, states: np.ndarray, action: int) -> set[str]:
    """All names of an action at a table [1]."""
    listed = game.spaces.actions.names[action]
    told_here = (game.words.action_name(states, action, lang) for lang in outside.LANGUAGES)
    return {listed.ja, listed.en, str(listed), *told_here}


def is_whole(said: Any) -> bool:
    """Whether an answer is a whole number: of Python or NumPy, but no truth value."""
    return isinstance(said, Integral) and not isinstance(said, bool)


def guarded(where: str, call: Callable[..., Any], *arguments: Any) -> Any:
    """Call somebody's code; what goes wrong there is told in one line. It cannot end the program either."""
    try:
        return call(*arguments)
    except (Exception, SystemExit) as error:
        raise Problem(f"{where}: {told(error)}") from error


def illegal_move(game: Game, action: Any, legal: list[int]) -> str:
    """The line for a move that the rules do not allow."""
    names = game.spaces.actions.names
    known = is_whole(action) and 0 <= action < game.spaces.actions.size
    name = f"{action} ({names[int(action)].en})" if known else _shown(action)
    offered = ", ".join(f"{each} ({names[each].en})" for each in legal)
    whole = "" if is_whole(action) or isinstance(action, str) else ", which is no whole number"
    return f"illegal move {name}{whole}: legal are {offered}"


def _shown(answer: Any) -> str:
    """Something that is no action, as short as it can be told."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:  # somebody's own __repr__
        text = type(answer).__name__
    return text if len(text) <= 80 else f"{text[:80]}…"
