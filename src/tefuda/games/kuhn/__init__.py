"""Kuhn poker, the smallest poker worth playing: README.md in this folder has its rules and its solution."""

from pathlib import Path

from tefuda.contract import Checks, Game, Headline, Kernels, Name, NamedPlayer, Players, Policy, Scoring, Spaces, Words
from tefuda.engine.network import with_network
from tefuda.games.kuhn import layout, players, rules, scene, text
from tefuda.games.kuhn.spaces import ACTIONS, OBSERVATION, observe
from tefuda.search.pimc import with_pimc

POLICIES = (
    Policy("random", players.choose, players.same_everywhere(0.5)),
    Policy("equilibrium", players.choose, players.equilibrium_parameters),
    Policy("always-bet", players.choose, players.same_everywhere(1.0)),
    Policy("always-pass", players.choose, players.same_everywhere(0.0)),
    Policy("table", players.choose, players.table_parameters, weights=rules.INFORMATION_SETS),
)

PLAYERS = (
    NamedPlayer("random", "passes or bets, both alike", "random"),
    NamedPlayer("equilibrium", "cannot be beaten; /ALPHA, up to 1/3: how often jacks bluff", "equilibrium"),
    NamedPlayer("always-bet", "bets and calls with everything", "always-bet"),
    NamedPlayer("always-pass", "checks and folds with everything", "always-pass"),
)

ENGINE = Game(
    name="kuhn",
    title=Name("クーン・ポーカー", "Kuhn poker"),
    seats=rules.SEATS,
    folder=Path(__file__).parent,
    State=rules.State,
    kernels=Kernels(
        deal=rules.deal,
        to_move=rules.to_move,
        legal=rules.legal,
        apply=rules.apply,
        scores=rules.scores,
        observe=observe,
        hide=rules.hide,
        guess=rules.guess,
    ),
    spaces=Spaces(
        actions=ACTIONS,
        observation=OBSERVATION,
    ),
    rulebook=rules.RULEBOOK,
    players=Players(
        policies=POLICIES,
        named=PLAYERS,
        default_opponent="equilibrium",
    ),
    scoring=Scoring(
        headline=Headline("chips a game", higher_is_better=True, fair=0.0, of=lambda scores: scores),
        total=0.0,
    ),
    checks=Checks(
        longest=3,  # check, bet, fold or call
        layout=layout.layout,
        rebuild=layout.rebuild,
        allowed=layout.allowed,
    ),
    words=Words(
        show=text.show,
        action_name=text.action_name,
        scene=scene.scene,
    ),
)

GAME = with_pimc(with_network(ENGINE), worlds=50, playout="random")
