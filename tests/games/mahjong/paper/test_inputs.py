"""What networks are told of a hand: against the table that it was taken from, and the features beside it."""

import numpy as np
import pytest

from tefuda.games.mahjong.paper import inputs
from tefuda.games.mahjong.paper.features import ACTIVE
from tefuda.games.mahjong.tiles import KINDS
from tests.games.mahjong.paper.test_positions import positions, value_of

BEGINS = np.cumsum([0, *(len(each.steps) for each in inputs.PARTS[:-1])])
PLACES = dict(zip([each.name for each in inputs.PARTS], BEGINS, strict=True))


def part(row: np.ndarray, name: str) -> np.ndarray:
    size = next(len(each.steps) for each in inputs.PARTS if each.name == name)
    return row[PLACES[name] : PLACES[name] + size].astype(int)


def test_a_hand_has_the_tiles_that_it_must_have():
    found = positions(0, 250, "random")
    melded = 0
    for row, plain in zip(found.rows, found.plain, strict=True):
        melds = int(part(plain, "runs").sum() + part(plain, "sets").sum())
        melded += melds > 0
        assert part(plain, "held").sum() == 13 - 3 * melds
        assert part(plain, "seat wind").sum() == part(plain, "round wind").sum() == 1
        assert (part(plain, "held") + part(plain, "unseen") <= 4).all()
        assert part(plain, "dora").sum() >= 1
        assert (plain[:-1] <= np.maximum(inputs.STEPS, 4)[:-1]).all()
        quantity = dict(zip(inputs.QUANTITIES, part(plain, "quantities"), strict=True))
        assert [quantity["melds"]] == value_of(row, "melds") == [melds]
        assert [quantity["standard"]] == value_of(row, "standard shanten")
        assert [quantity["riichi"]] == value_of(row, "riichi")
        assert [min(quantity["dora"], 3)] == value_of(row, "dora")
    assert melded > 10
    assert len(found.rows[0]) == ACTIVE


@pytest.mark.kernel
def test_steps_are_as_many_ones_as_a_number_says():
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, inputs.STEPS + 1).astype(np.uint8)
    out = np.zeros(inputs.INPUTS, np.float32)
    inputs.write_steps(numbers, out)
    first = 0
    for number, steps in zip(numbers.tolist(), inputs.STEPS.tolist(), strict=True):
        assert out[first : first + steps].tolist() == [1.0] * number + [0.0] * (steps - number)
        first += steps
    assert first == inputs.INPUTS
    assert inputs.STEPS[:KINDS].tolist() == [4] * KINDS
