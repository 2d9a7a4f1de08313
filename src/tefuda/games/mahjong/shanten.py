"""Shanten: how many tiles a hand is from being ready, by looking up four suits. -1 is a complete hand, 0 a ready one.

A hand is counts[34] of its concealed tiles and how many melds it has called (a kan is one meld): 14 tiles less three a
meld, or one fewer. Kernels whose names end in `packed` take four numbers instead, with BITS bits for each kind's count:
characters, circles, bamboos, honours. That is what searches should carry about; a tile is added by adding `one(kind)`
to its suit's number.

A kind is never used five times, so 1111m 234p 567p 789s is not ready: nothing can pair the last 1m. Tiles in melds and
on the table do not count here, except in `waits`.
"""

import numpy as np

from tefuda.games.mahjong.hand import held, number_of
from tefuda.games.mahjong.tables import (
    AT_ONCE,
    BITS,
    HONOUR,
    HONOUR_CLASSES,
    HONOUR_KINDS,
    LACKS,
    MELDS,
    MERGED,
    SETS_LACK,
    STARTS,
    STEPS,
    SUIT,
)
from tefuda.games.mahjong.tiles import COPIES, HONOURS, KINDS, MAN, ORPHANS, PIN, SOU
from tefuda.kernel.bits import ZERO, bit, count, has
from tefuda.kernel.compile import kernel

_FIRST = (1 << BITS * AT_ONCE) - 1
_COUNT = (1 << BITS) - 1
_ONES = 0o111111111  # the lowest bit of each count
_ENDS = 0o100000001  # of the two terminals
_MAN, _PIN, _SOU, _HONOURS = np.array([MAN, PIN, SOU, HONOURS])  # plain ints would each compile a kernel of its own


@kernel
def one(kind):
    """One tile of a kind, in the packed number of its suit."""
    return 1 << (BITS * (kind % SUIT))


@kernel
def packed_count(word, place):
    """How many tiles of the kind at a place of a packed suit there are."""
    return (word >> (BITS * place)) & _COUNT


@kernel
def _pack_suit(counts, first):
    """Seven kinds from the first one on; a suit of numbers has two more."""
    word = 0
    for place in range(HONOUR):
        word |= int(counts[first + place]) << (BITS * place)
    return word


@kernel
def pack(counts):
    """The four packed numbers of a hand."""
    man, pin, sou = _pack_suit(counts, _MAN), _pack_suit(counts, _PIN), _pack_suit(counts, _SOU)
    man |= (int(counts[7]) << (BITS * 7)) | (int(counts[8]) << (BITS * 8))
    pin |= (int(counts[16]) << (BITS * 7)) | (int(counts[17]) << (BITS * 8))
    sou |= (int(counts[25]) << (BITS * 7)) | (int(counts[26]) << (BITS * 8))
    return man, pin, sou, _pack_suit(counts, _HONOURS)


@kernel
def _next_row(index):
    return np.int64(STEPS[index])


@kernel
def suit_class(word):
    """The class of a suit of numbers: see tables.py."""
    row = _next_row(np.int64(word & _FIRST))
    for place in range(AT_ONCE, SUIT):
        row = _next_row(np.int64(row + packed_count(word, place)))
    return row


@kernel
def there(word):
    """Which kinds of a packed suit are there, as the lowest bits of their counts."""
    return (word | (word >> 1) | (word >> 2)) & _ONES


@kernel
def paired(word):
    """Which kinds are there twice at least."""
    return ((word >> 1) | (word >> 2)) & _ONES


@kernel
def tripled(word):
    """Which kinds are there three times at least."""
    return (((word >> 1) & word) | (word >> 2)) & _ONES


@kernel
def honour_class(word):
    once, twice = count(np.uint64(there(word))), count(np.uint64(paired(word)))
    return np.int64(HONOUR_CLASSES[(once * HONOUR_KINDS + twice) * MELDS + count(np.uint64(tripled(word)))])


@kernel
def merged(one_class, other_class):
    """The class of two classes together."""
    high, low = max(one_class, other_class), min(one_class, other_class)
    return np.int64(MERGED[np.int64(STARTS[high]) + low])


@kernel
def _lacks(index):
    return np.int64(LACKS[index])


@kernel
def standard_of(whole, number):
    """The shanten of four melds and a pair, from the class of all suits."""
    return _lacks(np.int64(whole * MELDS + (MELDS - 1 - number))) - 1


@kernel
def sets_of(whole, number):
    """The shanten of four melds, the pair being there already, from the class of all suits without it."""
    return np.int64(SETS_LACK[whole * MELDS + (MELDS - 1 - number)]) - 1


@kernel
def class_packed(man, pin, sou, honours):
    """The class of all suits."""
    return merged(merged(suit_class(man), suit_class(pin)), merged(suit_class(sou), honour_class(honours)))


@kernel
def standard_packed(man, pin, sou, honours, number):
    return standard_of(class_packed(man, pin, sou, honours), number)


@kernel
def spread(man, pin, sou, honours):
    """One bit of each kind, for counting: the suits' bits fit between each other."""
    return np.uint64(man | (pin << 1) | (sou << 2) | (honours << (BITS * SUIT)))


@kernel
def seven_pairs_packed(man, pin, sou, honours):
    """Four of a kind are one pair, not two."""
    pairs = count(spread(paired(man), paired(pin), paired(sou), paired(honours)))
    kinds = count(spread(there(man), there(pin), there(sou), there(honours)))
    return 6 - pairs + max(0, 7 - kinds)


@kernel
def thirteen_orphans_packed(man, pin, sou, honours):
    man, pin, sou = man & (_ENDS * _COUNT), pin & (_ENDS * _COUNT), sou & (_ENDS * _COUNT)
    kinds = count(spread(there(man), there(pin), there(sou), there(honours)))
    pair = paired(man) | paired(pin) | paired(sou) | paired(honours)
    return 13 - kinds - (1 if pair != 0 else 0)


@kernel
def shanten_packed(man, pin, sou, honours, number):
    best = standard_packed(man, pin, sou, honours, number)
    if number == 0:
        best = min(best, seven_pairs_packed(man, pin, sou, honours))
        best = min(best, thirteen_orphans_packed(man, pin, sou, honours))
    return best


@kernel
def standard(counts, number):
    """The shanten of four melds and a pair."""
    return standard_packed(*pack(counts), number)


@kernel
def seven_pairs(counts):
    """The shanten of seven different pairs."""
    return seven_pairs_packed(*pack(counts))


@kernel
def thirteen_orphans(counts):
    """The shanten of all terminals and honours, one of them twice."""
    return thirteen_orphans_packed(*pack(counts))


@kernel
def shanten(counts, number):
    """The least shanten of the three forms; seven pairs and thirteen orphans need a hand without melds."""
    return shanten_packed(*pack(counts), number)


@kernel
def complete(counts, number):
    """Whether a hand of 14 tiles, less three a meld, is complete."""
    return shanten(counts, number) < 0


@kernel
def useful_in_suit(word, others, number, goal):
    """The places of a suit where one tile more brings the standard form to a goal, given the class of the others."""
    places = ZERO
    for place in range(SUIT):
        if packed_count(word, place) < COPIES:
            whole = merged(others, suit_class(word + (1 << (BITS * place))))
            if standard_of(whole, number) <= goal:
                places |= bit(place)
    return places


@kernel
def useful_in_honours(word, others, number, goal):
    places = ZERO
    for place in range(HONOUR):
        if packed_count(word, place) < COPIES:
            whole = merged(others, honour_class(word + (1 << (BITS * place))))
            if standard_of(whole, number) <= goal:
                places |= bit(place)
    return places


@kernel
def useful_for_other_forms(man, pin, sou, honours, now):
    """The kinds that bring seven pairs or thirteen orphans nearer, as far as these are no further than `now`."""
    kinds = ZERO
    pairs = seven_pairs_packed(man, pin, sou, honours) == now
    few = count(spread(there(man), there(pin), there(sou), there(honours))) < 7  # another kind helps too
    orphans = thirteen_orphans_packed(man, pin, sou, honours) == now
    ends = _ENDS * _COUNT
    alone = (paired(man & ends) | paired(pin & ends) | paired(sou & ends) | paired(honours)) == 0
    for kind in range(KINDS):
        word = man if kind < SUIT else pin if kind < 2 * SUIT else sou if kind < 3 * SUIT else honours
        held = packed_count(word, kind % SUIT)
        if pairs and (held == 1 or (held == 0 and few)):
            kinds |= bit(kind)
        if orphans and has(ORPHANS, kind) and (held == 0 or (held == 1 and alone)):
            kinds |= bit(kind)
    return kinds


@kernel
def useful_packed(man, pin, sou, honours, number):
    """The kinds that lower the shanten of a hand, as bits; kinds of which the hand has all four are not among them."""
    classes = suit_class(man), suit_class(pin), suit_class(sou), honour_class(honours)
    numbers, rest = merged(classes[0], classes[1]), merged(classes[2], classes[3])
    standard_now = standard_of(merged(numbers, rest), number)
    pairs_now, orphans_now = 99, 99
    if number == 0:
        pairs_now = seven_pairs_packed(man, pin, sou, honours)
        orphans_now = thirteen_orphans_packed(man, pin, sou, honours)
    best = min(standard_now, min(pairs_now, orphans_now))
    kinds = ZERO
    if standard_now == best:
        goal = best - 1
        kinds |= useful_in_suit(man, merged(classes[1], rest), number, goal)
        kinds |= useful_in_suit(pin, merged(classes[0], rest), number, goal) << np.uint64(SUIT)
        kinds |= useful_in_suit(sou, merged(numbers, classes[3]), number, goal) << np.uint64(2 * SUIT)
        kinds |= useful_in_honours(honours, merged(numbers, classes[2]), number, goal) << np.uint64(3 * SUIT)
    if pairs_now == best or orphans_now == best:
        kinds |= useful_for_other_forms(man, pin, sou, honours, best)
    return kinds


@kernel
def useful(counts, number):
    """The kinds that lower the shanten of a hand of 13 tiles, less three a meld, as bits."""
    return useful_packed(*pack(counts), number)


@kernel
def waits(counts, melds):
    """The kinds that complete a ready hand of 13 tiles, less three a meld; none when it is not ready.

    A kind whose four tiles the player has himself, in the hand and in melds, is no wait. So a hand that would wait for
    such kinds alone is not ready, neither for riichi nor at a draw: as Tenhou has it.
    """
    number = number_of(melds)
    man, pin, sou, honours = pack(counts)
    if shanten_packed(man, pin, sou, honours, number) != 0:
        return ZERO
    kinds = useful_packed(man, pin, sou, honours, number)
    for kind in range(KINDS):
        if has(kinds, kind) and held(counts, melds, kind) >= COPIES:
            kinds &= ~bit(kind)
    return kinds
