"""`import tefuda`: the library takes what the command line takes, and says what is wrong in the same line."""

import json

import pytest

import tefuda
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.learn import q_learning

RULES = {"rules": "standard", "changes": ["bet=3"]}


def test_a_match_is_that_of_the_command_line(here):
    found = tefuda.match("kuhn", ["equilibrium", "random"], deals=40, seed=5, threads=1, device="cpu", **RULES)
    told = here("match", "kuhn", "equilibrium", "random", "--deals", "40", "--seed", "5", "--rules", "standard",
                "--set", "bet=3", "--json")  # fmt: skip
    assert told.returncode == 0, told.stderr
    assert {**found.data(), "seconds": 0} == {**json.loads(told.stdout), "seconds": 0}
    assert str(found.rules) == "standard bet=3"


def test_training_takes_rules_and_threads(tmp_path, monkeypatch):
    monkeypatch.setattr(q_learning, "CURVE_DEALS", 4)
    card = tefuda.train(
        "tricks", "q-linear", str(tmp_path / "run"), seed=2, deals=3, rules="hearts", changes=["jack=yes"], threads=1,
        device="cpu", games=30, points=1, average=True, opponent="random",
    )  # fmt: skip
    assert card.rules == "hearts jack=yes"
    assert card.policy == "q-hearts"
    assert (card.arguments["average"], card.arguments["games"], card.seed) == (True, 30, 2)
    assert card.strength[0]["deals"] == 3
    assert policy.load(tmp_path / "run" / "policy.npz")[0] == card


@pytest.mark.parametrize(
    ("work", "line"),
    [
        (lambda out: tefuda.match("kuhn", ["random", "random"], device="gpu"), "unknown device 'gpu'"),
        (lambda out: tefuda.match("kuhn", ["random", "random"], rules="standart"), "did you mean 'standard'"),
        (lambda out: tefuda.match("kuhn", ["random", "random"], changes=["bet=x"]), "option bet is 'x'"),
        (lambda out: tefuda.train("koikoi", "pg-linear", out, device="cuda"), "pg-linear learns on the CPU only"),
        (lambda out: tefuda.train("koikoi", "pg-linear", out, rules="papier"), "unknown rules preset 'papier'"),
        (lambda out: tefuda.train("koikoi", "pg-linear", out, episode=3), "did you mean 'episodes'"),
        (lambda out: tefuda.train("koikoi", "pg-liner", out), "unknown learner of koikoi 'pg-liner'"),
    ],
)
def test_what_is_wrong_is_a_problem_in_one_line(work, line, tmp_path):
    with pytest.raises(tefuda.Problem) as caught:
        work(tmp_path / "out")
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out").exists()
    assert tefuda.Problem is Problem
    assert "Problem" in tefuda.__all__


def test_a_table_can_be_opened_again_and_again():
    """Importing the folder `tefuda.table` puts it where the function was."""
    tefuda.match("kuhn", ["random", "random"], 2)
    for deal in range(2):
        assert tefuda.table("kuhn", deal=deal).deal == deal
