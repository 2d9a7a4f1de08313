"""Values from outside, given from Python: each wrong one is a Problem that says what would be right."""

import math

import numpy as np
import pytest

import tefuda
from tefuda import Problem, games, outside
from tefuda.arena.match import match
from tefuda.errors import counted, quoted, unknown

KUHN = games.find("kuhn")
SEEDS = [-1, 2**63, 2**64, 10**30, 10**5000, 1.0, True, None, "1", math.nan, [1], np.float64(3)]
COUNTS = [0, -3, 10**12, 10**400, 2.5, False, "many", math.inf]


def told(call, *arguments, **named) -> str:
    with pytest.raises(Problem) as caught:
        call(*arguments, **named)
    line = str(caught.value)
    assert line
    assert "\n" not in line
    assert len(line) < 1000
    return line


@pytest.mark.parametrize("seed", SEEDS, ids=quoted)
def test_a_wrong_seed_is_told(seed):
    assert "seed is " in told(tefuda.match, "kuhn", ["random", "random"], 2, seed=seed)
    assert "seed is " in told(tefuda.table, "kuhn", seed=seed)
    assert "seed is " in told(tefuda.train, "koikoi", "pg-linear", "nowhere", seed=seed)
    assert "seed is " in told(tefuda.reproduce, "koikoi", seed=seed)


@pytest.mark.parametrize("number", SEEDS, ids=quoted)
def test_a_wrong_number_of_a_deal_is_told(number):
    assert "deal is " in told(tefuda.table, "kuhn", deal=number)


@pytest.mark.parametrize("number", COUNTS, ids=quoted)
def test_wrong_numbers_of_deals_threads_and_iterations_are_told(number, tmp_path):
    assert "deals is " in told(tefuda.match, "kuhn", ["random", "random"], number)
    assert "threads is " in told(tefuda.match, "kuhn", ["random", "random"], 2, threads=number)
    assert "iterations is " in told(tefuda.solve, "kuhn", tmp_path, number)
    assert not list(tmp_path.iterdir())


def test_numbers_of_numpy_are_numbers():
    played = tefuda.match("kuhn", ["random", "random"], np.int64(3), seed=np.uint8(4))
    assert (played.deals, played.seed) == (3, 4)


def test_more_deals_than_the_memory_holds_are_told(monkeypatch):
    monkeypatch.setattr("tefuda.arena.match.memory", lambda: 1 << 20)
    line = told(match, KUHN, ["random", "equilibrium"], 100_000)
    assert "the scores of 100,000 deals take" in line
    assert f"play at most {(1 << 20) // 64:,}" in line


@pytest.mark.parametrize("name", [None, 3, ["kuhn"], {}, b"kuhn", "k\0", "\udcff", "x" * 5000, "a/" * 3000, object()])
def test_what_is_no_name_is_told(name):
    told(tefuda.game, name)
    told(tefuda.table, "kuhn", rules=name if name is not None else 0)
    told(tefuda.exact, "kuhn", name)
    told(tefuda.train, "koikoi", name, "nowhere")
    if name is not None:
        told(tefuda.match, "kuhn", ["random", "random"], seating=name)
        told(tefuda.match, "kuhn", ["random", "random"], ray=name)


def test_changes_of_rules_are_a_list():
    assert "given as a list" in told(tefuda.table, "koikoi", changes="rounds=1")
    assert "a text" in told(tefuda.table, "koikoi", changes=[1])


def test_an_argument_that_is_none_has_its_default(tmp_path):
    card = tefuda.train("koikoi", "pg-linear", tmp_path, deals=0, opponent=None, episodes=5)
    assert card.arguments["opponent"] == "random"


@pytest.mark.parametrize("seat", [-1, 2, 10**9, 1.0, "0"])
def test_a_seat_that_is_not_there_has_no_view(seat):
    assert "seat is " in told(tefuda.table("kuhn").view, seat)


def test_nobody_is_to_move_when_the_game_is_over():
    table = tefuda.table("kuhn")
    while not table.over:
        table.apply(table.legal[0])
    assert "over" in told(table.view)
    assert table.view(0).seat == 0


def test_a_place_is_a_path():
    assert outside.place("out", "a/b").name == "b"
    for wrong in (None, 3, "a\0b", b"\xff"):
        told(outside.place, "out", wrong)


class Unshowable:
    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize(
    ("value", "shown"),
    [(10**5000, "a number of 5,000 digits"), ("ab", "'ab'"), (Unshowable(), "an object of type Unshowable"), (7, "7")],
    ids=["digits", "text", "object", "number"],
)
def test_a_wrong_value_is_shown_shortly(value, shown):
    assert quoted(value) == shown
    assert len(quoted("x" * 10**6)) < 130
    assert len(str(unknown("game", "x" * 10**6, ["kuhn"]))) < 200


def test_nested_json_is_no_value():
    for text in ("[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000):
        with pytest.raises(ValueError, match="nested"):
            outside.json_value(text)


def test_one_is_counted_as_one():
    assert [counted(number, "deal") for number in (0, 1, 1200)] == ["0 deals", "1 deal", "1,200 deals"]
    assert [counted(number, "match", "matches") for number in (1, 2)] == ["1 match", "2 matches"]
