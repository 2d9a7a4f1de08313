"""A table of the Koi-Koi engine, spoken to from Python."""

import random

import numpy as np
from hypothesis import strategies as st

from tefuda.contract import Rules
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.cards import cards_of
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.state import AGARI, KOIKOI
from tefuda.kernel.random import DEAL, stream
from tests.games.koikoi import witness_koikoi as witness

NUMBER = {card: number for number, card in enumerate(witness.DECK)}  # the engine's number of each card


def both(preset: str, changes=()):
    """The same rules for the engine, as an empty table, and for the witness."""
    return both_by(RULEBOOK.make(preset, changes))


def both_by(chosen: Rules):
    texts = {option.key: option.text(chosen.values[option.key]) for option in RULEBOOK.options}
    return GAME.blank(chosen), witness.rules_of(texts)


def dealt(blank: np.ndarray, seed: int) -> np.ndarray:
    """A fresh table."""
    states = blank.copy()
    GAME.kernels.deal(states[0], np.array([stream(seed, 0, 0, DEAL)], np.uint64))
    return states


def members(mask) -> list[int]:
    return [index for index in range(64) if int(mask) >> index & 1]


def legal_actions(states: np.ndarray) -> list[int]:
    mask = np.zeros(GAME.spaces.mask_words, np.uint64)
    GAME.kernels.legal(states[0], mask)
    return members(mask[0])


def any_action(states: np.ndarray, chance: random.Random, koikoi: float = 0.7) -> int:
    """A random decision that calls koi-koi rather often, so that long rounds come up."""
    actions = legal_actions(states)
    if KOIKOI in actions:
        return KOIKOI if chance.random() < koikoi else AGARI
    return chance.choice(actions)


def walk(blank: np.ndarray, seed: int, koikoi: float = 0.7):
    """The table before and after every decision of a random match; it is the same array all the time."""
    states = dealt(blank, seed)
    chance = random.Random(seed)
    yield states
    while GAME.kernels.to_move(states[0]) >= 0:
        GAME.kernels.apply(states[0], any_action(states, chance, koikoi))
        yield states


def final_scores(states: np.ndarray) -> list[float]:
    out = np.zeros(2)
    GAME.kernels.scores(states[0], out)
    return out.tolist()


def any_rules(most_rounds: int = 3):
    """Any value of any option; matches stay short."""
    values = {}
    for option in RULEBOOK.options:
        if option.values is not None:
            values[option.key] = st.sampled_from(list(option.values))
        else:
            highest = most_rounds if option.key == "rounds" else option.high
            values[option.key] = st.integers(option.low, highest).map(str)
    return st.fixed_dictionaries(values).map(
        lambda texts: RULEBOOK.make("paper", [f"{key}={text}" for key, text in texts.items()])
    )


seeds = st.integers(0, 2**32 - 1)


def pack(state) -> list[int]:
    """Every card that is played with."""
    months = list(witness.PACKS.values())[int(state.rules.pack)][0]
    return list(range(4 * months))


def all_cards(state) -> list[int]:
    """Every card of a table, from wherever it lies."""
    found = [card for mask in (*state.hand, *state.pile, state.field) for card in cards_of(mask)]
    return found + ([int(state.card)] if state.card >= 0 else []) + state.deck[state.next : len(pack(state))].tolist()


def hidden(states: np.ndarray, seat: int) -> np.ndarray:
    """A seat's view."""
    view = states.copy()
    GAME.kernels.hide(view[0], seat)
    return view


def dealt_hand(state, seat: int) -> list[witness.Card]:
    """The cards that a seat was dealt in this round."""
    return [witness.DECK[card] for card in cards_of(state.hand[seat] | state.played[seat])]
