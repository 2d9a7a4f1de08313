"""What Saichugen's `learned` player writes down between rounds, written anew from the words of the documentation."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from tefuda.games.saichugen.cards import CARDS, cards_of
from tefuda.games.saichugen.players import learned

PLACE = {name: index for index, name in enumerate(learned.names())}  # of a weight, by what it means
PAIRS = {tuple(sorted(pair)): i for i, pair in enumerate(sorted(combinations_with_replacement(range(31), 2), key=max))}
COARSE_PAIRS = {
    tuple(sorted(pair)): i for i, pair in enumerate(sorted(combinations_with_replacement(range(11), 2), key=max))
}


def unseen_by(states: np.ndarray, seat: int) -> tuple[int, ...]:
    """All cards less those turned up and those of the own hand."""
    known = set(cards_of(states[0].hand[seat])).union(*(cards_of(mask) for mask in states[0].played))
    return tuple(card for card in range(CARDS) if card not in known)


def standing(after: int, game: tuple[int, ...]) -> list[str]:
    """The names of a standing after a round: game scores from 30 on are one, coarse ones go by threes up to there."""
    own, *others = (min(score, 30) for score in game)
    fine = own * len(PAIRS) + PAIRS[tuple(sorted(others))]
    coarse = own // 3 * len(COARSE_PAIRS) + COARSE_PAIRS[tuple(sorted(score // 3 for score in others))]
    return [f"round {after}: standing {fine}", f"round {after}: coarse standing {coarse}"]


def kind(after: int, card: int, unseen: tuple[int, ...]) -> str:
    """The name of a card: which twelfth of all the places that it can have among the unseen cards."""
    places = len(unseen) + 1
    place = Fraction(sum(other < card for other in unseen), places) * 12
    return f"round {after}: a card left at place {int(place)} of 12"


def features(states: np.ndarray, seat: int) -> dict[int, float]:
    """The standing, the coarse one, and a quarter for every card of the hand, written anew."""
    state, unseen = states[0], unseen_by(states, seat)
    after = int(state.finished)
    game = tuple(int(state.total[(seat + step) % 3]) for step in range(3))
    found = dict.fromkeys((PLACE[name] for name in standing(after, game)), 1.0)
    for card in cards_of(state.hand[seat]):
        place = PLACE[kind(after, card, unseen)]
        found[place] = found.get(place, 0.0) + 0.25
    return found
