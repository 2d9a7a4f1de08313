"""Riichi mahjong: how a deal ends without a win, liability, and how a match ends."""

import pytest

from tefuda.games.mahjong import state, yaku
from tefuda.games.mahjong.state import (
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    NAGASHI,
    NINE_TERMINALS,
    WON,
)
from tefuda.games.mahjong.text import face_text
from tefuda.kernel.bits import has
from tests.games.mahjong.mahjong_scene import JUNK, MORE_JUNK, OTHER_JUNK, Scene, faces

pytestmark = pytest.mark.kernel

GIVES_5S, WAITS_58S, NOBODYS = "147m28p5599s1234z", "234m345p456p67s88s", "5z"

# Aborts.


def test_nine_terminals_and_honours_may_abort_in_the_first_turn():
    nine, eight = "199m19p19s123z258m", "1m19p19s123z2588m5p"
    scene = Scene({0: nine}, draws="9m").play("0 nine")
    assert scene.state.ended == NINE_TERMINALS
    assert (int(scene.state.kyoku), int(scene.state.honba)) == (0, 1)
    assert not Scene({0: eight}, draws="2p").may("nine")
    assert Scene({0: eight}, draws="9m").may("nine")  # the draw is the ninth
    assert not Scene({0: nine}, draws="9m", options=["aborts=no"]).may("nine")
    called = Scene({0: "1z147m28p559s344z7z", 1: nine, 3: "11z258m147p369s23z"}, draws="9m 6z 9m")
    assert not called.play("0 1z", "3 pon", "3 2z", "0 *").may("nine")
    assert not Scene({0: JUNK, 1: nine}, draws="6z 6z 7z 7z 6z").play("0 *", "1 *", "2 *", "3 *", "0 *").may("nine")


def test_four_equal_winds_abort():
    hands = {0: "1z258m147p369s234z", 1: "1z369m258p147s234z", 2: "1z147m369p258s234z", 3: "1z258m147p369s567z"}
    winds = ("0 1z", "1 1z", "2 1z")
    assert Scene(hands, draws="9m 9m 9p 9p").play(*winds, "3 1z").state.ended == FOUR_WINDS
    assert not Scene(hands, draws="9m 9m 9p 9p", options=["aborts=no"]).play(*winds, "3 1z").pass_all().ended
    assert not Scene(hands, draws="9m 9m 9p 9p").play(*winds, "3 5z").pass_all().ended


def test_four_riichi_abort_with_all_four_sticks_on_the_table():
    hands = {0: "123m123p123s7z789s", 1: "456m456p456s6z789s", 2: "789m789p5z111222s", 3: "234m234p345s4z678p"}
    scene = Scene(hands, draws="1z 2z 3z 1z")
    scene.play("0 riichi", "0 *", "1 riichi", "1 *", "2 riichi", "2 *", "3 riichi", "3 *")
    assert scene.state.ended == FOUR_RIICHI
    assert scene.points == [24000] * 4
    assert (int(scene.state.sticks), int(scene.state.honba), int(scene.state.kyoku)) == (4, 1, 0)


def test_four_kans_of_several_seats_abort_after_the_discard_and_of_one_do_not():
    hands = {0: "1111m2222p5599s3z", 1: "9999m9999p147s34z"}
    scene = Scene(hands, draws="4z 4z", rinshan="7z 6z 5z 7z").play("0 kan 1m", "0 kan 2p", "0 *").pass_all()
    scene.play("1 kan 9m", "1 kan 9p")
    assert not scene.ended
    assert scene.play("1 *").state.ended == FOUR_KANS
    scene = Scene({0: "1111m2222p4444s3z"}, draws="3z", rinshan="3z 3z 7z 6z")
    scene.play("0 kan 1m", "0 kan 2p", "0 kan 4s", "0 kan 3z", "0 *").pass_all()
    assert not scene.ended
    assert state.left_in_wall(scene.state) == state.LIVE - 2 - 4


# The wall is exhausted.


def exhausted(hands, **more) -> Scene:
    scene = Scene(hands, **more).discard_draws()
    return scene.play(f"{int(scene.state.seat)} *").pass_all()


def test_those_who_are_not_ready_pay_when_the_wall_is_exhausted():
    scene = exhausted({0: JUNK, 1: WAITS_58S, 2: MORE_JUNK, 3: OTHER_JUNK}, honba=1)
    assert scene.state.ended == EXHAUSTED
    assert scene.state.ready.tolist() == [0, 1, 0, 0]
    assert scene.paid == [-1000, 3000, -1000, -1000]
    assert (int(scene.state.kyoku), int(scene.state.honba)) == (1, 2)


def test_the_dealer_repeats_when_ready():
    scene = exhausted({0: WAITS_58S, 1: "678m067p678p46s33s", 2: JUNK, 3: MORE_JUNK})
    assert scene.paid == [1500, 1500, -1500, -1500]
    assert (int(scene.state.kyoku), int(scene.state.honba)) == (0, 1)


def test_a_hand_whose_four_tiles_lie_in_its_own_pon_is_ready():
    """As Tenhou has it: only four in the concealed tiles make such a wait impossible."""
    hands = {0: "0s47m28p199s12344z", 1: "555s567m123p789p9s"}
    scene = Scene(hands, draws="9m").play("0 0s", "1 pon", "1 9s")
    assert scene.state.waits[1] == 1 << faces("5s")[0]


def draws_of_orphans(called: bool) -> Scene:
    """Seat 1 draws terminals and honours alone, and all others none; seat 2 could call the first, instead of a draw."""
    orphans = faces("1199m1199p1199s112233z")
    others = faces("222333444666777888m222333444666777888p222333444666777888s")
    draws = [
        orphans.pop() if place % 4 == 1 else others.pop() for place in range(state.LIVE) if place != 2 or not called
    ]
    return Scene({2: "33z55m55p5555667z"}, draws=" ".join(face_text(face) for face in draws))


def river_of_orphans(called: bool) -> Scene:
    return draws_of_orphans(called).play("0 *", "1 *")


def test_nagashi_mangan_pays_as_a_tsumo_and_is_lost_with_a_call():
    scene = river_of_orphans(False).discard_draws()
    scene.play(f"{int(scene.state.seat)} *").pass_all()
    assert scene.state.ended == NAGASHI
    assert scene.paid == [-4000, 8000, -2000, -2000]
    scene = river_of_orphans(True).play("2 pon", "2 5m").discard_draws()
    scene.play(f"{int(scene.state.seat)} *").pass_all()
    assert scene.state.ended == EXHAUSTED


# Liability.


def dragons(last: str) -> Scene:
    """Seat 1 calls three dragons, the last one from seat 0, and waits for 1m and 4m."""
    hands = {0: "567z258m147p36s12z", 1: "556677z2388m9p19s", 2: "258m147p369s1234z", 3: "369m258p147s1234z"}
    scene = Scene(hands, draws="9m 9m 9m 9p 8p 9p 9s " + last, dora="8s")
    scene.play("0 5z", "1 pon", "1 9p", "2 *", "3 *", "0 6z", "1 pon", "1 9s", "2 *", "3 *", "0 7z", "1 pon", "1 1s")
    return scene.pass_all()


def test_who_feeds_the_third_dragon_pays_a_tsumo_alone_and_half_of_a_ron():
    scene = dragons("9s 8s 7s 1m").play("2 *", "3 *", "0 *", "1 tsumo")
    assert has(scene.state.win_yaku[0], yaku.DAISANGEN)
    assert scene.paid == [-32000, 32000, 0, 0]
    assert dragons("9s 1m").play("2 *", "3 *", "1 ron").paid == [-16000, 32000, 0, -16000]
    assert dragons("9s 8s 1m").play("2 *", "3 *", "0 *", "1 ron").paid == [-32000, 32000, 0, 0]


def dragons_and_honours(last: str, honba: int = 0) -> Scene:
    """The same with two pairs of winds beside: big three dragons and all honours, two yakuman in one win."""
    hands = {
        0: "567z258m147p36s34z", 1: "1122556677z9p19s", 2: "2588m1477p369s34z", 3: "34678m258p147s34z",
    }  # fmt: skip
    scene = Scene(hands, draws="9m 9m 9m 9p 8p 9p 9s " + last, dora="8s", honba=honba)
    scene.play("0 5z", "1 pon", "1 9p", "2 *", "3 *", "0 6z", "1 pon", "1 9s", "2 *", "3 *", "0 7z", "1 pon", "1 1s")
    return scene.pass_all()


def test_liability_is_for_the_whole_win_though_only_one_of_its_yakuman_was_fed():
    scene = dragons_and_honours("9s 8s 7s 1z", honba=3).play("2 *", "3 *", "0 *", "1 tsumo")
    assert yaku.numbers_of(scene.state.win_yaku[0]) == [yaku.DAISANGEN, yaku.TSUUIISOU]
    assert scene.paid == [-64900, 64900, 0, 0]
    assert dragons_and_honours("9s 2z").play("2 *", "3 *", "1 ron").paid == [-32000, 64000, 0, -32000]
    assert dragons_and_honours("9s 2z", honba=3).play("2 *", "3 *", "1 ron").paid == [-32900, 64900, 0, -32000]
    assert dragons_and_honours("9s 8s 1z").play("2 *", "3 *", "0 *", "1 ron").paid == [-64000, 64000, 0, 0]


# Ends of a match.


def ron_at(kyoku: int, points, **more) -> Scene:
    """The seat after the dealer wins 2,000 from it."""
    dealer, winner = kyoku % 4, (kyoku + 1) % 4
    scene = Scene({dealer: GIVES_5S, winner: WAITS_58S}, draws="9m", dora=NOBODYS, kyoku=kyoku, points=points, **more)
    return scene.play(f"{dealer} 5s", f"{winner} ron")


def test_the_match_goes_on_into_another_wind_until_somebody_has_the_goal():
    even = (25000, 25000, 25000, 25000)
    assert ron_at(7, even).state.kyoku == 8
    assert ron_at(7, (28000, 25000, 25000, 22000)).over
    assert ron_at(8, even).state.kyoku == 9
    assert ron_at(8, (25000, 31000, 19000, 25000)).over
    assert ron_at(11, even).over
    assert ron_at(7, even, options=["extra=no"]).over
    assert ron_at(3, (29000, 25000, 25000, 21000), preset="tonpuu").over
    assert not ron_at(3, (29000, 25000, 25000, 21000)).over


def test_the_match_ends_when_somebody_has_less_than_nothing():
    assert ron_at(0, (1900, 32000, 33000, 33100)).over
    assert not ron_at(0, (2000, 32000, 33000, 33000)).over
    assert not ron_at(0, (1900, 32000, 33000, 33100), options=["bankruptcy=no"]).over


def dealer_wins_at(kyoku: int, points, **more) -> Scene:
    """The dealer wins 2,900 from the next seat."""
    dealer, giver = kyoku % 4, (kyoku + 1) % 4
    scene = Scene({dealer: WAITS_58S, giver: GIVES_5S}, draws="9m 9m", dora=NOBODYS, kyoku=kyoku, points=points, **more)
    return scene.play(f"{dealer} *", f"{giver} 5s", f"{dealer} ron")


def test_the_last_dealer_who_leads_with_the_goal_ends_the_match_by_winning():
    leads = (25000, 23000, 24000, 28000)
    assert dealer_wins_at(7, leads).over
    second = dealer_wins_at(7, (35000, 23000, 14000, 28000))
    assert not second.over
    assert (int(second.state.kyoku), int(second.state.honba)) == (7, 1)
    assert not dealer_wins_at(7, (26000, 24000, 24000, 26000)).over  # 28,900 are not enough
    assert not dealer_wins_at(7, leads, options=["stop=no"]).over
    assert not dealer_wins_at(6, (25000, 23000, 28000, 24000)).over


def test_the_last_dealer_who_is_ready_ends_the_match_too_and_the_first_takes_the_sticks():
    hands = {0: JUNK, 1: MORE_JUNK, 2: OTHER_JUNK, 3: WAITS_58S}
    scene = exhausted(hands, kyoku=7, points=(20000, 20000, 20000, 39000), sticks=1)
    assert scene.over
    assert scene.points == [19000, 19000, 19000, 43000]
    assert not exhausted(hands, kyoku=7, points=(44000, 18000, 20000, 18000)).over


def test_the_final_order_with_uma_and_oka():
    scene = ron_at(7, (28000, 27000, 24000, 21000))
    assert scene.points == [30000, 27000, 24000, 19000]
    assert scene.scores == pytest.approx([40.0, 7.0, -16.0, -31.0])
    scene = ron_at(7, (28400, 26500, 24000, 21100), options=["rounded=yes"])
    assert scene.points == [30400, 26500, 24000, 19100]
    assert scene.scores == pytest.approx([40.0, 7.0, -16.0, -31.0])
    scene = ron_at(7, (28000, 21000, 30000, 21000), options=["uma=none", "goal=250"])
    assert scene.scores == pytest.approx([5.0, -4.0, 5.0, -6.0])
    tied = ron_at(7, (28000, 20000, 30000, 22000))
    assert tied.scores == pytest.approx([40.0, -20.0, 10.0, -30.0])  # of equals who dealt first is ahead


def test_a_single_deal_counts_what_was_won():
    scene = Scene({0: GIVES_5S, 1: WAITS_58S}, draws="9m", dora=NOBODYS, preset="hand").play("0 5s", "1 ron")
    assert scene.over
    assert scene.state.ended == WON
    assert scene.scores == pytest.approx([-2.0, 2.0, 0.0, 0.0])
