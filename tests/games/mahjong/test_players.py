"""The players of mahjong: what they do at composed tables, how dangerous they find discards, how strong they are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tefuda.arena.match import match
from tefuda.games.mahjong import actions
from tefuda.games.mahjong.hiding import count_unseen
from tefuda.games.mahjong.players import danger, plans
from tefuda.games.mahjong.shanten import pack, shanten
from tefuda.games.mahjong.starting import start_deal
from tefuda.games.mahjong.tiles import KINDS
from tefuda.players.resolve import resolve
from tefuda.table.table import Table
from tests.games.mahjong.mahjong_scene import GAME, JUNK, MORE_JUNK, OTHER_JUNK, Scene, faces

HANCHAN = GAME.rulebook.make("hanchan")


def asked(scene: Scene, player: str) -> int:
    """What a player does now."""
    table = Table(GAME, HANCHAN, 1, 0, states=scene.states.copy())
    return int(table.ask(resolve(GAME, player, HANCHAN)))


def name(action: int) -> str:
    return GAME.spaces.actions.names[action].en


def kind(text: str) -> int:
    return faces(text)[0]


# --- all ---


@pytest.mark.parametrize("player", ["shanten", "policy", "rule-based"])
def test_wins_when_it_can(player):
    hand = "234m456p678s2355p"
    assert name(asked(Scene({0: hand}, draws="4p"), player)) == "tsumo"
    scene = Scene({0: JUNK, 1: hand}, draws="4p").play("0 *")
    assert int(scene.state.seat) == 1
    assert name(asked(scene, player)) == "ron"


@pytest.mark.parametrize("player", ["shanten", "policy", "rule-based"])
def test_declares_riichi_with_the_better_wait(player):
    scene = Scene({0: "234m456678p1388s"}, draws="4s")
    assert name(asked(scene, player)) == "riichi"
    scene.play("0 riichi")
    assert asked(scene, player) == kind("1s")  # 3s4s waits for twice as many tiles as 1s3s


@pytest.mark.parametrize("player", ["shanten", "policy", "rule-based"])
def test_discards_a_lone_honour_before_a_part_of_a_run(player):
    scene = Scene({0: "12m456p23467s144z"}, draws="9p")
    assert asked(scene, player) in (kind("1z"), actions.TSUMOGIRI)


@pytest.mark.parametrize("player", ["shanten", "policy", "rule-based"])
def test_gives_a_plain_five_before_the_red_one(player):
    scene = Scene({0: "1199m1199p05s117z"}, draws="7z")  # seven pairs: one of two fives goes
    chosen = asked(scene, player)
    assert chosen != kind("0s")


@settings(max_examples=60, deadline=None)
@given(st.permutations(range(136)))
def test_shanten_never_steps_back(tiles):
    """Its discard keeps the shanten that the 14 tiles have."""
    wall = np.array([int(actions.red_of_kind(t // 4)) if t in (16, 52, 88) else t // 4 for t in tiles], np.uint8)
    scene = Scene()
    start_deal(scene.state, 0, 0, 0, np.full(4, 25000), wall)
    hand = scene.state.hand[0].copy()
    hand[int(actions.kind_of_face(int(scene.state.drawn)))] += 1
    before = shanten(hand, 0)
    chosen = asked(scene, "shanten")
    if chosen <= actions.TSUMOGIRI:
        face = int(scene.state.drawn) if chosen == actions.TSUMOGIRI else chosen
        hand[int(actions.kind_of_face(face))] -= 1
        assert shanten(hand, 0) == before


def test_shanten_calls_nothing():
    scene = Scene({0: JUNK, 1: "55z123m45p78s11p2s9m"}, draws="5z").play("0 *")
    assert name(asked(scene, "shanten")) == "pass"


# --- rule-based ---


def test_calls_for_a_dragon():
    scene = Scene({0: JUNK, 1: "55z123m406p40s11p8m"}, draws="5z", dora="3s").play("0 *")
    assert name(asked(scene, "rule-based")) == "pon"


def test_calls_for_all_simples():
    scene = Scene({0: JUNK, 1: "23m406p4067s225p8s"}, draws="4m", dora="1p").play("0 *")
    assert name(asked(scene, "rule-based")).startswith("chi")


def test_does_not_call_without_a_yaku():
    scene = Scene({0: JUNK, 1: "12m456p789s119p22z"}, draws="3m", kyoku=0).play("0 *")
    assert name(asked(scene, "rule-based")) == "pass"


def threatened(hand: str, draw: str, river: str = "9m") -> Scene:
    """Seat 0 is in riichi with a discard, and seat 1 has just drawn; seats 2 and 3 discard what they draw."""
    ready = "123m456p99p12378s"
    scene = Scene({0: ready, 1: hand, 2: MORE_JUNK, 3: OTHER_JUNK}, draws=f"{river} {draw}")
    scene.play("0 riichi", "0 *").pass_all()
    return scene


def test_folds_a_far_hand_with_what_is_safe():
    scene = threatened("19m258p147s34567z", "6p", river="5z")
    assert asked(scene, "rule-based") == kind("5z")


def test_pushes_a_ready_dear_hand():
    scene = threatened("34066m340p34567s", "9m", river="5z")
    assert name(asked(scene, "rule-based")) == "riichi"


# --- danger ---


def costs_against(scene: Scene, seat: int) -> np.ndarray:
    unseen, costs = np.zeros(KINDS), np.zeros(KINDS)
    count_unseen(scene.state, seat, unseen)
    danger.read_danger(scene.state, seat, unseen, costs)
    return costs


def test_nobody_threatens_at_first():
    assert costs_against(Scene({0: JUNK}), 0).sum() == 0


def test_what_was_discarded_is_safe_and_its_other_end_safer():
    costs = costs_against(threatened(JUNK, "9p", river="5m"), 1)
    assert costs[kind("5m")] == 0
    assert costs[kind("2m")] < costs[kind("2p")]
    assert costs[kind("8m")] < costs[kind("8p")]
    assert costs[kind("6m")] > 0


def test_shapes_that_need_tiles_all_seen_do_not_count():
    unseen = np.full(KINDS, 4.0)
    open_ = danger.shape_weight(unseen, np.uint64(0), kind("2p"))
    unseen[kind("3p")] = 0
    behind_a_wall = danger.shape_weight(unseen, np.uint64(0), kind("2p"))
    assert behind_a_wall < open_ / 2


# --- plans ---


@pytest.mark.parametrize(
    ("hand", "plan", "far"),
    [
        ("234m456p678s2355p", plans.READY, 0),
        ("234m456p678s2355p", plans.SIMPLES, 0),
        ("234m456p678s2399p", plans.SIMPLES, 2),
        ("123456789m1122z", plans.FLUSH_M, 0),
        ("123456m1122z789p", plans.FLUSH_M, 3),
        ("55z123m456p78s11p2s", plans.HONOUR, 1),
        ("111m222p3344s555z", plans.TRIPLETS, 0),
    ],
)
def test_how_far_a_hand_is_from_a_plan(hand, plan, far):
    counts = np.zeros(KINDS, np.int8)
    for face in faces(hand):
        counts[int(actions.kind_of_face(face))] += 1
    unseen = 4.0 - counts
    counting = plans.counting_honours(np.int64(0), np.int64(0))
    assert plans.how_far(pack(counts), np.int64(0), plan, counting, np.int64(0), unseen) == far


# --- strength ---


@pytest.mark.slow
def test_the_players_are_ordered():
    """Points with uma a hanchan, in thousands: each beats three of the one before it."""
    for better, worse, deals in (("shanten", "random", 10), ("rule-based", "shanten", 120)):
        figure = match(GAME, [better, worse, worse, worse], deals, seed=5).rows[0].figure
        assert figure.low > 0, f"{better} against {worse}: {figure}"
