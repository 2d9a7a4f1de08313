"""What the decisions of a window are worth: how much better each went than was foretold.

A critic that is told all cards knows how lucky the next round of a match will be. The last decisions of a round have no
part in that. So where a game says what tells how a match stands between two rounds (`Learning.between`), a small
network foretells from that alone what the rest of the match brings, and a round is played for that.
"""

from typing import Any

from tefuda.contract import BetweenRounds, Game
from tefuda.learn.deep.network import NetworkShape, forward
from tefuda.learn.deep.tables import Machine, Window
from tefuda.learn.deep.torch import torch

UNITS = 64  # of the small network


class Between:
    """What is foretold between two rounds."""

    def __init__(self, game: Game, between: BetweenRounds, device: Any) -> None:
        space = game.spaces.observation

        def entries(keys: tuple[str, ...]) -> Any:
            return torch.tensor([at for key in keys for at in range(*space.slices[key].indices(space.size))]).to(device)

        self.told, self.rounds = entries(between.parts), entries(between.rounds)
        self.shape = NetworkShape(len(self.told), UNITS, 1, 0)

    def foretold(self, weights: Any, observation: Any) -> Any:
        """What the rest of the match brings the seats of some observations [rows, inputs], beyond what they have."""
        return forward(self.shape.parts(weights), observation[:, self.told])[1]

    def new_rounds(self, observation: Any) -> Any:
        """Whether a new round begins behind each step but the last: [steps, lanes] of [steps + 1, lanes, inputs]."""
        rounds = observation[..., self.rounds]
        return (rounds[1:] != rounds[:-1]).any(dim=-1)


class Credit:
    """Of each decision of the window, and of the one behind it."""

    def __init__(self, machine: Machine, window: Window, rule_of: Any, between: Between | None, fade: float) -> None:
        """`rule_of`: by which rules each lane plays."""
        self.machine, self.window, self.rule_of, self.between, self.fade = machine, window, rule_of, between, fade

        def tensor() -> Any:
            return machine.tensor((window.steps + 1, window.lanes), torch.float32)

        self.advantage, self.target = tensor(), tensor()
        self.counts = tensor()  # whether it is known what came of the decision
        self.begins = tensor()  # whether it is the first of its seat in a round, and one before it was credited
        self.spread = machine.tensor((window.lanes,), torch.float32)  # of advantages by the rules of each lane

    def give(self, behind: Any, between_weights: Any) -> None:
        """Give credit to every decision whose consequence is known. `behind`: the values [lanes] of the decisions
        behind the window. Without them, of a seat's last decisions only those would count after which the game was soon
        over."""
        window, machine = self.window, self.machine
        values, ended, rewards = (
            torch.cat([each, more[None]])
            for each, more in (
                (window.values, behind),
                (window.ended, torch.zeros_like(window.ended[0])),
                (window.rewards, torch.zeros_like(window.rewards[0])),
            )
        )
        outlooks, new_round = values, torch.zeros_like(ended)
        if self.between is not None:
            foretold = self.between.foretold(between_weights, window.observation.flatten(0, 1))
            outlooks, new_round[:-1] = foretold.view_as(values), self.between.new_rounds(window.observation)
        course = (values, outlooks, new_round, window.seat_of, window.asked_of, ended, rewards)
        found = (self.advantage, self.target, self.counts, self.begins)
        machine.run(
            "credit_some", window.lanes, self.fade, tuple(map(machine.seen, course)), tuple(map(machine.seen, found))
        )
        self.spread.copy_(self._spread())

    def _spread(self) -> Any:
        """How far advantages lie from 0, their mean but for noise: [lanes], by the rules of each lane. Rewards by some
        rules can be many times as large as by others, and their luck would drown what is learned of the others."""
        zeros = torch.zeros(int(self.rule_of.max()) + 1, device=self.machine.device)
        squares = zeros.index_add(0, self.rule_of, self.advantage.square().sum(dim=0))
        credited = zeros.index_add(0, self.rule_of, self.counts.sum(dim=0)).clamp(min=1.0)  # none, in a short window
        return ((squares / credited).sqrt() + 1e-6)[self.rule_of]
