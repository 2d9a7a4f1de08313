"""Where every card is, slot by slot: what the checks of conservation, secrecy and guessing are written on."""

import numpy as np

from tefuda.contract import Layout
from tefuda.games.tricks.cards import cards_of, mask_of
from tefuda.games.tricks.hiding import known
from tefuda.games.tricks.state import SEATS
from tefuda.kernel.bits import ZERO, has


def layout(states: np.ndarray, seat: int) -> Layout:
    """All 52 cards in hands and played. A card that the seat knows to be in another's hand is not hidden."""
    state = states[0]
    slots: list[tuple[int, str, bool]] = []
    for owner in range(SEATS):
        sure = known(state, seat, owner)
        for card in cards_of(state.hand[owner]):
            slots.append((card, f"hand {owner}", owner != seat and not has(sure, card)))
        slots += [(card, f"played {owner}", False) for card in cards_of(state.played[owner])]
    return Layout(*(list(column) for column in zip(*slots, strict=True)))


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other cards into the hidden slots of a table. What was passed keeps its slots, whatever card is there."""
    state = states[0]
    instead = dict(zip(seen.cards, cards, strict=True))
    hands: list[list[int]] = [[] for _ in range(SEATS)]
    for card, group in zip(cards, seen.groups, strict=True):
        if group.startswith("hand"):
            hands[int(group[-1])].append(card)
    for owner, held in enumerate(hands):
        state.hand[owner] = mask_of(*held)
        state.passed[owner] = mask_of(*(instead[card] for card in cards_of(state.passed[owner])))


def allowed(states: np.ndarray, seat: int) -> bool:
    """The hard facts: nobody holds what it has shown not to hold."""
    state = states[0]
    return all(state.hand[other] & state.excluded[other] == ZERO for other in range(SEATS))
