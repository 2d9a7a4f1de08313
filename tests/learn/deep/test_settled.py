"""Networks that have settled on a choice, as lessons leave them: how a run opens it again."""

from dataclasses import replace

import numpy as np
import pytest

from tefuda import games
from tefuda.engine.network import NAME, packed
from tefuda.games.kuhn.rules import BET
from tefuda.players.entrant import Entrant

torch = pytest.importorskip("torch")

from tefuda.learn.deep.network import NetworkShape, forward  # noqa: E402
from tefuda.learn.deep.players import begun_as  # noqa: E402
from tefuda.learn.self_play import Arguments, SelfPlay  # noqa: E402

KUHN = games.find("kuhn")
SMALL = Arguments(decisions=40_960, units=8, lanes=64, steps=16, batch=256, rate=0.01, rate_end=0.001, average=0.9)
SHAPE = NetworkShape(KUHN.spaces.observation.size, SMALL.units, SMALL.blocks, KUHN.spaces.actions.size)
SETTLED = 30.0  # logits by which it likes to bet more than to pass


def settled(temperature: float = 1.0) -> Entrant:
    """A network that always bets."""
    flat = SHAPE.initial(1)
    bias = SHAPE.arrays(flat)[-1][1]
    bias[BET], bias[-1] = SETTLED, 0.5
    return Entrant("settled", KUHN.players.policy(NAME), packed([SHAPE.units, SHAPE.blocks, temperature, 1.0, 0], flat))


def passes(weights: np.ndarray) -> float:
    """How often a network passes at what it has seen in some deals, at most."""
    seen = np.random.default_rng(1).integers(0, 2, (32, SHAPE.inputs)).astype(np.float32)
    logits, _ = forward(SHAPE.parts(torch.from_numpy(weights)), torch.from_numpy(seen))
    return float((1 - torch.softmax(logits, dim=1)[:, BET]).max())


def learned(**changes) -> np.ndarray:
    arguments, initial = begun_as(KUHN, settled(), replace(SMALL, **changes))
    run = SelfPlay(KUHN, [KUHN.rulebook.make()], None, arguments, 3, torch.device("cpu"), 1, initial)
    while not run.done:
        run.advance()
    return run.result


def test_what_a_network_has_settled_on_is_opened_again_where_it_is_asked_for():
    """To bet with every card loses; entropy alone does not find that out."""
    assert passes(learned(entropy=0.1)) < 1e-6
    assert passes(learned(reopen=0.1)) > 0.2


def test_a_temperature_softens_the_network_to_begin_as_but_not_its_value():
    _, plain = begun_as(KUHN, settled(), SMALL)
    seen = torch.ones((1, SHAPE.inputs))
    logits, value = forward(SHAPE.parts(torch.from_numpy(plain)), seen)
    for temperature, softer in ((4.0, 4.0), (0.5, 0.5), (1.0, 1.0), (0.0, 1.0)):
        _, begun = begun_as(KUHN, settled(temperature), SMALL)
        found, foretold = forward(SHAPE.parts(torch.from_numpy(begun)), seen)
        torch.testing.assert_close(found * softer, logits)
        torch.testing.assert_close(foretold, value)
