"""Where the three cards are: what the checks of conservation, secrecy and guessing are written on."""

import numpy as np

from tefuda.contract import Layout
from tefuda.games.kuhn import rules

GROUPS = ("hand 0", "hand 1", "left over")


def layout(states: np.ndarray, seat: int) -> Layout:
    """One slot for each place. After a showdown nothing is hidden: two open cards tell the third."""
    state = states[0]
    shown = bool(rules.is_showdown(state))
    hidden = [not shown and place != seat for place in range(rules.CARDS)]
    return Layout([int(card) for card in state.card], list(GROUPS), hidden)


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other cards into the hidden slots, in the order of the layout. Any may lie there: bets are no hard fact."""
    for place, (card, hidden) in enumerate(zip(cards, seen.hidden, strict=True)):
        if hidden:
            states[0].card[place] = card
