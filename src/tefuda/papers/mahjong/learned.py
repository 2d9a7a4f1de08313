"""What the experiments of the mahjong paper learn here: positions of self-play, models of han, and a second teacher.

The paper's tables rest on a policy that learned from our own players. With `--records` they also rest on one that
learned from records of people, as the paper's did: on models of han that learned from its games, and on programs that
open by them. These programs sit with the earlier program of that policy. None of these is shipped.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.files.policy import POLICY_FILE, PolicyCard, load, load_any, load_for
from tefuda.games.mahjong import GAME, PENALTY, SHARED
from tefuda.games.mahjong.paper import groups
from tefuda.games.mahjong.paper.positions import CLASSES, EXPLORING, piece
from tefuda.games.mahjong.players import han
from tefuda.kernel.threads import chunks, run_chunks
from tefuda.learn.sparse import SparseModel, ends_behind
from tefuda.learn.training import train
from tefuda.papers.laboratory import Laboratory
from tefuda.players.entrant import Entrant
from tefuda.players.identity import digest, identity
from tefuda.players.resolve import resolve
from tefuda.progress import Progress

RULES = GAME.rulebook.make("hand")
MODELS = {"MCP": "multi-class", "BCP": "ordered"}  # the variant of each
TSUMOGIRI = "tsumogiri"
OF_GAMES = {"MCP vs tsumogiri": "MCP", "MCP": "MCP", "BCP": "BCP"}  # models of han that learn from games of one policy
RATE = 0.01  # of learning
PIECE = 10_000  # deals of a part
SLICE = 4_000  # positions that are learned from between two looks at the clock
COLUMNS = ("rows", "plain", "came")  # of positions
POSITIONS = 5_000  # added to the seed: walls to learn from are others than those to measure on
PEOPLE = "records"  # how players that learned from records of people are told from ours


def learner_of(model: str, positions: int) -> SparseModel:
    """A model of han that has learned nothing yet."""
    return SparseModel(groups.SIZE, len(CLASSES), model == "BCP", RATE, 0.01 / max(1, positions))


def teach(learner: SparseModel, rows: np.ndarray, came: np.ndarray, passes: int = 1) -> None:
    """Let a model of han learn from positions, as by one call of its `learn` a pass: slices end where batches do."""
    with Progress("learning", passes * len(came), "positions") as progress:
        for number in range(passes):
            first = 0
            while first < len(came):
                last = min(len(came), first + ends_behind(learner.rows, SLICE) - learner.rows)
                learner.learn(rows[first:last], came[first:last])
                first = last
                progress.update(number * len(came) + first)


def whole_of(learner: SparseModel) -> np.ndarray:
    """The weights of a linear model as its player takes them."""
    learner.settle()
    return np.clip(np.rint(learner.weights * np.float32(han.SCALE)), -han.LARGEST, han.LARGEST).ravel()


def positions(
    lab: Laboratory[Any], opponent: str | Entrant, deals: int, exploring: str = EXPLORING[0],
    player: str | Entrant = "policy",
) -> dict[str, np.ndarray]:  # fmt: skip
    """Positions of self-play: `rows` of features, `plain` bytes for networks, and what `came`. Each PIECE of deals is a
    part."""
    own, others = (resolve(GAME, each, RULES) if isinstance(each, str) else each for each in (player, opponent))
    seed = lab.seed + POSITIONS

    def work(first: int, last: int) -> Any:
        return piece(GAME, own, others, seed, first, last, exploring)

    parts = []
    for first, last in chunks(deals, PIECE):

        def run(first: int = first, last: int = last) -> dict[str, Any]:
            pieces, found = [(first + a, first + b) for a, b in chunks(last - first, 100)], []
            with Progress(f"positions against {others.name}", deals, "deals", first) as progress:
                for _, end, some in run_chunks(work, pieces, lab.threads):
                    found.append(some)
                    progress.update(end)
            return {key: np.concatenate([getattr(some, key) for some in found]) for key in COLUMNS}

        name = f"positions-{others.name}-{identity(others)}-{exploring}-{identity(own)}-{first}-{last}-{seed}"
        parts.append(lab.keep(name, run))
    return {key: np.concatenate([part[key] for part in parts]) for key in COLUMNS}


def content_of(lab: Laboratory[Any]) -> str:
    """What learning from the records given depends on, for names of parts: the file, the passes and the seed."""
    assert lab.records is not None
    return digest([lab.records.read_bytes(), str((lab.size.passes, lab.seed)).encode()]).hex()[:16]


def of_records(lab: Laboratory[Any]) -> tuple[PolicyCard, Path]:
    """A policy that learns from the records given: its card and its file. An interrupted run goes on."""
    out = lab.work / f"one-player-records-{content_of(lab)}"
    path = out / POLICY_FILE
    if not path.exists():
        texts = [f"records={lab.records}", f"passes={lab.size.passes}"]
        train(GAME, "one-player", texts, out, lab.seed, GAME.rulebook.make("hanchan"), 0, lab.threads)
    return load(path)[0], path


@dataclass(frozen=True)
class People:
    """What rests on records of people."""

    policy: Entrant
    weights: np.ndarray  # of the policy
    models: dict[str, np.ndarray]  # of han, by the names of OF_GAMES
    positions: dict[str, int]  # that each model learned from
    results: np.ndarray  # of deals of self-play records of this policy, for a penalty

    def player(self, model: str) -> Entrant:
        """Who goes for a number of han."""
        params = han.parameters(MODELS[OF_GAMES[model]], self.models[model])
        return Entrant(f"{model}-{PEOPLE}", GAME.players.policy("han"), params)

    def earlier(self) -> Entrant:
        """The earlier program, opening by this policy."""
        policy = GAME.players.policy("policy-mc")
        shared = [load_any(GAME, path) for path in SHARED]
        return Entrant(f"policy-mc-{PEOPLE}", policy, policy.parameters("", self.weights, *shared))

    def program(self, model: str, penalty: str = "", results: np.ndarray | None = None, search: str = "") -> Entrant:
        """A program that opens by a model of han and expected final rank, with results for a penalty where given, and
        with a search."""
        policy = GAME.players.policy("han-mc+search" if search else "han-mc")
        more = [self.weights, *(load_any(GAME, path) for path in SHARED), *([] if results is None else [results])]
        name = "-".join((*model.lower().split(" vs "), PEOPLE)) + penalty + search
        return Entrant(name, policy, policy.parameters(MODELS[OF_GAMES[model]], self.models[model], *more))


def people_of(lab: Laboratory[Any]) -> People | None:
    """What rests on the records given; None without them. Models of han learn from games of this policy alone, from as
    many deals as the curves of figures 3 to 5; each is a part."""
    if lab.records is None:
        return None
    path = of_records(lab)[1]
    policy = replace(resolve(GAME, str(path), RULES), name=f"policy-{PEOPLE}")
    models: dict[str, np.ndarray] = {}
    numbers: dict[str, int] = {}
    for name, model in OF_GAMES.items():
        opponent = TSUMOGIRI if name.endswith(TSUMOGIRI) else policy
        found = positions(lab, opponent, lab.size.learned, player=policy)

        def run(model: str = model, found: dict[str, np.ndarray] = found) -> dict[str, Any]:
            learner = learner_of(model, len(found["came"]))
            teach(learner, found["rows"], found["came"])
            return {"weights": whole_of(learner).astype(np.int16)}

        part = f"model-{name.replace(' ', '-')}-{identity(policy)}-{lab.size.learned}-{lab.seed}"
        models[name] = lab.keep(part, run)["weights"].astype(np.float64)
        numbers[name] = len(found["came"])
    return People(policy, load_for(GAME, path)[1], models, numbers, results_of(lab, path))


def results_of(lab: Laboratory[Any], policy: Path) -> np.ndarray:
    """How deals of self-play records of a policy end for a seat that does not win them. An interrupted run goes on."""
    out = lab.work / f"penalty-self-{content_of(lab)}"
    if not (out / "model.npz").exists():
        texts = [f"player={policy}", "source=positions"]
        train(GAME, PENALTY.model, texts, out, lab.seed, RULES, 0, lab.threads)
    return load_any(GAME, out / "model.npz")


def learned_from(people: People | None, *models: str) -> str:
    """How much models that rest on records learned from, for the note of a table."""
    if people is None:
        return ""
    told = ", ".join(f"{model} from {people.positions[model]:,}" for model in models)
    return f"Models of han of `{PEOPLE}` learned from positions of self-play: {told}."
