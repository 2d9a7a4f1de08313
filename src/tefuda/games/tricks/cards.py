"""The 52 cards. Card = 13 × suit + rank: suits clubs, diamonds, spades, hearts; ranks 0 (two) to 12 (ace).

A set of cards is a uint64 with bit `card` set; a suit is 13 neighbouring bits, and the higher bit is the stronger card.
"""

import numpy as np

from tefuda.contract import Name
from tefuda.kernel.bits import cards_of as cards_of  # for all that looks at sets of these cards
from tefuda.kernel.bits import mask_of

CARDS = 52
SUITS = 4
RANKS = 13
CLUBS, DIAMONDS, SPADES, HEARTS = range(SUITS)

SUIT_NAMES = (Name("クラブ", "clubs"), Name("ダイヤ", "diamonds"), Name("スペード", "spades"), Name("ハート", "hearts"))
SYMBOLS = "♣♦♠♥"
LETTERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
_WORDS = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
NAMES = tuple(
    Name(f"{suit.ja}の{letter}", f"{word} of {suit.en}")
    for suit in SUIT_NAMES
    for letter, word in zip(LETTERS, _WORDS, strict=True)
)


def card_of(suit: int, letter: str) -> int:
    """The card of a suit with a letter, as in card_of(SPADES, "Q")."""
    return RANKS * suit + LETTERS.index(letter)


ALL = mask_of(*range(CARDS))
ONE_SUIT = mask_of(*range(RANKS))  # clubs; the others are this one shifted
ALL_HEARTS = mask_of(*range(RANKS * HEARTS, CARDS))
JACK_OF_DIAMONDS = card_of(DIAMONDS, "J")
QUEEN_OF_SPADES, KING_OF_SPADES, ACE_OF_SPADES = (card_of(SPADES, letter) for letter in "QKA")
# By the option `pack`: full, small, tiny; so many ranks of each suit, the highest, and as many cards in a hand.
HAND_OF = np.array([RANKS, 3, 2])
PACK_OF = np.array(
    [sum(1 << card for card in range(CARDS) if card % RANKS >= RANKS - ranks) for ranks in HAND_OF.tolist()], np.uint64
)
PENALTY = ALL_HEARTS | mask_of(QUEEN_OF_SPADES)  # the cards that cost points in Hearts
QUEEN_POINTS = 13
ALL_POINTS = 26  # 13 hearts and the queen of spades, in the full pack
POINTS_OF = np.array([ALL_POINTS, 3 + QUEEN_POINTS, 2])  # in each pack; the tiny one has no queens
JACK_POINTS = 10
