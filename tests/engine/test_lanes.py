"""Lanes of tables for learners: their games are those of single tables, and what they tell of them is true."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tefuda import games
from tefuda.contract import NamedPlayer, Policy
from tefuda.engine.lanes import lane_scratch, lanes_of
from tefuda.engine.network import GOALS
from tefuda.engine.seated import seated
from tefuda.games.kuhn.rules import BET, BOTH, UNKNOWN
from tefuda.kernel.compile import COMPILED
from tefuda.kernel.random import LEARNER, stream, unit
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

KUHN = games.find("kuhn")
RULES = {  # one or more of each game; with several, lanes play by all of them
    "koikoi": (["paper"], ["nintendo", "rounds=2"]),
    "kuhn": (["standard"], ["standard", "bet=3"]),
    "saichugen": (["paper"],),
    "tricks": (["hearts"], ["usual", "target=20"]),
}
OPPONENT = "always-bet"
OUTSIDE = Entrant("asked from outside", None, np.zeros(0))


class Tables:
    """Lanes in plain arrays, as learn/deep/tables.py makes them of tensors."""

    def __init__(self, game, rules, lanes, seed, opponent="", versus=0, share=1, goal="score", scale=1.0):
        self.game, self.count = game, lanes
        players = [OUTSIDE, resolve(game, opponent) if opponent else OUTSIDE]
        self.kernels, self.scratch = lanes_of(game), lane_scratch(game, players)
        seats, actions = game.seats, game.spaces.actions.size
        sitting = np.zeros((lanes, seats), np.int64)
        for lane in range(versus):
            sitting[lane] = 1
            sitting[lane, lane % seats] = 0
        self.setting = (
            np.concatenate([game.blank(each) for each in rules]), np.full(len(rules), GOALS[goal]),
            np.full(len(rules), scale), sitting, seated(game, players), np.uint64(seed), share,
            np.zeros((1, 1), np.int64),
        )  # fmt: skip
        self.own = (
            np.zeros(lanes, game.State), np.zeros((lanes, seats), np.uint64), np.zeros(lanes, np.int64),
            np.zeros((lanes, seats), np.float32), np.zeros((lanes, seats + 1)),
        )  # fmt: skip
        self.states, self.rngs, self.games, self.luck, self.first = self.own
        self.sight = (
            np.zeros((lanes, game.spaces.observation.size), np.float32), np.zeros((lanes, actions), bool),
            np.zeros(lanes, np.int8), np.zeros(lanes, np.int8),
            np.zeros((lanes, (seats - 1) * game.spaces.observation.size), np.float32),
        )  # fmt: skip
        self.observation, self.allowed, self.seat_of, self.asked_of, self.others = self.sight
        self.result = (
            np.zeros(lanes, np.int64), np.zeros(lanes, np.float32), np.zeros(lanes, bool),
            np.zeros((lanes, seats), np.float32),
        )  # fmt: skip
        self.chosen, self.log_chance, self.ended, self.rewards = self.result
        self.kernels.start_some(0, lanes, True, self.own, self.setting, self.sight, self.scratch)

    def step(self, logits):
        arguments = (self.own, self.setting, np.tile(logits, (self.count, 1)), self.result, self.sight)
        self.kernels.step_some(0, self.count, *arguments, self.scratch)


def liking(game) -> np.ndarray:
    """Logits that tell actions apart."""
    return np.random.default_rng(3).normal(size=game.spaces.actions.size).astype(np.float32)


def rules_of(name):
    game = games.find(name)
    return game, [game.rulebook.make(preset, changes) for preset, *changes in RULES[name]]


def pick(logits, table) -> tuple[int, float]:
    """An action by the softmax of the logits, from the stream of the seat to move; and the log of its chance."""
    legal, seat = table.legal, table.to_move
    weights = np.exp(logits[legal].astype(np.float64) - logits[legal].max())
    point = unit(table.rngs[seat : seat + 1]) * weights.sum()
    place = int(np.searchsorted(np.cumsum(weights), point, side="right"))
    return legal[place], float(np.log(weights[place] / weights.sum()))


@pytest.mark.slow
@pytest.mark.kernel
@pytest.mark.parametrize("name", sorted(RULES))
def test_games_of_lanes_are_those_of_single_tables_and_rewards_add_up_to_their_scores(name):
    game, rules = rules_of(name)
    lanes, scale, logits = game.seats * len(rules), 4.0, liking(game)
    tables = Tables(game, rules, lanes, 11, scale=scale)
    rule_of = [rules[lane // game.seats % len(rules)] for lane in range(lanes)]
    singles = [Table(game, rule_of[lane], 11, lane) for lane in range(lanes)]
    begun = [single.scores for single in singles]
    gained, finished = np.zeros((lanes, game.seats)), np.zeros(lanes, int)
    first: dict[int, list[float]] = {}  # the scores of each lane's first game
    longest = max(game.decisions_at_most(each) for each in rules)
    wanted = 1 if longest > 100 else 3  # games of each lane
    for _ in range(wanted * longest):
        if finished.min() >= wanted:
            break
        for lane, single in enumerate(singles):
            assert (tables.states[lane] == single.states[0]).all()
            assert tables.seat_of[lane] == single.to_move
            assert tables.asked_of[lane] == 0
            assert np.flatnonzero(tables.allowed[lane]).tolist() == single.legal
            seen = np.concatenate(list(single.view().observation.values()))
            assert np.array_equal(tables.observation[lane], seen)
        tables.step(logits)
        gained += tables.rewards * scale
        for lane, single in enumerate(singles):
            action, log_chance = pick(logits, single)
            assert tables.chosen[lane] == action
            assert tables.log_chance[lane] == pytest.approx(log_chance, abs=1e-5)
            single.apply(action)
            assert tables.ended[lane] == single.over
            if not single.over:
                continue
            np.testing.assert_allclose(gained[lane], single.scores - begun[lane], atol=1e-4)
            finished[lane] += 1
            assert tables.games[lane] == finished[lane]
            first.setdefault(lane, [*single.scores, 1.0])
            assert np.array_equal(tables.first[lane], first[lane])
            singles[lane] = Table(game, rule_of[lane], 11, finished[lane] * lanes + lane)
            begun[lane], gained[lane] = singles[lane].scores, 0.0
    assert finished.min() >= wanted


@pytest.mark.kernel
def test_luck_is_drawn_once_a_game_for_each_seat():
    tables = Tables(KUHN, [KUHN.rulebook.make()], 8, 5)
    for _ in range(6):
        for lane in range(8):
            number = int(tables.games[lane]) * 8 + lane
            for seat in range(2):
                exact = int(stream(5, number, seat, LEARNER)) / 2**64
                assert tables.luck[lane, seat] == pytest.approx(exact, abs=1e-6)
        tables.step(np.zeros(2, np.float32))
    assert tables.games.min() > 0


@pytest.mark.kernel
def test_the_goal_win_pays_shares_of_the_win_at_the_end_alone():
    game = games.find("tricks")
    rules = [game.rulebook.make("hearts")]
    tables, logits = Tables(game, rules, 16, 2, goal="win", scale=0.5), liking(game)
    ended = np.zeros(16, bool)
    shared = 0
    for _ in range(52):
        assert not ended.any()
        tables.step(logits)
        ended = tables.ended.copy()
        if not ended.any():
            assert not tables.rewards.any()
    assert ended.all()
    for lane in range(16):
        points = tables.first[lane, :4]
        best = points == points.max()
        shared += best.sum() > 1
        np.testing.assert_allclose(tables.rewards[lane] * 0.5, best / best.sum() - 0.25, atol=1e-6)
    assert shared < 16


@pytest.mark.kernel
def test_compiled_opponents_play_by_themselves_and_from_their_own_streams():
    other, logits, lanes, versus = resolve(KUHN, OPPONENT), np.array([0.3, -0.4], np.float32), 12, 8
    tables = Tables(KUHN, [KUHN.rulebook.make()], lanes, 9, OPPONENT, versus)
    singles = [Table(KUHN, None, 9, lane) for lane in range(lanes)]
    done, gained, taken = np.zeros(lanes, int), np.zeros((lanes, 2)), np.zeros(2, int)

    def opposite(lane):
        """Let the opponent move on at a single table."""
        while lane < versus and singles[lane].to_move == 1 - lane % 2:
            singles[lane].apply(singles[lane].ask(other))

    for lane in range(lanes):
        opposite(lane)
    for _ in range(12):
        for lane, single in enumerate(singles):
            assert (tables.states[lane] == single.states[0]).all()
            assert tables.asked_of[lane] == 0
            assert tables.seat_of[lane] == (lane % 2 if lane < versus else single.to_move)
            taken[int(tables.seat_of[lane])] += lane < versus
        tables.step(logits)
        gained += tables.rewards
        for lane in range(lanes):
            action, _ = pick(logits, singles[lane])
            assert tables.chosen[lane] == action
            singles[lane].apply(action)
            opposite(lane)
            assert tables.ended[lane] == singles[lane].over
            if singles[lane].over:
                np.testing.assert_allclose(gained[lane], singles[lane].scores)
                done[lane] += 1
                singles[lane], gained[lane] = Table(KUHN, None, 9, done[lane] * lanes + lane), 0.0
                opposite(lane)
    assert done.min() > 3
    assert taken.min() > 20


@pytest.mark.kernel
@pytest.mark.skipif(COMPILED, reason="a game with one more policy would be compiled anew")
def test_compiled_opponents_see_only_what_they_may_know():
    seen = []

    def choose(view, seat, params, rng, mask, worlds, numbers):
        seen.append((view.card[seat] != UNKNOWN, view.card[1 - seat] == UNKNOWN, mask[0] == BOTH))
        return BET

    policy = Policy("peeking", choose, lambda variant, weights: np.zeros(1))
    game = replace(
        KUHN,
        players=replace(
            KUHN.players, policies=(*KUHN.players.policies, policy), named=(NamedPlayer("peeking", "", "peeking"),)
        ),
    )
    tables = Tables(game, [game.rulebook.make()], 4, 1, "peeking", versus=4)
    for _ in range(5):
        tables.step(np.zeros(2, np.float32))
    assert len(seen) > 10
    assert set(seen) == {(True, True, True)}


@pytest.mark.kernel
def test_opponents_that_are_asked_from_outside_are_told_apart():
    tables = Tables(KUHN, [KUHN.rulebook.make()], 6, 9, "", versus=4)
    seen = set()
    for _ in range(10):
        for lane in range(6):
            theirs = lane < 4 and tables.seat_of[lane] != lane % 2
            assert tables.asked_of[lane] == theirs
            seen.add((lane < 4, int(tables.seat_of[lane])))
        tables.step(np.zeros(2, np.float32))
    assert len(seen) == 4


@pytest.mark.kernel
def test_with_several_rules_the_learner_has_every_seat_by_each_of_them():
    rules = [KUHN.rulebook.make(changes=[f"bet={bet}"]) for bet in (1, 2)]
    tables = Tables(KUHN, rules, 8, 1, OPPONENT, versus=8)
    played = {(int(tables.states[lane].rules.bet), int(tables.seat_of[lane])) for lane in range(8)}
    assert played == {(1, 0), (1, 1), (2, 0), (2, 1)}


@pytest.mark.kernel
def test_lanes_that_share_deals_play_the_same_ones():
    tables = Tables(KUHN, [KUHN.rulebook.make()], 12, 4, share=2)
    for lane in range(12):
        assert (tables.states[lane] == Table(KUHN, None, 4, lane // 2).states[0]).all()
    while tables.games.min() < 1:
        tables.step(np.array([9.0, -9.0], np.float32))  # all check
    for lane in range(12):
        number = (int(tables.games[lane]) * 12 + lane) // 2
        assert (tables.states[lane]["card"] == Table(KUHN, None, 4, number).states[0]["card"]).all()


@pytest.mark.kernel
def test_a_critic_is_shown_what_the_next_seats_can_know():
    game, rules = rules_of("kuhn")
    tables = Tables(game, rules, 6, 3)
    for _ in range(3):
        tables.step(np.zeros(2, np.float32))
        for lane in range(6):
            seen = np.zeros(game.spaces.observation.size, np.float32)
            game.kernels.observe(tables.states[lane], 1 - game.kernels.to_move(tables.states[lane]), seen)
            assert (tables.others[lane] == seen).all()
            assert (tables.observation[lane] != seen).any()


@pytest.mark.kernel
def test_a_run_that_goes_on_sees_the_tables_as_they_stand():
    tables = Tables(KUHN, [KUHN.rulebook.make()], 6, 3)
    for _ in range(4):
        tables.step(np.zeros(2, np.float32))
    before = [each.copy() for each in (*tables.own, *tables.sight)]
    for each in tables.sight:
        each[:] = 0
    tables.kernels.start_some(0, 6, False, tables.own, tables.setting, tables.sight, tables.scratch)
    for one, other in zip(before, (*tables.own, *tables.sight), strict=True):
        assert (one == other).all()


# --- what decisions led to ---


def course_of(random, steps, lanes, seats):
    """A window of anybody's games: who decided, what was foretold and gained, and where games ended."""
    return (
        random.normal(size=(steps, lanes)).astype(np.float32),
        random.integers(seats, size=(steps, lanes)).astype(np.int8),
        (random.random((steps, lanes)) < random.choice([0.0, 0.3])).astype(np.int8),
        random.random((steps, lanes)) < random.choice([0.0, 0.1, 0.4]),
        np.round(random.normal(size=(steps, lanes, seats)), 2).astype(np.float32),
    )


def next_of(at, lane, seat, deciders, ended) -> int:
    """The step of a seat's next decision; -1 when its game is over before, -2 when the window is."""
    for later in range(at, len(ended)):
        if later > at and deciders[later, lane] == seat:
            return later
        if ended[later, lane]:
            return -1
    return -2


def reward_until(at, following, lane, seat, ended, rewards) -> float:
    """What the seat gains from its decision up to what follows."""
    last = following
    if following == -1:
        last = at + int(np.argmax(ended[at:, lane])) + 1
    elif following == -2:
        last = len(ended)
    return float(rewards[at:last, lane, seat].sum())


SHAPES = [(steps, seats, seed) for steps in (2, 7, 23) for seats in (2, 3, 4) for seed in range(3)]
BY_SEATS = {2: "kuhn", 3: "saichugen", 4: "tricks"}


@pytest.mark.kernel
@pytest.mark.parametrize("seats", sorted(BY_SEATS))
def test_credit_is_a_generalised_advantage_within_a_round(seats):
    credited = unknown = crossed = 0
    for steps, _, seed in (shape for shape in SHAPES if shape[1] == seats):
        random, lanes, fade = np.random.default_rng(seed), 5, 0.8
        values, seat_of, asked_of, ended, rewards = course_of(random, steps, lanes, seats)
        outlooks = random.normal(size=values.shape).astype(np.float32)
        new_round = random.random(values.shape) < (0.0, 0.1, 0.3)[seed]
        found = [np.full((steps, lanes), 7.0, np.float32) for _ in range(4)]
        course = (values, outlooks, new_round, seat_of, asked_of, ended, rewards)
        lanes_of(games.find(BY_SEATS[seats])).credit_some(0, lanes, fade, course, tuple(found))
        deciders = np.where(asked_of == 0, seat_of, -1)  # what others decide is part of how the game goes
        begins = np.zeros(values.shape)
        for lane in range(lanes):
            gain: dict[int, float] = {}
            for at in reversed(range(steps)):
                seat = int(deciders[at, lane])
                following = next_of(at, lane, seat, deciders, ended) if seat >= 0 else -2
                if following == -2:
                    assert [each[at, lane] for each in found[:3]] == [0.0, 0.0, 0.0]
                    unknown += 1
                    continue
                ahead = values[following, lane] + fade * gain.get(following, 0.0) if following >= 0 else 0.0
                if following >= 0 and new_round[at:following, lane].any():
                    ahead, begins[following, lane] = outlooks[following, lane], 1.0
                    crossed += 1
                gain[at] = reward_until(at, following, lane, seat, ended, rewards) + ahead - values[at, lane]
                expected = [gain[at], gain[at] + values[at, lane], 1.0]
                assert [each[at, lane] for each in found[:3]] == pytest.approx(expected, abs=1e-4)
                credited += 1
        assert (found[3] == begins).all()
    assert credited > 100
    assert unknown > 20
    assert crossed > 20


@pytest.mark.kernel
def test_what_followed_a_decision_is_found():
    kinds = set()
    for steps, _, seed in (shape for shape in SHAPES if shape[1] == 2):
        random, lanes = np.random.default_rng(50 + seed), 5
        _, seat_of, _, ended, rewards = course_of(random, steps, lanes, 2)
        next_at, reward = np.full((steps, lanes), 99, np.int64), np.zeros((steps, lanes), np.float32)
        lanes_of(KUHN).follow_some(0, lanes, (seat_of, ended, rewards), (next_at, reward))
        for lane in range(lanes):
            for at in range(steps):
                seat = int(seat_of[at, lane])
                following = next_of(at, lane, seat, seat_of, ended)
                kinds.add(min(following, 0))
                assert next_at[at, lane] == following
                expected = reward_until(at, following, lane, seat, ended, rewards)
                assert reward[at, lane] == pytest.approx(expected, abs=1e-4)
    assert kinds == {0, -1, -2}


# --- CUDA ---

SIMULATED = """
import sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from tests.engine import test_lanes
from tefuda.engine import cuda
from tefuda.engine.lanes import lane_scratch_shapes
from tefuda.engine.lanes_cuda import kernels_of
from tefuda.kernel.device import launch

policies = (test_lanes.resolve(test_lanes.KUHN, test_lanes.OPPONENT).policy,)

class Launched:
    def __init__(self, game):
        self.kernels = kernels_of(game, policies)
    def __getattr__(self, name):
        def run(first, last, *rest):
            launch(getattr(self.kernels, name), last - first, first, last, *rest)
        return run

def rows(game, players, lanes=10):
    return tuple(np.empty((lanes, size), dtype) for size, dtype in lane_scratch_shapes(game, players))

test_lanes.lanes_of, test_lanes.lane_scratch = Launched, rows
test_lanes.seated = lambda game, players: cuda.seated(players)
np.savez(sys.argv[2], **test_lanes.played())
"""


def played() -> dict[str, np.ndarray]:
    """Some steps of lanes with their credit, by whatever `lanes_of` gives."""
    tables = Tables(KUHN, [KUHN.rulebook.make(), KUHN.rulebook.make(changes=["bet=3"])], 10, 6, OPPONENT, 6)
    course: list[list[np.ndarray]] = [[], [], [], []]
    kept = []
    for _ in range(9):
        before = [tables.seat_of.copy(), tables.asked_of.copy()]
        tables.step(np.array([0.5, 0.1], np.float32))
        for place, array in zip(course, (*before, tables.ended, tables.rewards), strict=True):
            place.append(array.copy())
        kept.append(np.concatenate([each.copy().view(np.uint8).ravel() for each in tables.sight + tables.own[:3]]))
    seat_of, asked_of, ended, rewards = map(np.array, course)
    values = np.linspace(-1, 1, ended.size, dtype=np.float32).reshape(ended.shape)
    credit = tuple(np.zeros(ended.shape, np.float32) for _ in range(4))
    link = (np.zeros(ended.shape, np.int64), np.zeros(ended.shape, np.float32))
    new_round = np.arange(ended.size).reshape(ended.shape) % 4 == 0
    tables.kernels.credit_some(0, 10, 0.9, (values, -values, new_round, seat_of, asked_of, ended, rewards), credit)
    tables.kernels.follow_some(0, 10, (seat_of, ended, rewards), link)
    names = ("advantage", "target", "counts", "begins", "next_at", "reward")
    arrays = dict(zip(names, (*credit, *link), strict=True))
    return {**arrays, "kept": np.array(kept), "chosen": tables.chosen, "first": tables.first, "rewards": rewards}


@pytest.mark.slow
def test_simulated_cuda_lanes_are_those_of_the_cpu(tmp_path):
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    arguments = [str(Path(__file__).parents[2]), str(tmp_path / "out.npz")]
    subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED, *arguments], check=True, env=environment)
    simulated, here = np.load(tmp_path / "out.npz"), played()
    for name, array in here.items():
        np.testing.assert_allclose(simulated[name], array, atol=1e-6, err_msg=name)
    assert here["counts"].sum() > 20
