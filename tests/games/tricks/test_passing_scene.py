"""What a table is told of three cards that two other seats pass to each other: backs, and nothing of their suits."""

from tefuda.contract import Reader
from tefuda.games.tricks import GAME
from tefuda.table.record import take
from tefuda.table.scene import said_of
from tefuda.table.table import Table


def test_cards_that_others_pass_are_told_without_their_suits():
    table = Table(GAME, GAME.rulebook.make("usual"), 1, 3000)
    step = None
    for _ in range(12):  # three cards of each seat; the last one moves all of them
        step = take(table, table.legal[0])
    assert step is not None
    for reader in range(GAME.seats):
        moved = said_of(GAME, step, Reader(reader), moved=True).moved
        hidden = [each for each in moved if each.card is None]
        assert len(moved) == 12
        assert len(hidden) >= 5  # six pass between other seats; whoever leads shows that the two of clubs came to it
        hands = {f"hand:{seat}" for seat in range(GAME.seats)}
        assert {place for each in hidden for place in (each.source, each.target)} <= hands
