"""What hints of Koi-Koi and tricks say beside the values: true of the table, and known to the seat."""

import re

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import Reader
from tefuda.games.koikoi.cards import NAMES, mask_of
from tefuda.players.resolve import resolve
from tefuda.table.table import Table


def lines(table: Table, lang: str = "en") -> list[str]:
    view = table.view()
    return table.game.words.advice(view.state, Reader(view.seat, called=()).speaking(lang))


def card(name: str) -> int:
    return next(number for number, each in enumerate(NAMES) if each.en.startswith(name))


def test_koikoi_names_the_yaku_that_are_near_and_what_they_need():
    table = Table(games.find("koikoi"), None, 1, 7)
    state = table.states[0]
    red = [card("pine red"), card("plum red"), card("cherry red")]
    blue = [card("peony blue"), card("mum blue")]
    seat, other = int(state.seat), 1 - int(state.seat)
    for each in (*red, *blue):
        for mask in (state.hand[0:1], state.hand[1:2]):
            mask &= ~mask_of(each)
        state.field &= ~mask_of(each)
    state.pile[seat], state.pile[other] = mask_of(red[0], red[1]), mask_of(*blue)
    state.field |= mask_of(red[2])
    own, others = lines(table)
    assert own.startswith("your yaku: ")
    assert re.search(r"2/3, needs cherry red poem \[on the field\]", own)
    assert others.startswith("the other's yaku: ")
    assert "2/3, needs maple blue ribbon" in others
    state.pile[other] |= mask_of(red[2])  # it has the last one now: the yaku cannot come any more
    state.field &= ~mask_of(red[2])
    assert not any("cherry red poem" in line for line in lines(table) if line.startswith("your"))
    state.pile[:] = 0
    assert lines(table) == ["no yaku is near yet"]
    assert lines(table, "ja") == ["近い役はまだない"]


def test_tricks_counts_what_is_out():
    game = games.find("tricks")
    for deal in range(3):
        table = Table(game, game.rulebook.make("hearts"), 4, deal)
        player = resolve(game, "random", table.rules)
        while not table.over:
            view = table.view()
            hands = [int(hand) for seat, hand in enumerate(table.states[0].hand) if seat != view.seat]
            others = [card for card in range(52) if any(hand >> card & 1 for hand in hands)]
            out, *more = lines(table)
            for suit, symbol in enumerate("♣♦♠♥"):
                here = [card for card in others if card // 13 == suit]
                told = re.search(rf"{symbol} (\d+|none)", out)[1]
                assert told == (str(len(here)) if here else "none")
            queen = more[-1]
            own = int(table.states[0].hand[view.seat])
            where = "you hold" if own >> 36 & 1 else "still out" if 36 in others else "gone"
            assert where in queen
            table.apply(table.ask(player))


@pytest.mark.parametrize("name", ["koikoi", "tricks"])
def test_advice_is_the_same_for_all_tables_that_a_seat_cannot_tell_apart(name):
    game = games.find(name)
    table = Table(game, None, 9, 2)
    player = resolve(game, game.players.default_opponent)
    while not table.over:
        view = table.view()
        world = view.guess()
        assert lines(world) == lines(table)
        true = game.words.advice(np.array(table.states), Reader(view.seat).speaking("en"))
        assert true == lines(table)
        table.apply(table.ask(player))
