"""Matches that are interrupted: what was played counts, and the same match goes on behind it."""

import json
import logging
import os
import signal

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import LOOK, _pieces, match
from tefuda.arena.sequential import Sequential

KUHN = games.find("kuhn")

# Interrupts itself once, at its N-th decision: a file says whether it has done so.
STOPPING = """
import os, signal
from pathlib import Path

MARK = Path({mark!r})
asked = 0


class Stop:
    def act(self, view):
        global asked
        asked += 1
        if asked == {number} and not MARK.exists():
            MARK.write_text("")
            os.kill(os.getpid(), signal.SIGINT)
        return view.random.choice(view.legal)


class Many:
    def choose(self, observations, masks):
        global asked
        asked += len(masks)
        if asked >= {number} and not MARK.exists():
            MARK.write_text("")
            os.kill(os.getpid(), signal.SIGINT)
        return masks.argmax(axis=1)
"""


@pytest.fixture
def stopping(tmp_path, here):
    def write(number: int) -> None:
        (here.folder / "own.py").write_text(STOPPING.format(mark=str(tmp_path / "mark"), number=number))

    return write


@pytest.mark.parametrize("player", ["own.py:Stop", "own.py:Many"])
def test_ctrl_c_with_a_player_of_ones_own_keeps_what_was_played(player, stopping, here):
    """Less than a hundred deals: a single piece of before."""
    stopping(100)
    command = ["match", "kuhn", player, "random", "--deals", 90, "--seed", 5, "--json"]
    done = here(*command)
    assert done.returncode == 130  # a script does not take a part for the whole
    value = json.loads(done.stdout)
    assert 10 < value["deals"] < 90
    assert done.stderr == f"tefuda: interrupted after {value['deals']} of 90 deals, which are counted\n"
    assert value["players"] == match(KUHN, [player, "random"], value["deals"], seed=5).data()["players"]


@pytest.mark.parametrize("player", ["own.py:Stop", "own.py:Many"])
def test_a_match_that_is_kept_goes_on(player, stopping, here):
    stopping(100)
    command = ["match", "kuhn", player, "random", "--deals", 120, "--seed", 5, "--out", "kept", "--json"]
    done = here(*command)
    part = json.loads(done.stdout)["deals"]
    assert 10 < part < 120
    assert done.stderr.endswith("which are counted, and kept: give the same command again to go on\n")
    (unfinished,) = (here.folder / "kept").glob("*.unfinished.npz")
    with np.load(unfinished) as archive:
        assert archive["scores"].shape == (part, 2, 2)
    again = json.loads(here(*command).stdout)
    assert again["deals"] == 120
    assert again["players"] == match(KUHN, [player, "random"], 120, seed=5).data()["players"]
    assert not unfinished.exists()


@pytest.mark.slow
def test_a_changed_player_is_played_anew(stopping, here):
    stopping(100)
    command = ["match", "kuhn", "own.py:Stop", "random", "--deals", 60, "--out", "kept", "--json"]
    here(*command)
    text = (here.folder / "own.py").read_text()
    (here.folder / "own.py").write_text(text.replace("view.random.choice(view.legal)", "view.legal[0]"))
    done = here(*command)
    assert "is of another match, or of other players: beginning anew" in done.stderr
    assert json.loads(done.stdout)["players"] == match(KUHN, ["own.py:Stop", "random"], 60).data()["players"]


def test_a_damaged_file_is_told(stopping, here):
    stopping(100)
    command = ["match", "kuhn", "own.py:Stop", "random", "--deals", 60, "--out", "kept", "--json"]
    here(*command)
    (path,) = (here.folder / "kept").glob("*.unfinished.npz")
    path.write_bytes(path.read_bytes()[:-100])
    done = here(*command)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is damaged: remove it to begin anew" in done.stderr


def test_a_compiled_match_goes_on_too(here, monkeypatch):
    """Ctrl-C comes while the third piece is played."""
    from tefuda.arena import games as playing

    whole, calls = playing.play, []

    def play(*arguments):
        calls.append(arguments[-2:])
        if len(calls) == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return whole(*arguments)

    command = ["match", "kuhn", "equilibrium", "random", "--deals", 1000, "--threads", 1, "--out", "kept", "--json"]
    monkeypatch.setattr(playing, "play", play)
    part = json.loads(here(*command).stdout)["deals"]
    assert 0 < part < 1000
    calls[:] = [None] * 10
    again = json.loads(here(*command).stdout)
    assert min(first for first, last in calls[10:] if last) == part
    assert again["players"] == match(KUHN, ["equilibrium", "random"], 1000).data()["players"]


def test_pieces_are_the_deals_one_after_another():
    for forms in (set(), {"python"}, {"batch"}, {"batch", "python"}):
        for deals in (1, 3, 20, 99, 100, 101, 350):
            pieces = list(_pieces(deals, 7, forms))
            assert [first for first, _ in pieces] == [0, *(last for _, last in pieces[:-1])]
            assert pieces[-1][1] == deals
            if "python" in forms:
                assert len(pieces) == deals


def test_a_test_looks_after_the_same_deals_whoever_plays(player_file):
    """A class that plays as the compiled player does."""
    path = player_file("class First:\n    def act(self, view):\n        return view.legal[0]\n")
    headline = KUHN.scoring.headline
    verdicts = []
    for margin in (0.2, 0.6):
        test = Sequential(headline, "better", margin)
        result = match(KUHN, [f"{path}:First", "random"], 450, seed=3, test=test)
        assert result.deals % LOOK == 0 or result.deals == 450
        verdicts.append(result.deals)
    assert min(verdicts) < 450


# --- threads ---


def test_threads_that_are_not_used_are_told(here):
    (here.folder / "own.py").write_text("class P:\n    def act(self, view):\n        return view.legal[0]\n")
    done = here("match", "kuhn", "own.py:P", "random", "--deals", 3, "--threads", 2)
    assert done.returncode == 0
    assert done.stderr.startswith("tefuda: 2 threads are not used: own.py:P is asked from Python")
    assert len(done.stderr.splitlines()) == 1
    for command in (["own.py:P", "random", "--threads", 1], ["equilibrium", "random", "--threads", 2]):
        assert here("match", "kuhn", *command, "--deals", 3).stderr == ""


def test_the_warning_can_be_silenced(here, caplog):
    logging.getLogger("tefuda").setLevel(logging.ERROR)
    try:
        (here.folder / "own.py").write_text("class P:\n    def act(self, view):\n        return view.legal[0]\n")
        assert here("match", "kuhn", "own.py:P", "random", "--deals", 3, "--threads", 2).stderr == ""
    finally:
        logging.getLogger("tefuda").setLevel(logging.INFO)
