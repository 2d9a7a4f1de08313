"""The rest of a deal, simulated (section 5.4: the middle game): own draws and discards, and models of the others.

A simulation knows the own hand. The others are what others.py estimates of them: they are ready or become so, each
waits for some kinds, and each wins some points. Nobody sees their tiles, so that their draws and discards are unseen
tiles by lot. The end is worth the expected final rank that follows (standing.py): lower is better.

All that is left to chance in a simulation depends on its key and on the order of `tiles`. So all plans of a decision
meet the same luck: the same draws, the same readiness, the same waits.

    attack    the shortest way to a win, riichi and wins when they can be; a hand that is open calls what shortens it
    careful   the same, until a hand that is not ready would have to discard something dangerous: then it folds
    fold      always the tile that is least likely to be won on
"""

import numpy as np

from tefuda.games.mahjong.hand import meld_copies
from tefuda.games.mahjong.legal import STICK, TILES_FOR_RIICHI
from tefuda.games.mahjong.paper import others
from tefuda.games.mahjong.paper.deal_ends import WORK, rank_after, take_base, take_draw
from tefuda.games.mahjong.paper.hands import (
    CLOSED,
    DORA,
    DORAS,
    MAY_RIICHI,
    NUMBER,
    OPEN_TANYAO,
    REDS,
    ROUND_WIND,
    SEAT_WIND,
    SLOTS,
    THROWN,
    UNSEEN,
    WORDS,
)
from tefuda.games.mahjong.paper.others import TYPICAL
from tefuda.games.mahjong.paper.standing import STANDING, STICKS
from tefuda.games.mahjong.players.efficient import best_of, tiles_of, with_tiles
from tefuda.games.mahjong.score import DOUBLE_RIICHI, IPPATSU, LAST_TILE, RIICHI, TSUMO, score_packed
from tefuda.games.mahjong.score import OPEN_TANYAO as OPEN_TANYAO_FLAG
from tefuda.games.mahjong.state import SEATS, is_closed
from tefuda.games.mahjong.tiles import HONOURS, KINDS, dora_of
from tefuda.kernel.bits import ZERO, bit, has
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below, mix

_PLANS = np.arange(3)
ATTACK, CAREFUL, FOLD = _PLANS
DANGEROUS = 60.0  # base points times the chance to lose them, from where on a careful hand folds
POINTS = len(others.POINTS)

# The layout of `facts`, float64s that all simulations of a decision share. Seats are counted from the own one: 1 is
# the next.
NOW = 0  # the standing
READY = NOW + STANDING  # [4] the chance to be ready
PROGRESS = READY + SEATS  # [4] the chance to become ready by the next discard
CALLED = PROGRESS + SEATS  # [4] 1: something was called, so that there will be no riichi
FOLDS = CALLED + SEATS  # the chance that one who is not ready folds when another is in riichi
WAITS = FOLDS + 1  # [4, 34] the chance to wait for a kind, if ready
WINS = WAITS + SEATS * KINDS  # [4, classes of points] the chance of at most this class, if it wins
RISK = WINS + SEATS * POINTS  # [34] what a discard loses, about: to choose the safest
ENDS = RISK + KINDS  # [own riichi, winner, giver, class of points] ranks that were found; 0: not yet
DRAWN = ENDS + 2 * SEATS * SEATS * POINTS  # [own riichi, ready seats] likewise
SPACE = DRAWN + 2 * (1 << SEATS)  # scratch space of deal_ends.py
FACTS = SPACE + WORK

# What is drawn by lot is told apart by a number.
_LOT_READY, _LOT_FOLDS, _LOT_POINTS, _LOT_WAITS, _LOT_PROGRESS = 0, 8, 16, 64, 1024
_ODD = np.uint64(0x9E3779B97F4A7C15)
_HIGH, _UNIT = np.uint64(11), 1.0 / 9007199254740992.0


@kernel
def lot(key, number):
    """A real number from 0 up to 1 that a key has for a number."""
    return np.float64(mix(key + np.uint64(number + 1) * _ODD) >> _HIGH) * _UNIT


@kernel
def waits_for(facts, key, other, kind):
    """Whether another seat, which is ready, waits for a kind."""
    return lot(key, _LOT_WAITS * other + kind) < facts[WAITS + other * KINDS + kind]


@kernel
def winner_on(facts, key, ready, giver, kind):
    """The nearest of the others who wins on a discard, or 0."""
    for further in range(1, SEATS):
        other = (giver + further) % SEATS
        if other != 0 and (ready >> other) & 1 and waits_for(facts, key, other, kind):
            return other
    return 0


@kernel
def stand(facts, seat, paid):
    """Begin with the present standing, in the scratch space; `paid`: the own riichi stick lies on the table."""
    for i in range(STANDING):
        facts[SPACE + i] = facts[NOW + i]
    if paid:
        facts[SPACE + seat] -= STICK
        facts[SPACE + STICKS] += 1


@kernel
def rank_of_loss(facts, weights, rules, seat, key, winner, giver, paid):
    """The expected final rank when another seat wins; seats are counted from the own one."""
    point, each = lot(key, _LOT_POINTS + winner), 0
    while each < POINTS - 1 and point >= facts[WINS + winner * POINTS + each]:
        each += 1
    place = ENDS + ((paid * SEATS + winner) * SEATS + giver) * POINTS + each
    if facts[place] == 0.0:
        facts[place] = rank_of_win(
            facts, weights, rules, seat, TYPICAL[each], (seat + winner) % SEATS, (seat + giver) % SEATS, paid
        )
    return facts[place]


@kernel
def rank_of_win(facts, weights, rules, seat, base, winner, giver, paid):
    """The expected final rank of a seat after a win of so many base points."""
    stand(facts, seat, paid)
    space = facts[SPACE : SPACE + WORK]
    over = take_base(space, np.int64(base), winner, giver, rules)
    return rank_after(weights, space, over, rules, seat, space)


@kernel
def rank_of_draw(facts, weights, rules, seat, ready, paid):
    """The expected final rank when the wall is exhausted; `ready`: bits of seats, counted from the own one."""
    place = DRAWN + paid * (1 << SEATS) + ready
    if facts[place] == 0.0:
        absolute = np.int64(0)
        for further in range(SEATS):
            absolute |= ((ready >> further) & 1) << ((seat + further) % SEATS)
        stand(facts, seat, paid)
        space = facts[SPACE : SPACE + WORK]
        over = take_draw(space, absolute, rules)
        facts[place] = rank_after(weights, space, over, rules, seat, space)
    return facts[place]


@kernel
def own_copies(words, work, kind):
    """Own tiles of a kind, melds too."""
    tiles = tiles_of(words, kind)
    for slot in range(work[NUMBER]):
        tiles += meld_copies(work[SLOTS + slot], kind)
    return tiles


@kernel
def base_of(words, kind, flags, work, tiles, last):
    """Base points of an own win on a kind; 0 without a yaku. Ura indicators are unseen tiles, from `last` down."""
    full = with_tiles(words, kind, np.int64(1))
    man, pin, sou, honours = full
    dora = work[REDS]
    for i in range(work[DORAS]):
        dora += own_copies(full, work, work[DORA + i])
        if flags & (RIICHI | DOUBLE_RIICHI) != 0:
            dora += own_copies(full, work, dora_of(tiles[last - i]))
    flags |= OPEN_TANYAO_FLAG if work[OPEN_TANYAO] != 0 else 0
    return score_packed(
        man, pin, sou, honours, work[SLOTS : SLOTS + 4], kind, flags, work[SEAT_WIND], work[ROUND_WIND], dora
    )[3]  # fmt: skip


@kernel
def safest(words, facts, passed):
    """The kind of a hand that is least likely to be won on; what has passed is safe."""
    best, least = np.int64(-1), 1e9
    for kind in range(KINDS):
        if tiles_of(words, kind) > 0:
            risk = 0.0 if has(passed, kind) else facts[RISK + kind]
            if risk < least:
                best, least = np.int64(kind), risk
    return best


@kernel
def can_call(words, kind, giver):
    """Whether a hand can call a discard: two of it, or two that make a run with it from the seat before."""
    if tiles_of(words, kind) >= 2:
        return True
    if giver != SEATS - 1 or kind >= HONOURS:
        return False
    place = kind % 9
    below = place >= 1 and tiles_of(words, kind - 1) > 0
    above = place <= 7 and tiles_of(words, kind + 1) > 0
    if below and (above or (place >= 2 and tiles_of(words, kind - 2) > 0)):
        return True
    return above and place <= 6 and tiles_of(words, kind + 2) > 0


@kernel
def kinds_of_hand(words):
    """The kinds that a hand has."""
    kinds = ZERO
    for kind in range(KINDS):
        if tiles_of(words, kind) > 0:
            kinds |= bit(kind)
    return kinds


@kernel
def list_tiles(work, tiles):
    """List all unseen tiles by their kinds; returns how many."""
    number = 0
    for kind in range(KINDS):
        for _ in range(work[UNSEEN + kind]):
            tiles[number] = kind
            number += 1
    return number


@kernel
def shuffle(tiles, number, rng):
    for place in range(number - 1, 0, -1):
        other = below(rng, place + 1)
        kind = tiles[place]
        tiles[place] = tiles[other]
        tiles[other] = kind


@kernel
def simulate(view, seat, plan, declares, discard, first, left, far, useful, work, tiles, last, facts, weights, key):
    """One simulation: the expected final rank of its end.

    The hand lies in `work` (hands.py, `lay_out`), `far` is its shanten, `useful` what brings it nearer. `discard` is
    what is discarded now, or -1; `declares`: with riichi. `first` draws next, counted from the own seat; `left` tiles
    can be drawn. tiles [last + 1] are the unseen ones in any order: draws come from the front, other discards and ura
    indicators from behind.
    """
    words = work[WORDS], work[WORDS + 1], work[WORDS + 2], work[WORDS + 3]
    melds, closed, rules = work[NUMBER], work[CLOSED] != 0, view.rules
    thrown, passed = np.uint64(work[THROWN]), ZERO
    riichi, paid = view.riichi[seat] != 0 or declares, np.int64(1 if declares else 0)
    ippatsu = declares or view.ippatsu[seat] != 0
    sticks, ready = np.int64(1 if riichi else 0), np.int64(0)
    for other in range(1, SEATS):
        if view.riichi[(seat + other) % SEATS] != 0:
            sticks |= np.int64(1) << other
        if lot(key, _LOT_READY + other) < facts[READY + other]:
            ready |= np.int64(1) << other
    if discard >= 0:
        winner = winner_on(facts, key, ready, np.int64(0), discard)
        if winner > 0:
            return rank_of_loss(facts, weights, rules, seat, key, winner, np.int64(0), np.int64(0))
    current, place, rear = first, 0, last - 5
    while left > 0:
        kind = tiles[place]
        place += 1
        left -= 1
        given, open_ = np.int64(-1), True
        if current == 0:
            given = kind
            if plan == FOLD:
                words = with_tiles(words, kind, np.int64(1))
                given = safest(words, facts, passed)
                words = with_tiles(words, given, np.int64(-1))
            elif far == 0 and has(useful, kind):
                flags = win_flags(view, seat, riichi, ippatsu, left) | TSUMO
                base = base_of(words, kind, flags, work, tiles, last)
                if base > 0:
                    return rank_of_win(facts, weights, rules, seat, base, seat, seat, paid)
            elif not riichi and has(useful, kind):
                words = with_tiles(words, kind, np.int64(1))
                given, useful = best_of(words, melds, kinds_of_hand(words), work[UNSEEN : UNSEEN + KINDS])
                words = with_tiles(words, given, np.int64(-1))
                far -= 1
                if far == 0 and closed and work[MAY_RIICHI] != 0 and left >= TILES_FOR_RIICHI:
                    riichi, paid, sticks = True, np.int64(1), sticks | 1
                    ippatsu = True
            if plan == CAREFUL and far > 0 and not has(passed, given) and facts[RISK + given] > DANGEROUS:
                plan = FOLD
                words = with_tiles(words, given, np.int64(1))
                given = safest(words, facts, passed)
                words = with_tiles(words, given, np.int64(-1))
            if riichi and given == kind:
                ippatsu = False
            thrown |= bit(given)
        elif (ready >> current) & 1:
            if waits_for(facts, key, current, kind):
                return rank_of_loss(facts, weights, rules, seat, key, current, current, paid)
            given = kind
        else:
            given = tiles[rear]
            rear = max(rear - 1, place)
            if sticks & ~(np.int64(1) << current) != 0 and lot(key, _LOT_FOLDS + current) < facts[FOLDS]:
                open_ = False  # it folds: nobody wins on what it discards
            elif lot(key, _LOT_PROGRESS + SEATS * place + current) < facts[PROGRESS + current]:
                ready |= np.int64(1) << current
                if facts[CALLED + current] == 0.0:
                    sticks |= np.int64(1) << current
        if open_:
            attacks = current != 0 and plan != FOLD and has(useful, given)
            if attacks and far == 0 and useful & thrown == ZERO:
                base = base_of(words, given, win_flags(view, seat, riichi, ippatsu, left), work, tiles, last)
                if base > 0:
                    return rank_of_win(facts, weights, rules, seat, base, seat, (seat + current) % SEATS, paid)
            winner = winner_on(facts, key, ready, current, given)
            if winner > 0 and winner != current:
                return rank_of_loss(facts, weights, rules, seat, key, winner, current, paid)
            passed |= bit(given)
            if attacks and far > 0 and not closed and left > 0 and can_call(words, given, current):
                words = with_tiles(words, given, np.int64(1))
                given, useful = best_of(words, melds, kinds_of_hand(words), work[UNSEEN : UNSEEN + KINDS])
                words = with_tiles(words, given, np.int64(-1))
                far -= 1
                thrown |= bit(given)
                winner = winner_on(facts, key, ready, np.int64(0), given)
                if winner > 0:
                    return rank_of_loss(facts, weights, rules, seat, key, winner, np.int64(0), paid)
                current = np.int64(0)
        current = (current + 1) % SEATS
    if plan != FOLD and far == 0:
        ready |= 1
    return rank_of_draw(facts, weights, rules, seat, ready, paid)


@kernel
def win_flags(view, seat, riichi, ippatsu, left):
    """What counts for yaku beside the tiles, as flags of score.py."""
    flags = 0
    if riichi:
        flags |= DOUBLE_RIICHI if view.riichi[seat] == 2 else RIICHI
        if ippatsu:
            flags |= IPPATSU
    return flags | LAST_TILE if left == 0 else flags


@kernel
def look_around(view, seat, weights, facts):
    """Write what is estimated of the others; `weights` are those of the model `others`."""
    words = others.unseen_words(view, seat)
    space, out = facts[SPACE : SPACE + others.MOST_AMOUNTS], facts[SPACE + others.MOST_AMOUNTS :]
    for kind in range(KINDS):
        facts[RISK + kind] = 0.0
    for further in range(1, SEATS):
        other = (seat + further) % SEATS
        facts[READY + further] = others.chance_ready(weights, view, other, space)
        facts[PROGRESS + further] = others.chance_of_progress(weights, view, other, space)
        closed = is_closed(view, other)
        facts[CALLED + further] = 0.0 if closed else 1.0
        situation = others.IN_RIICHI if closed else others.points_situation(view, other)
        others.chances_of_points(weights, view, other, situation, space, out)
        base, so_far = 0.0, 0.0
        for each in range(POINTS):
            base += out[each] * TYPICAL[each]
            so_far += out[each]
            facts[WINS + further * POINTS + each] = so_far
        for kind in range(KINDS):
            chance = others.chance_to_wait(weights, view, words, other, kind, space)
            facts[WAITS + further * KINDS + kind] = chance
            facts[RISK + kind] += facts[READY + further] * chance * base
    for place in range(ENDS, SPACE):
        facts[place] = 0.0
