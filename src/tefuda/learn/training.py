"""From `tefuda train GAME LEARNER` to a policy file.

Every module of this folder that exports a `METHOD` is a learner; it says what it is called in a game.
"""

import importlib
import inspect
import pkgutil
import re
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from tefuda import learn, outside
from tefuda.contract import Game, Rules
from tefuda.errors import Interrupted, Problem, unknown
from tefuda.files.policy import PolicyCard, save
from tefuda.files.provenance import commit
from tefuda.files.whole import write_rows
from tefuda.learn.method import Method, Offer, Task, as_data
from tefuda.learn.run import parse_arguments, prepare
from tefuda.learn.strength import strength


@cache
def methods() -> tuple[Method, ...]:
    """All ways to learn, in the order of their modules' names."""
    names = [module.name for module in pkgutil.iter_modules(learn.__path__)]
    modules = [importlib.import_module(f"{learn.__name__}.{name}") for name in names]
    return tuple(module.METHOD for module in modules if hasattr(module, "METHOD"))


def offers(game: Game, rules: Rules) -> dict[str, tuple[Method, Offer]]:
    """What can be learned of a game under some rules, by name."""
    found = [(method, method.offer(game, rules)) for method in methods()]
    return {offer.name: (method, offer) for method, offer in found if offer is not None}


def describe(game: Game) -> dict[str, Any]:
    """The learners of a game with their arguments, as the help shows them. Where an offer depends on the rules, it is
    that of the first preset that has it."""
    found: dict[str, tuple[Method, Offer]] = {}
    for preset in game.rulebook.presets:
        found = {**offers(game, game.rulebook.make(preset)), **found}
    return {
        name: {
            "about": offer.about,
            "policy": offer.policy,
            "model": offer.model,
            "torch": method.torch,
            "devices": ["cpu", "cuda"] if method.cuda else ["cpu"],
            "arguments": [_argument(method.arguments, each) for each in fields(method.arguments)],
        }
        for name, (method, offer) in found.items()
    }


def _argument(arguments: type, each: Any) -> dict[str, Any]:
    """An argument with the comment behind it in the source, which is its documentation."""
    for owner in arguments.__mro__:
        if each.name in vars(owner).get("__annotations__", {}):
            found = re.search(rf"^ +{each.name}: [^#\n]*(?:# (.*))?$", inspect.getsource(owner), re.MULTILINE)
            return {"name": each.name, "default": each.default, "meaning": (found and found.group(1)) or ""}
    return {"name": each.name, "default": each.default, "meaning": ""}


def train(
    game: Game, name: str, texts: list[str], out: str | Path, seed: int, rules: Rules, deals: int, threads: int | None,
    device: str = "cpu",
) -> PolicyCard:  # fmt: skip
    """Train, measure and write `policy.npz` (or `model.npz`, which does not play) and `curve.csv` into a folder."""
    seed, deals, threads = outside.seed(seed), outside.deals(deals, least=0), outside.threads(threads)
    out = outside.place("out", out)
    known = offers(game, rules)
    if outside.text("a learner", name) not in known:
        raise unknown(f"learner of {game.name}", name, known)
    method, offer = known[name]
    if device != "cpu" and not method.cuda:
        raise Problem(f"{name} learns on the CPU only: leave out --device {device}")
    arguments = parse_arguments(method.arguments, texts)
    arguments.check()
    task = method.check(Task(game, rules, offer, arguments, seed, out, threads, device))
    prepare(out, task.identity)
    try:
        made = method.train(task)
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; the run is stored in {out}: give the same command again to go on") from None
    reads = None if offer.model else game.players.policy(offer.policy)
    card = PolicyCard(
        game.name, offer.policy or offer.model, made.rules or str(rules), features_of(game, offer), seed, commit(),
        as_data(task.arguments), about=f"{name} trained with {' '.join(texts) or 'the default arguments'}",
        variant=made.variant, options=list(reads.options) if reads else [], agreement=made.agreement,
    )  # fmt: skip
    write_rows(out / "curve.csv", made.curve)
    path, half = out / offer.file, reads is not None and reads.weights is None
    save(path, card, made.weights, half)
    if deals and method.against is not None:
        measured = strength(game, str(path), method.against(task), deals, rules, threads)
        card = replace(card, strength=[measured])
        save(path, card, made.weights, half)
    return card


def features_of(game: Game, offer: Offer) -> str:
    """The fingerprint of what the weights of an offer mean."""
    if not offer.model:
        return game.players.policy(offer.policy).features
    model = game.learning.model(offer.model)
    assert model is not None  # it was offered
    return model.features
