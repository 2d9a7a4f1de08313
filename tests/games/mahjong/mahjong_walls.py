"""Walls of 136 tiles for the witness: plain, and stacked so that what seldom happens is met.

A wall is a list of tiles (0 to 135): 13 for each seat, 70 draws, 4 replacements, 5 dora indicators, 5 under them.
"""

import random

from tefuda.games.mahjong.state import INDICATORS, REPLACEMENTS
from tefuda.games.mahjong.tiles import KINDS, RED_FIVES

HAND, DRAWS = 13, 52
Wall = list[int]


def face_of(tile: int) -> int:
    return KINDS + tile // 36 if tile in RED_FIVES else tile // 4


def fill(hands: list[Wall], draws: Wall, luck: random.Random) -> Wall:
    """A wall with these hands, which may be short, and early draws; the rest at random."""
    used = {tile for hand in hands for tile in hand} | set(draws)
    rest = [tile for tile in range(4 * KINDS) if tile not in used]
    luck.shuffle(rest)
    wall: Wall = []
    for hand in hands:
        wall += hand + [rest.pop() for _ in range(HAND - len(hand))]
    early = draws + [rest.pop() for _ in range(24 - len(draws))]
    luck.shuffle(early)
    return wall + early + rest


def plain(luck: random.Random) -> Wall:
    return fill([[], [], [], []], [], luck)


class Box:
    """The tiles that are still to be had."""

    def __init__(self, luck: random.Random) -> None:
        self.luck = luck
        self.left = [luck.sample(range(4 * kind, 4 * kind + 4), 4) for kind in range(KINDS)]

    def take(self, *kinds: int) -> Wall:
        return [self.left[kind].pop() for kind in kinds]

    def some_set(self, triplets: float) -> Wall:
        """A run or a triplet."""
        while True:
            if self.luck.random() < triplets:
                kind = self.luck.randrange(KINDS)
                if len(self.left[kind]) >= 3:
                    return self.take(kind, kind, kind)
            else:
                kind = 9 * self.luck.randrange(3) + self.luck.randrange(7)
                if all(self.left[kind + i] for i in range(3)):
                    return self.take(kind, kind + 1, kind + 2)

    def copies(self, number: int, kinds: range = range(KINDS)) -> Wall:
        """Some tiles of one kind."""
        while True:
            kind = self.luck.choice(kinds)
            if len(self.left[kind]) >= number:
                return self.take(*[kind] * number)


def ready(luck: random.Random) -> Wall:
    """All are one tile from winning, now and then two: riichi of all, wins of several, wins in the first turn."""
    box = Box(luck)
    hands = []
    for _ in range(4):
        hand = [tile for _ in range(4) for tile in box.some_set(0.3)] + box.copies(2)
        luck.shuffle(hand)
        hands.append(hand[: luck.choice((12, 13, 13))])
    return fill(hands, [], luck)


def same_waits(luck: random.Random) -> Wall:
    """Three seats wait for the same tiles, the fourth has them."""
    box = Box(luck)
    suit = 9 * luck.randrange(3)
    low = suit + luck.randrange(1, 6)  # waits for low - 1 and low + 2
    hands = [box.take(low, low + 1) for _ in range(3)]
    hands.append(box.take(low - 1, low + 2))
    for hand in hands[:3]:
        for _ in range(3):
            hand += box.some_set(0.2)
        hand += box.copies(2)
    return fill(hands, [], luck)


def triplets(luck: random.Random) -> Wall:
    """Triplets in the hands, and their fourth tiles near: kans."""
    box = Box(luck)
    hands, draws = [], []
    for _ in range(4):
        held = [box.copies(3) for _ in range(3)]
        draws += [tile for three in held[:2] for tile in box.take(three[0] // 4)]
        hands.append([tile for three in held for tile in three])
    return fill(hands, draws, luck)


def one_has_kans(luck: random.Random) -> Wall:
    """One seat has four triplets, and draws their fourth tiles soon."""
    box = Box(luck)
    held = [box.copies(3) for _ in range(4)]
    wall = fill([[tile for three in held for tile in three], [], [], []], [], luck)
    for turn, three in enumerate(held):
        fourth = next(tile for tile in range(three[0] // 4 * 4, three[0] // 4 * 4 + 4) if tile not in three)
        here, there = wall.index(fourth), DRAWS + 4 * turn + luck.randrange(4)
        wall[here], wall[there] = wall[there], wall[here]
    return wall


def dragons(luck: random.Random) -> Wall:
    """One seat has pairs of all dragons, the next has what is missing: liability."""
    box = Box(luck)
    hand = box.take(31, 31, 32, 32, 33, 33)
    return fill([hand, box.take(31, 32, 33), box.take(31, 32, 33), []], [], luck)


def winds(luck: random.Random) -> Wall:
    """The same with the winds."""
    box = Box(luck)
    hand = box.take(27, 27, 28, 28, 29, 29, 30, 30) + (box.copies(2, range(31, 34)) if luck.random() < 0.3 else [])
    return fill([hand, box.take(27, 28, 29, 30), box.take(27, 28, 29, 30), []], [], luck)


def robbed(luck: random.Random) -> Wall:
    """One seat has a pair, another waits for that tile; the last two are discarded and drawn early."""
    box = Box(luck)
    low = 9 * luck.randrange(3) + luck.randrange(1, 6)  # the other waits for low - 1 and low + 2
    waiting = box.take(low, low + 1) + [tile for _ in range(3) for tile in box.some_set(0.5)] + box.copies(2)
    wanted = low - 1 if luck.random() < 0.5 else low + 2
    pair = box.left[wanted]
    if len(pair) < 4:
        return ready(luck)
    return fill([box.take(wanted, wanted), waiting, box.take(wanted), []], box.take(wanted), luck)


def orphans(luck: random.Random) -> Wall:
    """Terminals and honours for two seats: nine of them, thirteen orphans, nagashi."""
    kinds = [0, 8, 9, 17, 18, 26, *range(27, 34)]
    box = Box(luck)
    hands = [box.take(*luck.sample(kinds, luck.choice((9, 11, 12, 13)))) for _ in range(2)]
    return fill([*hands, [], []], [], luck)


def same_wind(luck: random.Random) -> Wall:
    """All have the same wind."""
    box = Box(luck)
    kind = luck.randrange(27, 31)
    return fill([box.take(kind) for _ in range(4)], [], luck)


# How often each is dealt, and the habits that go with it; None: any.
WALLS = {
    "plain": (40, plain, (None, None, None, None)),
    "ready": (10, ready, (None, None, None, None)),
    "same waits": (4, same_waits, ("fast", "fast", None, "random")),
    "triplets": (6, triplets, ("collector", None, "collector", "collector")),
    "one has kans": (3, one_has_kans, ("collector", None, None, None)),
    "dragons": (3, dragons, ("collector", "honours", "honours", None)),
    "winds": (3, winds, ("collector", "honours", "honours", None)),
    "robbed": (14, robbed, ("collector", "careless", "inner", None)),
    "orphans": (6, orphans, ("inner", None, None, None)),
    "outer": (3, plain, ("outer", "outer", None, "outer")),
    "same wind": (2, same_wind, ("honours", "honours", "honours", "honours")),
}


def as_dealt(hands: list[Wall], rest: Wall, dealer: int) -> Wall:
    """A wall as the other engine takes it: dealt in fours from the dealer on, the dead wall from its other end."""
    wall: Wall = []
    for first, last in ((0, 4), (4, 8), (8, 12), (12, 13)):
        for place in range(4):
            wall += hands[(dealer + place) % 4][first:last]
    live, dead = rest[: REPLACEMENTS - DRAWS], rest[REPLACEMENTS - DRAWS :]
    replacements, indicators, under = dead[:4], dead[4:9], dead[9:14]
    pairs = [tile for pair in zip(indicators, under, strict=True) for tile in pair]
    return wall + live + (replacements + pairs)[::-1]


assert INDICATORS == REPLACEMENTS + 4
