"""Sets of cards as bits of a uint64, and legal actions as an array of such words.

Masks stay uint64 throughout: mixed with a signed integer they silently become signed when compiled.
"""

from typing import Any

import numpy as np

from tefuda.kernel.compile import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
_EVEN = np.uint64(0x5555555555555555)
_PAIRS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)
_BYTES = np.uint64(0x0101010101010101)
_1, _2, _4, _56 = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)


def mask_of(*cards: int) -> np.uint64:
    """The set of some cards, outside kernels."""
    return np.uint64(sum(1 << card for card in cards))


def cards_of(mask: Any) -> list[int]:
    """The cards of a set, lowest first, outside kernels."""
    bits, found = int(mask), []
    while bits:
        lowest_bit = bits & -bits
        found.append(lowest_bit.bit_length() - 1)
        bits ^= lowest_bit
    return found


@kernel
def bit(index):
    """The set that holds one card."""
    return ONE << np.uint64(index)


@kernel
def has(mask, index):
    """Whether a card is in a set."""
    return ((mask >> np.uint64(index)) & ONE) != ZERO


@kernel
def count(mask):
    """The number of cards in a set (LLVM makes one instruction of it)."""
    mask = mask - ((mask >> _1) & _EVEN)
    mask = (mask & _PAIRS) + ((mask >> _2) & _PAIRS)
    mask = (mask + (mask >> _4)) & _NIBBLES
    return np.int64((mask * _BYTES) >> _56)


@kernel
def lowest(mask):
    """The lowest card of a set that is not empty."""
    return count((mask & (~mask + ONE)) - ONE)


@kernel
def without_lowest(mask):
    return mask & (mask - ONE)


@kernel
def nth(mask, position):
    """The card at a position (from 0, lowest first) of a set."""
    for _ in range(position):
        mask = mask & (mask - ONE)
    return lowest(mask)


@kernel
def count_words(words):
    """The number of actions in a mask of several words."""
    total = 0
    for i in range(words.shape[0]):
        total += count(words[i])
    return total


@kernel
def nth_of_words(words, position):
    """The action at a position (from 0) of a mask of several words."""
    for i in range(words.shape[0]):
        inside = count(words[i])
        if position < inside:
            return i * 64 + nth(words[i], position)
        position -= inside
    return -1


@kernel
def has_word(words, index):
    """Whether an action is in a mask of several words."""
    return has(words[index // 64], index % 64)


@kernel
def next_of_words(words, first):
    """The first action from `first` on in a mask of several words, or -1."""
    for i in range(first // 64, words.shape[0]):
        word = words[i]
        if i == first // 64:
            word = (word >> np.uint64(first % 64)) << np.uint64(first % 64)
        if word != ZERO:
            return i * 64 + lowest(word)
    return -1
