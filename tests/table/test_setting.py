"""Positions set up by hand: a card of the hand is exchanged, and all else that the seat sees stays as it was."""

import random

import numpy as np
import pytest

from tefuda import games
from tefuda.errors import Problem
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import evaluate
from tefuda.table.setting import exchanged, open_cards, own_cards, unseen_cards
from tefuda.table.table import Table

RULES = {"tricks": "hearts"}


def tables(name: str, number: int, deals: int = 3):
    """Some moments of some games."""
    game = games.find(name)
    rules, luck = game.rulebook.make(RULES.get(name)), random.Random(number)
    player = resolve(game, game.players.default_opponent, rules)
    for deal in range(deals):
        table = Table(game, rules, number, deal)
        stop = luck.randrange(2 if name in ("kuhn", "leduc") else 25)
        while not table.over and stop:
            table.apply(table.ask(player))
            stop -= 1
        if not table.over:
            yield table


@pytest.mark.parametrize("name", games.names())
def test_an_exchange_changes_one_card_of_the_hand_and_nothing_else_that_is_seen(name):
    game, luck, done = games.find(name), random.Random(4), 0
    for table in tables(name, 5, deals=6 if name != "mahjong" else 3):
        view = table.view()
        own, unseen = own_cards(view), unseen_cards(view)
        if not own or not unseen:
            continue
        out, come = luck.choice(own), luck.choice(unseen)
        try:
            after = exchanged(view, out, come)
        except Problem:
            continue
        done += 1
        there = after.view()
        assert there.seat == view.seat
        expected = [*own, come]
        expected.remove(out)
        assert own_cards(there) == sorted(expected)
        before, now = (game.checks.layout(each.guess().states, view.seat) for each in (view, there))
        assert now.groups == before.groups
        assert now.hidden == before.hidden
        assert sorted(now.cards) == sorted(before.cards)
        seen = [slot for slot, group in enumerate(before.groups) if not before.hidden[slot]]
        differing = sum(before.cards[slot] != now.cards[slot] for slot in seen)
        assert (differing > 0) == (out != come)
        assert there.legal
        assert len(evaluate(there, resolve(game, "random", table.rules), games=2)) == len(there.legal)
    assert done > 0


def test_an_exchange_decides_what_a_move_is_worth():
    """The jack that calls a bet loses two chips to whoever always bets; with a king instead it wins them."""
    game = games.find("kuhn")
    for deal in range(50):
        table = Table(game, None, 10, deal)
        table.apply(1)
        if table.states[0].card[1] == 0:
            break
    view, always = table.view(), resolve(game, "always-bet")
    assert {each.action: each.value.mean for each in evaluate(view, always, 20)} == {0: -1.0, 1: -2.0}
    king = exchanged(view, 0, 2).view()
    assert {each.action: each.value.mean for each in evaluate(king, always, 20)} == {0: -1.0, 1: 2.0}


def test_the_field_of_koikoi_can_be_changed():
    game = games.find("koikoi")
    for table in tables("koikoi", 8, deals=4):
        view = table.view()
        field = [card for card in range(48) if int(view.state["field"][0]) >> card & 1]
        assert set(open_cards(view)) <= set(field)
        come = unseen_cards(view)[-1]
        for out in open_cards(view):
            after = exchanged(view, out, come).view()
            assert int(after.state["field"][0]) == int(view.state["field"][0]) ^ 1 << out ^ 1 << come
            assert own_cards(after) == own_cards(view)
            assert out in unseen_cards(after)
            assert sorted(game.checks.layout(after.guess().states, after.seat).cards) == list(range(48))
    dealt = Table(game, None, 1, 7).view()
    assert len(open_cards(dealt)) == 8


def test_four_of_a_month_never_lie_on_the_field_together():
    game = games.find("koikoi")
    table = Table(game, None, 1, 7)
    state = table.states[0]
    hidden = [card for card in range(48) if not any(int(each) >> card & 1 for each in (state.field, state.hand[0]))]
    states = table.states.copy()
    one, two, three, four = (card for card in range(12, 16))
    states["field"][0], states["hand"][0] = np.uint64(sum(1 << card for card in (one, two, three, 40))), 0
    assert game.checks.exchange(states.copy(), 40, hidden[0]) is True
    assert game.checks.exchange(states.copy(), 40, four) is False
    assert game.checks.exchange(states.copy(), hidden[0], four) is False  # it does not lie there


def test_the_dora_of_mahjong_can_be_changed():
    game = games.find("mahjong")
    view = Table(game, None, 1, 7).view()
    (indicator,) = open_cards(view)
    come = next(face for face in unseen_cards(view) if face != indicator)
    after = exchanged(view, indicator, come).view()
    assert open_cards(after) == [come]
    assert own_cards(after) == own_cards(view)
    before, now = (sorted(game.checks.layout(each.guess().states, 0).cards) for each in (view, after))
    assert before == now


def test_what_cannot_be_exchanged_is_told():
    table = Table(games.find("koikoi"), None, 1, 7)
    view = table.view()
    own, unseen = own_cards(view), unseen_cards(view)
    on_the_field = next(card for card in range(48) if card not in own and card not in unseen)
    with pytest.raises(Problem, match=r"is not in the hand of seat"):
        exchanged(view, unseen[1], unseen[0])
    with pytest.raises(Problem, match=r"cannot come: seat . sees where it is"):
        exchanged(view, own[0], on_the_field)
    with pytest.raises(Problem, match=r"card 999 cannot come"):
        exchanged(view, own[0], 999)


def test_a_card_that_the_rules_exclude_does_not_come():
    """Who did not follow a suit has none of it: no exchange brings it back."""
    game, refused = games.find("tricks"), 0
    rules = game.rulebook.make("plain")
    player = resolve(game, "random", rules)
    for deal in range(4):
        table = Table(game, rules, 3, deal)
        while not table.over:
            view = table.view()
            void = int(table.states[0].excluded[view.seat])
            gone = [card for card in unseen_cards(view) if void >> card & 1]
            if gone and refused < 3:
                refused += 1
                with pytest.raises(Problem, match="the rules would not allow"):
                    exchanged(view, own_cards(view)[0], gone[0])
            table.apply(table.ask(player))
    assert refused == 3
