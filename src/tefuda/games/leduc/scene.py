"""A table of Leduc poker as data: two cards, the public one, those left over, what is staked and the betting."""

import numpy as np

from tefuda.contract import Card, Name, Note, Reader, Scene, Seat, Zone
from tefuda.games.leduc import rules
from tefuda.games.leduc.rules import ANTE, CARDS, NAMES, ROUNDS, SEATS, SUIT_NAMES, SUITS, UNKNOWN
from tefuda.games.leduc.spaces import RAISES
from tefuda.games.leduc.text import ANTE_NAME, LEFT, PUBLIC, ROUND_NAMES, done_in

CHIPS, STAKE = Name("収支", "chips"), Name("賭け", "stake")
HAND, LAID = Name("手札", "hand"), Name("表", "shown")
PICTURES = ("JS", "JH", "QS", "QH", "KS", "KH")
COLOURS = {"spades": "white", "hearts": "red"}


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with all cards open."""
    state = states[0]
    shown = bool(rules.is_showdown(state))
    sizes = (int(state.rules.first_raise), int(state.rules.second_raise))
    going = min(int(state.finished), ROUNDS - 1)
    title = (
        Note(ANTE_NAME, "ante", ANTE),
        Note(RAISES, "raise", sizes[going]),
        *(Note(ROUND_NAMES[number], "betting", done_in(states, number)) for number in range(going + 1)),
    )
    scores = np.zeros(SEATS)
    rules.scores(state, scores)
    seats = tuple(
        Seat(int(scores[seat]), notes=(Note(STAKE, "stake", int(rules.stake(state, seat))),)) for seat in range(SEATS)
    )
    hands = tuple(
        _zone("laid" if shown else "hand", LAID if shown else HAND, [int(state.hand[seat])], 1, seat)
        for seat in range(SEATS)
    )
    left = [card for card in range(CARDS) if int(state.left) >> card & 1]
    others = (_zone("public", PUBLIC, [int(state.public)], 1), _zone("rest", LEFT, left, CARDS - SEATS - 1))
    return Scene(
        deck="cards", title=title, seats=seats, zones=(*hands, *others), signed=True, points_name=CHIPS,
        colours=COLOURS,
    )  # fmt: skip


def _zone(key: str, name: Name, numbers: list[int], size: int, seat: int | None = None) -> Zone:
    """A place of so many cards, of which some may be known."""
    cards = tuple(
        Card(number, NAMES[number], NAMES[number], SUIT_NAMES[number % SUITS].en, picture=PICTURES[number])
        for number in numbers
        if number != UNKNOWN
    )
    return Zone(key, name, seat, cards=cards, backs=size - len(cards))
