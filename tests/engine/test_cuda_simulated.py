"""CUDA kernels without a GPU: the simulator runs the same functions uncompiled, and must give the CPU's games."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tefuda import games
from tefuda.arena.games import seat_players
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import scratch, seated
from tefuda.players.resolve import resolve

PLAYERS = {
    "koikoi": ["rule-based/monte-carlo:3", "random/always-stop"],
    "kuhn": ["equilibrium", "random"],
    "leduc": ["equilibrium", "honest"],
    "mahjong": ["rule-based", "policy", "random", "tsumogiri"],
    "saichugen": ["S-base+3t+4r/end=exact", "T-take+3t", "random"],
    "tricks": ["rule-based", "random", "random", "random"],
}
SIZES = {"mahjong": ("hand", 1, 2)}  # preset, deals, playouts: its games are long, and uncompiled code is slow
USUAL = ("", 6, 20)

SIMULATED = """
import sys
import numpy as np
from tefuda import games
from tefuda.arena.games import seat_players
from tefuda.players.resolve import resolve
from tefuda.engine.cuda import Batch, Playouts
game = games.find(sys.argv[1])
names = sys.argv[2].split(",")
blank = game.blank(game.rulebook.make(sys.argv[3] or None))
seating = seat_players(game, [resolve(game, name) for name in names])
batch = Batch(game, blank, seating.rotations, seating.entrants, int(sys.argv[4]), True)
batch.play(5, 10)
playouts = Playouts(game, blank, int(sys.argv[5]))
playouts.play(5, 10)
np.savez(
    sys.argv[6], playouts=playouts.results.copy_to_host(), scores=batch.scores(),
    decisions=batch.decisions.copy_to_host(), finals=batch.finals.copy_to_host().view(np.uint8),
)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.full] * (name in SIZES)) for name in sorted(PLAYERS)]
)
def test_simulated_cuda_plays_the_games_of_the_cpu(name, tmp_path):
    out = tmp_path / "out.npz"
    preset, deals, games_alone = SIZES.get(name, USUAL)
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    arguments = [name, ",".join(PLAYERS[name]), preset, str(deals), str(games_alone), str(out)]
    subprocess.run([sys.executable, "-W", "ignore", "-c", SIMULATED, *arguments], check=True, env=environment)
    simulated = np.load(out)
    game = games.find(name)
    blank = game.blank(game.rulebook.make(preset or None))
    seating = seat_players(game, [resolve(game, each) for each in PLAYERS[name]])
    scores = np.zeros((deals, len(seating.rotations), game.seats))
    counts = np.zeros((len(seating.entrants), loops_of(game).counted), np.int64)
    sitting, space = seated(game, seating.entrants), scratch(game, seating.entrants)
    decisions = loops_of(game).play_deals(
        blank, 5, 10, 10 + deals, seating.rotations, sitting, space, scores, counts
    )  # fmt: skip
    assert (simulated["scores"] == scores).all()
    assert simulated["decisions"].sum() == decisions
    assert simulated["finals"].any()
    playouts = np.zeros((games_alone, game.seats))
    loops_of(game).playouts(blank, 5, 10, 10 + games_alone, space, playouts)
    assert (simulated["playouts"] == playouts).all()


MATCH = """
import json, sys
from tefuda import games
from tefuda.arena.match import match
print(json.dumps(match(games.find("kuhn"), ["equilibrium", "random"], 7, 3, device=sys.argv[1]).data()))
"""


@pytest.mark.slow
def test_a_match_on_simulated_cuda_is_that_of_the_cpu():
    """Before its clock starts it launches a kernel for no deals at all."""
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", MATCH]
    cuda, cpu = (
        subprocess.run([*command, device], check=True, env=environment, capture_output=True, text=True).stdout
        for device in ("cuda", "cpu")
    )
    assert json.loads(cuda)["players"][0]["mean"] == json.loads(cpu)["players"][0]["mean"] != 0
