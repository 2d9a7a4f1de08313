"""Yaku on their way, by random rules: what is told can still pay, and what is one card away is told."""

import random
from itertools import combinations

import pytest

from tefuda.games.koikoi import GAME, cards, yaku
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.progress import progress
from tefuda.kernel.compile import COMPILED
from tests.games.koikoi import witness_koikoi as witness

pytestmark = pytest.mark.kernel

RULES = 60 if COMPILED else 12
PILES = 40  # of each set of rules


def paying(pile, calls, rules) -> set[int]:
    """The yaku that a pile is paid for, as the witness says."""
    found = witness.score([witness.DECK[card] for card in pile], calls, rules)
    return {witness.YAKU.index(name) for name, points in found.items() if points > 0}


def tables():
    """Rules for the engine and for the witness, two piles, and the calls of the first one's holder."""
    source = random.Random(11)
    for number, chosen in enumerate(RULEBOOK.random(RULES, seed=5)):
        if number % 3 == 0:  # yaku of the sake cup that are off, whatever a call would bring
            chosen = RULEBOOK.make(chosen.preset, [*chosen.changed, "sake=0", "sake_after_koikoi=5"])
        texts = {option.key: option.text(chosen.values[option.key]) for option in RULEBOOK.options}
        for _ in range(PILES):
            order = source.sample(range(cards.CARDS), cards.CARDS)
            first = source.randint(2, 24)
            other = order[first : source.randint(first, cards.CARDS)]
            yield GAME.blank(chosen)[0].rules, witness.rules_of(texts), order[:first], other, source.randint(0, 2)


def told(engine, pile, other, calls):
    return progress(cards.mask_of(*pile), cards.mask_of(*other), calls, engine)


def test_what_is_told_can_pay():
    found = 0
    for engine, rules, pile, other, calls in tables():
        for row in told(engine, pile, other, calls):
            found += 1
            missing = cards.cards_of(row.missing)
            assert set(missing).isdisjoint([*pile, *other])
            assert any(
                row.which in paying([*pile, *more], calls, rules) for more in combinations(missing, row.need - row.have)
            ), f"{yaku.YAKU[row.which].name.en} is told of {sorted(pile)} after {calls} calls, by {rules}"
    assert found > RULES * PILES


def test_what_one_card_would_bring_is_told():
    found = 0
    for engine, rules, pile, other, calls in tables():
        here = paying(pile, calls, rules)
        rest = set(range(cards.CARDS)) - {*pile, *other}
        near = {which for card in rest for which in paying([*pile, card], calls, rules) - here} - {yaku.AKA_AO}
        assert near <= {row.which for row in told(engine, pile, other, calls)}
        found += len(near)
    assert found > RULES * PILES // 4


def test_sake_yaku_that_are_off_are_not_told_after_a_call():
    rules = GAME.blank(RULEBOOK.make("paper", ["sake_after_koikoi=5"]))[0].rules
    sake, curtain, moon = 32, 8, 28
    for pile in ([sake], [sake, curtain], [moon]):
        assert {row.which for row in told(rules, pile, [], 1)}.isdisjoint({yaku.HANAMI, yaku.TSUKIMI})


def test_animals_are_not_told_when_only_another_set_can_come_of_them():
    """`instead`: the last animal that is left would make boar, deer and butterflies, and those are paid alone."""
    rules = GAME.blank(RULEBOOK.make("nintendo"))[0].rules
    boar, deer, butterflies = cards.cards_of(cards.BOAR_DEER_BUTTERFLIES)
    pile = [boar, deer, *[card for card in cards.cards_of(cards.ANIMALS) if card not in (boar, deer, butterflies)][:2]]
    rest = [card for card in cards.cards_of(cards.ANIMALS) if card not in (*pile, butterflies)]
    assert [row.which for row in told(rules, pile, rest, 0) if row.which in (yaku.TANE, yaku.INOSHIKACHO)] == [
        yaku.INOSHIKACHO
    ]
    assert yaku.TANE in {row.which for row in told(rules, pile, [], 0)}
