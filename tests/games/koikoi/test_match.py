"""How a match stands: what a learner is told of it by the goal `place`, and a champion that does not care."""

import numpy as np
import pytest

from tefuda.games.koikoi import GAME, rules
from tefuda.games.koikoi.players import round as single
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

pytestmark = pytest.mark.kernel
NINTENDO = GAME.rulebook.make("nintendo")


def standing(score: int, finished: int, over: bool = False) -> np.ndarray:
    """A table at which the first seat is ahead by so much after so many rounds."""
    table = Table(GAME, NINTENDO, 5, 0)
    state = table.states[0]
    state.score[0], state.score[1], state.finished = score, -score, finished
    if over:
        state.phase = rules.OVER
    return table.states


def expected(states: np.ndarray) -> np.ndarray:
    out = np.zeros(2)
    GAME.learning.places(states[0], out)
    return out


def test_at_the_end_the_expected_place_is_the_result():
    assert expected(standing(1, 12, over=True)).tolist() == [0.5, -0.5]
    assert expected(standing(-40, 12, over=True)).tolist() == [-0.5, 0.5]
    assert expected(standing(0, 12, over=True)).tolist() == [0.0, 0.0]


def test_a_lead_counts_for_more_the_fewer_rounds_are_left():
    leads = [expected(standing(lead, finished))[0] for lead, finished in ((0, 0), (5, 0), (20, 0), (20, 6), (20, 11))]
    assert leads[0] == 0.0
    assert leads == sorted(leads)
    assert leads[-1] < 0.5
    assert len(set(leads)) == 5
    for states in (standing(7, 3), standing(-30, 11)):
        assert expected(states).sum() == 0.0


def test_the_champion_for_points_plays_as_in_the_first_round_of_a_level_match():
    player = resolve(GAME, "champion/points", NINTENDO)
    assert player.policy.key == single.NAME
    behind, level = standing(-35, 11), standing(0, 0)
    level[0].rules.rounds = single.ROUNDS
    told = []
    for states, policy in ((behind, player.policy), (level, GAME.players.policy("network"))):
        before, out = states.copy(), np.zeros(GAME.spaces.actions.size)
        mask = np.zeros(GAME.spaces.mask_words, np.uint64)
        GAME.kernels.legal(states[0], mask)
        policy.chances(states[0], 0, player.params, mask, states, np.zeros(policy.numbers), out)
        assert states.tobytes() == before.tobytes()  # the table is as it was
        told.append(out)
    assert told[0].sum() == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(told[0], told[1])


def test_a_variant_that_is_a_player_of_its_own_takes_settings():
    sure = resolve(GAME, "champion/points+temperature=0", NINTENDO)
    assert sure.policy.key == single.NAME
    assert sure.params[2] == 0.0
    assert resolve(GAME, "champion/temperature=0", NINTENDO).policy.key == "network"
    assert GAME.players.named_under("champion/points", GAME.rulebook.make("paper"))
