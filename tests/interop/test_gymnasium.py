# ruff: noqa: E402 — what follows importorskip is imported late
"""Gymnasium: its checker passes on every game, and one seat's games are those of a table with the same opponents."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import tefuda

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env

from tefuda.interop.gymnasium import ManySeats, OneSeat

NAMES = {name: f"tefuda/{name.capitalize()}-v0" for name in tefuda.list_games()}


def quietly(work):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that observations have no bounds
        return work()


@pytest.mark.slow
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("name", sorted(NAMES))
def test_gymnasiums_checker_passes(name, masked):
    table = quietly(lambda: gymnasium.make(NAMES[name], masked=masked, render_mode="ansi"))
    quietly(lambda: check_env(table.unwrapped))


@pytest.mark.parametrize("seat", [0, 2])
def test_a_game_is_that_of_a_table_with_the_same_opponents(seat):
    opponents = ["rule-based", "random", "champion"]
    there = OneSeat("tricks", opponents, seat, "hearts")
    there.reset(seed=4)
    observation, info = there.reset()  # the next deal
    table = tefuda.table("tricks", "hearts", seed=4, deal=1)
    game, rules = table.game, table.rules
    from tefuda.players.resolve import resolve

    entrants = [resolve(game, name, rules) for name in opponents]
    total, over = 0.0, False
    while not table.over:
        if table.to_move != seat:
            table.apply(table.ask(entrants[(table.to_move - seat) % 4 - 1]))
            continue
        view = table.view()
        np.testing.assert_array_equal(observation, view.inputs)
        assert np.flatnonzero(info["action_mask"]).tolist() == view.legal
        assert there.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
        observation, reward, over, truncated, info = there.step(view.legal[-1])
        table.apply(view.legal[-1])
        total += reward
        assert not truncated
    assert over
    assert total == table.scores[seat]
    assert info["scores"].tolist() == table.scores.tolist()


def test_many_tables_are_the_lanes_of_the_vector_environment():
    there = quietly(lambda: gymnasium.make_vec(NAMES["koikoi"], 6, opponents=["rule-based"], seat=1))
    lanes = tefuda.vector("koikoi", 6, ["rule-based"], seat=1, seed=3)
    observations, info = there.reset(seed=3)
    turn, over = lanes.reset(), 0
    for _ in range(30):
        np.testing.assert_array_equal(observations, turn.observations)
        np.testing.assert_array_equal(info["action_mask"], turn.masks)
        actions = lanes.random_actions()
        turn = lanes.step(actions)
        kept = observations.copy()
        before = observations
        observations, rewards, ended, truncated, info = there.step(actions)
        np.testing.assert_array_equal(before, kept)  # what was given stays
        np.testing.assert_array_equal(rewards, turn.rewards[:, 1])
        np.testing.assert_array_equal(ended, turn.ended)
        assert not truncated.any()
        if ended.any():
            np.testing.assert_array_equal(info["scores"], turn.scores)
        over += ended.sum()
        assert there.observation_space.contains(observations)
    assert over > 0
    assert (there.reset()[0] != there.reset()[0]).any()  # without a seed, other games


def test_masked_observations_hold_the_mask():
    single, many = OneSeat("leduc", masked=True), ManySeats("leduc", 3, masked=True)
    for there in (single, many):
        observation, info = there.reset(seed=1)
        assert there.observation_space.contains(observation)
        np.testing.assert_array_equal(observation["action_mask"], info["action_mask"])


def test_an_illegal_move_ends_the_game_or_is_a_problem():
    there = OneSeat("kuhn", penalty=3.0)
    there.reset(seed=1)
    _, reward, over, _, info = there.step(9)
    assert (reward, over) == (-3.0, True)
    assert info["illegal_move"].startswith("illegal move 9: legal are")
    with pytest.raises(tefuda.Problem, match="call reset first"):
        there.step(0)
    strict = OneSeat("kuhn", illegal="problem")
    strict.reset(seed=1)
    with pytest.raises(tefuda.Problem, match="illegal move 9"):
        strict.step(9)
    assert strict.step(np.array(0))[1] in (-2.0, -1.0, 0.0, 1.0, 2.0)


def test_names_are_found_without_importing_us_first():
    name = "'tefuda.interop.gymnasium:tefuda/Kuhn-v0'"
    code = f"import gymnasium; one = gymnasium.make({name}, seat=1); many = gymnasium.make_vec({name}, num_envs=3);"
    code += "print(one.unwrapped.seat, many.reset(seed=1)[0].shape[0])"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "3"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"name": "kun"}, "unknown game 'kun'"),
        ({"name": "kuhn", "seat": 2}, "seat is 2"),
        ({"name": "kuhn", "illegal": "ignore"}, "unknown way to take an illegal move 'ignore'"),
        ({"name": "kuhn", "opponents": ["bob"]}, "unknown player of kuhn 'bob'"),
    ],
)
def test_what_is_wrong_is_a_problem(arguments, line):
    with pytest.raises(tefuda.Problem, match=line):
        OneSeat(**arguments)
