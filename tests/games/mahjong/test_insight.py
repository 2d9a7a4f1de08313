"""What a critic is told while networks learn: the hidden truth, and nothing that a player is told."""

import numpy as np
import pytest

from tefuda.games.mahjong import GAME, insight
from tefuda.games.mahjong.actions import PASS, TSUMOGIRI
from tefuda.games.mahjong.hiding import tiles_in_hand
from tefuda.games.mahjong.shanten import shanten
from tefuda.games.mahjong.state import DRAWS
from tefuda.games.mahjong.tiles import KINDS
from tefuda.table.table import legal_actions
from tests.games.mahjong.mahjong_scene import Scene
from tests.games.mahjong.test_prospects import kind_of, tables

pytestmark = pytest.mark.kernel
SPACE = insight.SPACE
READY, NEAR = "123m456p789s1122z", "123m456p78s33445z"


def told(state, seat: int) -> dict[str, np.ndarray]:
    """All parts, by their keys."""
    out = np.full(SPACE.size, np.nan, np.float32)
    insight.write_insight(state, seat, out)
    assert np.isfinite(out).all()
    return {part.key: out[SPACE.slices[part.key]] for part in SPACE.parts}


def kinds(text: str) -> list[int]:
    """Kinds in notation: m, p, s and z."""
    return ["mpsz".index(each[-1]) * 9 + int(each[0]) - 1 for each in text.split()]


def set_in(part: np.ndarray, place: int) -> list[int]:
    return np.flatnonzero(part.reshape(-1, KINDS)[place]).tolist()


@pytest.mark.slow
def test_hands_and_how_far_they_are_from_ready():
    met = 0
    for table in tables("hanchan", 7):
        state, seat = table.states[0], table.to_move
        found = told(state, seat)
        hands = 4 * found["hands"].reshape(3, KINDS)
        for place in range(4):
            owner = (seat + place) % 4
            own = state.hand[owner].astype(int)
            if place:
                assert hands[place - 1].tolist() == own.tolist()
            if tiles_in_hand(state, owner) % 3 == 2:  # it has called, and discards now: told is how it stood before
                continue
            far = shanten(state.hand[owner], np.int64(state.meld_count[owner]))
            assert found["ready"][place] == (far == 0)
            assert found["far"][place] == pytest.approx(far / 6)
            nearer = []
            for kind in range(KINDS):
                more = own.copy()
                more[kind] += 1
                if own[kind] < 4:
                    after = shanten(more.astype(state.hand.dtype), np.int64(state.meld_count[owner]))
                    nearer += [kind] if after < far else []
            assert set(nearer) <= set(set_in(found["wanted"], place))  # the fifth of a kind may be wanted too
            met += 1
    assert met > 100


def test_waits_furiten_and_what_comes():
    scene = Scene({0: READY, 1: NEAR}, draws="5m 9p 1z 2z 3s 6m 9s 4m 1z", dora="6z", ura="4p")
    found = told(scene.state, 0)
    assert found["ready"].tolist() == [1, 0, 0, 0]
    assert set_in(found["wanted"], 0) == kinds("1z 2z")
    assert set_in(found["wanted"], 1) == kinds("6s 9s 3z 4z")
    assert not found["furiten"].any()
    # the dealer has drawn 5m; then 9p, 1z, 2z come to the seats 1, 2, 3, and 3s, 6m, 9s, 4m to the seats 0 to 3
    coming = found["coming"].reshape(4, KINDS)
    assert coming[0, kinds("3s")] == pytest.approx(1.0)
    assert coming[0, kinds("1z")] == pytest.approx(0.8)
    assert coming[1, kinds("9p 6m")] == pytest.approx([1.0, 0.8])
    assert coming[2, kinds("1z")] == pytest.approx(1.0)
    assert found["lucky"].reshape(4, 8)[0, :2].tolist() == [0, 1]
    assert found["lucky"].reshape(4, 8)[1, :2].tolist() == [0, 0]
    out = 4 * found["out"].reshape(4, 3)
    assert out[0, :2].tolist() == [2, 2 + more_of(scene, kinds("1z 2z"), 4, 12)]
    assert found["dora"].tolist() == [0, 0, 0, 0]  # the indicator says 7z
    assert 4 * found["ura"][0] == 1  # under it lies 4p
    scene = Scene({0: READY}, draws="1z 9p", dora="1z")
    assert 4 * told(scene.state, 0)["dora"][0] == 2
    scene.play("0 *")
    assert told(scene.state, 1)["furiten"].tolist() == [0, 0, 0, 1]  # the dealer sits last from there


def more_of(scene: Scene, wanted: list[int], first: int, last: int) -> int:
    """How many of some kinds come from one draw to another, the next being 0."""
    begin = int(DRAWS) + int(scene.state.next)
    return sum(kind_of(int(face)) in wanted for face in scene.state.wall[begin + first : begin + last])


@pytest.mark.slow
def test_who_draws_what_is_what_happens():
    """Play on without calls: each draw is the one that was told."""
    checked = 0
    for table in tables("hand", 11, deals=8):
        states, seat = table.states.copy(), table.to_move
        coming = told(states[0], seat)["coming"].reshape(4, KINDS)
        seen = np.zeros(4, int)
        while GAME.kernels.to_move(states[0]) >= 0 and seen.min() < 3:
            state = states[0]
            legal, number = legal_actions(GAME, states), int(state.next)
            GAME.kernels.apply(state, next((each for each in (PASS, TSUMOGIRI) if each in legal), legal[0]))
            if state.next != number and state.drawn >= 0:
                owner = (int(state.seat) - seat) % 4
                assert coming[owner, kind_of(int(state.drawn))] >= 0.8 ** seen[owner] - 1e-6
                seen[owner] += 1
                checked += 1
    assert checked > 100


def test_nothing_of_it_is_told_to_a_player():
    """In worlds that look the same to a seat, its observation is the same, and the insight is another."""
    scene = Scene({0: READY, 1: NEAR}, draws="5m 9p 1z 2z")
    space = GAME.spaces.observation
    seen, differ = set(), set()
    for world in range(8):
        guessed = scene.states.copy()
        GAME.kernels.hide(guessed[0], 0)
        GAME.kernels.guess(guessed[0], 0, np.array([world + 1], np.uint64))
        out = np.zeros(space.size, np.float32)
        GAME.kernels.observe(guessed[0], 0, out)
        seen.add(out.tobytes())
        differ.add(b"".join(part.tobytes() for part in told(guessed[0], 0).values()))
    assert len(seen) == 1
    assert len(differ) == 8
