"""How dangerous a discard is: for each opponent who may be ready, what it may wait for, by counting combinations.

A wait for a kind is a shape of unseen tiles: two neighbours (two-sided, or one-sided at the edge), the two around it,
a pair, a single tile. Shapes that would wait for something the opponent has discarded, or let pass, are out: so tiles
it has discarded are safe, the other end of them (suji) less dangerous, and so are tiles behind walls of four (kabe).
"""

import numpy as np

from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.hand import meld_copies
from tefuda.games.mahjong.state import INDICATORS, SEATS, dealer_of, is_closed
from tefuda.games.mahjong.tiles import HONOURS, KINDS, dora_of
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

# Weights of the shapes, for each combination of unseen tiles: how much oftener hands are made ready so.
TWO_SIDED, EDGE, MIDDLE, PAIRS, SINGLE = 10, 4, 5, 7, 3
WAITS = 1800  # kinds that a ready hand waits for, in thousandths: the mean
MOST = 300  # of a discard's danger, in 1/1024


@kernel
def shapes(unseen, kind):
    """The weights of the shapes that wait for a kind: of those that it alone rules out, of the two-sided one with the
    two kinds below it, which waits for the third below too, and of that with the two above."""
    here = int(unseen[kind])
    alone, below, above = PAIRS * (here * (here - 1) // 2) + SINGLE * here, 0, 0
    if kind >= HONOURS:
        return alone, below, above
    place = kind % 9
    under = int(unseen[kind - 1]) if place >= 1 else 0
    over = int(unseen[kind + 1]) if place <= 7 else 0
    if place >= 2:
        ways = under * int(unseen[kind - 2])
        if place == 2:
            alone += EDGE * ways
        else:
            below = TWO_SIDED * ways
    if place <= 6:
        ways = over * int(unseen[kind + 2])
        if place == 6:
            alone += EDGE * ways
        else:
            above = TWO_SIDED * ways
    return alone + MIDDLE * under * over, below, above


@kernel
def possible_weight(weights, safe, kind):
    """The weight of those shapes that wait for no safe kind."""
    alone, below, above = weights
    if has(safe, kind):
        return 0
    if below > 0 and not has(safe, kind - 3):
        alone += below
    if above > 0 and not has(safe, kind + 3):
        alone += above
    return alone


@kernel
def shape_weight(unseen, safe, kind):
    """The weight of all shapes that wait for a kind and for no safe one."""
    return possible_weight(shapes(unseen, kind), safe, kind)


@kernel
def readiness(view, other):
    """The chance, in 1/1024, that an opponent is ready: sure in riichi, else by its melds and the turn."""
    if view.riichi[other] != 0:
        return 1024
    melds, turn = np.int64(view.meld_count[other]), np.int64(view.discards[other])
    if is_closed(view, other):
        return 0
    if melds == 1:
        return 0 if turn < 9 else 100
    if melds == 2:
        return 120 if turn < 7 else 300 if turn < 12 else 450
    return 500 if melds == 3 and turn < 9 else 750


@kernel
def loss_of(view, other):
    """Points that a deal-in to an opponent costs in the mean: more with dora in its melds, and to the dealer."""
    points = 5500 if view.riichi[other] != 0 else 2600
    dora = np.int64(view.open_reds[other])
    for i in range(np.int64(view.indicators)):
        kind = dora_of(kind_of_face(np.int64(view.wall[INDICATORS + i])))
        for meld in range(np.int64(view.meld_count[other])):
            dora += meld_copies(np.int64(view.melds[other, meld]), kind)
    for number in range(4):
        if number < dora:
            points = points * 3 // 2
    points = min(points, 12000)
    return points * 3 // 2 if other == dealer_of(view) else points


@kernel
def add_danger(view, other, unseen, threat, costs):
    """Add to costs [34] what discarding each kind loses to an opponent in the mean, in points.

    `threat` is its chance to be ready (1/1024) times what it would win.
    """
    safe = view.thrown[other] | view.missed[other]
    total = 0
    for kind in range(KINDS):
        total += shape_weight(unseen, safe, kind)
    if total == 0:
        return
    for kind in range(KINDS):
        if not has(safe, kind):
            chance = min(MOST, shape_weight(unseen, safe, kind) * WAITS // total * 1024 // 1000)
            costs[kind] += chance * threat // 1048576


@kernel
def read_danger(view, seat, unseen, costs):
    """Write costs [34], the points that each discard loses in the mean; returns how threatened the seat is (1/1024)."""
    for kind in range(KINDS):
        costs[kind] = 0
    threatened = 0
    for distance in range(1, SEATS):
        other = (seat + distance) % SEATS
        ready = readiness(view, other)
        if ready > 0:
            add_danger(view, other, unseen, ready * loss_of(view, other), costs)
            threatened = max(threatened, ready)
    return threatened
