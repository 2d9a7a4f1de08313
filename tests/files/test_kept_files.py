"""Files of earlier versions open for ever: policies play as they did, games and runs go on as they would have.

kept/README.md says where the files come from. All numbers here were printed by the code that wrote the files.
"""

import io
import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.ladder import identity
from tefuda.files import policy
from tefuda.kernel.compile import COMPILED
from tefuda.players.resolve import resolve

pytestmark = pytest.mark.skipif(not COMPILED, reason="hundreds of games: compiled only")

KEPT = Path(__file__).parent / "kept"
COMMIT = "48033a5"

OTHER_INPUTS = "mahjong-network"
MATCHES = [  # policy, the match, its mean result
    ("koikoi-pg-linear", "koikoi {} random/always-stop --deals 60", 2.175),
    ("koikoi-ann-value", "koikoi {}/always-stop rule-based/always-stop --deals 60", 0.10833333333333334),
    ("koikoi-network", "koikoi {} random/always-stop --deals 60 --rules nintendo", -0.775),
    ("tricks-q-linear", "tricks {} rule-based --deals 60 --rules plain", 3.025),
    ("hearts-q-linear", "tricks {} rule-based --deals 60 --rules hearts", 8.041666666666666),
    ("tricks-network", "tricks {}/temperature=0 rule-based --deals 60 --rules hearts", 10.183333333333334),
    ("saichugen-learned", "saichugen {} random --deals 60 --rules stake", 0.43888888888888894),
    ("saichugen-network", "saichugen {} random --deals 60 --rules stake", -0.08333333333333331),
    ("kuhn-self-play", "kuhn {} equilibrium --deals 60", -0.19166666666666668),
    ("kuhn-nfsp", "kuhn {} always-bet --deals 60", -0.4083333333333333),
]
RUNS = [  # its folder, the command, the strength on the card, the last line of the curve
    ("koikoi-pg-linear", "koikoi pg-linear --arg opponent=random/always-stop --arg episodes=1500 --arg baseline=0.01 "
     "--arg batch=3 --arg seats=all", 2.35, [1500, 2.533333333333333]),
    ("koikoi-ann-value", "koikoi ann-value --arg teacher=rule-based/always-stop --arg positions=60 --arg games=1 "
     "--arg epochs=4", -1.525, [4, 5.241497062596488]),
    ("tricks-q-linear", "tricks q-linear --rules plain --arg games=150 --arg every=50 --arg average=yes "
     "--arg points=1", 2.9875, [150, 3.00125, 2.9583451652280046, 3.0441548347719958]),
    ("hearts-q-linear", "tricks q-linear --rules hearts --arg games=200 --arg every=100 --arg points=1", 8.4,
     [200, 8.747, 8.554783563173748, 8.939216436826252]),
    ("saichugen-learned", "saichugen learned --rules stake --arg games=300 --arg every=100 --arg points=2", 0.2,
     [300, 0.189, 0.1374048355816389, 0.2405951644183611]),
]  # fmt: skip
# The deals of this curve take twelve seconds.
WHEN = [pytest.param(*run, marks=[pytest.mark.full] * (run[0] == "saichugen-learned")) for run in RUNS]
SMALL = "--arg units=8 --arg lanes=16 --arg steps=16 --arg batch=64"
DEEP_RUNS = [
    ("kuhn-self-play", f"kuhn self-play --arg decisions=2048 --arg opponent=pool --arg past=4 --arg critic=8 {SMALL}"),
    ("kuhn-nfsp", f"kuhn nfsp --arg decisions=2048 --arg blocks=1 --arg ring=300 --arg reservoir=300 {SMALL}"),
]
EXPLOIT = f"exploit kuhn always-bet --arg decisions=8192 --arg rate=0.02 {SMALL} --seed 3 --deals 40 --threads 1"
LADDER = "ladder kuhn --deals 20 --slow-deals 5 --seed 3 --threads 1 --players random,equilibrium,always-bet,pimc"


def told(done) -> dict:
    """What a command printed as JSON."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_kept_file_is_tried():
    assert {path.stem for path in (KEPT / "policies").iterdir()} == {name for name, *_ in MATCHES} | {OTHER_INPUTS}
    assert {path.name for path in (KEPT / "runs").iterdir()} == {name for name, *_ in RUNS + DEEP_RUNS}
    assert len(list((KEPT / "games").iterdir())) == 12


@pytest.mark.parametrize(("name", "command", "mean"), MATCHES)
def test_a_policy_plays_as_it_did(name, command, mean, here):
    words = command.format(KEPT / "policies" / f"{name}.npz").split()
    assert told(here("match", *words, "--seed", 6, "--json"))["players"][0]["mean"] == pytest.approx(mean, abs=1e-9)


def test_a_network_of_other_inputs_is_refused(here):
    """Mahjong's networks are told much more than then. None of them was shipped."""
    done = here("match", "mahjong", KEPT / "policies" / f"{OTHER_INPUTS}.npz", "random")
    assert done.returncode == 2
    assert "was made for other features of network than this version has; train it again" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", ["koikoi", "tricks", "hearts", "saichugen", "mahjong", "kuhn"])
def test_a_game_that_was_left_goes_on_to_the_same_end(name, here, monkeypatch):
    left = Path(shutil.copy(KEPT / "games" / f"{name}-left.json", here.folder))
    finished = json.loads((KEPT / "games" / f"{name}-finished.json").read_text(encoding="utf-8"))
    assert json.loads(left.read_text(encoding="utf-8"))["scores"] is None
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 2000))  # whoever sat there always took the first move
    assert here("play", "--resume", left).returncode == 0
    ended = json.loads(left.read_text(encoding="utf-8"))
    moves = [[(seat, action) for seat, action, _ in record["actions"]] for record in (ended, finished)]
    assert moves[0] == moves[1]
    assert ended["scores"] == finished["scores"]


@pytest.mark.parametrize("name", ["koikoi", "tricks", "hearts", "saichugen", "mahjong", "kuhn"])
def test_a_finished_game_is_shown(name, here):
    path = KEPT / "games" / f"{name}-finished.json"
    shown = told(here("replay", path, "--json"))
    assert shown["scores"] == json.loads(path.read_text(encoding="utf-8"))["scores"]
    assert here("replay", path, "--lang", "en").returncode == 0


def gone_on(name: str, command: str, here) -> tuple[policy.PolicyCard, np.ndarray, list[float]]:
    """The card and the weights that a kept run ends in, and the last line of its curve."""
    shutil.copytree(KEPT / "runs" / name, here.folder / "run")
    done = here("train", *command.split(), "--seed", 3, "--deals", 20, "--threads", 1, "--out", "run")
    assert done.returncode == 0, done.stderr
    last = (here.folder / "run" / "curve.csv").read_text(encoding="utf-8").splitlines()[-1]
    return *policy.load(here.folder / "run" / "policy.npz"), [float(number) for number in last.split(",")]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "command", "strength", "curve"), WHEN)
def test_a_run_goes_on_to_the_same_policy(name, command, strength, curve, here):
    card, weights, last = gone_on(name, command, here)
    assert card.strength[0]["mean"] == pytest.approx(strength)
    assert last == pytest.approx(curve)
    if name != "koikoi-ann-value":  # the weights of which take 200 kB
        np.testing.assert_allclose(weights, policy.load(KEPT / "policies" / f"{name}.npz")[1], rtol=1e-4, atol=1e-6)


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(("name", "command"), DEEP_RUNS)
def test_a_run_of_a_network_goes_on_to_the_same_weights(name, command, here):
    _, weights, _ = gone_on(name, command, here)
    np.testing.assert_allclose(weights, policy.load(KEPT / "policies" / f"{name}.npz")[1], rtol=0, atol=2e-3)


@pytest.mark.slow
@pytest.mark.usefixtures("torch")
def test_a_best_response_goes_on_to_the_same_gain(here):
    shutil.copytree(KEPT / "exploit-left", here.folder / "out")
    result = told(here(*EXPLOIT.split(), "--out", "out", "--json"))
    before = json.loads((KEPT / "exploit" / "kuhn-standard-always-bet" / "result.json").read_text(encoding="utf-8"))
    assert (
        (result["gain"]["mean"], result["decisions"]) == (before["gain"]["mean"], before["decisions"]) == (0.325, 8192)
    )


@pytest.mark.usefixtures("torch")
def test_a_result_of_a_best_response_stands(here):
    shutil.copytree(KEPT / "exploit", here.folder / "out")
    result = told(here(*EXPLOIT.split(), "--out", "out", "--json"))
    assert (result["commit"], result["gain"]["mean"]) == (COMMIT, 0.325)


def test_the_results_in_docs_are_of_the_players_of_today():
    """A cell or a gain stands as long as the player has the same identity; none was measured anew."""
    measured = []
    docs = KEPT.parents[2] / "docs"
    for path in sorted(path for folder in ("exploit", "ladder") for path in (docs / folder).glob("**/*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        game, rules = games.find(content["game"]), content["rules"]
        players = [(content["player"], content["identity"])] if "player" in content else []
        players += [(each["name"], each["identity"]) for each in content.get("players", [])]
        for name, before in players:
            measured.append((path.name, name))
            assert identity(resolve(game, name, game.rulebook.make(rules))) == before, measured[-1]
    assert len(measured) >= 81


def test_the_cells_of_a_ladder_stand_and_a_new_player_plays_its_own(here):
    shutil.copytree(KEPT / "ladder", here.folder / "out")
    table = told(here(*f"{LADDER},always-pass --out out --json".split()))
    cells = {(cell["player"], cell["opponents"]): cell for cell in table["cells"]}
    before = json.loads((KEPT / "ladder" / "kuhn-standard.json").read_text(encoding="utf-8"))["cells"]
    assert len(before) == 12
    for cell in before:
        found = cells.pop((cell["player"], cell["opponents"]))
        if "equilibrium" in (cell["player"], cell["opponents"]):  # has a table for each size of the bet now, not one
            cell = {**cell, **{key: found[key] for key in ("player_identity", "opponents_identity", "commit")}}
        assert found == cell
    means = {pair: cell["mean"] for pair, cell in cells.items() if not cell["mirror"]}
    assert means == {
        ("random", "always-pass"): 0.5, ("equilibrium", "always-pass"): 0.25,
        ("always-bet", "always-pass"): 1.0, ("pimc", "always-pass"): 1.0,
    }  # fmt: skip
