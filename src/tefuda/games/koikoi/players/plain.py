"""`random`: any legal card. Its koi-koi decision is the common one."""

from tefuda.games.koikoi.players.decision import with_decision
from tefuda.kernel.bits import count, nth
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import below


@kernel
def play_any(view, seat, weights, rng, mask, worlds, numbers):
    return nth(mask[0], below(rng, count(mask[0])))


choose = with_decision("random", play_any)
