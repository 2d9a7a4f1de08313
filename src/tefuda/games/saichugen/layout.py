"""Where every card is, slot by slot: what the checks of conservation, secrecy and guessing are written on."""

import numpy as np

from tefuda.contract import Layout
from tefuda.games.saichugen import rules
from tefuda.games.saichugen.cards import CARDS, cards_of, mask_of


def layout(states: np.ndarray, seat: int) -> Layout:
    """All 52 cards: in hands, laid in this turn, turned up, and the one that was not dealt."""
    state = states[0]
    slots: list[tuple[int, str, bool]] = []
    for owner in range(rules.SEATS):
        slots += [(card, f"hand {owner}", owner != seat) for card in cards_of(state.hand[owner])]
        if rules.has_laid(state, owner):
            slots.append((int(rules.laid(state, owner)), f"laid {owner}", owner != seat))
        slots += [(card, f"played {owner}", False) for card in cards_of(state.played[owner])]
    slots += [(card, "not dealt", True) for card in set(range(CARDS)) - {card for card, _, _ in slots}]
    return Layout(*(list(column) for column in zip(*slots, strict=True)))


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other cards into the hidden slots of a table."""
    state = states[0]
    hands: list[list[int]] = [[] for _ in range(rules.SEATS)]
    for card, group in zip(cards, seen.groups, strict=True):
        place, _, owner = group.partition(" ")
        if place == "hand":
            hands[int(owner)].append(card)
        elif place == "laid":
            state.table[rules.SEATS * int(state.turn) + int(owner)] = card
    for seat, held in enumerate(hands):
        state.hand[seat] = mask_of(*held)


def allowed(states: np.ndarray, seat: int) -> bool:
    """Any card may be in any hidden slot: no card shows anything about the others of its hand."""
    return True
