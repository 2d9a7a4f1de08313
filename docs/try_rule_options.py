"""How champions play by every rule option: each preset with each option at each other value, against the usual player.

    python docs/try_rule_options.py tricks [--players champion,policies/mine.npz] [--deals 200] [--seed 777]

A line a set of rules: what each player gets against the game's default opponent, who takes the other seats. Options
that are plain numbers are tried at their common values, or at their ends. It ends with the rules in which a player is
behind with its whole interval, and those that it does not play.
"""

import argparse
import time
from collections.abc import Iterable, Iterator

import tefuda
from tefuda.arena.match import match
from tefuda.contract import Game, Option, Rules
from tefuda.engine.network import NAME
from tefuda.errors import Problem
from tefuda.files import policy
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import Player, resolve

SHORT = 20  # of deals that a match of several rounds counts for


def values_of(option: Option) -> list[int]:
    """Values that are tried."""
    return list(option.common or (option.values or {}).values() or (option.low, option.high))


def single_changes(game: Game, presets: Iterable[str]) -> Iterator[Rules]:
    """Each preset, and each preset with one option changed; every set of rules once."""
    seen = set()
    for preset in presets:
        changes = [
            f"{option.key}={option.text(value)}" for option in game.rulebook.options for value in values_of(option)
        ]
        for rules in [game.rulebook.make(preset), *(game.rulebook.make(preset, [each]) for each in changes)]:
            if game.rulebook.row(rules) not in seen:
                seen.add(game.rulebook.row(rules))
                yield rules


def player_of(game: Game, name: str, rules: Rules) -> Player:
    """A player; the network of a policy file is seated whatever rules it has learned by."""
    if not name.endswith(".npz"):
        return resolve(game, name, rules)
    card, weights = policy.load_for(game, name)
    network = game.players.policy(NAME)
    return Entrant(name, network, network.parameters(card.variant, weights))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--players", default="champion")
    parser.add_argument("--presets", default="", help="as in paper,bonus; all, when none are given")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=777)
    given = parser.parse_args()
    game = tefuda.game(given.game)
    behind, without, began = [], [], time.monotonic()
    for rules in single_changes(game, given.presets.split(",") if given.presets else game.rulebook.presets):
        headline = game.scoring.headline_under(rules)
        deals = given.deals if game.rulebook.rounds(rules) == 1 else max(20, given.deals // SHORT)
        texts = []
        for name in given.players.split(","):
            try:
                player = player_of(game, name, rules)
            except Problem as problem:
                without.append(f"{name}, {rules}: {problem}")
                continue
            figure = match(game, [player, game.players.default_opponent], deals, given.seed, rules).rows[0].figure
            texts.append(f"{name} {figure.text(headline.digits)}")
            worse = figure.high < headline.fair if headline.higher_is_better else figure.low > headline.fair
            if worse:
                behind.append(f"{name}, {rules}: {figure.text(headline.digits)}")
        print(f"{rules}: {'   '.join(texts)} {headline.name} (fair {headline.fair:g}), {deals} deals", flush=True)
    print(f"{time.monotonic() - began:.0f} s; seed {given.seed}")
    print("behind:", *(behind or ["nowhere"]), sep="\n  ")
    print("no player:", *(without or ["nowhere"]), sep="\n  ")


if __name__ == "__main__":
    main()
