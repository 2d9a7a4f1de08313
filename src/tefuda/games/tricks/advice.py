"""What a hint says beside the values: what is still out in each suit, and in Hearts where the points are."""

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.games.tricks import options, rules
from tefuda.games.tricks.cards import ALL_HEARTS, LETTERS, QUEEN_OF_SPADES, RANKS, SUITS, SYMBOLS, cards_of
from tefuda.games.tricks.state import OVER, all_played, pack_of
from tefuda.games.tricks.text import short
from tefuda.kernel.bits import ZERO, count, has

OUT = Name("他の手札", "in other hands")
HIGHEST, NONE = Name("最強", "highest"), Name("なし", "none")
MASTERS = Name("負けない札", "cards that nothing out beats")


def advice(states: np.ndarray, reader: Reader) -> list[str]:
    """How many cards of each suit the others hold and the highest of them; own cards that nothing beats; the queen."""
    state = states[0]
    seat = int(rules.to_move(state)) if reader.seat is None else reader.seat
    if state.phase == OVER or seat < 0:
        return []
    own = state.hand[seat]
    out = pack_of(state) & ~(own | all_played(state))
    lines = [f"{reader.label(OUT)}: " + "  ".join(_suit(out, suit, reader) for suit in range(SUITS))]
    masters = [card for card in cards_of(own) if not any(each > card for each in _of_suit(out, card // RANKS))]
    if masters:
        lines.append(f"{reader.label(MASTERS)}: {' '.join(map(short, masters))}")
    if state.rules.goal == options.HEARTS_POINTS:
        lines.append(_points(own, out, reader))
    return lines


def _of_suit(cards: np.uint64, suit: int) -> list[int]:
    return [card for card in cards_of(cards) if card // RANKS == suit]


def _suit(out: np.uint64, suit: int, reader: Reader) -> str:
    here = _of_suit(out, suit)
    if not here:
        return f"{SYMBOLS[suit]} {reader.label(NONE)}"
    return f"{SYMBOLS[suit]} {len(here)} ({reader.label(HIGHEST)} {LETTERS[here[-1] % RANKS]})"


def _points(own: np.uint64, out: np.uint64, reader: Reader) -> str:
    """Where the queen of spades is, and how many hearts are still to come."""
    hearts = int(count((own | out) & ALL_HEARTS))
    if has(own, QUEEN_OF_SPADES):
        where = Name("♠Q は自分の手札", "you hold the ♠Q")
    elif out & (np.uint64(1) << np.uint64(QUEEN_OF_SPADES)) != ZERO:
        where = Name("♠Q はまだ出ていない", "the ♠Q is still out")
    else:
        where = Name("♠Q はもう出た", "the ♠Q is gone")
    return reader.say(f"{where.ja}、残りのハート {hearts}", f"{where.en}; {hearts} hearts are to come")
