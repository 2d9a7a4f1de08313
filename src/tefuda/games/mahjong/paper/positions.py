"""Records by self-play (section 5.1 and figure 2): positions, and by how many han they were won.

A position is what one seat, always seat 0, has after one random action in a deal. All else that it does is decided by
its player, before and after; its opponents are players too. The round's wind is east or south by 4/9 each and west by
1/9, each own wind is as likely, and so is each turn from the first to the 18th. The random action is the first from
that turn on where there is a choice, and any candidate (hands.py) is as likely: a call and its discard are one, a five
and a red five too, and riichi is none of them. A deal gives no position when the seat is in riichi by then, and when
it ends before.

The paper guesses at what its records lack, and each guess is another way of exploring: without a random action
(`never`: the hand after what the player itself chooses; where it declares riichi, the hand that it declares with), and
with positions after calls more often (`calls`: in every other deal the random action waits for a chance to call).

A position depends on the seed and its number alone: pieces of a run are ranges of numbers.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tefuda.contract import Game, Policy
from tefuda.engine.loops import loops_of
from tefuda.engine.seated import TABLE, VIEW, Occupant, scratch, seated
from tefuda.games.mahjong.actions import PASS, RON, TSUMO
from tefuda.games.mahjong.paper import hands
from tefuda.games.mahjong.paper.features import ACTIVE, features
from tefuda.games.mahjong.paper.hands import (
    CALLED_PON,
    CHI_LOW,
    CODES,
    action_of,
    done_of,
    kind_of_code,
    list_candidates,
)
from tefuda.games.mahjong.paper.inputs import BYTES, write_bytes
from tefuda.games.mahjong.starting import start_deal
from tefuda.games.mahjong.state import DECLARED, SEATS, TURN, WON
from tefuda.kernel.bits import has_word
from tefuda.kernel.compile import kernel
from tefuda.kernel.random import LEARNER, below, stream

OWN: Any = np.int64(0)  # the seat of the positions
CLASSES = ("no win", "1 han", "2 han", "3 han", "4 han or more")
TURNS = 18
NONE = -1  # behind the features of a position; the class of a deal that gives none
RULES = "hand"  # the preset: one deal
EXPLORING = ("random", "never", "calls")  # ways of it, by their places
RANDOM, NEVER, CALLS = (np.int64(place) for place in range(len(EXPLORING)))


@kernel
def draw_start(table, rng):
    """Deal the wall again for a round and a dealer by lot; returns the turn of the random action."""
    lot = below(rng, 9)
    wind = np.int64(0) if lot < 4 else np.int64(1) if lot < 8 else np.int64(2)
    dealer = below(rng, SEATS)
    start_deal(table, SEATS * wind + dealer, np.int64(0), np.int64(0), table.points, table.wall)
    return below(rng, TURNS)


@kernel
def class_of(table):
    """By how many han the own seat has won: 0 for no win, 4 for four and more."""
    if table.ended == WON:
        for winner in range(3):
            if table.winners[winner] == OWN:
                return min(np.int64(table.win_han[winner]), np.int64(4))
    return np.int64(0)


@kernel
def is_choice(view, mask, work, fewest):
    """Whether there is something to choose that is no win; lists the candidates, of which there are `fewest`."""
    if has_word(mask, TSUMO) or has_word(mask, RON):
        return False
    return list_candidates(view, OWN, mask, work) >= fewest


@kernel
def code_of(view, mask, work, action):
    """The candidate that an action is the whole of, or NONE: a call is known when its discard is chosen."""
    for row in range(work[hands.COUNT]):
        code = work[CODES + row]
        if not CHI_LOW <= done_of(code) <= CALLED_PON and action_of(view, mask, code) == action:
            return code
    return np.int64(NONE)


@kernel
def write_position(view, code, work, active, plain):
    """The features of a candidate with NONE behind them, and its bytes."""
    listed = features(view, OWN, code, work, active)
    active[listed] = NONE
    write_bytes(work, plain)


@cache
def loop_of(game: Game, compiled_in: tuple[Policy, ...] | None = None) -> Any:
    """The kernel that plays one deal. `compiled_in`: for CUDA, the policies that sit at the table.

    play(blank, seed, number, exploring, seated, scratch, work, active, plain) writes the features of the position
    with NONE behind them, and its bytes (inputs.py), and returns its class, or NONE. Player 0 has the own seat, player
    1 the others. exploring: the place in EXPLORING. scratch: see engine/loops.py.
    """
    loops = loops_of(game, compiled_in)
    begin, choose, others = loops.begin, loops.choose, _others_of(game, compiled_in)
    to_move, hide, legal, apply = game.kernels.to_move, game.kernels.hide, game.kernels.legal, game.kernels.apply

    def play(blank, seed, number, exploring, seated, scratch, work, active, plain):
        tables, rngs, mask, worlds, numbers, _ = scratch
        choosers, starts, params = seated
        begin(tables, blank, rngs, seed, number)
        kept = rngs[0]  # the lots come from another stream than the seat's
        rngs[0] = stream(seed, number, OWN, LEARNER)
        turn = draw_start(tables[TABLE], rngs[0:1])
        lots = rngs[0]
        rngs[0] = kept
        for_call = exploring == CALLS and number % 2 == 1
        code = np.int64(NONE)
        waiting = np.int64(NONE)  # the kind that the random call discards
        while True:
            seat = others(tables, to_move(tables[TABLE]), seated, rngs, mask, worlds, numbers)
            if seat < 0:
                return class_of(tables[TABLE]) if code >= 0 else np.int64(NONE)
            tables[VIEW] = tables[TABLE]
            hide(tables[VIEW], seat)
            legal(tables[VIEW], mask)
            action = np.int64(NONE)
            weighed = False  # whether the own choice makes the position
            if seat == OWN and (waiting >= 0 or (code < 0 and tables[TABLE].discards[OWN] >= turn)):
                if tables[TABLE].riichi[OWN] != 0:
                    return np.int64(NONE)
                if waiting >= 0 and tables[VIEW].phase == TURN:
                    action = action_of(tables[VIEW], mask, waiting)
                    waiting = np.int64(NONE)
                elif code < 0 and exploring == NEVER:
                    weighed = is_choice(tables[VIEW], mask, work, 1 if tables[VIEW].phase == DECLARED else 2)
                elif code < 0 and (not for_call or has_word(mask, PASS)) and is_choice(tables[VIEW], mask, work, 2):
                    kept = rngs[0]
                    rngs[0] = lots
                    code = work[CODES + below(rngs[0:1], work[hands.COUNT])]
                    rngs[0] = kept
                    write_position(tables[VIEW], code, work, active, plain)
                    action = action_of(tables[VIEW], mask, code)
                    if CHI_LOW <= done_of(code) <= CALLED_PON:
                        waiting = kind_of_code(code)
            if action < 0:
                player = 0 if seat == OWN else 1
                own = params[starts[player] : starts[player + 1]]
                rng = rngs[seat : seat + 1]
                action = choose(choosers[player], tables[VIEW], seat, own, rng, mask, worlds, numbers)
                if weighed:
                    code = code_of(tables[VIEW], mask, work, action)
                    if code >= 0:
                        write_position(tables[VIEW], code, work, active, plain)
            apply(tables[TABLE], action)

    return kernel(play)


def _others_of(game: Game, compiled_in: tuple[Policy, ...] | None) -> Any:
    """The kernel that lets opponents decide until the own seat is asked, where they decide at once; returns who decides
    then. On CUDA threads go in step: those whose opponents decide would else wait for those who weigh hands."""
    to_move, hide, legal, apply = game.kernels.to_move, game.kernels.hide, game.kernels.legal, game.kernels.apply
    quick = compiled_in[-1] if compiled_in is not None and compiled_in[-1].numbers == 0 else None

    def wait_for_all(tables, seat, seated, rngs, mask, worlds, numbers):
        return seat

    if quick is None:
        return kernel(wait_for_all)
    choose = quick.choose

    def go_on(tables, seat, seated, rngs, mask, worlds, numbers):
        _, starts, params = seated
        while seat >= 0 and seat != OWN:
            tables[VIEW] = tables[TABLE]
            hide(tables[VIEW], seat)
            legal(tables[VIEW], mask)
            own = params[starts[1] : starts[2]]
            apply(tables[TABLE], choose(tables[VIEW], seat, own, rngs[seat : seat + 1], mask, worlds, numbers))
            seat = to_move(tables[TABLE])
        return seat

    return kernel(go_on)


@cache
def _piece_of(game: Game) -> Any:
    """The kernel of a piece on the CPU."""
    play = loop_of(game)

    def piece(blank, seed, first, last, exploring, seated, scratch, work, active, rows, plain, came):
        """The positions of numbers first to last - 1, from `first` on: rows [numbers, ACTIVE], plain [numbers, BYTES],
        came [numbers]."""
        for number in range(first, last):
            place = number - first
            came[place] = play(blank, seed, number, exploring, seated, scratch, work, active, plain[place])
            for i in range(ACTIVE):
                rows[place, i] = active[i] if came[place] >= 0 else NONE
                if rows[place, i] == NONE:
                    break

    return kernel(piece)


@dataclass(frozen=True)
class Positions:
    """Positions of some numbers: those of deals that gave one."""

    numbers: np.ndarray  # int64 [positions]
    rows: np.ndarray  # int32 [positions, ACTIVE]: features, NONE behind the last
    plain: np.ndarray  # uint8 [positions, BYTES]: the same hand for networks, see inputs.py
    came: np.ndarray  # int8 [positions]: one of CLASSES


def piece(
    game: Game, player: Occupant, opponent: Occupant, seed: int, first: int, last: int, exploring: str = EXPLORING[0]
) -> Positions:  # fmt: skip
    """The positions of numbers first to last - 1, on one core."""
    players, number = [player, opponent], last - first
    rows, came = np.full((number, ACTIVE), NONE, np.int32), np.zeros(number, np.int8)
    plain = np.zeros((number, BYTES), np.uint8)
    _piece_of(game)(
        game.blank(game.rulebook.make(RULES)), seed, first, last, EXPLORING.index(exploring), seated(game, players),
        scratch(game, players), np.zeros(hands.SIZE, np.int64), np.zeros(ACTIVE + 1, np.int64), rows, plain, came,
    )  # fmt: skip
    there = came >= 0
    return Positions(first + np.flatnonzero(there), rows[there], plain[there], came[there])
