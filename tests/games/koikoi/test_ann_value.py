"""The network of the Koi-Koi paper: what it is told of the table after an action, and how it chooses."""

import random

import numpy as np
import pytest

from tefuda.files import policy
from tefuda.games.koikoi import GAME
from tefuda.games.koikoi.cards import cards_of, mask_of
from tefuda.games.koikoi.players import network
from tefuda.games.koikoi.state import AGARI, CALL, DRAWN, HAND, MATCH
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.games.koikoi.positions import position, tables


def inputs_of(states, seat: int, action: int) -> list[int]:
    active = np.full(network.ACTIVE, -1, np.int64)
    total = network.write_inputs(states[0], seat, action, active)
    assert (active[total:] == -1).all()
    return active[:total].tolist()


def places_of(inputs: list[int]) -> dict[str, set[int]]:
    """Which cards are where, and the months passed over, from the inputs that are 1."""
    found = {place: {each % 48 for each in inputs if each < 240 and each // 48 == index}
             for index, place in enumerate(network.PLACES)}  # fmt: skip
    found["passed over"] = {each - 240 for each in inputs if each >= 240}
    return found


def expected_places(own, captured, others, field, passed=()) -> dict[str, set[int]]:
    seen = {*own, *captured, *others, *field}
    assert len(seen) == len(own) + len(captured) + len(others) + len(field)
    return {
        "in the own hand": set(own), "captured by oneself": set(captured), "captured by the other": set(others),
        "on the field": set(field), "unseen": set(range(48)) - seen, "passed over": set(passed),
    }  # fmt: skip


def test_the_inputs_have_names():
    assert network.INPUTS == 252 == len(network.NAMES) == len(set(network.NAMES))
    assert network.NAMES[0] == "pine crane in the own hand"
    assert network.NAMES[48 + 9] == "cherry red poem ribbon captured by oneself"
    assert network.NAMES[240 + 11] == "paulownia passed over by the other"


def test_the_after_state_of_a_capture():
    states = position(hand=[10, 14], field=[9, 12, 15], own=[1, 2], other=[21, 22])
    states[0].passed[1] = mask_of(0, 8)  # the other left pine and cherry
    states[0].passed[0] = mask_of(44)  # what oneself left is no input
    expected = expected_places([14], [1, 2, 9, 10], [21, 22], [12, 15], passed=[0, 2])
    assert places_of(inputs_of(states, 0, 10)) == expected


def test_the_after_state_of_a_gift():
    states = position(hand=[10, 14], field=[0, 12], other=[21, 22])
    assert places_of(inputs_of(states, 0, 10)) == expected_places([14], [], [21, 22], [0, 12, 10])


def test_the_after_state_of_a_capture_of_three():
    states = position(hand=[10, 14], field=[8, 9, 11, 40], seat=1)
    assert places_of(inputs_of(states, 1, 10)) == expected_places([14], [8, 9, 10, 11], [], [40])


def test_a_card_that_fits_two_has_no_after_state_before_the_choice():
    states = position(hand=[10, 14], field=[8, 9, 40])
    assert inputs_of(states, 0, 10) == []
    chosen = position(hand=[14], field=[8, 9, 40], phase=MATCH, card=10)
    assert places_of(inputs_of(chosen, 0, 8)) == expected_places([14], [8, 10], [], [9, 40])
    assert places_of(inputs_of(chosen, 0, 9)) == expected_places([14], [9, 10], [], [8, 40])


def test_the_after_state_of_a_drawn_card():
    states = position(hand=[14, 20], field=[8, 9, 40], own=[0, 1], phase=DRAWN, card=11)
    assert places_of(inputs_of(states, 0, 8)) == expected_places([14, 20], [0, 1, 8, 11], [], [9, 40])


def test_agari_or_koikoi_makes_no_after_state():
    states = position(hand=[14], field=[8], own=[1, 5, 9], phase=CALL)
    assert inputs_of(states, 0, AGARI) == []


def test_after_states_are_those_of_the_table_before_the_deck_changes_it():
    """The own hand after the action, the piles and the field before anything is drawn; each card in one place."""
    compared, months = 0, 0
    for table in tables(["random/always-koikoi", "random/always-koikoi"], 12, 6001):
        state, view = table.states[0], table.view()
        seat = view.seat
        if state.phase == CALL:
            continue
        for action in table.legal:
            inputs = inputs_of(view.state, seat, action)
            fitting = [each for each in cards_of(state.field) if each // 4 == action // 4]
            if state.phase == HAND and len(fitting) == 2:
                assert inputs == []
                continue
            card = action if state.phase == HAND else int(state.card)
            taken = fitting if state.phase == HAND else [action]
            field = set(cards_of(state.field)) - set(taken) | (set() if taken else {card})
            captured = set(cards_of(state.pile[seat])) | (set(taken) | {card} if taken else set())
            passed = {each // 4 for each in cards_of(state.passed[1 - seat])}
            own = set(cards_of(state.hand[seat])) - {card}
            expected = expected_places(own, captured, cards_of(state.pile[1 - seat]), field, passed)
            assert places_of(inputs) == expected
            assert sorted(each % 48 for each in inputs[:48]) == list(range(48))
            assert len(inputs) == 48 + len(passed)
            months += len(passed)
            compared += 1
    assert compared > 300
    assert months > 100


def test_months_passed_over_are_those_on_the_field_when_the_other_took_nothing():
    """Written down again from the history of a game: only a card of the hand that takes nothing counts."""
    checked = 0
    for deal in range(6):
        table = Table(GAME, None, 6002, deal)
        passed = [set(), set()]
        chooser = random.Random(deal)
        while not table.over:
            state, seat = table.states[0], table.to_move
            assert [{each // 4 for each in cards_of(mask)} for mask in state.passed] == passed
            action = chooser.choice(table.legal)
            months = {each // 4 for each in cards_of(state.field)}
            if state.phase == HAND and action // 4 not in months:
                passed[seat] |= months
                checked += 1
            table.apply(action)
    assert checked > 15


def test_stages_tell_turns_and_drawn_cards_apart():
    seen = set()
    for table in tables(["random/always-koikoi", "random/always-koikoi"], 12, 6003):
        state = table.states[0]
        stage = network.stage(table.view().state[0])
        first = {HAND: 1, MATCH: 1, DRAWN: 17}.get(int(state.phase))
        assert stage == (-1 if first is None else state.turn + first)
        seen.add(stage)
    assert seen >= set(range(1, 17))
    assert max(seen) <= GAME.learning.after_states.stages == 32


def values_by_numpy(weights: np.ndarray, inputs: list[list[int]]) -> np.ndarray:
    """The 252-200-1 network, written down again with matrices."""
    ones = np.zeros((len(inputs), 252))
    for row, active in enumerate(inputs):
        ones[row, active] = 1
    to_hidden = weights[: 252 * 200].reshape(252, 200)
    hidden = 1 / (1 + np.exp(-(ones @ to_hidden + weights[252 * 200 : 253 * 200])))
    return hidden @ weights[253 * 200 : 254 * 200] + weights[-1]


def test_ann_value_plays_the_action_of_the_highest_value():
    """Every pair of a card and what it takes is valued; the two steps of a pair agree."""
    entrant = resolve(GAME, "ann-value/always-koikoi")
    _, weights = policy.load_for(GAME, next(each.file for each in GAME.players.named if each.name == "ann-value"))
    compared = choices = 0
    for table in tables(["ann-value/always-koikoi", "random/always-koikoi"], 12, 6004):
        state, view = table.states[0], table.view()
        if state.phase == CALL:
            continue
        options = []  # (action of this step, inputs)
        for action in table.legal:
            inputs = inputs_of(view.state, view.seat, action)
            if inputs:
                options.append((action, inputs))
                continue
            after = table.copy()
            after.apply(action)
            for field in after.legal:
                options.append((action, inputs_of(after.view().state, view.seat, field)))
                choices += 1
        values = values_by_numpy(weights, [inputs for _, inputs in options])
        played = table.ask(entrant)
        of_played = [value for (action, _), value in zip(options, values, strict=True) if action == played]
        assert max(of_played) == pytest.approx(values.max(), abs=1e-9)
        compared += 1
    assert compared > 150
    assert choices > 30
