"""What a player of one's own is given, beside the same asked from the kernels record by record, as Python would."""

import timeit
from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Rate

from tefuda import games
from tefuda.contract import Game
from tefuda.engine.single import legal_actions
from tefuda.table.table import Table, View

GAMES = ("koikoi", "tricks", "saichugen", "mahjong")
DECISIONS = 10  # taken before the table is looked at
REPEATS, CALLS = 20, 100  # the fastest of so many runs of so many calls: others may use the machine meanwhile


def run(device: str, seconds: float, threads: int | None) -> list[Rate]:
    """Calls a second on one core, for each game; `seconds` is not needed for so short runs."""
    rows = []
    for name in GAMES:
        table = begun(games.find(name))
        view = table.view()
        for what, ours, plain in (
            ("view", table.view, lambda t=table: hidden_copy(t)),
            ("observation", lambda t=table: t.view().observation, lambda v=view: observation(v)),
            ("legal", lambda t=table: t.view().legal, lambda v=view: legal_actions(v.game, v.state)),
            ("legal_names", lambda t=table: t.view().legal_names, None),
        ):
            # All but the view itself is read from a new one, whose own cost does not count.
            less = 0.0 if what == "view" else seconds_of(table.view)
            number, ratio = 1 / max(1e-9, seconds_of(ours) - less), None
            if plain is not None:
                rows.append(Rate(f"{name}, {what} by records", 1 / seconds_of(plain), "calls"))
                ratio = number / rows[-1].rate
            rows.append(Rate(f"{name}, {what}", number, "calls", "the line above" if ratio else None, ratio))
    return rows


def seconds_of(call: Callable[[], Any]) -> float:
    """How long one call takes at best."""
    call()
    return min(timeit.repeat(call, number=CALLS, repeat=REPEATS)) / CALLS


def begun(game: Game) -> Table:
    """A table after some decisions."""
    table = Table(game, None, 1, 0)
    for _ in range(DECISIONS):
        table.apply(table.legal[0])
    return table


def hidden_copy(table: Table) -> np.ndarray:
    """A view by NumPy's copy and one call of a kernel with a record."""
    seen = table.states.copy()
    table.game.kernels.hide(seen[0], table.game.kernels.to_move(table.states[0]))
    return seen


def observation(view: View) -> dict[str, np.ndarray]:
    """An observation by one call of a kernel with a record."""
    numbers = np.zeros(view.game.spaces.observation.size, np.float32)
    view.game.kernels.observe(view.state[0], view.seat, numbers)
    return {key: numbers[where] for key, where in view.game.spaces.observation.slices.items()}
