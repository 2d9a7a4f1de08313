"""What a critic is told while a network learns: all hands, what they wait for, and which tiles come.

A critic foretells what a table is worth for the seat that decides. The more of the luck it knows, the more of what is
left is skill. So it is told what nobody at the table can see. The players that learn are never told any of it.
"""

import numpy as np

from tefuda.contract import Insight, Part, Space
from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.hand import held
from tefuda.games.mahjong.shanten import pack, useful_packed
from tefuda.games.mahjong.state import CLAIM, DRAWS, INDICATORS, ROB, SEATS, URA_INDICATORS, is_furiten, left_in_wall
from tefuda.games.mahjong.tiles import KINDS, dora_of
from tefuda.kernel.bits import ZERO, bit, has
from tefuda.kernel.compile import kernel

OTHERS = SEATS - 1
NEXT = 8  # draws of each seat that are told one by one
SOON = (4, 12, 70)  # draws of all seats
FADING = np.float32(0.8)  # a draw counts so much less for each that its seat makes before
SPACE = Space(
    (
        Part("hands", OTHERS * KINDS, "tiles in the hands of the other seats, in fours"),
        Part("wanted", SEATS * KINDS, "kinds that complete each hand, or bring it nearer to ready; own, next, …"),
        Part("ready", SEATS, "1 for each hand that is ready"),
        Part("far", SEATS, "shanten of each hand, in sixes; after a call until the discard, as it was before"),
        Part("furiten", SEATS, "1 for each seat that cannot win by ron"),
        Part("coming", SEATS * KINDS, "the next eight draws of each seat: 1 for the next, a fifth less for each more"),
        Part("lucky", SEATS * NEXT, "1 for each of these draws that its seat wants"),
        Part("out", SEATS * len(SOON), "tiles that each seat wants among the next 4, the next 12, all draws, in fours"),
        Part("dora", SEATS, "dora of each hand and its melds, in fours"),
        Part("ura", SEATS, "the same by what lies under the indicators"),
    )
)  # fmt: skip


def _start(key: str) -> int:
    return SPACE.slices[key].start


_WANTED, _READY, _FAR, _FURITEN, _COMING = map(_start, ("wanted", "ready", "far", "furiten", "coming"))
_LUCKY, _OUT, _DORA, _URA = map(_start, ("lucky", "out", "dora", "ura"))


@kernel
def wanted_by(state, seat):
    """The kinds that complete a hand, or bring it nearer to ready; the tile just drawn is not in it."""
    if state.far[seat] == 0:
        return state.waits[seat]
    man, pin, sou, honours = pack(state.hand[seat])
    return useful_packed(man, pin, sou, honours, np.int64(state.meld_count[seat]))


@kernel
def dora_held(state, seat, first):
    """Dora of a hand and its melds, by the indicators that lie from `first` on."""
    total = 0
    for each in range(np.int64(state.indicators)):
        dora = dora_of(kind_of_face(np.int64(state.wall[first + each])))
        total += held(state.hand[seat], state.melds[seat], dora)
    return total


@kernel
def write_draws(state, place, owner, wanted, out):
    """Which tiles come to a seat, and which of all that come it wants. Calls would change the order; nobody knows."""
    asking = state.phase == CLAIM or state.phase == ROB
    turn = np.int64(state.discarder) if asking else np.int64(state.seat)
    weight, own = np.float32(1.0), 0
    first = DRAWS + np.int64(state.next)
    for number in range(left_in_wall(state)):
        kind = kind_of_face(np.int64(state.wall[first + number]))
        if has(wanted, kind):
            for each in range(len(SOON)):
                if number < SOON[each]:
                    out[_OUT + len(SOON) * place + each] += 0.25
        if (turn + 1 + number) % SEATS == owner and own < NEXT:
            out[_COMING + KINDS * place + kind] += weight
            out[_LUCKY + NEXT * place + own] = has(wanted, kind)
            weight *= FADING
            own += 1


@kernel
def write_insight(state, seat, out):
    """All parts, for the seat that decides."""
    for at in range(out.shape[0]):
        out[at] = 0.0
    for place in range(SEATS):
        owner = (seat + place) % SEATS
        wanted = wanted_by(state, owner)
        for kind in range(KINDS):
            if place > 0:
                out[KINDS * (place - 1) + kind] = state.hand[owner, kind] / 4.0
            out[_WANTED + KINDS * place + kind] = wanted & bit(kind) != ZERO
        out[_READY + place] = state.far[owner] == 0
        out[_FAR + place] = state.far[owner] / 6.0
        out[_FURITEN + place] = is_furiten(state, owner)
        write_draws(state, place, owner, wanted, out)
        out[_DORA + place] = dora_held(state, owner, INDICATORS) / 4.0
        out[_URA + place] = dora_held(state, owner, URA_INDICATORS) / 4.0


INSIGHT = Insight(SPACE, write_insight)
