"""From `tefuda train GAME LEARNER` to a policy file: which learners a game has, and how their runs go.

A learner is named after the policy or the player of the game that plays by what was learned.
"""

import inspect
import io
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tefuda.arena.match import match
from tefuda.contract import Game, Rules
from tefuda.engine.network import NAME as NETWORK
from tefuda.errors import Problem, unknown
from tefuda.files.policy import Card, save
from tefuda.files.provenance import commit
from tefuda.files.whole import write_bytes, write_rows
from tefuda.learn import policy_gradient, positions, q_learning, round_values, value_network
from tefuda.learn.run import as_data, parse_arguments, prepare, run
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity as player_identity
from tefuda.players.resolve import resolve

STRENGTH_SEED = 90_001  # deals on which results are measured, apart from those that are learned from


@dataclass(frozen=True)
class NetworkArguments(value_network.Arguments):
    """A value network for the whole game, and the positions that it learns from."""

    teacher: str = "rule-based"  # who plays the games that value positions
    positions: int = 100_000  # to learn from, each from a deal of its own
    games: int = 10  # games that value a position
    explore: float = 0.5  # share of positions that follow a random action instead of the teacher's


@dataclass(frozen=True)
class Trained:
    """What a learner has made."""

    weights: np.ndarray
    curve: list[tuple]  # the lines of curve.csv, with a head
    opponent: str  # whom its strength is measured against
    variant: str = ""  # how the policy reads the weights
    rules: str = ""  # what it has learned by, where that is more than the rules of the run


@dataclass(frozen=True)
class Method:
    """A way to train a player of a game."""

    about: str
    arguments: type
    policy: str  # which policy of the game plays by the result
    how: Callable[..., Trained]


DEEP = ("self-play", "nfsp")  # learners that need torch, which takes seconds to load


def _learners(game: Game, rules: Rules, deep: bool) -> dict[str, Method]:
    """What can be trained for a game under some rules; `deep`: networks too."""
    found: dict[str, Method] = {}
    if deep and any(policy.key == NETWORK for policy in game.players.policies):
        from tefuda.learn import nfsp, self_play

        about = "a network that plays all seats and learns from all of them (PPO)"
        found["self-play"] = Method(about, self_play.Arguments, NETWORK, partial(_train_deep, self_play.Learner))
        about = "the average of best responses to itself (neural fictitious self-play)"
        found["nfsp"] = Method(about, nfsp.Arguments, NETWORK, partial(_train_deep, nfsp.Learner))
    if game.learning.linear is not None:
        about = f"policy gradient on {len(game.learning.linear.names)} features"
        found[game.learning.linear.policy] = Method(
            about, policy_gradient.Arguments, game.learning.linear.policy, _train_linear
        )
    after = game.learning.after_states
    if after is not None:
        about = f"a {after.inputs}-{after.hidden}-1 network of the value of after-states"
        found[after.policy] = Method(about, NetworkArguments, after.policy, _train_network)
    values = q_learning.values_of(game, rules)
    if values is not None:
        about = f"Q-learning of {values.size:,} weights"
        how = partial(_train_values, q_learning.Learner)
        found[values.learner] = Method(about, q_learning.Arguments, values.policy, how)
    between = round_values.values_of(game, rules)
    if between is not None:
        about = f"what tables between rounds are worth, {between.size:,} weights, from how games end"
        how = partial(_train_values, round_values.Learner)
        found[between.learner] = Method(about, round_values.Arguments, between.policy, how)
    return found


def describe(game: Game) -> dict[str, Any]:
    """The learners of a game with their arguments, as the help shows them; where rules matter, the first that has
    them."""
    methods: dict[str, Method] = {}
    for preset in game.rulebook.presets:
        rules = game.rulebook.make(preset)
        try:
            found = _learners(game, rules, True)
        except Problem:  # there is no torch: who wants to learn with it is told
            found = _learners(game, rules, False)
        methods = {**found, **methods}
    return {
        name: {"about": method.about, "arguments": [_argument(method.arguments, each) for each in fields(kind)]}
        for name, method in methods.items()
        for kind in [method.arguments]
    }


def _argument(kind: type, each: Any) -> dict[str, Any]:
    """An argument with the comment behind it in the source, which is its documentation."""
    for owner in kind.__mro__:
        if each.name in vars(owner).get("__annotations__", {}):
            found = re.search(rf"^ +{each.name}: [^#\n]*(?:# (.*))?$", inspect.getsource(owner), re.MULTILINE)
            return {"name": each.name, "default": each.default, "meaning": (found and found.group(1)) or ""}
    return {"name": each.name, "default": each.default, "meaning": ""}


def train(
    game: Game, learner: str, texts: list[str], out: Path, seed: int, rules: Rules, deals: int, threads: int | None,
    device: str = "cpu",
) -> Card:  # fmt: skip
    """Train, measure and write `policy.npz` and `curve.csv` into a folder."""
    known = _learners(game, rules, learner in DEEP)
    if learner not in known:
        raise unknown(f"learner of {game.name}", learner, [*known, *(name for name in DEEP if name not in known)])
    if device != "cpu" and learner not in DEEP:
        raise Problem(f"{learner} learns on the CPU only: leave out --device {device}")
    method = known[learner]
    arguments = parse_arguments(method.arguments, texts)
    arguments.check()
    initial: np.ndarray | None = None
    origin: dict[str, str] = {}
    if getattr(arguments, "start", ""):
        arguments, initial, origin = _begin(game, rules, arguments)
    identity = {
        "game": game.name, "learner": learner, "rules": str(rules), "seed": seed, **as_data(arguments), **origin,
    }  # fmt: skip
    other = str(identity.get("opponent") or identity.get("teacher"))
    if learner in DEEP:
        itself = other in ("self", "pool")
    else:
        itself = other == q_learning.SELF and issubclass(method.arguments, q_learning.Arguments)
    if not itself and resolve(game, other, rules).form != "compiled":  # a wrong name is told before a folder is made
        raise Problem(f"{other} cannot be learned against: only compiled players can")
    policy = game.players.policy(method.policy)
    if policy.weights is not None:
        policy.parameters(str(identity.get("variant", "")), np.zeros(policy.weights))  # and so is a wrong variant
    prepare(out, identity)
    more: dict[str, Any] = {"device": device} if learner in DEEP else {}
    more |= {} if initial is None else {"initial": initial}
    try:
        made = method.how(game, rules, arguments, out, seed, identity, threads, **more)
    except KeyboardInterrupt:
        raise Problem(f"interrupted; the run is stored in {out}: give the same command again to go on") from None
    card = Card(
        game.name, method.policy, made.rules or str(rules), policy.features, seed, commit(), as_data(arguments),
        about=f"{learner} trained with {' '.join(texts) or 'the default arguments'}", variant=made.variant,
    )  # fmt: skip
    write_rows(out / "curve.csv", made.curve)
    half = policy.weights is None
    save(out / "policy.npz", card, made.weights, half)
    if deals:
        card = replace(card, strength=[strength(game, str(out / "policy.npz"), made.opponent, deals, rules, threads)])
        save(out / "policy.npz", card, made.weights, half)
    return card


def strength(
    game: Game, player: str | Entrant, opponent: str, deals: int, rules: Rules, threads: int | None = None
) -> dict[str, Any]:
    """A measured result as a policy's card keeps it."""
    result = match(game, [player, opponent], deals, STRENGTH_SEED, rules, threads)
    figure = result.rows[0].figure
    return {
        "opponent": opponent, "figure": game.scoring.headline_under(rules).name, "mean": figure.mean, "low": figure.low,
        "high": figure.high, "deals": deals, "rotations": result.rotations, "seed": STRENGTH_SEED,
    }  # fmt: skip


def _train_linear(game, rules, arguments, out, seed, identity, threads) -> Trained:
    learner = policy_gradient.Learner(game, rules, resolve(game, arguments.opponent, rules), arguments, seed)

    def advance() -> float:
        learner.advance(500)
        return learner.episode

    run(learner, advance, arguments.episodes, "episodes", out, identity)
    curve: list[tuple] = [("episode", "mean score of the last episodes")]
    window = max(1, arguments.episodes // 100)
    for last in range(window, len(learner.rewards) + 1, window):
        curve.append((last, float(learner.rewards[last - window : last].mean())))
    return Trained(learner.weights, curve, arguments.opponent)


CURVE_DEALS = 1000  # on which each point of the curve of learned values is measured, always the same


def _train_values(kind, game, rules, arguments, out, seed, identity, threads) -> Trained:
    learner = kind(game, rules, arguments, seed)

    def advance() -> float:
        learner.advance(100)
        return learner.episode

    run(learner, advance, arguments.games, "games", out, identity)
    judge = game.players.default_opponent
    figure = game.scoring.headline_under(rules).name
    curve: list[tuple] = [("game", f"{figure} against {judge}", "low", "high")]
    for point, weights in enumerate(learner.curve):
        there = strength(game, learner.player(weights, "learner"), judge, CURVE_DEALS, rules, threads)
        curve.append((learner.point(point), there["mean"], there["low"], there["high"]))
    return Trained(learner.result, curve, judge, arguments.variant)


def _train_network(game, rules, arguments, out, seed, identity, threads) -> Trained:
    if arguments.hidden != game.learning.after_states.hidden:
        raise Problem(
            f"hidden is {arguments.hidden}, but the player has {game.learning.after_states.hidden} hidden units"
        )
    teacher = resolve(game, arguments.teacher, rules)
    wanted = positions.Arguments(arguments.teacher, (), arguments.positions, arguments.games, arguments.explore)
    data = _stored_positions(
        out / "positions.npz", identity, lambda: positions.collect(game, rules, teacher, wanted, seed, threads)
    )
    held_out = len(data.values) // 10
    test = value_network.Positions(data.active[:held_out], data.values[:held_out])
    training = value_network.Positions(data.active[held_out:], data.values[held_out:])
    learner = value_network.Learner(game.learning.after_states.inputs, training, arguments, seed)

    def advance() -> float:
        learner.advance()
        learner.errors = np.append(learner.errors[: learner.epoch - 1], learner.error(test))
        return learner.epoch

    run(learner, advance, arguments.epochs, "epochs", out, identity)
    curve: list[tuple] = [("epoch", "squared error on positions held out")]
    curve += [(epoch, float(error)) for epoch, error in enumerate(learner.errors, 1)]
    return Trained(learner.weights, curve, arguments.teacher)


def _begin(game: Game, rules: Rules, arguments: Any) -> tuple[Any, np.ndarray, dict[str, str]]:
    """The network that self-play begins as: the arguments with its shape, its weights, and which one it is."""
    from tefuda.learn.self_play import begun_as

    start = resolve(game, arguments.start, rules)
    return *begun_as(game, start, arguments), {"start's identity": player_identity(start)}


def _train_deep(kind, game, rules, arguments, out, seed, identity, threads, device, **initial) -> Trained:
    from tefuda.learn import self_play, watched
    from tefuda.learn.deep import common
    from tefuda.learn.deep.torch import chosen_device

    everything = [rules, *common.more_rules(game, arguments.also)]
    itself = arguments.opponent in (common.SELF, self_play.POOL)
    versus = None if itself else resolve(game, arguments.opponent, rules)
    with watched.enough_memory():
        learner = kind(game, everything, versus, arguments, seed, chosen_device(device), threads, **initial)
        found = watched.learn(learner, game, rules, out, identity, threads)
    points = [(int(decisions), *strengths) for decisions, *strengths in found.curve]
    curve = [watched.head(game, rules, found.ladder), *points]
    names = "; ".join(map(str, everything))
    against = game.players.default_opponent if itself else arguments.opponent
    return Trained(learner.result, curve, against, watched.variant(learner), names)


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
