"""How far a hand is from an outside hand (全帯幺九): every set and the pair have a terminal or an honour.

What a part of the hand lacks for 0 to 4 sets, and for 0 to 4 sets and a pair, is ten numbers in one, four bits each.
The parts are the lower and the upper three kinds of each suit, and the honours.
"""

from typing import Any

import numpy as np

from tefuda.games.mahjong.shanten import packed_count, paired, there, tripled
from tefuda.kernel.bits import count
from tefuda.kernel.compile import kernel

SETS = 5  # 0 to 4
NEVER: Any = 15
_FOUR = 15  # four bits
_ONES = 0o111111111


def side(outer: int, middle: int, inner: int) -> int:
    """The ten numbers of three kinds, the terminal first: runs, a triplet of the terminal, a pair of it."""
    result = 0
    for pair in range(2):
        for sets in range(SETS):
            best = NEVER
            for triplet in range(min(sets, 1) + 1):
                runs = sets - triplet
                wanted = runs + 3 * triplet + 2 * pair
                if wanted <= 4:
                    lacks = max(0, wanted - outer) + max(0, runs - middle) + max(0, runs - inner)
                    best = min(best, lacks)
            result |= best << 4 * (SETS * pair + sets)
    return result


SIDES = np.array([side(a, b, c) for a in range(5) for b in range(5) for c in range(5)], np.int64)


@kernel
def _side_of(outer, middle, inner):
    return np.int64(SIDES[(outer * 5 + middle) * 5 + inner])


@kernel
def lacks_of(numbers, place):
    return (numbers >> (4 * place)) & _FOUR


@kernel
def together(one, other):
    """What two parts lack together: the best way to share out the sets, and who has the pair."""
    result = np.int64(0)
    for sets in range(SETS):
        plain, pair = np.int64(NEVER), np.int64(NEVER)
        for mine in range(sets + 1):
            a, b = lacks_of(one, mine), lacks_of(other, sets - mine)
            plain = min(plain, a + b)
            pair = min(pair, min(a + lacks_of(other, SETS + sets - mine), b + lacks_of(one, SETS + mine)))
        result |= (plain << (4 * sets)) | (pair << (4 * (SETS + sets)))
    return result


@kernel
def honours_lack(word):
    """The ten numbers of the honours: triplets and the pair come from the kinds with the most tiles."""
    threes = count(np.uint64(tripled(word)))
    twos = count(np.uint64(paired(word))) - threes
    ones = count(np.uint64(there(word))) - twos - threes
    result, lacks = np.int64(0), np.int64(0)
    for sets in range(SETS):
        needed = 0 if sets < threes + twos else 1 if sets < threes + twos + ones else 2
        result |= (min(lacks, NEVER) << (4 * sets)) | (min(lacks + needed, NEVER) << (4 * (SETS + sets)))
        lacks += 0 if sets < threes else 1 if sets < threes + twos else 2 if sets < threes + twos + ones else 3
    return result


@kernel
def _suit_lacks(word):
    low = _side_of(packed_count(word, 0), packed_count(word, 1), packed_count(word, 2))
    return together(low, _side_of(packed_count(word, 8), packed_count(word, 7), packed_count(word, 6)))


@kernel
def outside_shanten(man, pin, sou, honours, melds):
    """Shanten of an outside hand with so many melds, which are outside themselves."""
    numbers = together(_suit_lacks(man), _suit_lacks(pin))
    numbers = together(numbers, together(_suit_lacks(sou), honours_lack(honours)))
    return lacks_of(numbers, SETS + SETS - 1 - melds) - 1
