"""What a win is worth: known answers for every yaku and for fu, and random wins against the `mahjong` package."""

import random
from collections import Counter
from itertools import combinations_with_replacement

import numpy as np
import pytest
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig, HandConstants, OptionalRules
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld

from tefuda.games.mahjong import hand, reading, score, tiles, yaku
from tefuda.games.mahjong.notation import counts_of, parse, text
from tefuda.games.mahjong.score import (
    CHANKAN,
    DOUBLE_RIICHI,
    FIRST_TURN,
    IPPATSU,
    KIRIAGE,
    LAST_TILE,
    OPEN_TANYAO,
    RIICHI,
    RINSHAN,
    TSUMO,
)
from tefuda.kernel.compile import COMPILED

pytestmark = pytest.mark.kernel

EAST, SOUTH, WEST, NORTH = range(4)
TYPES = {
    "chi": hand.CHI, "pon": hand.PON, "open": hand.OPEN_KAN, "added": hand.ADDED_KAN, "kan": hand.CLOSED_KAN
}  # fmt: skip


def value(written: str, flags: int = 0, seat: int = SOUTH, around: int = EAST, dora: int = 0):
    """The score of a hand: its concealed tiles, the winning one last, then melds, as `12344m pon 555z kan 1111p`."""
    concealed, *called = written.split()
    melds = np.zeros(4, np.int16)
    for slot, (kind_of_meld, tiles_of_it) in enumerate(zip(called[::2], called[1::2], strict=True)):
        melds[slot] = hand.meld_of(TYPES[kind_of_meld], min(parse(tiles_of_it)) // 4)
    parsed = parse(concealed)
    return score.score(counts_of(parsed), melds, parsed[-1] // 4, flags, seat, around, dora)


def numbers(*names: str) -> list[int]:
    return sorted(int(getattr(yaku, name)) for name in names)


# --- every yaku ---

PINFU = "123m456p789s7723s4s"
WINS = [  # concealed tiles and melds, flags, yaku, han, fu
    (PINFU, RIICHI, "RIICHI PINFU", 2, 30),
    (PINFU, TSUMO, "MENZEN_TSUMO PINFU", 2, 20),
    (PINFU, RIICHI | IPPATSU, "RIICHI IPPATSU PINFU", 3, 30),
    (PINFU, DOUBLE_RIICHI, "DOUBLE_RIICHI PINFU", 3, 30),
    (PINFU, CHANKAN, "CHANKAN PINFU", 2, 30),
    (PINFU, LAST_TILE, "HOUTEI PINFU", 2, 30),
    (PINFU, LAST_TILE | CHANKAN, "CHANKAN PINFU", 2, 30),
    (PINFU, LAST_TILE | TSUMO, "MENZEN_TSUMO HAITEI PINFU", 3, 20),
    ("456p789s7723s4s kan 1111m", RINSHAN | TSUMO, "MENZEN_TSUMO RINSHAN", 2, 60),
    ("456p789s7723s4s kan 1111m", RINSHAN | TSUMO | LAST_TILE, "MENZEN_TSUMO RINSHAN", 2, 60),
    ("456p789s7723s4s pon 111m", RINSHAN | TSUMO, "RINSHAN", 1, 30),
    ("234m456p678s5523s4s", 0, "PINFU TANYAO", 2, 30),
    ("456p678s5523s4s chi 234m", OPEN_TANYAO, "TANYAO", 1, 30),
    ("456p678s5523s4s kan 3333m", 0, "TANYAO", 1, 50),
    ("112233m456p789s7s7s", 0, "IIPEIKOU", 1, 40),
    ("112233m778899p1z1z", 0, "CHANTA RYANPEIKOU", 5, 40),
    ("123m456p77s111z78s9s", 0, "ROUND_EAST", 1, 40),
    ("123m456p77s222z78s9s", 0, "SEAT_SOUTH", 1, 40),
    ("123m456p77s555z78s9s", 0, "HAKU", 1, 40),
    ("123m456p77s666z78s9s", 0, "HATSU", 1, 40),
    ("123m456p77s777z78s9s", 0, "CHUN", 1, 40),
    ("1133m5577p99s112z2z", 0, "CHIITOITSU", 2, 25),
    ("2233m5577p44668s8s", 0, "TANYAO CHIITOITSU", 3, 25),
    ("123m789p222z99s78s9s", 0, "SEAT_SOUTH CHANTA", 3, 40),
    ("33z79p8p chi 123m chi 789s pon 999p", 0, "CHANTA", 1, 30),
    ("123m123789p99s78s9s", 0, "PINFU JUNCHAN", 4, 30),
    ("789p99s78s9s chi 123m chi 123p", 0, "JUNCHAN", 2, 30),
    ("12345678m456p77s9m", 0, "PINFU ITTSUU", 3, 30),
    ("12378m456p77s9m chi 456m", 0, "ITTSUU", 1, 30),
    ("123m123p23s45699p1s", 0, "PINFU SANSHOKU_DOUJUN", 3, 30),
    ("123p23s45699p1s chi 123m", 0, "SANSHOKU_DOUJUN", 1, 30),
    ("333m333p44s56p7p pon 333s", 0, "SANSHOKU_DOUKOU", 2, 30),
    ("44s56p7p kan 3333m open 1111s added 9999p", 0, "SANKANTSU", 2, 70),
    ("333m4s4s pon 333s pon 999p pon 222p", 0, "TOITOI", 2, 40),
    ("333m555p4456s7s kan 9999s", TSUMO, "MENZEN_TSUMO SANANKOU", 3, 70),
    ("111222333m4599p6p", 0, "SANANKOU", 2, 50),  # three times 123m would be 2 han and 30 fu
    ("55566677z456m12p3p", 0, "HAKU HATSU SHOUSANGEN", 4, 50),
    ("111m1z1z pon 999s pon 999m pon 111s", 0, "TOITOI HONROUTOU", 4, 50),
    ("1199m1199p1199s1z1z", 0, "CHIITOITSU HONROUTOU", 4, 25),
    ("223344m667788p9s9s", 0, "RYANPEIKOU", 3, 40),
    ("223344m67788p99s6p", 0, "PINFU RYANPEIKOU", 4, 30),
    ("1111222233334m4m", 0, "PINFU RYANPEIKOU CHINITSU", 10, 30),
    ("111122223333m5p5p", 0, "RYANPEIKOU", 3, 40),  # four times the same run
    ("12355566678m33z9m", 0, "HONITSU", 3, 40),
    ("12378m33z9m chi 345m pon 666m", 0, "HONITSU", 2, 30),
    ("1234446789957m6m", 0, "CHINITSU", 6, 40),
    ("6667811m9m chi 234m chi 234m", 0, "CHINITSU", 5, 30),
    # no yaku
    ("123m456p789s2347s7s", 0, "", 0, 0),  # a wait for the pair is no pinfu
    ("123m456p77s333z78s9s", 0, "", 0, 0),  # nobody's wind
    ("456p678s5523s4s chi 234m", 0, "", 0, 0),  # open tanyao, where the rules have none
    ("123m456p789s7723s5s", RIICHI, "", 0, 0),  # not complete
    ("1111m5577p99s112z2z", RIICHI, "", 0, 0),  # four of a kind are one pair
    # yakuman
    (PINFU, FIRST_TURN | TSUMO, "CHIHOU", 13, 20),
    ("11m12p555666777z3p", 0, "DAISANGEN", 13, 60),
    ("111m222p333s55z99p9p", TSUMO, "SUUANKOU", 13, 50),
    ("111m222p333s55z99p9p", 0, "TOITOI SANANKOU", 4, 60),
    ("111m222p333s999p5z5z", 0, "SUUANKOU_TANKI", 13, 60),
    ("222333z6z6z pon 777z pon 444z", 0, "TSUUIISOU", 13, 50),
    ("1122334455667z7z", 0, "TSUUIISOU", 13, 25),
    ("223344s666s88s66z6z", 0, "RYUUIISOU", 13, 40),
    ("111m99p99s9s pon 999m pon 111p", 0, "CHINROUTOU", 13, 40),
    ("1112355678999m4m", 0, "CHUUREN", 13, 50),
    ("1112345678999m5m", 0, "JUNSEI_CHUUREN", 13, 50),
    ("19m19p19s1234566z7z", 0, "KOKUSHI", 13, 0),
    ("19m19p19s1234567z7z", 0, "KOKUSHI_13", 13, 0),
    ("11122233344z55m4z", 0, "DAISUUSHII", 13, 60),
    ("11122233344z12m3m", 0, "SHOUSUUSHII", 13, 60),
    ("5m5m kan 1111m open 2222p added 9999s kan 1111z", 0, "SUUKANTSU", 13, 110),
]


@pytest.mark.parametrize(("written", "flags", "names", "han", "fu"), WINS)
def test_known_wins(written, flags, names, han, fu):
    found, *rest = value(written, flags)
    assert yaku.numbers_of(found) == numbers(*names.split())
    assert rest[:2] == [han, fu]
    assert (rest[2] > 0) == (han > 0)


def test_every_yaku_has_a_known_win():
    named = {name for _, _, names, _, _ in WINS for name in names.split()}
    by_wind = {"SEAT_EAST", "SEAT_WEST", "SEAT_NORTH", "ROUND_SOUTH", "ROUND_WEST", "ROUND_NORTH", "TENHOU"}
    assert set(numbers(*(named | by_wind))) == set(range(len(yaku.YAKU))) - {yaku.RENHOU}


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("around", range(4))
@pytest.mark.parametrize("wind", range(4))
def test_winds(seat, around, wind):
    found, han, _, _ = value(f"123m456p77s{wind + 1}{wind + 1}{wind + 1}z78s9s", 0, seat, around)
    wanted = [yaku.SEAT_EAST + seat] * (wind == seat) + [yaku.ROUND_EAST + around] * (wind == around)
    assert yaku.numbers_of(found) == wanted
    assert han == len(wanted)


def test_the_dealer_wins_at_the_first_draw():
    found, han, _, base = value(PINFU, FIRST_TURN | TSUMO, seat=EAST)
    assert (yaku.numbers_of(found), han, base) == ([yaku.TENHOU], 13, 8000)


def test_yakuman_add_up():
    found, han, _, base = value("111222333444z5z5z", dora=7)
    assert yaku.numbers_of(found) == numbers("SUUANKOU_TANKI", "TSUUIISOU", "DAISUUSHII")
    assert (han, base) == (39, 24000)
    found, han, _, base = value("19m19p19s1234567z7z", FIRST_TURN | TSUMO)
    assert yaku.numbers_of(found) == numbers("CHIHOU", "KOKUSHI_13")
    assert (han, base) == (26, 16000)


def test_a_yakuman_goes_before_many_han():
    found, han, _, base = value("3344455588866m6m", TSUMO | RIICHI, dora=5)
    assert yaku.numbers_of(found) == [yaku.SUUANKOU]
    assert (han, base) == (13, 8000)


def test_dora_are_no_yaku():
    assert value("123m456p789s2347s7s", dora=5)[1:] == (0, 0, 0)
    assert value(PINFU, dora=2)[1:] == (3, 30, 960)
    assert value("22334455667788p", RIICHI, dora=1)[1:] == (13, 30, 8000)  # 13 han are a counted yakuman
    assert value("22334455667788p", RIICHI, dora=9)[1:] == (21, 30, 8000)


def test_the_winning_tile_may_be_left_out():
    parsed = parse(PINFU)
    melds = np.zeros(4, np.int16)
    whole, less = counts_of(parsed), counts_of(parsed[:-1])
    for flags in (0, TSUMO):
        winning = parsed[-1] // 4
        assert score.score(whole, melds, winning, flags, 1, 0, 0) == score.score(less, melds, winning, flags, 1, 0, 0)


# --- fu ---


@pytest.mark.parametrize(
    ("written", "flags", "seat", "fu"),
    [
        ("456p678s5523s4s chi 234m", OPEN_TANYAO, SOUTH, 30),  # 20, and never less than 30 by ron
        ("456p678s5523s4s chi 234m", OPEN_TANYAO | TSUMO, SOUTH, 30),  # 22
        ("123m456p789s23s11z4s", RIICHI, SOUTH, 40),  # 32: a pair of the round's wind
        ("123m456p789s23s11z4s", RIICHI | TSUMO, EAST, 30),  # 26: the wind of seat and round has four
        ("123m456p789s23s33z4s", RIICHI, SOUTH, 30),  # pinfu
        ("123m456p789s23s55z4s", RIICHI, SOUTH, 40),  # 32
        ("123m456p789s24s77s3s", RIICHI, SOUTH, 40),  # 32: the middle of a run
        ("123m456p12s77789s3s", RIICHI, SOUTH, 40),  # 32: the end of a run
        ("123m456p77789s89s7s", RIICHI, SOUTH, 40),  # 34 with the triplet, 32 with the run's end
        ("123m456p222s789s7s7s", RIICHI, SOUTH, 40),  # 36
        ("123m456p77s222m89s7s", TSUMO, SOUTH, 30),  # 20 + 2 + 4 + 2
        ("123m456p77s11m89s7s1m", RIICHI, SOUTH, 40),  # 34: by ron the triplet is open
        ("123m456p77s11m789s1m", RIICHI | TSUMO, SOUTH, 30),  # 30: by tsumo it is not
        ("12p77s3p kan 1111m kan 2222m kan 9999m", RIICHI, SOUTH, 120),  # 20 + 10 + 32 + 16 + 32 + 2 = 112
        ("12p77s3p pon 555z open 2222m added 9999m", 0, SOUTH, 50),  # 20 + 4 + 8 + 16 + 2
    ],
)
def test_known_fu(written, flags, seat, fu):
    _, han, found, _ = value(written, flags, seat)
    assert han > 0
    assert found == fu


# --- points ---


@pytest.mark.parametrize(
    ("han", "fu", "ron", "dealer_ron", "tsumo", "dealer_tsumo"),
    [
        (1, 30, 1000, 1500, (300, 500), 500),
        (1, 110, 3600, 5300, (900, 1800), 1800),
        (2, 25, 1600, 2400, (400, 800), 800),
        (2, 20, 1300, 2000, (400, 700), 700),
        (3, 60, 7700, 11600, (2000, 3900), 3900),
        (3, 70, 8000, 12000, (2000, 4000), 4000),
        (4, 25, 6400, 9600, (1600, 3200), 3200),
        (4, 30, 7700, 11600, (2000, 3900), 3900),
        (4, 40, 8000, 12000, (2000, 4000), 4000),
        (5, 30, 8000, 12000, (2000, 4000), 4000),
        (6, 30, 12000, 18000, (3000, 6000), 6000),
        (7, 30, 12000, 18000, (3000, 6000), 6000),
        (8, 30, 16000, 24000, (4000, 8000), 8000),
        (10, 30, 16000, 24000, (4000, 8000), 8000),
        (11, 30, 24000, 36000, (6000, 12000), 12000),
        (12, 30, 24000, 36000, (6000, 12000), 12000),
        (13, 30, 32000, 48000, (8000, 16000), 16000),
        (30, 30, 32000, 48000, (8000, 16000), 16000),
    ],
)
def test_known_points(han, fu, ron, dealer_ron, tsumo, dealer_tsumo):
    base = score.base_points(han, fu, False)
    assert (score.ron_points(base, False), score.ron_points(base, True)) == (ron, dealer_ron)
    assert (score.tsumo_points(base, False), score.tsumo_points(base, True)) == tsumo
    assert score.tsumo_points(base, True) == dealer_tsumo


def test_kiriage_rounds_up_to_mangan():
    kiriage = [(han, fu) for han in range(1, 5) for fu in (20, 25, *range(30, 120, 10))
               if score.base_points(han, fu, True) != score.base_points(han, fu, False)]  # fmt: skip
    assert kiriage == [(3, 60), (4, 30)]
    assert score.base_points(4, 30, True) == 2000


# --- readings ---


def plain_readings(counts: tuple[int, ...], pair: bool) -> set[tuple]:
    """All ways to see a suit as melds and a pair, found by trying; kinds of the triplets, and the pair's."""
    if not any(counts):
        return {((), None)} if not pair else set()
    kind = next(kind for kind, here in enumerate(counts) if here)
    found = set()

    def less(*kinds):
        rest = list(counts)
        for each in kinds:
            rest[each] -= 1
        return tuple(rest) if min(rest) >= 0 else None

    if kind < 7 and (rest := less(kind, kind + 1, kind + 2)):
        found |= plain_readings(rest, pair)
    if rest := less(kind, kind, kind):
        found |= {((kind, *triplets), at) for triplets, at in plain_readings(rest, pair)}
    if pair and (rest := less(kind, kind)):
        found |= {(triplets, kind) for triplets, _ in plain_readings(rest, False)}
    return found


@pytest.mark.slow
def test_all_readings_are_found_and_only_one_suit_has_several():
    """Every suit that is up to four melds, with and without a pair."""
    melds = [(kind,) * 3 for kind in range(9)] + [(kind, kind + 1, kind + 2) for kind in range(7)]
    suits = set()
    for number in range(5 if COMPILED else 3):
        for some in combinations_with_replacement(melds, number):
            for pair in ((), *((kind, kind) for kind in range(9))):
                counts = tuple(np.bincount([*sum(some, ()), *pair], minlength=9).tolist())
                if max(counts) < 5:
                    suits.add((counts, bool(pair)))
    assert len(suits) > (20_000 if COMPILED else 500)
    for counts, pair in suits:
        word = sum(here << 3 * place for place, here in enumerate(counts))
        assert reading.tiles_in(word) == sum(counts)
        found, each = [], reading.next_reading(word, pair, reading.NONE)
        while each != reading.NONE:
            assert reading.runs_of(word, each) >= 0
            triplets = reading.squeezed(reading.triplets_of(each))
            at = reading.pair_of(each)
            found.append((tuple(kind for kind in range(9) if triplets >> kind & 1), at if at < 9 else None))
            each = reading.next_reading(word, pair, each)
        assert len(found) == len(set(found))
        assert set(found) == plain_readings(counts, pair)
        assert len(found) <= 1 or sum(counts) >= (8 if pair else 9)


# --- against the witness ---

WINNERS = 4000 if COMPILED else 100
WITNESS = """
    tsumo riichi ippatsu chankan rinshan haitei houtei pinfu tanyao iipeiko seat_wind_east seat_wind_south
    seat_wind_west seat_wind_north round_wind_east round_wind_south round_wind_west round_wind_north haku hatsu chun
    daburu_riichi chiitoitsu chantai ittsu sanshoku sanshoku_douko sankantsu toitoi sanankou shosangen honroto
    ryanpeiko junchan honitsu chinitsu renhou tenhou chiihou daisangen suuankou suuankou_tanki tsuisou ryuisou
    chinroto chuuren_poutou daburu_chuuren_poutou kokushi daburu_kokushi daisuushi shosuushi suukantsu
"""  # its yaku in Tenhou's order
NUMBER = {getattr(YakuConfig(), name).yaku_id: number for number, name in enumerate(WITNESS.split())}
WITNESS_MELD = {hand.CHI: Meld.CHI, hand.PON: Meld.PON, hand.OPEN_KAN: Meld.KAN, hand.ADDED_KAN: Meld.SHOUMINKAN,
                hand.CLOSED_KAN: Meld.KAN}  # fmt: skip


def random_kinds(rng: random.Random) -> list[int]:
    """Some kinds to build a hand of, so that rare yaku come up."""
    suit, low = 9 * rng.randrange(3), rng.randrange(7)
    return rng.choice([
        [*range(34)],
        [*range(suit, suit + 9)],
        [*range(suit, suit + 9), *range(27, 34)],
        [0, 8, 9, 17, 18, 26, *range(27, 34)],
        [0, 8, 9, 17, 18, 26],
        [*range(27, 34)],
        [19, 20, 21, 23, 25, 32],
        [kind for kind in range(27) if 0 < kind % 9 < 8],
        [kind for kind in range(27) if kind % 9 in (0, 1, 2, 6, 7, 8)] + [27, 31],
        [*range(suit, suit + 4)],
        [first + low + step for first in (0, 9, 18) for step in range(3)],
    ])  # fmt: skip


def random_win(rng: random.Random):
    """Concealed tiles, melds (type and tiles) and the winning tile of a hand that is complete."""
    while True:
        kinds, runs = random_kinds(rng), rng.choice([0, 0.2, 0.5, 0.8, 1])
        groups: list[list[int]] = []
        form = rng.random()
        if form < 0.04 and len(kinds) > 6:
            inside = 2 * rng.sample(kinds, 7)
        elif form < 0.06:
            inside = tiles.kinds_of(tiles.ORPHANS)
            inside.append(rng.choice(inside))
        elif form < 0.08:
            first = 9 * rng.randrange(3)
            inside = [first + place for place in (0, 0, 0, *range(1, 8), 8, 8, 8, rng.randrange(9))]
        else:
            inside = 2 * [rng.choice(kinds)]
            for _ in range(4):
                kind = rng.choice(kinds)
                run = kind < 27 and kind % 9 < 7 and {kind + 1, kind + 2} <= {*kinds} and rng.random() < runs
                groups.append([kind, kind + 1, kind + 2] if run else [kind] * 3)
        called, closed = rng.choice([0, 0, 0.3, 0.6, 1]), rng.choice([0, 0.5, 1])
        melds = []
        for group in groups:
            if rng.random() >= called:
                inside += group
            elif group[0] != group[1]:
                melds.append((hand.CHI, group))
            else:
                some = [hand.PON, hand.PON, hand.OPEN_KAN, hand.ADDED_KAN, hand.CLOSED_KAN]
                type_ = hand.CLOSED_KAN if rng.random() < closed else rng.choice(some)
                melds.append((type_, group + group[:1] if type_ >= hand.OPEN_KAN else group))
        used = Counter(inside + [kind for _, group in melds for kind in group])
        if max(used.values()) > 4:
            continue
        copies = {kind: rng.sample(range(4 * kind, 4 * kind + 4), 4) for kind in used}
        concealed = [copies[kind].pop() for kind in inside]
        return concealed, [(t, [copies[kind].pop() for kind in group]) for t, group in melds], rng.choice(concealed)


def random_flags(rng: random.Random, closed: bool, called: bool) -> int:
    """A way to win that can be, and rules."""
    flags = sum(flag for flag, often in ((TSUMO, 0.5), (OPEN_TANYAO, 0.5), (KIRIAGE, 0.2)) if rng.random() < often)
    tsumo = flags & TSUMO
    if closed and rng.random() < 0.4:
        flags |= rng.choice([RIICHI, RIICHI, DOUBLE_RIICHI]) | rng.choice([0, 0, IPPATSU])
    elif tsumo and not called and rng.random() < 0.1:
        return flags | FIRST_TURN
    return flags | rng.choice([0, 0, 0, LAST_TILE, RINSHAN if tsumo else CHANKAN])


def witness_score(concealed, melds, winning, flags, seat, around, indicators, ura, red):
    """What the `mahjong` package says: yaku (None for no win), han, fu, and what is paid."""
    tsumo = bool(flags & TSUMO)
    last, first = bool(flags & LAST_TILE), bool(flags & FIRST_TURN)
    options = OptionalRules(
        has_open_tanyao=bool(flags & OPEN_TANYAO), has_aka_dora=red, has_double_yakuman=False,
        kazoe_limit=HandConstants.KAZOE_LIMITED, kiriage=bool(flags & KIRIAGE),
    )  # fmt: skip
    config = HandConfig(
        is_tsumo=tsumo, is_riichi=bool(flags & RIICHI), is_daburu_riichi=bool(flags & DOUBLE_RIICHI),
        is_ippatsu=bool(flags & IPPATSU), is_rinshan=bool(flags & RINSHAN), is_chankan=bool(flags & CHANKAN),
        is_haitei=last and tsumo, is_houtei=last and not tsumo, is_tenhou=first and seat == EAST,
        is_chiihou=first and seat != EAST, player_wind=27 + seat, round_wind=27 + around, options=options,
    )  # fmt: skip
    called = [Meld(WITNESS_MELD[type_], group, opened=type_ != hand.CLOSED_KAN) for type_, group in melds]
    everything = concealed + [tile for _, group in melds for tile in group]
    said = HandCalculator.estimate_hand_value(everything, winning, called, indicators, config, ura_dora_indicators=ura)
    if said.error:
        assert said.error == "no_yaku"
        return None
    found = sorted(NUMBER[each.yaku_id] for each in said.yaku if each.yaku_id in NUMBER)
    yakuman = any(each.is_yakuman for each in said.yaku)
    return found, said.han, None if yakuman else said.fu, said.cost["main"], said.cost["additional"]


@pytest.mark.slow
def test_random_wins_are_worth_what_the_witness_says():
    rng = random.Random(3)
    seen = Counter()
    for _ in range(WINNERS):
        concealed, melds, winning = random_win(rng)
        closed = all(type_ == hand.CLOSED_KAN for type_, _ in melds)
        flags = random_flags(rng, closed, bool(melds))
        seat, around, red = rng.randrange(4), rng.randrange(4), rng.random() < 0.5
        indicators = [rng.randrange(136) for _ in range(rng.choice([0, 1, 1, 2, 5]))]
        ura = [rng.randrange(136)] if flags & (RIICHI | DOUBLE_RIICHI) else []
        everything = concealed + [tile for _, group in melds for tile in group]
        dora = sum(tiles.dora_of(shown // 4) == tile // 4 for shown in indicators + ura for tile in everything)
        dora += red * sum(tile in tiles.RED_FIVES for tile in everything)
        called = np.zeros(4, np.int16)
        called[: len(melds)] = [hand.meld_of(type_, min(group) // 4) for type_, group in melds]
        found, han, fu, base = score.score(counts_of(concealed), called, winning // 4, flags, seat, around, dora)
        said = witness_score(concealed, melds, winning, flags, seat, around, indicators, ura, red)
        what = (text(concealed), melds, text([winning]), flags, seat, around, dora)
        if said is None:
            assert han == base == 0, what
            seen[None] += 1
            continue
        if flags & TSUMO:
            paid = score.tsumo_points(base, True), score.tsumo_points(base, seat == EAST)
        else:
            paid = score.ron_points(base, seat == EAST), 0
        yakuman = int(found) & int(yaku.YAKUMAN)
        assert (yaku.numbers_of(found), han, None if yakuman else fu, *paid) == said, what
        seen.update(said[0])
    assert len(seen) > (50 if COMPILED else 30)
