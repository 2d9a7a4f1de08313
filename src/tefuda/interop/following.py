"""One deal of mahjong as one seat hears of it by mjai.

All that the seat cannot see is blank. What another seat shows is put into its blank hand right before it is taken from
there, so that the engine itself does the book-keeping. A discard or kan is carried out only when the next event tells
that nobody won on it, and who called it.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from tefuda.contract import Rules
from tefuda.engine.single import legal_actions
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.games.mahjong.actions import PASS, RIICHI
from tefuda.games.mahjong.calls import pon_of
from tefuda.games.mahjong.hiding import SOMETHING, clear_hand
from tefuda.games.mahjong.records import mjai, paifu
from tefuda.games.mahjong.records.holding import KIND
from tefuda.games.mahjong.records.paifu import CALLS, Event
from tefuda.games.mahjong.records.replay import action_of
from tefuda.games.mahjong.records.shapes import misshapen
from tefuda.games.mahjong.starting import all_faces, start_deal, wall_of
from tefuda.games.mahjong.state import CLAIM, DECLARED, INDICATORS, ROB, SEATS, TURN, URA_INDICATORS, put_tile
from tefuda.kernel.bits import ZERO

GAME = find("mahjong")


class OutOfStep(Problem):
    """An event that cannot follow on what was told before."""


class Following:
    """One deal as one seat sees it."""

    def __init__(self, rules: Rules, seat: int, values: dict[str, Any]) -> None:
        self.seat = seat
        self.states = GAME.blank(rules)
        self.state = self.states[0]
        kyoku = SEATS * values["bakaze"] + values["kyoku"] - 1
        own, indicator = list(values["tehais"][seat]), values["dora_marker"]
        if -1 in own:
            raise Problem(f"start_kyoku hides the hand of seat {seat}, which is the bot's own")
        GAME.kernels.deal(self.state, np.zeros(1, np.uint64))
        hands: list[list[int]] = [own if each == seat else [] for each in range(SEATS)]
        wall = wall_of(self.states, kyoku % SEATS, hands, indicators=[indicator])
        points = np.array(values["scores"], np.int64)
        start_deal(self.state, kyoku, values["honba"], values["kyotaku"], points, wall)
        self.unseen = all_faces(self.states)  # tiles that were not yet seen, by face
        self.see([*own, indicator])
        self.finished = int(self.state.finished)
        self.shown = 1  # indicators of dora that were told
        self.pending: Event | None = None  # a discard or kan of which it is open what others do
        self.blank(self.states)

    def blank(self, states: np.ndarray) -> None:
        """Nothing is known of the other hands, so that the engine never asks them, nor of the tile just drawn."""
        state = states[0]
        if state.phase == TURN and state.drawn >= 0:
            state.drawn = SOMETHING
        for other in range(SEATS):
            if other != self.seat:
                clear_hand(state, other)
                state.waits[other] = ZERO

    def see(self, faces: Iterable[int]) -> None:
        """Tiles come to light. There are only so many of each."""
        for face in faces:
            if self.unseen[face] == 0:
                raise OutOfStep(f"{mjai.TILES[face]} comes up more often than there are such tiles")
            self.unseen[face] -= 1

    def see_event(self, event: Event) -> None:
        """The tiles that an event brings to light: the own draws, and what other seats lay down."""
        if event.seat == self.seat:
            self.see([event.tile] if event.type == paifu.DRAW else [])
        elif event.type in (paifu.DISCARD, paifu.ADDED_KAN):
            self.see([event.tile])
        else:
            self.see(event.own)

    def show_dora(self, face: int) -> None:
        self.see([face])
        if INDICATORS + self.shown >= URA_INDICATORS:
            raise OutOfStep("a sixth dora indicator cannot be")
        self.state.wall[INDICATORS + self.shown] = face
        self.shown += 1

    def give(self, states: np.ndarray, event: Event) -> None:
        """Put the tiles that another seat now shows into its hand."""
        state, seat = states[0], event.seat
        if seat == self.seat:
            return
        own = [] if event.type in (paifu.RIICHI, paifu.ADDED_KAN) else list(event.own)
        if event.type == paifu.DISCARD and not event.tsumogiri:
            own = [event.tile]
        elif event.type == paifu.DISCARD or event.type == paifu.ADDED_KAN:
            state.drawn = event.tile
        elif event.type == paifu.CLOSED_KAN:
            state.drawn = own.pop()
        for face in own:
            put_tile(state, seat, face)

    def apply(self, states: np.ndarray, event: Event, call: Event | None = None) -> None:
        """Carry out what a seat in turn does; with a call, that is what follows, and all others pass."""
        self.give(states, event)
        if call is not None:
            self.give(states, call)
        GAME.kernels.apply(states[0], action_of(event))

    def settle(self, call: Event | None = None) -> None:
        """Carry out the discard or kan that is pending: nobody has won on it."""
        event, self.pending = self.pending, None
        if event is None:
            return
        state = self.state
        self.apply(self.states, event, call)
        while state.finished == self.finished and state.phase in (CLAIM, ROB):
            if call is not None and state.seat == call.seat:
                GAME.kernels.apply(state, self.checked(call))
            else:
                GAME.kernels.apply(state, PASS)
        self.blank(self.states)
        if state.finished != self.finished:
            raise OutOfStep("by the rules the deal is over")

    def checked(self, event: Event) -> int:
        """The number of an action, which must be legal."""
        action = action_of(event)
        if action not in legal_actions(GAME, self.states):
            raise OutOfStep(f"this {paifu.EVENT_NAMES[event.type]} of seat {event.seat} is not legal")
        return action

    def take(self, event: Event) -> None:
        """Note one event."""
        if event.type == paifu.DORA:
            self.show_dora(event.tile)
            return
        if wrong := misshapen(event):
            raise OutOfStep(wrong)
        self.see_event(event)
        state, seat = self.state, event.seat
        melds = int(state.meld_count[seat])
        if event.type in CALLS:
            discard = self.pending
            if discard is None or (discard.type, discard.tile) != (paifu.DISCARD, event.tile):
                raise OutOfStep("no such tile was just discarded")
            if discard.seat != event.source or event.source == seat:
                raise OutOfStep(f"seat {discard.seat} has discarded it, not seat {event.source}")
            self.settle(event)
            if state.meld_count[seat] == melds:
                raise OutOfStep(f"by the rules seat {seat} cannot call it")
            return
        self.settle()
        declared = event.type == paifu.DISCARD and state.phase == DECLARED
        if state.seat != seat or not (state.phase == TURN or declared):
            raise OutOfStep(f"by the rules it is seat {int(state.seat)} that is to act, not seat {seat}")
        if event.type == paifu.DRAW:
            state.drawn = event.tile if seat == self.seat else SOMETHING
            return
        if seat == self.seat:
            self.checked(event)
            if event.tsumogiri and event.tile != state.drawn:
                raise OutOfStep("the tile just drawn was another")
        elif event.type == paifu.ADDED_KAN and pon_of(state, seat, KIND[event.tile]) < 0:
            raise OutOfStep(f"seat {seat} has no pon to add it to")
        if event.type == paifu.RIICHI:
            GAME.kernels.apply(state, RIICHI)
        else:
            self.pending = event

    def asked(self) -> np.ndarray | None:
        """The table [1] on which the own seat may have to decide now, or None."""
        states = self.states.copy()
        if self.pending is not None:
            if self.pending.seat == self.seat:
                return None
            self.apply(states, self.pending)
            self.blank(states)
        state = states[0]
        state.indicators = self.shown  # servers differ in when they turn them
        waits = state.phase in ((CLAIM, ROB) if self.pending is not None else (TURN, DECLARED))
        mine = state.finished == self.finished and state.seat == self.seat and state.drawn != SOMETHING
        return states if waits and mine else None
