"""`shanten`: the shortest way to a ready hand, with the most tiles that shorten it; riichi and wins when it can.

It calls nothing and looks at nobody: what strength plain speed has.
"""

import numpy as np

from tefuda.games.mahjong.actions import NINE, PASS, RIICHI, RON, TSUMO, TSUMOGIRI, kind_of_face, red_of_kind
from tefuda.games.mahjong.hiding import count_unseen_kind
from tefuda.games.mahjong.shanten import shanten, useful
from tefuda.games.mahjong.tiles import HONOURS, KINDS
from tefuda.kernel.bits import ZERO, has_word, lowest, next_of_words, without_lowest
from tefuda.kernel.compile import kernel

NUMBERS = KINDS  # unseen tiles of each kind


@kernel
def useful_tiles(hand, melds, unseen):
    """How many unseen tiles lower the shanten of a hand."""
    kinds = useful(hand, melds)
    total = 0.0
    while kinds != ZERO:
        total += unseen[lowest(kinds)]
        kinds = without_lowest(kinds)
    return total


@kernel
def middleness(kind):
    """How near to the middle a kind is, 0 to 5: among equals the outermost goes first."""
    if kind >= HONOURS:
        return 0
    return 1 + min(kind % 9, 8 - kind % 9)


@kernel
def best_discard(view, seat, mask, unseen):
    """The kind whose discard leaves the least shanten, then the most useful tiles; only what the mask allows."""
    hand, melds = view.hand[seat], np.int64(view.meld_count[seat])
    drawn = kind_of_face(np.int64(view.drawn)) if view.drawn >= 0 else -1
    if drawn >= 0:
        hand[drawn] += 1  # put back below
    least, most, best = 99, -1.0, -1
    for kind in range(KINDS):
        if hand[kind] == 0 or not may_discard(mask, kind, drawn):
            continue
        hand[kind] -= 1
        distance = shanten(hand, melds)
        if distance <= least:
            tiles = useful_tiles(hand, melds, unseen) - 0.01 * middleness(kind)
            if distance < least or tiles > most:
                least, most, best = distance, tiles, kind
        hand[kind] += 1
    if drawn >= 0:
        hand[drawn] -= 1
    return best


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
    for kind in range(KINDS):
        numbers[kind] = count_unseen_kind(view, seat, kind)
    kind = best_discard(view, seat, mask, numbers)
    return discard_of(view, mask, kind) if kind >= 0 else next_of_words(mask, 0)
