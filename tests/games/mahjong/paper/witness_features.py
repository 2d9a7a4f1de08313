"""The features of the paper's one-player policy read a second time: lists and loops, slow and plain, no kernels but the
engine's own shanten, useful tiles and scores, which have their own witnesses.

`reading` gives for each group the values of its factors, before they are cut to their sizes; groups that are counted
otherwise give their index.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from tefuda.games.mahjong import score as scoring
from tefuda.games.mahjong import shanten as engine
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.paper import hands
from tefuda.games.mahjong.state import faces_of
from tefuda.games.mahjong.tiles import dora_of

RED = {34: 4, 35: 13, 36: 22}
ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
CHI, PON, OPEN_KAN, ADDED_KAN, CLOSED_KAN = 1, 2, 3, 4, 5


def kind_of(face):
    return RED.get(face, face)


@dataclass
class Hand:
    tiles: list  # faces in the hand
    melds: list  # (type, lowest kind)
    meld_faces: list  # faces in the melds
    thrown: set  # kinds
    unseen: list  # by kind
    dora: list  # kinds
    wind: int
    round: int
    turn: int
    may_riichi: bool
    open_tanyao: bool

    @property
    def counts(self):
        return [sum(kind_of(face) == kind for face in self.tiles) for kind in range(34)]

    @property
    def kinds_owned(self):
        """All own tiles by kind, melds too."""
        return Counter(kind_of(face) for face in self.tiles + self.meld_faces)

    @property
    def closed(self):
        return all(type_ == CLOSED_KAN for type_, _ in self.melds)


def without(tiles, kind, red_first=False):
    """A hand without one tile of a kind: a plain one first, or the red one."""
    order = sorted((face for face in tiles if kind_of(face) == kind), reverse=red_first)
    rest = list(tiles)
    rest.remove(order[0])
    return rest, order[0]


def unseen_by(states, seat):
    """What a seat cannot see, tile by tile."""
    state = states[0]
    seen = [int(state.wall[52 + 70 + 4 + i]) for i in range(int(state.indicators))]
    seen += faces_of(state, seat)
    if int(state.drawn) >= 0 and int(state.seat) == seat:
        seen.append(int(state.drawn))
    for owner in range(4):
        seen += [int(face) % 64 for face in state.river[owner][: int(state.discards[owner])] if int(face) < 128]
        for i in range(int(state.meld_count[owner])):
            seen += faces_of_meld(int(state.melds[owner, i]), int(state.called[owner, i]))
    found = Counter(kind_of(face) for face in seen)
    return [4 - found[kind] for kind in range(34)]


def hand_after(states, seat, code):
    """The hand that a candidate leaves."""
    state = states[0]
    done, kind = divmod(code, 64)
    tiles = faces_of(state, seat)
    slots = [(int(state.melds[seat, i]), int(state.called[seat, i])) for i in range(int(state.meld_count[seat]))]
    melds = [divmod(meld, 64) for meld, _ in slots]
    meld_faces = [face for slot in slots for face in faces_of_meld(*slot)]
    thrown = {kind_of(int(face) % 64) for face in state.river[seat][: int(state.discards[seat])]}
    if done in (hands.DISCARD, hands.OWN_KAN) and int(state.drawn) >= 0:
        tiles.append(int(state.drawn))
    if hands.CHI_LOW <= done <= hands.CALLED_KAN:
        claimed = int(state.tile)
        face_kind = kind_of(claimed)
        if done == hands.CALLED_PON:
            taken, meld = [face_kind] * 2, (PON, face_kind)
        elif done == hands.CALLED_KAN:
            taken, meld = [face_kind] * 3, (OPEN_KAN, face_kind)
        else:
            low = face_kind - (done - hands.CHI_LOW)
            taken, meld = [each for each in range(low, low + 3) if each != face_kind], (CHI, low)
        meld_faces.append(claimed)
        for each in taken:
            tiles, face = without(tiles, each, red_first=True)
            meld_faces.append(face)
        melds.append(meld)
    if done == hands.OWN_KAN:
        number = 1 if (PON, kind) in melds else 4
        for _ in range(number):
            tiles, face = without(tiles, kind)
            meld_faces.append(face)
        if number == 1:
            melds[melds.index((PON, kind))] = (ADDED_KAN, kind)
        else:
            melds.append((CLOSED_KAN, kind))
    elif done not in (hands.PASSED, hands.CALLED_KAN):
        tiles, _ = without(tiles, kind)
        thrown.add(kind)
    left = 70 - int(state.next) - int(state.kans)
    return Hand(
        tiles, melds, meld_faces, thrown, unseen_by(states, seat),
        [int(dora_of(kind_of(int(state.wall[126 + i])))) for i in range(int(state.indicators))],
        (seat - int(state.kyoku)) % 4, int(state.kyoku) // 4, int(state.discards[seat]),
        int(state.points[seat]) >= 1000 and left >= 4, bool(state.rules.open_tanyao),
    )  # fmt: skip


# Blocks.


def ways(counts):
    """Every way to take a suit apart, as lists of (what, lowest place)."""
    place = next((each for each in range(9) if counts[each]), None)
    if place is None:
        yield ()
        return
    options = [("single", (place,)), ("pair", (place, place)), ("triplet", (place,) * 3)]
    if place <= 6:
        options += [("run", (place, place + 1, place + 2)), ("closed", (place, place + 2))]
    if place <= 7:
        options.append(("edge" if place in (0, 7) else "two-sided", (place, place + 1)))
    for what, taken in options:
        need = Counter(taken)
        if all(counts[each] >= number for each, number in need.items()):
            left = tuple(count - need[each] for each, count in enumerate(counts))
            for rest in ways(left):
                yield ((what, place), *rest)


def layout_number(way):
    """How ties are broken: singles, triplets, pairs, edge, closed, two-sided blocks, runs, by their places."""

    def bits(what):
        return sum(1 << place for sort, place in way if sort == what)

    two_sided = sum(1 << 2 * (place - 1) for sort, place in way if sort == "two-sided")
    edges = sum(1 << (place == 7) for sort, place in way if sort == "edge")
    runs = sum(sort == "run" for sort, _ in way)
    return bits("single"), bits("triplet"), bits("pair"), edges, bits("closed"), two_sided, runs


@cache
def best_way(counts):
    """The way that counts: see the README."""

    def worth(way):
        names = Counter(sort for sort, _ in way)
        sets = names["run"] + names["triplet"]
        value = 2 * sets + names["two-sided"] + names["closed"] + names["edge"] + names["pair"]
        return value, sets, names["two-sided"], names["pair"], layout_number(way)

    return max(ways(counts), key=worth)


def waits_of(sort, place):
    return {"two-sided": {place - 1, place + 2}, "closed": {place + 1}, "edge": {2 if place == 0 else 6}}.get(
        sort, set()
    )


def tiles_of(sort, place):
    return {"two-sided": {place, place + 1}, "closed": {place, place + 2}, "edge": {place, place + 1}}.get(sort, set())


def sort_of(kind):
    return 3 if kind >= 27 else min(kind % 9, 8 - kind % 9, 2)


def blocks(hand):
    """The quantities of the hand's blocks."""
    found, counts = Counter(), hand.counts
    pair_kinds, loose = [], []
    for suit in range(3):
        way = best_way(tuple(counts[9 * suit : 9 * suit + 9]))
        open_ = [(sort, place) for sort, place in way if sort in ("two-sided", "closed", "edge")]
        for i, block in enumerate(open_):
            name = "two_sided" if block[0] == "two-sided" else "bad"
            found[name] += 1
            if any(waits_of(*block) & waits_of(*other) for j, other in enumerate(open_) if j != i):
                found[f"twice_{name}"] += 1
        found["sets"] += sum(sort in ("run", "triplet") for sort, _ in way)
        pairs = [place for sort, place in way if sort == "pair"]
        pair_kinds += [9 * suit + place for place in pairs]
        for place in [place for sort, place in way if sort == "single"]:
            if any(place in tiles_of(*block) for block in open_ if block[0] == "two-sided"):
                found["two_sided_pairs"] += 1
            elif any(place in tiles_of(*block) for block in open_ if block[0] != "two-sided"):
                found["bad_pairs"] += 1
            elif any(abs(place - pair) in (1, 2) for pair in pairs):
                found["bad_pairs"] += 1
                found["beside"] += 1
            else:
                loose.append(9 * suit + place)
    for kind in range(27, 34):
        number = counts[kind]
        found["sets"] += number >= 3
        if number == 2:
            pair_kinds.append(kind)
        elif number in (1, 4):
            loose.append(kind)
    found["sets"] += len(hand.melds)
    found["blocks"] = found["sets"] + found["two_sided"] + found["bad"] + len(pair_kinds)
    found["bad"] += found["beside"]
    found["pairs"] = len(pair_kinds) + found["two_sided_pairs"]
    return found, sorted(pair_kinds), loose


# Shanten of other forms, by all targets.


@cache
def targets(sets, groups, pairs):
    """What every hand of some sets, and a pair or none, needs: [targets, 34]."""
    rows = []
    shapes = np.array([[group.count(kind) for kind in range(34)] for group in groups], np.int8)
    for chosen in combinations_with_replacement(range(len(groups)), sets):
        rows.append(shapes[list(chosen)].sum(axis=0) if chosen else np.zeros(34, np.int8))
    base = np.array(rows, np.int8)
    base = base[(base <= 4).all(axis=1)]
    if pairs:
        heads = np.array([[2 * (kind == pair) for kind in range(34)] for pair in pairs], np.int8)
        base = (base[:, None] + heads[None]).reshape(-1, 34)
        base = base[(base <= 4).all(axis=1)]
    return base


RUNS = tuple((9 * suit + n, 9 * suit + n + 1, 9 * suit + n + 2) for suit in range(3) for n in range(7))
TRIPLETS = tuple((kind,) * 3 for kind in range(34))
OUTSIDE = tuple(run for run in RUNS if run[0] % 9 in (0, 6)) + tuple((kind,) * 3 for kind in sorted(ORPHANS))


def lacks(counts, needs):
    return int(np.maximum(needs - np.array(counts, np.int8), 0).sum(axis=1).min())


def sets_lack(counts, sets):
    """Tiles that are lacking for some sets, suit by suit: the fewest over all ways to share them out."""
    best = {0: 0}
    for suit in range(4):
        first, last = 9 * suit, min(9 * suit + 9, 34)
        own = tuple(group for group in RUNS + TRIPLETS if first <= group[0] < last)
        part = [count if first <= kind < last else 0 for kind, count in enumerate(counts)]
        here = {number: lacks(part, targets(number, own, ())) for number in range(sets + 1)}
        best = {
            number: min(best[a] + here[number - a] for a in best if 0 <= number - a <= sets)
            for number in range(sets + 1)
        }
    return best[sets]


def yakuhai(hand, kind):
    return kind >= 31 or kind in (27 + hand.wind, 27 + hand.round)


def han(hand, kind, flags):
    counts = np.array(hand.counts, np.int8)
    melds = np.zeros(4, np.int16)
    melds[: len(hand.melds)] = [64 * type_ + low for type_, low in hand.melds]
    flags |= scoring.OPEN_TANYAO if hand.open_tanyao else 0
    reds = sum(face >= 34 for face in hand.tiles + hand.meld_faces)
    dora = reds + sum(hand.kinds_owned[each] + (each == kind) for each in hand.dora)
    return int(scoring.score(counts, melds, kind, flags, hand.wind, hand.round, dora)[1])


def number_sort(kind):
    return min(kind % 9, 8 - kind % 9)


def rank(values, largest):
    """The place of a list of counts among all with 14 tiles at most."""
    return _ranks(len(values), largest)[tuple(values)]


@cache
def _ranks(length, largest):
    lists = [each for each in product(range(largest + 1), repeat=length) if sum(each) <= 14]
    return {each: place for place, each in enumerate(lists)}


def neighbours(hand, riichi):
    """The index of each window of neighbours with a tile in it."""
    found, counts = [], hand.counts
    for suit in range(3):
        for size in range(2, 7):
            for first in range(10 - size):
                window = counts[9 * suit + first : 9 * suit + first + size]
                mirror = 9 - size - first
                if mirror < first:
                    window, place = window[::-1], mirror
                else:
                    place = first
                if any(window):
                    before = sum((11 - each) // 2 * len(_ranks(each, 4)) for each in range(2, size))
                    found.append(2 * (before + place * len(_ranks(size, 4)) + rank(window, 4)) + riichi)
    return found


def reading(hand):
    """All groups: name -> list of tuples of values, or of indices."""
    counts, melds, owned, number = np.array(hand.counts, np.int8), hand.melds, hand.kinds_owned, len(hand.melds)
    tiles = [kind_of(face) for face in hand.tiles]
    standard, far = int(engine.standard(counts, number)), int(engine.shanten(counts, number))
    seven = int(engine.seven_pairs(counts)) if not melds else 7
    useful = [kind for kind in range(34) if int(engine.useful(counts, number)) >> kind & 1]
    live = sum(hand.unseen[kind] for kind in useful)
    orphans = sum(hand.unseen[kind] for kind in useful if kind in ORPHANS)
    riichi = int(hand.closed and hand.may_riichi)
    turn, reds = hand.turn, sum(face >= 34 for face in hand.tiles + hand.meld_faces)
    block, pair_kinds, loose = blocks(hand)
    sets, two, bad, pairs = block["sets"], block["two_sided"], block["bad"], block["pairs"]
    perfect = 2
    if sets + two == 4 and pair_kinds and block["two_sided_pairs"] and far in (1, 2):
        perfect = far - 1
    # pairs and triplets
    heads = good_triplets = 0
    for kind in range(34):
        if counts[kind] >= 2:
            rest = counts.copy()
            rest[kind] -= 2
            heads += sets_lack(rest, 4 - number) - 1 == standard
        if counts[kind] >= 3 and number < 4:
            rest = counts.copy()
            rest[kind] -= 3
            good_triplets += int(engine.standard(rest, number + 1)) == standard
    pons = [low for type_, low in melds if type_ != CHI]
    closed_triplets = int((counts >= 3).sum()) + sum(type_ == CLOSED_KAN for type_, _ in melds)
    triplets = int((counts >= 3).sum()) + len(pons)
    plain_pairs = int((counts == 2).sum())
    dead = int(any(counts[kind] == 2 and hand.unseen[kind] == 0 for kind in range(34)))
    values = [kind for kind in range(27, 34) if yakuhai(hand, kind)]
    yaku_triplets = sum(counts[kind] >= 3 for kind in values) + sum(kind in values for kind in pons)
    yaku_pairs, yaku_singles = (sum(counts[kind] == each for kind in values) for each in (2, 1))
    # flushes
    suit_tiles = [
        sum(kind // 9 == suit for kind in tiles) + 3 * sum(low // 9 == suit for _, low in melds) for suit in range(4)
    ]
    called = {low // 9 for _, low in melds} - {3}
    allowed = [suit for suit in range(3) if not called - {suit}]
    half = full = 14
    flush_far = 9
    if allowed:
        best = max(allowed, key=lambda suit: (suit_tiles[suit], -suit))
        half = suit_tiles[best] + suit_tiles[3]
        full = 14 if any(low >= 27 for _, low in melds) else suit_tiles[best]
        kept = np.array([count if kind // 9 in (best, 3) else 0 for kind, count in enumerate(counts)], np.int8)
        flush_far = int(engine.standard(kept, number))
    # simples and outside hands
    of_meld = [{low, low + 1, low + 2} if type_ == CHI else {low} for type_, low in melds]
    simples_ok = all(not kinds & ORPHANS for kinds in of_meld) and (hand.closed or hand.open_tanyao)
    kept = np.array([0 if kind in ORPHANS else count for kind, count in enumerate(counts)], np.int8)
    simples_far = int(engine.standard(kept, number)) if simples_ok else 9
    simples_tiles = int(kept.sum()) + 3 * sum(not kinds & ORPHANS for kinds in of_meld)
    outside_ok = all(kinds & ORPHANS for kinds in of_meld)
    outside_far = 9
    if outside_ok:
        outside_far = lacks(counts, targets(4 - number, OUTSIDE, tuple(sorted(ORPHANS)))) - 1
    outside_tiles = sum(kind >= 27 or kind % 9 in (0, 1, 2, 6, 7, 8) for kind in tiles)
    outside_tiles += 3 * sum(bool(kinds & ORPHANS) for kinds in of_meld)
    outside_blocks = sum(bool(kinds & ORPHANS) for kinds in of_meld) + sum(counts[kind] >= 2 for kind in range(27, 34))
    for suit in range(3):
        for side in ((0, 1, 2), (8, 7, 6)):
            there = [counts[9 * suit + place] for place in side]
            outside_blocks += there[0] >= 2 or sum(map(bool, there)) >= 2
    dora = reds + sum(owned[kind] for kind in hand.dora)
    simples_dora = reds + sum(owned[kind] for kind in hand.dora if kind not in ORPHANS)
    # waits
    waits = [kind for kind in useful if hand.unseen[kind] > 0] if far == 0 else []
    worth = {kind: han(hand, kind, 0) for kind in waits}
    with_yaku = sum(hand.unseen[kind] for kind in waits if worth[kind])
    bare = sum(hand.unseen[kind] for kind in waits if not worth[kind])
    furiten = int(far == 0 and any(kind in hand.thrown for kind in useful))
    if far == 0:
        yaku = 1 if not with_yaku else 2 if bare else 0
    elif yaku_triplets:
        yaku = 0
    else:
        hoped = min(simples_far, outside_far, flush_far) <= far
        yaku = 2 if hoped or any(counts[kind] == 2 and hand.unseen[kind] for kind in values) else 1
    # patterns
    runs = {low for type_, low in melds if type_ == CHI}

    def colours(first):
        bits = 0
        for suit in range(3):
            for step in range(3):
                if counts[9 * suit + first + step] or 9 * suit + first in runs:
                    bits |= 1 << (3 * suit + step)
        return bits

    def straight(suit):
        bits = 0
        for place in range(9):
            if counts[9 * suit + place] or 9 * suit + place // 3 * 3 in runs:
                bits |= 1 << place
        return bits

    def brings(bits, kinds):
        return int(any(kind in useful for place, kind in enumerate(kinds) if not bits >> place & 1))

    colour_rows = []
    for first in range(7):
        kinds = [9 * suit + first + step for suit in range(3) for step in range(3)]
        bits = colours(first)
        colour_rows.append((int(first in (0, 6)), bits, far, brings(bits, kinds), riichi))
    straights = [straight(suit) for suit in range(3)]
    nearest = max(range(3), key=lambda suit: (straights[suit].bit_count(), -suit))
    straight_brings = brings(straights[nearest], range(9 * nearest, 9 * nearest + 9))
    nearest_tiles = straights[nearest].bit_count()
    five, four_ = int(sets + two + bad >= 5), int(sets + two >= 4)
    loose_sorts = Counter(map(sort_of, loose))
    outermost = next((sort for sort in (3, 0, 1, 2) if loose_sorts[sort]), 4)
    pair_sorts = 4 * sort_of(pair_kinds[0]) + sort_of(pair_kinds[-1]) if pair_kinds else 0
    has_triplet = int(closed_triplets > 0)
    shape = (sets + two, bad, block["two_sided_pairs"], block["bad_pairs"], int(bool(loose)), has_triplet, pairs, far)
    meld_sorts = {CHI: 0, PON: 1, OPEN_KAN: 2, ADDED_KAN: 2, CLOSED_KAN: 3}
    seen = [4 - hand.unseen[kind] - owned[kind] for kind in range(34)]

    def near(kind):
        return min([min(abs(each - kind), 3) for each in hand.dora if each < 27 and each // 9 == kind // 9], default=4)

    def dora_sort(kind):
        return number_sort(kind) if kind < 27 else 5 if yakuhai(hand, kind) else 6

    def wait_sort(kind):
        if kind < 27:
            return number_sort(kind)
        double = kind - 27 == hand.wind == hand.round and kind <= 28
        return 5 if double else 6 if yakuhai(hand, kind) else 7

    def suji(kind):
        sides = [kind + step for step in (-3, 3) if kind < 27 and 0 <= kind % 9 + step <= 8]
        return int(kind < 27 and all(each in hand.thrown for each in sides))

    by_colour = sorted(
        (sum(hand.unseen[kind] for kind in useful if kind // 9 == suit) for suit in range(4)), reverse=True
    )
    one = min(by_colour[0], 20)
    two_ = min(by_colour[1], 20 - one)
    three = min(by_colour[2], 20 - one - two_)
    pairs_of = [each for each in product(range(21), repeat=2) if sum(each) <= 20]
    triples_of = [each for each in product(range(21), repeat=3) if sum(each) <= 20]
    base4 = [min(owned[kind], 3) for kind in range(27, 34)]
    return {
        "standard shanten": [(standard,)],
        "seven pairs shanten": [(seven,)] if not melds else [],
        "thirteen orphans shanten": [(int(engine.thirteen_orphans(counts)),)] if not melds else [],
        "melds": [(number,)],
        "shanten, melds": [(far, number)],
        "riichi": [(riichi,)],
        "shanten, melds, useful": [(far, number, live)],
        "melds made": [(meld_sorts[type_], low) for type_, low in melds],
        "honour triplets": [(yaku_triplets,)],
        "heads, honour pairs": [(heads, yaku_pairs)],
        "honours": [(int(yaku_triplets > 0), heads, yaku_pairs, yaku_singles, far, number)],
        "flush": [(half, number, 0), (full, number, 1)],
        "dora": [(dora,)],
        "yaku": [(yaku,)],
        "shanten, yaku, turn": [(far, yaku, turn)],
        "shanten, melds, furiten, waits": [(far, number, furiten, with_yaku)],
        "good blocks, shanten": [(sets + two, far)],
        "blocks, shanten": [(block["blocks"], far)],
        "good blocks, blocks, shanten": [(sets + two, block["blocks"], far)],
        "outside hand": [
            (outside_far, max(0, outside_tiles - 6), outside_blocks, live // 4, max(0, outside_far - far))
        ],
        "outside hand, shape": [
            (
                outside_far, int(any(counts[9 * suit + place] >= 3 for suit in range(3) for place in (1, 2, 6, 7))),
                number, sets, two, bad, int(any(kind in ORPHANS for kind in pair_kinds)),
                int(any(kind < 27 and kind % 9 in (1, 2, 6, 7) for kind in pair_kinds)),
            )
        ],
        "each dora": [(dora_sort(kind), owned[kind], seen[kind], turn // 2, reds) for kind in hand.dora],
        "shape": [(*shape, perfect, riichi, turn // 3)],
        "shape without perfect": [(*shape, riichi, turn // 3)],
        "flush, shape": [(flush_far, sets, block["two_sided_pairs"], block["bad_pairs"], number)],
        "simples, shape": [
            (
                simples_far, sets, sets + two, simples_dora, number, turn // 3, int(simples_far <= far), orphans,
                max(0, simples_tiles - 11),
            )
        ],
        "loose tiles": [
            (sets + two, bad, seven, far, perfect, riichi, sort, loose_sorts[sort]) for sort in range(4)
        ],
        "waits twice": [(sets + two, bad, block["twice_two_sided"], block["twice_bad"], far, perfect, riichi)],
        "heads, shape": [(far, seven, heads, sets + two, riichi, perfect)],
        "honours, shape": [(far, int(yaku_triplets > 0), int(yaku_pairs > 0), sets, two, bad, heads, number, yaku)],
        "outermost tile, pairs": [(sets + two, bad, outermost, pair_sorts, pairs, perfect)],
        "triplets, shape": [(far, seven, good_triplets, number, int(bool(runs)), perfect)],
        "each honour": [
            (
                seen[kind], owned[kind], int(kind in hand.dora), max(0, max(suit_tiles[:3]) - 6), sets + two, turn,
                hand.wind, hand.round, min(kind - 27, 4),
            )
            for kind in range(27, 34)
        ],
        "each number": [(number_sort(kind), int(counts[kind]), near(kind)) for kind in range(27) if counts[kind]],
        "neighbours": neighbours(hand, riichi),
        "suits": [rank([min(int(each), 2) for each in counts[9 * suit : 9 * suit + 9]], 2) for suit in range(3)],
        "closed triplets, pairs": [(closed_triplets, plain_pairs, dead)],
        "triplets, pairs": [(triplets, plain_pairs, dead)] if not runs else [70],
        "simples": [
            (
                simples_far, max(0, simples_far - far), max(0, simples_tiles - 9),
                sum(counts[kind] >= 2 for kind in range(34) if kind not in ORPHANS),
            )
        ] if simples_ok else [400],
        "simples, dora": [(dora, simples_dora, simples_far, max(0, simples_far - far), int(simples_ok))],
        "simples, outside": [(int(simples_ok), int(outside_ok), orphans, riichi, number)],
        "three colours": [(max(bits.bit_count() for _, bits, *_ in colour_rows), far, number)],
        "each three colours": colour_rows,
        "each straight": [(bits, far, number, five, four_, perfect) for bits in straights],
        "straight": [
            (nearest_tiles, sets, two, max(0, bad - pairs), int(bool(pair_kinds)), number, straight_brings)
        ],
        "winds": [(base4[0] * 64 + base4[1] * 16 + base4[2] * 4 + base4[3],)],
        "dragons": [(base4[4] * 16 + base4[5] * 4 + base4[6],)],
        "each wait": [(hand.unseen[kind] - 1, worth[kind], turn // 3) for kind in waits],
        "each wait, more": [
            (
                wait_sort(kind), hand.unseen[kind] - 1, worth[kind],
                max(0, han(hand, kind, scoring.TSUMO) - worth[kind]), riichi, int(kind in hand.dora), suji(kind),
                furiten,
            )
            for kind in waits
        ],
        "waits": [(with_yaku, bare, number, int(standard > 0))] if far == 0 else [],
        "one from ready": [(live, number, perfect)] if far == 1 else [],
        "useful by colour": [
            *([one - 1] if one else []), 20 + pairs_of.index((one, two_)),
            20 + 231 + triples_of.index((one, two_, three)),
        ],
    }  # fmt: skip
