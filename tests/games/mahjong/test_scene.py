"""Mahjong as data: what calls involve, where a called tile lies, what is drawn and discarded, the walls."""

import pytest

from tefuda.contract import Reader
from tefuda.contract.scene import CAPTURABLE, GONE
from tefuda.games.mahjong import actions
from tefuda.games.mahjong.tiles import KINDS
from tefuda.table.scene import scene_of
from tests.games.mahjong.mahjong_scene import GAME, JUNK, Scene, faces

pytestmark = pytest.mark.kernel

NAMES = ("you", "Ann", "Bob", "Cid")


def seen(scene: Scene, seat: int):
    return scene_of(GAME, scene.states, Reader(seat, "en", NAMES))


def zone_of(scene, place):
    return next(zone for zone in scene.zones if zone.place == place)


def move_of(scene, action):
    return next(move for move in scene.moves if move.action == action)


def asked(own: str) -> Scene:
    """Seat 1 is asked about a red 5s of the seat before it."""
    return Scene({0: "147m28p099s12344z", 1: own, 2: JUNK}, draws="9m").play("0 0s")


def test_a_chi_joins_two_tiles_of_the_hand_to_the_discard():
    table = seen(asked("46s1379m1379p123z"), 1)
    chi = move_of(table, actions.CHI + 2)
    assert sorted(chi.cards) == faces("46s")
    assert (chi.place, chi.with_, chi.with_place) == ("hand:1", tuple(faces("0s")), "river:0")
    claimed = zone_of(table, "river:0").cards[-1]
    assert claimed.id == faces("0s")[0]
    assert {"asked", CAPTURABLE} <= set(claimed.marks)
    assert move_of(table, actions.PASS).cards == ()


def test_a_pon_and_a_kan_take_what_the_hand_has():
    table = seen(asked("555s1379m137p123z"), 1)
    assert move_of(table, actions.PON).cards == (*faces("5s"), *faces("5s"))
    assert sorted(move_of(table, actions.OPEN_KAN).cards) == sorted(faces("555s"))
    red = Scene({0: "147m28p599s12344z", 1: "05s1379m1379p123z", 2: JUNK}, draws="9m").play("0 5s")
    assert sorted(move_of(seen(red, 1), actions.PON + 1).cards) == sorted(faces("05s"))


def test_a_called_tile_lies_in_the_meld_and_leaves_a_trace_in_the_river():
    table = seen(asked("46s1379m1379p123z").play("1 chi 46s"), 3)
    river, meld = zone_of(table, "river:0"), zone_of(table, "melds:1:1")
    assert [GONE in card.marks for card in river.cards] == [True]
    assert river.size == 0
    assert [card.id for card in meld.cards] == faces("4s") + faces("0s") + faces("6s")
    assert [card.id for card in meld.cards if "claimed" in card.marks] == faces("0s")
    assert (meld.notes[0].seat, meld.notes[0].way) == (0, "from")
    assert meld.title.en == "chi"


def test_the_tile_just_drawn_stands_apart_and_is_a_back_to_others():
    scene = Scene({0: "1230m55p678s1277z"}, draws="9s", dora="1z")
    own, other = seen(scene, 0), seen(scene, 1)
    assert [card.id for card in zone_of(own, "drawn:0").cards] == faces("9s")
    assert (zone_of(other, "drawn:0").cards, zone_of(other, "drawn:0").backs) == ((), 1)
    assert (zone_of(other, "hand:0").cards, zone_of(other, "hand:0").backs) == ((), 13)
    assert move_of(own, actions.TSUMOGIRI).place == "drawn:0"
    red = next(card for card in zone_of(own, "hand:0").cards if card.id >= KINDS)
    assert (red.name.ja, red.name.en, red.face, red.style) == ("赤五萬", "red 5m", ("五", "萬", "赤"), "red-five")


def test_kans_name_their_tiles():
    scene = Scene({0: "1111m28p5599s123z"}, draws="9m", rinshan="9p")
    kan = move_of(seen(scene, 0), actions.KAN)
    assert (kan.cards, kan.place) == ((0, 0, 0, 0), "hand:0")
    scene = Scene({0: "147m28p5599s1234z"}, draws="1m 5p 6p 7p 9m")
    assert actions.KAN not in [move.action for move in seen(scene, 0).moves]


def test_a_tile_that_completes_the_hand_is_marked():
    scene = Scene({0: "234m345p456p67s88s"}, draws="5s")
    table = seen(scene, 0)
    assert move_of(table, actions.TSUMO).with_ == tuple(faces("5s"))
    assert CAPTURABLE in zone_of(table, "drawn:0").cards[0].marks


def test_the_walls_and_their_indicators():
    table = seen(Scene({0: JUNK}, draws="9m", dora="3p"), 0)
    wall, dead = zone_of(table, "wall"), zone_of(table, "dead-wall")
    assert (wall.backs, dead.backs) == (69, 13)
    assert [card.id for card in dead.cards] == faces("3p")
    assert [card.id for card in dead.notes[0].cards] == faces("4p")
    assert sum(zone.size for zone in table.zones) == 136


def test_seats_have_points_winds_and_marks():
    scene = Scene({0: "147m28p5599s1234z", 1: "234m345p456p67s88s", 2: JUNK}, draws="9m 9m 6z", kyoku=0).play("0 *")
    table = seen(scene.play("1 riichi", "1 *"), 2)
    assert [seat.notes[0].name.en for seat in table.seats] == ["east", "south", "west", "north"]
    assert ["riichi" in seat.marks for seat in table.seats] == [False, True, False, False]
    assert ["dealer" in seat.marks for seat in table.seats] == [True, False, False, False]
    assert table.seats[1].points == 24000
    river = zone_of(table, "river:1")
    assert {"drawn-and-discarded", "declared"} <= set(river.cards[-1].marks)


def test_a_hand_is_warned_in_both_languages():
    scene = Scene({0: "147m28p5599s1234z", 1: "234m345p456p67s88s"}, draws="9m")
    note = zone_of(seen(scene, 1), "hand:1").notes[0]
    assert note.name.en == "ready, waiting for 5s×4 8s×2"
    assert note.name.ja == "聴牌：5s×4 8s×2 待ち"
    assert zone_of(seen(scene, 2), "hand:1").notes == ()
