"""Matches: deals are paired, seats rotate, and a result says all of it."""

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.arena import match as match_module
from tefuda.arena.games import play, seat_players
from tefuda.arena.match import complete, match
from tefuda.errors import Problem
from tefuda.kernel import cache
from tefuda.kernel.compile import COMPILED, kernel
from tefuda.kernel.watch import watch
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve

KOIKOI = games.find("koikoi")
KUHN = games.find("kuhn")


# --- pairing and rotations ---


@pytest.mark.parametrize(
    ("game", "name"), [("koikoi", "rule-based"), ("koikoi", "pg-linear-tuned"), ("kuhn", "random")]
)
def test_a_player_against_itself_has_exactly_the_fair_share(game, name):
    game = games.find(game)
    result = match(game, [name, name], 150, seed=3)
    assert result.rotations == 1
    assert [row.name for row in result.rows] == [name]
    figure = result.rows[0].figure
    assert (figure.mean, figure.low, figure.high) == (game.scoring.headline.fair,) * 3
    first, second = result.rows[0].seats
    assert first.mean == -second.mean != 0  # a seat alone is lucky or not


def test_equal_play_under_two_names_is_equal_on_every_deal():
    """Each seat has its own random stream, so that a deal is the same for whoever sits there."""
    result = match(KOIKOI, ["random", "random/monte-carlo:300"], 100, seed=4)
    assert result.rotations == 2
    for row in result.rows:
        assert (row.figure.mean, row.figure.low, row.figure.high) == (0, 0, 0)
        assert row.seats[0].mean == -row.seats[1].mean != 0


def test_rows_keep_the_order_given_and_the_order_changes_nothing():
    one = match(KOIKOI, ["rule-based", "random"], 200, seed=5)
    other = match(KOIKOI, ["random", "rule-based"], 200, seed=5)
    assert [row.name for row in one.rows] == ["rule-based", "random"]
    assert [row.name for row in other.rows] == ["random", "rule-based"]
    assert one.rows == other.rows[::-1]
    assert one.rows[0].figure.mean == -one.rows[1].figure.mean > 1
    assert one.decisions == other.decisions


def test_another_seed_is_another_match():
    first, again, other = (match(KUHN, ["random", "equilibrium"], 50, seed=seed).rows for seed in (1, 1, 2))
    assert first == again != other


def test_pairing_takes_luck_out_of_a_comparison():
    """The interval over both seats is much narrower than that of as many games on independent deals."""
    row = match(KOIKOI, ["rule-based", "rule-based/always-stop"], 1000, seed=6).rows[0]
    paired = row.figure.high - row.figure.low
    unpaired = (row.seats[0].high - row.seats[0].low) / math.sqrt(2)
    assert paired < 0.75 * unpaired


@pytest.mark.parametrize(
    ("names", "rotations"),
    [
        ("aa", 1), ("ab", 2), ("aaa", 1), ("abb", 3), ("abc", 3), ("aaaa", 1), ("abbb", 4), ("aabb", 4), ("abab", 2),
        ("abcd", 4),
    ],
)  # fmt: skip
def test_distinct_rotations(names, rotations):
    """Every player gets every seat equally often, and no game is played twice."""
    game = replace(KUHN, seats=len(names))
    entrants = {name: replace(resolve(KUHN, "random"), name=name) for name in names}
    seating = seat_players(game, [entrants[name] for name in names])
    assert [entrant.name for entrant in seating.entrants] == list(dict.fromkeys(names))
    assert seating.rotations.shape == (rotations, len(names))
    assert len({tuple(rotation) for rotation in seating.rotations.tolist()}) == rotations
    by_name = ["".join(seating.entrants[index].name for index in rotation) for rotation in seating.rotations]
    assert by_name[0] == names
    assert all(rotation in names + names for rotation in by_name)  # the order around the table is kept
    for name in names:
        share = names.count(name) * rotations // len(names)
        for seat in range(len(names)):
            assert sum(rotation[seat] == name for rotation in by_name) == share


def test_the_last_name_takes_the_seats_that_are_left():
    four = replace(KUHN, seats=4)
    assert complete(four, ["a", "b"]) == ["a", "b", "b", "b"]
    assert complete(four, ["a", "b", "c"]) == ["a", "b", "c", "c"]
    for names, told in ((["a"], "1 was"), (list("abcde"), "5 were")):
        with pytest.raises(Problem, match=f"seats 4 players, but {told} named"):
            complete(four, names)


@pytest.mark.parametrize("game", [KOIKOI, KUHN], ids=lambda game: game.name)
def test_results_do_not_depend_on_threads_or_pieces(game, monkeypatch):
    names = {"koikoi": ["rule-based/monte-carlo:20", "random"], "kuhn": ["equilibrium", "random"]}[game.name]
    expected = match(game, names, 60, seed=7, threads=1)
    for threads in (2, 3, 8):
        assert match(game, names, 60, seed=7, threads=threads).rows == expected.rows
    for size in (1, 7, 1000):
        monkeypatch.setattr(match_module, "_chunk_size", lambda deals, outside, size=size: size)
        again = match(game, names, 60, seed=7)
        assert again.rows == expected.rows
        assert again.decisions == expected.decisions


def test_a_deal_is_the_same_whatever_was_played_before_it():
    names = ["equilibrium", "random"]
    seating = seat_players(KUHN, [resolve(KUHN, name) for name in names])
    standard = KUHN.rulebook.make()
    whole = play(KUHN, standard, seating, 8, 0, 40).scores
    assert np.array_equal(whole[25:], play(KUHN, standard, seating, 8, 25, 40).scores)
    figure = match(KUHN, names, 40, seed=8).rows[0].figure
    assert figure.mean == pytest.approx((whole[:, 0, 0] + whole[:, 1, 1]).mean() / 2)


# --- what a match says ---


def test_the_data_of_a_match():
    result = match(KOIKOI, ["rule-based", "random"], 30, seed=19, rules=KOIKOI.rulebook.make("nintendo", ["rounds=2"]))
    data = json.loads(json.dumps(result.data(), allow_nan=False))
    assert data["game"] == "koikoi"
    assert data["rules"] == "nintendo rounds=2"
    assert (data["deals"], data["rotations"], data["seed"]) == (30, 2, 19)
    assert data["commit"]
    assert [player["name"] for player in data["players"]] == ["rule-based", "random"]
    for player in data["players"]:
        assert player["low"] < player["mean"] < player["high"]
        assert len(player["by_seat"]) == 2


@pytest.mark.parametrize("deals", [1, 2])
def test_data_is_json_for_the_shortest_match_too(deals):
    """JSON knows no infinity and no NaN."""
    for game, names in ((KUHN, ["random", "always-bet"]), (KOIKOI, ["random", "rule-based"])):
        json.dumps(match(game, names, deals, seed=20).data(), allow_nan=False)


def test_wins_and_draws_are_shares_of_games():
    names = ["rule-based", "random"]
    seating = seat_players(KOIKOI, [resolve(KOIKOI, name) for name in names])
    scores = play(KOIKOI, KOIKOI.rulebook.make(), seating, 21, 0, 200).scores
    mine = np.stack([scores[:, 0, 0], scores[:, 1, 1]])
    first, second = match(KOIKOI, names, 200, seed=21).rows
    assert first.win.mean == (mine > 0).sum() / 400
    assert second.win.mean == (mine < 0).sum() / 400
    assert first.draw.mean == second.draw.mean == (mine == 0).sum() / 400 > 0
    assert first.figure.mean == pytest.approx(mine.mean())
    assert first.seats[1].mean == pytest.approx(mine[1].mean())


class First:
    def act(self, view):
        return view.legal[0]


class Firsts:
    def choose(self, observations, masks):
        return masks.argmax(axis=1)


@pytest.mark.slow
@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("maker", [None, First, Firsts])
def test_the_time_of_a_match_leaves_compiling_out(maker, tmp_path, monkeypatch):
    """The game is one that nobody has compiled yet."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    factor = 1.0 + len(str(maker))  # another constant for each
    rated = KUHN.kernels.scores

    def scores(state, out):
        rated(state, out)
        out[0] *= factor
        out[1] *= factor

    game = replace(KUHN, kernels=replace(KUHN.kernels, scores=kernel(scores)))
    player = "always-bet" if maker is None else Entrant("own", None, np.zeros(0), maker=maker, batch=maker is Firsts)
    before, began = watch.seconds, time.perf_counter()
    result = match(game, ["random", player], 10)
    compiling, passed = watch.seconds - before, time.perf_counter() - began
    assert compiling > 0
    assert 0 < result.seconds <= passed - compiling
    assert result.decisions > 20


def test_a_match_has_a_deal():
    with pytest.raises(Problem, match="deals is 0, but takes a whole number from 1"):
        match(KUHN, ["random", "random"], 0)
