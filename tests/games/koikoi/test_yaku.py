"""The yaku of Koi-Koi: the engine against the plain scorer of the witness, and against known answers."""

import numpy as np
import pytest

from tefuda.games.koikoi import GAME, cards, yaku
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.kernel.compile import COMPILED, kernel
from tests.games.koikoi import witness_koikoi as witness

pytestmark = pytest.mark.kernel

TABLES = 50_000 if COMPILED else 300  # each with two piles
KINDS = ("bright", "animal", "ribbon", "chaff")  # in the engine's order
MOST_CALLS = 7  # a seat can call koi-koi after each card of its hand but the last


def both(preset: str, *changes: str):
    """The same rules for the engine and for the witness."""
    rules = RULEBOOK.make(preset, changes)
    texts = {option.key: option.text(rules.values[option.key]) for option in RULEBOOK.options}
    return GAME.blank(rules), witness.rules_of(texts)


# --- both speak of the same cards and rules ---


def test_the_decks_agree():
    assert len(witness.DECK) == cards.CARDS == 48
    for number, card in enumerate(witness.DECK):
        assert card.month == number // 4 + 1
        assert card.kind == KINDS[cards.KIND[number]]
    counted = {kind: sum(card.kind == kind for card in witness.DECK) for kind in KINDS}
    assert counted == {"bright": 5, "animal": 9, "ribbon": 10, "chaff": 24}


def test_the_presets_agree():
    assert list(RULEBOOK.presets) == list(witness.PRESETS)
    for preset, rules in witness.PRESETS.items():
        assert both(preset)[1] == rules


def test_the_yaku_agree():
    assert len(yaku.YAKU) == len(witness.YAKU)
    assert yaku.FROM_PILE == witness.YAKU.index("four of a month dealt") == yaku.TESHI
    assert yaku.DEALT_POINTS == witness.DEALT_POINTS


# --- many random piles ---


def _score_piles(piles, calls, table, by_yaku, totals, masks, paid):
    """Score both piles of every table: yaku by yaku, their sum, which they are, and what agari pays."""
    rules = table[0].rules
    for i in range(piles.shape[0]):
        for seat in range(2):
            pile, own, other = piles[i, seat], calls[i, seat], calls[i, 1 - seat]
            for which in range(by_yaku.shape[2]):
                by_yaku[i, seat, which] = yaku.points_of(which, pile, own, rules)
            totals[i, seat] = yaku.yaku_points(pile, own, rules)
            masks[i, seat] = yaku.yaku_mask(pile, own, rules)
            paid[i, seat] = yaku.round_points(totals[i, seat], own, other, rules)


score_piles = kernel(_score_piles)


def engine_scores(blank, piles, calls):
    by_yaku = np.zeros((len(piles), 2, len(yaku.YAKU)), np.int64)
    totals, paid = np.zeros((2, len(piles), 2), np.int64)
    masks = np.zeros((len(piles), 2), np.uint64)
    score_piles(piles, calls, blank, by_yaku, totals, masks, paid)
    return by_yaku, totals, masks, paid


@pytest.fixture(scope="module")
def tables():
    """Tables with two piles of any size that share no card: the cards, where the piles end, and calls."""
    rng = np.random.default_rng(20240)
    order = rng.permuted(np.tile(np.arange(cards.CARDS), (TABLES, 1)), axis=1)
    ends = np.sort(rng.integers(0, cards.CARDS + 1, (TABLES, 2)), axis=1)
    calls = rng.integers(0, MOST_CALLS + 1, (TABLES, 2))
    calls[rng.random((TABLES, 2)) < 0.4] = 0  # most often nobody has called
    return order, ends, calls


def held(order, ends) -> list[tuple[list[int], list[int]]]:
    """The two piles of each table, as lists of card numbers."""
    rows = zip(order.tolist(), ends.tolist(), strict=True)
    return [(row[:first], row[first:second]) for row, (first, second) in rows]


def agree(blank, rules, order, ends, calls) -> np.ndarray:
    """Compare all piles under one set of rules; gives how often each yaku was there."""
    both_piles = held(order, ends)
    piles = np.array([[cards.mask_of(*pile) for pile in pair] for pair in both_piles], np.uint64)
    by_yaku, totals, masks, paid = engine_scores(blank, piles, calls)
    names = {name: which for which, name in enumerate(witness.YAKU)}
    expected = np.zeros_like(by_yaku)
    expected_paid = np.zeros_like(paid)
    numbers = calls.tolist()
    for i, pair in enumerate(both_piles):
        for seat, pile in enumerate(pair):
            own, other = numbers[i][seat], numbers[i][1 - seat]
            found = witness.score([witness.DECK[card] for card in pile], own, rules)
            for name, points in found.items():
                expected[i, seat, names[name]] = points
            expected_paid[i, seat] = witness.payment(sum(found.values()), own, other, rules)
    wrong = np.argwhere((by_yaku != expected).any(axis=2))
    if len(wrong):
        i, seat = wrong[0]
        pile = [witness.DECK[card] for card in both_piles[i][seat]]
        pytest.fail(
            f"{len(wrong)} piles differ; the first, {pile} after {calls[i, seat]} calls, is "
            f"{by_yaku[i, seat]} for the engine, but {expected[i, seat]} for the witness"
        )
    assert (totals == expected.sum(axis=2)).all()
    bits = np.array([1 << which for which in range(len(yaku.YAKU))])
    assert (masks == ((expected > 0) * bits).sum(axis=2).astype(np.uint64)).all()
    assert (paid == expected_paid).all()
    return (expected > 0).sum(axis=(0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["paper", "nintendo", "bonus"])
def test_random_piles_score_as_the_witness_says(preset, tables):
    seen = agree(*both(preset), *tables)
    possible = set(range(yaku.FROM_PILE))
    if preset == "paper":
        possible -= {yaku.HANAMI, yaku.TSUKIMI}
    if preset != "bonus":
        possible -= {yaku.AKA_AO}
    assert set(np.flatnonzero(seen)) == possible or not COMPILED  # every yaku came up, often
    if COMPILED:
        assert 2 * TABLES == 100_000
        assert seen[list(possible)].min() > 200


@pytest.mark.parametrize(
    ("preset", "changes"),
    [
        ("paper", ["extras=both"]),
        ("paper", ["extras=both", "akatan_aotan=7", "double_seven=yes", "koikoi_points=yes"]),
        ("nintendo", ["extras=with", "koikoi_limit=0", "koikoi_points=yes"]),
        ("nintendo", ["double_seven=no", "sake=3", "sake_after_koikoi=1"]),
        ("nintendo", ["sake=0", "sake_kasu=no", "double_koikoi=no"]),
        ("bonus", ["extras=instead", "double_koikoi=yes", "sake_after_koikoi=0"]),
    ],
)
def test_changed_options_score_as_the_witness_says(preset, changes, tables):
    few = max(50, TABLES // 25)
    agree(*both(preset, *changes), *(each[:few] for each in tables))


def test_sake_yaku_that_are_off_stay_off_after_a_call():
    """`sake=0` turns them off, whatever they would be worth later."""
    blank, _ = both("paper", "sake_after_koikoi=3")
    for pair in (cards.FLOWER_VIEWING, cards.MOON_VIEWING):
        assert [int(yaku.yaku_points(pair, calls, blank[0].rules)) for calls in (0, 1, 2)] == [0, 0, 0]


# --- answers known beforehand ---

BRIGHTS = ["pine crane", "cherry curtain", "pampas moon", "paulownia phoenix", "willow rain man"]
BOAR = ["clover boar", "maple deer", "peony butterflies"]
ANIMALS = ["plum warbler", "wisteria cuckoo", "iris bridge", "pampas geese", "willow swallow"]
RED = ["pine red poem ribbon", "plum red poem ribbon", "cherry red poem ribbon"]
BLUE = ["peony blue ribbon", "mum blue ribbon", "maple blue ribbon"]
RIBBONS = ["wisteria ribbon", "iris ribbon", "clover ribbon", "willow ribbon"]
CHAFF = [card.name for card in witness.DECK if card.kind == "chaff"]
CUP, CURTAIN, MOON, RAIN_MAN = "mum sake cup", "cherry curtain", "pampas moon", "willow rain man"
TOGETHER = "red and blue together"

KNOWN = [
    # rules, pile, own calls, yaku and their points
    ("paper", [], 0, {}),
    ("paper", BRIGHTS, 0, {"five brights": 10}),
    ("paper", BRIGHTS[:4], 0, {"four brights": 8}),
    ("paper", BRIGHTS[1:], 0, {"rainy four brights": 7}),
    ("paper", BRIGHTS[:3], 0, {"three brights": 5}),
    ("paper", [*BRIGHTS[:2], RAIN_MAN], 0, {}),
    ("paper", BOAR, 0, {"boar-deer-butterflies": 5}),
    ("paper", BOAR[:2], 0, {}),
    ("paper", RED, 0, {"red poems": 5}),
    ("paper", BLUE, 0, {"blue ribbons": 5}),
    ("paper", [*RED[:2], *BLUE[:2]], 0, {}),
    ("paper", [*RED[:2], *BLUE[:2], RIBBONS[0]], 0, {"ribbons": 1}),
    ("paper", [*RED, *BLUE], 0, {"red poems": 5, "blue ribbons": 5, "ribbons": 2}),
    ("paper", [*RED, *BLUE, *RIBBONS], 0, {"red poems": 5, "blue ribbons": 5, "ribbons": 6}),
    ("paper", ANIMALS[:4], 0, {}),
    ("paper", ANIMALS, 0, {"animals": 1}),
    ("paper", [*ANIMALS, CUP], 0, {"animals": 2}),
    ("paper", [*ANIMALS, *BOAR, CUP], 0, {"boar-deer-butterflies": 5, "animals": 5}),
    ("paper", CHAFF[:9], 0, {}),
    ("paper", [*CHAFF[:9], CUP], 0, {}),
    ("paper", CHAFF[:10], 0, {"chaff": 1}),
    ("paper", CHAFF, 0, {"chaff": 15}),
    ("paper", [CUP, CURTAIN, MOON], 1, {}),
    ("nintendo", [CUP, CURTAIN], 0, {"flower viewing": 5}),
    ("nintendo", [CUP, MOON], 1, {"moon viewing": 5}),
    ("nintendo", [CUP, CURTAIN, MOON], 0, {"flower viewing": 5, "moon viewing": 5}),
    ("nintendo", [*CHAFF[:9], CUP], 0, {"chaff": 1}),
    ("nintendo", [*RED, *BLUE], 0, {"red poems": 5, "blue ribbons": 5}),
    ("nintendo", [*RED, *BLUE, *RIBBONS[:3]], 0, {"red poems": 8, "blue ribbons": 5}),
    ("nintendo", [*RED, RIBBONS[0]], 0, {"red poems": 6}),
    ("nintendo", [*BLUE, *RED[:2]], 0, {"blue ribbons": 7}),
    ("nintendo", [*RED[:2], *BLUE[:2], *RIBBONS[:2]], 0, {"ribbons": 2}),
    ("nintendo", [*BOAR, *ANIMALS[:2]], 0, {"boar-deer-butterflies": 7}),
    ("nintendo", [*BOAR[:2], *ANIMALS], 0, {"animals": 3}),
    ("bonus", [CUP, CURTAIN], 0, {"flower viewing": 1}),
    ("bonus", [CUP, CURTAIN, MOON], 1, {"flower viewing": 3, "moon viewing": 3}),
    ("bonus", [*RED, *BLUE], 0, {"red poems": 5, "blue ribbons": 5, "ribbons": 2, TOGETHER: 10}),
    ("bonus", [*BOAR, *ANIMALS[:2]], 0, {"boar-deer-butterflies": 5, "animals": 1}),
]


@pytest.mark.parametrize(("preset", "names", "calls", "answer"), KNOWN)
def test_known_piles(preset, names, calls, answer):
    blank, rules = both(preset)
    pile = [witness.CARD[name] for name in names]
    assert witness.score(pile, calls, rules) == answer
    mask = cards.mask_of(*(witness.DECK.index(card) for card in pile))
    state = blank[0]
    found = [int(yaku.points_of(which, mask, calls, state.rules)) for which in range(len(yaku.YAKU))]
    assert {witness.YAKU[which]: points for which, points in enumerate(found) if points} == answer
    assert int(yaku.yaku_points(mask, calls, state.rules)) == sum(answer.values())


PAID = [
    # rules, yaku points, own calls, the other's calls, what is paid
    ("paper", 7, 2, 3, 7),
    ("nintendo", 6, 0, 0, 6),
    ("nintendo", 7, 0, 0, 14),
    ("nintendo", 6, 0, 1, 12),
    ("nintendo", 10, 1, 0, 20),
    ("nintendo", 10, 0, 1, 40),
    ("bonus", 5, 0, 4, 5),
    ("bonus", 5, 1, 0, 6),
    ("bonus", 5, 3, 0, 8),
    ("bonus", 5, 4, 0, 10),
    ("bonus", 5, 6, 2, 20),
]


@pytest.mark.parametrize(("preset", "points", "own", "other", "answer"), PAID)
def test_known_payments(preset, points, own, other, answer):
    blank, rules = both(preset)
    assert witness.payment(points, own, other, rules) == answer
    assert int(yaku.round_points(points, own, other, blank[0].rules)) == answer


# --- hands that end or repeat the deal ---


def test_dealt_yaku_are_recognised():
    rng = np.random.default_rng(7)
    found = {"teshi": 0, "kuttsuki": 0}
    for number in range(6_000 if COMPILED else 600):
        if number % 2:  # hands of few months, so that both come up often
            months = rng.permutation(cards.MONTHS)[: 2 + number // 2 % 3]
            pool = [4 * month + place for month in months for place in range(4)]
        else:
            pool = list(range(cards.CARDS))
        hand = rng.permutation(pool)[:8].tolist()
        mask = cards.mask_of(*hand)
        teshi, kuttsuki = bool(yaku.has_teshi(mask)), bool(yaku.has_kuttsuki(mask))
        assert teshi == witness.has_teshi([witness.DECK[card] for card in hand])
        assert kuttsuki == witness.has_kuttsuki([witness.DECK[card] for card in hand])
        found["teshi"] += teshi
        found["kuttsuki"] += kuttsuki
    assert min(found.values()) >= 10


@pytest.mark.parametrize(
    ("months", "teshi", "kuttsuki"),
    [
        ([4, 1, 1, 1, 1], True, False),
        ([4, 4], True, False),
        ([2, 2, 2, 2], False, True),
        ([4, 2, 2], True, False),
        ([3, 2, 2, 1], False, False),
        ([2, 2, 2, 1, 1], False, False),
        ([3, 3, 2], False, False),
    ],
)
def test_known_hands(months, teshi, kuttsuki):
    """Hands with so many cards of each month; months next to each other must not run together."""
    for first in range(cards.MONTHS - len(months) + 1):
        for last in (True, False):  # the last cards of each month, or the first
            hand = [
                4 * (first + place) + (3 - number if last else number)
                for place, held_here in enumerate(months)
                for number in range(held_here)
            ]
            mask = cards.mask_of(*hand)
            assert (bool(yaku.has_teshi(mask)), bool(yaku.has_kuttsuki(mask))) == (teshi, kuttsuki)
