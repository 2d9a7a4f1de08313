"""Plans for a hand: what it can become, how far that is, how likely it gets there in time, and what it is worth.

A hand is four packed suits (see shanten.py) and its melds. All numbers are whole, so that every machine decides alike:
chances in 1/1024, han in halves, points.
"""

import numpy as np

from tefuda.games.mahjong.hand import CHI, is_open, meld_kind, meld_type
from tefuda.games.mahjong.players.efficient import unseen_of
from tefuda.games.mahjong.shanten import (
    packed_count,
    paired,
    shanten_packed,
    spread,
    standard_packed,
    tripled,
    useful_packed,
)
from tefuda.games.mahjong.tables import BITS, SUIT
from tefuda.games.mahjong.tiles import HONOUR_KINDS, HONOURS, KINDS, ORPHANS, WINDS
from tefuda.kernel.bits import ZERO, bit, count, has
from tefuda.kernel.compile import kernel

# Any form: riichi must give the yaku. A triplet of an honour that counts. No terminals and honours. One suit and
# honours. Triplets only.
READY, HONOUR, SIMPLES, FLUSH_M, FLUSH_P, FLUSH_S, TRIPLETS = np.arange(7)
PLANS = 7
FAR = np.int64(8)  # a plan that cannot be followed any more
WHOLE = 1024  # a chance of one

_INNER = 0o077777770  # the places 2 to 8 of a packed suit
_SUIT_KINDS = np.uint64((1 << SUIT) - 1)
_ALL = np.uint64((1 << KINDS) - 1)
ALL_PLANS = np.uint64((1 << PLANS) - 1)


TURNS = 18  # own draws of a deal, at most
USEFUL = (5, 16, 28, 38, 46, 50, 55)  # typical numbers of useful tiles, by shanten
CLAIMS = 1.2  # how many times oftener an open hand makes a step than by its own draws alone
RON = 2.6  # how many times oftener a ready hand wins than by its own draws alone
DRAWN_FROM = 180  # a step is made with a chance of useful tiles / so many: more than there are, since plans change
LASTING = 0.95  # the chance that nobody else ends the deal from one turn to the next
# Points of a win by half han: a fair mean of ron and tsumo of a hand that is not the dealer's.
POINTS = (
    0, 700, 1200, 1600, 2300, 3200, 4400, 5800, 7200, 8000, 8300, 9500, 11500, 12300, 13000, 14500, 16000, 16500,
    17000, 17500, 18000, 21000, 24000, 24500, 25000, 28000, 32000,
)  # fmt: skip
_ROWS, _MOST = len(USEFUL), len(POINTS) - 1
_OPEN, _POINTS = _ROWS * (TURNS + 1), 2 * _ROWS * (TURNS + 1)  # where they begin in `tables`


def chances(claims: float) -> list[int]:
    """The chance to win in 1/1024, row by row: by shanten, then by the turns left."""
    steps = [min(0.95, (RON if far == 0 else claims) * useful / DRAWN_FROM) for far, useful in enumerate(USEFUL)]
    table = [[0.0] * (TURNS + 1) for _ in steps]
    for turn in range(1, TURNS + 1):
        for far, step in enumerate(steps):
            nearer = 1.0 if far == 0 else table[far - 1][turn - 1]
            table[far][turn] = step * nearer + (1 - step) * LASTING * table[far][turn - 1]
    return [round(WHOLE * chance) for row in table for chance in row]


def tables() -> np.ndarray:
    """What the kernels read: the chances of closed hands, of open ones, and the points."""
    return np.array([*chances(1.0), *chances(CLAIMS), *POINTS], np.float64)


@kernel
def typical(far):
    """USEFUL, for kernels."""
    return 5 if far <= 0 else 16 if far == 1 else 28 if far == 2 else 38 if far == 3 else 46 if far == 4 else 50


@kernel
def chance_of(numbers, far, turns, closed):
    """The chance to win; `numbers` are the tables."""
    if far >= _ROWS:
        return 0
    row = max(np.int64(0), far) * (TURNS + 1) + min(turns, TURNS)
    return int(numbers[row if closed else _OPEN + row])


@kernel
def points_of(numbers, halves):
    return int(numbers[_POINTS + min(halves, _MOST)])


@kernel
def counting_honours(seat_wind, round_wind):
    """The honours of which a triplet is a yaku, as places 0 to 6."""
    return np.uint64(0b1110000) | bit(seat_wind) | bit(round_wind)


@kernel
def kinds_of_plan(plan):
    """The kinds that a plan can use."""
    if plan == SIMPLES:
        return _ALL & ~ORPHANS
    if FLUSH_M <= plan <= FLUSH_S:
        return (_SUIT_KINDS << np.uint64(SUIT * (plan - FLUSH_M))) | HONOUR_KINDS
    return _ALL


@kernel
def plans_with_meld(plans, kind, run):
    """The plans, as bits, that one more meld leaves possible: its lowest kind, and whether it is a run."""
    tiles = (np.uint64(7) if run else np.uint64(1)) << np.uint64(kind)
    for plan in range(SIMPLES, TRIPLETS):
        if tiles & ~kinds_of_plan(plan) != ZERO:
            plans = plans & ~bit(plan)
    return plans & ~bit(TRIPLETS) if run else plans


@kernel
def plans_of_melds(melds, number, counting):
    """What the melds of a hand leave possible: plans as bits, how many counting honours are called, is it closed."""
    plans, called, closed = ALL_PLANS, np.int64(0), True
    for i in range(number):
        meld = np.int64(melds[i])
        kind = meld_kind(meld)
        plans = plans_with_meld(plans, kind, meld_type(meld) == CHI)
        if kind >= WINDS and has(counting, kind - WINDS):
            called += 1
        if is_open(meld):
            closed = False
            plans = plans & ~bit(READY)
    return plans, called, closed


@kernel
def within(words, plan):
    """The tiles of a hand that a plan can use."""
    man, pin, sou, honours = words
    if plan == SIMPLES:
        return man & _INNER, pin & _INNER, sou & _INNER, honours * 0
    if plan == FLUSH_M:
        return man, pin * 0, sou * 0, honours
    if plan == FLUSH_P:
        return man * 0, pin, sou * 0, honours
    if plan == FLUSH_S:
        return man * 0, pin * 0, sou, honours
    return man, pin, sou, honours


@kernel
def far_from_honour(words, number, counting, called, unseen):
    """Shanten of a hand with a triplet of a counting honour."""
    man, pin, sou, honours = words
    if called > 0:
        return np.int64(standard_packed(man, pin, sou, honours, number))
    best = FAR
    if number >= 4:
        return best
    for place in range(7):
        held = packed_count(honours, place)
        if held >= 2 and has(counting, place):
            if held == 2 and unseen[HONOURS + place] < 1:
                continue
            rest = honours - (min(held, 3) << (BITS * place))
            far = standard_packed(man, pin, sou, rest, number + 1) + (1 if held == 2 else 0)
            best = min(best, np.int64(far))
    return best


@kernel
def far_from_triplets(words, number):
    man, pin, sou, honours = words
    triplets = count(spread(tripled(man), tripled(pin), tripled(sou), tripled(honours)))
    pairs = count(spread(paired(man), paired(pin), paired(sou), paired(honours))) - triplets
    sets = min(4, number + triplets)
    return np.int64(8 - 2 * sets - min(pairs, 5 - sets))


@kernel
def how_far(words, number, plan, counting, called, unseen):
    """The shanten of a hand that follows a plan."""
    if plan == READY:
        man, pin, sou, honours = words
        return np.int64(shanten_packed(man, pin, sou, honours, number))
    if plan == HONOUR:
        return far_from_honour(words, number, counting, called, unseen)
    if plan == TRIPLETS:
        return far_from_triplets(words, number)
    man, pin, sou, honours = within(words, plan)
    return np.int64(standard_packed(man, pin, sou, honours, number))


@kernel
def useful_tiles(words, number, plan, far, unseen):
    """How many unseen tiles bring a hand nearer that follows a plan; not counted for triplets."""
    if plan == TRIPLETS:
        return typical(far)
    man, pin, sou, honours = within(words, plan)
    return unseen_of(useful_packed(man, pin, sou, honours, number) & kinds_of_plan(plan), unseen)


@kernel
def halves_of(plan, closed, triplets, pairs):
    """Half han of the yaku of a plan, with so many triplets and pairs of honours that count."""
    halves = 2 * triplets
    if closed:
        halves += 5  # riichi, and what comes with it: tsumo, ippatsu, ura, pinfu
    if plan == SIMPLES or (plan == HONOUR and triplets == 0):
        halves += 2
    elif FLUSH_M <= plan <= FLUSH_S:
        halves += (6 if closed else 4) + pairs
    elif plan == TRIPLETS:
        halves += 4 + pairs
    return halves


@kernel
def honour_sets(honours, counting):
    """The triplets and the pairs of honours that count, in a packed suit of honours."""
    triplets, pairs = np.int64(0), np.int64(0)
    for place in range(7):
        if has(counting, place):
            held = packed_count(honours, place)
            triplets += held >= 3
            pairs += held == 2
    return triplets, pairs
