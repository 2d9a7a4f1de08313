"""Kuhn poker, the smallest poker worth playing: README.md in this folder has its rules and its solution."""

from pathlib import Path

from tefuda.contract import Chance, Checks, Game, Headline, Kernels, Name, Players, Rules, Scoring, Spaces, Words
from tefuda.engine.network import with_network
from tefuda.engine.tabular import with_tables
from tefuda.games.kuhn import japanese, layout, rules, scene, spaces, text
from tefuda.games.kuhn.players import PLAYERS, TABLES
from tefuda.search.pimc import with_pimc


def bounds(rules: Rules) -> tuple[float, float]:
    """What a seat can lose and win: the ante and the bet."""
    most = 1.0 + rules.values["bet"]
    return -most, most


ENGINE = Game(
    name="kuhn",
    title=Name("クーン・ポーカー", "Kuhn poker"),
    seats=rules.SEATS,
    folder=Path(__file__).parent,
    State=rules.State,
    kernels=Kernels.of(rules, spaces),
    spaces=Spaces(spaces.ACTIONS, spaces.OBSERVATION, cards=rules.NAMES),
    rulebook=rules.RULEBOOK,
    players=Players(named=PLAYERS, default_opponent="equilibrium"),
    scoring=Scoring(Headline("chips a game"), total=0.0, bounds=bounds),
    checks=Checks(layout.layout, layout.rebuild, longest=3),  # check, bet, fold or call
    words=Words(text.show, text.action_name, scene.scene, misnamed=text.misnamed, japanese=japanese.japanese),
    chance=Chance(rules.deals, rules.information_set, rules.INFORMATION_SETS),
)

GAME = with_pimc(with_network(with_tables(ENGINE, TABLES)), worlds=50, playout="random")
