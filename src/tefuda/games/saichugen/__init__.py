"""Saichugen, the card game for three in which the middle wins: README.md in this folder has rules and choices."""

from pathlib import Path

import numpy as np

from tefuda.contract import (
    Checks,
    Game,
    Headline,
    Kernels,
    Learning,
    Name,
    NamedPlayer,
    Players,
    Policy,
    Rules,
    Scoring,
    Search,
    Spaces,
    Statistics,
    Words,
    plain_parameters,
)
from tefuda.engine.network import NAME as NETWORK
from tefuda.engine.network import with_network
from tefuda.games.saichugen import cards, japanese, layout, rules, scene, spaces, statistics, text
from tefuda.games.saichugen.options import RULEBOOK, STAKE
from tefuda.games.saichugen.players import choices, exact, learned, plan, tactics
from tefuda.search.pimc import with_advice, with_pimc

FOLDER = Path(__file__).parent

POLICIES = (
    Policy("random", choices.choose_any, plain_parameters, blind=True),
    *(
        Policy(name, plan.choose, tactics.parameters_of(name), worlds=exact.WORLDS, numbers=exact.NUMBERS)
        for name in tactics.STRATEGIES
    ),
    learned.POLICY,
)

PLAYERS = (
    NamedPlayer("random", "any legal card, all alike", "random"),
    *(NamedPlayer(name, strategy.about, name) for name, strategy in tactics.STRATEGIES.items()),
    NamedPlayer(
        "learned", "section 7: learned worth of standings and of cards left, by self-play for a stake", "learned",
        FOLDER / "policies" / "learned.npz",
    ),
    NamedPlayer(
        "learned-vs-random", "the same, learned against two random players", "learned",
        FOLDER / "policies" / "learned-vs-random.npz",
    ),
    NamedPlayer(
        "champion", "a network that has learned by self-play for the stake", NETWORK, FOLDER / "policies/champion.npz"
    ),
    NamedPlayer(
        "exploiter", "a network that has learned to beat two random players", NETWORK, FOLDER / "policies/exploiter.npz"
    ),
    NamedPlayer(
        "quick", "a small network that has learned like the champion, and decides many times as fast",
        NETWORK, FOLDER / "policies/quick.npz",
    ),
)  # fmt: skip

# Winners may be two or three, so that equal players win more than a third: 37.05 % is what three `random` win each.
WINS = Headline("% of games won", higher_is_better=True, fair=37.05, of=lambda scores: 100 * scores, digits=2)
STAKES = Headline("stakes a game", higher_is_better=True, fair=0.0, of=lambda scores: scores)


def headline(chosen: Rules) -> Headline:
    """The share of games won, as in the paper, or what was won for a stake."""
    return STAKES if chosen.values["payoff"] == STAKE else WINS


def sum_of_scores(chosen: Rules) -> float | None:
    """A stake is only passed on; the number of winners varies."""
    return 0.0 if chosen.values["payoff"] == STAKE else None


def secret(states: np.ndarray, seat: int, action: int) -> bool:
    """A card lies face down until the third one turns all up."""
    return seat < rules.SEATS - 1


ENGINE = Game(
    name="saichugen",
    title=Name("最中限", "Saichugen"),
    seats=rules.SEATS,
    folder=FOLDER,
    State=rules.State,
    kernels=Kernels.of(rules, spaces),
    spaces=Spaces(
        spaces.ACTIONS,
        spaces.OBSERVATION,
        secret=secret,
        cards=cards.NAMES,
        shown=spaces.shown,
        finished="finished",
    ),
    rulebook=RULEBOOK,
    players=Players(
        policies=POLICIES,
        named=PLAYERS,
        default_opponent="S-base+3t+4r",
        hint_player="quick",
        levels={"easy": "random", "middle": "S-base+3t+4r", "hard": "learned", "champion": "champion"},
        variants=tactics.VARIANTS,
    ),
    scoring=Scoring(
        headline=WINS,
        headline_by_rules=headline,
        total=None,
        total_by_rules=sum_of_scores,
    ),
    checks=Checks(layout.layout, layout.rebuild, rules.LONGEST, layout.allowed),
    words=Words.of(text, scene, japanese, rules=text.explain),
    statistics=Statistics(statistics.STATISTICS, statistics.tally, statistics.summary, statistics.SHARES),
    learning=Learning(round_values=(learned.VALUES,)),
)

GAME = with_pimc(with_network(ENGINE), worlds=300, playout="random")
GAME = with_advice(GAME, Search(300, "random", trust=0.1))
