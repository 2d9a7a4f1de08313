"""MaskablePPO of sb3-contrib learns Koi-Koi through Gymnasium, and then sits down in the arena.

    pip install 'tefuda[environments,examples]'
    python examples/maskable_ppo.py                                  # 50,000 decisions, a minute: a beginning
    python examples/maskable_ppo.py --game leduc --decisions 15000   # a smaller game is learned at once

The environment tells in `action_masks`, where MaskablePPO looks, what may be done. One table is played at a time; see
ppo.py for thousands in step.
"""

import argparse

import gymnasium
import numpy as np
import torch
from gymnasium.wrappers import TransformReward
from sb3_contrib import MaskablePPO

import tefuda
import tefuda.interop.gymnasium

POINTS = 10.0  # which count as a reward of 1: larger errors of the value would drown what is learned about actions


class Learned:
    """The network as a player of the arena: it takes the likeliest legal action of each row."""

    def __init__(self, model: MaskablePPO) -> None:
        self.model = model

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return self.model.predict(observations, action_masks=masks, deterministic=True)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="koikoi")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--decisions", type=int, default=50_000)
    parser.add_argument("--deals", type=int, default=1000, help="on which it is measured")
    chosen = parser.parse_args()
    torch.set_num_threads(1)  # threads that wait for each other cost more than they give to so small a network
    table = gymnasium.make(f"tefuda/{chosen.game.capitalize()}-v0", opponents=[chosen.opponent])
    table = TransformReward(table, lambda points: points / POINTS)
    model = MaskablePPO(
        "MlpPolicy", table, 1e-3, n_steps=1024, batch_size=256, n_epochs=4, gamma=1.0, seed=1, device="cpu"
    )
    model.learn(chosen.decisions)
    players = [Learned(model)] + [chosen.opponent] * (tefuda.game(chosen.game).seats - 1)
    print(tefuda.match(chosen.game, players, deals=chosen.deals, seed=2026))


if __name__ == "__main__":
    main()
