"""Riichi mahjong, rule by rule, on composed tables: payments, claims, furiten, riichi and kans."""

import pytest

from tefuda.games.mahjong import actions, state, yaku
from tefuda.games.mahjong.state import TRIPLE_RON
from tefuda.kernel.bits import has
from tests.games.mahjong.mahjong_scene import GAME, JUNK, MORE_JUNK, Scene, faces, won_with

pytestmark = pytest.mark.kernel

GIVES_5S = "147m28p5599s1234z"  # far from ready, with two of what the next hands wait for
GIVES_ONE_5S = "147m28p599s12344z"
WAITS_58S = "234m345p456p67s88s"  # tanyao and pinfu
WAITS_5S = "678m567p678p46s33s"  # tanyao
WAITS_5S_TOO = "234p567m345m46s22p"
NOBODYS = "5z"  # an indicator of a dora that nobody has


# Payments.


def test_the_discarder_pays_a_ron_with_honba_and_the_winner_takes_the_sticks():
    scene = Scene({0: GIVES_5S, 1: WAITS_58S}, draws="9m", dora=NOBODYS, honba=2, sticks=1).play("0 5s", "1 ron")
    assert scene.paid == [-2600, 3600, 0, 0]
    assert won_with(scene, yaku.PINFU, yaku.TANYAO)
    assert (int(scene.state.win_han[0]), int(scene.state.win_fu[0])) == (2, 30)
    assert (int(scene.state.kyoku), int(scene.state.honba), int(scene.state.sticks)) == (1, 0, 0)
    assert scene.points == [22400, 28600, 25000, 25000]


def test_everybody_pays_a_tsumo_and_the_dealer_double():
    scene = Scene({0: GIVES_5S, 1: WAITS_58S}, draws="9m 9m 1z 1z 9m 8s", dora=NOBODYS, honba=1)
    scene.play("0 *", "1 *", "2 *", "3 *", "0 *", "1 tsumo")
    assert scene.paid == [-1400, 3000, -800, -800]


def test_the_dealer_wins_half_as_much_again_and_repeats():
    scene = Scene({0: WAITS_58S, 1: GIVES_5S}, draws="9m 9m", dora=NOBODYS).play("0 *", "1 5s", "0 ron")
    assert scene.paid == [2900, -2900, 0, 0]
    assert (int(scene.state.kyoku), int(scene.state.honba)) == (0, 1)


def test_two_win_on_one_discard_and_the_nearer_takes_honba_and_sticks():
    scene = Scene({0: GIVES_5S, 1: WAITS_5S, 2: WAITS_58S}, draws="9m", dora=NOBODYS, honba=1, sticks=1)
    scene.play("0 5s", "1 ron", "2 ron")
    assert scene.winners == [1, 2]
    assert scene.paid == [-1300 - 300 - 2000, 1300 + 300 + 1000, 2000, 0]


THREE = {0: GIVES_5S, 1: WAITS_58S, 2: WAITS_5S, 3: WAITS_5S_TOO}


def test_three_who_win_on_one_discard_abort_the_deal():
    scene = Scene(THREE, draws="9m", sticks=1, honba=1).play("0 5s", "1 ron", "2 ron", "3 ron")
    assert scene.state.ended == TRIPLE_RON
    assert scene.paid == [0] * 4
    assert (int(scene.state.kyoku), int(scene.state.honba), int(scene.state.sticks)) == (0, 2, 1)


def test_three_may_all_win_by_another_rule_or_only_the_nearest():
    scene = Scene(THREE, draws="9m", options=["ron=triple"]).play("0 5s", "1 ron", "2 ron", "3 ron")
    assert scene.winners == [1, 2, 3]
    assert sum(scene.paid) == 0
    assert Scene(THREE, draws="9m", options=["ron=head"]).play("0 5s", "1 ron").winners == [1]
    assert Scene(THREE, draws="9m", options=["ron=head"]).play("0 5s", "1 pass", "2 ron").winners == [2]


def test_dora_red_and_ura_count_and_only_riichi_has_ura():
    hands = {0: GIVES_5S, 1: "234m340p456p67s88s"}
    scene = Scene(hands, draws="9m", dora="3p", ura="1m").play("0 5s", "1 ron")
    assert scene.state.win_dora[0].tolist() == [2, 1, 0]  # 4p twice, and the red five
    scene = Scene(hands, draws="9m 9m 1z 2z 9m", dora="3p", ura="1m")
    scene.play("0 *", "1 riichi", "1 *", "2 *", "3 *", "0 5s", "1 ron")
    assert scene.state.win_dora[0].tolist() == [2, 1, 1]
    assert won_with(scene, yaku.DOUBLE_RIICHI, yaku.IPPATSU)


# Claims.

CHI_HAND, PON_HAND = "46s1379m1379p123z", "55s28s2468m2468p6z"


def test_pon_goes_before_chi_and_ron_before_both():
    hands = {0: GIVES_ONE_5S, 1: CHI_HAND, 2: PON_HAND, 3: JUNK}
    scene = Scene(hands, draws="9m").play("0 5s", "2 pon")
    assert int(GAME.kernels.to_move(scene.state)) == 2  # who could chi was not asked
    assert not scene.asking
    scene = Scene(hands, draws="9m").play("0 5s", "2 pass", "1 chi 46s")
    assert int(GAME.kernels.to_move(scene.state)) == 1
    assert Scene(hands | {3: "345p456p234m46s77z"}, draws="9m").play("0 5s").state.seat != 3  # no yaku: not asked
    assert Scene(hands | {3: "345p456p234m46s33s"}, draws="9m").play("0 5s", "3 ron").winners == [3]


def test_a_seat_is_asked_once_with_all_that_it_may_claim():
    scene = Scene({0: GIVES_5S, 1: "3467s234m345p456p", 2: JUNK, 3: MORE_JUNK}, draws="9m").play("0 5s")
    assert scene.state.seat == 1
    assert scene.may("chi 34s")
    assert scene.may("chi 46s")
    assert scene.may("chi 67s")
    assert not scene.may("ron")
    assert not scene.play("1 pass").asking
    scene = Scene({0: GIVES_5S, 1: WAITS_58S, 2: JUNK, 3: MORE_JUNK}, draws="9m").play("0 5s")
    assert scene.may("ron")
    assert scene.may("chi 67s")


def test_who_is_asked_learns_nothing_of_what_others_could_claim():
    hands = {0: GIVES_ONE_5S, 1: CHI_HAND, 3: JUNK}
    could = Scene(hands | {2: PON_HAND}, draws="9m", dora="9m").play("0 5s", "2 pass")
    could_not = Scene(hands | {2: PON_HAND.replace("55s", "35s")}, draws="9m", dora="9m").play("0 5s")
    assert could.state.seat == could_not.state.seat == 1
    views = [could.states.copy(), could_not.states.copy()]
    for view in views:
        GAME.kernels.hide(view[0], 1)
    assert views[0].tobytes() == views[1].tobytes()


def test_red_fives_are_used_or_kept_in_calls():
    scene = Scene(
        {0: "447m28p5599s1234z", 1: "056m346s147p67z11s", 2: "369m258p178s1235z", 3: "369m258p178s1235z"}, draws="9m"
    ).play("0 4m")
    assert scene.may("chi 56m")
    scene.play("1 chi 06m")
    assert scene.state.open_reds[1] == 1
    assert not has(scene.state.faces[1], faces("0m")[0])
    assert has(scene.state.faces[1], faces("5m")[0])
    scene = Scene({0: "5m47m28p599s12344z", 2: "055m346s147p67z11s"}, draws="9m").play("0 5m")
    assert scene.may("pon 55m")
    scene.play("2 pon 05m")
    assert scene.state.hand[2, 4] == 1
    scene = Scene({0: "0m47m28p599s12344z", 2: "555m346s147p67z11s"}, draws="9m").play("0 0m", "2 pon")
    assert scene.state.open_reds[2] == 1


def test_what_was_just_called_may_not_be_discarded():
    hands = {0: "2m47m28p599s12344z", 1: "34m25m1379p1369s7z"}
    scene = Scene(hands, draws="9m").play("0 2m", "1 chi 34m")
    assert not scene.may("2m")
    assert not scene.may("5m")  # the other end of the run
    assert scene.may("9p")
    assert not scene.may("*")  # nothing was drawn
    scene = Scene(hands, draws="9m", options=["swap_calls=yes"]).play("0 2m", "1 chi 34m")
    assert scene.may("2m")
    assert scene.may("5m")
    scene = Scene({0: "2m47m28p599s12344z", 2: "222m57m1379p169s7z"}, draws="9m").play("0 2m", "2 pon")
    assert not scene.may("2m")
    assert scene.may("5m")


def test_no_chi_that_would_leave_nothing_to_discard():
    hands = {0: "19m9p1s246m246p246s", 1: "11m99m99p23s44s567z", 2: "258m158p36s12345z", 3: "258m358p69s12346z"}
    moves = ["0 1m", "1 pon", "1 5z", "2 *", "3 *", "0 9m", "1 pon", "1 6z", "2 *", "3 *", "0 9p", "1 pon", "1 7z"]
    draws = "7s 7m 3m 7m 3m 7m 3m 7m 3m"
    assert not Scene(hands, draws=draws).play(*moves, "2 *", "3 *", "0 1s").asking  # it would leave 44s
    scene = Scene(hands, draws=draws, options=["swap_calls=yes"]).play(*moves, "2 *", "3 *", "0 1s", "1 chi 23s")
    assert scene.may("4s")


def test_the_last_discard_can_only_be_won_on():
    scene = Scene().discard_draws()
    assert state.left_in_wall(scene.state) == 0
    assert scene.legal == [action for action in scene.legal if action <= actions.TSUMOGIRI or action == actions.TSUMO]
    assert scene.play(f"{int(scene.state.seat)} *").ended


# Furiten.


def test_furiten_by_the_own_discard():
    hands = {0: "147m28p4589s1234z", 1: WAITS_58S, 2: JUNK}
    scene = Scene(hands, draws="9m 5s 7z 7z 9m").play("0 *", "1 *", "2 *", "3 *", "0 8s")
    assert not (scene.asking and scene.state.seat == 1 and scene.may("ron"))
    assert Scene(hands, draws="9m 9m 7z 7z 9m").play("0 *", "1 *", "2 *", "3 *", "0 8s", "1 ron").ended


def test_furiten_until_the_own_discard_after_letting_a_tile_pass():
    hands = {0: WAITS_58S, 1: "15s17m17p27s1234z3m", 2: "15s28m28p28s1234z4m", 3: JUNK}
    scene = Scene(hands, draws="9m 9p 9p 9m 9m").play("0 *", "1 5s", "0 pass").pass_all().play("2 5s")
    assert not (scene.asking and scene.state.seat == 0)
    scene = Scene(hands, draws="9m 9p 9p 9m 9m 9s 9s").play("0 *", "1 5s", "0 pass").pass_all()
    scene.play("2 *", "3 *", "0 *", "1 *", "2 5s", "0 ron")
    assert scene.winners == [0]


def test_furiten_for_good_after_letting_a_tile_pass_in_riichi():
    hands = {0: GIVES_5S, 1: WAITS_58S, 2: JUNK}
    scene = Scene(hands, draws="9m 9m 1z 1z 9p 9p 2z 2z 9m 8s")
    scene.play("0 *", "1 riichi", "1 *", "2 *", "3 *", "0 5s", "1 pass").pass_all()
    scene.play("1 *", "2 *", "3 *", "0 5s")
    assert not (scene.asking and scene.state.seat == 1)
    scene.pass_all()
    assert scene.may("tsumo")  # a tile of its own wins all the same


# Riichi.


def riichi_scene(**more) -> Scene:
    return Scene({0: GIVES_5S, 1: WAITS_58S, 2: JUNK, 3: MORE_JUNK}, draws="9m 9m 6z 6z 9p 9p", **more).play("0 *")


def test_riichi_needs_a_thousand_points_and_a_closed_hand():
    assert riichi_scene(points=(25000, 1000, 25000, 25000)).may("riichi")
    assert not riichi_scene(points=(25000, 900, 25000, 25000)).may("riichi")
    scene = Scene({0: "3m47m28p599s12344z", 1: "24m345p456p67s888s", 2: JUNK}, draws="9m 9m 6z 9p 9p")
    scene.play("0 3m", "1 chi 24m", "1 8s", "2 *", "3 *", "0 *")
    assert scene.state.waits[1]
    assert not scene.may("riichi")


def test_riichi_needs_four_tiles_in_the_wall():
    offered = {}
    scene = Scene({1: WAITS_58S, 2: WAITS_5S})
    while state.left_in_wall(scene.state) > 0:
        if not scene.asking and scene.state.seat in (1, 2):
            offered[int(state.left_in_wall(scene.state))] = scene.may("riichi")
        GAME.kernels.apply(scene.state, actions.PASS if scene.asking else actions.TSUMOGIRI)
    assert {4, 3} <= set(offered)
    assert all(may == (left >= 4) for left, may in offered.items())


def test_the_discard_of_riichi_must_leave_the_hand_ready():
    scene = riichi_scene().play("1 riichi")
    assert scene.may("*")
    assert not scene.may("2m")
    assert not scene.may("riichi")
    assert scene.legal == [faces("8s")[0], actions.TSUMOGIRI]  # 678s and the drawn 9m, or the hand as it was


def test_the_stick_is_paid_when_the_discard_passes_and_not_when_it_is_won_on():
    scene = riichi_scene().play("1 riichi", "1 *").pass_all()
    assert (scene.points[1], int(scene.state.sticks)) == (24000, 1)
    hands = {0: GIVES_5S, 1: WAITS_58S, 2: "123m123p123s78m99p"}
    scene = Scene(hands, draws="9s 9m").play("0 *", "1 riichi", "1 *", "2 ron")
    assert scene.points[1] == 25000 + scene.paid[1] == 25000 - scene.paid[2]
    assert scene.state.sticks == 0


def test_in_riichi_only_the_draw_may_be_discarded():
    assert riichi_scene().play("1 riichi", "1 *", "2 *", "3 *", "0 *").legal == [actions.TSUMOGIRI]


def test_ippatsu_ends_with_a_call():
    hands = {0: GIVES_5S, 1: WAITS_58S, 2: MORE_JUNK, 3: "66z258m147p369s23z"}
    begin = ("0 *", "1 riichi", "1 *", "2 *")
    scene = Scene(hands, draws="9m 9m 6z 9m 9p").play(*begin, "3 pass", "3 *", "0 5s", "1 ron")
    assert won_with(scene, yaku.IPPATSU)
    scene = Scene(hands, draws="9m 9m 6z 9p").play(*begin, "3 pon", "3 2z", "0 5s", "1 ron")
    assert won_with(scene, yaku.DOUBLE_RIICHI)
    assert not won_with(scene, yaku.IPPATSU)


def test_riichi_in_the_first_go_around_is_double_riichi_unless_somebody_has_called():
    assert riichi_scene().play("1 riichi", "1 *").state.riichi[1] == 2
    hands = {0: "1z47m28p5599s2344z", 1: WAITS_58S, 3: "11z258m147p369s23z"}
    scene = Scene(hands, draws="9m 9p 9m").play("0 1z", "3 pon", "3 2z", "0 *", "1 riichi", "1 *")
    assert scene.state.riichi[1] == 1


@pytest.mark.parametrize(
    ("hand", "fourth", "allowed"),
    [
        ("111z345p456p67s88s", "1z", True),
        ("3334m345p456p888s", "3m", False),  # 2m, 4m and 5m become 4m alone
        ("3334m345p456p888s", "8s", True),
        ("34445m678p678s22z", "4m", False),  # 4m was a triplet with 35m, or the pair and a run
    ],
)
def test_a_closed_kan_in_riichi_may_not_change_the_waits(hand, fourth, allowed):
    scene = Scene({1: hand}, draws=f"9m 9m 6z 6z 9p {fourth}").play("0 *", "1 riichi", "1 *", "2 *", "3 *", "0 *")
    assert scene.may(f"kan {fourth}") == allowed


# Kans.


def test_dora_of_a_closed_kan_is_turned_at_once_and_that_of_others_with_the_discard():
    scene = Scene({0: "1111m28p5599s123z"}, draws="9m", rinshan="9p").play("0 kan 1m")
    assert scene.state.indicators == 2
    assert scene.state.drawn == faces("9p")[0]
    scene = Scene({0: "1m47m28p5599s2336z", 2: "111m25m1379p169s7z"}, draws="9m", rinshan="9p").play(
        "0 1m", "2 open kan"
    )
    assert scene.state.indicators == 1
    assert scene.play("2 *").state.indicators == 2
    hands = {0: "1m47m28p5599s2336z", 1: MORE_JUNK, 2: "111m25m1379p169s7z", 3: JUNK}
    scene = Scene(hands, draws="9m 6z 6z 9p 7z", rinshan="9p 9p")
    scene.play("0 1m", "2 pon", "2 9s", "3 *", "0 *", "1 *", "2 kan 1m")
    assert scene.state.indicators == 1
    assert scene.play("2 *").state.indicators == 2


def test_dora_of_an_added_kan_is_turned_by_the_next_kan_too():
    hands = {0: "1m47m28p5599s2336z", 1: MORE_JUNK, 2: "111m4444z13p169s2m", 3: JUNK}
    scene = Scene(hands, draws="9m 6z 6z 9p 7z", rinshan="9p 9p")
    scene.play("0 1m", "2 pon", "2 9s", "3 *", "0 *", "1 *", "2 kan 1m", "2 kan 4z")
    assert scene.state.indicators == 3


def test_a_win_after_a_kan_has_a_yaku_of_its_own():
    scene = Scene({0: "1111z234m345p678s"}, draws="8p", rinshan="8p").play("0 kan 1z", "0 tsumo")
    assert won_with(scene, yaku.RINSHAN, yaku.MENZEN_TSUMO)


def test_an_added_kan_can_be_robbed():
    hands = {0: "5p47m28p199s12344z", 1: "55p79p234m67888s7z", 2: "46p234m567s789s22z", 3: JUNK}
    scene = Scene(hands, draws="9m 1z 1z 9m 0p").play("0 5p", "1 pon", "1 2m", "2 *", "3 *", "0 *", "1 kan 5p")
    assert scene.state.seat == 2
    won = scene.play("2 ron")
    assert won_with(won, yaku.CHANKAN)
    assert won.paid[1] == -won.paid[2]
    assert won.state.win_dora[0].tolist()[1] == 1  # the robbed tile is the red five


def test_a_closed_kan_is_robbed_by_thirteen_orphans_alone_where_the_rules_have_it():
    hands = {0: "1111z234m345p678s", 1: "19m19p199s234567z", 2: "147m369p258s2346z"}
    assert not Scene(hands, draws="8p").play("0 kan 1z").asking
    scene = Scene(hands, draws="8p", options=["rob_closed=yes"]).play("0 kan 1z", "1 ron")
    assert has(scene.state.win_yaku[0], yaku.KOKUSHI)
    hands = {0: "8888s234m345p678p", 1: WAITS_58S.replace("88s", "22s"), 2: JUNK}
    assert not Scene(hands, draws="8p", options=["rob_closed=yes"]).play("0 kan 8s").asking


def last_tile(scene: Scene, face: int) -> Scene:
    """Let the last tile of the wall be a given one, in exchange for where it lies now."""
    wall, last = scene.state.wall, state.DRAWS + state.LIVE - 1
    there = next(place for place in range(state.TILES - 1, state.DRAWS, -1) if wall[place] == face)
    wall[there], wall[last] = int(wall[last]), int(wall[there])
    return scene


def test_the_last_tile_has_yaku_of_its_own():
    drawer = (state.LIVE - 1) % 4
    scene = last_tile(Scene({drawer: WAITS_58S}), faces("8s")[0]).discard_draws()
    assert won_with(scene.play(f"{drawer} tsumo"), yaku.HAITEI)
    scene = last_tile(
        Scene({0: WAITS_58S, drawer: JUNK, 2: MORE_JUNK, 3: "147m369p47s12346z"}), faces("8s")[0]
    ).discard_draws()
    scene.state.missed[0] = scene.state.thrown[0] = 0  # as if it had let nothing pass
    assert won_with(scene.play(f"{drawer} *", "0 ron"), yaku.HOUTEI)
