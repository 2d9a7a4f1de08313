"""Riichi mahjong: what stays the same whatever is played, guesses at hidden tiles, and the plain players."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tefuda
from tefuda.games.mahjong import actions, hiding
from tefuda.games.mahjong.hiding import count_unseen, count_unseen_kind, is_open_place, is_still_there
from tefuda.games.mahjong.layout import places_of
from tefuda.games.mahjong.state import RIVER, TILES
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import CHECK, DEAL, below, stream
from tefuda.table.table import legal_actions
from tests.games.mahjong.mahjong_scene import GAME, JUNK, MORE_JUNK, Scene, faces

pytestmark = pytest.mark.kernel


def table(seed: int, steps: int, preset: str = "hanchan", options=()) -> np.ndarray:
    """A table after some decisions of random play that likes wins, riichi and calls."""
    states = GAME.blank(GAME.rulebook.make(preset, options))
    GAME.kernels.deal(states[0], np.array([stream(seed, 0, 0, DEAL)], np.uint64))
    bits = np.array([stream(seed, 0, 0, CHECK)], np.uint64)
    for _ in range(steps):
        if GAME.kernels.to_move(states[0]) < 0:
            break
        legal = legal_actions(GAME, states)
        if actions.RIICHI in legal:
            action = actions.RIICHI
        elif actions.TSUMOGIRI in legal and below(bits, 2):
            action = actions.TSUMOGIRI
        else:
            action = legal[int(below(bits, len(legal)))]
        GAME.kernels.apply(states[0], action)
    return states


SOME = settings(max_examples=60 if COMPILED else 6, deadline=None, derandomize=True)


@pytest.mark.slow
@SOME
@given(st.integers(0, 10**6), st.integers(0, 1500 if COMPILED else 120))
def test_points_and_sticks_always_add_up(seed, steps):
    state = table(seed, steps)[0]
    assert int(state.points.sum()) + 1000 * int(state.sticks) == 100_000
    assert state.discards.max() <= RIVER


@SOME
@given(st.integers(0, 10**6), st.integers(0, 300 if COMPILED else 80), st.integers(0, 3))
def test_two_ways_to_count_unseen_tiles_agree(seed, steps, seat):
    states = table(seed, steps)
    unseen = np.zeros(KINDS, np.uint8)
    reds = int(count_unseen(states[0], seat, unseen))
    assert [int(count_unseen_kind(states[0], seat, kind)) for kind in range(KINDS)] == unseen.tolist()
    layout = GAME.checks.layout(states, seat)
    hidden = [card for card, secret in zip(layout.cards, layout.hidden, strict=True) if secret]
    assert unseen.sum() == len(hidden)
    assert reds == sum(1 << face for face in hidden if face >= KINDS)


@pytest.mark.slow
@SOME
@given(st.integers(0, 10**6), st.integers(0, 300 if COMPILED else 80))
def test_the_layout_knows_the_same_places_as_the_kernels(seed, steps):
    state = table(seed, steps)[0]
    opened, there = places_of(state)
    assert opened == [place for place in range(TILES) if is_open_place(state, place)]
    assert there == [place for place in range(TILES) if is_still_there(state, place)]


RIICHI = {0: "123m456p789s44z78m", 1: "147m28p5599s1234z", 2: JUNK, 3: MORE_JUNK}


def riichi_table() -> Scene:
    """Seat 0 is in riichi, seat 1 is to move."""
    return Scene(RIICHI, draws="7z 6z").play("0 riichi", "0 *").pass_all()


def test_guessed_hands_in_riichi_are_ready_and_seldom_furiten():
    scene = riichi_table()
    bits = np.array([5], np.uint64)
    shapes, furiten = set(), 0
    for _ in range(100 if COMPILED else 20):
        copy = scene.states.copy()
        GAME.kernels.hide(copy[0], 1)
        GAME.kernels.guess(copy[0], 1, bits)
        assert copy[0].waits[0] != 0
        assert int(copy[0].hand[0].sum()) == 13
        shapes.add(copy[0].hand[0].tobytes())
        furiten += bool(copy[0].waits[0] & copy[0].thrown[0])
    assert len(shapes) > 15
    assert furiten == 0


def test_all_three_others_in_riichi_are_guessed_ready():
    hands = {0: "123m456p789s44z78m", 1: "147m28p5599s1233z", 2: "234m567p67s222p55z", 3: "345m345p345s66z78p"}
    scene = Scene(hands, draws="7z 3z 7z 7z 7z")
    scene.play("0 riichi", "0 *", "1 *", "2 riichi", "2 *", "3 riichi", "3 *", "0 *").pass_all()
    bits = np.array([9], np.uint64)
    copy = scene.states.copy()
    GAME.kernels.guess(copy[0], 1, bits)
    assert all(copy[0].waits[seat] != 0 for seat in (0, 2, 3))
    before, after = GAME.checks.layout(scene.states, 1), GAME.checks.layout(copy, 1)
    assert sorted(before.cards) == sorted(after.cards)


def test_hidden_copies_blank_the_draw_of_another_and_keep_the_own():
    scene = riichi_table()
    other, own = scene.states.copy(), scene.states.copy()
    GAME.kernels.hide(other[0], 2)
    GAME.kernels.hide(own[0], 1)
    assert other[0].drawn == hiding.SOMETHING
    assert own[0].drawn == faces("6z")[0]


def test_the_observation_names_what_lies_open():
    scene = riichi_table()
    numbers = np.zeros(GAME.spaces.observation.size, np.float32)
    GAME.kernels.observe(scene.state, 1, numbers)
    seen = GAME.spaces.observation.by_name(numbers)
    assert seen["drawn"].argmax() == faces("6z")[0]
    assert seen["riichi"].tolist() == [0, 0, 0, 2]  # the seat before
    assert seen["riichi_tile"].reshape(4, KINDS)[3].argmax() == faces("7z")[0]
    assert seen["hand"][:KINDS].sum() == 12  # different kinds of 14 tiles
    assert seen["safe"].reshape(3, KINDS)[2].tolist() == seen["riichi_tile"].reshape(4, KINDS)[3].tolist()
    assert seen["wind"].argmax() == 1


def ask(scene: Scene, name: str) -> int:
    mask, bits = np.zeros(GAME.spaces.mask_words, np.uint64), np.array([1], np.uint64)
    GAME.kernels.legal(scene.state, mask)
    seat = int(GAME.kernels.to_move(scene.state))
    policy = GAME.players.policy(name)
    numbers = np.zeros(max(1, policy.numbers))
    return int(policy.choose(scene.state, seat, np.zeros(0), bits, mask, scene.states, numbers))


def test_shanten_takes_the_shortest_way_with_the_most_tiles():
    scene = Scene({0: "123m456p789s257s7z"}, draws="6s")
    assert ask(scene, "shanten") == actions.RIICHI
    scene.play("0 riichi")
    assert ask(scene, "shanten") in faces("2s7z")
    scene = Scene({0: "2346m456p789s2s77z"}, draws="9p")  # ready to be: 2s or 9p may go, and 2346m waits for more
    assert ask(scene, "shanten") in (faces("2s")[0], actions.TSUMOGIRI)
    scene = Scene({0: "234m345p456p67s88s"}, draws="5s")
    assert ask(scene, "shanten") == actions.TSUMO


def test_tsumogiri_discards_the_draw_and_claims_nothing():
    scene = Scene({0: "234m345p456p67s88s", 1: JUNK}, draws="5s")
    assert ask(scene, "tsumogiri") == actions.TSUMOGIRI
    scene = Scene({0: "147m28p5599s1234z", 1: "234m345p456p67s88s"}, draws="9m").play("0 5s")
    assert ask(scene, "tsumogiri") == actions.PASS


@pytest.mark.skipif(not COMPILED, reason="whole matches take too long uncompiled")
def test_who_wins_beats_who_does_not():
    rows = tefuda.match("mahjong", ["shanten", "random", "tsumogiri", "random"], deals=20, seed=1).rows
    assert rows[0].name == "shanten"
    assert rows[0].figure.mean > 20 > max(row.figure.mean for row in rows[1:])
    assert rows[0].more["mean_rank"] < 1.5
    assert rows[0].more["won_deals_rate"] > 0.2 > rows[1].more["won_deals_rate"]
    assert rows[2].more["riichi_rate"] == 0
    assert rows[0].more["mean_rank"] + 2 * rows[1].more["mean_rank"] + rows[2].more["mean_rank"] == pytest.approx(10)
