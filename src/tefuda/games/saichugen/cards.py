"""The 52 cards in the order of the game. Card = 4 × (number − 1) + suit: suits clubs, diamonds, hearts, spades.

So a card is higher than another when its number is: ♠K is 51, ♥K 50, … ♦A 1, ♣A 0. A set of cards is a uint64 with bit
`card` set; the cards below one are the bits below it.
"""

from tefuda.contract import Name
from tefuda.kernel.bits import cards_of as cards_of  # for all that looks at sets of these cards
from tefuda.kernel.bits import mask_of

CARDS = 52
SUITS = 4
NUMBERS = 13  # ace 1 to king 13, which is also what a card scores

SUIT_NAMES = (Name("クラブ", "clubs"), Name("ダイヤ", "diamonds"), Name("ハート", "hearts"), Name("スペード", "spades"))
SYMBOLS = "♣♦♥♠"
LETTERS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_WORDS = (
    "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king",
)  # fmt: skip
NAMES = tuple(
    Name(f"{suit.ja}の{letter}", f"{word} of {suit.en}")
    for letter, word in zip(LETTERS, _WORDS, strict=True)
    for suit in SUIT_NAMES
)


ALL = mask_of(*range(CARDS))
