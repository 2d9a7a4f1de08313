"""Saichugen, the card game for three in which the middle wins: README.md in this folder has its rules and our choices."""

from pathlib import Path

from tefuda.contract import Game, Headline, Name, NamedPlayer, Policy, Rules, Telling, plain_parameters
from tefuda.games.saichugen import layout, rules, statistics, text
from tefuda.games.saichugen.options import RULEBOOK, STAKE
from tefuda.games.saichugen.players import plan, tactics
from tefuda.games.saichugen.spaces import ACTIONS, OBSERVATION, observe

POLICIES = tuple(Policy(name, plan.choose, tactics.parameters_of(name)) for name in list(tactics.STRATEGIES)[:1])
PLAYERS = (NamedPlayer("random", "x", "S-random"), *(NamedPlayer(name, "x", name) for name in tactics.STRATEGIES))

WINS = Headline("% of games won", higher_is_better=True, fair=37.05, of=lambda scores: 100 * scores, digits=2)
GAINS = Headline("stakes a game", higher_is_better=True, fair=0.0, of=lambda scores: scores)

GAME = Game(
    name="saichugen",
    title=Name("最中限", "Saichugen"),
    seats=rules.SEATS,
    folder=Path(__file__).parent,
    State=rules.State,
    deal=rules.deal,
    to_move=rules.to_move,
    legal=rules.legal,
    apply=rules.apply,
    scores=rules.scores,
    observe=observe,
    hide=rules.hide,
    guess=rules.guess,
    actions=ACTIONS,
    observation=OBSERVATION,
    rulebook=RULEBOOK,
    policies=POLICIES,
    players=PLAYERS,
    headline=WINS,
    longest=rules.LONGEST,
    sum_of_scores=None,
    layout=layout.layout,
    rebuild=layout.rebuild,
    allowed=layout.allowed,
    show=text.show,
    action_name=text.action_name,
    statistics=statistics.STATISTICS,
    note=statistics.note,
    summary=statistics.summary,
)
