"""`rule-based`: the discard or call with the most expected points.

What a hand is worth is the best of its plans (plans.py): the chance to win by it in the turns left, times its points,
less the more the further it is from ready when somebody threatens. What a discard costs is the danger to deal in
(danger.py). So it folds when a hand is far and slow, and pushes when it is near and dear; among discards that cost
the same, speed decides. It calls only towards a yaku, and where that is worth more than a closed hand.
"""

import numpy as np

from tefuda.contract import plain_parameters
from tefuda.games.mahjong.actions import CHI, KAN, NINE, PASS, PON, RIICHI, RON, TSUMO, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.calls import other_two, pon_of
from tefuda.games.mahjong.hand import meld_copies
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.players.danger import read_danger
from tefuda.games.mahjong.players.efficient import (
    discard_of,
    may_discard,
    middleness,
    packed_turn,
    tiles_of,
    with_tiles,
)
from tefuda.games.mahjong.players.plans import (
    PLANS,
    READY,
    chance_of,
    counting_honours,
    halves_of,
    honour_sets,
    how_far,
    kinds_of_plan,
    plans_of_melds,
    plans_with_meld,
    points_of,
    tables,
    typical,
    useful_tiles,
)
from tefuda.games.mahjong.shanten import pack, shanten_packed
from tefuda.games.mahjong.state import INDICATORS, SEATS, dealer_of, left_in_wall, wind_of
from tefuda.games.mahjong.tiles import HONOURS, KINDS, WINDS, dora_of
from tefuda.kernel.bits import ZERO, bit, has, has_word, next_of_words
from tefuda.kernel.compile import kernel

WEIGHTS = (  # name, value, why; the kernels read them in this order, before the tables of plans.py
    ("winning", 500, "points that a win is worth besides its own: the others do not win"),
    ("push 0", 1024, "how much of its worth a ready hand keeps when somebody else is ready, in 1/1024"),
    ("push 1", 620, "the same one tile before that: on the way it will have to discard what is dangerous"),
    ("push 2", 280, "the same two tiles before"),
    ("push 3", 120, "three"),
    ("push 4", 50, "four or more"),
    ("caution", 1024, "how much the danger of a discard counts, in 1/1024"),
    ("call", 1075, "what a hand must be worth after a call, in 1/1024 of before: calls cannot be taken back"),
    ("regardless", 60, "how much of a hand's worth does not depend on its number of useful tiles, in 1/100"),
)
_WINNING, _PUSH, _CAUTION, _CALL, _REGARDLESS, _TABLES = 0, 1, 6, 7, 8, len(WEIGHTS)
UNSEEN, COSTS, NUMBERS = 0, KINDS, 2 * KINDS  # scratch space: unseen tiles of each kind, what its discard costs
TILE = np.int64(1)


def parameters(variant: str, weights: np.ndarray) -> np.ndarray:
    plain_parameters(variant, weights)
    return np.array([*(value for _, value, _ in WEIGHTS), *tables()], np.float64)


@kernel
def pushing(params, far, threatened):
    """How much of a hand's worth counts, in 1/1024."""
    kept = int(params[_PUSH + max(np.int64(0), min(far, 4))])
    return 1024 - (1024 - kept) * threatened // 1024


@kernel
def dora_of_hand(view, seat, words, plan, reds):
    """Dora in the melds, and those of the packed hand and of its red fives (suits as bits) that a plan can use."""
    kinds = kinds_of_plan(plan)
    total = np.int64(view.open_reds[seat])
    for i in range(np.int64(view.indicators)):
        kind = dora_of(kind_of_face(np.int64(view.wall[INDICATORS + i])))
        if has(kinds, kind):
            total += tiles_of(words, kind)
        for meld in range(np.int64(view.meld_count[seat])):
            total += meld_copies(np.int64(view.melds[seat, meld]), kind)
    for suit in range(3):
        if has(reds, suit) and has(kinds, 9 * suit + 4):
            total += 1
    return total


@kernel
def with_useful_tiles(params, worth, far, tiles):
    """The worth of a hand for which so many tiles are useful, given that of one with a typical number."""
    usual = typical(far)
    tiles = min(tiles, 2 * usual)
    if far <= 0:
        return worth * (usual + 9 * tiles) // (10 * usual)
    regardless = int(params[_REGARDLESS])
    return worth * (regardless * usual + (100 - regardless) * tiles) // (100 * usual)


@kernel
def plan_worth(view, seat, params, plan, far, closed, triplets, pairs, dora):
    """The expected points of a hand that follows one plan, in 1/1024: closed or open, whichever is worth more."""
    numbers = params[_TABLES:]
    turns = (left_in_wall(view) + 3) // 4
    extra = int(params[_WINNING]) + 300 * np.int64(view.honba) + 1000 * np.int64(view.sticks)
    share = 3 if seat == dealer_of(view) else 2  # halves of what others win
    worth = np.int64(0)
    if plan != READY:
        points = points_of(numbers, halves_of(plan, False, triplets, pairs) + 2 * dora) * share // 2 + extra
        worth = chance_of(numbers, far, turns, False) * points
    if closed:
        points = points_of(numbers, halves_of(plan, True, triplets, pairs) + 2 * dora) * share // 2 + extra
        worth = max(worth, chance_of(numbers, far, turns, True) * points)
    return worth


@kernel
def hand_worth(view, seat, params, words, number, plans, called, closed, reds, threatened, unseen, finely):
    """The expected points of a hand, in 1/1024: the best of its plans. `finely`: by its useful tiles too."""
    counting = counting_honours(wind_of(view, seat), np.int64(view.kyoku) // SEATS)
    triplets, pairs = honour_sets(words[3], counting)
    triplets += called
    best, nearest = np.int64(0), np.int64(9)
    for plan in range(PLANS):
        if not has(plans, plan):
            continue
        far = how_far(words, number, plan, counting, called, unseen)
        if far > 5 or far > nearest + 2:
            continue
        nearest = min(nearest, far)
        dora = dora_of_hand(view, seat, words, plan, reds)
        worth = plan_worth(view, seat, params, plan, far, closed, triplets, pairs, dora)
        worth = worth * pushing(params, far, threatened) // 1024
        if finely and 2 * worth > best:  # useful tiles take time to count, and at most double a worth
            worth = with_useful_tiles(params, worth, far, useful_tiles(words, number, plan, far, unseen))
        best = max(best, worth)
    return best


@kernel
def reds_of_hand(view, seat):
    """The suits whose red five is in the hand, the tile just drawn too, as bits."""
    reds = view.faces[seat] >> np.uint64(KINDS)
    return reds | bit(np.int64(view.drawn) - KINDS) if view.drawn >= KINDS else reds


@kernel
def reds_without(words, reds, kind):
    """The red fives that are left when one tile of a kind goes, a plain one first; words still have it."""
    if kind < HONOURS and kind % 9 == 4 and tiles_of(words, kind) == 1:
        return reds & ~bit(kind // 9)
    return reds


@kernel
def best_discard(view, seat, params, mask, threatened, numbers):
    """The kind whose discard is worth most."""
    unseen, costs = numbers[UNSEEN : UNSEEN + KINDS], numbers[COSTS : COSTS + KINDS]
    number = np.int64(view.meld_count[seat])
    counting = counting_honours(wind_of(view, seat), np.int64(view.kyoku) // SEATS)
    plans, called, closed = plans_of_melds(view.melds[seat], number, counting)
    drawn = kind_of_face(np.int64(view.drawn)) if view.drawn >= 0 else np.int64(-1)
    words, reds = packed_turn(view, seat), reds_of_hand(view, seat)
    best, most = np.int64(-1), np.int64(0)
    for kind in range(KINDS):
        if (view.hand[seat, kind] == 0 and kind != drawn) or not may_discard(mask, kind, drawn):
            continue
        left, red = with_tiles(words, kind, -TILE), reds_without(words, reds, kind)
        worth = hand_worth(view, seat, params, left, number, plans, called, closed, red, threatened, unseen, True)
        worth -= int(costs[kind]) * int(params[_CAUTION])
        worth = 8 * worth - middleness(kind)
        if best < 0 or worth > most:
            best, most = np.int64(kind), worth
    return best


@kernel
def is_ready_after(view, seat, kind, unseen):
    """Whether a hand is ready when a kind is discarded, and a tile that it waits for is unseen."""
    words = with_tiles(packed_turn(view, seat), kind, -TILE)
    number = np.int64(view.meld_count[seat])
    if how_far(words, number, READY, ZERO, np.int64(0), unseen) != 0:
        return False
    return useful_tiles(words, number, READY, np.int64(0), unseen) > 0


@kernel
def good_kan(view, seat, mask, threatened):
    """A kan of one's own that brings the hand no further from ready, or -1."""
    action = next_of_words(mask, KAN)
    if action < 0 or action >= TSUMO or (threatened > 300 and view.riichi[seat] == 0):
        return np.int64(-1)
    kind = action - KAN
    man, pin, sou, honours = packed_turn(view, seat)
    number = np.int64(view.meld_count[seat])
    now = shanten_packed(man, pin, sou, honours, number)
    added = pon_of(view, seat, kind) >= 0
    man, pin, sou, honours = with_tiles((man, pin, sou, honours), kind, -tiles_of((man, pin, sou, honours), kind))
    then = shanten_packed(man, pin, sou, honours, number if added else number + 1)
    return np.int64(action) if then <= now else np.int64(-1)


@kernel
def take_turn(view, seat, params, mask, numbers):
    if has_word(mask, TSUMO):
        return TSUMO
    unseen, costs = numbers[UNSEEN : UNSEEN + KINDS], numbers[COSTS : COSTS + KINDS]
    count_unseen(view, seat, unseen)
    threatened = read_danger(view, seat, unseen, costs)
    kan = good_kan(view, seat, mask, threatened)
    if kan >= 0:
        return kan
    if view.riichi[seat] != 0:
        return TSUMOGIRI
    if has_word(mask, NINE) and view.far[seat] >= 4:
        return NINE
    kind = best_discard(view, seat, params, mask, threatened, numbers)
    if has_word(mask, RIICHI) and is_ready_after(view, seat, kind, unseen):
        return RIICHI
    return discard_of(view, mask, kind)


@kernel
def answer(view, seat, params, mask, numbers):
    """Win, or call where the hand is worth more then."""
    if has_word(mask, RON):
        return RON
    if next_of_words(mask, CHI) >= KAN:  # nothing to call
        return PASS
    unseen, costs = numbers[UNSEEN : UNSEEN + KINDS], numbers[COSTS : COSTS + KINDS]
    count_unseen(view, seat, unseen)
    threatened = read_danger(view, seat, unseen, costs)
    number = np.int64(view.meld_count[seat])
    counting = counting_honours(wind_of(view, seat), np.int64(view.kyoku) // SEATS)
    plans, called, closed = plans_of_melds(view.melds[seat], number, counting)
    words, reds = pack(view.hand[seat]), reds_of_hand(view, seat)
    worth = hand_worth(view, seat, params, words, number, plans, called, closed, reds, threatened, unseen, False)
    most = worth * int(params[_CALL]) // 1024
    best = PASS
    claimed = kind_of_face(np.int64(view.tile))
    for action in range(CHI, PON + 2):
        if not has_word(mask, action):
            continue
        run = action < PON
        place = (action - CHI) // 2 if run else 0
        one, two = other_two(claimed, place) if run else (claimed, claimed)
        left = with_tiles(with_tiles(words, one, -TILE), two, -TILE)
        then = plans_with_meld(plans, claimed - place, run) & ~bit(READY)
        more = 1 if not run and claimed >= WINDS and has(counting, claimed - WINDS) else 0
        value = hand_worth(
            view, seat, params, left, number + 1, then, called + more, False, reds, threatened, unseen, False
        )
        if value > most:
            best, most = np.int64(action), value
    return best


@kernel
def choose(view, seat, params, rng, mask, worlds, numbers):
    if has_word(mask, PASS):
        return answer(view, seat, params, mask, numbers)
    return take_turn(view, seat, params, mask, numbers)
