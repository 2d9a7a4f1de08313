"""`tefuda exact` and `tefuda solve` as a person runs them."""

import json

import pytest


def test_exact_prints_each_seat_and_the_exploitability(here):
    done = here("exact", "kuhn", "always-bet", COLUMNS="120")
    assert done.returncode == 0
    assert "always-bet in all seats of kuhn" in done.stdout
    assert "Exploitability: 0.333, the mean of the gains." in done.stdout
    assert "Exact: 12 information sets, 54 positions." in done.stdout


def test_exact_prints_json(here):
    found = json.loads(here("exact", "kuhn", "equilibrium/0.2", "--json").stdout)
    assert found["values"] == pytest.approx([-1 / 18, 1 / 18], abs=1e-12)
    assert found["exploitability"] == pytest.approx(0, abs=1e-12)
    assert (found["game"], found["rules"], found["player"], found["samples"]) == (
        "kuhn", "standard", "equilibrium/0.2", 0,
    )  # fmt: skip


def test_exact_says_where_chances_are_estimated(here):
    done = here("exact", "kuhn", "pimc/worlds=2", "--samples", "5", COLUMNS="120")
    assert "The chances of pimc/worlds=2 are estimated from 5 decisions in each: 12 information sets" in done.stdout


def test_solve_writes_a_player(here):
    done = here("solve", "kuhn", "--iterations", "50", "--set", "bet=2", COLUMNS="120")
    assert done.returncode == 0
    assert "policy: results/solve/policy.npz" in done.stdout
    found = json.loads(here("exact", "kuhn", "results/solve/policy.npz", "--set", "bet=2", "--json").stdout)
    assert f"Exploitability: {found['exploitability']:.3g}," in done.stdout
    again = json.loads(here("solve", "kuhn", "--iterations", "50", "--set", "bet=2", "--out", "there", "--json").stdout)
    assert again["file"] == "there/policy.npz"
    assert again["exploitability"] == found["exploitability"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("exact koikoi random", "koikoi cannot be solved exactly: it does not list its deals"),
        ("exact kuhn nobody", "unknown player of kuhn 'nobody'"),
        ("exact kuhn random --samples 0", "--samples"),
        ("solve saichugen", "saichugen cannot be solved exactly"),
        ("solve kuhn --iterations 0", "--iterations"),
    ],
)
def test_mistakes_are_told_in_one_line(here, words, said):
    done = here(*words.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
