"""The tiles of mahjong, how they are written, and melds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tefuda.errors import Problem
from tefuda.games.mahjong import hand, notation, tiles

pytestmark = pytest.mark.kernel


def test_the_tiles():
    assert tiles.KINDS * tiles.COPIES == tiles.TILES == len(tiles.NAMES) == 136
    assert len(tiles.KIND_NAMES) == len({str(name) for name in tiles.KIND_NAMES}) == 34
    assert [str(tiles.NAMES[tile]) for tile in (0, 16, 17, 52, 88, 108, 135)] == [
        "一萬 (1m)", "赤五萬 (red 5m)", "五萬 (5m)", "赤五筒 (red 5p)", "赤五索 (red 5s)", "東 (east)", "中 (red)",
    ]  # fmt: skip
    assert [tile for tile in range(136) if tiles.is_red(tile)] == list(tiles.RED_FIVES)
    assert tiles.kinds_of(tiles.ORPHANS) == [0, 8, 9, 17, 18, 26, *range(27, 34)]


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [("1m", "2m"), ("9m", "1m"), ("9p", "1p"), ("8s", "9s"), ("9s", "1s"), ("1z", "2z"), ("4z", "1z"), ("5z", "6z"),
     ("7z", "5z")],
)  # fmt: skip
def test_the_dora_is_the_next_tile(indicator, dora):
    [shown], [wanted] = notation.parse(indicator), notation.parse(dora)
    assert tiles.dora_of(tiles.kind_of(shown)) == tiles.kind_of(wanted)


def test_every_kind_is_the_dora_of_one():
    assert sorted(int(tiles.dora_of(kind)) for kind in range(tiles.KINDS)) == list(range(tiles.KINDS))


# --- in writing ---


def test_a_hand_is_read():
    parsed = notation.parse("123m 406p 55z")
    assert parsed == [0, 4, 8, 48, 52, 56, 124, 125]
    assert notation.text(parsed) == "123m406p55z"
    counts = notation.counts_of(parsed)
    assert counts.dtype == np.int8
    assert counts.sum() == 8
    assert counts[31] == 2


def test_plain_fives_are_not_red():
    assert notation.parse("555m") == [17, 18, 19]
    assert notation.parse("5550m") == [17, 18, 19, 16]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("123", "no suit stands behind '123'"),
        ("m123p", "no digit stands before 'm'"),
        ("12x", "'x' is no suit"),
        ("12３m", "'３' is no suit"),
        ("8z", "'8z' is no tile"),
        ("0z", "'0z' is no tile"),
        ("11111m", "'1m' stands 5 times, but there are four"),
        ("5555m", "'5m' stands 4 times, but there are three plain and one red (0m)"),
        ("00p", "'0p' stands twice, but each suit has one red five"),
    ],
)
def test_wrong_hands_are_refused(text, says):
    with pytest.raises(Problem) as problem:
        notation.parse(text)
    assert says in str(problem.value)


@given(st.sets(st.integers(0, tiles.TILES - 1)))
def test_what_is_written_is_read_again(some):
    again = notation.parse(notation.text(some))
    assert [tiles.NAMES[tile] for tile in sorted(again)] == [tiles.NAMES[tile] for tile in sorted(some)]
    assert len(set(again)) == len(some)


def test_sets_of_kinds_are_written():
    mask = tiles.mask_of(2, 5, 27)
    assert notation.kinds_text(mask) == "36m1z"
    assert notation.kinds_text(mask, "ja") == "三萬六萬東"


# --- melds ---


@pytest.mark.parametrize("type_", range(hand.CHI, hand.CLOSED_KAN + 1))
def test_a_meld_is_one_number(type_):
    for kind in range(tiles.KINDS):
        meld = hand.meld_of(type_, kind)
        assert 0 < meld < 2**15
        assert (hand.meld_type(meld), hand.meld_kind(meld)) == (type_, kind)
        assert hand.is_kan(meld) == (type_ >= hand.OPEN_KAN)
        assert hand.is_open(meld) == (type_ != hand.CLOSED_KAN)


def test_what_a_player_has_of_a_kind():
    melds = np.array(
        [hand.meld_of(hand.CHI, 0), hand.meld_of(hand.PON, 2), hand.meld_of(hand.CLOSED_KAN, 33), 0], np.int16
    )
    counts = notation.counts_of(notation.parse("1p"))
    assert hand.number_of(melds) == 3
    assert {kind: copies for kind in range(tiles.KINDS) if (copies := int(hand.held(counts, melds, kind)))} == {
        0: 1, 1: 1, 2: 4, 9: 1, 33: 4
    }  # fmt: skip
