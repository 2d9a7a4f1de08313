"""`shanten`: the shortest way to a ready hand, with the most tiles that shorten it; riichi and wins when it can.

It calls nothing and looks at nobody: what strength plain speed has.
"""

import numpy as np

from tefuda.games.mahjong.actions import NINE, PASS, RIICHI, RON, TSUMO, TSUMOGIRI, kind_of_face, red_of_kind
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.shanten import one, pack, packed_count, shanten_packed, useful_packed
from tefuda.games.mahjong.tiles import HONOURS, KINDS, PIN, SOU
from tefuda.kernel.bits import ZERO, bit, has_word, lowest, next_of_words, without_lowest
from tefuda.kernel.compile import kernel

NUMBERS = KINDS  # unseen tiles of each kind


@kernel
def unseen_of(kinds, unseen):
    """How many tiles of some kinds are unseen."""
    total = 0
    while kinds != ZERO:
        total += int(unseen[lowest(kinds)])
        kinds = without_lowest(kinds)
    return total


@kernel
def middleness(kind):
    """How near to the middle a kind is, 0 to 5: among equals the outermost goes first."""
    if kind >= HONOURS:
        return 0
    return 1 + min(kind % 9, 8 - kind % 9)


@kernel
def tiles_of(words, kind):
    """How many tiles of a kind four packed suits have."""
    man, pin, sou, honours = words
    word = man if kind < PIN else pin if kind < SOU else sou if kind < HONOURS else honours
    return packed_count(word, kind % 9)


@kernel
def with_tiles(words, kind, tiles):
    """Four packed suits with some tiles of a kind more, or fewer."""
    man, pin, sou, honours = words
    step = one(kind) * tiles
    if kind < PIN:
        man += step
    elif kind < SOU:
        pin += step
    elif kind < HONOURS:
        sou += step
    else:
        honours += step
    return man, pin, sou, honours


@kernel
def packed_turn(view, seat):
    """The four packed suits of the seat in turn, with the tile just drawn."""
    words = pack(view.hand[seat])
    return with_tiles(words, kind_of_face(np.int64(view.drawn)), np.int64(1)) if view.drawn >= 0 else words


@kernel
def best_of(words, melds, kinds, unseen):
    """Of some kinds of a hand of 14 tiles, less three a meld, that whose discard leaves the least shanten, then the
    most useful tiles; or -1. With it the kinds that are useful then."""
    least, most, best, best_useful = 99, -1, -1, ZERO
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        man, pin, sou, honours = with_tiles(words, kind, np.int64(-1))
        distance = shanten_packed(man, pin, sou, honours, melds)
        if distance <= least:
            useful = useful_packed(man, pin, sou, honours, melds)
            tiles = 8 * unseen_of(useful, unseen) - middleness(kind)
            if distance < least or tiles > most:
                least, most, best, best_useful = distance, tiles, kind, useful
    return best, best_useful


@kernel
def best_discard(view, seat, mask, unseen):
    """The kind whose discard leaves the least shanten, then the most useful tiles; only what the mask allows."""
    drawn = kind_of_face(np.int64(view.drawn)) if view.drawn >= 0 else -1
    kinds = ZERO
    for kind in range(KINDS):
        if (view.hand[seat, kind] > 0 or kind == drawn) and may_discard(mask, kind, drawn):
            kinds |= bit(kind)
    return best_of(packed_turn(view, seat), np.int64(view.meld_count[seat]), kinds, unseen)[0]


@kernel
def may_discard(mask, kind, drawn):
    """Whether some tile of a kind may be discarded."""
    red = red_of_kind(kind)
    return has_word(mask, kind) or (red >= 0 and has_word(mask, red)) or (kind == drawn and has_word(mask, TSUMOGIRI))


@kernel
def discard_of(view, mask, kind):
    """The action that discards a kind: the tile just drawn if it is one and not red, a red five last."""
    if has_word(mask, TSUMOGIRI) and view.drawn == kind:
        return TSUMOGIRI
    if has_word(mask, kind):
        return kind
    if has_word(mask, TSUMOGIRI) and kind_of_face(np.int64(view.drawn)) == kind:
        return TSUMOGIRI
    return red_of_kind(kind)


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    for action in (TSUMO, RON, RIICHI, NINE, PASS):
        if has_word(mask, action):
            return action
    if view.riichi[seat] != 0:
        return TSUMOGIRI
    count_unseen(view, seat, numbers)
    kind = best_discard(view, seat, mask, numbers)
    return discard_of(view, mask, kind) if kind >= 0 else next_of_words(mask, 0)
