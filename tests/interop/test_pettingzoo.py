"""PettingZoo: its own tests pass on every game and rule set, and the games are those of `tefuda.table`."""

import random
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import tefuda

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, performance_benchmark, seed_test

from tefuda.interop.pettingzoo import env

PRESETS = [(name, preset) for name in tefuda.list_games() for preset in tefuda.game(name).rulebook.presets]


def test_every_rule_set_is_tried():
    assert len(PRESETS) >= 14


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), PRESETS)
def test_pettingzoos_own_tests_pass(name, rules):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # among others that an observation is a dictionary, as masks ask for
        api_test(env(name, rules), num_cycles=60)
        seed_test(lambda: env(name, rules), num_cycles=30)


@pytest.mark.slow
def test_pettingzoos_performance_test_runs(monkeypatch, capsys):
    times = iter(range(0, 1000, 3))
    monkeypatch.setattr(time, "time", lambda: float(next(times)))  # it would take five seconds
    performance_benchmark(env("leduc"))
    assert "turns per second" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "rules"), [("koikoi", "nintendo"), ("tricks", "hearts"), ("leduc", None)])
def test_a_game_is_that_of_a_table(name, rules):
    there, table, luck = env(name, rules), tefuda.table(name, rules, seed=8, deal=2), random.Random(3)
    there.reset(seed=8, options={"deal": 2})
    total = dict.fromkeys(there.possible_agents, 0.0)
    for agent in there.agent_iter():
        observation, _, over, _, info = there.last()
        if not over:
            view = table.view()
            assert agent == f"player_{view.seat}"
            np.testing.assert_array_equal(observation["observation"], view.inputs)
            for mask in (observation["action_mask"], info["action_mask"]):
                assert np.flatnonzero(mask).tolist() == view.legal
        action = None if over else luck.choice(view.legal)
        there.step(action)
        for each, reward in there.rewards.items():
            total[each] += reward
        if not over:
            table.apply(action)
    assert table.over
    assert list(total.values()) == pytest.approx(table.scores.tolist())
    assert any(total.values())


def test_resets_deal_one_deal_after_another():
    there = env("kuhn", seed=6)
    seen = []
    for _ in range(4):
        there.reset()
        seen.append((there.deal, there.observe("player_0")["observation"].tolist()))
    assert seen == [(deal, tefuda.table("kuhn", seed=6, deal=deal).view(0).inputs.tolist()) for deal in range(4)]
    there.reset(seed=6)
    assert there.deal == 0


def test_a_notebook_shows_a_rendered_table_once(monkeypatch):
    shown = []
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *pieces: shown.append(pieces))
    there = env("kuhn", render_mode="svg")
    there.reset(seed=1)
    assert there.render().startswith("<svg")
    assert shown == []


@pytest.mark.parametrize("name", tefuda.list_games())
def test_a_table_is_rendered_in_every_way(name, capsys):
    texts = {}
    for mode in ("ansi", "svg", "human", "rgb_array"):
        if mode == "rgb_array":
            pytest.importorskip("matplotlib")
        there = env(name, render_mode=mode)
        there.reset(seed=1)
        texts[mode] = there.render()
    assert texts["ansi"] == tefuda.table(name, seed=1).show()
    assert capsys.readouterr().out.strip() == texts["ansi"].strip()
    assert texts["svg"].startswith("<svg")
    assert "http" not in texts["svg"].replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")
    picture = texts["rgb_array"]
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert (picture < 100).mean() > 0.005  # something is written there
    assert (picture[:, :3] == 255).all()  # and nothing is cut off at its sides
    assert (picture[:, -3:] == 255).all()


@pytest.mark.parametrize(
    ("work", "line"),
    [
        (lambda: env("koi"), "unknown game 'koi'"),
        (lambda: env("koikoi", "nintento"), "did you mean 'nintendo'"),
        (lambda: env("koikoi", render_mode="video"), "unknown render mode 'video'"),
        (lambda: env("kuhn").step(0), "call reset first"),
        (lambda: stepped(7), "illegal move 7: legal are 0"),
        (lambda: stepped(None), "illegal move None, which is no whole number: legal are 0"),
    ],
)
def test_what_is_wrong_is_a_problem(work, line):
    with pytest.raises(tefuda.Problem, match=line):
        work()


def stepped(action):
    there = env("kuhn")
    there.reset()
    there.step(action)


@pytest.mark.parametrize("module", ["pettingzoo", "gymnasium", "openspiel"])
def test_a_missing_package_is_one_line(module):
    package = {"openspiel": "pyspiel"}.get(module, module)
    extra = {"openspiel": "openspiel"}.get(module, "environments")
    code = f"import sys; sys.modules[{package!r}] = None\nimport tefuda.interop.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"pip install 'tefuda[{extra}]'" in done.stderr.splitlines()[-1]


def test_the_package_imports_none_of_them():
    packages = ("pettingzoo", "gymnasium", "pyspiel", "torch", "numba")
    code = f"import sys, tefuda; print([each for each in {packages} if each in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
