"""The ways in which environments show a table."""

from typing import Any

import numpy as np

from tefuda.contract import Game, Reader
from tefuda.errors import unknown
from tefuda.terminal.picture import WIDTH, table_pixels, table_svg

RENDER_MODES = ["ansi", "human", "svg", "rgb_array"]


def rendered(game: Game, states: np.ndarray, mode: str, seat: int | None) -> Any:
    """A table [1] as a render mode wants it: text, printed text, an SVG, or pixels [height, width, 3]."""
    if mode == "svg":
        return table_svg(game, states, Reader(seat, "both", width=WIDTH))
    if mode == "rgb_array":
        return table_pixels(game, states, seat)
    text = game.words.show(states, seat, "both")
    if mode == "human":
        print(text)
        return None
    return text


def checked_mode(mode: str | None) -> str | None:
    """A way to render, or none."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown("render mode", mode, RENDER_MODES)
    return mode
