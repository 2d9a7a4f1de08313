"""Riichi mahjong for four: see README.md in this folder for the rules, their source and our choices."""

from pathlib import Path

import numpy as np

from tefuda.contract import (
    Checks,
    Ends,
    Estimate,
    Estimates,
    Game,
    Headline,
    Kernels,
    Learning,
    Name,
    NamedPlayer,
    Outcomes,
    Players,
    Policy,
    Ranking,
    Rules,
    Sampled,
    Scoring,
    Spaces,
    Statistics,
    Words,
    plain_parameters,
)
from tefuda.engine.network import NAME as NETWORK
from tefuda.engine.network import with_network
from tefuda.games.mahjong import (
    advice,
    hiding,
    japanese,
    layout,
    places,
    reasons,
    rules,
    scene,
    spaces,
    statistics,
    suits,
    telling,
    text,
    typed,
)
from tefuda.games.mahjong.insight import INSIGHT
from tefuda.games.mahjong.options import ONE_ROUND, RULEBOOK
from tefuda.games.mahjong.paper import (
    deal_ends,
    features,
    groups,
    hands,
    inputs,
    lessons,
    others,
    penalty,
    positions,
    positions_cuda,
    standing,
)
from tefuda.games.mahjong.players import efficient, han, han_network, plain, policy, program, rule_based
from tefuda.games.mahjong.records.declared import RECORDS
from tefuda.games.mahjong.state import CLAIM, ROB, SEATS
from tefuda.games.mahjong.tiles import KINDS

FOLDER = Path(__file__).parent
POLICY_FILE = FOLDER / "policies" / "policy.npz"
MODELS = FOLDER / "models"
SHARED = (MODELS / "final-rank.npz", MODELS / "others.npz")  # what all programs with simulations read
BRIEF = "simulations=2"
HAN_EFR = "depth=2+whole=1+caution=0.01"  # settings of han-efr

POLICIES = (
    Policy("random", plain.choose_any, plain_parameters, blind=True),
    Policy("tsumogiri", plain.choose_the_draw, plain_parameters),
    Policy("shanten", efficient.choose, plain_parameters, numbers=efficient.NUMBERS),
    Policy("rule-based", rule_based.choose, rule_based.parameters, numbers=rule_based.NUMBERS),
    Policy("policy", policy.choose, policy.parameters, groups.SIZE, groups.FEATURES, numbers=policy.NUMBERS),
    Policy("han", han.choose, han.parameters, None, groups.FEATURES, numbers=han.NUMBERS),
    Policy(
        "han-network", han_network.choose, han_network.parameters, None, inputs.MEANING, numbers=han_network.NUMBERS
    ),
    Policy(
        "policy-mc",
        program.choose,
        program.parameters,
        groups.SIZE,
        groups.FEATURES,
        numbers=program.NUMBERS,
        brief=BRIEF,
    ),
    *(
        Policy(
            key,
            program.choose,
            program.named_settings(settings),
            None,
            groups.FEATURES,
            numbers=program.NUMBERS,
            brief=BRIEF,
        )
        for key, settings in (("han-mc", ""), ("han-mc+search", "depth=3"), ("han-efr", HAN_EFR))
    ),
)
PLAYERS = (
    NamedPlayer("random", "any legal action, all alike", "random"),
    NamedPlayer("tsumogiri", "always discards the tile just drawn, and never wins", "tsumogiri"),
    NamedPlayer("shanten", "the shortest way to a ready hand; riichi and wins when it can, never calls", "shanten"),
    NamedPlayer(
        "policy",
        "the paper's one-player policy: goes for a win by features of the hand; riichi and wins when it can",
        "policy",
        POLICY_FILE,
    ),
    NamedPlayer(
        "policy-mc",
        "the paper's earlier program: opens as policy, then simulates the rest of the deal and attacks or folds",
        "policy-mc",
        POLICY_FILE,
        more=SHARED,
    ),
    NamedPlayer(
        "rule-based",
        "the most expected points: plans for a yaku, calls towards one, folds when threatened",
        "rule-based",
    ),
)
LEARNED = (
    NamedPlayer(
        "champion",
        "a network that has learned by self-play, for the final place; one deal for its points",
        NETWORK,
        FOLDER / "policies" / "champion.npz",
    ),
    NamedPlayer(
        "quick",
        "a smaller network of the same kind: it plays the worlds of hints and reviews on",
        NETWORK,
        FOLDER / "policies" / "quick.npz",
    ),
)
# Programs that open by han prediction: the name, what it is, its policy, its model of han, its results.
_PROGRAMS = (
    ("mcp-tsumogiri", "opens by han prediction (MCP, opponents tsumogiri) and expected final rank", "han-mc",
     "mcp-tsumogiri", ""),
    ("mcp", "opens by han prediction (MCP) and expected final rank", "han-mc", "mcp", ""),
    ("bcp", "opens by han prediction (BCP) and expected final rank", "han-mc", "bcp", ""),
    ("bcp+penalty-self", "bcp; without a win it expects what came in deals of self-play records", "han-mc", "bcp",
     "penalty-self"),
    ("bcp+penalty", "bcp; without a win it expects what came in whole games of policy-mc", "han-mc", "bcp", "penalty"),
    ("bcp+penalty+search", "bcp+penalty that searches its own draws and discards, three deep", "han-mc+search", "bcp",
     "penalty"),
    ("network-efr", "opens by a network of han and expected final rank", "han-mc", "han-network", ""),
    ("han-efr", "opens by a network of han and expected final rank, with a penalty and a search two discards deep",
     "han-efr", "han-network", "penalty"),
)  # fmt: skip
PROGRAMS = tuple(
    NamedPlayer(
        name, f"{about}; the middle game of policy-mc", key, FOLDER / "policies" / f"{model}.npz",
        more=(POLICY_FILE, *SHARED, *((MODELS / f"{results}.npz",) if results else ())),
    )
    for name, about, key, model, results in _PROGRAMS
)  # fmt: skip
SHIPPED = tuple(
    each for each in (*LEARNED, *PROGRAMS) if all(path.exists() for path in (each.file, *each.more) if path is not None)
)

FINAL_RANK = Outcomes(
    "final-rank", ("1st", "2nd", "3rd", "4th"), standing.AMOUNTS, standing.SITUATIONS, standing.moment,
    standing.situation, standing.write, standing.outcome,
)  # fmt: skip

OTHERS = Estimates("others", (
    Estimate("readiness", others.READY, others.READINESS, others.READINESS_SITUATIONS, SEATS, 0.1,
             others.look_at_readiness),
    Estimate("waits", others.WAITS, others.WAIT_AMOUNTS, others.WAIT_SITUATIONS, SEATS * KINDS, 0.02,
             others.look_at_waits),
    Estimate("points", others.POINTS, others.POINTS_AMOUNTS, others.POINTS_SITUATIONS, SEATS, 1.0,
             others.look_at_points),
    Estimate("progress", others.PROGRESS, others.READINESS, others.READINESS_SITUATIONS, 1, 0.2,
             others.look_at_progress),
))  # fmt: skip

PENALTY = Ends("penalty", SEATS, deal_ends.RESULT, penalty.ROWS, penalty.SOURCES, penalty.collect)

WITH_UMA = Headline("points with uma a match, in thousands", higher_is_better=True, fair=0.0, of=lambda scores: scores)
# Riichi sticks that are left on the table belong to nobody, so that points do not always add up to the same.
ABOVE_MEAN = Headline(
    "points a deal above the mean of the table, in thousands", higher_is_better=True, fair=0.0,
    of=lambda scores: scores - scores.mean(axis=-1, keepdims=True),
)  # fmt: skip


def one_deal(chosen: Rules) -> bool:
    return chosen.values["length"] == ONE_ROUND


def secret(states: np.ndarray, seat: int, action: int) -> bool:
    """What a seat answers when it is asked about a tile is told to nobody until all are decided."""
    return int(states["phase"][0]) in (CLAIM, ROB)


RANKING = Ranking(
    learner="one-player",
    policy="policy",
    size=groups.SIZE,
    largest=policy.LARGEST,
    work=hands.SIZE,
    codes=int(hands.CODES),
    active=features.ACTIVE + 1,
    sorts=lessons.SORTS,
    candidates=hands.list_candidates,
    features=features.features,
    lessons=lessons.lessons,
    sort=lessons.sort,
    alike=lessons.alike,
)
SAMPLED = Sampled(
    learner="han",
    policy="han",
    size=groups.SIZE,
    largest=han.LARGEST,
    scale=han.SCALE,
    classes=positions.CLASSES,
    player="policy",
    opponent="policy",
    piece=positions.piece,
    lanes=positions_cuda.Lanes,
    ways=positions.EXPLORING,
    most=features.ACTIVE,
    steps=inputs.STEPS,
    network="han-network",
)

ENGINE = Game(
    name="mahjong",
    title=Name("麻雀", "Riichi mahjong"),
    seats=SEATS,
    folder=FOLDER,
    State=rules.State,
    kernels=Kernels.of(rules, hiding, spaces),
    spaces=Spaces(
        spaces.ACTIONS,
        spaces.OBSERVATION,
        secret=secret,
        unheard=True,
        cards=spaces.FACE_NAMES,
        shown=spaces.shown,
        finished="finished",
    ),
    rulebook=RULEBOOK,
    players=Players(
        policies=POLICIES,
        named=(*PLAYERS, *SHIPPED),
        default_opponent="rule-based",
        hint_player="quick",
        levels={"easy": "shanten", "middle": "policy", "hard": "rule-based", "champion": "champion"},
    ),
    scoring=Scoring(
        headline=WITH_UMA,
        headline_by_rules=lambda chosen: ABOVE_MEAN if one_deal(chosen) else WITH_UMA,
        total=0.0,
        total_by_rules=lambda chosen: None if one_deal(chosen) else 0.0,
    ),
    checks=Checks(layout.layout, layout.rebuild, rules.LONGEST, layout.allowed, layout.exchange),
    words=Words.of(text, telling, scene, reasons, advice, typed, japanese, rules=telling.explain),
    statistics=Statistics(statistics.STATISTICS, statistics.tally, statistics.summary, statistics.SHARES, "deals"),
    learning=Learning(
        outcomes=FINAL_RANK,
        estimates=OTHERS,
        ends=PENALTY,
        ranking=RANKING,
        sampled=SAMPLED,
        symmetry=suits.SYMMETRY,
        insight=INSIGHT,
        between=places.BETWEEN,
        places=places.places,
    ),
    records=RECORDS,
)

GAME = with_network(ENGINE)
