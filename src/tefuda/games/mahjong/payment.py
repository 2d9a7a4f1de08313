"""What is paid when a deal is over: wins, liability, honba and sticks, tenpai and nagashi mangan."""

import numpy as np

from tefuda.games.mahjong.legal import STICK
from tefuda.games.mahjong.score import ron_points, tsumo_points
from tefuda.games.mahjong.state import NOBODY, SEATS, dealer_of
from tefuda.games.mahjong.wall import dora_of_win
from tefuda.games.mahjong.win import value
from tefuda.games.mahjong.yaku import DAISANGEN, DAISUUSHII
from tefuda.kernel.bits import has
from tefuda.kernel.compile import kernel

HONBA = 300  # points of one honba, from all payers together
NOTEN = 3000  # points that those not ready pay together
MANGAN = np.int64(2000)  # before it is multiplied
NO_HONBA = FIRST = np.int64(0)


@kernel
def pay(state, giver, taker, points):
    state.paid[giver] -= points
    state.paid[taker] += points


@kernel
def liable_for(state, seat, yaku):
    """Who must pay for a yakuman of a seat because it fed its last set, or -1."""
    if has(yaku, DAISANGEN) and state.liable[seat, 0] >= 0:
        return np.int64(state.liable[seat, 0])
    if has(yaku, DAISUUSHII) and state.liable[seat, 1] >= 0:
        return np.int64(state.liable[seat, 1])
    return NOBODY


@kernel
def pay_tsumo(state, seat, base, honba):
    """Everybody pays; the dealer, or everybody to the dealer, double."""
    for giver in range(SEATS):
        if giver != seat:
            double = seat == dealer_of(state) or giver == dealer_of(state)
            pay(state, giver, seat, tsumo_points(base, double) + honba // 3)


@kernel
def pay_ron(state, seat, giver, base, honba):
    pay(state, giver, seat, ron_points(base, seat == dealer_of(state)) + honba)


@kernel
def pay_win(state, seat, giver, yaku, base, honba):
    """One winner is paid. Who is liable pays a tsumo alone, and half of another's ron with all honba: of the whole win,
    though only one of its yakuman was fed."""
    liable = liable_for(state, seat, yaku)
    if liable < 0 or liable == giver:
        if giver == seat:
            pay_tsumo(state, seat, base, honba)
        else:
            pay_ron(state, seat, giver, base, honba)
    elif giver == seat:
        pay_ron(state, seat, liable, base, honba)
    else:
        points = ron_points(base, seat == dealer_of(state))
        pay(state, liable, seat, points // 2 + honba)
        pay(state, giver, seat, points // 2)


@kernel
def win(state, number, seat, giver, face):
    """Write down and pay win `number` (from 0) of a deal; only the first takes honba and sticks."""
    dora = state.win_dora[number]
    dora_of_win(state, seat, face, dora)
    yaku, han, fu, base = value(state, seat, face, int(dora[0]) + int(dora[1]) + int(dora[2]))
    state.winners[number] = seat
    state.win_from = giver
    state.win_yaku[number] = yaku
    state.win_han[number] = han
    state.win_fu[number] = fu
    pay_win(state, seat, giver, yaku, base, HONBA * np.int64(state.honba) if number == 0 else NO_HONBA)
    if number == 0:
        state.paid[seat] += STICK * np.int64(state.sticks)
        state.sticks = 0


@kernel
def pay_noten(state):
    """The wall is exhausted: those who are not ready pay 3,000 to those who are."""
    ready = 0
    for seat in range(SEATS):
        ready += state.ready[seat] != 0
    if ready == 0 or ready == SEATS:
        return
    for seat in range(SEATS):
        state.paid[seat] = NOTEN // ready if state.ready[seat] != 0 else -(NOTEN // (SEATS - ready))


@kernel
def pay_nagashi(state):
    """Each seat with nothing but terminals and honours in its river is paid a mangan; returns whether there is one."""
    found = False
    for seat in range(SEATS):
        if state.nagashi[seat] != 0:
            found = True
            pay_tsumo(state, seat, MANGAN, NO_HONBA)
    return found


@kernel
def settle(state):
    """Move the points."""
    for seat in range(SEATS):
        state.points[seat] += state.paid[seat]
