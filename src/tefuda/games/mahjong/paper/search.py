"""The search of section 5.5: own draws and discards by turns, without calls, to a depth of 2 or 3 discards.

    V_draw(X) = the expected final rank of the win, if X is complete; else the least V_move(X − tile)
    V_move(X) = Score(X) at the last discard; else the mean of V_draw(X + tile) over unseen tiles

Lower ranks are better, so that the paper's maxima are minima here. It is pruned as in the paper: of the discards three
are searched, those with the best Score (the paper says: by the model of han), and of the draws those that lower the
shanten or lie next to an isolated tile (at most two away). The mean is taken over these draws. We prune further: below
the first discard, only the tile drawn and the five best discards of the first decision are weighed. Where a kan is
legal too, there is no search.

The paper's mean leaves out how likely the other draws are, so that a hand with few useful tiles looks as good as one
with many. With `whole`, other draws count too: they are discarded, and leave Score(X).
"""

import numpy as np

from tefuda.games.mahjong.paper.features import features, features_of_hand
from tefuda.games.mahjong.paper.hands import (
    CODES,
    DISCARD,
    HELD_REDS,
    NUMBER,
    REDS,
    THROWN,
    TURN,
    UNSEEN,
    WORDS,
    done_of,
    kind_of_code,
)
from tefuda.games.mahjong.paper.opening import LOOKS, score_of
from tefuda.games.mahjong.paper.rest import base_of, rank_of_win
from tefuda.games.mahjong.players.efficient import tiles_of, with_tiles
from tefuda.games.mahjong.score import TSUMO
from tefuda.games.mahjong.shanten import shanten_packed, useful_packed
from tefuda.games.mahjong.tiles import HONOURS, KINDS
from tefuda.kernel.bits import ZERO, bit, has, lowest, without_lowest
from tefuda.kernel.compile import kernel

BROAD = 3  # discards that are searched at a node
FIVE = 4  # the place of a five in its suit
KEPT = 5  # discards of the first decision that may be taken later
_NONE, _ONCE = np.int64(-1), np.int64(1)  # a mean over many draws needs no more looks


@kernel
def isolated_neighbours(words):
    """The kinds at most two away from a tile that has no other tile of the hand so near."""
    kinds = ZERO
    for kind in range(HONOURS):
        if tiles_of(words, kind) != 1:
            continue
        near, alone = ZERO, True
        for step in range(-2, 3):
            other = kind + step
            if step != 0 and other >= 0 and other // 9 == kind // 9:
                near |= bit(other)
                alone = alone and tiles_of(words, other) == 0
        if alone:
            kinds |= near
    return kinds


@kernel
def lay_words(words, work):
    work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3] = words


@kernel
def throw(drawn, kind, work):
    """Note a discard below the first: it can be a wait of the own, and a red five, the last of its kind, is dora no
    more. Returns what was noted before."""
    before = work[THROWN], work[REDS], work[HELD_REDS]
    work[THROWN] |= np.int64(bit(kind))
    if kind < HONOURS and kind % 9 == FIVE and tiles_of(drawn, kind) == 1:
        red = (work[HELD_REDS] >> (kind // 9)) & 1
        work[REDS] -= red
        work[HELD_REDS] ^= red << (kind // 9)
    return before


@kernel
def take_back(before, work):
    work[THROWN], work[REDS], work[HELD_REDS] = before


@kernel
def score_after(drawn, kind, model, work, active, asked, hopes):
    """Score of a hand with a tile just drawn once a kind is discarded."""
    before = throw(drawn, kind, work)
    score = score_of_words(with_tiles(drawn, kind, np.int64(-1)), model, work, active, asked, hopes)
    take_back(before, work)
    return score


@kernel
def score_of_words(words, model, work, active, asked, hopes):
    """Score of a hand of 13 tiles, less three a meld."""
    lay_words(words, work)
    features_of_hand(work, active)
    return score_of(work, active, model, _ONCE, asked, hopes)


@kernel
def win_rank(view, seat, words, kind, weights, work, facts):
    """The expected final rank when the tile drawn completes a hand, or 0 when it does not, or has no yaku."""
    man, pin, sou, honours = with_tiles(words, kind, np.int64(1))
    if shanten_packed(man, pin, sou, honours, work[NUMBER]) >= 0:
        return 0.0
    base = base_of(words, kind, TSUMO, work, work, np.int64(0))
    if base == 0:
        return 0.0
    return rank_of_win(facts, weights, view.rules, seat, base, seat, seat, np.int64(0))


@kernel
def unseen_tiles(work):
    """How many tiles are unseen."""
    total = np.int64(0)
    for kind in range(KINDS):
        total += work[UNSEEN + kind]
    return total


@kernel
def draws_of(words, work):
    """The draws that are searched behind a discard."""
    man, pin, sou, honours = words
    return useful_packed(man, pin, sou, honours, work[NUMBER]) | isolated_neighbours(words)


@kernel
def mean_of_draws(total, tiles, words, whole, model, work, active, asked, hopes):
    """V_move from the sum over the draws that were searched; with `whole`, all other draws leave the hand as it is."""
    if whole or tiles == 0:
        others = unseen_tiles(work) - tiles
        return (total + others * score_of_words(words, model, work, active, asked, hopes)) / (tiles + others)
    return total / tiles


@kernel
def after_one(view, seat, words, kept, whole, model, weights, work, active, asked, facts, hopes):
    """V_move of a hand one draw before the last discard."""
    total, tiles, kinds = 0.0, 0, draws_of(words, work)
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        number = work[UNSEEN + kind]
        if number <= 0:
            continue
        best = win_rank(view, seat, words, kind, weights, work, facts)
        if best == 0.0:
            best = 1e9
            drawn = with_tiles(words, kind, np.int64(1))
            discards = kept | bit(kind)
            work[UNSEEN + kind] -= 1
            while discards != ZERO:
                each = lowest(discards)
                discards = without_lowest(discards)
                if tiles_of(drawn, each) > 0:
                    best = min(best, score_after(drawn, each, model, work, active, asked, hopes))
            work[UNSEEN + kind] += 1
        total += number * best
        tiles += number
    return mean_of_draws(total, tiles, words, whole, model, work, active, asked, hopes)


@kernel
def after_two(view, seat, words, kept, whole, model, weights, work, active, asked, facts, hopes):
    """V_move of a hand two draws before the last discard."""
    total, tiles, kinds = 0.0, 0, draws_of(words, work)
    while kinds != ZERO:
        kind = lowest(kinds)
        kinds = without_lowest(kinds)
        number = work[UNSEEN + kind]
        if number <= 0:
            continue
        value = win_rank(view, seat, words, kind, weights, work, facts)
        if value == 0.0:
            value = 1e9
            drawn = with_tiles(words, kind, np.int64(1))
            work[UNSEEN + kind] -= 1
            one, two, three = three_best(drawn, kept | bit(kind), model, work, active, asked, hopes)
            work[TURN] += 1
            for each in (one, two, three):
                if each >= 0:
                    before = throw(drawn, each, work)
                    left = with_tiles(drawn, each, np.int64(-1))
                    value = min(
                        value,
                        after_one(view, seat, left, kept, whole, model, weights, work, active, asked, facts, hopes),
                    )
                    take_back(before, work)
            work[TURN] -= 1
            work[UNSEEN + kind] += 1
        total += number * value
        tiles += number
    return mean_of_draws(total, tiles, words, whole, model, work, active, asked, hopes)


@kernel
def three_best(drawn, discards, model, work, active, asked, hopes):
    """The three discards with the best Score of a hand with a tile just drawn; -1 for none."""
    one, two, three = _NONE, _NONE, _NONE
    first, second, third = 1e9, 1e9, 1e9
    while discards != ZERO:
        each = lowest(discards)
        discards = without_lowest(discards)
        if tiles_of(drawn, each) == 0:
            continue
        rank = score_after(drawn, each, model, work, active, asked, hopes)
        if rank < first:
            one, two, three, first, second, third = each, one, two, rank, first, second
        elif rank < second:
            two, three, second, third = each, two, rank, second
        elif rank < third:
            three, third = each, rank
    return one, two, three


@kernel
def search(view, seat, depth, whole, number, model, weights, work, active, asked, facts, hopes, scores):
    """The code of the best discard by a search of some depth (2 or 3); -1 where the turn has other candidates too.
    scores [candidates] is scratch space."""
    for row in range(number):
        if done_of(work[CODES + row]) != DISCARD:
            return _NONE
        features(view, seat, work[CODES + row], work, active)
        scores[row] = score_of(work, active, model, LOOKS, asked, hopes)
    kept = ZERO
    for _ in range(KEPT):
        best = _NONE
        for row in range(number):
            if not has(kept, kind_of_code(work[CODES + row])) and (best < 0 or scores[row] < scores[best]):
                best = np.int64(row)
        if best >= 0:
            kept |= bit(kind_of_code(work[CODES + best]))
    chosen, least, tried = _NONE, 1e9, ZERO
    for _ in range(BROAD):
        best = _NONE
        for row in range(number):
            if not has(tried, kind_of_code(work[CODES + row])) and (best < 0 or scores[row] < scores[best]):
                best = np.int64(row)
        if best < 0:
            break
        code = work[CODES + best]
        tried |= bit(kind_of_code(code))
        features(view, seat, code, work, active)
        words = work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3]
        work[TURN] += 1
        if depth >= 3:
            value = after_two(view, seat, words, kept, whole, model, weights, work, active, asked, facts, hopes)
        else:
            value = after_one(view, seat, words, kept, whole, model, weights, work, active, asked, facts, hopes)
        work[TURN] -= 1
        if value < least:
            chosen, least = code, value
    return chosen
