"""The vector environment: its games are those of single tables, with the same seed, actions and opponents."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tefuda
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

GAMES = {
    "koikoi": ("paper", "rule-based"),
    "kuhn": ("standard", "equilibrium"),
    "leduc": ("standard", "honest"),
    "mahjong": ("hand", "tsumogiri"),
    "saichugen": ("paper", "random"),
    "tricks": ("hearts", "rule-based"),
}
LANES = 8
STEPS = 60


class Beside:
    """Single tables that take the same actions as the lanes."""

    def __init__(self, env, opponents: list[str]) -> None:
        self.env = env
        self.opponents = [resolve(env.game, name, env.rules) for name in opponents]
        self.deals = list(range(env.lanes))
        self.tables = [self.dealt(lane) for lane in range(env.lanes)]

    def dealt(self, lane: int) -> Table:
        """The lane's next game in which somebody is asked."""
        while True:
            table = Table(self.env.game, self.env.rules, self.env.seed, self.deals[lane])
            self.reach(lane, table)
            if not table.over:
                return table
            self.deals[lane] += self.env.lanes

    def reach(self, lane: int, table: Table) -> None:
        """Let the opponents move on."""
        while self.opponents and not table.over and table.to_move != lane % table.game.seats:
            place = (table.to_move - lane) % table.game.seats - 1
            table.apply(table.ask(self.opponents[place]))

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What each seat gained, whether the game is over, and what it brought."""
        gained, ended, scores = [], [], []
        for lane, table in enumerate(self.tables):
            before = table.scores
            table.apply(int(actions[lane]))
            self.reach(lane, table)
            gained.append(table.scores - before)
            ended.append(table.over)
            scores.append(table.scores * table.over)
            if table.over:
                self.deals[lane] += self.env.lanes
                self.tables[lane] = self.dealt(lane)
        return np.array(gained), np.array(ended), np.array(scores)


def assert_same_sight(turn, beside: Beside) -> None:
    for lane, table in enumerate(beside.tables):
        view = table.view()
        assert turn.seats[lane] == view.seat
        assert np.flatnonzero(turn.masks[lane]).tolist() == view.legal
        np.testing.assert_array_equal(turn.observations[lane], view.inputs)
    assert beside.env.deals.tolist() == beside.deals


def test_all_games_are_tried():
    assert sorted(GAMES) == tefuda.list_games()


@pytest.mark.slow
@pytest.mark.parametrize("against", [False, True])
@pytest.mark.parametrize("name", sorted(GAMES))
def test_lanes_play_the_games_of_single_tables(name, against):
    rules, opponent = GAMES[name]
    game = tefuda.game(name)
    opponents = [opponent] * (game.seats - 1) if against else None
    env = tefuda.vector(name, LANES, opponents, rules=rules, seed=5, threads=1)
    turn, over = env.reset(), 0
    beside = Beside(env, opponents or [])
    for _ in range(STEPS):
        assert_same_sight(turn, beside)
        actions = env.random_actions()
        turn = env.step(actions)
        gained, ended, scores = beside.step(actions)
        np.testing.assert_allclose(turn.rewards, gained, rtol=1e-6)
        np.testing.assert_array_equal(turn.ended, ended)
        np.testing.assert_array_equal(turn.scores, scores)
        over += ended.sum()
    assert over > 0 or name == "mahjong"


def test_a_match_plays_the_same_games():
    """The first game of each lane, played by a compiled player's own answers, is that of the loop of whole games."""
    game, lanes = tefuda.game("koikoi"), 6
    env = tefuda.vector("koikoi", lanes, ["rule-based/always-stop"], seed=3)
    turn, first = env.reset(), {}
    while len(first) < lanes:
        turn = env.step(env.advice())
        for lane in np.flatnonzero(turn.ended):
            first.setdefault(int(lane), turn.scores[lane].copy())
    player = resolve(game, "rule-based/always-stop")
    scores = np.zeros((lanes, 1, 2))
    loops_of(game).play_deals(
        game.blank(), 3, 0, lanes, np.array([[0, 0]]), seated(game, [player]), scratch(game, [player]), scores,
        np.zeros((1, loops_of(game).counted), np.int64),
    )  # fmt: skip
    assert [first[lane].tolist() for lane in range(lanes)] == scores[:, 0].tolist()


def test_threads_and_number_of_lanes_do_not_change_a_game():
    def started(lanes: int, threads: int) -> np.ndarray:
        env = tefuda.vector("tricks", lanes, seed=9, threads=threads)
        env.reset()
        return np.concatenate([env.step(env.random_actions()).observations[:40].copy() for _ in range(2)])

    np.testing.assert_array_equal(started(100, 1), started(100, 3))
    np.testing.assert_array_equal(started(40, 1), started(100, 2))


def test_a_turn_outlives_the_next_step():
    env = tefuda.vector("kuhn", 4)
    turn = env.reset()
    kept = turn.observations.copy()
    following = env.step(env.random_actions())
    np.testing.assert_array_equal(turn.observations, kept)
    assert env.turn is following is not turn


def test_reset_begins_again_and_a_seed_changes_the_games():
    env = tefuda.vector("tricks", 16, seed=4)
    first = env.reset().observations.copy()
    env.step(env.random_actions())
    np.testing.assert_array_equal(env.reset().observations, first)
    assert (env.reset(seed=5).observations != first).any()
    assert env.seed == 5


def test_the_own_seat_is_the_one_that_was_asked_for():
    env = tefuda.vector("saichugen", 9, ["random"], seat=2)
    turn = env.reset()
    assert turn.seats.tolist() == [2] * 9 == env.own_seats.tolist()
    assert env.own(np.arange(27).reshape(9, 3)).tolist() == list(range(2, 27, 3))
    rotated = tefuda.vector("saichugen", 9, ["random"])
    assert rotated.reset().seats.tolist() == [0, 1, 2] * 3


class Own:
    def act(self, view):
        return view.legal[0]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"lanes": 0}, "lanes is 0, but takes a whole number from 1"),
        ({"opponents": []}, "koikoi has 1 to 1 opponents, but 0 were named"),
        ({"opponents": ["random", "random"]}, "but 2 were named"),
        ({"opponents": [Own]}, "Own cannot sit here: opponents are compiled players"),
        ({"opponents": ["radnom"]}, "did you mean 'random'"),
        ({"seat": 1}, "a seat of its own goes with opponents"),
        ({"seat": 2, "opponents": ["random"]}, "seat is 2"),
        ({"device": "gpu"}, "unknown device 'gpu'"),
        ({"rules": "nintento"}, "did you mean 'nintendo'"),
    ],
)
def test_what_cannot_be_made_is_a_problem(arguments, line):
    with pytest.raises(tefuda.Problem, match=line):
        tefuda.vector("koikoi", **{"lanes": 4, **arguments})


@pytest.mark.parametrize(
    ("actions", "line"),
    [
        ([0, 0, 0], "step takes 4 whole numbers"),
        ([0.0, 0.0, 0.0, 0.0], "step takes 4 whole numbers"),
        ([0, 0, 2, 0], "lane 2: illegal move 2: legal are 0"),
        ([0, -1, 0, 0], "lane 1: illegal move -1"),
    ],
)
def test_a_wrong_action_moves_no_lane(actions, line):
    env = tefuda.vector("kuhn", 4)
    with pytest.raises(tefuda.Problem, match="call reset first"):
        env.step([0] * 4)
    kept = env.reset().observations.copy()
    with pytest.raises(tefuda.Problem, match=line):
        env.step(actions)
    np.testing.assert_array_equal(env.turn.observations, kept)
    env.step([0] * 4)


@pytest.mark.slow
def test_simulated_cuda_gives_the_same_turns():
    """By the check that compares a real GPU with the CPU."""
    pytest.importorskip("torch")
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, str(Path(__file__).parent / "check_vector_cuda.py"), "--games", "kuhn"]
    sizes = ["--lanes", "10", "--steps", "7", "--seconds", "0"]
    done = subprocess.run([*command, *sizes], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(": good (standard; 7 steps of 10 lanes each") == 2
