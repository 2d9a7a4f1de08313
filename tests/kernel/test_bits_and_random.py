"""Sets as bits against Python's whole numbers; random streams against their reference and statistics."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tefuda.kernel import bits
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import CHECK, DEAL, LEARNER, PLAYER, SEARCH, below, draw, mix, stream, unit

pytestmark = pytest.mark.kernel

FULL = 2**64 - 1
PURPOSES = (DEAL, PLAYER, SEARCH, LEARNER, CHECK)
DRAWS = 400_000 if COMPILED else 4_000

masks = st.integers(0, FULL)
words = st.lists(masks, min_size=1, max_size=4)
examples = settings(max_examples=300, deadline=None, derandomize=True, database=None)


def members(mask: int) -> list[int]:
    return [index for index in range(64) if mask >> index & 1]


@examples
@given(masks)
def test_a_set_is_its_cards_and_back(mask):
    assert bits.cards_of(np.uint64(mask)) == members(mask)
    assert bits.mask_of(*members(mask)) == np.uint64(mask)


def array(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, np.uint64)


def too_uneven(counts: np.ndarray, expected: float) -> float:
    """How many standard deviations the chi-square of some counts is above its mean (Wilson and Hilferty)."""
    freedom = len(counts) - 1
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    spread = 2 / (9 * freedom)
    return ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5


# --- bits ---


@examples
@given(masks)
def test_count_is_the_number_of_members(mask):
    assert int(bits.count(np.uint64(mask))) == mask.bit_count()


@pytest.mark.parametrize("mask", [0, 1, 1 << 63, FULL, FULL >> 1, 0x5555555555555555, 0xAAAAAAAAAAAAAAAA])
def test_count_at_the_edges(mask):
    assert int(bits.count(np.uint64(mask))) == mask.bit_count()
    assert int(bits.without_lowest(np.uint64(mask))) == mask & (mask - 1)


@examples
@given(masks, st.integers(0, 63))
def test_has_and_bit_agree_with_shifts(mask, index):
    assert int(bits.bit(index)) == 1 << index
    assert bool(bits.has(np.uint64(mask), index)) == (mask >> index & 1 == 1)


@examples
@given(masks)
def test_lowest_and_nth_walk_through_the_members(mask):
    inside = members(mask)
    assume(inside)
    assert int(bits.lowest(np.uint64(mask))) == inside[0]
    assert members(int(bits.without_lowest(np.uint64(mask)))) == inside[1:]
    assert [int(bits.nth(np.uint64(mask), position)) for position in range(len(inside))] == inside


@examples
@given(words)
def test_masks_of_several_words_are_one_long_set(numbers):
    inside = [64 * place + index for place, mask in enumerate(numbers) for index in members(mask)]
    mask = array(numbers)
    assert int(bits.count_words(mask)) == len(inside)
    for position in range(0, len(inside), max(1, len(inside) // 8)):
        assert int(bits.nth_of_words(mask, position)) == inside[position]
    assert int(bits.nth_of_words(mask, len(inside))) == -1
    for index in range(0, 64 * len(numbers), 7):
        assert bool(bits.has_word(mask, index)) == (index in inside)


@examples
@given(words)
def test_the_next_action_walks_through_the_members(numbers):
    inside = [64 * place + index for place, mask in enumerate(numbers) for index in members(mask)]
    mask = array(numbers)
    for first in {0, *inside[:40], *(each + 1 for each in inside[-40:]), 64 * len(numbers) - 1, 64 * len(numbers)}:
        assert int(bits.next_of_words(mask, first)) == next((each for each in inside if each >= first), -1)


def test_masks_stay_unsigned():
    """A mask with its highest bit set is the case in which a signed number would show."""
    top = np.uint64(1 << 63)
    assert int(bits.bit(63)) == 1 << 63
    assert int(bits.lowest(top)) == 63
    assert int(bits.without_lowest(np.uint64(FULL))) == FULL - 1
    assert int(bits.nth(np.uint64(FULL), 63)) == 63


# --- draws ---


def splitmix(state: int) -> tuple[int, int]:
    """SplitMix64 in whole numbers, as its authors give it: the next state and the output."""
    state = (state + 0x9E3779B97F4A7C15) & FULL
    z = state
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & FULL
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & FULL
    return state, z ^ (z >> 31)


def unmix(y: int) -> int:
    """The number that `mix` turns into y: its three steps backwards."""
    y = y ^ (y >> 31) ^ (y >> 62)
    y = y * pow(0x94D049BB133111EB, -1, 2**64) & FULL
    y = y ^ (y >> 27) ^ (y >> 54)
    y = y * pow(0xBF58476D1CE4E5B9, -1, 2**64) & FULL
    return y ^ (y >> 30) ^ (y >> 60)


@pytest.mark.parametrize(
    ("seed", "outputs"),
    [
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]),
        (1234567, [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431]),
    ],
)
def test_draw_gives_the_published_numbers_of_splitmix64(seed, outputs):
    rng = array([seed])
    assert [int(draw(rng)) for _ in outputs] == outputs


@examples
@given(masks, st.integers(1, 2**31))
def test_draws_follow_the_reference_from_any_state(state, bound):
    following, output = splitmix(state)
    for function, expected in (
        (draw, output),
        (lambda rng: below(rng, bound), (output >> 32) * bound >> 32),
        (lambda rng: int(unit(rng) * 2**53), output >> 11),
    ):
        rng = array([state])
        assert int(function(rng)) == expected
        assert int(rng[0]) == following


@examples
@given(masks, st.integers(0, 63))
def test_mix_is_a_permutation_that_moves_many_bits(x, flipped):
    """It can be undone, so no two numbers meet; and one changed bit changes far more than one."""
    first, second = int(mix(np.uint64(x))), int(mix(np.uint64(x ^ (1 << flipped))))
    assert 8 <= (first ^ second).bit_count() <= 56
    assert unmix(first) == x


def _count_below(rng, bound, counts, number):
    for _ in range(number):
        counts[below(rng, bound)] += 1


def _count_units(rng, counts, number):
    for _ in range(number):
        counts[int(unit(rng) * counts.shape[0])] += 1


count_below, count_units = kernel(_count_below), kernel(_count_units)


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 8, 37, 48, 100])
def test_below_is_uniform(bound):
    counts = np.zeros(bound + 1, np.int64)  # one place more, to see that it is never reached
    count_below(array([int(stream(11, bound, 0, CHECK))]), bound, counts, DRAWS)
    assert counts[bound] == 0
    assert counts.sum() == DRAWS
    if bound > 1:
        assert too_uneven(counts[:bound], DRAWS / bound) < 4


def test_unit_is_uniform():
    counts = np.zeros(100, np.int64)
    count_units(array([int(stream(12, 0, 0, CHECK))]), counts, DRAWS)
    assert counts.sum() == DRAWS
    assert too_uneven(counts, DRAWS / 100) < 4


def test_unit_never_reaches_one():
    """The state before the one that mixes to all ones gives the largest draw."""
    state = unmix(FULL) - 0x9E3779B97F4A7C15 & FULL
    assert int(draw(array([state]))) == FULL
    assert float(unit(array([state]))) < 1
    assert int(below(array([state]), 48)) == 47


# --- streams ---


def _fill_streams(seeds, deals, seats, purposes, out):
    """The first state of every stream of a grid, purposes running fastest."""
    place = 0
    for seed in range(seeds):
        for deal in range(deals):
            for seat in range(seats):
                for purpose in range(1, purposes + 1):
                    out[place] = stream(seed, deal, seat, purpose)
                    place += 1


fill_streams = kernel(_fill_streams)
GRID = (60, 60, 4, len(PURPOSES)) if COMPILED else (10, 10, 4, len(PURPOSES))


@pytest.fixture(scope="module")
def grid() -> np.ndarray:
    """Streams of neighbouring seeds, deals, seats and purposes: [seeds, deals, seats, purposes]."""
    assert sorted(PURPOSES) == list(range(1, len(PURPOSES) + 1))
    out = np.zeros(int(np.prod(GRID)), np.uint64)
    fill_streams(*GRID, out)
    return out.reshape(GRID)


@pytest.mark.slow
def test_no_two_streams_of_a_grid_meet(grid):
    """Neither at their start, nor when one is a few draws further than another."""
    step = np.uint64(0x9E3779B97F4A7C15)
    with np.errstate(over="ignore"):
        ahead = np.stack([grid.ravel() + np.uint64(draws) * step for draws in range(20)])
    assert len(np.unique(ahead)) == ahead.size


def test_large_and_equal_numbers_keep_their_places_apart():
    """What a number means depends on where it stands, and all of its 64 bits count."""
    tuples = [(1, 2, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4), (4, 3, 2, 1), (1, 2, 4, 3), (0, 0, 0, 0)]
    tuples += [(1 << shift, 0, 0, 1) for shift in range(63)] + [(0, 1 << shift, 0, 1) for shift in range(63)]
    found = {int(stream(*each)) for each in tuples}
    assert len(found) == len(set(tuples))


@pytest.mark.parametrize("axis", range(4), ids=["seed", "deal", "seat", "purpose"])
def test_neighbouring_streams_have_nothing_in_common(grid, axis):
    """Half of the bits of the first states differ between neighbours, in the mean and with fair spread."""
    low = np.take(grid, range(grid.shape[axis] - 1), axis).ravel()
    high = np.take(grid, range(1, grid.shape[axis]), axis).ravel()
    differing = np.array([int(each).bit_count() for each in low ^ high])
    error = 4 / np.sqrt(len(differing))
    assert abs(differing.mean() - 32) < error * 4  # a count of 64 fair bits has the standard deviation 4
    assert abs(differing.var() / 16 - 1) < 4 * np.sqrt(2 / len(differing))


def test_first_draws_of_a_grid_are_uniform(grid):
    """In their highest bits, which `below` uses, in their lowest, and between one stream and the next."""
    first = np.array([int(draw(array([int(each)]))) for each in grid.ravel()], np.uint64)
    cells = 256 if COMPILED else 64
    width = np.uint64(cells.bit_length() - 1)
    high = (first >> (np.uint64(64) - width)).astype(np.int64)
    low = (first & np.uint64(cells - 1)).astype(np.int64)
    for values in (high, low, high[:-1] // 16 * 16 + high[1:] // (cells // 16) % 16):
        counts = np.bincount(values, minlength=cells)
        assert len(counts) == cells
        assert too_uneven(counts, len(values) / cells) < 4
