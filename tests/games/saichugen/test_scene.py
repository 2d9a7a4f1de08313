"""Saichugen as data: cards turn by turn, face down until all three are laid, and the chance of each to score."""

import itertools

import pytest

from tefuda.contract import Reader
from tefuda.games.saichugen import GAME
from tefuda.table.record import take
from tefuda.table.scene import scene_of
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel

READER = Reader(1, "en", ("ann", "you", "cid"))


def laid(scene):
    return {zone.place: ([card.id for card in zone.cards], zone.backs) for zone in scene.zones_of("laid")}


def test_a_card_lies_face_down_until_the_third_is_laid():
    table = Table(GAME, None, 1, 3)
    steps = [take(table, table.legal[3])]
    scene = scene_of(GAME, table.states, READER, steps)
    assert laid(scene)["laid:0:1"] == ([], 1)
    assert scene.said[0].moved[0].card is None
    assert (scene.said[0].moved[0].source, scene.said[0].moved[0].target) == ("hand:0", "laid:0:1")
    steps.append(take(table, table.legal[5]))
    scene = scene_of(GAME, table.states, READER, steps)
    assert laid(scene)["laid:1:1"] == ([steps[1].action], 0)
    assert "face-down" in scene.zones_of("laid", 1)[0].cards[0].marks
    steps.append(take(table, table.legal[8]))
    scene = scene_of(GAME, table.states, READER, steps)
    actions = [step.action for step in steps]
    assert [laid(scene)[f"laid:{seat}:1"] for seat in range(3)] == [([action], 0) for action in actions]
    scored = [card.id for zone in scene.zones_of("laid") for card in zone.cards if "scored" in card.marks]
    assert scored == [sorted(actions)[1]]


def test_a_move_tells_the_chance_of_its_card():
    """The share of pairs of unseen cards between which it lies, counted one by one."""
    table = Table(GAME, None, 1, 4)
    scene = scene_of(GAME, table.states, Reader(0, "en", ("you", "bob", "cid")))
    hand = {card.id for zone in scene.zones_of("hand", 0) for card in zone.cards}
    pairs = list(itertools.combinations(sorted(set(range(52)) - hand), 2))
    assert len(scene.moves) == 17
    for move in scene.moves:
        between = sum(low < move.action < high for low, high in pairs)
        assert move.notes[0].value == f"{100 * between / len(pairs):.0f} %"
