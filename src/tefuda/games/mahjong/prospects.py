"""What a hand can become: what each discard and each call leaves, in tiles from ready, useful tiles and points.

A network is told this besides the tiles. All of it follows from what a seat can see. Useful tiles are counted by what
is unseen. Points are the expected points of the best plan (players/plans.py), as `rule-based` reckons them when nobody
threatens. Plans that are more than two tiles further than the nearest are left aside.

The hand is kept as four packed suits, and each suit as its class (shanten.py): after a discard only one class is new.
The classes of suits with one tile more are found once for all discards; they stand in a part of the observation that
is not used in the own turn.
"""

import numpy as np

from tefuda.contract import Part
from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.calls import claims, other_two
from tefuda.games.mahjong.players import rule_based
from tefuda.games.mahjong.players.efficient import packed_turn, tiles_of, unseen_of, with_tiles
from tefuda.games.mahjong.players.plans import (
    FAR,
    FLUSH_S,
    HONOUR,
    PLANS,
    READY,
    SIMPLES,
    TRIPLETS,
    counting_honours,
    honour_sets,
    how_far,
    kinds_of_plan,
    plans_of_melds,
    plans_with_meld,
    within,
)
from tefuda.games.mahjong.players.rule_based import (
    TILE,
    dora_of_hand,
    hand_worth,
    plan_worth,
    reds_of_hand,
    reds_without,
    with_useful_tiles,
)
from tefuda.games.mahjong.shanten import (
    honour_class,
    merged,
    one,
    pack,
    packed_count,
    seven_pairs_packed,
    standard_of,
    standard_packed,
    suit_class,
    there,
    thirteen_orphans_packed,
    useful_for_other_forms,
    useful_in_honours,
    useful_in_suit,
    useful_packed,
)
from tefuda.games.mahjong.state import CLAIM, DECLARED, INDICATORS, SEATS, TURN, wind_of
from tefuda.games.mahjong.tiles import COPIES, HONOURS, KINDS, WINDS, dora_of
from tefuda.kernel.bits import ZERO, bit, count, has
from tefuda.kernel.compile import kernel

FORMS, ABOUT = 5, 5  # of calls: chi as the lowest, middle, highest tile, pon, kan; what is told of each
PARTS = (
    Part("keeps", KINDS, "own turn: kinds whose discard leaves the hand as near to ready as it can be"),
    Part("useful", KINDS, "own turn: unseen tiles that bring the hand nearer after that discard, in twenties"),
    Part("loses", KINDS, "own turn: expected points of the best plan that each discard loses against the best discard; "
         "0 to 1, one half at a hundred"),
    Part("wanted", KINDS, "not in the own turn: unseen tiles of each kind that brings the hand nearer, in fours"),
    Part("plans", PLANS, "how near the hand is to any form, a triplet of honours, no terminals and honours, each "
         "flush, triplets: 1 when ready, half of it for each tile more"),
    Part("plan_dora", PLANS, "dora in hand and melds that each of these plans can use, in fours"),
    Part("other_forms", 2, "how near a hand without melds is to seven pairs and thirteen orphans, likewise"),
    Part("straight", 3, "kinds of each suit that the hand has, in nines"),
    Part("three_colours", 1, "kinds of the best three equal runs that the hand has, in nines"),
    Part("hand_worth", 1, "expected points of the best plan, in thousands"),
    Part("hand_useful", 1, "unseen tiles that bring the hand nearer, in the own turn after the best discard, in "
         "twenties"),
    Part("calls", FORMS * ABOUT, "for chi as the lowest, middle and highest tile, pon and kan, when asked: 1 if it can "
         "be, tiles nearer to ready, unseen tiles useful then (in twenties), expected points gained (-1 to 1, one half "
         "at a hundred), dora in it"),
)  # fmt: skip


def _starts() -> dict[str, int]:
    starts, at = {}, 0
    for part in PARTS:
        starts[part.key] = at
        at += part.size
    return starts | {"": at}


_AT = _starts()
SIZE = _AT[""]
_KEEPS, _USEFUL, _LOSES, _WANTED, _PLANS = map(_AT.__getitem__, ("keeps", "useful", "loses", "wanted", "plans"))
_DORA, _OTHER, _STRAIGHT, _COLOURS = map(_AT.__getitem__, ("plan_dora", "other_forms", "straight", "three_colours"))
_HAND_WORTH, _HAND_USEFUL, _CALLS = map(_AT.__getitem__, ("hand_worth", "hand_useful", "calls"))

_PARAMS = rule_based.parameters("", np.zeros(0))
_POINTS = 1024.0 * 1000.0  # worths are in 1/1024 points, and told in thousands
_HALF = 0.1  # thousands of points that are told as one half
_TILES = 20.0
_FURTHEST = 5  # plans that are further than this are worth nothing
_NONE = np.int64(0)
_RUN = 0o111  # the lowest bits of three kinds in a row


@kernel
def of_four(four, suit):
    """One of four numbers."""
    man, pin, sou, honours = four
    return man if suit == 0 else pin if suit == 1 else sou if suit == 2 else honours


@kernel
def class_of(suit, word):
    return suit_class(word) if suit < 3 else honour_class(word)


@kernel
def without(classes, suit, other):
    """The class of all suits but two, or but one where both are the same."""
    found = np.int64(-1)
    for each in range(4):
        if each != suit and each != other:
            here = of_four(classes, each)
            found = here if found < 0 else merged(found, here)
    return found


@kernel
def nearness(far):
    """1 for a ready hand, half of it for each tile more; 0 for what is too far."""
    return 1.0 / (1 << max(_NONE, np.int64(far))) if far < FAR else 0.0


@kernel
def squeezed(points):
    """Thousands of points as a number from -1 to 1, so that small differences are told well."""
    return points / (abs(points) + _HALF)


@kernel
def tiles_in(words):
    """The number of tiles of four packed suits."""
    man, pin, sou, honours = words
    total = np.int64(0)
    for place in range(9):
        total += packed_count(man, place) + packed_count(pin, place) + packed_count(sou, place)
        total += packed_count(honours, place)
    return total


@kernel
def write_plans(state, seat, words, number, plans, called, counting, reds, unseen, out):
    """Write how far each plan is, and its dora; returns the least of these distances."""
    nearest = FAR
    for plan in range(PLANS):
        far = FAR
        few = SIMPLES <= plan <= FLUSH_S and tiles_in(within(words, plan)) + 3 * number < 13 - _FURTHEST
        if has(plans, plan) and not few:  # so few tiles are further than any plan that counts
            far = min(FAR, how_far(words, number, plan, counting, called, unseen))
        if has(plans, plan):
            out[_DORA + plan] = dora_of_hand(state, seat, words, plan, reds)
        out[_PLANS + plan] = far
        nearest = min(nearest, far)
    return nearest


@kernel
def is_followed(far, nearest):
    """Whether a plan counts."""
    return far <= _FURTHEST and far <= nearest + 2


@kernel
def dora_in_kind(state, kind):
    """How often a kind is dora."""
    times = np.int64(0)
    for i in range(np.int64(state.indicators)):
        times += dora_of(kind_of_face(np.int64(state.wall[INDICATORS + i]))) == kind
    return times


@kernel
def best_plan(state, seat, params, words, kind, far, standard, number, called, closed, counting, reds, unseen, out):
    """The worth of the best plan after discarding a kind, in 1/1024 points, which plan it is, and how far.

    `far` and `standard` are the shanten after the discard, of all forms and of four melds and a pair.
    """
    left = with_tiles(words, kind, -TILE)
    triplets, pairs = honour_sets(left[3], counting)
    triplets += called
    lost = dora_in_kind(state, kind) + (reds_without(words, reds, kind) != reds)
    nearest = FAR
    for plan in range(PLANS):
        nearest = min(nearest, np.int64(out[_PLANS + plan]))
    best, chosen, distance = np.int64(0), np.int64(READY), np.int64(far)
    for plan in range(PLANS):
        then = np.int64(out[_PLANS + plan])
        if not is_followed(then, nearest):
            continue
        used = has(kinds_of_plan(plan), kind)
        if plan == READY:
            then = np.int64(far)
        elif plan == HONOUR and called > 0:
            then = np.int64(standard)
        elif used:  # another tile leaves the plan as it is
            then = how_far(left, number, plan, counting, called, unseen)
        dora = np.int64(out[_DORA + plan]) - (lost if used else 0)
        worth = plan_worth(state, seat, params, plan, then, closed, triplets, pairs, dora)
        if worth > best:
            best, chosen, distance = worth, np.int64(plan), then
    return best, chosen, distance


@kernel
def useful_after(words, classes, kind, own, standard, far, number, more):
    """The kinds that bring the hand nearer after a discard. `own` is the class of its suit then, `more` the class of
    each kind's suit with one tile of it more."""
    suit = kind // 9
    kinds = ZERO
    goal = far - 1
    if standard == far:
        word = of_four(words, suit) - one(kind)
        rest = without(classes, suit, suit)
        if suit < 3:
            kinds |= useful_in_suit(word, rest, number, goal) << np.uint64(9 * suit)
        else:
            kinds |= useful_in_honours(word, rest, number, goal) << np.uint64(HONOURS)
        for other in range(4):
            if other == suit:
                continue
            rest = merged(own, without(classes, suit, other))
            for each in range(9 * other, KINDS if other == 3 else 9 * other + 9):
                if more[each] >= 0.0 and standard_of(merged(rest, np.int64(more[each])), number) <= goal:
                    kinds |= bit(each)
    if number == 0:
        man, pin, sou, honours = with_tiles(words, kind, -TILE)
        pairs, orphans = seven_pairs_packed(man, pin, sou, honours), thirteen_orphans_packed(man, pin, sou, honours)
        if min(pairs, orphans) == far:
            kinds |= useful_for_other_forms(man, pin, sou, honours, far)
    return kinds


@kernel
def write_distances(words, classes, number, out):
    """First look at all discards: at each kind of the hand write the shanten after it, 1 more than it is, that of four
    melds and a pair, and the class of the suit. Returns the least shanten."""
    least = np.int64(99)
    for kind in range(KINDS):
        if tiles_of(words, kind) == 0:
            continue
        suit = kind // 9
        own = class_of(suit, of_four(words, suit) - one(kind))
        standard = standard_of(merged(own, without(classes, suit, suit)), number)
        far = standard
        if number == 0:
            man, pin, sou, honours = with_tiles(words, kind, -TILE)
            far = min(far, seven_pairs_packed(man, pin, sou, honours))
            far = min(far, thirteen_orphans_packed(man, pin, sou, honours))
        out[_KEEPS + kind], out[_USEFUL + kind], out[_LOSES + kind] = far + 1, standard, own
        least = min(least, np.int64(far))
    return least


@kernel
def write_discards(state, seat, params, words, number, called, closed, counting, reds, unseen, out):
    """What each discard leaves."""
    man, pin, sou, honours = words
    classes = suit_class(man), suit_class(pin), suit_class(sou), honour_class(honours)
    more = out[_WANTED : _WANTED + KINDS]
    for kind in range(KINDS):
        fits = tiles_of(words, kind) < COPIES
        more[kind] = class_of(kind // 9, of_four(words, kind // 9) + one(kind)) if fits else -1.0
    least = write_distances(words, classes, number, out)
    most, most_tiles = 0.0, 0.0
    for kind in range(KINDS):
        if tiles_of(words, kind) == 0:
            continue
        far, standard, own = (
            np.int64(out[_KEEPS + kind]) - 1, np.int64(out[_USEFUL + kind]), np.int64(out[_LOSES + kind]),
        )  # fmt: skip
        worth, plan, distance = best_plan(
            state, seat, params, words, kind, far, standard, number, called, closed, counting, reds, unseen, out
        )
        tiles = 0.0
        if far == least:
            kinds = useful_after(words, classes, kind, own, standard, far, number, more)
            tiles = unseen_of(kinds, unseen) / _TILES
            if plan != TRIPLETS:
                fitting = unseen_of(kinds & kinds_of_plan(plan), unseen)
                worth = with_useful_tiles(params, worth, distance, fitting)
        out[_KEEPS + kind] = far == least
        out[_USEFUL + kind] = tiles
        out[_LOSES + kind] = worth / _POINTS
        most, most_tiles = max(most, worth / _POINTS), max(most_tiles, tiles)
    for kind in range(KINDS):
        more[kind] = 0.0
        if tiles_of(words, kind) > 0:
            out[_LOSES + kind] = squeezed(most - out[_LOSES + kind])
    out[_HAND_WORTH], out[_HAND_USEFUL] = most, most_tiles


@kernel
def write_calls(state, seat, params, words, number, plans, called, counting, reds, unseen, out):
    """What each call that the seat may make leaves."""
    man, pin, sou, honours = words
    now = standard_packed(man, pin, sou, honours, number)
    allowed = claims(state, seat)
    claimed = kind_of_face(np.int64(state.tile))
    for form in range(FORMS):
        possible = allowed >> np.uint64(2 * form) & np.uint64(3 if form < 4 else 1)
        if possible == ZERO:
            continue
        place = np.int64(form) if form < 3 else _NONE
        low, high = other_two(claimed, place) if form < 3 else (claimed, claimed)
        left = with_tiles(with_tiles(words, low, -TILE), high, -TILE)
        dora = dora_in_kind(state, claimed) + dora_in_kind(state, low) + dora_in_kind(state, high)
        if form == 4:
            left = with_tiles(left, claimed, -TILE)
            dora += dora_in_kind(state, claimed)
        then = plans_with_meld(plans, claimed - place, form < 3) & ~bit(READY)
        more = TILE if claimed >= WINDS and has(counting, claimed - WINDS) else _NONE
        man, pin, sou, honours = left
        row = _CALLS + ABOUT * form
        out[row] = 1.0
        out[row + 1] = now - standard_packed(man, pin, sou, honours, number + 1)
        out[row + 2] = unseen_of(useful_packed(man, pin, sou, honours, number + 1), unseen) / _TILES
        worth = hand_worth(
            state, seat, params, left, number + 1, then, called + more, False, reds, _NONE, unseen, False
        )
        out[row + 3] = squeezed(worth / _POINTS - out[_HAND_WORTH])
        out[row + 4] = dora


@kernel
def write_forms(words, number, out):
    """What is there of yaku that the plans do not know."""
    man, pin, sou, honours = words
    kinds = there(man), there(pin), there(sou)
    if number == 0:
        out[_OTHER] = nearness(np.int64(seven_pairs_packed(man, pin, sou, honours)))
        out[_OTHER + 1] = nearness(np.int64(thirteen_orphans_packed(man, pin, sou, honours)))
    most = 0
    for place in range(7):
        run = _RUN << (3 * place)
        here = count(np.uint64(kinds[0] & run)) + count(np.uint64(kinds[1] & run)) + count(np.uint64(kinds[2] & run))
        most = max(most, here)
    for suit in range(3):
        out[_STRAIGHT + suit] = count(np.uint64(kinds[suit])) / 9.0
    out[_COLOURS] = most / 9.0


@kernel
def write_prospects(state, seat, unseen, out):
    """All parts; unseen [34]: the tiles of each kind that the seat cannot see."""
    for place in range(SIZE):
        out[place] = 0.0
    params = _PARAMS
    in_turn = state.seat == seat and (state.phase == TURN or state.phase == DECLARED)
    words = packed_turn(state, seat) if in_turn else pack(state.hand[seat])
    reds = reds_of_hand(state, seat) if in_turn else state.faces[seat] >> np.uint64(KINDS)
    number = np.int64(state.meld_count[seat])
    counting = counting_honours(wind_of(state, seat), np.int64(state.kyoku) // SEATS)
    plans, called, closed = plans_of_melds(state.melds[seat], number, counting)
    write_plans(state, seat, words, number, plans, called, counting, reds, unseen, out)
    write_forms(words, number, out)
    if in_turn:
        if state.riichi[seat] == 0:
            write_discards(state, seat, params, words, number, called, closed, counting, reds, unseen, out)
    else:
        man, pin, sou, honours = words
        kinds = useful_packed(man, pin, sou, honours, number)
        for kind in range(KINDS):
            out[_WANTED + kind] = unseen[kind] / 4.0 if has(kinds, kind) else 0.0
        out[_HAND_USEFUL] = unseen_of(kinds, unseen) / _TILES
        worth = hand_worth(state, seat, params, words, number, plans, called, closed, reds, _NONE, unseen, False)
        out[_HAND_WORTH] = worth / _POINTS
        if state.phase == CLAIM and state.seat == seat:
            write_calls(state, seat, params, words, number, plans, called, counting, reds, unseen, out)
    for plan in range(PLANS):
        out[_PLANS + plan] = nearness(np.int64(out[_PLANS + plan]))
        out[_DORA + plan] /= 4.0
