"""Where every card is, slot by slot: what the checks of conservation, secrecy and guessing are written on."""

import numpy as np

from tefuda.contract import Layout
from tefuda.games.koikoi.cards import CARDS, CARDS_IN, cards_of, mask_of
from tefuda.games.koikoi.hiding import hand_is_possible
from tefuda.games.koikoi.state import month_of, turned, waiting_card
from tefuda.kernel.bits import ZERO


def layout(states: np.ndarray, seat: int) -> Layout:
    """All cards of the pack. Those that never come up are one group; the places before them each their own."""
    state = states[0]
    slots: list[tuple[int, str, bool]] = []
    for owner in (0, 1):
        slots += [(card, f"hand {owner}", owner != seat) for card in cards_of(state.hand[owner])]
        slots += [(card, f"pile {owner}", False) for card in cards_of(state.pile[owner])]
    slots += [(card, "field", False) for card in cards_of(state.field)]
    slots += [(card, "waiting", False) for card in cards_of(waiting_card(state))]
    for place in range(int(state.next), int(CARDS_IN[state.rules.pack])):
        group = f"deck {place}" if place < turned(state.rules) else "never turned"
        slots.append((int(state.deck[place]), group, True))
    return Layout(*(list(column) for column in zip(*slots, strict=True)))


def rebuild(states: np.ndarray, seen: Layout, cards: list[int]) -> None:
    """Write other cards into the hidden slots of a table, in the order of the layout."""
    state = states[0]
    places = iter(range(int(state.next), int(CARDS_IN[state.rules.pack])))
    hands: dict[str, list[int]] = {}
    for card, group, hidden in zip(cards, seen.groups, seen.hidden, strict=True):
        if not hidden:
            continue
        if group.startswith("hand"):
            hands.setdefault(group, []).append(card)
        else:
            state.deck[next(places)] = card
    for group, held in hands.items():
        state.hand[int(group[-1])] = mask_of(*held)


def allowed(states: np.ndarray, seat: int) -> bool:
    """The hard facts beside the visible cards: a hand that would have been dealt again is impossible."""
    return bool(hand_is_possible(states[0], 1 - seat))


def exchange(states: np.ndarray, shown: int, hidden: int) -> bool:
    """Put a hidden card onto the field in place of one that lies there. Four of a month never lie there together."""
    state, bits = states[0], (mask_of(shown), mask_of(hidden))
    if state.field & bits[0] == ZERO:
        return False
    for masks in (state.hand, state.played):
        for seat in (0, 1):
            if (masks[seat] & bits[0] == ZERO) != (masks[seat] & bits[1] == ZERO):
                masks[seat] ^= bits[0] | bits[1]
    state.field ^= bits[0] | bits[1]
    places = [state.deck == shown, state.deck == hidden]
    state.deck[places[0]], state.deck[places[1]] = hidden, shown
    return not any(month_of(first) & ~state.field == ZERO for first in range(0, CARDS, 4))
