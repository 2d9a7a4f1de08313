"""Leduc poker, a poker of six cards and two rounds: README.md in this folder has its rules and its solution."""

from pathlib import Path

from tefuda.contract import Chance, Checks, Game, Headline, Kernels, Name, Players, Rules, Scoring, Spaces, Words
from tefuda.engine.network import with_network
from tefuda.engine.tabular import with_tables
from tefuda.games.leduc import japanese, layout, rules, scene, spaces, text
from tefuda.games.leduc.players import PLAYERS, TABLES
from tefuda.search.pimc import with_pimc


def bounds(rules: Rules) -> tuple[float, float]:
    """What a seat can lose and win: the ante, and two raises in each round."""
    most = 1.0 + 2 * (rules.values["first_raise"] + rules.values["second_raise"])
    return -most, most


ENGINE = Game(
    name="leduc",
    title=Name("レダック・ポーカー", "Leduc poker"),
    seats=rules.SEATS,
    folder=Path(__file__).parent,
    State=rules.State,
    kernels=Kernels.of(rules, spaces),
    spaces=Spaces(spaces.ACTIONS, spaces.OBSERVATION, cards=rules.NAMES, shown=spaces.shown),
    rulebook=rules.RULEBOOK,
    players=Players(named=PLAYERS, default_opponent="honest", hint_player="equilibrium"),
    scoring=Scoring(Headline("chips a game"), total=0.0, bounds=bounds),
    checks=Checks(layout.layout, layout.rebuild, longest=8),  # check, bet, raise, call; twice
    words=Words(
        text.show,
        text.action_name,
        scene.scene,
        why_not=text.why_not,
        misnamed=text.misnamed,
        japanese=japanese.japanese,
    ),
    chance=Chance(rules.deals, rules.information_set, rules.INFORMATION_SETS),
)

GAME = with_pimc(with_network(with_tables(ENGINE, TABLES)), worlds=50, playout="random")
