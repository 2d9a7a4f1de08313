"""Tables of Koi-Koi to ask players about."""

import numpy as np

from tefuda.engine.seated import scratch
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.cards import mask_of
from tefuda.games.koikoi.state import HAND, UNKNOWN
from tefuda.games.koikoi.yaku import yaku_points
from tefuda.kernel.random import CHECK, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table


def generator(seed: int) -> np.ndarray:
    return np.array([stream(seed, 0, 0, CHECK)], np.uint64)


def space() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A mask, worlds and numbers, enough for every policy."""
    everybody = [Entrant(policy.key, policy, np.zeros(0)) for policy in GAME.players.policies]
    _, _, mask, worlds, numbers, _ = scratch(GAME, everybody)
    return mask, worlds, numbers


def tables(players: list[str], deals: int, seed: int, preset: str = "paper", changes=()):
    """Tables before every decision of some games."""
    entrants = [resolve(GAME, name) for name in players]
    chosen = GAME.rulebook.make(preset, list(changes))
    for deal in range(deals):
        table = Table(GAME, chosen, seed, deal)
        while not table.over:
            yield table
            table.apply(table.ask(entrants[table.to_move]))


def position(hand, field, own=(), other=(), seat: int = 0, phase: int = HAND, card: int = -1) -> np.ndarray:
    """A table as a seat sees it, with given cards; cards of nobody are unseen."""
    states = GAME.blank(GAME.rulebook.make("paper"))
    state = states[0]
    state.hand[seat] = mask_of(*hand)
    state.pile[seat], state.pile[1 - seat] = mask_of(*own), mask_of(*other)
    state.field = mask_of(*field)
    state.phase, state.seat, state.card, state.dealer = phase, seat, card, 0
    state.cards[:] = len(hand)
    state.next = 24
    state.deck[:] = UNKNOWN
    for owner in (0, 1):
        state.points[owner] = yaku_points(state.pile[owner], 0, state.rules)
    seen = [*hand, *field, *own, *other, *([card] if card >= 0 else [])]
    assert len(set(seen)) == len(seen)
    return states
