"""Training runs go on as if never stopped, refuse what does not fit, and read their arguments."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.match import match
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.learn import policy_gradient, positions, run, training, value_network
from tefuda.learn.policy_gradient import Arguments, PolicyGradient
from tefuda.learn.strength import STRENGTH_SEED
from tests.learn.finished_runs import same_results, stopped_at

KOIKOI = games.find("koikoi")
OPPONENT = "random/always-stop"  # no playouts in the other seat: quick


# --- training runs ---


def train(out, learner="pg-linear", seed=1, deals=0, **arguments):
    texts = [f"{key}={value}" for key, value in arguments.items()]
    return training.train(KOIKOI, learner, texts, out, seed, KOIKOI.rulebook.make(), deals, 1)


LINEAR = {"opponent": OPPONENT, "episodes": 15_000, "baseline": 0.01, "batch": 7}
NETWORK = {"teacher": "rule-based/always-stop", "positions": 200, "games": 1, "epochs": 8}
RUN = """
import sys
from tefuda.learn import run
run.EVERY = -1.0  # a checkpoint after every step
from tefuda.cli import main
sys.argv = ["tefuda", *sys.argv[1:]]
main()
"""


def start(out, arguments=LINEAR) -> subprocess.Popen:
    texts = [part for key, value in arguments.items() for part in ("--arg", f"{key}={value}")]
    command = [sys.executable, "-c", RUN, "train", "koikoi", "pg-linear", *texts, "--out", str(out), "--deals", "0"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def stop(process: subprocess.Popen, out, after: int, number: int) -> tuple[str, str]:
    """Send a signal once the run has come further than some episodes."""
    while process.poll() is None and not ((out / "checkpoint.npz").exists() and stopped_at(out) > after):
        time.sleep(0.01)
    time.sleep(0.03)  # into the middle of a step
    process.send_signal(number)
    return process.communicate(timeout=60)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """The folder of a run that nobody disturbed."""
    out = tmp_path_factory.mktemp("uninterrupted")
    train(out, **LINEAR)
    return out


@pytest.mark.slow
def test_a_run_leaves_policy_curve_and_checkpoint(uninterrupted):
    assert sorted(path.name for path in uninterrupted.iterdir()) == ["checkpoint.npz", "curve.csv", "policy.npz"]
    lines = (uninterrupted / "curve.csv").read_text().splitlines()
    assert lines[0] == "episode,mean score of the last episodes"
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(150, 15_001, 150))
    card, weights = policy.load_for(KOIKOI, uninterrupted / "policy.npz")
    assert (card.game, card.policy, card.rules, card.seed) == ("koikoi", "pg-linear", "paper", 1)
    assert card.arguments["episodes"] == 15_000
    assert len(weights) == 36


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_result(uninterrupted, tmp_path):
    process = start(tmp_path)
    stop(process, tmp_path, 1000, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert 1000 < stopped_at(tmp_path) < 15_000
    assert not (tmp_path / "policy.npz").exists()
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith(".")) == sorted(
        path.name for path in uninterrupted.iterdir()
    )


@pytest.mark.slow
def test_an_interrupted_run_says_so_in_one_line_and_goes_on_to_the_same_result(uninterrupted, tmp_path):
    for after in (500, 2500):  # interrupted twice
        process = start(tmp_path)
        output, errors = stop(process, tmp_path, after, signal.SIGINT)
        assert process.returncode == 130
        assert output == ""
        lines = errors.splitlines()
        assert len(lines) == 1, errors
        assert lines[0].startswith("tefuda: interrupted")
        assert str(tmp_path) in lines[0]
        assert after < stopped_at(tmp_path) < 15_000
        assert os.listdir(tmp_path) == ["checkpoint.npz"]
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)


class Interrupted:
    """Ctrl-C at the worst moment: as soon as the compiled step of a learner is done, before anything is noted."""

    def __init__(self, step, times: int) -> None:
        self.step, self.left = step, times

    def __call__(self, *arguments):
        self.step(*arguments)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.slow
def test_an_interrupt_right_after_a_compiled_step_loses_nothing(uninterrupted, tmp_path, monkeypatch):
    """Python notices Ctrl-C when compiled code returns: the step's weights are there, its episodes not yet counted."""
    with monkeypatch.context() as patched:
        episodes = Interrupted(policy_gradient._episodes_of(KOIKOI), 4)
        patched.setattr(policy_gradient, "_episodes_of", lambda game: episodes)
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, **LINEAR)
    assert 0 < stopped_at(tmp_path) < 15_000
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)


@pytest.mark.slow
def test_a_finished_run_is_not_run_again(uninterrupted, tmp_path, monkeypatch):
    train(tmp_path, **LINEAR)
    (tmp_path / "policy.npz").unlink()
    monkeypatch.setattr(PolicyGradient, "advance", None)  # would fail if it were asked
    train(tmp_path, **LINEAR)
    same_results(uninterrupted, tmp_path)


def contents(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "said"),
    [({"seed": 2}, "seed"), ({"step": 0.25}, "step"), ({"opponent": "random"}, "opponent"), ({"batch": 9}, "batch")],
)
def test_another_run_in_the_same_folder_is_refused(changes, said, uninterrupted):
    before = contents(uninterrupted)
    with pytest.raises(Problem, match=rf"holds another run \({said} differ\); choose another --out"):
        train(uninterrupted, **{**LINEAR, **changes})
    assert contents(uninterrupted) == before


@pytest.mark.parametrize("damage", ["truncated", "text", "empty", "missing array"])
def test_a_damaged_checkpoint_is_refused(damage, uninterrupted, tmp_path):
    path, whole = tmp_path / "checkpoint.npz", (uninterrupted / "checkpoint.npz").read_bytes()
    if damage == "missing array":
        with np.load(uninterrupted / "checkpoint.npz") as archive:
            np.savez(path, **{key: archive[key] for key in archive.files if key != "weights"})
    else:
        path.write_bytes({"truncated": whole[: len(whole) // 2], "text": b"not a checkpoint\n", "empty": b""}[damage])
    before = contents(tmp_path)
    with pytest.raises(Problem, match="damaged; remove it to begin anew, or choose another --out"):
        train(tmp_path, **LINEAR)
    assert contents(tmp_path) == before


@pytest.fixture(scope="module")
def network_run(tmp_path_factory):
    """The folder of an undisturbed run of the value network."""
    out = tmp_path_factory.mktemp("network")
    train(out, "ann-value", **NETWORK)
    return out


def test_a_network_run_leaves_a_policy_that_plays(network_run):
    assert (network_run / "curve.csv").read_text().splitlines()[0] == "epoch,squared error on positions held out"
    assert len((network_run / "curve.csv").read_text().splitlines()) == 1 + NETWORK["epochs"]
    result = match(KOIKOI, [f"{network_run / 'policy.npz'}/always-stop", OPPONENT], 5)
    assert result.rows[0].more["rounds"] == 10


def test_an_interrupted_network_run_goes_on_to_the_same_result(network_run, tmp_path, monkeypatch):
    """Between two epochs, and right after the compiled step; the curve keeps what was before."""
    advance = value_network.ValueNetworkTraining.advance

    def interrupted(self):
        if self.epoch == 3:
            raise KeyboardInterrupt
        advance(self)

    with monkeypatch.context() as patched:
        patched.setattr(value_network.ValueNetworkTraining, "advance", interrupted)
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, "ann-value", **NETWORK)
    train(tmp_path, "ann-value", **NETWORK)
    same_results(network_run, tmp_path)


def test_an_interrupt_right_after_an_epoch_loses_nothing(network_run, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(value_network, "_epoch", Interrupted(value_network._epoch, 4))
        with pytest.raises(Problem, match="interrupted"):
            train(tmp_path, "ann-value", **NETWORK)
    train(tmp_path, "ann-value", **NETWORK)
    weights, expected = (policy.load(folder / "policy.npz")[1] for folder in (tmp_path, network_run))
    assert np.array_equal(weights, expected)


def test_another_network_run_in_the_same_folder_is_refused(network_run):
    before = contents(network_run)
    with pytest.raises(Problem, match=r"holds another run \(seed differ\)"):
        train(network_run, "ann-value", seed=2, **NETWORK)
    assert contents(network_run) == before


def test_damaged_positions_are_told(network_run, tmp_path):
    whole = (network_run / "positions.npz").read_bytes()
    (tmp_path / "positions.npz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(Problem, match=r"positions\.npz"):
        train(tmp_path, "ann-value", **NETWORK)


def test_an_unwritable_folder_is_told_before_the_work(tmp_path, monkeypatch):
    """A file is where the folder should be."""
    (tmp_path / "taken").write_text("")

    def too_early(*arguments, **options):
        raise AssertionError("worked first")

    monkeypatch.setattr(positions, "collect", too_early)
    monkeypatch.setattr(PolicyGradient, "advance", too_early)
    for learner, arguments in (("pg-linear", LINEAR), ("ann-value", NETWORK)):
        with pytest.raises(Problem, match="cannot write"):
            train(tmp_path / "taken", learner, **arguments)


def test_a_network_that_the_player_cannot_read_is_refused_before_the_work(tmp_path, monkeypatch):
    """`ann-value` plays by 200 hidden units, no other number."""

    def too_early(*arguments, **options):
        raise AssertionError("worked first")

    monkeypatch.setattr(positions, "collect", too_early)
    with pytest.raises(Problem, match="hidden"):
        train(tmp_path / "out", "ann-value", **{**NETWORK, "hidden": 8})


def test_the_strength_of_a_policy_is_on_its_card(tmp_path):
    card = train(tmp_path, deals=40, opponent=OPPONENT, episodes=50)
    measured = match(KOIKOI, [str(tmp_path / "policy.npz"), OPPONENT], 40, seed=STRENGTH_SEED).rows[0].figure
    assert policy.load(tmp_path / "policy.npz")[0] == card
    (strength,) = card.strength
    assert (strength["opponent"], strength["rules"]) == (OPPONENT, "paper")
    assert (strength["deals"], strength["rotations"], strength["seed"]) == (40, 2, STRENGTH_SEED)
    assert (strength["mean"], strength["low"], strength["high"]) == (measured.mean, measured.low, measured.high)


def test_a_strength_never_claims_more_deals_than_were_played(tmp_path, monkeypatch):
    """Ctrl-C while the result is measured: what is on the card was played, or nothing is on it."""
    from tefuda.arena import games as played_games

    play, pieces = played_games.play, []

    def interrupted(*arguments):
        if len(pieces) == 3:
            raise KeyboardInterrupt
        pieces.append(arguments[-2:])
        return play(*arguments)

    monkeypatch.setattr(played_games, "play", interrupted)
    with contextlib.suppress(KeyboardInterrupt, Problem):
        train(tmp_path, deals=400, opponent=OPPONENT, episodes=50)
    assert len(pieces) == 3
    assert sum(last - first for first, last in pieces) < 400
    for strength in policy.load(tmp_path / "policy.npz")[0].strength:
        assert strength["deals"] == sum(last - first for first, last in pieces)


# --- arguments ---


def test_arguments_are_read_by_their_kind():
    read = run.parse_arguments(
        value_network.GameArguments, ["step=0.5", "positions=12", "divide_decay=no", "teacher=random", "epochs=3"]
    )
    assert (read.step, read.positions, read.divide_decay, read.teacher, read.epochs) == (0.5, 12, False, "random", 3)
    assert run.parse_arguments(positions.Arguments, ["stages=1,7,11"]).stages == (1, 7, 11)
    assert run.parse_arguments(Arguments, []) == Arguments()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("episodes", "should be key=value"), ("episode=5", "did you mean 'episodes'"), ("episodes=1.5", "a value like"),
        ("step=fast", "takes a value like"), ("=5", "unknown argument"), ("step=nan", "step"), ("step=inf", "step"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_told(text, said):
    with pytest.raises(Problem) as caught:
        run.parse_arguments(Arguments, [text]).check()
    assert said in str(caught.value)


@pytest.mark.slow
def test_every_argument_says_what_it_means():
    described = training.describe(KOIKOI)
    assert set(described) == {"pg-linear", "ann-value", "self-play", "nfsp"}
    silent = [
        f"{name}: {argument['name']}"
        for name, entry in described.items() for argument in entry["arguments"] if not argument["meaning"]
    ]  # fmt: skip
    assert not silent
