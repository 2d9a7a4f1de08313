"""What a win is worth: yaku, han, fu and points by Tenhou's rules.

A complete hand is read in every way there is, with the winning tile in every group where it can be, and the way that
pays most counts: the most points, then the most yakuman, han and fu. Yakuman add up; one pattern is one yakuman.
"""

import numpy as np

from tefuda.games.mahjong import yaku as all_yaku
from tefuda.games.mahjong.fu import PAIR, PLACINGS, TRIPLET, fu_of_pair, fu_of_sets, fu_of_wait, is_placed
from tefuda.games.mahjong.hand import CHI, SLOTS, is_kan, is_open, meld_kind, meld_type
from tefuda.games.mahjong.pattern import yaku_of_gates, yaku_of_honours, yaku_of_kinds, yaku_of_runs, yaku_of_sets
from tefuda.games.mahjong.reading import (
    NONE,
    RUN_BITS,
    RUN_STARTS,
    next_reading,
    pair_of,
    runs_of,
    squeezed,
    tiles_in,
    triplets_of,
)
from tefuda.games.mahjong.shanten import (
    one,
    pack,
    packed_count,
    seven_pairs_packed,
    there,
    thirteen_orphans_packed,
    tripled,
)
from tefuda.games.mahjong.tables import BITS, SUIT
from tefuda.games.mahjong.tiles import HONOURS, PIN, SOU
from tefuda.games.mahjong.yaku import LIMIT, YAKUMAN, han_of
from tefuda.kernel.bits import ZERO, bit, count, has, lowest
from tefuda.kernel.compile import kernel

# How a hand is won, and by which rules: added up. (The yaku of the same names are in yaku.py.)
TSUMO = 1 << 0  # drawn by oneself
RIICHI = 1 << 1
DOUBLE_RIICHI = 1 << 2  # instead of RIICHI
IPPATSU = 1 << 3
CHANKAN = 1 << 4
RINSHAN = 1 << 5
LAST_TILE = 1 << 6  # haitei or houtei; of no account after a kan
FIRST_TURN = 1 << 7  # tenhou or chihou
OPEN_TANYAO = 1 << 8  # tanyao counts with called tiles
KIRIAGE = 1 << 9  # 4 han 30 fu and 3 han 60 fu are mangan: not on Tenhou

MANGAN, HANEMAN, BAIMAN, SANBAIMAN, YAKUMAN_POINTS = 2000, 3000, 4000, 6000, 8000  # base points
_HAN, _NUMBER, _BASE = 12, 24, 28  # shifts of han, yakuman and points in the number by which ways are compared
_LOW = (1 << _HAN) - 1
_RUN_KINDS = np.uint64(0b111)


@kernel
def base_points(han, fu, kiriage):
    """Points before the shares of who pays, without yakuman patterns."""
    if han >= LIMIT:
        return YAKUMAN_POINTS
    if han >= 11:
        return SANBAIMAN
    if han >= 8:
        return BAIMAN
    if han >= 6:
        return HANEMAN
    if han >= 5 or (kiriage and fu << han == 480):
        return MANGAN
    return min(MANGAN, fu << (han + 2))


@kernel
def ron_points(base, dealer):
    """What the discarder pays, without counters."""
    return (base * (6 if dealer else 4) + 99) // 100 * 100


@kernel
def tsumo_points(base, double):
    """What one of the others pays, without counters: double where the winner or the payer is the dealer."""
    return (base * (2 if double else 1) + 99) // 100 * 100


@kernel
def yaku_of_flags(flags, closed, seat_wind):
    """The yaku that are not in the tiles."""
    yaku = ZERO
    if flags & RIICHI != 0:
        yaku |= bit(all_yaku.RIICHI)
    if flags & DOUBLE_RIICHI != 0:
        yaku |= bit(all_yaku.DOUBLE_RIICHI)
    if flags & IPPATSU != 0:
        yaku |= bit(all_yaku.IPPATSU)
    if flags & TSUMO != 0:
        if closed:
            yaku |= bit(all_yaku.MENZEN_TSUMO)
        if flags & RINSHAN != 0:
            yaku |= bit(all_yaku.RINSHAN)
        elif flags & LAST_TILE != 0:
            yaku |= bit(all_yaku.HAITEI)
        if flags & FIRST_TURN != 0:
            yaku |= bit(all_yaku.TENHOU) if seat_wind == 0 else bit(all_yaku.CHIHOU)
    elif flags & CHANKAN != 0:
        yaku |= bit(all_yaku.CHANKAN)
    elif flags & LAST_TILE != 0:
        yaku |= bit(all_yaku.HOUTEI)
    return yaku


@kernel
def worth(yaku, fu, closed, dora, flags):
    """A number for a way to read a hand, larger for a better one: base points, yakuman (they go before 13 han counted
    together), han, fu. 0 without a yaku."""
    yakuman = count(yaku & YAKUMAN)
    if yakuman > 0:
        return ((YAKUMAN_POINTS * yakuman) << _BASE) | (yakuman << _NUMBER) | ((LIMIT * yakuman) << _HAN) | fu
    han = han_of(yaku, not closed)
    if han == 0:
        return 0
    han += dora
    return (base_points(han, fu, flags & KIRIAGE != 0) << _BASE) | (han << _HAN) | fu


@kernel
def best_placing(pair, runs, called_runs, triplets, called, closed_kans, kans, winning, flags, yaku, closed,
                 seat_wind, round_wind, dora):  # fmt: skip
    """The best place for the winning tile in one reading of a hand: its worth and its yaku.

    `runs` and `triplets` are the concealed ones, `called_runs` and `called` those of melds, closed kans too.
    """
    tsumo = flags & TSUMO != 0
    every_run, every_triplet = runs + called_runs, triplets | called
    yaku |= yaku_of_honours(every_triplet, pair, seat_wind, round_wind)
    yaku |= yaku_of_runs(every_run, not closed) | yaku_of_sets(every_run, every_triplet, pair, kans)
    pair_fu = fu_of_pair(pair, seat_wind, round_wind)
    best, best_yaku = 0, ZERO
    for placing in range(PLACINGS):
        if not is_placed(placing, winning, pair, runs, triplets):
            continue
        found = yaku
        hidden = triplets | closed_kans
        if placing == TRIPLET and not tsumo:
            hidden &= ~bit(winning)  # a triplet that somebody's discard completed is open
        if count(hidden) == 4:
            found |= bit(all_yaku.SUUANKOU_TANKI) if placing == PAIR else bit(all_yaku.SUUANKOU)
        elif count(hidden) == 3:
            found |= bit(all_yaku.SANANKOU)
        extra = fu_of_sets(every_triplet, hidden, kans) + pair_fu + fu_of_wait(placing, winning)
        if extra == 0 and closed:
            found |= bit(all_yaku.PINFU)
            fu = 20 if tsumo else 30
        elif extra == 0 and not tsumo:
            fu = 30  # an open hand without any fu
        else:
            fu = 20 + extra + (2 if tsumo else 10 if closed else 0)
            fu = (fu + 9) // 10 * 10
        value = worth(found, fu, closed, dora, flags)
        if value > best:
            best, best_yaku = value, found
    return best, best_yaku


@kernel
def _kinds(man, pin, sou, honours):
    """The set of kinds that have a bit in four packed suits."""
    return np.uint64(squeezed(man) | squeezed(pin) << PIN | squeezed(sou) << SOU | squeezed(honours) << HONOURS)


@kernel
def _honour_pair(honours):
    """The place of the pair in packed honours that are triplets and at most one pair (SUIT: no pair), else NONE."""
    rest = honours - 3 * tripled(honours)
    if rest == 0:
        return SUIT
    place = lowest(np.uint64(rest)) // BITS
    return place if rest == 2 << (BITS * place) else NONE


@kernel
def _called(melds):
    """The runs, the triplets, the closed kans, all kans and all kinds of the melds, and how many open the hand."""
    runs, opening = 0, 0
    triplets, closed_kans, kans, kinds = ZERO, ZERO, ZERO, ZERO
    for slot in range(SLOTS):
        meld = int(melds[slot])
        if meld == 0:
            continue
        kind = meld_kind(meld)
        if meld_type(meld) == CHI:
            runs += 1 << (BITS * (kind // SUIT * RUN_STARTS + kind % SUIT))
            kinds |= _RUN_KINDS << np.uint64(kind)
        else:
            triplets |= bit(kind)
            if is_kan(meld):
                kans |= bit(kind)
        if is_open(meld):
            opening += 1
        else:
            closed_kans |= bit(kind)
    return runs, triplets, closed_kans, kans, kinds | triplets, opening


@kernel
def _special(man, pin, sou, honours, winning, yaku):
    """The yaku and the fu of thirteen orphans or seven pairs; no yaku for other hands."""
    if thirteen_orphans_packed(man, pin, sou, honours) < 0:
        word = man if winning < PIN else pin if winning < SOU else sou if winning < HONOURS else honours
        on_all = packed_count(word, winning % SUIT) == 2
        return yaku | (bit(all_yaku.KOKUSHI_13) if on_all else bit(all_yaku.KOKUSHI)), 0
    if seven_pairs_packed(man, pin, sou, honours) < 0:
        return yaku | bit(all_yaku.CHIITOITSU), 25
    return ZERO, 0


@kernel
def score_packed(man, pin, sou, honours, melds, winning, flags, seat_wind, round_wind, dora):
    """`score` for four packed suits that have the winning tile."""
    called_runs, called, closed_kans, kans, called_kinds, opening = _called(melds)
    closed = opening == 0
    kinds = _kinds(there(man), there(pin), there(sou), there(honours)) | called_kinds
    common = yaku_of_flags(flags, closed, seat_wind) | yaku_of_kinds(kinds, closed or flags & OPEN_TANYAO != 0)
    best, best_yaku = 0, ZERO
    if called_kinds == ZERO:
        best_yaku, fu = _special(man, pin, sou, honours, winning, common)
        best = worth(best_yaku, fu, closed, dora, flags) if best_yaku != ZERO else 0
        if has(common, all_yaku.CHINITSU):
            common |= yaku_of_gates(man + pin + sou, one(winning))

    man_size, pin_size, sou_size = tiles_in(man) % 3, tiles_in(pin) % 3, tiles_in(sou) % 3
    in_man = next_reading(man, man_size == 2, NONE)
    in_pin = next_reading(pin, pin_size == 2, NONE)
    in_sou = next_reading(sou, sou_size == 2, NONE)
    honour_pair = _honour_pair(honours)
    pairs = man_size + pin_size + sou_size + tiles_in(honours) % 3  # 2, if no suit has a tile too many
    more = pairs == 2 and in_man != NONE and in_pin != NONE and in_sou != NONE and honour_pair != NONE
    while more:
        triplets = _kinds(triplets_of(in_man), triplets_of(in_pin), triplets_of(in_sou), tripled(honours))
        runs = runs_of(man, in_man) | runs_of(pin, in_pin) << RUN_BITS | runs_of(sou, in_sou) << (2 * RUN_BITS)
        pair = honour_pair + HONOURS
        if man_size == 2:
            pair = pair_of(in_man)
        elif pin_size == 2:
            pair = pair_of(in_pin) + PIN
        elif sou_size == 2:
            pair = pair_of(in_sou) + SOU
        value, yaku = best_placing(
            pair, runs, called_runs, triplets, called, closed_kans, kans, winning, flags, common, closed,
            seat_wind, round_wind, dora,
        )  # fmt: skip
        if value > best:
            best, best_yaku = value, yaku
        # Only one suit can be read in several ways: that takes nine tiles, or eight with the pair.
        next_ = next_reading(man, man_size == 2, in_man)
        if next_ != NONE:
            in_man = next_
            continue
        next_ = next_reading(pin, pin_size == 2, in_pin)
        if next_ != NONE:
            in_pin = next_
            continue
        in_sou = next_reading(sou, sou_size == 2, in_sou)
        more = in_sou != NONE

    if best == 0:
        return ZERO, 0, 0, 0
    if best_yaku & YAKUMAN != ZERO:
        best_yaku &= YAKUMAN
    return best_yaku, (best >> _HAN) & _LOW, best & _LOW, best >> _BASE


@kernel
def score(counts, melds, winning, flags, seat_wind, round_wind, dora):
    """What a win with a kind is worth: its yaku, han, fu and base points; no yaku and zeros for what is no win.

    `counts` are the concealed tiles with the winning one, or without it (13, 10, … tiles); `dora` are all there are.
    Dora count where there is a yaku, but are none. A yakuman has no other yaku beside it, and 13 han.
    """
    man, pin, sou, honours = pack(counts)
    if (tiles_in(man) + tiles_in(pin) + tiles_in(sou) + tiles_in(honours)) % 3 == 1:
        if winning < PIN:
            man += one(winning)
        elif winning < SOU:
            pin += one(winning)
        elif winning < HONOURS:
            sou += one(winning)
        else:
            honours += one(winning)
    return score_packed(man, pin, sou, honours, melds, winning, flags, seat_wind, round_wind, dora)
