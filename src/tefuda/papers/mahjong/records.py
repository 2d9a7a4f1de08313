"""Why the mahjong paper's program lost: its guesses at its records, each tried with records of its own.

The paper's records have a random action before each position, few positions after calls, and opponents who never fold.
Models learn from records that are otherwise, all from the same number of positions, so that rows can be compared.
"""

import importlib.util
from dataclasses import dataclass
from typing import Any

import numpy as np

from tefuda.files.policy import load_any
from tefuda.games.mahjong.paper.inputs import STEPS
from tefuda.games.mahjong.paper.positions import CLASSES
from tefuda.games.mahjong.players import han, han_network
from tefuda.intervals import interval_of, rate_interval
from tefuda.learn.classes import Arguments, Fitting
from tefuda.learn.run import run
from tefuda.papers.laboratory import Laboratory, measured
from tefuda.papers.mahjong.learned import MODELS, RULES, learner_of, positions, teach, whole_of
from tefuda.papers.mahjong.matches import EARLIER, GAME, against_three
from tefuda.papers.mahjong.success_rates import HANS, by_each_target
from tefuda.players.entrant import Entrant
from tefuda.players.identity import digest
from tefuda.players.resolve import resolve
from tefuda.report.report import Table


@dataclass(frozen=True)
class Records:
    """Records by self-play that differ from the paper's in one thing."""

    name: str
    guess: str
    exploring: str = "random"
    opponent: str = "policy"


RECORDS = (
    Records("plain", "as the paper has them"),
    Records("no random action", "random actions make hands look worse", "never"),
    Records("calls", "calls without a yaku are not understood: in every other deal a chance to call", "calls"),
    Records("opponents fold", "opponents in the records never fold: these do", opponent="rule-based"),
    Records("stronger opponents", "stronger opponents, which fold too", opponent=EARLIER),
)
BCP, NETWORK = "BCP", "network"
PASSES = 2  # of BCP, as of the shipped one
FITTED = Arguments(passes=6, batch=2048)  # of the network
PROGRAM = "bcp+penalty"  # the program that a model of other records plays in


def bcp_of(lab: Laboratory[Any], found: dict[str, np.ndarray]) -> tuple[str, np.ndarray]:
    """BCP, learned from positions: its variant and weights; a part."""
    content = digest([found["rows"].tobytes(), found["came"].tobytes()]).hex()[:16]

    def run() -> dict[str, Any]:
        learner = learner_of(BCP, len(found["came"]))
        teach(learner, found["rows"], found["came"], PASSES)
        return {"weights": whole_of(learner).astype(np.int16)}

    return MODELS[BCP], lab.keep(f"bcp-{content}-{PASSES}", run)["weights"].astype(np.float64)


def network_of(lab: Laboratory[Any], found: dict[str, np.ndarray]) -> tuple[str, np.ndarray]:
    """A network, learned from positions: its variant and weights. An interrupted run goes on."""
    content = digest([found["plain"].tobytes(), found["came"].tobytes()]).hex()[:16]
    fitting = Fitting(found["plain"], found["came"], STEPS, len(CLASSES), FITTED, lab.seed)
    folder = lab.work / f"network-{content}-{lab.seed}"
    run(fitting, fitting.advance, fitting.total, "steps", folder, {"positions": content, "seed": lab.seed})
    return f"units={FITTED.units}+blocks={FITTED.blocks}", fitting.weights


def player_of(name: str, variant: str, weights: np.ndarray) -> Entrant:
    """Who goes for a number of han by a model."""
    key, made = ("han-network", han_network) if "units=" in variant else ("han", han)
    return Entrant(name, GAME.players.policy(key), made.parameters(variant, weights))


def program_of(name: str, variant: str, weights: np.ndarray) -> Entrant:
    """The whole program, with another model of han than its own."""
    named = next(each for each in GAME.players.named if each.name == PROGRAM)
    policy = GAME.players.policy(named.policy)
    more = [load_any(GAME, path) for path in named.more]
    return Entrant(name, policy, policy.parameters(variant, weights, *more))


def other_records(lab: Laboratory[Any]) -> None:
    """What other records than the paper's would bring."""
    found = {each: positions(lab, each.opponent, lab.size.recorded, each.exploring) for each in RECORDS}
    number = min(len(some["came"]) for some in found.values())
    deals, walls = lab.size.success, lab.size.guesses
    lab.report.section(
        "Other records",
        f"Each model learned from {number:,} positions, far fewer than the shipped ones: compare the rows with the "
        f"plain one, not with table 5. Success rates are those of {deals:,} deals against three `policy`. Mean ranks "
        f"are those of `{PROGRAM}` with the model as its own, against three `{EARLIER}`.",
    )
    models = (BCP, NETWORK) if importlib.util.find_spec("torch") is not None else (BCP,)
    rows: list[list[Any]] = []
    for model in models:
        plain: np.ndarray | None = None
        for each in RECORDS:
            cut = {key: column[:number] for key, column in found[each].items()}
            variant, weights = bcp_of(lab, cut) if model == BCP else network_of(lab, cut)
            player = player_of(f"{model}, {each.name}", variant, weights)
            reached = by_each_target(lab, player, resolve(GAME, "policy", RULES), deals)
            plain = reached if plain is None else plain
            row: list[Any] = [model, each.name, each.guess]
            for place in range(len(HANS)):
                row.append(measured(rate_interval(int(reached[place].sum()), deals), 3))
            for place in (0, len(HANS) - 1):
                gained = interval_of(reached[place].astype(float) - plain[place])
                row.append(measured(gained, 3, True) if plain is not reached else "–")
            standing = against_three(lab, program_of(player.name, variant, weights), EARLIER, walls)
            rates = [standing.own[key] for key in ("won_deals_rate", "deal_in_rate", "call_rate")]
            rows.append([*row, measured(standing.rank), *(round(rate, 3) for rate in rates), standing.games])
    columns = (
        "model", "records", "what is tried", *(f"{each} han" for each in HANS), "1 han, beside plain",
        "4 han, beside plain", "mean rank", "deals won", "dealt in", "deals with calls", "games",
    )  # fmt: skip
    lab.report.table(Table("other-records", "Models that learned from other records", columns, rows,
                           note=f"{number:,} positions each; `beside plain`: on the same walls."))  # fmt: skip
