"""What a player would do at a view, and what place it expects in the end: told in a moment, without any world.

A player that tells its chances has an opinion. A hint tells it beside the values of the moves. The two can differ: the
values are what this round brings, while a player may have learned to win the match, or to end it in a good place.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.contract import Name, Reader
from tefuda.engine.goals import PLACE
from tefuda.engine.network import GOAL, SCALE, TEMPERATURE
from tefuda.engine.network import NAME as NETWORK
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.evaluation import action_name
from tefuda.table.table import View

CHAMPION = "champion"
MOST_TOLD, LEAST_TOLD = 3, 0.01  # moves that a line names, and how likely they are at least


@dataclass(frozen=True)
class Likely:
    """A move, and how likely a player takes it."""

    action: int
    name: Name
    chance: float


@dataclass(frozen=True)
class Opinion:
    """The legal moves with their chances, the most likely first."""

    player: str
    moves: tuple[Likely, ...]
    place: float | None  # that the seat may expect in the end, from 1; None where the player does not foretell it

    def line(self, reader: Reader) -> str:
        """In one line for people."""
        told = [move for move in self.moves[:MOST_TOLD] if move.chance >= LEAST_TOLD]
        both = [
            ("、" if lang == "ja" else ", ").join(f"{getattr(move.name, lang)} {move.chance:.0%}" for move in told)
            for lang in ("ja", "en")
        ]
        ja, en = f"{self.player} なら：{both[0]}", f"{self.player} would play: {both[1]}"
        if self.place is not None:
            ja, en = (
                f"{ja}（最終順位の見込み {self.place:.2f}）",
                f"{en} (it expects place {self.place:.2f} in the end)",
            )
        return reader.say(ja, en)

    def data(self) -> dict[str, Any]:
        """For JSON."""
        moves = [{"action": move.action, "name": move.name.en, "chance": move.chance} for move in self.moves]
        return {"player": self.player, "moves": moves, "place": self.place}


def asked_for(view: View, player: Entrant) -> Entrant:
    """Whose opinion a hint tells: the champion's, where the game's quick player plays the worlds on and the champion
    tells its chances; else the player's own."""
    players = view.game.players
    if player.name != players.hint_player or not players.named_under(CHAMPION, view.rules):
        return player
    champion = resolve(view.game, CHAMPION, view.rules)
    return champion if champion.policy is not None and champion.policy.chances is not None else player


def opinion_of(view: View, player: Entrant) -> Opinion | None:
    """The opinion of a player about the view of the seat to move; None where it does not tell its chances."""
    player = asked_for(view, player)
    policy, game = player.policy, view.game
    if policy is None or policy.chances is None:
        return None
    mask, chances = np.zeros(game.spaces.mask_words, np.uint64), np.zeros(game.spaces.actions.size)
    worlds, numbers = np.zeros(max(1, policy.worlds), game.State), np.zeros(max(1, policy.numbers))
    state = view.state[0]
    game.kernels.legal(state, mask)
    policy.chances(state, view.seat, _in_doubt(player), mask, worlds, numbers, chances)
    order = sorted(view.legal, key=lambda action: -chances[action])
    moves = tuple(Likely(action, action_name(view, action), float(chances[action])) for action in order)
    return Opinion(player.name, moves, _place(view, player, numbers))


def _in_doubt(player: Entrant) -> np.ndarray:
    """The parameters of a player. A network that always takes its first choice says all the same how sure it is."""
    if not player.plays_by(NETWORK) or player.params[TEMPERATURE] > 0:
        return player.params
    params = player.params.copy()
    params[TEMPERATURE] = 1.0
    return params


def _place(view: View, player: Entrant, numbers: np.ndarray) -> float | None:
    """The place, from 1, that a network expects which plays for it. Behind the chances, `numbers` holds its value: by
    how much it foretells a better place than the game does (`Learning.places`, which counts from the middle)."""
    game, params = view.game, player.params
    places: Any = game.learning.places
    if not player.plays_by(NETWORK) or int(params[GOAL]) != PLACE or game.rulebook.rounds(view.rules) == 1:
        return None
    reached = np.zeros(game.seats)
    places(view.state[0], reached)
    value = float(numbers.view(np.float32)[game.spaces.actions.size])
    return (game.seats + 1) / 2 - float(reached[view.seat] + params[SCALE] * value)
