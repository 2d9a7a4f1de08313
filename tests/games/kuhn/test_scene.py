"""Kuhn poker as data: hidden cards are backs until a showdown lays them open."""

import pytest

from tefuda.contract import Reader
from tefuda.games.kuhn import GAME
from tefuda.games.kuhn.rules import BET, PASS
from tefuda.table.scene import scene_of
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("actions", "shown", "stakes"),
    [((), False, [1, 1]), ((PASS, BET), False, [1, 2]), ((BET, PASS), False, [2, 1]), ((BET, BET), True, [2, 2]),
     ((PASS, PASS), True, [1, 1]), ((PASS, BET, BET), True, [2, 2]), ((PASS, BET, PASS), False, [1, 2])],
)  # fmt: skip
def test_cards_and_stakes(actions, shown, stakes):
    table = Table(GAME, None, 1, 1)
    for action in actions:
        table.apply(action)
    true = [int(card) for card in table.states[0].card]
    for seat in (0, 1):
        scene = scene_of(GAME, table.states, Reader(seat, "en", ("ann", "bob")))
        where = "laid" if shown else "hand"
        lying = {zone.place: ([card.id for card in zone.cards], zone.backs) for zone in scene.zones}
        assert lying == {
            f"{where}:{seat}": ([true[seat]], 0),
            f"{where}:{1 - seat}": ([true[1 - seat]], 0) if shown else ([], 1),
            "rest": ([true[2]], 0) if shown else ([], 1),
        }
        assert [each.notes[0].value for each in scene.seats] == stakes
        assert [each.points for each in scene.seats] == table.scores.tolist()
        assert scene.over == table.over
