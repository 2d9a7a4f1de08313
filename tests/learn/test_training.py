"""Learners say what they are: they are found where they lie, and listed without torch."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tefuda import games, learn
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.learn import training

KUHN = games.find("kuhn")

# What each game can learn, under its first rules that have it, and the policy that plays by it; models do not play.
KNOWN = {
    "koikoi": {"ann-value": "ann-value", "nfsp": "network", "pg-linear": "pg-linear", "self-play": "network"},
    "kuhn": {"nfsp": "network", "self-play": "network"},
    "mahjong": {
        "final-rank": "", "han": "han", "han-network": "han-network", "nfsp": "network", "one-player": "policy",
        "others": "", "penalty": "", "self-play": "network",
    },
    "saichugen": {"learned": "learned", "nfsp": "network", "self-play": "network"},
    "tricks": {"nfsp": "network", "q-linear": "q-tricks", "self-play": "network"},
}  # fmt: skip

OWN = '''
"""Learns nothing: each chance is a constant."""

from dataclasses import dataclass

import numpy as np

from tefuda.errors import Problem
from tefuda.learn.method import Method, Offer, Trained


@dataclass(frozen=True)
class Arguments:
    chance: float = 0.5  # of a bet

    def check(self):
        if not 0 <= self.chance <= 1:
            raise Problem("chance lies between 0 and 1")


def offer(game, rules):
    return Offer("constant", "bets by a constant chance", "table") if game.name == "kuhn" else None


def train(task):
    return Trained(np.full(12, task.arguments.chance), [("nothing",), (task.identity["chance"],)])


METHOD = Method(Arguments, offer, lambda task: task, train, against=lambda task: "always-pass")
'''


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_the_learners_of_a_game(name):
    found = training.describe(games.find(name))
    assert {learner: entry["policy"] for learner, entry in found.items()} == KNOWN[name]
    for learner, entry in found.items():
        deep = learner in ("self-play", "nfsp", "han-network")
        on_gpu = deep or learner == "han"
        assert (entry["torch"], entry["devices"]) == (deep, ["cpu", "cuda"] if on_gpu else ["cpu"])
        assert entry["about"]
        assert entry["arguments"]


def test_a_learner_depends_on_the_rules():
    tricks = games.find("tricks")
    policies = [training.offers(tricks, tricks.rulebook.make(preset))["q-linear"][1].policy
                for preset in ("plain", "hearts")]  # fmt: skip
    assert policies == ["q-tricks", "q-hearts"]


def test_no_learner_is_named_where_they_are_found():
    source = Path(training.__file__).read_text()
    names = {name for game in KNOWN.values() for name in game}
    assert not [name for name in names if f'"{name}"' in source]


@pytest.fixture
def constant(tmp_path, monkeypatch):
    """One module more lies in the folder of learners."""
    (tmp_path / "learners").mkdir()
    (tmp_path / "learners" / "constant_chance.py").write_text(OWN)
    monkeypatch.setattr(learn, "__path__", [*learn.__path__, str(tmp_path / "learners")])
    training.methods.cache_clear()
    yield
    sys.modules.pop("tefuda.learn.constant_chance", None)
    training.methods.cache_clear()


@pytest.mark.slow
def test_a_further_module_is_a_further_learner(constant, tmp_path):
    described = training.describe(KUHN)["constant"]
    assert described["arguments"] == [{"name": "chance", "default": 0.5, "meaning": "of a bet"}]
    assert "constant" not in training.describe(games.find("koikoi"))
    card = training.train(KUHN, "constant", ["chance=1.0"], tmp_path / "run", 3, KUHN.rulebook.make(), 20, 1)
    assert (card.policy, card.arguments, card.seed, card.options) == ("table", {"chance": 1.0}, 3, [])
    assert card.strength[0]["opponent"] == "always-pass"
    assert card.strength[0]["mean"] > 0  # who bets always beats who never calls
    assert np.array_equal(policy.load(tmp_path / "run" / "policy.npz")[1], np.ones(12))
    assert (tmp_path / "run" / "curve.csv").read_text().split() == ["nothing", "1.0"]
    with pytest.raises(Problem, match="chance lies between 0 and 1"):
        training.train(KUHN, "constant", ["chance=2"], tmp_path / "other", 3, KUHN.rulebook.make(), 20, 1)
    assert not (tmp_path / "other").exists()


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # as if it were not installed
from tefuda.cli import main
sys.argv = ["tefuda", *sys.argv[1:]]
main()
"""


def without_torch(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_TORCH, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_learners_are_listed_without_torch():
    listed = without_torch("train", "kuhn", "--list")
    assert listed.returncode == 0, listed.stderr
    assert "self-play: a network that plays all seats" in listed.stdout
    assert "nfsp" in listed.stdout


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["self-play", "nfsp"])
def test_a_learner_that_needs_torch_says_how_to_get_it(learner, tmp_path):
    told = without_torch("train", "kuhn", learner, "--out", str(tmp_path / "run"))
    assert told.returncode == 2
    assert told.stderr.startswith("tefuda: this needs torch: pip install 'tefuda[train]'")
    assert len(told.stderr.splitlines()) == 1
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_listing_does_not_load_torch():
    """It takes seconds."""
    pytest.importorskip("torch")
    source = "import sys, tefuda.learn.training as t, tefuda.learn.exploit; from tefuda.games import find; "
    source += "t.describe(find('koikoi')); print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "False\n", done.stderr


def test_which_run_a_checkpoint_holds_is_told_as_before():
    """Unfinished runs of earlier versions go on: nothing is added to what tells runs apart, and nothing left out."""
    rules = KUHN.rulebook.make(None, ["bet=2"])
    method, offer = training.offers(KUHN, rules)["self-play"]
    task = training.Task(KUHN, rules, offer, method.arguments(), 4, Path("out"))
    usual = training.as_data(method.arguments())
    assert task.identity == {"game": "kuhn", "learner": "self-play", "rules": "standard bet=2", "seed": 4, **usual}
