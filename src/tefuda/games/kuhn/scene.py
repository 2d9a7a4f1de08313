"""A table of Kuhn poker as data: two cards, which a showdown lays open, the one left over, and the betting."""

import numpy as np

from tefuda.contract import Card, Name, Note, Reader, Scene, Seat, Zone
from tefuda.games.kuhn import rules
from tefuda.games.kuhn.rules import (
    ANTE,
    BET_CALLED,
    BET_FIRST,
    BET_FOLDED,
    CHECKED_BET,
    CHECKED_BET_CALLED,
    CHECKED_BET_FOLDED,
    LEFT_OVER,
    NAMES,
    SEATS,
    UNKNOWN,
)
from tefuda.games.kuhn.spaces import BETS, BETTING_NAMES

ANTE_NAME, BETTING, CHIPS = Name("アンティ", "ante"), Name("経過", "betting"), Name("収支", "chips")
STAKE, HAND, LAID, REST = Name("賭け", "stake"), Name("手札", "hand"), Name("表", "shown"), Name("残り", "left over")
PICTURES = ("JS", "QS", "KS")  # the game has no suits; its cards are drawn as spades
BETS_OF = {  # the bettings in which each seat has put the bet beside its ante
    0: (BET_FIRST, BET_CALLED, BET_FOLDED, CHECKED_BET_CALLED),
    1: (CHECKED_BET, BET_CALLED, CHECKED_BET_CALLED, CHECKED_BET_FOLDED),
}


def scene(states: np.ndarray, reader: Reader) -> Scene:
    """The whole table as one seat sees it, or with both cards open."""
    state = states[0]
    shown = bool(rules.is_showdown(state))
    zones = tuple(
        _zone("laid" if shown else "hand", LAID if shown else HAND, int(state.card[seat]), seat)
        for seat in range(SEATS)
    )
    scores = np.zeros(SEATS)
    rules.scores(state, scores)
    title = (
        Note(ANTE_NAME, "ante", ANTE),
        Note(BETS, "bet", int(state.rules.bet)),
        Note(BETTING, "betting", BETTING_NAMES[int(state.betting)]),
    )
    seats = tuple(Seat(int(scores[seat]), notes=(_stake(state, seat),)) for seat in range(SEATS))
    rest = _zone("rest", REST, int(state.card[LEFT_OVER]))
    return Scene(deck="cards", title=title, seats=seats, zones=(*zones, rest), signed=True, points_name=CHIPS)


def _stake(state: np.record, seat: int) -> Note:
    """What a seat has put in."""
    return Note(STAKE, "stake", ANTE + (int(state.rules.bet) if state.betting in BETS_OF[seat] else 0))


def _zone(key: str, name: Name, card: int, seat: int | None = None) -> Zone:
    cards = () if card == UNKNOWN else (Card(card, NAMES[card], NAMES[card], picture=PICTURES[card]),)
    return Zone(key, name, seat, cards=cards, backs=1 - len(cards))
