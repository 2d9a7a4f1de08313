"""Somebody else's code: however it fails, one line tells it; one rule says what an answer is, however it is asked."""

import json
import sys

import numpy as np
import pytest

import tefuda
from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem, told
from tefuda.players.resolve import entrant_of
from tefuda.table.session import Session

KUHN = games.find("kuhn")

LEAVING = """
import sys


class InAct:
    def act(self, view):
        sys.exit(0)


class InInit:
    def __init__(self):
        sys.exit(0)

    def act(self, view):
        return view.legal[0]


class InChoose:
    def choose(self, observations, masks):
        sys.exit(0)


class Talking:
    def act(self, view):
        print("thinking")
        return view.legal[0]


print("loaded")
"""


@pytest.mark.parametrize(("name", "line"), [("InAct", 7), ("InInit", 12), ("InChoose", 20)])
def test_a_player_cannot_end_the_program(name, line, player_file, here):
    path = player_file(LEAVING)
    for command in (["match", "kuhn", f"{path}:{name}", "random", "--deals", "2"],
                    ["play", "kuhn", f"{path}:{name}", "--seat", "1", "--deal", "1"]):  # fmt: skip
        done = here(*command)
        assert done.returncode == 2
        assert "SystemExit: 0" in done.stderr
        assert f"({path}, line {line})" in done.stderr
        assert done.stderr.count("\n") == 1


def test_an_exception_is_told_with_the_line_of_the_player_not_of_what_it_calls(player_file):
    path = player_file(
        "import numpy as np\n\n\nclass P:\n    def act(self, view):\n        return self.deeper()\n\n"
        "    def deeper(self):\n        return np.ones(3).reshape(2, 2)\n"
    )
    with pytest.raises(Problem) as caught:
        match(KUHN, [f"{path}:P", "random"], 1)
    assert "it failed: ValueError: cannot reshape" in str(caught.value)
    assert str(caught.value).endswith(f"({path}, line 9)")
    assert isinstance(caught.value.__cause__, ValueError)  # from Python the whole way is there


def test_a_file_that_fails_while_it_is_loaded_names_its_line(player_file):
    path = player_file("\n\nx = 1 / 0\n")
    with pytest.raises(Problem, match=r"ZeroDivisionError: division by zero \(.*own\.py, line 3\)"):
        match(KUHN, [f"{path}:P", "random"], 1)


def test_an_exception_whose_text_fails_is_told_too():
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    assert told(Mute()) == "Mute"
    assert len(told(ValueError("long " * 10_000))) < 600
    assert told(ValueError("two\nlines")) == "ValueError: two lines"


class Nameless:
    def __repr__(self):
        raise RuntimeError


WRONG = {
    "float": lambda action: float(action),
    "numpy float": lambda action: np.float64(action),
    "array of one": lambda action: np.array([action]),
    "array without a shape": lambda action: np.array(action),
    "list": lambda action: [action],
    "truth": lambda action: True,
    "numpy truth": lambda action: np.bool_(True),
    "nothing": lambda action: None,
    "text": lambda action: str(action),
    "no repr": lambda action: Nameless(),
}
RIGHT = {"int": int, "int8": np.int8, "uint64": np.uint64}


def answering(make):
    class Answering:
        def act(self, view):
            return make(view.legal[-1])

    return Answering


def choosing(make):
    class Choosing:
        def choose(self, observations, masks):
            return [make(np.flatnonzero(mask)[-1]) for mask in masks]

    return Choosing


def ways(player, tmp_path):
    """All ways to ask: a match, a match with a Python player beside, a session, a table."""
    yield "match", lambda: match(KUHN, [player, "random"], 1)
    yield "beside", lambda: match(KUHN, [player, answering(int)], 1)
    yield "play", lambda: Session.start(KUHN, [entrant_of(KUHN, player), None], tmp_path / "game.json").advance()
    yield "ask", lambda: tefuda.table("kuhn").ask(player)


@pytest.mark.parametrize("maker", [answering, choosing], ids=["act", "choose"])
@pytest.mark.parametrize(
    "answer", sorted(set(WRONG) - {"array without a shape"})
)  # many of these are an array of numbers
def test_only_a_whole_number_is_an_answer_whichever_way_it_is_asked_for(answer, maker, tmp_path):
    for way, ask in ways(maker(WRONG[answer]), tmp_path):
        (tmp_path / "game.json").unlink(missing_ok=True)
        with pytest.raises(Problem) as caught:
            ask()
        assert "illegal move" in str(caught.value) or "whole numbers" in str(caught.value), way


@pytest.mark.parametrize("maker", [answering, choosing], ids=["act", "choose"])
@pytest.mark.parametrize("answer", RIGHT)
def test_a_whole_number_of_any_type_is_an_answer(answer, maker, tmp_path):
    for _, ask in ways(maker(RIGHT[answer]), tmp_path):
        (tmp_path / "game.json").unlink(missing_ok=True)
        ask()


@pytest.mark.parametrize("answer", WRONG)
def test_a_table_takes_whole_numbers_alone(answer):
    table = tefuda.table("kuhn")
    said = "illegal move '1': legal are" if answer == "text" else "illegal move .* no whole number: legal are"
    with pytest.raises(Problem, match=said):
        table.apply(WRONG[answer](1))
    assert table.history == []


def test_a_batch_player_cannot_make_a_move_legal():
    class Writing:
        def choose(self, observations, masks):
            masks[:] = True
            return np.full(len(masks), 0)

    with pytest.raises(Problem, match="illegal move 0"):
        match(games.find("koikoi"), [Writing, "random"], 3)


def test_what_a_player_prints_does_not_mix_with_json(player_file, here):
    path = player_file(LEAVING)
    done = here("match", "kuhn", f"{path}:Talking", "random", "--deals", "2", "--json")
    assert json.loads(done.stdout)["deals"] == 2
    assert "loaded" in done.stderr
    assert "thinking" in done.stderr
    assert "thinking" in here("match", "kuhn", f"{path}:Talking", "random", "--deals", "2").stdout


@pytest.mark.slow
def test_nor_does_what_programs_print_that_a_player_starts(player_file, tefuda):
    path = player_file(
        "import os\n\n\nclass P:\n    def act(self, view):\n        os.system('echo from outside')\n"
        "        return view.legal[0]\n"
    )
    done = tefuda("match", "kuhn", f"{path}:P", "random", "--deals", "1", "--json")
    assert json.loads(done.stdout)["deals"] == 1
    assert "from outside" in done.stderr
    assert sys.stdout is not None
