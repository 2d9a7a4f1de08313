"""From `tefuda train GAME LEARNER` to a policy file: which learners a game has, and how their runs go.

A learner is named after the policy of the game that plays by what was learned.
"""

import csv
import inspect
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.match import match
from tefuda.arena.players import resolve
from tefuda.contract import Game, Rules
from tefuda.errors import Problem, unknown
from tefuda.learn import policy_gradient, positions, value_network
from tefuda.learn.run import as_data, parse_arguments, prepare, run
from tefuda.records.files import write_bytes
from tefuda.records.policy import Card, save
from tefuda.records.provenance import commit

STRENGTH_SEED = 90_001  # deals on which results are measured, apart from those that are learned from


@dataclass(frozen=True)
class NetworkArguments(value_network.Arguments):
    """A value network for the whole game, and the positions that it learns from."""

    teacher: str = "rule-based"  # who plays the games that value positions
    positions: int = 100_000  # to learn from, each from a deal of its own
    games: int = 10  # games that value a position
    explore: float = 0.5  # share of positions that follow a random action instead of the teacher's


def _learners(game: Game) -> dict[str, tuple[str, type, Callable]]:
    """What can be trained for a game: about, arguments, and how."""
    found: dict[str, tuple[str, type, Callable]] = {}
    if game.linear is not None:
        about = f"policy gradient on {len(game.linear.names)} features"
        found[game.linear.policy] = (about, policy_gradient.Arguments, _train_linear)
    if game.after_states is not None:
        about = f"a {game.after_states.inputs}-{game.after_states.hidden}-1 network of the value of after-states"
        found[game.after_states.policy] = (about, NetworkArguments, _train_network)
    return found


def describe(game: Game) -> dict[str, Any]:
    """The learners of a game with their arguments, as the help shows them."""
    return {
        name: {"about": about, "arguments": [_argument(kind, each) for each in fields(kind)]}
        for name, (about, kind, _) in _learners(game).items()
    }


def _argument(kind: type, each: Any) -> dict[str, Any]:
    """An argument with the comment behind it in the source, which is its documentation."""
    for owner in kind.__mro__:
        if each.name in vars(owner).get("__annotations__", {}):
            found = re.search(rf"^ +{each.name}: [^#\n]*(?:# (.*))?$", inspect.getsource(owner), re.MULTILINE)
            return {"name": each.name, "default": each.default, "meaning": (found and found.group(1)) or ""}
    return {"name": each.name, "default": each.default, "meaning": ""}


def train(
    game: Game, learner: str, texts: list[str], out: Path, seed: int, rules: Rules, deals: int, threads: int | None
) -> Card:
    """Train, measure and write `policy.npz` and `curve.csv` into a folder."""
    known = _learners(game)
    if learner not in known:
        raise unknown(f"learner of {game.name}", learner, known)
    _, kind, how = known[learner]
    arguments = parse_arguments(kind, texts)
    arguments.check()
    identity = {"game": game.name, "learner": learner, "rules": str(rules), "seed": seed, **as_data(arguments)}
    resolve(
        game, str(identity.get("opponent") or identity.get("teacher"))
    )  # a wrong name is told before a folder is made
    prepare(out, identity)
    try:
        weights, curve, opponent = how(game, rules, arguments, out, seed, identity, threads)
    except KeyboardInterrupt:
        raise Problem(f"interrupted; the run is stored in {out}: give the same command again to go on") from None
    policy = game.policies[game.policy_index(learner)]
    card = Card(
        game.name, learner, str(rules), policy.features, seed, commit(), as_data(arguments),
        about=f"{learner} trained with {' '.join(texts) or 'the default arguments'}",
    )  # fmt: skip
    _write_curve(out / "curve.csv", curve)
    save(out / "policy.npz", card, weights)
    if deals:
        card = replace(card, strength=[strength(game, str(out / "policy.npz"), opponent, deals, rules, threads)])
        save(out / "policy.npz", card, weights)
    return card


def strength(
    game: Game, player: str, opponent: str, deals: int, rules: Rules, threads: int | None = None
) -> dict[str, Any]:
    """A measured result as a policy's card keeps it."""
    result = match(game, [player, opponent], deals, STRENGTH_SEED, rules, threads)
    figure = result.rows[0].figure
    return {
        "opponent": opponent, "figure": game.headline_under(rules).name, "mean": figure.mean, "low": figure.low,
        "high": figure.high, "deals": deals, "rotations": result.rotations, "seed": STRENGTH_SEED,
    }  # fmt: skip


def _train_linear(game, rules, arguments, out, seed, identity, threads):
    learner = policy_gradient.Learner(game, rules, resolve(game, arguments.opponent), arguments, seed)

    def advance() -> float:
        learner.advance(500)
        return learner.episode

    run(learner, advance, arguments.episodes, "episodes", out, identity)
    curve: list[tuple] = [("episode", "mean score of the last episodes")]
    window = max(1, arguments.episodes // 100)
    for last in range(window, len(learner.rewards) + 1, window):
        curve.append((last, float(learner.rewards[last - window : last].mean())))
    return learner.weights, curve, arguments.opponent


def _train_network(game, rules, arguments, out, seed, identity, threads):
    if arguments.hidden != game.after_states.hidden:
        raise Problem(f"hidden is {arguments.hidden}, but the player has {game.after_states.hidden} hidden units")
    teacher = resolve(game, arguments.teacher)
    wanted = positions.Arguments(arguments.teacher, (), arguments.positions, arguments.games, arguments.explore)
    data = _stored_positions(
        out / "positions.npz", identity, lambda: positions.collect(game, rules, teacher, wanted, seed, threads)
    )
    held_out = len(data.values) // 10
    test = value_network.Positions(data.active[:held_out], data.values[:held_out])
    training = value_network.Positions(data.active[held_out:], data.values[held_out:])
    learner = value_network.Learner(game.after_states.inputs, training, arguments, seed)

    def advance() -> float:
        learner.advance()
        learner.errors = np.append(learner.errors[: learner.epoch - 1], learner.error(test))
        return learner.epoch

    run(learner, advance, arguments.epochs, "epochs", out, identity)
    curve: list[tuple] = [("epoch", "squared error on positions held out")]
    curve += [(epoch, float(error)) for epoch, error in enumerate(learner.errors, 1)]
    return learner.weights, curve, arguments.teacher


def _stored_positions(
    path: Path, identity: dict[str, Any], collect: Callable[[], value_network.Positions]
) -> value_network.Positions:
    """Positions are costly: keep them beside the checkpoint, for a run that is resumed."""
    name = repr(sorted(identity.items()))
    if path.exists():
        try:
            with np.load(path, allow_pickle=False) as archive:
                stored = str(archive["identity"])
                data = value_network.Positions(archive["active"], archive["values"])
        except Exception as error:
            raise Problem(f"{path} is damaged; remove it to begin anew, or choose another --out") from error
        if stored != name:
            raise Problem(f"{path.parent} holds another run; choose another --out")
        return data
    data = collect()
    buffer = io.BytesIO()
    np.savez_compressed(buffer, identity=np.array(name), active=data.active, values=data.values)
    write_bytes(path, buffer.getvalue())
    return data


def _write_curve(path: Path, curve: list[tuple]) -> None:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(curve)
    write_bytes(path, buffer.getvalue().encode())
