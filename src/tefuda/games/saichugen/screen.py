"""A table of Saichugen as a terminal shows it: totals, this round's cards turn by turn, and the hand."""

import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tefuda.contract import Name, Reader
from tefuda.games.saichugen.rules import ROUNDS, SEATS, TURNS
from tefuda.games.saichugen.text import (
    HAND_OF,
    POINTS,
    TOTAL,
    WON,
    card_on_table,
    in_the_middle,
    listed,
    place_in_game,
)

MIDDLE = "*"  # before a total or a sum that would win if it ended now
LEGEND = {
    MIDDLE: Name("今の中位", "middle now"),
    "[ ]": Name("得点した札", "scored"),
    "→": Name("得点率", "chance to score"),
}


def _seats(state, reader: Reader) -> Table:
    """A row for each seat, the reader's last: total, rounds won, points of the round, its cards by turn."""
    grid = Table.grid(padding=(0, 3, 0, 0))
    grid.add_column(no_wrap=True, style="cyan")
    for _ in range(3):
        grid.add_column(no_wrap=True, justify="right")
    for _ in range(TURNS):
        grid.add_column(no_wrap=True, justify="center", min_width=5)
    label = reader.label
    heads = (TOTAL, WON, POINTS)
    turns = [Text(f"{turn + 1}", "dim") for turn in range(TURNS)]
    grid.add_row("", *(Text(label(head), "dim") for head in heads), *turns)
    totals, sums = in_the_middle(state.total), in_the_middle(state.points)
    own = reader.seat if reader.seat is not None else SEATS - 1
    for place in range(1, SEATS + 1):
        owner = (own + place) % SEATS
        cells: list[RenderableType] = [
            Text(reader.names[owner], "bold" if owner == reader.seat else ""),
            _marked(int(state.total[owner]), totals[owner] and state.finished > 0),
            f"{int(state.won[owner])}",
            _marked(int(state.points[owner]), sums[owner] and state.turn > 0),
        ]
        for turn in range(TURNS):
            card = card_on_table(state, turn, owner, reader)
            cells.append(Text(card, "bold" if card.startswith("[") else ""))
        grid.add_row(*cells)
    return grid


def _marked(number: int, middle: bool) -> Text:
    return Text(f"{MIDDLE if middle else ''}{number}", "bold" if middle else "")


def screen(states: np.ndarray, reader: Reader) -> Group:
    """The whole table as one seat sees it, or with all hands open."""
    state = states[0]
    parts: list[RenderableType] = [Text(place_in_game(state, reader), "bold"), _seats(state, reader)]
    for owner in range(SEATS):
        choosing = state.finished < ROUNDS and state.seat == owner  # then the moves name the hand
        if reader.seat is None or (owner == reader.seat and not choosing):
            who = f"{reader.names[owner]} " if reader.seat is None else ""
            parts.append(Text(f"{who}{reader.label(HAND_OF)}: {listed(state.hand[owner], reader.lang)}"))
    legend = " · ".join(f"{sign} {reader.label(meaning)}" for sign, meaning in LEGEND.items())
    return Group(*parts, Text(legend, "dim"))
