"""The features of tables 2 and 3 of the paper, one line a group: its factors with their sizes.

A feature is on when all factors have their values. A group has the product of its sizes, and one more for what is
impossible where `extra` is 1. A value above its factor's size counts as the largest. README.md names every reading
where the print contradicts itself.
"""

from dataclasses import dataclass
from math import prod

import numpy as np

from tefuda.contract import fingerprint
from tefuda.games.mahjong.paper.quantities import PLACES
from tefuda.games.mahjong.paper.ranks import CAPPED, WINDOWS

# How often a group is on: once a hand, or for each of several things, whose quantities the kernel writes in turn.
ONCE, CLOSED, EACH = 0, 1, 2  # CLOSED: once, in hands without melds


@dataclass(frozen=True)
class Group:
    """One group of features."""

    name: str
    factors: str  # quantity and size, one after another
    printed: int  # dimensions as printed, 0 where the print has none of its own
    when: int = ONCE
    extra: int = 0  # 1: one more feature for hands where it is impossible
    whole: int = 0  # dimensions of a group whose index is counted otherwise

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        words = self.factors.split()
        return tuple(zip(words[::2], map(int, words[1::2]), strict=True))

    @property
    def size(self) -> int:
        return self.whole or prod(size for _, size in self.sizes) + self.extra


GROUPS = (
    # table 2
    Group("standard shanten", "standard 15", 15),
    Group("seven pairs shanten", "seven_pairs 7", 7, CLOSED),
    Group("thirteen orphans shanten", "orphans 14", 14, CLOSED),
    Group("melds", "melds 5", 5),
    Group("shanten, melds", "shanten 15 melds 5", 75),
    Group("riichi", "riichi 2", 2),
    Group("shanten, melds, useful", "shanten 15 melds 5 useful 21", 1575),
    Group("melds made", "sort 4 kind 34", 136, EACH),
    Group("honour triplets", "honour_triplets 5", 5),
    Group("heads, honour pairs", "heads 6 honour_pairs 6", 36),
    Group("honours", "honour_triplet 2 heads 6 honour_pairs 6 honour_singles 16 shanten 5 melds 5", 28_800),
    Group("flush", "flush_tiles 15 melds 5 flush 2", 150, EACH),
    Group("dora", "dora 4", 4),
    Group("yaku", "yaku 3", 3),
    Group("shanten, yaku, turn", "shanten 4 yaku 3 turn 18", 216),
    Group("shanten, melds, furiten, waits", "shanten 4 melds 5 furiten 2 yaku_waits 8", 320),
    Group("good blocks, shanten", "sets_two_sided 7 shanten 15", 105),
    Group("blocks, shanten", "blocks 11 shanten 15", 165),
    Group("good blocks, blocks, shanten", "sets_two_sided 7 blocks 11 shanten 15", 1155),
    Group("outside hand", "outside_shanten 5 outside_tiles_6 8 outside_blocks 8 useful_4 5 outside_more 4", 6400),
    Group(
        "outside hand, shape",
        "outside_shanten 5 inner_triplet 2 melds 5 sets 5 two_sided 4 bad 8 outer_pair 2 inner_pair 2",
        32_000,
    ),
    Group("each dora", "sort 7 number 4 seen 4 turn_2 8 reds 4", 6400, EACH),
    Group(
        "shape",
        "sets_two_sided 8 bad 8 two_sided_pairs 4 bad_pairs 4 loose 2 has_triplet 2 pairs 4 shanten 4 perfect 3 "
        "riichi 2 turn_3 7",
        2_752_512,
    ),
    Group(
        "shape without perfect",
        "sets_two_sided 8 bad 8 two_sided_pairs 4 bad_pairs 4 loose 2 has_triplet 2 pairs 4 shanten 4 riichi 2 "
        "turn_3 7",
        917_504,
    ),
    Group("flush, shape", "flush_shanten 5 sets 5 two_sided_pairs 8 bad_pairs 8 melds 5", 8000),
    Group(
        "simples, shape",
        "simples_shanten 5 sets 5 sets_two_sided 8 simples_dora 4 melds 5 turn_3 6 simples_same 2 useful_orphans 3 "
        "simples_tiles_11 3",
        432_000,
    ),
    Group(
        "loose tiles",
        "sets_two_sided 8 bad 8 seven_pairs 8 shanten 4 perfect 3 riichi 2 sort 4 number 4",
        196_608,
        EACH,
    ),
    Group("waits twice", "sets_two_sided 8 bad 8 twice_two_sided 4 twice_bad 4 shanten 4 perfect 3 riichi 2", 24_576),
    Group("heads, shape", "shanten 5 seven_pairs 8 heads 8 sets_two_sided 8 riichi 2 perfect 3", 15_360),
    Group(
        "honours, shape",
        "shanten 4 honour_triplet 2 honour_pair 2 sets 5 two_sided 8 bad 4 heads 4 melds 4 yaku 3",
        122_880,
    ),
    Group("outermost tile, pairs", "sets_two_sided 8 bad 8 loose_outermost 5 pair_sorts 16 pairs 4 perfect 3", 61_440),
    Group("triplets, shape", "shanten 5 seven_pairs 8 good_triplets 5 melds 5 chi 2 perfect 3", 6000),
    # table 3
    Group(
        "each honour",
        "seen 5 held 5 is_dora 2 suit_tiles_6 8 sets_two_sided 8 turn 8 wind 4 round 3 honour 5",
        1_536_000,
        EACH,
    ),
    Group("each number", "sort 5 held 5 near 5", 125, EACH),
    Group("neighbours", "", 69_708, EACH, whole=2 * sum(places * tuples for _, places, tuples in WINDOWS)),
    Group("suits", "", 19_472, EACH, whole=CAPPED),
    Group("closed triplets, pairs", "closed_triplets 5 plain_pairs 7 dead_pair 2", 70),
    Group("triplets, pairs", "triplets 5 plain_pairs 7 dead_pair 2", 71, EACH, extra=1),
    Group("simples", "simples_shanten 5 simples_more 4 simples_tiles_9 5 simples_pairs 4", 401, EACH, extra=1),
    Group("simples, dora", "dora 4 simples_dora 4 simples_shanten 5 simples_more 4 simples_possible 2", 640),
    Group("simples, outside", "simples_possible 2 outside_possible 2 useful_orphans 4 riichi 2 melds 5", 160),
    Group("three colours", "colours_tiles 10 shanten 14 melds 5", 700),
    Group("each three colours", "edge 2 tiles_held 512 shanten 4 brings 2 riichi 2", 16_384, EACH),
    Group("each straight", "tiles_held 512 shanten 5 melds 5 five_blocks 2 four_good 2 perfect 3", 153_600, EACH),
    Group(
        "straight", "straight_tiles 10 sets 5 two_sided 8 bad_less_pairs 8 has_pair 2 melds 5 straight_useful 2", 64_000
    ),
    Group("winds", "all_winds 256", 256),
    Group("dragons", "all_dragons 64", 64),
    Group("each wait", "wait_tiles 4 han 9 turn_3 7", 252, EACH),
    Group("each wait, more", "sort 8 wait_tiles 4 han 8 tsumo_han 3 riichi 2 is_dora 2 suji 2 furiten 2", 12_288, EACH),
    Group("waits", "yaku_waits 10 bare_waits 6 melds 5 special 2", 600, EACH),
    Group("one from ready", "useful 32 melds 5 perfect 3", 480, EACH),
    Group("useful by colour", "", 2022, EACH, whole=20 + 231 + 1771),
)
NUMBER = len(GROUPS)
OFFSETS = np.concatenate([[0], np.cumsum([group.size for group in GROUPS])])
SIZE = int(OFFSETS[-1])  # features in all
FEATURES = fingerprint([f"{group.name}: {group.factors or group.size}" for group in GROUPS])


def group(name: str) -> int:
    """The number of a group."""
    return next(number for number, each in enumerate(GROUPS) if each.name == name)


# For kernels: each group's first feature, when it is on, its first factor, and the place and size of each factor.
_factors = [(PLACES[name], size) for each in GROUPS for name, size in each.sizes]
FACTOR_PLACES = np.array([place for place, _ in _factors], np.uint8)
FACTOR_SIZES = np.array([size for _, size in _factors], np.int16)
FACTOR_STARTS = np.concatenate([[0], np.cumsum([len(each.sizes) for each in GROUPS])]).astype(np.int16)
WHEN = np.array([each.when for each in GROUPS], np.int8)
FIRST = OFFSETS.astype(np.int32)
