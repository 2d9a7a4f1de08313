"""What others may do to a seat: how dangerous each discard is to each of them, and what it would cost.

A network is told this besides the tiles. It is reckoned as players/danger.py says: by the shapes of unseen tiles that
could wait for a kind and that no safe tile rules out (genbutsu, suji, kabe, honours that are seen).
"""

import numpy as np

from tefuda.contract import Part
from tefuda.games.mahjong.players.danger import MOST, WAITS, loss_of, possible_weight, readiness, shapes
from tefuda.games.mahjong.state import SEATS
from tefuda.games.mahjong.tiles import KINDS
from tefuda.kernel.compile import kernel

OTHERS = SEATS - 1
PARTS = (
    Part("danger", OTHERS * KINDS, "the chance that each other seat, if it is ready, waits for each kind, in tenths"),
    Part("cost", KINDS, "points that discarding each kind loses in the mean, in thousands"),
    Part("threat", OTHERS, "the chance that each other seat is ready, by its riichi, its melds and the turn"),
    Part("feared", OTHERS, "points that a deal-in to each other seat costs in the mean, in ten thousands"),
)
SIZE = sum(part.size for part in PARTS)
_COST = OTHERS * KINDS
_THREAT, _FEARED = _COST + KINDS, _COST + KINDS + OTHERS
_WHOLE = 1024.0  # chances there are in 1/1024
_WAITS, _MOST, _TENTHS = WAITS / 1000.0, np.float32(MOST / _WHOLE), np.float32(10.0)


@kernel
def write_weights(state, seat, unseen, out):
    """Write the weight of the shapes by which each other seat may wait for each kind; returns the sums of all kinds."""
    next_one, across, before = (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS
    first = state.thrown[next_one] | state.missed[next_one]
    second = state.thrown[across] | state.missed[across]
    third = state.thrown[before] | state.missed[before]
    totals = 0, 0, 0
    for kind in range(KINDS):
        weights = shapes(unseen, kind)
        here = possible_weight(weights, first, kind)
        there = possible_weight(weights, second, kind)
        yonder = possible_weight(weights, third, kind)
        out[kind], out[KINDS + kind], out[2 * KINDS + kind] = here, there, yonder
        totals = totals[0] + here, totals[1] + there, totals[2] + yonder
    return totals


@kernel
def write_threats(state, seat, unseen, out):
    """All parts; unseen [34]: the tiles of each kind that the seat cannot see."""
    totals = write_weights(state, seat, unseen, out)
    for kind in range(KINDS):
        out[_COST + kind] = 0.0
    for place in range(OTHERS):
        other = (seat + 1 + place) % SEATS
        ready, loss = readiness(state, other) / _WHOLE, loss_of(state, other) / 1000.0
        out[_THREAT + place], out[_FEARED + place] = ready, loss / 10.0
        share = np.float32(_WAITS / max(1, totals[place]))
        stake = np.float32(ready * loss)
        for kind in range(KINDS):
            chance = min(np.float32(out[place * KINDS + kind]) * share, _MOST)
            out[_COST + kind] += chance * stake
            out[place * KINDS + kind] = _TENTHS * chance
