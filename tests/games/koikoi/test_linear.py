"""The paper's 36 features of Koi-Koi, and the softmax over pairs of cards."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from tefuda.engine.linear import add_log_gradient, softmax
from tefuda.games.koikoi import GAME, cards
from tefuda.games.koikoi.cards import cards_of, mask_of
from tefuda.games.koikoi.players import linear, rule_based
from tefuda.games.koikoi.state import CALL, HAND, MATCH
from tefuda.games.koikoi.yaku import yaku_points
from tefuda.table.table import Table, View
from tests.games.koikoi.positions import generator, position, space, tables

KINDS = len(linear.ACTION_FEATURES)
NUMBERS = GAME.players.policy("pg-linear").numbers
HIGH, EARLY, OTHER_HIGH, OTHER_EARLY = range(4)
BOTH, OWN, OTHERS, NEITHER = range(4)  # situations


# --- the 36 features: hand-made positions ---


@dataclass
class Row:
    """A candidate of the policy: its action, and the features that are 1."""

    action: int
    features: set[int]


def rows_of(states, seat: int = 0) -> list[Row]:
    numbers = np.full(NUMBERS, np.nan)
    rows = linear.candidates(states[0], seat, numbers)
    table = numbers[: rows * linear.STRIDE].reshape(rows, linear.STRIDE)
    assert set(np.unique(table[:, 1:])) <= {0.0, 1.0}
    return [Row(int(row[0]), set(np.flatnonzero(row[1:]).tolist())) for row in table]


def by_action(states, seat: int = 0) -> dict[int, set[int]]:
    rows = rows_of(states, seat)
    assert len({row.action for row in rows}) == len(rows)
    return {row.action: row.features for row in rows}


def feature(situation: int, kind: int) -> int:
    return KINDS * situation + kind


def test_there_are_36_features_with_names():
    """Four situations times the four and five features of the paper's list (its text says 32, then 36)."""
    assert linear.FEATURES == 4 * 9 == 36 == len(GAME.learning.linear.names)
    assert len(set(GAME.learning.linear.names)) == 36
    assert (
        GAME.learning.linear.names[feature(OWN, HIGH)]
        == f"{linear.ACTION_FEATURES[HIGH]}, while {linear.SITUATIONS[OWN]}"
    )


def test_a_capture_that_completes_akatan():
    """Pine and plum poems captured, the cherry poem on the field: nothing pays more, and nothing finishes sooner."""
    found = by_action(position(hand=[10, 14, 20], field=[9, 15], own=[1, 2, 5, 6]))
    assert {feature(OWN, HIGH), feature(OWN, EARLY)} <= found[10]
    assert not {feature(OWN, HIGH), feature(OWN, EARLY)} & found[14]
    assert found[20] == {feature(OWN, 8)}  # a peony given away: four are left, one in the hand


def test_a_capture_that_takes_from_the_other_what_it_needs():
    """The other has two blue ribbons; the third lies on the field, where any maple takes it."""
    found = by_action(position(hand=[38, 45], field=[37, 44], other=[21, 22, 33, 34]))
    assert found[38] == {feature(OTHERS, OTHER_HIGH), feature(OTHERS, OTHER_EARLY)}
    assert found[45] == {feature(OTHERS, HIGH), feature(OTHERS, EARLY)}  # the phoenix, for oneself


def test_high_score_and_early_finish_are_two_things():
    """A first bright is worth most in the end; a second red poem brings a yaku nearer."""
    found = by_action(position(hand=[6, 45], field=[5, 44], own=[1, 2]))
    assert {feature(NEITHER, HIGH), feature(NEITHER, EARLY)} & found[45] == {feature(NEITHER, HIGH)}
    assert {feature(NEITHER, HIGH), feature(NEITHER, EARLY)} & found[6] == {feature(NEITHER, EARLY)}


def test_equal_captures_share_a_feature():
    found = by_action(position(hand=[2, 6], field=[3, 7]))
    assert found[2] == found[6] == {feature(NEITHER, kind) for kind in (HIGH, EARLY, OTHER_HIGH, OTHER_EARLY)}


@pytest.mark.parametrize(
    ("situation", "own", "other", "field"),
    [
        (BOTH, [1, 2, 5, 6], [21, 22, 33, 34], [9, 37]),
        (OWN, [1, 2, 5, 6], [], [9, 37]),
        (OTHERS, [], [21, 22, 33, 34], [9, 37]),
        (NEITHER, [], [], [9, 37]),
        (NEITHER, [1, 2, 5, 6], [21, 22, 33, 34], [45]),  # no cherry and no maple to be had
    ],
)
def test_the_four_situations(situation, own, other, field):
    for seat in (0, 1):
        for row in rows_of(position(hand=[10, 38, 14, 24], field=field, own=own, other=other, seat=seat), seat):
            assert row.features
            assert {index // KINDS for index in row.features} == {situation}


def test_what_oneself_holds_the_other_cannot_finish_with():
    """The other needs a maple to take the deer's ribbon, and all maples are in one's own hand or piles."""
    held = position(hand=[36, 38, 39], field=[37], other=[21, 22, 33, 34])
    assert {index // KINDS for row in rows_of(held) for index in row.features} == {NEITHER}
    one_out = position(hand=[36, 38], field=[37], other=[21, 22, 33, 34])
    assert {index // KINDS for row in rows_of(one_out) for index in row.features} == {OTHERS}


def test_points_already_counted_are_no_finish():
    """After koi-koi with akatan, only a rise counts: a chaff more is none."""
    states = position(hand=[2], field=[3], own=[1, 5, 9, 10])
    assert {index // KINDS for row in rows_of(states) for index in row.features} == {NEITHER}
    states[0].points[0] = 0
    assert {index // KINDS for row in rows_of(states) for index in row.features} == {OWN}


@pytest.mark.parametrize(
    ("kind", "given", "hand", "other"),
    [
        (4, 14, [14, 15], [12, 13]),  # two left, oneself holds both
        (5, 14, [13, 14, 15], []),  # four left, oneself holds three
        (6, 14, [14], [12, 13]),  # two left, oneself holds one
        (7, 14, [14, 15], []),  # four left, oneself holds two
        (8, 14, [14], []),  # four left, oneself holds one
    ],
)
def test_the_five_features_of_giving_a_card(kind, given, hand, other):
    for swapped in (False, True):  # captured by either is no longer in the game
        piles = {"own": other} if swapped else {"other": other}
        found = by_action(position(hand=[*hand, 24], field=[45], **piles))
        assert found[given] == {feature(NEITHER, kind)}
        assert found[24] == {feature(NEITHER, 8)}


def test_giving_one_of_four_in_hand_has_no_feature():
    found = by_action(position(hand=[12, 13, 14, 15, 24], field=[45]))
    assert all(found[card] == set() for card in (12, 13, 14, 15))


def test_giving_and_taking_exclude_each_other():
    found = by_action(position(hand=[10, 14], field=[9, 45]))
    assert all(index % KINDS < 4 for index in found[10])
    assert all(index % KINDS >= 4 for index in found[14])


# --- the 36 features: written down again in plain Python, beside the kernel on many positions ---


def plainly_near(pile: set, other: set, yaku, needed: int) -> int:
    yaku = set(cards_of(yaku))
    missing = needed - len(pile & yaku)
    if missing <= 0:
        return 4096
    return 4096 // 2**missing if len(yaku - other) >= needed else 0


def plainly_early(pile: set, other: set) -> int:
    dry = cards.BRIGHTS & ~mask_of(cards.RAIN_MAN)
    yaku = [(dry, 3), (cards.RED_POEMS, 3), (cards.BLUE_RIBBONS, 3), (cards.BOAR_DEER_BUTTERFLIES, 3),
            (cards.ANIMALS, 5), (cards.RIBBONS, 5), (cards.CHAFF, 10)]  # fmt: skip
    return sum(plainly_near(pile, other, *each) for each in yaku)


def plain_rows(view: View) -> list[tuple[int, frozenset]]:
    """The candidates and their features by the README of the game, with sets instead of bits."""
    state, seat = view.state[0], view.seat
    hand, field = set(cards_of(state.hand[seat])), set(cards_of(state.field))
    piles = [set(cards_of(pile)) for pile in state.pile]
    own, other = piles[seat], piles[1 - seat]
    waiting = {int(state.card)} if state.card >= 0 else set()
    unseen = set(range(48)) - hand - field - own - other - waiting

    def fitting(card):
        same = {each for each in field if each // 4 == card // 4}
        return [{each} for each in sorted(same)] if len(same) == 2 else [same] if same else []

    def points(pile, owner):
        return yaku_points(mask_of(*pile), int(state.calls[owner]), state.rules)

    def can_finish(owner, sources):
        captures = [{card} | taken for card in sources for taken in fitting(card)]
        return any(points(piles[owner] | capture, owner) > state.points[owner] for capture in captures)

    situation = [[NEITHER, OTHERS], [OWN, BOTH]][can_finish(seat, hand | waiting)][can_finish(1 - seat, unseen)]
    actions = []
    for card in sorted(hand if state.phase == HAND else waiting):
        for taken in fitting(card) or [set()]:
            actions.append((card if state.phase == HAND else min(taken), card, taken))

    def measure(which, card, taken):
        owner = seat if which < 2 else 1 - seat
        mine, theirs = piles[owner], piles[1 - owner]
        gained = {card} | taken
        if which % 2:
            return plainly_early(mine | gained, theirs) - plainly_early(mine, theirs)
        worth = rule_based.worth(mask_of(*gained), mask_of(*mine), mask_of(*theirs))
        return 4096 * (points(mine | gained, owner) - points(mine, owner)) + worth

    captures = [(card, taken) for _, card, taken in actions if taken]
    best = [max((measure(which, *capture) for capture in captures), default=0) for which in range(4)]
    rows = []
    for action, card, taken in actions:
        if taken:
            kinds = [which for which in range(4) if measure(which, card, taken) == best[which]]
        else:
            month = {each for each in range(48) if each // 4 == card // 4}
            left, held = len(month - own - other), len(month & (hand | waiting))
            kinds = [{(2, 2): 4, (4, 3): 5, (2, 1): 6, (4, 2): 7, (4, 1): 8}[left, held]]
        rows.append((action, frozenset(KINDS * situation + kind for kind in kinds)))
    return rows


@pytest.mark.slow
def test_features_agree_with_the_plain_definition():
    """For a card of the hand and for the drawn card; the second step of a pair is tested below."""
    compared, seen = 0, set()
    for table in tables(["random/always-koikoi", "rule-based/always-koikoi"], 40, 4001):
        if table.states[0].phase == CALL:
            assert linear.candidates(table.view().state[0], table.to_move, np.zeros(NUMBERS)) == 0
            continue
        if table.states[0].phase == MATCH:
            continue
        view = table.view()
        found = [(row.action, frozenset(row.features)) for row in rows_of(view.state, view.seat)]
        assert sorted(found, key=repr) == sorted(plain_rows(view), key=repr)
        seen.update(*(features for _, features in found))
        compared += 1
    assert compared > 500
    assert len(seen) >= 32  # nearly all of the 36 occur


# --- the softmax over pairs ---


def pairs_of(view: View) -> list[tuple[int, int]]:
    """The pairs of played card and taken field card, in the order of the candidates; -1 where nothing is chosen."""
    state = view.state[0]
    result = []
    for card in cards_of(state.hand[view.seat]):
        fitting = [each for each in cards_of(state.field) if each // 4 == card // 4]
        result += [(card, each) for each in fitting] if len(fitting) == 2 else [(card, -1)]
    return result


def probabilities(states, seat: int, weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Actions, features and probabilities of the candidates."""
    numbers = np.zeros(NUMBERS)
    rows = linear.candidates(states[0], seat, numbers)
    softmax(numbers, rows, linear.ROWS, linear.FEATURES, weights)
    table = numbers[: rows * linear.STRIDE].reshape(rows, linear.STRIDE)
    start = linear.ROWS * linear.STRIDE
    return table[:, 0].astype(int), table[:, 1:], numbers[start : start + rows].copy()


WEIGHTS = np.random.default_rng(5001).normal(0, 1.5, linear.FEATURES)


def test_probabilities_are_the_softmax_and_add_up_to_one():
    for table in tables(["random/always-stop", "random/always-stop"], 10, 5002):
        if table.states[0].phase == CALL:
            continue
        view = table.view()
        _, features, chances = probabilities(view.state, view.seat, WEIGHTS)
        exponentials = np.exp(features @ WEIGHTS)
        assert chances == pytest.approx(exponentials / exponentials.sum())
        assert chances.sum() == pytest.approx(1)
        extreme = probabilities(view.state, view.seat, 1000 * WEIGHTS)[2]
        assert np.isfinite(extreme).all()
        assert extreme.sum() == pytest.approx(1)


def first_table_with_a_choice(seed: int, at_least: int) -> Table:
    """A table where some cards of the hand fit two field cards."""
    for table in tables(["random/always-stop", "random/always-stop"], 50, seed):
        if table.states[0].phase == HAND:
            pairs = pairs_of(table.view())
            if sum(taken >= 0 for _, taken in pairs) >= at_least and len({card for card, _ in pairs}) >= 5:
                return table
    raise AssertionError("no such table")


def test_a_card_is_played_as_often_as_its_pairs_together():
    table = first_table_with_a_choice(5003, 4)
    view = table.view()
    actions, _, chances = probabilities(view.state, view.seat, WEIGHTS)
    assert actions.tolist() == [card for card, _ in pairs_of(view)]
    expected = np.bincount(actions, chances, 48)
    mask, worlds, numbers = space()
    rng, draws = generator(5004), 20_000
    taken = [linear.play(view.state[0], view.seat, WEIGHTS, rng, mask, worlds, numbers) for _ in range(draws)]
    observed = np.bincount(taken, minlength=48)
    possible = expected > 0
    assert not observed[~possible].any()
    chi_square = ((observed - draws * expected)[possible] ** 2 / (draws * expected[possible])).sum()
    assert chi_square < possible.sum() + 5 * math.sqrt(2 * possible.sum())


def choices_after_a_card(deals: int, seed: int):
    """(view before the card, card, view at its choice) for every card of a hand that fits two field cards."""
    for table in tables(["random/always-koikoi", "rule-based/always-koikoi"], deals, seed):
        if table.states[0].phase == HAND:
            view = table.view()
            for card in {card for card, taken in pairs_of(view) if taken >= 0}:
                after = table.copy()
                after.apply(card)
                assert after.states[0].phase == MATCH
                yield view, card, after.view()


def test_the_choice_of_a_field_card_is_drawn_from_the_same_softmax_over_pairs():
    """P(field card | card) = P(pair) / P(card): the two steps draw from one joint softmax, as the README says."""
    compared, wrong = 0, []
    for before, card, at_choice in choices_after_a_card(30, 5005):
        actions, _, chances = probabilities(before.state, before.seat, WEIGHTS)
        pairs = pairs_of(before)
        joint = {taken: chance for (played, taken), chance in zip(pairs, chances, strict=True) if played == card}
        share = chances[actions == card].sum()
        fields, _, conditional = probabilities(at_choice.state, at_choice.seat, WEIGHTS)
        assert sorted(fields.tolist()) == sorted(joint)
        compared += 1
        for field, chance in zip(fields.tolist(), conditional, strict=True):
            if chance != pytest.approx(joint[field] / share):
                wrong.append((card, field, chance, joint[field] / share))
    assert compared > 50
    assert not wrong, f"{len(wrong)} of {2 * compared}: (card, field card, P in the second step, P by pairs) {wrong[0]}"


def test_the_gradients_of_both_steps_add_up_to_that_of_the_pair():
    """∇ log P(card) + ∇ log P(field card | card) = ∇ log P(pair): the pair's features minus the mean of all pairs."""
    compared = 0
    for before, card, at_choice in choices_after_a_card(10, 5006):
        _, features, chances = probabilities(before.state, before.seat, WEIGHTS)
        for row, (played, taken) in enumerate(pairs_of(before)):
            if played == card:
                gradient = log_gradient(before, card) + log_gradient(at_choice, taken)
                assert gradient == pytest.approx(features[row] - chances @ features, abs=1e-9), (card, taken)
                compared += 1
    assert compared > 60


def log_gradient(view: View, action: int) -> np.ndarray:
    numbers, gradient = np.zeros(NUMBERS), np.zeros(linear.FEATURES)
    rows = linear.candidates(view.state[0], view.seat, numbers)
    softmax(numbers, rows, linear.ROWS, linear.FEATURES, WEIGHTS)
    add_log_gradient(numbers, rows, linear.ROWS, linear.FEATURES, action, gradient)
    return gradient
