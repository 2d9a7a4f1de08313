"""Leduc poker as data: hidden cards are backs until they are turned up."""

import pytest

from tefuda.contract import Reader
from tefuda.games.leduc import GAME
from tefuda.games.leduc.rules import CALL, FOLD, RAISE
from tefuda.table.scene import scene_of
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("actions", "opened", "shown", "stakes", "betting"),
    [
        ((), False, False, [1, 1], ["start"]),
        ((CALL, RAISE), False, False, [1, 3], ["check, bet"]),
        ((RAISE, FOLD), False, False, [3, 1], ["bet, fold"]),
        ((RAISE, CALL), True, False, [3, 3], ["bet, call", "start"]),
        ((CALL, CALL, RAISE, RAISE), True, False, [5, 9], ["check, check", "bet, raise"]),
        ((CALL, CALL, CALL, CALL), True, True, [1, 1], ["check, check", "check, check"]),
    ],
)
def test_cards_stakes_and_betting(actions, opened, shown, stakes, betting):
    table = Table(GAME, None, 1, 1)
    for action in actions:
        table.apply(action)
    state = table.states[0]
    left = [card for card in range(6) if int(state.left) >> card & 1]
    for seat in (0, 1):
        scene = scene_of(GAME, table.states, Reader(seat, "en", ("ann", "bob")))
        where = "laid" if shown else "hand"
        lying = {zone.place: ([card.id for card in zone.cards], zone.backs) for zone in scene.zones}
        assert lying == {
            f"{where}:{seat}": ([int(state.hand[seat])], 0),
            f"{where}:{1 - seat}": ([int(state.hand[1 - seat])], 0) if shown else ([], 1),
            "public": ([int(state.public)], 0) if opened else ([], 1),
            "rest": (left, 0) if shown else ([], 3),
        }
        assert [each.notes[0].value for each in scene.seats] == stakes
        assert [each.points for each in scene.seats] == table.scores.tolist()
        assert [note.value.en for note in scene.title if note.key == "betting"] == betting
        assert scene.over == table.over
