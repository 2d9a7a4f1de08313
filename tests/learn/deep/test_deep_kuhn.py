"""Deep learners on Kuhn poker, where how far a policy is from an equilibrium is known without doubt; and their runs,
which go on after any interruption as if there had been none."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tefuda import games
from tefuda.files import policy
from tefuda.games.kuhn import rules
from tefuda.games.kuhn.rules import BET, CARDS, INFORMATION_SETS
from tefuda.kernel.compile import COMPILED
from tefuda.learn import training
from tefuda.learn.run import parse_arguments
from tests.games.kuhn import tables

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.skipif(not COMPILED, reason="hundreds of thousands of games: compiled only")

from tefuda.learn import nfsp, self_play  # noqa: E402  (they need torch)
from tefuda.learn.deep.network import NetworkShape, forward  # noqa: E402

KUHN = games.find("kuhn")
RULES = KUHN.rulebook.make()
RANDOM = 11 / 24  # the exploitability of who bets half of the time, in chips a game: 0.458…
SMALL = ["units=32", "blocks=1"]

# Seeds 1 to 5 of self-play end between 0.013 and 0.027 chips a game, those of NFSP between 0.018 and 0.026.
SELF_PLAY = [
    "decisions=600000", "lanes=512", "steps=8", "batch=1024", "entropy=0.1", "entropy_end=0.01", "magnet=0.2",
    "average=0.998", "rate=0.005", "rate_end=0.0001", "epochs=2", "fade=1", *SMALL,
]  # fmt: skip
NFSP = ["decisions=500000", "ring=10000", "average_rate=0.005", "explore=0.05", *SMALL]
NEAR = {"self-play": 0.03, "nfsp": 0.05}  # chips a game that a best response gains at most, where all is right


# --- networks as tables ---


def observations() -> np.ndarray:
    """What the seat to move knows in each of the twelve information sets."""
    found = np.zeros((INFORMATION_SETS, KUHN.spaces.observation.size), np.float32)
    for number, row in enumerate(found):
        betting, card = divmod(number, CARDS)
        states = KUHN.blank(RULES)
        states["betting"] = betting
        seat = rules.to_move(states[0])
        states["card"] = -1
        states["card"][0, seat] = card
        KUHN.kernels.observe(states[0], seat, row)
        assert rules.information_set(states[0], seat) == number
    return found


def table_of(shape: NetworkShape, weights: np.ndarray) -> list[float]:
    """The twelve chances to bet of a network."""
    with torch.no_grad():
        logits, _ = forward(shape.parts(torch.from_numpy(weights)), torch.from_numpy(observations()))
        return torch.softmax(logits.double(), dim=1)[:, BET].tolist()


def exploitability(learner) -> float:
    return tables.exploitability(table_of(learner.shape, learner.result))


def test_a_network_that_knows_nothing_plays_at_random():
    shape = NetworkShape(KUHN.spaces.observation.size, 4, 1, 2)
    table = table_of(shape, shape.initial(1))
    assert table == [0.5] * INFORMATION_SETS
    assert tables.exploitability(table) == pytest.approx(RANDOM, abs=1e-12)


def test_a_network_that_holds_an_equilibrium_cannot_be_exploited():
    """No hidden layer: from an information set straight to the logarithm of its chances."""
    from tefuda.games.kuhn.players import equilibrium

    chances = np.clip(np.array(equilibrium(), np.float64), 1e-9, 1 - 1e-9)
    shape = NetworkShape(KUHN.spaces.observation.size, INFORMATION_SETS, 0, 2)
    first = np.zeros((KUHN.spaces.observation.size, INFORMATION_SETS))
    first[:INFORMATION_SETS] = np.eye(INFORMATION_SETS)
    last = np.zeros((INFORMATION_SETS, 3))
    last[:, BET] = np.log(chances / (1 - chances))
    weights = np.concatenate([first.ravel(), np.zeros(INFORMATION_SETS), last.ravel(), np.zeros(3)])
    table = table_of(shape, weights.astype(np.float32))
    assert table == pytest.approx(chances, abs=1e-6)
    assert tables.exploitability(table) == pytest.approx(0, abs=1e-6)


# --- how near they come ---


def learned(learning: type, texts: list[str], seed: int = 1):
    """A learner at its end."""
    module = nfsp if issubclass(learning, nfsp.FictitiousSelfPlay) else self_play
    arguments = parse_arguments(module.Arguments, texts)
    learner = learning(KUHN, [RULES], None, arguments, seed, torch.device("cpu"), 1)
    while not learner.done:
        learner.advance()
    return learner


@pytest.fixture(scope="module")
def self_played():
    return learned(self_play.SelfPlay, SELF_PLAY)


@pytest.fixture(scope="module")
def fictitious():
    return learned(nfsp.FictitiousSelfPlay, NFSP)


@pytest.mark.slow
def test_self_play_comes_near_an_equilibrium(self_played):
    assert exploitability(self_played) < NEAR["self-play"] < RANDOM / 10


@pytest.mark.slow
def test_neural_fictitious_self_play_comes_near_an_equilibrium(fictitious):
    assert exploitability(fictitious) < NEAR["nfsp"] < RANDOM / 9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["self_played", "fictitious"])
def test_values_foretell_what_is_won(name, request):
    """At the first decision, in chips: the value of the game is −1/18 for the first seat; a king is worth more than a
    queen, that more than a jack, as much as the policy itself wins with it against itself."""
    learner = request.getfixturevalue(name)
    table = table_of(learner.shape, learner.result)
    won = np.zeros(CARDS)
    tree = tables.tree()
    worth = tree.up(tables.play(table), tree.scores)[tree.levels[0], 0]  # of each deal, for the first seat
    for gain, place in zip(worth, tree.information_set[tree.levels[0]], strict=True):
        won[tree.views[place]["card"][0]] += gain / 2  # two deals for each card
    with torch.no_grad():
        sights = torch.from_numpy(observations())
        _, values = forward(learner.shape.parts(torch.from_numpy(learner.result)), sights)
    assert values[:CARDS].numpy() * learner.scale == pytest.approx(won, abs=0.15)


# --- learners with a mistake, which must not come near one ---


class TurnedAround(self_play.SelfPlay):
    """The second seat learns to lose."""

    def _give_credit(self, value):
        super()._give_credit(value)
        self.credit.advantage *= 1.0 - 2.0 * (self.window.seat_of == 1)


class LastToAct(self_play.SelfPlay):
    """Only the seat that ends a game is paid: what the other's turn brings is not noticed."""

    def _give_credit(self, value):
        seats = torch.arange(KUHN.seats)
        self.window.rewards *= self.window.seat_of[:-1, :, None] == seats
        super()._give_credit(value)


class AllActions(nfsp.FictitiousSelfPlay):
    """The average learns all that is done, its own actions among them."""

    def _remember_best(self, generator):
        self.wanted.copy_(self.window.chosen)
        self.follows.fill_(True)
        super()._remember_best(generator)


class OthersFuture(nfsp.FictitiousSelfPlay):
    """What follows a decision is taken to be the next decision at the table, whoever's it is."""

    def _remember_transitions(self):
        seat_of = self.window.seat_of.clone()
        self.window.seat_of.zero_()
        self.waiting["known"].zero_()
        super()._remember_transitions()
        self.window.seat_of.copy_(seat_of)


@pytest.mark.full
@pytest.mark.parametrize("mistaken", [TurnedAround, LastToAct])
def test_self_play_with_a_mistake_does_not_come_near_one(mistaken):
    assert exploitability(learned(mistaken, SELF_PLAY)) > 2 * NEAR["self-play"]


@pytest.mark.full
@pytest.mark.parametrize("mistaken", [AllActions, OthersFuture])
def test_neural_fictitious_self_play_with_a_mistake_does_not_come_near_one(mistaken):
    assert exploitability(learned(mistaken, NFSP)) > 2 * NEAR["nfsp"]


def test_a_decision_at_the_end_of_a_window_counts_whatever_the_other_does():
    """Whether a check is answered by a check, which ends the game, or by a bet, after which one is asked again."""
    arguments = parse_arguments(self_play.Arguments, ["lanes=256", "steps=4", *SMALL])
    learner = self_play.SelfPlay(KUHN, [RULES], None, arguments, 1, torch.device("cpu"), 1)
    learner.advance()
    counts = learner.credit.counts
    opens = learner.window.observation[2, :, :CARDS].sum(dim=1) == 1  # in the last step but one
    ended = learner.window.ended[3]
    assert opens.sum() > 20
    assert ended[opens].any()
    assert not ended[opens].all()
    assert counts[2, opens].all()
    assert not counts[3, learner.window.observation[3, :, :CARDS].sum(dim=1) == 1].any()  # the answer is not known
    assert not counts[4].any()


# --- runs that are stopped ---

MECHANICS = {
    "self-play": ["decisions=60000", "lanes=64", "steps=16", "batch=256", "opponent=pool", "past=5", "units=8"],
    "nfsp": ["decisions=60000", "lanes=64", "steps=16", "batch=64", "updates=4", "ring=3000", "reservoir=3000",
             "units=8"],
}  # fmt: skip
QUICK = {"DEALS": 16, "CHECKPOINT": -1.0}  # of learn/watched.py: a checkpoint after every window

RUN = f"""
import sys
from tefuda.learn import watched
vars(watched).update({QUICK})
from tefuda.cli import main
sys.argv = ["tefuda", *sys.argv[1:]]
main()
"""


@pytest.fixture
def train(monkeypatch):
    """train(learner, folder) trains here, to the end."""
    from tefuda.learn import watched

    for key, value in QUICK.items():
        monkeypatch.setattr(watched, key, value)
    return lambda name, out: training.train(KUHN, name, MECHANICS[name], out, 1, RULES, 0, 1)


def stopped_at(out) -> int:
    with np.load(out / "checkpoint.npz") as archive:
        return int(archive["counts"][0])


def stop(name: str, out, after: int, number: int) -> tuple[int, str]:
    """Run the command line and send it a signal once it has made so many decisions; its exit code and what it said."""
    texts = [part for text in MECHANICS[name] for part in ("--arg", text)]
    command = ["train", "kuhn", name, *texts, "--out", str(out), "--deals", "0", "--seed", "1", "--threads", "1"]
    process = subprocess.Popen([sys.executable, "-c", RUN, *command], stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not ((out / "checkpoint.npz").exists() and stopped_at(out) > after):
        time.sleep(0.005)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert after < stopped_at(out) < 60_000
    assert not (out / "policy.npz").exists()
    return process.returncode, said


@pytest.mark.slow
@pytest.mark.parametrize("name", ["self-play", "nfsp"])
def test_a_run_that_is_killed_and_then_interrupted_ends_as_if_nothing_had_been(name, train, tmp_path):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    card = train(name, whole)
    code, _ = stop(name, stopped, 5_000, signal.SIGKILL)
    assert code == -signal.SIGKILL
    code, said = stop(name, stopped, 25_000, signal.SIGINT)
    assert (code, said.splitlines()[-1]) == (
        130, f"tefuda: interrupted; the run is stored in {stopped}: give the same command again to go on"
    )  # fmt: skip
    assert train(name, stopped) == card
    for file in ("policy.npz", "curve.csv"):
        assert (whole / file).read_bytes() == (stopped / file).read_bytes()
    with np.load(whole / "checkpoint.npz") as one, np.load(stopped / "checkpoint.npz") as other:
        assert one.files == other.files
        for key in one.files:
            assert np.array_equal(one[key], other[key]), key
    assert len((whole / "curve.csv").read_text().splitlines()) == 11
    assert policy.load_for(KUHN, whole / "policy.npz")[0].about.startswith(f"{name} trained with decisions=60000")
