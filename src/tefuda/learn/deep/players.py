"""Networks of players that were learned before: to begin as, and to play against; and players to imitate."""

from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from tefuda.contract import Game, Rules
from tefuda.engine.network import HEADER, NAME, TEMPERATURE
from tefuda.errors import Problem
from tefuda.learn.deep.network import NetworkShape, kept_units
from tefuda.learn.deep.symmetry import runs_of, ties_of
from tefuda.learn.deep.torch import torch
from tefuda.players.entrant import Entrant
from tefuda.players.identity import identity
from tefuda.players.resolve import resolve


def without_rules(game: Game, rules: Rules, shape: NetworkShape, weights: np.ndarray) -> np.ndarray:
    """The weights of a network that has learned by one set of rules, without weights for the rules.

    It was always told the same of them: that becomes a part of the bias, and the network plays the same by rules that
    differ in what it need not know.
    """
    told = game.spaces.observation.rules
    if told is None:
        return weights
    table, seen = game.blank(rules), np.zeros(shape.inputs, np.float32)
    game.kernels.deal(table[0], np.ones(1, np.uint64))
    game.kernels.observe(table[0], 0, seen)
    weights = weights.copy()
    (matrix, bias), *_ = shape.parts(torch.from_numpy(weights))  # parts of the same memory
    bias += torch.from_numpy(seen[told]) @ matrix[told]
    matrix[told] = 0.0
    return weights


def network_of(game: Game, entrant: Entrant) -> tuple[NetworkShape, Any]:
    """The network of a compiled player: its shape, and its weights as [1, size]."""
    units, blocks = int(entrant.params[0]), int(entrant.params[1])
    shape = NetworkShape(game.spaces.observation.size, units, blocks, game.spaces.actions.size)
    weights = entrant.params[HEADER:].view(np.float32)[: shape.size]
    return shape, torch.from_numpy(weights.copy())[None]


def begun_as(game: Game, start: Entrant, arguments: Any) -> tuple[Any, np.ndarray]:
    """The arguments with the shape of the network to begin as, and its weights. With more units than that network has
    it becomes wider, and plays the same at first. A temperature softens what it has settled on, as in champion/
    temperature=4; at 0, where it takes its first choice alone, it begins as at 1."""
    if not start.plays_by(NAME):
        raise Problem(f"start is {start.name}, but takes a network: a policy file that self-play has made, say")
    shape, several = network_of(game, start)
    weights, usual = several[0].numpy(), type(arguments)()
    temperature = float(start.params[TEMPERATURE])
    if temperature > 0.0:
        for part in shape.arrays(weights)[-1]:  # the matrix and the bias behind it; the last column is the value
            part[..., :-1] /= temperature
    if arguments.blocks not in (shape.blocks, usual.blocks):
        raise Problem(
            f"blocks is {arguments.blocks}, but {start.name} has {shape.blocks}: leave it out, it follows from start"
        )
    units = shape.units if arguments.units == usual.units else arguments.units
    if units < shape.units:
        raise Problem(f"units is {units}, but {start.name} has {shape.units}: leave it out, or name more")
    if units > shape.units:
        wider, symmetry = NetworkShape(shape.inputs, units, shape.blocks, shape.actions), game.learning.symmetry
        runs = runs_of(symmetry)
        if kept_units(shape.units, units, runs).max() >= units:
            room = next(more for more in count(units) if kept_units(shape.units, more, runs).max() < more)
            raise Problem(f"units is {units}, but {start.name} has {shape.units} in {runs} runs: name {room}, say")
        tied = symmetry is not None and ties_of(shape, symmetry).hold(weights)
        weights = wider.widened(shape, weights, runs)
        if symmetry is not None and tied:
            weights = ties_of(wider, symmetry).copy(weights)
    return replace(arguments, units=units, blocks=shape.blocks), weights


def teacher_of(game: Game, rules: Rules, name: str, opponent: Entrant | None) -> Entrant:
    """Who is imitated at first: a compiled player. Lanes have place for one compiled player only, so that it must be
    the opponent where that one is compiled."""
    teacher = resolve(game, name, rules)
    if teacher.form != "compiled" or teacher.plays_by(NAME):
        raise Problem(f"teacher is {name}, but takes a compiled player that is no network; begin as one with start")
    if opponent is not None and identity(teacher) != identity(opponent):
        raise Problem(f"teacher is {name}, but with the opponent {opponent.name} it can be no other player")
    return teacher


GREEDY = 1e6  # logits so many times larger leave the best action alone


def as_it_plays(game: Game, entrant: Entrant) -> tuple[NetworkShape, Any]:
    """The network of a player, with the player's temperature in the last layer. The value there, which nobody asks for,
    is divided by it too."""
    shape, weights = network_of(game, entrant)
    temperature = float(entrant.params[TEMPERATURE])
    before, after = shape.layers[-1]
    weights[:, -(before + 1) * after :] *= 1 / temperature if temperature > 1 / GREEDY else GREEDY
    return shape, weights
