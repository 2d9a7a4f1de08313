"""The deal of Koi-Koi: every card comes to every place, and rare hands are as frequent as they should be."""

import math
import random
from collections import Counter

import numpy as np
import pytest

from tefuda.games.koikoi import GAME, rules, yaku
from tefuda.games.koikoi.cards import CARDS
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.state import AGARI, CALL, HAND
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.random import DEAL, stream
from tests.games.koikoi import witness_koikoi as witness
from tests.games.koikoi.engine_table import NUMBER, both, dealt, dealt_hand, final_scores, hidden, legal_actions

kernel_test = pytest.mark.kernel


def _deal_many(blank, table, seed, hands, fields, phases, seats, places):
    """Many first deals: the sets, the phase, who is to move, and where in the deck each card came to lie."""
    rng = np.zeros(1, np.uint64)
    for i in range(hands.shape[0]):
        table[0] = blank[0]
        rng[0] = stream(seed, i, 0, DEAL)
        rules.deal(table[0], rng)
        hands[i, 0] = table[0].hand[0]
        hands[i, 1] = table[0].hand[1]
        fields[i] = table[0].field
        phases[i] = table[0].phase
        seats[i] = table[0].seat
        for place in range(CARDS):
            places[place, table[0].deck[place]] += 1


deal_many = kernel(_deal_many)


def many_deals(number: int, changes):
    """Many deals under the paper's rules with changes: hands, fields, phases, seats, places, the rules."""
    blank, agreed = both("paper", changes)
    hands, fields = np.zeros((number, 2), np.uint64), np.zeros(number, np.uint64)
    phases, seats = np.zeros((2, number), np.int64)
    places = np.zeros((CARDS, CARDS), np.int64)
    deal_many(blank, blank.copy(), 17, hands, fields, phases, seats, places)
    return hands, fields, phases, seats, places, agreed


def cards_in(masks: np.ndarray) -> list[list[witness.Card]]:
    """Sets of the engine as cards of the witness."""
    return [[card for card in witness.DECK if mask >> NUMBER[card] & 1] for mask in masks.tolist()]


def test_every_card_comes_to_every_place():
    number = 200_000 if COMPILED else 500
    places = many_deals(number, ["teshi=play"])[4]
    expected = number / CARDS
    for place in range(40):
        chi_square = ((places[place] - expected) ** 2 / expected).sum()
        assert chi_square < CARDS - 1 + 4.5 * math.sqrt(2 * (CARDS - 1)), place
    assert (places.sum(axis=0) == number).all()


def sets_without_three_of_a_month(size: int) -> int:
    """How many sets of so many cards there are: the product of (1 + 4x + 6x²) over the months."""
    ways = [1] + [0] * size
    for _ in range(12):
        one_less, two_less = [0, *ways], [0, 0, *ways]
        ways = [ways[n] + 4 * one_less[n] + 6 * two_less[n] for n in range(size + 1)]
    return ways[size]


@pytest.mark.slow
def test_rare_deals_are_as_frequent_as_they_should_be():
    """Without redeals: four of a month or four pairs in a hand, three or four of a month on the field."""
    number = 50_000 if COMPILED else 500
    hands, fields, *_ = many_deals(number, ["teshi=play"])
    first, second, field = cards_in(hands[:, 0]), cards_in(hands[:, 1]), cards_in(fields)
    sets = math.comb(48, 8)
    four = (12 * math.comb(44, 4) - math.comb(12, 2)) / sets
    pairs = math.comb(12, 4) * 6**4 / sets
    three = 1 - sets_without_three_of_a_month(8) / sets
    for probability, happened in (
        (four, map(witness.has_teshi, first)),
        (four, map(witness.has_teshi, second)),
        (four, map(witness.has_teshi, field)),
        (pairs, map(witness.has_kuttsuki, first)),
        (pairs, map(witness.has_kuttsuki, second)),
        (three, (max(witness.months_held(cards)) >= 3 for cards in field)),
    ):
        error = math.sqrt(probability * (1 - probability) / number)
        assert abs(sum(happened) / number - probability) < 4 * error


@pytest.mark.slow
@kernel_test
@pytest.mark.parametrize(
    "changes",
    [
        ["teshi=redeal"],
        ["teshi=play", "kuttsuki=redeal"],
        ["teshi=play", "field=four"],
        ["teshi=play", "field=three"],
        ["teshi=points", "kuttsuki=points"],
        ["teshi=points", "kuttsuki=redeal", "field=three"],
        ["teshi=redeal", "kuttsuki=points", "field=four"],
    ],
)
def test_deals_hold_to_the_options(changes):
    """What the rules deal again never comes, all else does, and a hand that is paid comes to its call."""
    number = 12_000 if COMPILED else 300
    hands, fields, phases, seats, _, agreed = many_deals(number, changes)
    cards = cards_in(hands[:, 0]), cards_in(hands[:, 1]), cards_in(fields)
    seen: Counter[str] = Counter()
    for first, second, field, phase, seat in zip(*cards, phases, seats, strict=True):
        assert not witness.must_redeal(first, second, field, agreed)
        holders = [owner for owner, hand in enumerate((first, second)) if witness.paid_at_once(hand, agreed)]
        assert phase == (CALL if holders else HAND)
        assert seat == (holders[0] if holders else 0)
        seen["teshi"] += witness.has_teshi(first) or witness.has_teshi(second)
        seen["kuttsuki"] += witness.has_kuttsuki(first) or witness.has_kuttsuki(second)
        seen["field of three"] += max(witness.months_held(field)) == 3
        seen["field of four"] += max(witness.months_held(field)) == 4
    if COMPILED:
        for event, comes in (
            ("teshi", agreed.teshi != "redeal"),
            ("kuttsuki", agreed.kuttsuki != "redeal"),
            ("field of three", agreed.field != "three"),
            ("field of four", agreed.field == "never"),
        ):
            assert seen[event] > 15 if comes else seen[event] == 0, seen


@pytest.mark.skipif(not COMPILED, reason="so rare a deal needs more deals than uncompiled code can make")
def test_two_hands_that_would_both_be_paid_are_dealt_again():
    """It would come up once in 40,000 deals."""
    hands = many_deals(500_000, ["teshi=points"])[0]
    teshi = np.zeros(hands.shape, bool)
    for month in range(12):
        teshi |= (hands >> np.uint64(4 * month)) & np.uint64(15) == 15
    assert teshi.any(axis=0).all()
    assert not teshi.all(axis=1).any()


def tables_with_a_dealt_yaku(changes, most: int):
    """Fresh tables at which somebody was dealt what is paid."""
    blank = GAME.blank(RULEBOOK.make("paper", changes))
    found = 0
    for seed in range(20_000):
        states = dealt(blank, seed)
        if states[0].phase == CALL:
            yield states
            found += 1
            if found == most:
                return
    pytest.fail(f"only {found} such deals")


@kernel_test
@pytest.mark.parametrize(("option", "which"), [("teshi", yaku.TESHI), ("kuttsuki", yaku.KUTTSUKI)])
def test_a_dealt_yaku_pays_six_points(option, which):
    """Its holder can only take them; they are neither doubled nor raised, and the holder deals next."""
    changes = ["teshi=play", f"{option}=points", "rounds=2", "double_seven=yes", "koikoi_points=yes"]
    holders = set()
    for states in tables_with_a_dealt_yaku(changes, 12 if COMPILED else 2):
        holder = int(GAME.kernels.to_move(states[0]))
        holders.add(holder)
        hand = dealt_hand(states[0], holder)
        assert witness.has_teshi(hand) if option == "teshi" else witness.has_kuttsuki(hand)
        assert legal_actions(states) == [AGARI]
        GAME.kernels.apply(states[0], AGARI)
        assert final_scores(states) == ([6, -6] if holder == 0 else [-6, 6])
        assert (states[0].won, states[0].paid, states[0].yaku) == (holder, 6, 1 << which)
        assert states[0].dealer == holder
        assert states[0].finished == 1
    assert holders == {0, 1} or not COMPILED


@kernel_test
@pytest.mark.parametrize("option", ["teshi", "kuttsuki"])
def test_the_other_seat_guesses_the_yaku_that_it_was_told_of(option):
    """Who is not in turn sees that the other was dealt a yaku: every guess must give it one."""
    chance = random.Random(1)
    for states in tables_with_a_dealt_yaku(["teshi=play", f"{option}=points"], 3 if COMPILED else 1):
        holder = int(GAME.kernels.to_move(states[0]))
        seat = 1 - holder
        assert GAME.checks.allowed(states, seat)
        world = hidden(states, seat)
        GAME.kernels.guess(world[0], seat, np.array([chance.getrandbits(64)], np.uint64))
        hand = dealt_hand(world[0], holder)
        assert witness.has_teshi(hand) if option == "teshi" else witness.has_kuttsuki(hand)
