"""Plainer if-then rules than `rule-based`, and other readings of the paper's features: hand-made positions."""

import numpy as np
import pytest

from tefuda.arena.match import match
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.players import linear
from tefuda.games.koikoi.players.readings import READINGS, with_reading
from tefuda.games.koikoi.state import DRAWN
from tefuda.learn.policy_gradient import Arguments, PolicyGradient
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.games.koikoi.positions import position

NUMBERS = GAME.players.policy("pg-linear").numbers
PAPER = GAME.rulebook.make()
BY_KEY = {reading.key: reading for reading in READINGS}
HIGH, EARLY = 0, 1


# --- the rules ---


def played(name: str, states) -> set[int]:
    """The actions that a player takes at a table when it is asked again and again."""
    return asked(resolve(GAME, name), states)


def asked(entrant: Entrant, states) -> set[int]:
    table = Table(GAME, PAPER, 1, 1, states=states)
    return {table.ask(entrant) for _ in range(40)}


def test_both_complete_a_yaku_before_all():
    completes = position(hand=[10, 45, 14], field=[9, 44, 15], own=[1, 5, 2, 6])
    for name in ("rule-based-simple", "rule-based-values"):
        assert played(name, completes) == {10}  # akatan, rather than the phoenix


def test_simple_rules_take_anything_and_value_rules_what_counts_most():
    captures = position(hand=[10, 45, 14, 20], field=[9, 44, 15])
    assert played("rule-based-simple", captures) == {10, 45, 14}  # never the peony, which takes nothing
    assert played("rule-based-values", captures) == {45}  # a bright
    animal = position(hand=[6, 10], field=[4, 9])
    assert played("rule-based-values", animal) == {6}  # the warbler before a ribbon


def test_both_give_any_card():
    gives = position(hand=[0, 10, 21], field=[45])
    for name in ("rule-based-simple", "rule-based-values"):
        assert played(name, gives) == {0, 10, 21}


@pytest.mark.slow
def test_plainer_rules_are_weaker_and_near_what_the_paper_says():
    """2.52 points against random in the paper, over 1,000 games: give or take 0.3."""
    simple, values = (
        match(GAME, [name, "random"], 6000, seed=1001).rows[0].figure
        for name in ("rule-based-simple", "rule-based-values")
    )
    assert simple.high < values.low
    assert 2.22 < simple.low < values.high < 2.82


# --- the features ---


def features(reading: str, states) -> dict[int, set[int]]:
    """The features that each action has, without their situation."""
    numbers = np.full(NUMBERS, np.nan)
    rows = BY_KEY[reading].candidates(states[0], 0, numbers)
    table = numbers[: rows * linear.STRIDE].reshape(rows, linear.STRIDE)
    kinds = len(linear.ACTION_FEATURES)
    return {int(row[0]): {int(each) % kinds for each in np.flatnonzero(row[1:])} for row in table}


def test_cards_are_measured_one_by_one():
    """Three cards at once are worth more than the phoenix, but the best of them is just the crane."""
    states = position(hand=[3, 45], field=[1, 2, 0, 44])
    assert HIGH not in features("alone", states)[45]
    assert HIGH in features("cards", states)[3]
    assert HIGH in features("cards", states)[45]  # the phoenix is worth as much as the crane


def test_the_best_card_of_the_field_may_be_out_of_reach():
    states = position(hand=[6], field=[5, 44])
    assert HIGH in features("cards", states)[6]
    assert HIGH not in features("field", states)[6]  # the phoenix lies there, and no paulownia is in the hand
    assert HIGH in features("field", position(hand=[6], field=[5, 46]))[6]


def test_months_are_measured_with_the_cards_that_are_still_out():
    """Plum chaff takes plum chaff: the month has a warbler and a red poem still, the iris has neither any more."""
    states = position(hand=[6, 18], field=[7, 19], other=[16, 17])
    found = features("months", states)
    assert HIGH in found[6]
    assert HIGH not in found[18]


def test_the_other_pile_can_be_left_out():
    """The other has a blue ribbon: the yaku is out of reach, unless that is not looked at."""
    states = position(hand=[22, 6], field=[21, 5], own=[33, 34], other=[37, 38])
    assert EARLY in features("alone", states)[22]
    assert EARLY not in features("cards", states)[22]


def test_points_count_by_how_much_nearer_a_yaku_comes():
    """The fourth animal brings a yaku of one point nearer by more; the second red poem one of five points."""
    states = position(hand=[6, 14], field=[5, 12], own=[1, 2, 4, 16, 24])
    found = features("points", states)
    assert HIGH in found[6]
    assert EARLY in found[6] or EARLY in found[14]


@pytest.mark.slow
def test_the_drawn_card_is_left_to_chance():
    numbers = np.zeros(NUMBERS)
    drawn = position(hand=[20], field=[0, 1, 44], phase=DRAWN, card=2)
    assert BY_KEY["drawn"].candidates(drawn[0], 0, numbers) == 0
    assert BY_KEY["cards"].candidates(drawn[0], 0, numbers) == 2
    policy = with_reading(GAME, BY_KEY["drawn"]).players.policies[-1]
    eager = np.zeros(linear.FEATURES)
    eager[: len(linear.ACTION_FEATURES)] = 50.0  # would always take the crane
    entrant = Entrant("drawn", policy, policy.parameters("", eager))
    assert asked(entrant, drawn) == {0, 1}


COMPILED_ANEW = [key for key in BY_KEY if key not in ("stops", "drawn")]  # the learner for each: three seconds


@pytest.mark.parametrize(
    "key", ["stops", "drawn", *(pytest.param(key, marks=pytest.mark.full) for key in COMPILED_ANEW)]
)
@pytest.mark.slow
def test_every_reading_learns(key):
    game = with_reading(GAME, BY_KEY[key])
    learner = PolicyGradient(game, game.rulebook.make(), resolve(GAME, "random/always-stop"), Arguments(episodes=50), 1)
    before = learner.weights.copy()
    learner.advance(50)
    assert np.isfinite(learner.weights).all()
    assert (learner.weights != before).sum() > 10
    stops = learner.players[0].params[0] == 1
    assert stops == (key == "stops")
