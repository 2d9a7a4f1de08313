"""Koi-Koi, the hanafuda game for two: see README.md in this folder for the rules, their source and our choices."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

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
    fingerprint,
)
from tefuda.engine.network import NAME as NETWORK
from tefuda.engine.network import with_network
from tefuda.engine.solution import with_solution
from tefuda.games.koikoi import (
    advice,
    cards,
    deals,
    hiding,
    japanese,
    layout,
    options,
    places,
    rules,
    scene,
    spaces,
    statistics,
    text,
)
from tefuda.games.koikoi.options import RULEBOOK
from tefuda.games.koikoi.players import decision, linear, network, plain, rule_based, simple_rules
from tefuda.games.koikoi.players import round as single
from tefuda.games.koikoi.state import SEATS, State
from tefuda.search.pimc import with_advice, with_pimc

FOLDER = Path(__file__).parent


def _policy(
    key: str, choose: Any, weights: int = 0, meanings: Sequence[str] = (), numbers: int = decision.NUMBERS
) -> Policy:
    """A policy whose parameters begin with the koi-koi decision."""
    return Policy(key, choose, decision.parameters, weights, fingerprint(meanings), decision.WORLDS, numbers)


POLICIES = (
    _policy("random", plain.choose),
    _policy("rule-based", rule_based.choose),
    _policy("pg-linear", linear.choose, linear.FEATURES, linear.NAMES, linear.NUMBERS),
    _policy("ann-value", network.choose, network.WEIGHTS, network.MEANINGS, network.NUMBERS),
    _policy("rule-based-simple", simple_rules.choose_simple),
    _policy("rule-based-values", simple_rules.choose_values),
)

PAPERS, OTHER_RULES = "the rules paper", "other rules than paper"
NO_SAKE, SAKE = "rules without the sake yaku", "rules with the sake yaku, or a small pack"
ONE_ROUND = f"{SAKE}, in one round"
PLAIN = "rule-based/always-stop"  # plays worlds out


def has_sake(rules: Rules) -> bool:
    return not options.has_no_sake(rules)


def has_sake_in_one_round(rules: Rules) -> bool:
    return has_sake(rules) and rules.values["rounds"] == 1


def is_not_papers(rules: Rules) -> bool:
    return not options.is_papers(rules)


PLAYERS = (
    NamedPlayer("random", "any legal card, all alike", "random"),
    NamedPlayer(
        "rule-based", "if-then rules: complete a yaku, take what is worth most, give what is worth least", "rule-based"
    ),
    NamedPlayer(
        "rule-based-simple",
        "plainer rules: complete a yaku, else take any card, else give any card",
        "rule-based-simple",
    ),
    NamedPlayer(
        "rule-based-values",
        "the same, but it takes the cards of the highest value: bright 20, animal 10, ribbon 5, chaff 1",
        "rule-based-values",
    ),
    NamedPlayer(
        "pg-linear",
        "36 features learned by policy gradient exactly as the paper did, against rule-based (seed 1)",
        "pg-linear",
        FOLDER / "policies" / "pg-linear.npz",
    ),
    NamedPlayer(
        "pg-linear-tuned",
        "the same features and gradient; step, baseline, seats and episodes chosen better",
        "pg-linear",
        FOLDER / "policies" / "pg-linear-tuned.npz",
    ),
    NamedPlayer(
        "ann-value",
        "a 252-200-1 network that values after-states, learned from rule-based games",
        "ann-value",
        FOLDER / "policies" / "ann-value.npz",
    ),
    NamedPlayer(
        "champion",
        "a network that has learned by self-play, and a little against random, for the points of a round",
        NETWORK,
        FOLDER / "policies" / "champion-paper.npz",
        options.has_no_sake,
        NO_SAKE,
    ),
    NamedPlayer(
        "champion",
        "the network of whole matches, told that the round is the first of 8: it plays for points",
        single.NAME,
        FOLDER / "policies" / "champion-match.npz",
        has_sake_in_one_round,
        ONE_ROUND,
    ),
    NamedPlayer(
        "champion",
        "a network that has learned by self-play, to win the match",
        NETWORK,
        FOLDER / "policies" / "champion-match.npz",
        has_sake,
        SAKE,
    ),
    NamedPlayer(
        "champion/points",
        "the champion: it has learned for the points of a round",
        NETWORK,
        FOLDER / "policies" / "champion-paper.npz",
        options.has_no_sake,
        NO_SAKE,
    ),
    NamedPlayer(
        "champion/points",
        "the champion of whole matches, told in every round that it is the first of 8: it plays for points",
        single.NAME,
        FOLDER / "policies" / "champion-match.npz",
        has_sake,
        SAKE,
    ),
    NamedPlayer(
        "quick",
        "a small network that has learned by self-play, and decides many times as fast as the champion",
        NETWORK,
        FOLDER / "policies" / "quick.npz",
        options.has_no_sake,
        NO_SAKE,
    ),
    NamedPlayer(
        "quick",
        "the small network of whole matches, told that the round is the first of 8: it plays for points",
        single.NAME,
        FOLDER / "policies" / "quick-match.npz",
        has_sake_in_one_round,
        ONE_ROUND,
    ),
    NamedPlayer(
        "quick",
        "a small network that has learned like the champion, with which champion+search plays worlds out",
        NETWORK,
        FOLDER / "policies" / "quick-match.npz",
        has_sake,
        SAKE,
    ),
)

ENGINE = Game(
    name="koikoi",
    title=Name("花札こいこい", "Koi-Koi"),
    seats=SEATS,
    folder=FOLDER,
    State=State,
    kernels=Kernels.of(rules, hiding, spaces, playout=decision.random_play),
    spaces=Spaces(
        spaces.ACTIONS,
        spaces.OBSERVATION,
        cards=cards.NAMES,
        shown=spaces.shown,
        finished="finished",
    ),
    rulebook=RULEBOOK,
    players=Players(
        policies=POLICIES,
        named=PLAYERS,
        default_opponent="rule-based",
        hint_player="quick",
        levels={"easy": "random", "middle": "rule-based", "hard": "ann-value", "champion": "champion"},
        variants="NAME/always-stop, NAME/always-koikoi, NAME/monte-carlo:1000 — how agari or koi-koi is decided; "
        "NAME alone decides by 300 Monte Carlo playouts",
    ),
    scoring=Scoring(
        headline=Headline("points a game", higher_is_better=True, fair=0.0, of=lambda scores: scores),
        total=0.0,
    ),
    checks=Checks(
        layout.layout, layout.rebuild, 16 * 4, layout.allowed, layout.exchange
    ),  # each of 16 turns: a card, two choices, a call
    words=Words.of(text, scene, advice, japanese, rules=text.explain),
    statistics=Statistics(statistics.STATISTICS, statistics.tally, statistics.summary, statistics.SHARES, "rounds"),
    learning=Learning(
        linear=linear.LINEAR,
        after_states=network.AFTER_STATES,
        places=places.places,
    ),
    chance=deals.CHANCE,
)

GAME = with_pimc(with_solution(single.with_rounds(with_network(ENGINE))), worlds=500, playout=PLAIN)
GAME = with_advice(GAME, Search(2000, PLAIN, trust=0.05), under=options.is_papers, only=PAPERS)
GAME = with_advice(GAME, Search(100, "quick", trust=0.5), under=is_not_papers, only=OTHER_RULES)
