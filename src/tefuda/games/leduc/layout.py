"""Where the six cards are: what the checks of conservation, secrecy and guessing are written on."""

import numpy as np

from tefuda.contract import Layout
from tefuda.games.leduc import rules

GROUPS = ("hand 0", "hand 1", "public", "left over", "left over", "left over")
PUBLIC, LEFT = 2, 3  # where the public card lies among the groups, and where those left over begin


def layout(states: np.ndarray, seat: int) -> Layout:
    """One slot for each card. After a showdown nothing is hidden: the open cards tell the others."""
    state = states[0]
    left = [card for card in range(rules.CARDS) if int(state.left) >> card & 1]
    shown = bool(rules.is_showdown(state))
    hidden = [not shown and place != seat for place in range(rules.CARDS)]
    hidden[PUBLIC] = state.finished == 0
    return Layout([*map(int, state.hand), int(state.public), *left], list(GROUPS), hidden)


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other cards into the hidden slots, in the order of the layout. Any may lie there: bets are no hard fact."""
    state = states[0]
    for seat in range(rules.SEATS):
        if seen.hidden[seat]:
            state.hand[seat] = cards[seat]
    if seen.hidden[PUBLIC]:
        state.public = cards[PUBLIC]
    if seen.hidden[LEFT]:
        state.left = sum(1 << card for card in cards[LEFT:])
