"""PPO in one file, on the vector environment: a network learns Koi-Koi against `rule-based`.

    python examples/ppo.py                                # 12 million decisions, five minutes of one core
    python examples/ppo.py --decisions 40000 --lanes 32 --deals 100   # a short try

First come lessons: the network imitates what the opponent would do in its place. Then it plays for points (Schulman et
al., 2017). It learns against a quicker `rule-based`, which decides about koi-koi by 30 playouts instead of 300. In the
end the mean of its weights sits down in the arena as a batch player, opposite the whole `rule-based`, on deals that it
has not seen, seats rotated.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

import tefuda

STEPS = 32  # of all lanes between two updates
BATCH = 1024  # decisions for one step of the gradient, at the most
FADE = 0.8  # how far ahead advantages look
CLIP, VALUE = 0.2, 0.5
ENTROPY, ENTROPY_END = 0.02, 0.001  # its weight at first and at the end
RATE_END = 0.03  # of the learning rate, at the end
AVERAGE = 0.998  # how slowly the mean of the weights follows
POINTS = 10.0  # which count as a reward of 1


class Network(nn.Module):
    """Logits of the actions, and the value of the situation."""

    def __init__(self, inputs: int, actions: int, units: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, units), nn.ReLU(), nn.Linear(units, units), nn.ReLU())
        self.logits, self.value = nn.Linear(units, actions), nn.Linear(units, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.body(observations)
        return self.logits(hidden).masked_fill(~masks, -1e9), self.value(hidden)[:, 0]


class Learned:
    """The network as a player of the arena: it takes the likeliest action of each row."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def choose(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return self.network(torch.from_numpy(observations), torch.from_numpy(masks))[0].argmax(1).numpy()


def collect(env, network: Network, lesson: bool) -> dict[str, torch.Tensor]:
    """Play STEPS decisions in every lane; each is a row [steps, lanes, …] of what was seen, done and gained."""
    rows: dict[str, list[torch.Tensor]] = {}
    for _ in range(STEPS):
        turn = env.turn
        seen, masks = torch.from_numpy(turn.observations.copy()), torch.from_numpy(turn.masks.copy())
        with torch.no_grad():
            logits, value = network(seen, masks)
        chances = torch.distributions.Categorical(logits=logits, validate_args=False)
        advice = torch.from_numpy(env.advice().copy()) if lesson else torch.zeros(env.lanes, dtype=torch.int64)
        action = advice if lesson else chances.sample()
        turn = env.step(action.numpy())
        gained = torch.from_numpy(env.own(turn.rewards)) / POINTS
        ended = torch.from_numpy(turn.ended.copy())
        made = {"seen": seen, "masks": masks, "action": action, "chance": chances.log_prob(action), "value": value,
                "gained": gained, "ended": ended}  # fmt: skip
        for key, row in made.items():
            rows.setdefault(key, []).append(row)
    return {key: torch.stack(row) for key, row in rows.items()}


def credit_of(played: dict[str, torch.Tensor], last: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """By how much each decision went better than was foretold, and what followed it in all (Schulman et al., 2016)."""
    advantage, ahead, gain = torch.zeros_like(played["value"]), last, torch.zeros_like(last)
    for step in reversed(range(STEPS)):
        goes_on = (~played["ended"][step]).float()
        surprise = played["gained"][step] + goes_on * ahead - played["value"][step]
        gain = surprise + FADE * goes_on * gain
        advantage[step], ahead = gain, played["value"][step]
    return advantage, advantage + played["value"]


def learn(network: Network, mean: AveragedModel, optimizer: torch.optim.Optimizer, played: dict[str, torch.Tensor],
          advantage: torch.Tensor, target: torch.Tensor, lesson: bool, entropy: float) -> None:  # fmt: skip
    """Imitate, or take what went well more often; and foretell better."""
    flat = {key: row.flatten(0, 1) for key, row in {**played, "advantage": advantage, "target": target}.items()}
    for rows in torch.randperm(len(flat["action"])).split(BATCH):
        logits, value = network(flat["seen"][rows], flat["masks"][rows])
        chances = torch.distributions.Categorical(logits=logits, validate_args=False)
        chance = chances.log_prob(flat["action"][rows])
        loss = VALUE * (value - flat["target"][rows]).square().mean()
        if lesson:
            loss = loss - chance.mean()
        else:
            better = flat["advantage"][rows]
            better = (better - better.mean()) / (better.std() + 1e-6)
            ratio = (chance - flat["chance"][rows]).exp()
            least = torch.min(ratio * better, ratio.clamp(1 - CLIP, 1 + CLIP) * better)
            loss = loss - least.mean() - entropy * chances.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimizer.step()
        mean.update_parameters(network)


def train(game: str, opponent: str, decisions: int, lessons: float, lanes: int, units: int, rate: float) -> Network:
    """The whole run; `lessons` is the part of the decisions that imitates."""
    torch.manual_seed(1)
    torch.set_num_threads(1)  # threads that wait for each other cost more than they give to a network as small as this
    env = tefuda.vector(game, lanes, [opponent], seed=1)
    env.reset()
    network = Network(env.inputs, env.actions, units)
    mean = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(AVERAGE))
    optimizer = torch.optim.Adam(network.parameters(), lr=rate)
    done, began, scores = 0, time.perf_counter(), []
    while done < decisions:
        lesson, part = done < lessons * decisions, done / decisions
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - part + RATE_END * part)
        played = collect(env, network, lesson)
        with torch.no_grad():
            last = network(torch.from_numpy(env.turn.observations), torch.from_numpy(env.turn.masks))[1]
        entropy = ENTROPY + part * (ENTROPY_END - ENTROPY)
        learn(network, mean, optimizer, played, *credit_of(played, last), lesson, entropy)
        done += STEPS * lanes
        scores.append(POINTS * played["gained"].sum() / played["ended"].sum().clamp(min=1))
        if len(scores) == 50 or done >= decisions:
            what = "lessons" if lesson else "PPO"
            print(f"{done:>12,} decisions  {time.perf_counter() - began:5.0f} s  {what:7}  "
                  f"{float(torch.stack(scores).mean()):+.2f} points a game", flush=True)  # fmt: skip
            scores = []
    return mean.module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="koikoi")
    parser.add_argument("--opponent", default="rule-based/monte-carlo:30", help="whom it learns against")
    parser.add_argument("--against", help="whom it is measured against; the opponent in its usual form")
    parser.add_argument("--decisions", type=int, default=12_000_000)
    parser.add_argument("--lessons", type=float, default=0.08, help="the part of the decisions that imitates")
    parser.add_argument("--lanes", type=int, default=512)
    parser.add_argument("--units", type=int, default=128, help="of each layer")
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at first")
    parser.add_argument("--deals", type=int, default=100_000, help="on which it is measured")
    chosen = vars(parser.parse_args())
    deals, against = chosen.pop("deals"), chosen.pop("against") or chosen["opponent"].partition("/")[0]
    learned, seats = Learned(train(**chosen)), tefuda.game(chosen["game"]).seats
    print(tefuda.match(chosen["game"], [learned] + [against] * (seats - 1), deals=deals, seed=2026))


if __name__ == "__main__":
    main()
