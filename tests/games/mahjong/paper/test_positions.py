"""Records by self-play: the same positions for the same numbers, and what is in them by a second way."""

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from tefuda.games.mahjong.paper import groups
from tefuda.games.mahjong.paper.positions import CLASSES, NONE, TURNS, Positions, draw_start, piece
from tefuda.kernel.random import LEARNER, stream
from tefuda.players.resolve import resolve
from tests.games.mahjong.mahjong_scene import GAME

RULES = GAME.rulebook.make("hand")


def positions(first: int, last: int, opponent: str = "tsumogiri", exploring: str = "random") -> Positions:
    return piece(GAME, resolve(GAME, "shanten", RULES), resolve(GAME, opponent, RULES), 4, first, last, exploring)


def value_of(row: np.ndarray, name: str) -> list[int]:
    """The indices of the features of a group that are on."""
    number = groups.group(name)
    first, last = groups.OFFSETS[number], groups.OFFSETS[number + 1]
    return [int(each - first) for each in row if first <= each < last]


@pytest.mark.slow
def test_a_position_depends_on_its_number_alone():
    whole, parts = positions(0, 60), [positions(0, 13), positions(13, 40), positions(40, 60)]
    np.testing.assert_array_equal(whole.rows, np.concatenate([part.rows for part in parts]))
    np.testing.assert_array_equal(whole.came, np.concatenate([part.came for part in parts]))
    assert 25 < len(whole.came) < 60


def test_positions_are_what_the_paper_describes():
    """Turns and hands as they must be; who plays for a win alone against those who never win, wins often."""
    found = positions(0, 600)
    drawn = []
    for row in found.rows:
        assert NONE in row
        listed = row[: row.tolist().index(NONE)]
        assert NONE not in listed
        assert 0 <= listed.min() <= listed.max() < groups.SIZE
        for name in ("standard shanten", "melds", "yaku", "shape", "shanten, yaku, turn"):
            assert len(value_of(listed, name)) == 1
        drawn.append(value_of(listed, "shanten, yaku, turn")[0] % TURNS)
    assert set(drawn) == set(range(TURNS))
    assert set(found.came.tolist()) <= set(range(len(CLASSES)))
    wins, turn = found.came > 0, np.array(drawn)
    assert wins[turn < 6].mean() > 0.3 > wins[turn >= 12].mean() > 0.0
    ready = [value_of(row, "standard shanten") == [0] for row in found.rows]
    assert wins[ready].mean() > wins.mean()


def test_random_actions_include_calls_and_calls_lose():
    """With an opponent who discards at random a call is often possible; a call rules riichi out."""
    found = positions(0, 500, "random")
    called = np.array([value_of(row, "melds") != [0] for row in found.rows])
    assert 0.1 < called.mean() < 0.7
    assert (found.came[called] > 0).mean() < (found.came[~called] > 0).mean()


def test_without_random_actions_hands_are_those_that_the_player_leaves():
    """`shanten` never calls, never steps back, and declares riichi with a ready hand: some positions are ready ones."""
    random, own = positions(0, 400, "random"), positions(0, 400, "random", "never")
    far = [np.mean([value_of(row, "standard shanten")[0] for row in found.rows]) for found in (random, own)]
    assert far[1] < far[0] - 0.1
    assert all(value_of(row, "melds") == [0] for row in own.rows)
    assert any(value_of(row, "standard shanten") == [0] for row in own.rows)
    assert (own.came > 0).mean() > (random.came > 0).mean()


def test_chances_to_call_are_sought_in_every_other_deal():
    plain, sought = positions(0, 400, "random"), positions(0, 400, "random", "calls")
    called = [np.mean([value_of(row, "melds") != [0] for row in found.rows]) for found in (plain, sought)]
    assert called[1] > called[0] + 0.15
    even = [found.numbers % 2 == 0 for found in (plain, sought)]
    np.testing.assert_array_equal(plain.rows[even[0]], sought.rows[even[1]])  # the other deals are as they were


@pytest.mark.slow
def test_winds_and_turns_are_drawn_as_the_paper_says():
    winds, dealers, turns = Counter(), Counter(), Counter()
    states = GAME.blank(RULES)
    GAME.kernels.deal(states[0], np.array([7], np.uint64))
    for number in range(900):
        turn = int(draw_start(states[0], np.array([stream(1, number, 0, LEARNER)], np.uint64)))
        winds[int(states[0].kyoku) // 4] += 1
        dealers[int(states[0].kyoku) % 4] += 1
        turns[turn] += 1
    assert abs(winds[0] - 400) < 60
    assert abs(winds[1] - 400) < 60
    assert abs(winds[2] - 100) < 40
    assert all(abs(dealers[seat] - 225) < 55 for seat in range(4))
    assert len(turns) == TURNS
    assert min(turns.values()) > 25


SIMULATED = """
import sys
import numpy as np
import pytest
from tefuda.games.mahjong import GAME
from tefuda.games.mahjong.paper.positions_cuda import Lanes
from tefuda.players.resolve import resolve
rules = GAME.rulebook.make("hand")
lanes = Lanes(GAME, resolve(GAME, "shanten", rules), resolve(GAME, "tsumogiri", rules), 3)
for first in (0, 3):
    lanes.play(4, first)
found = lanes.positions()
np.savez(sys.argv[1], rows=found.rows, came=found.came)
"""


@pytest.mark.slow
def test_simulated_cuda_gives_the_positions_of_the_cpu(tmp_path):
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", SIMULATED, str(tmp_path / "out.npz")]
    subprocess.run(command, check=True, env=environment)
    simulated, here = np.load(tmp_path / "out.npz"), positions(3, 6)
    np.testing.assert_array_equal(simulated["rows"], here.rows)
    np.testing.assert_array_equal(simulated["came"], here.came)
    assert len(here.came) > 0
