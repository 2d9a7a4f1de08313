"""Shanten, useful tiles and waits: against known answers, against the `mahjong` package, and against their meaning."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mahjong.shanten import Shanten

from tefuda.games.mahjong import hand, shanten, tables
from tefuda.games.mahjong.notation import counts_of, kinds_text, parse
from tefuda.games.mahjong.tiles import KINDS, kinds_of
from tefuda.kernel.compile import COMPILED

pytestmark = pytest.mark.kernel

HANDS = 4000 if COMPILED else 150
NO_MELDS = np.zeros(4, np.int16)


def counts_in(text: str) -> np.ndarray:
    return counts_of(parse(text))


# --- known answers ---


@pytest.mark.parametrize(
    ("text", "number", "distance"),
    [
        ("123m456p789s23477s", 0, -1),
        ("123m456p789s2347s", 0, 0),
        ("123m456p789s1112z", 0, 0),
        ("123m456p789s112z4z", 0, 1),
        ("147m258p369s12345z", 0, 6),
        ("147m258p369s1234z", 0, 6),
        ("19m19p19s1234567z", 0, 0),
        ("19m19p19s12345677z", 0, -1),
        ("19m19p19s1234566z5m", 0, 0),
        ("1133m5577p99s11z2z", 0, 0),
        ("1133m5577p99s1122z", 0, -1),
        ("1111m5577p99s1122z", 0, 1),  # four of a kind are one pair
        ("1111m234p567p789s", 0, 1),  # a fifth 1m would be needed
        ("1111222233334m", 0, 0),
        ("1111m2222m3333m44z", 0, -1),
        ("1111z2222z3333z4z", 0, 3),  # the fourth copies are of no use
        ("1112345678999m", 0, 0),
        ("1m", 4, 0),
        ("11m", 4, -1),
        ("12m", 4, 0),
        ("1111m", 3, 1),  # neither 1m again nor 23m at once
        ("1112m", 3, 0),
        ("123m55p", 3, -1),
        ("13579m1z", 3, 1),
        ("135m79p24s1z", 2, 2),
    ],
)  # fmt: skip
def test_known_distances(text, number, distance):
    assert shanten.shanten(counts_in(text), number) == distance
    assert shanten.complete(counts_in(text), number) == (distance < 0)


def test_the_three_forms():
    counts = counts_in("1133m5577p99s112z4z")
    assert shanten.standard(counts, 0) == 3
    assert shanten.seven_pairs(counts) == 0
    assert shanten.thirteen_orphans(counts) == 7


@pytest.mark.parametrize(
    ("text", "melds", "waits"),
    [
        ("123m456p789s2345s", (), "25s"),
        ("1112345678999m", (), "123456789m"),
        ("19m19p19s1234567z", (), "19m19p19s1234567z"),
        ("1133m5577p99s11z2z", (), "2z"),
        ("2233445566778m", (), "258m"),
        ("3334445556667p", (), "245678p"),
        ("1z", ((hand.CHI, 0), (hand.CHI, 3), (hand.PON, 20), (hand.PON, 31)), "1z"),
        ("123m456p789s115z6z", (), ""),
        ("1111m234p567p789s", (), ""),  # it would wait for the fifth 1m
        ("1m", ((hand.PON, 0), (hand.CHI, 3), (hand.PON, 20), (hand.PON, 31)), ""),  # and so would this
        ("23m11z", ((hand.CLOSED_KAN, 0), (hand.CHI, 12), (hand.PON, 20)), "4m"),  # all of 1m are in the kan
        ("12m11z", ((hand.CLOSED_KAN, 2), (hand.CHI, 12), (hand.PON, 20)), ""),  # 3m, and all of it is in the kan
        ("3334m", ((hand.CHI, 12), (hand.PON, 20), (hand.PON, 31)), "245m"),
        ("3334m", ((hand.CHI, 1), (hand.PON, 20), (hand.PON, 31)), "245m"),
    ],
)
def test_known_waits(text, melds, waits):
    called = np.zeros(4, np.int16)
    called[: len(melds)] = [hand.meld_of(type_, kind) for type_, kind in melds]
    assert kinds_text(shanten.waits(counts_in(text), called)) == waits


# --- against the witness ---


def random_hands(seed: int, hands: int):
    """Hands of every size, many of them of few kinds: counts and how many melds are called."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < hands:
        number = int(rng.integers(0, 5)) if rng.random() < 0.6 else 0
        size = 14 - 3 * number - int(rng.integers(0, 2))
        first = 9 * int(rng.integers(0, 3))
        kinds = (
            np.arange(KINDS),
            np.arange(first, first + 9),
            np.concatenate([np.arange(first, first + 9), np.arange(27, KINDS)]),
            rng.choice(KINDS, 5, replace=False),
            np.arange(first, first + 4),
            np.array([0, 8, 9, 17, 18, 26, *range(27, 34)]),
        )[rng.integers(0, 6)]
        drawn = rng.choice(np.repeat(kinds, 4), size, replace=False)
        yield np.bincount(drawn, minlength=KINDS).astype(np.int8), number
        made += 1


@pytest.mark.slow
def test_random_hands_are_as_far_as_the_witness_says():
    seen = set()
    for counts, number in random_hands(7, HANDS):
        expected = Shanten.calculate_shanten(counts.tolist())
        assert shanten.shanten(counts, number) == expected, (counts, number)
        assert shanten.standard(counts, number) == Shanten.calculate_shanten_for_regular_hand(counts.tolist())
        seen.add((number, expected))
    assert len(seen) > 15


# --- against their meaning ---


def test_useful_tiles_lower_the_distance():
    for counts, number in random_hands(8, HANDS // 10):
        if counts.sum() % 3 == 2:
            counts[np.flatnonzero(counts)[0]] -= 1
        now = shanten.shanten(counts, number)
        expected = []
        for kind in range(KINDS):
            if counts[kind] < 4:
                more = counts.copy()
                more[kind] += 1
                if shanten.shanten(more, number) < now:
                    expected.append(kind)
        useful = kinds_of(shanten.useful(counts, number))
        assert useful == expected, (counts, number)
        melds = np.array([hand.meld_of(hand.PON, 27 + slot) if slot < number else 0 for slot in range(4)], np.int16)
        own = [kind for kind in useful if hand.held(counts, melds, kind) < 4]
        assert kinds_of(shanten.waits(counts, melds)) == (own if now == 0 else [])


@pytest.mark.slow
@settings(max_examples=100 if COMPILED else 10, deadline=None)
@given(st.permutations(range(136)), st.integers(0, 4), st.permutations(range(3)), st.permutations(range(7)))
def test_names_of_suits_and_honours_do_not_matter(wall, number, suits, honours):
    counts = np.bincount([tile // 4 for tile in wall[: 14 - 3 * number]], minlength=KINDS)
    renamed = np.concatenate([counts[:27].reshape(3, 9)[list(suits)].ravel(), counts[27:][list(honours)]])
    mirrored = np.concatenate([counts[:27].reshape(3, 9)[:, ::-1].ravel(), counts[27:]])
    here = shanten.standard(counts, number)
    assert shanten.standard(renamed, number) == shanten.standard(mirrored, number) == here
    fewer = counts.copy()
    fewer[np.flatnonzero(counts)[0]] -= 1
    assert shanten.standard(fewer, number) in (here, here + 1)


def test_a_packed_hand():
    counts = counts_in("1123m05p9s1777z")
    man, pin, sou, honours = shanten.pack(counts)
    assert [man, pin, sou, honours] == [0o112, 0o20000, 0o100000000, 0o3000001]
    assert [shanten.packed_count(man, place) for place in range(4)] == [2, 1, 1, 0]
    assert pin + shanten.one(9) == 0o20001
    assert shanten.shanten_packed(man, pin, sou, honours, 1) == shanten.shanten(counts, 1)
    assert shanten.useful_packed(man, pin, sou, honours, 1) == shanten.useful(counts, 1)


# --- the tables ---


def test_classes_are_what_a_plain_count_finds():
    """Every suit of up to four kinds in a row, against all shapes tried one by one."""
    shapes = tables._shapes(9, True)
    for few in product(range(5), repeat=4 if COMPILED else 3):
        suit = (0, 0, *few) + (0,) * (7 - len(few))
        if sum(suit) > 14:
            continue
        word = sum(here << 3 * place for place, here in enumerate(suit))
        row = shanten.suit_class(word)
        paired = shapes[tables.MELDS + 1]  # one meld and a pair
        lacks = min(sum(max(0, want - here) for want, here in zip(shape, suit, strict=True)) for shape in paired)
        assert shanten.standard_of(row, 3) == lacks - 1


def test_tables_fit_where_cuda_keeps_constants():
    size = sum(table.nbytes for table in tables._TABLES.values())
    assert len(tables.STARTS) == 180
    assert size < 54 * 1024  # of 64 KB: the rest is for the other constants of the game


@pytest.mark.slow
def test_tables_are_made_once_and_again_when_damaged(tmp_path, capsys, monkeypatch):
    made = tables.load(tmp_path)
    monkeypatch.setattr(tables, "make", lambda: made)  # it takes a while
    assert "making mahjong's tables" in capsys.readouterr().err
    [file] = tmp_path.iterdir()
    loaded = tables.load(tmp_path)
    file.write_bytes(b"PK damaged")
    again = tables.load(tmp_path)
    assert "making mahjong's tables" in capsys.readouterr().err
    assert [file] == list(tmp_path.iterdir())
    for name, table in tables._TABLES.items():
        assert (table == made[name]).all()
        assert (table == loaded[name]).all()
        assert (table == again[name]).all()
    tables.load(tmp_path / "missing")  # nowhere to put them: they are made all the same
