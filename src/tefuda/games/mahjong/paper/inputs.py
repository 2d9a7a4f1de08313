"""What a network sees of the hand that a candidate leaves: the features' factors, each by itself and not combined.

A hand is BYTES small whole numbers, one part behind the other (`PARTS`). A network is told each as steps: a number n
with s steps gives s inputs, of which the first n are 1. So 0 costs nothing, and what is more stands further on.
"""

from dataclasses import dataclass

import numpy as np

from tefuda.contract import fingerprint
from tefuda.games.mahjong import hand
from tefuda.games.mahjong.hand import meld_kind, meld_type
from tefuda.games.mahjong.paper import quantities
from tefuda.games.mahjong.paper.groups import GROUPS
from tefuda.games.mahjong.paper.hands import (
    DORA,
    DORAS,
    NUMBER,
    ROUND_WIND,
    SEAT_WIND,
    SLOTS,
    THROWN,
    UNSEEN,
    tiles_held,
)
from tefuda.games.mahjong.tiles import HONOURS, KINDS
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

MOST_STEPS = 32  # of one quantity


@dataclass(frozen=True)
class Part:
    """One part of the bytes."""

    name: str
    steps: tuple[int, ...]  # of each byte


def _sizes() -> dict[str, int]:
    """The largest size of each quantity as a factor of some group."""
    found: dict[str, int] = {}
    for group in GROUPS:
        for name, size in group.sizes:
            found[name] = max(size, found.get(name, 0))
    return found


# Quantities of the whole hand. Those behind them are of one tile, wait or pattern among several.
QUANTITIES = tuple(name for name in quantities.NAMES[: quantities.SPECIAL + 1] if name in _sizes())
PARTS = (
    Part("held", (4,) * KINDS),  # tiles of each kind in the hand
    Part("runs", (2,) * HONOURS),  # melds: runs by their lowest kind
    Part("sets", (1,) * KINDS),  # triplets and kans
    Part("unseen", (4,) * KINDS),  # tiles of each kind that the seat cannot see
    Part("dora", (2,) * KINDS),  # how often each kind is dora
    Part("thrown", (1,) * KINDS),  # kinds that the seat has discarded
    Part("seat wind", (1,) * 4),
    Part("round wind", (1,) * 3),
    Part("quantities", tuple(min(_sizes()[name] - 1, MOST_STEPS) for name in QUANTITIES)),
)
STEPS = np.array([steps for part in PARTS for steps in part.steps], np.uint8)  # of each byte
BYTES = len(STEPS)
INPUTS = int(STEPS.sum())
MEANING = fingerprint([*(f"{part.name}: {part.steps}" for part in PARTS), *QUANTITIES])

# For kernels: where parts begin, and where the quantities stand.
_BEGINS = np.concatenate([[0], np.cumsum([len(part.steps) for part in PARTS])])
_HELD, _RUNS, _SETS, _UNSEEN, _DORA, _THROWN, _SEAT, _ROUND, _QUANTITIES = (np.int64(place) for place in _BEGINS[:-1])
_PLACES = np.array([quantities.PLACES[name] for name in QUANTITIES], np.uint8)
_NUMBER = len(QUANTITIES)


@kernel
def _steps(place):
    return np.int64(STEPS[place])


@kernel
def _place(number):
    return np.int64(_PLACES[number])


@kernel
def write_bytes(work, out):
    """Write the hand of the candidate whose features were listed last: out [BYTES]."""
    for place in range(BYTES):
        out[place] = 0
    thrown = np.uint64(work[THROWN])
    for kind in range(KINDS):
        out[_HELD + kind] = tiles_held(work, kind)
        out[_UNSEEN + kind] = work[UNSEEN + kind]
        out[_THROWN + kind] = 1 if has(thrown, kind) else 0
    for slot in range(work[NUMBER]):
        meld = work[SLOTS + slot]
        begins = _RUNS if meld_type(meld) == hand.CHI else _SETS
        out[begins + meld_kind(meld)] += 1
    for i in range(work[DORAS]):
        out[_DORA + work[DORA + i]] += 1
    out[_SEAT + work[SEAT_WIND]] = 1
    out[_ROUND + work[ROUND_WIND]] = 1
    for number in range(_NUMBER):
        at = _QUANTITIES + number
        out[at] = max(np.int64(0), min(work[_place(number)], _steps(at)))


@kernel
def exchange_suits(numbers):
    """Turn the three suits of the bytes round: what was said of characters is then said of circles, and so on. The
    quantities say nothing of a suit."""
    for part in (_HELD, _RUNS, _SETS, _UNSEEN, _DORA, _THROWN):
        for place in range(9):
            first = part + place
            kept = numbers[first + 18]
            numbers[first + 18] = numbers[first + 9]
            numbers[first + 9] = numbers[first]
            numbers[first] = kept


@kernel
def write_steps(numbers, out):
    """From bytes to inputs: numbers [BYTES], out [INPUTS] of float32."""
    first = 0
    for place in range(BYTES):
        steps, number = _steps(place), np.int64(numbers[place])
        for step in range(steps):
            out[first + step] = np.float32(1.0) if step < number else np.float32(0.0)
        first += steps
