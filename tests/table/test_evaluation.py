"""The value of actions, for hints and reviews."""

import math

import pytest

from tefuda import games
from tefuda.intervals import Z95
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import evaluate
from tefuda.table.table import Table

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")


def table_of_kuhn(card: int, *actions: int) -> Table:
    """The first deal where the seat to move holds a card, after some actions."""
    for deal in range(100):
        table = Table(KUHN, None, 10, deal)
        for action in actions:
            table.apply(action)
        if table.states[0].card[table.to_move] == card:
            return table
    raise AssertionError("no such deal")


def test_the_value_of_an_action_is_exact_where_nothing_is_open():
    """Against one who always bets: the king wins two chips, the jack loses two, and a fold costs one."""
    always_bet = resolve(KUHN, "always-bet")
    for card, passed, bet in ((2, 2, 2), (0, -2, -2)):
        found = {each.action: each.value for each in evaluate(table_of_kuhn(card).view(), always_bet, games=50)}
        assert (found[0].mean, found[0].low, found[0].high) == (passed,) * 3
        assert (found[1].mean, found[1].low, found[1].high) == (bet,) * 3
    best, worst = evaluate(table_of_kuhn(0, 1).view(), always_bet, games=50)
    assert (best.action, best.value.mean) == (0, -1)
    assert (worst.action, worst.value.mean) == (1, -2)


def test_the_value_of_an_action_agrees_with_the_guesses_of_a_view():
    """The queen bets: half of the guessed worlds hold a jack that always calls, half a king."""
    values = evaluate(table_of_kuhn(1).view(), resolve(KUHN, "always-bet"), 2000, 3)
    found = next(each.value for each in values if each.action == 1)
    assert found.low < 0 < found.high
    assert found.high - found.low == pytest.approx(2 * Z95 * 2 / math.sqrt(2000), rel=0.01)
    view = Table(KOIKOI, None, 11, 0).view()
    one, two, three = (evaluate(view, resolve(KOIKOI, "random/always-stop"), 50, seed, threads=threads)
                       for seed, threads in ((1, 1), (1, 2), (2, 1)))  # fmt: skip
    assert one == two != three
    assert sorted(each.action for each in one) == view.legal
    assert [each.value.mean for each in one] == sorted((each.value.mean for each in one), reverse=True)
