"""Fu: the small points of triplets, of the pair and of the wait, and where the winning tile can be in a hand.

`triplets`, `hidden` (the concealed ones) and `kans` are sets of kinds; runs are counted as in pattern.py.
"""

from tefuda.games.mahjong.reading import RUN_STARTS
from tefuda.games.mahjong.shanten import packed_count
from tefuda.games.mahjong.tables import SUIT
from tefuda.games.mahjong.tiles import DRAGONS, HONOURS, ORPHANS, WINDS
from tefuda.kernel.bits import count, has
from tefuda.kernel.compile import kernel

# Where the winning tile is: in the pair, in a triplet, or at place 0, 1 or 2 of a run.
PAIR, TRIPLET, RUN = 0, 1, 2
PLACINGS = 5


@kernel
def _triplet_fu(triplets):
    """The fu of some open triplets."""
    return 2 * (count(triplets) + count(triplets & ORPHANS))


@kernel
def fu_of_sets(triplets, hidden, kans):
    """The fu of all triplets and kans: twice as much for concealed ones, four times as much for kans."""
    return _triplet_fu(triplets) + _triplet_fu(hidden) + 3 * (_triplet_fu(kans) + _triplet_fu(kans & hidden))


@kernel
def fu_of_pair(pair, seat_wind, round_wind):
    """Two fu for each thing that a pair of honours counts as: a wind of both seat and round has four."""
    if pair < HONOURS:
        return 0
    if pair >= DRAGONS:
        return 2
    return (2 if pair == WINDS + seat_wind else 0) + (2 if pair == WINDS + round_wind else 0)


@kernel
def _has_run(runs, first):
    """Whether a run that begins with a kind is there."""
    if first < 0 or first >= HONOURS or first % SUIT >= RUN_STARTS:
        return False
    return packed_count(runs, first // SUIT * RUN_STARTS + first % SUIT) > 0


@kernel
def is_placed(placing, winning, pair, runs, triplets):
    """Whether the winning tile can be there, in the concealed part of a hand."""
    if placing == PAIR:
        return pair == winning
    if placing == TRIPLET:
        return has(triplets, winning)
    return _has_run(runs, winning - (placing - RUN))


@kernel
def fu_of_wait(placing, winning):
    """Two fu for a wait on one kind: the pair's, a run's middle, and 3 or 7 at the ends of a suit."""
    number = winning % SUIT
    if placing == RUN:
        return 2 if number == 6 else 0
    if placing == RUN + 2:
        return 2 if number == 2 else 0
    return 0 if placing == TRIPLET else 2
