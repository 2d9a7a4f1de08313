"""Koi-Koi as data: what a card would take, what moved, yaku on their way, why not; and the table of yaku."""

import random

import numpy as np
import pytest

from tefuda.contract import Reader
from tefuda.contract.scene import CAPTURABLE
from tefuda.games.koikoi import GAME, cards, yaku
from tefuda.games.koikoi.cards import cards_of
from tefuda.games.koikoi.state import CALL, DRAWN, HAND, KOIKOI, MATCH, OVER
from tefuda.games.koikoi.text import explain, smallest_pile
from tefuda.table.record import take
from tefuda.table.scene import said_of, scene_of, why_not
from tefuda.table.table import Table
from tests.games.koikoi import witness_koikoi as witness
from tests.games.koikoi.engine_table import both
from tests.games.koikoi.positions import position

pytestmark = pytest.mark.kernel

READER = Reader(0, "en", ("you", "Ann"))
CRANE, PINE_RIBBON, PINE_CHAFF = 0, 1, 2
CURTAIN, MOON, SAKE_CUP, DEER = 8, 28, 32, 36


def zone_of(scene, place):
    return next(zone for zone in scene.zones if zone.place == place)


def test_a_move_names_the_card_and_what_it_takes():
    """With none, one or three of its month on the field a card takes them all, with two it will be asked which."""
    states = position([CRANE, 4, 20, 40], [5, 21, 22, 23, 41, 42])
    moves = {move.action: move for move in scene_of(GAME, states, READER).moves}
    assert {action: move.with_ for action, move in moves.items()} == {
        CRANE: (), 4: (5,), 20: (21, 22, 23), 40: (41, 42),
    }  # fmt: skip
    assert {move.cards for move in moves.values()} == {(CRANE,), (4,), (20,), (40,)}
    assert {move.place for move in moves.values()} == {"hand:0"}
    assert (moves[CRANE].with_place, moves[4].with_place, moves[20].with_place) == ("", "field:2", "field:6")


def test_the_choice_between_two_is_of_the_card_that_waits():
    states = position([CRANE], [41, 42], phase=MATCH, card=40)
    scene = scene_of(GAME, states, READER)
    assert [(move.action, move.cards, move.place, move.with_) for move in scene.moves] == [
        (41, (40,), "waiting", (41,)), (42, (40,), "waiting", (42,)),
    ]  # fmt: skip
    assert [card.id for card in zone_of(scene, "waiting").cards] == [40]


def test_with_is_what_the_field_has_of_the_month():
    """An independent look: months by division, the field from the layout."""
    source, seen = random.Random(3), 0
    for deal in range(12):
        table = Table(GAME, None, 1, deal)
        while not table.over:
            layout = GAME.checks.layout(table.states, table.to_move)
            field = [card for card, group in zip(layout.cards, layout.groups, strict=True) if group == "field"]
            for move in scene_of(GAME, table.states, Reader(table.to_move)).moves:
                if move.place.startswith("hand"):
                    assert sorted(move.with_) == sorted(card for card in field if card // 4 == move.action // 4)
                    seen += len(move.with_)
            table.apply(source.choice(table.legal))
    assert seen > 50


def test_what_moved_is_told_in_its_order():
    """The card played with what it took, then the card drawn."""
    source, seen = random.Random(5), 0
    for deal in range(6):
        table = Table(GAME, None, 2, deal)
        while not table.over:
            step = take(table, source.choice(table.legal))
            moved = said_of(GAME, step, READER, moved=True).moved
            state = step.before[0]
            if state.phase == HAND:
                assert (moved[0].card, moved[0].source) == (step.action, f"hand:{step.seat}")
            drawn = [each.card for each in moved if each.source == "deck"]
            if state.phase != CALL and moved[-1].target != "waiting" and state.phase != DRAWN:
                assert drawn == [int(state.deck[state.next])]
            for each in moved:
                if each.target.startswith("pile"):
                    kind = cards.KINDS[cards.KIND[each.card]].en
                    assert each.target == f"pile:{step.seat}:{kind}"
                    seen += 1
    assert seen > 30


def test_piles_tell_yaku_made_and_on_their_way():
    states = position([CRANE], [MOON, 44], own=[8, 0 + 4, 12, 16, 1, 5, 21, 33, 37], other=[9])
    states[0].points[0] = 5
    scene = scene_of(GAME, states, READER)
    ribbons = zone_of(scene, "pile:0:ribbon")
    made = {note.name.en: note.points for note in ribbons.notes if note.points}
    assert made == {"blue ribbons": 5, "ribbons": 1}
    animals = zone_of(scene, "pile:0:animal")
    assert [(note.name.en, note.has, note.needs) for note in animals.notes] == [("animals", 3, 5)]
    assert animals.notes[0].missing == ()  # any will do
    assert "red poems" not in [note.name.en for note in ribbons.notes]  # the other has one of them
    states = position([CRANE], [MOON], own=[CURTAIN, 44])
    brights = zone_of(scene_of(GAME, states, READER), "pile:0:bright")
    assert [(note.name.en, note.has, note.needs) for note in brights.notes] == [("three brights", 2, 3)]
    assert {card.id: "in-sight" in card.marks for card in brights.notes[0].missing} == {CRANE: True, MOON: True}
    other = zone_of(scene_of(GAME, states, Reader(1, "en", ("Ann", "you"))), "pile:0:bright")
    assert {card.id: "in-sight" in card.marks for card in other.notes[0].missing} == {CRANE: False, MOON: True}


def test_the_field_lies_by_months_and_what_fits_the_hand_is_marked():
    scene = scene_of(GAME, position([CRANE], [PINE_RIBBON, PINE_CHAFF, MOON]), READER)
    field = scene.zones_of("field")
    assert [(zone.group, [card.id for card in zone.cards]) for zone in field] == [("1", [1, 2]), ("8", [28])]
    assert [CAPTURABLE in zone.cards[0].marks for zone in field] == [True, False]
    empty = scene_of(GAME, position([CRANE], []), READER).zones_of("field")
    assert [(zone.place, zone.size) for zone in empty] == [("field", 0)]


@pytest.mark.parametrize(
    ("phase", "card", "action", "reason"),
    [
        (HAND, -1, DEER, "maple deer is not in your hand"),
        (HAND, -1, KOIKOI, "only when a yaku has just been made"),
        (MATCH, 40, DEER, "maple deer is not on the field"),
        (MATCH, 40, MOON, "willow rain man takes a card of its own month"),
        (CALL, -1, CRANE, "first decide: agari or koi-koi"),
        (OVER, -1, CRANE, "the game is over"),
    ],
)
def test_the_reason_why_a_move_is_not_possible(phase, card, action, reason):
    states = position([CRANE], [MOON, 41, 42], phase=phase, card=card)
    assert why_not(GAME, states, action, READER).en == reason


# The table of yaku


@pytest.mark.parametrize("preset", ["paper", "nintendo", "bonus"])
def test_the_table_of_yaku_says_what_the_witness_pays(preset):
    """The least cards of each line make it for its points, and one card fewer does not."""
    blank, plain = both(preset)
    paid = 0
    for which, row in enumerate(yaku.YAKU[: yaku.FROM_PILE]):
        pile = cards_of(smallest_pile(which, 0))
        assert len(pile) == row.needed
        score = witness.score([witness.DECK[card] for card in pile], 0, plain)
        found = score.get(row.name.en, 0)
        assert found == int(yaku.points_of(which, smallest_pile(which, 0), 0, blank[0].rules))
        assert found == row.points or not row.points
        paid += found > 0
        fewer = witness.score([witness.DECK[card] for card in pile[1:]], 0, plain)
        assert row.name.en not in fewer
    assert paid >= 10


def test_the_lines_name_each_yaku_once():
    assert [row.name.en for row in yaku.YAKU] == list(witness.YAKU)
    assert [yaku.YAKU[which].name.en for which in yaku.NEAR] == [
        "three brights", "red poems", "blue ribbons", "boar-deer-butterflies", "animals", "ribbons", "chaff",
    ]  # fmt: skip
    prices = explain(GAME.rulebook.make("paper"), READER)[0]
    assert prices == (
        "five brights 10 · four brights 8 · rainy four brights 7 · three brights 5 · boar-deer-butterflies 5 · "
        "red poems 5 · blue ribbons 5 · animals 1 · ribbons 1 · chaff 1"
    )
    assert yaku.YAKU[yaku.SANKO].cards & ~np.uint64(cards.BRIGHTS) == 0
