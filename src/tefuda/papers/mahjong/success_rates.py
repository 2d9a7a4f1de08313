"""Tables 4 and 5 and figures 3 to 5 of the mahjong paper: the one-player policy, and han prediction.

Success rates are measured here, with the models that are shipped. How they grow with the number of positions is learned
here at a small scale; `positions.json` keeps what one H200 has found at the largest.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.files.policy import PolicyCard, load, load_for
from tefuda.games.mahjong import FOLDER, GAME, POLICY_FILE
from tefuda.games.mahjong.paper.success import HANS, hans_won, success_rates
from tefuda.games.mahjong.players import han
from tefuda.intervals import Interval, interval_of, rate_interval
from tefuda.learn.lessons import from_records
from tefuda.learn.perceptron import Arguments, Perceptron
from tefuda.papers.laboratory import Laboratory, compared, measured
from tefuda.papers.mahjong.learned import (
    MODELS,
    OF_GAMES,
    RULES,
    TSUMOGIRI,
    content_of,
    learner_of,
    of_records,
    people_of,
    positions,
    teach,
    whole_of,
)
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve
from tefuda.report.figures import Curves, Line, Point, Series
from tefuda.report.report import Compared, Table

KEPT = Path(__file__).parent / "positions.json"
# Table 4: agreement with the records that were learned from, by sort of decision: decisions, fully right, right in the
# call only, and the rate in %.
AGREEMENT: dict[str, tuple[int, int, int | None, float]] = {
    "discards": (1_140_576, 859_088, None, 75.3), "calls": (68_397, 46_945, 11_731, 85.8),
    "declined calls": (252_666, 240_450, None, 95.1),
}  # fmt: skip


@dataclass(frozen=True)
class Model:
    """A row of table 5."""

    name: str
    opponent: str
    file: str = ""  # of the model; none: the one-player policy
    published: tuple[float, ...] = ()  # at 1, 2, 3 and 4 han


POLICY = "one-player policy"
TABLE_5 = (
    Model(POLICY, "tsumogiri", "", (0.6411, 0.5235, 0.3169, 0.1708)),
    Model("MCP vs tsumogiri", "tsumogiri", "mcp-tsumogiri", (0.6574, 0.545, 0.3663, 0.2274)),
    Model("network vs tsumogiri", "tsumogiri", "han-network-tsumogiri"),
    Model(POLICY, "policy", "", (0.2446, 0.1979, 0.1278, 0.0734)),
    Model("MCP", "policy", "mcp", (0.2318, 0.1833, 0.1296, 0.0825)),
    Model("BCP", "policy", "bcp", (0.2382, 0.1863, 0.1267, 0.0793)),
    Model("network", "policy", "han-network"),
)
PUBLISHED = {model.name: model.published for model in TABLE_5}
MOST = 100_000_000  # positions that the paper's models learned from
FEWER = (
    "Ours learned from {positions:,} positions, the paper's from {most:,}, and figures 3 to 5 still rise there; and "
    "our policy, taught by `rule-based`, which seldom calls, wins by 3 and 4 han more often than the paper's did."
)
# Figures 3, 4 and 5: the model, its opponents, and the learning rate of the curve that is kept.
FIGURES = (
    ("figure-3", "Figure 3: MCP vs tsumogiri", "MCP", "tsumogiri", 0.01),
    ("figure-4", "Figure 4: MCP", "MCP", "policy", 0.005),
    ("figure-5", "Figure 5: BCP", "BCP", "policy", 0.01),
)
MARKS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)  # positions at which a run measures


def kept() -> dict[str, Any]:
    """What was found at the largest scale."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def one_player_policy(lab: Laboratory[Any]) -> None:
    """Table 4: how often the one-player policy chooses what those did that it learned from."""
    lab.report.section(
        "One-player policy",
        "The policy ranks the hands that a decision can leave by a weighted sum of features, learned by an averaged "
        "perceptron. The paper learned from records of strong players. The shipped `policy` learned from games of our "
        "own `rule-based`, so that its agreement is with another teacher. With `--records` a policy learns from "
        "records too. Games that are measured were not learned from, and forced decisions count nowhere. A call counts "
        "where the tiles called are the same.",
    )
    card, _ = load_for(GAME, POLICY_FILE)
    given = " ".join(f"--arg {key}={card.arguments[key]}" for key in ("games", "passes"))
    again = f"tefuda train mahjong one-player --rules tonpuu {given} --seed {card.seed}"
    rows, counts = agreements(card, "", again), counted(card.agreement, "the shipped policy, games of rule-based")
    if lab.records is not None:
        people = of_records(lab)[0]
        rows += agreements(people, ", learned from records", lab.again, (70.0, None))
        counts += counted(with_people(lab), "the shipped policy, records of people")
        counts += counted(people.agreement, "learned from records, other games of theirs")
    lab.report.compare(rows, key="agreement", title="Table 4: agreement with the teacher")
    for sort, (decisions, right, partly, rate) in AGREEMENT.items():
        counts.append([f"published: {sort}", decisions, right, "–" if partly is None else partly, rate])
    lab.report.table(
        Table(
            "table-4", "Table 4: agreement, by sort of decision",
            ("policy, and whose games it is asked about", "decisions", "fully right", "call only", "agreement, %"),
            counts, note="None of these games was learned from. A call counts where the tiles called are the same.",
            digits=1,
        )
    )  # fmt: skip


def agreements(
    card: PolicyCard, which: str, again: str, wanted: tuple[float | None, float | None] | None = None
) -> list[Compared]:
    """The rates of one policy in table 4; `wanted` is the target for discards."""
    rows = []
    for each in card.agreement:
        target = wanted if each["sort"] == "discards" else None
        what, published = f"agreement on {each['sort']}, %{which}", f"{AGREEMENT[each['sort']][-1]}"
        rows.append(compared(what, published, percent_of(each), "%", None, again, target, 1))
    return rows


def percent_of(each: Mapping[str, Any]) -> Interval:
    """How often a policy chose what was taken, in %; of a call, at least what was called."""
    rate = rate_interval(each["right"] + each["partly"], each["decisions"])
    return Interval(100 * rate.mean, 100 * rate.low, 100 * rate.high)


def counted(agreement: Sequence[Mapping[str, Any]], which: str) -> list[list[Any]]:
    """The lines of one policy in table 4, with its numbers of decisions."""
    return [
        [f"{which}: {each['sort']}", each["decisions"], each["right"],
         each["partly"] if each["sort"] == "calls" else "–", measured(percent_of(each), 1)]
        for each in agreement
    ]  # fmt: skip


def with_people(lab: Laboratory[Any]) -> list[dict[str, Any]]:
    """How often the shipped policy chooses what people did, in the games that a policy of records is measured by; a
    part."""
    assert lab.records is not None
    records, ranking = lab.records, GAME.learning.ranking
    assert ranking is not None

    def run() -> dict[str, Any]:
        lessons = from_records(GAME, ranking, records)
        asked = Perceptron(GAME, ranking, Arguments(records=str(records)), lab.seed, lessons)
        asked.weights[:] = load_for(GAME, POLICY_FILE)[1]
        return {"found": np.array(json.dumps([asdict(each) for each in asked.agreement()]))}

    part = f"agreement-{identity(resolve(GAME, 'policy', RULES))[:12]}-{content_of(lab)}"
    return json.loads(str(lab.keep(part, run)["found"]))


def won_by(lab: Laboratory[Any], player: Entrant, opponent: Entrant, deals: int) -> np.ndarray:
    """By how many han each deal was won; a part."""

    def run() -> dict[str, Any]:
        return {"won": hans_won(GAME, player, opponent, lab.seed, deals, lab.threads)}

    return lab.keep(f"success-{identity(player)}-{identity(opponent)}-{deals}-{lab.seed}", run)["won"]


def with_target(player: Entrant, target: int) -> Entrant:
    """A player by a model of han that goes for another number of han."""
    assert player.policy is not None
    params = player.params.copy()
    params[2 if player.policy.key == "han-network" else 0] = target
    return replace(player, name=f"{player.name}/target={target}", params=params)


def reached(lab: Laboratory[Any], model: Model, deals: int) -> np.ndarray:
    """Whether each deal was won by at least 1, 2, 3 and 4 han: [HANS, deals]. A model goes for each of these."""
    opponent = resolve(GAME, model.opponent, RULES)
    if not model.file:
        won = won_by(lab, resolve(GAME, "policy", RULES), opponent, deals)
        return np.stack([won >= target for target in HANS])
    return by_each_target(lab, resolve(GAME, str(FOLDER / "policies" / f"{model.file}.npz"), RULES), opponent, deals)


def by_each_target(lab: Laboratory[Any], player: Entrant, opponent: Entrant, deals: int) -> np.ndarray:
    """The same of a player by a model of han, which goes for each number of han in turn."""
    return np.stack([won_by(lab, with_target(player, target), opponent, deals) >= target for target in HANS])


def positions_of(model: Model) -> int:
    """How many positions a shipped model has learned from."""
    card, _ = load(FOLDER / "policies" / f"{model.file}.npz")
    return int(card.arguments["positions"])


def success(lab: Laboratory[Any]) -> None:
    """Table 5: how often models win a deal by at least so many han, when they go for that."""
    deals = lab.size.success
    lab.report.section(
        "Success rates",
        f"One player plays {deals:,} single deals against three of each opponent, always on the same walls. A model of "
        "han goes for a number of han: it takes the hand with the best chance of so many or more. A deal counts as a "
        "success when it is won by so many or more. Every win and every riichi is taken. A network is not in the "
        "paper, which ends by asking for one.",
    )
    found = {model: reached(lab, model, deals) for model in TABLE_5}
    rows: list[list[Any]] = []
    for model, came in found.items():
        rates = [rate_interval(int(row.sum()), deals) for row in came]
        published = model.published or ("–",) * len(HANS)
        positions = f"{positions_of(model):,}" if model.file else "–"
        rows.append([model.name, model.opponent, positions, *(measured(rate, 3) for rate in rates), *published])
    rows += by_records(lab, deals)
    lab.report.table(
        Table(
            "table-5", "Table 5: success rates",
            ("model", "opponents", "positions", *(f"{each} han" for each in HANS),
             *(f"{each} han, published" for each in HANS)),
            rows, note=f"{deals:,} deals for each figure, seed {lab.seed}.", digits=4,
        )
    )  # fmt: skip
    lab.report.compare(
        [line for model in TABLE_5 if model.file for line in beside_policy(lab, model, found, deals)],
        key="success", title="What models win more often than the one-player policy, on the same walls",
    )  # fmt: skip


def by_records(lab: Laboratory[Any], deals: int) -> list[list[Any]]:
    """The rows that rest on records of people: a policy against tsumogiri and against itself, and models of han that
    learned from its games, against those whom it met in them."""
    people = people_of(lab)
    if people is None:
        return []
    rows: list[list[Any]] = []
    tsumogiri = resolve(GAME, TSUMOGIRI, RULES)
    for opponent, like in ((tsumogiri, TSUMOGIRI), (people.policy, "policy")):
        published = next(each.published for each in TABLE_5 if (each.name, each.opponent) == (POLICY, like))
        rates = success_rates(won_by(lab, people.policy, opponent, deals))
        rows.append(["policy, learned from records", opponent.name, "–", *(measured(rate, 3) for rate in rates),
                     *published])  # fmt: skip
    for model in OF_GAMES:
        opponent = tsumogiri if model.endswith(TSUMOGIRI) else people.policy
        came = by_each_target(lab, people.player(model), opponent, deals)
        rates = [rate_interval(int(row.sum()), deals) for row in came]
        rows.append([f"{model}, learned from games of policy-records", opponent.name, f"{people.positions[model]:,}",
                     *(measured(rate, 3) for rate in rates), *PUBLISHED[model]])  # fmt: skip
    return rows


def beside_policy(lab: Laboratory[Any], model: Model, found: dict[Model, np.ndarray], deals: int) -> list[Compared]:
    """What a model wins more often than the policy against the same opponents, by paired deals."""
    policy = next(each for each in TABLE_5 if not each.file and each.opponent == model.opponent)
    lines = []
    for place, each in enumerate(HANS):
        gained = interval_of(found[model][place].astype(float) - found[policy][place])
        published = f"{model.published[place] - policy.published[place]:+.4f}" if model.published else "–"
        beats = model.opponent == "tsumogiri" or each == HANS[-1] or not model.published
        why = FEWER.format(positions=positions_of(model), most=MOST) if model.published and beats else ""
        lines.append(
            compared(
                f"{model.name}, {each} han, more than the policy", published, gained, "of deals", deals, lab.again,
                (0.0, None) if beats else None, 3, True, why if gained.mean < 0 else "",
            )
        )  # fmt: skip
    return lines


def figures(lab: Laboratory[Any]) -> None:
    """Figures 3 to 5: success rates by the number of positions learned from."""
    stored = kept()
    lab.report.section(
        "Success rates by the number of positions",
        "Positions come from self-play: one random action of one player in a deal, the hand after it, and by how many "
        "han it was won (section 5.1). The curves of the largest scale were learned in one pass on one H200 and "
        f"measured by 10,000 deals (commit {stored['commit']}); they end with the shipped models, which learned in "
        "more passes. Those of this run learn from "
        f"{lab.size.learned:,} deals and are measured by {lab.size.success // 4:,}.",
    )
    rows: list[list[Any]] = []
    for key, title, model, opponent, rate in FIGURES:
        own = small_curve(lab, model, opponent)
        points = kept_curve(stored, model, opponent, rate)
        policy = next(each["points"][0]["rates"] for each in stored["curves"]
                      if (each["model"], each["opponent"]) == ("policy", opponent))  # fmt: skip
        lab.report.figure(curves_of(key, title, points, own, policy))
        rows += [[title, "kept", positions, *rates] for positions, rates in points]
        rows += [[title, "this run", positions, *rates] for positions, rates in own]
        rows.append([title, "published", MOST, *PUBLISHED[title.partition(": ")[2]]])
    heads = ("figure", "run", "positions", *(f"{each} han" for each in HANS))
    lab.report.table(Table("positions", "Success rates by the number of positions", heads, rows, digits=4))


def kept_curve(stored: dict[str, Any], model: str, opponent: str, rate: float) -> list[tuple[int, list[float]]]:
    """What was found at the largest scale: a model in one pass, and at the end the one that learned from most positions
    in most passes, which is shipped."""
    curves = [each for each in stored["curves"] if (each["model"], each["opponent"]) == (model, opponent)]
    points = [(each, point) for each in curves for point in each["points"] if point["seed"] == 1]
    _, last = max(points, key=lambda found: (found[1]["positions"], found[0]["passes"]))
    found = [point for each, point in points if (each["rate"], each["passes"]) == (rate, 1)]
    found = [point for point in found if point["positions"] < last["positions"]]
    return [(point["positions"], point["rates"]) for point in (*found, last)]


def shipped_point(stored: dict[str, Any], model: Model) -> dict[str, Any]:
    """The point of a shipped model: its positions, on the walls that measure."""
    name = model.name.split()[0] if model.file else "policy"
    positions = positions_of(model) if model.file else 0
    points = [
        (each["passes"], point) for each in stored["curves"] for point in each["points"]
        if (each["model"], each["opponent"], point["positions"], point["seed"]) == (name, model.opponent, positions, 1)
    ]  # fmt: skip
    return max(points, key=lambda found: found[0])[1]


def curves_of(
    key: str, title: str, large: Sequence[tuple[int, Sequence[float]]], own: Sequence[tuple[int, Sequence[float]]],
    policy: Sequence[float],
) -> Curves:  # fmt: skip
    """One figure: a curve for each number of han, of the largest scale and of this run."""
    series = [
        Series(f"{each} han{which}", [math.log10(many) for many, _ in points], [rates[place] for _, rates in points])
        for points, which in ((large, ""), (own, ", this run")) if points
        for place, each in enumerate(HANS)
    ]  # fmt: skip
    lines = [Line(f"policy, {each} han", rate) for each, rate in zip(HANS, policy, strict=True)]
    published = [
        Point(f"paper, {each} han", math.log10(MOST), rate)
        for each, rate in zip(HANS, PUBLISHED[title.partition(": ")[2]], strict=True)
    ]
    return Curves(key, title, "positions learned from, as a power of ten", "success rate", series, lines, published)


def small_curve(lab: Laboratory[Any], model: str, opponent: str) -> list[tuple[int, list[float]]]:
    """Success rates of a model that learns here, at each of MARKS."""
    found = positions(lab, opponent, lab.size.learned)
    rows, came = found["rows"], found["came"]
    learner = learner_of(model, len(came))
    others, points, done = resolve(GAME, opponent, RULES), [], 0
    for mark in (each for each in MARKS if each <= len(came)):
        teach(learner, rows[done:mark], came[done:mark])
        done = mark
        player = Entrant(
            f"{model} {mark}", GAME.players.policy("han"), han.parameters(MODELS[model], whole_of(learner))
        )
        reached = by_each_target(lab, player, others, lab.size.success // 4)
        points.append((mark, [float(row.mean()) for row in reached]))
    return points
