"""Trick-taking and Hearts for four: see README.md in this folder for the rules, their source and our choices."""

from dataclasses import replace
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
from tefuda.engine.solution import with_solution
from tefuda.games.tricks import (
    advice,
    deals,
    hiding,
    japanese,
    layout,
    options,
    places,
    players,
    rules,
    scene,
    spaces,
    statistics,
    text,
    values,
)
from tefuda.games.tricks.cards import ALL_POINTS, HAND_OF, NAMES, POINTS_OF, RANKS
from tefuda.games.tricks.options import HEARTS_POINTS, NO_MOON, RULEBOOK
from tefuda.games.tricks.state import LONGEST, PASS, SEATS, State
from tefuda.search.pimc import with_advice, with_pimc

POLICIES = (
    Policy("random", players.choose_any, plain_parameters, blind=True, chances=players.chances_of_any, alike=True),
    Policy("rule-based", players.choose_by_rules, plain_parameters, chances=players.chances_by_rules, alike=True),
    values.Q_TRICKS,
    values.Q_HEARTS,
)

FOLDER = Path(__file__).parent


def learned(name: str, about: str) -> list[NamedPlayer]:
    """A learned player, who has weights for tricks and others for Hearts."""
    return [
        NamedPlayer(name, about, policy.key, FOLDER / "policies" / f"{name}-{preset}.npz")
        for policy, preset in ((values.Q_TRICKS, "plain"), (values.Q_HEARTS, "hearts"))
    ]


CHAMPION = "a network that has learned by self-play"
QUICK = "a small network that has learned by self-play, and decides many times as fast as the champion"
LEARNED_BY = {
    "plain": (options.is_plain, "the goal tricks"),
    "hearts": (options.is_moonless, "hearts without the moon"),
    "usual": (lambda rules: not options.is_plain(rules), "hearts with the moon"),
}

PLAYERS = (
    NamedPlayer("random", "any legal card, all alike", "random"),
    NamedPlayer(
        "rule-based", "the paper's lists: win cheaply; in Hearts duck, and throw the high spades away", "rule-based"
    ),
    *learned("q-linear", "the paper's learner: Q-learning of a weighted sum of features, by self-play"),
    *learned("q-linear-random", "the same, learned against random players"),
    *learned("q-linear-averaged", "the same by self-play, with the mean of the weights over the second half"),
    *learned("q-softmax", "plays by chance, the better the likelier, so that its cards tell less about its hand"),
    *(
        NamedPlayer("champion", CHAMPION, NETWORK, FOLDER / "policies" / f"champion-{each}.npz", under, only)
        for each, (under, only) in LEARNED_BY.items()
    ),
    *(
        NamedPlayer("quick", QUICK, NETWORK, FOLDER / "policies" / f"quick-{each}.npz", under, only)
        for each, (under, only) in LEARNED_BY.items()
    ),
)

MANY_TRICKS = Headline("tricks a game", higher_is_better=True, fair=RANKS / 4, of=lambda scores: scores)
FEW_POINTS = Headline("penalty points a game", higher_is_better=False, fair=ALL_POINTS / 4, of=lambda scores: -scores)
# Where the points of all seats do not always add up to the same, equal players get no fixed number of them.
MORE_TRICKS = Headline(
    "tricks a game above the mean of the table", higher_is_better=True, fair=0.0,
    of=lambda scores: scores - scores.mean(axis=-1, keepdims=True),
)  # fmt: skip
FEWER_POINTS = Headline(
    "penalty points a game above the mean of the table", higher_is_better=False, fair=0.0,
    of=lambda scores: scores.mean(axis=-1, keepdims=True) - scores,
)  # fmt: skip


def sum_of_scores(chosen: Rules) -> float | None:
    """Tricks or penalty points of the pack in a deal; a match of several, the moon and the jack leave it open."""
    values = chosen.values
    if values["target"] > 0:
        return None
    if values["goal"] != HEARTS_POINTS:
        return float(HAND_OF[values["pack"]])
    return None if values["jack"] or values["moon"] != NO_MOON else -float(POINTS_OF[values["pack"]])


def headline(chosen: Rules) -> Headline:
    """Tricks or penalty points; where their sum varies, beside the mean of the table."""
    hearts, total = chosen.values["goal"] == HEARTS_POINTS, sum_of_scores(chosen)
    if total is None:
        return FEWER_POINTS if hearts else MORE_TRICKS
    return replace(FEW_POINTS if hearts else MANY_TRICKS, fair=abs(total) / SEATS)


def secret(states: np.ndarray, seat: int, action: int) -> bool:
    """What is passed is told to nobody; the receiver sees it in the hand."""
    return bool(states[0].phase == PASS)


ENGINE = Game(
    name="tricks",
    title=Name("トリックテイキングとハーツ", "Trick-taking and Hearts"),
    seats=SEATS,
    folder=FOLDER,
    State=State,
    kernels=Kernels.of(rules, hiding, spaces),
    spaces=Spaces(
        spaces.ACTIONS,
        spaces.OBSERVATION,
        secret=secret,
        cards=NAMES,
        shown=spaces.shown,
        finished="finished",
    ),
    rulebook=RULEBOOK,
    players=Players(
        policies=POLICIES,
        named=PLAYERS,
        default_opponent="rule-based",
        hint_player="quick",
        levels={"easy": "random", "middle": "rule-based", "hard": "q-linear-averaged", "champion": "champion"},
        variants="a learned NAME/softmax=0.1 draws its card at that temperature; pimc/worlds=200+solve=8",
    ),
    scoring=Scoring(
        headline=MANY_TRICKS,
        headline_by_rules=headline,
        total=float(RANKS),
        total_by_rules=sum_of_scores,
    ),
    checks=Checks(layout.layout, layout.rebuild, LONGEST, layout.allowed),
    words=Words.of(text, scene, advice, japanese, rules=text.explain),
    statistics=Statistics(statistics.STATISTICS, statistics.tally, statistics.summary, statistics.SHARES, "deals"),
    learning=Learning(action_values=values.VALUES, places=places.places),
    chance=deals.CHANCE,
)

GAME = with_pimc(with_solution(with_network(ENGINE)), worlds=100, playout="rule-based", solve=8)
SEARCHES = {
    "plain": Search(1000, "rule-based", solve=8, trust=0.02),
    "hearts": Search(1000, "rule-based", solve=8, trust=0.02),
    "usual": Search(200, "quick", solve=8, trust=0.05),  # rule-based does not know the moon
}
for preset, search in SEARCHES.items():
    GAME = with_advice(GAME, search, *LEARNED_BY[preset])
