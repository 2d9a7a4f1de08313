"""What the features are made of: the quantities of a hand, by name. Each has a place in an array of whole numbers.

A hand is what is left after a discard, a call with its discard, a kan, or a pass: 13 tiles, less three for each meld.
README.md says how each of the paper's words is read.
"""

import numpy as np

NAMES = (
    # how far the hand is
    "standard",  # shanten of four sets and a pair
    "seven_pairs",  # shanten of seven pairs; 7 with melds
    "orphans",  # shanten of thirteen orphans; only without melds
    "shanten",  # the least of the three
    "melds",  # called, and closed kans
    "riichi",  # 1: riichi can still be declared in this deal
    "turn",  # discards of the own before this one
    "turn_2",  # a half of it
    "turn_3",  # a third of it
    "useful",  # unseen tiles that lower the shanten
    "useful_4",  # a quarter of them
    "perfect",  # 0: perfect one-shanten, 1: perfect two-shanten, 2: neither
    # its blocks, two-sided ones preferred
    "sets",  # melds too
    "two_sided",
    "sets_two_sided",  # both together
    "bad",  # closed and edge blocks, and pairs beside a tile
    "blocks",  # sets, two-sided, bad ones and pairs
    "two_sided_pairs",  # two-sided blocks with one of their tiles twice
    "bad_pairs",  # pairs with a tile beside that makes a bad block
    "pairs",  # of the blocks, two-sided ones with a pair too
    "loose",  # 1: some tile is in no block
    "loose_outermost",  # the sort of the outermost such tile; 4: none
    "pair_sorts",  # the sorts of the first and the last pair
    "twice_two_sided",  # two-sided blocks that wait for what another block waits for
    "twice_bad",  # bad ones
    "five_blocks",  # 1: sets, two-sided and bad blocks are five at least
    "four_good",  # 1: sets and two-sided blocks are four at least
    "bad_less_pairs",  # bad blocks, less pairs
    "has_pair",  # 1: some pair among the blocks
    # pairs and triplets
    "heads",  # pairs that can be the head without a higher shanten
    "good_triplets",  # concealed triplets that can be a set without a higher shanten
    "has_triplet",  # 1: some concealed triplet
    "closed_triplets",  # with closed kans
    "triplets",  # melds too
    "plain_pairs",  # kinds that are held twice
    "dead_pair",  # 1: for some pair no third tile is unseen
    "chi",  # 1: some run was called
    "honour_triplets",  # that are a yaku
    "honour_triplet",  # 1: some
    "honour_pairs",  # of such honours
    "honour_pair",  # 1: some
    "honour_singles",
    # one suit
    "suit_tiles_6",  # tiles of the suit with the most, less 6
    "flush_tiles",  # tiles of one flush; 14: impossible
    "flush",  # which: 0 half, 1 full
    "flush_shanten",
    # simples
    "simples_shanten",
    "simples_same",  # 1: not more than the shanten
    "simples_more",  # how much more
    "simples_tiles_9",  # simples in the hand, less 9
    "simples_tiles_11",
    "simples_dora",
    "simples_pairs",
    "simples_possible",
    "useful_orphans",  # unseen useful tiles that are terminals or honours
    # outside hands
    "outside_shanten",
    "outside_more",  # how much more than the shanten
    "outside_tiles_6",  # tiles that can be in it, less 6
    "outside_blocks",
    "outside_possible",
    "inner_triplet",  # 1: a concealed triplet of 2, 3, 7 or 8
    "outer_pair",  # 1: a pair of terminals or honours among the blocks
    "inner_pair",  # 1: a pair of 2, 3, 7 or 8 among the blocks
    # straights and three colours
    "colours_tiles",  # of the nearest run in three suits
    "straight_tiles",  # of the nearest straight
    "straight_useful",  # 1: some useful tile brings it nearer
    # dora and yaku
    "dora",  # with red fives
    "reds",
    "yaku",  # 0: has one, 1: has none, 2: with some of the waits
    "furiten",
    "yaku_waits",  # unseen tiles that win with a yaku
    "bare_waits",  # unseen tiles that complete the hand without one
    "special",  # 1: ready with seven pairs or thirteen orphans
    # of one tile, wait, pattern or dora among several: written anew for each
    "sort",
    "number",
    "near",
    "held",
    "seen",
    "is_dora",
    "wind",
    "round",
    "honour",
    "kind",
    "tiles_held",  # which of nine are there, as bits
    "edge",
    "brings",  # 1: some useful tile brings it nearer
    "wait_tiles",
    "han",
    "tsumo_han",  # how many more by tsumo
    "suji",
    "all_winds",  # how many of each, at most three
    "all_dragons",
)  # fmt: skip
PLACES = {name: place for place, name in enumerate(NAMES)}
SIZE = len(NAMES)
(
    STANDARD, SEVEN_PAIRS, ORPHANS, SHANTEN, MELDS, RIICHI, TURN, TURN_2, TURN_3, USEFUL, USEFUL_4, PERFECT, SETS,
    TWO_SIDED, SETS_TWO_SIDED, BAD, BLOCKS, TWO_SIDED_PAIRS, BAD_PAIRS, PAIRS, LOOSE, LOOSE_OUTERMOST, PAIR_SORTS,
    TWICE_TWO_SIDED, TWICE_BAD, FIVE_BLOCKS, FOUR_GOOD, BAD_LESS_PAIRS, HAS_PAIR, HEADS, GOOD_TRIPLETS,
    HAS_TRIPLET, CLOSED_TRIPLETS, TRIPLETS, PLAIN_PAIRS, DEAD_PAIR, CHI, HONOUR_TRIPLETS, HONOUR_TRIPLET, HONOUR_PAIRS,
    HONOUR_PAIR, HONOUR_SINGLES, SUIT_TILES_6, FLUSH_TILES, FLUSH, FLUSH_SHANTEN, SIMPLES_SHANTEN, SIMPLES_SAME,
    SIMPLES_MORE, SIMPLES_TILES_9, SIMPLES_TILES_11, SIMPLES_DORA, SIMPLES_PAIRS, SIMPLES_POSSIBLE, USEFUL_ORPHANS,
    OUTSIDE_SHANTEN, OUTSIDE_MORE, OUTSIDE_TILES_6, OUTSIDE_BLOCKS, OUTSIDE_POSSIBLE, INNER_TRIPLET, OUTER_PAIR,
    INNER_PAIR, COLOURS_TILES, STRAIGHT_TILES, STRAIGHT_USEFUL, DORA, REDS, YAKU, FURITEN, YAKU_WAITS, BARE_WAITS,
    SPECIAL, SORT, NUMBER, NEAR, HELD, SEEN, IS_DORA, WIND, ROUND, HONOUR, KIND, TILES_HELD, EDGE, BRINGS, WAIT_TILES,
    HAN, TSUMO_HAN, SUJI, ALL_WINDS, ALL_DRAGONS,
) = (np.int64(place) for place in range(SIZE))  # fmt: skip
PERFECT_ONE, PERFECT_TWO, NOT_PERFECT = 0, 1, 2
HAS_YAKU, NO_YAKU, SOME_YAKU = 0, 1, 2
IMPOSSIBLE = 14  # tiles of a flush that the melds rule out
