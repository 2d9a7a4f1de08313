"""A compiled player of mahjong as an mjai bot: events come in as lines of JSON, an action goes out for each line.

A line is one event, or an array of all events since the last answer. The bot keeps a table of the engine on which all
that its seat cannot see is blank. What another seat shows is put into its blank hand right before it is taken from
there, so that the engine itself does the book-keeping. A discard or kan is carried out only when the next event tells
that nobody won on it, and who called it.
"""

import json
from collections.abc import Iterable
from typing import Any, TextIO

import numpy as np

from tefuda.contract import Rules, legal_actions
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.games.mahjong.actions import CHI, KAN, NINE, OPEN_KAN, PASS, RIICHI, RON, TSUMO, TSUMOGIRI, kind_of_face
from tefuda.games.mahjong.calls import pon_of
from tefuda.games.mahjong.hiding import SOMETHING, clear_hand
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.records import mjai, paifu
from tefuda.games.mahjong.records.paifu import Event
from tefuda.games.mahjong.records.replay import action_of
from tefuda.games.mahjong.starting import start_deal, wall_of
from tefuda.games.mahjong.state import CLAIM, DECLARED, INDICATORS, ROB, SEATS, TURN, URA_INDICATORS, put_tile
from tefuda.kernel.bits import ZERO
from tefuda.kernel.random import PLAYER, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

GAME = find("mahjong")
NONE: dict[str, Any] = {"type": "none"}
CALLS = (paifu.CHI, paifu.PON, paifu.OPEN_KAN)
TYPES = {"tsumo", "dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan"}  # what seats do
IGNORED = {"hello", "none", "reach_accepted", "end_kyoku", "error"}  # not taken in: the engine knows it, or must not


class OutOfStep(Problem):
    """An event that cannot follow on what was told before."""


class Following:
    """One deal as one seat sees it."""

    def __init__(self, rules: Rules, seat: int, event: dict[str, Any]) -> None:
        self.seat = seat
        self.states = GAME.blank(rules)
        self.state = self.states[0]
        kyoku = SEATS * mjai.WINDS.index(event["bakaze"]) + int(event["kyoku"]) - 1
        points = np.array([int(each) for each in event["scores"]], np.int64)
        own = [mjai.face_of(tile) for tile in event["tehais"][seat]]
        if len(points) != SEATS or len(own) != 13 or not 0 <= kyoku < 16:
            raise ValueError(f"deal: {len(points)} points and {len(own)} tiles, but {SEATS} play with 13 each")
        GAME.kernels.deal(self.state, np.zeros(1, np.uint64))
        hands: list[list[int]] = [own if each == seat else [] for each in range(SEATS)]
        wall = wall_of(self.states, kyoku % SEATS, hands, indicators=[mjai.face_of(event["dora_marker"])])
        start_deal(self.state, kyoku, int(event["honba"]), int(event["kyotaku"]), points, wall)
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

    def show_dora(self, face: int) -> None:
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
        state, seat = self.state, event.seat
        melds = int(state.meld_count[seat])
        if event.type in CALLS:
            discard = self.pending
            if discard is None or (discard.type, discard.tile) != (paifu.DISCARD, event.tile):
                raise OutOfStep("no such tile was just discarded")
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
        elif event.type == paifu.ADDED_KAN and pon_of(state, seat, int(kind_of_face(event.tile))) < 0:
            raise OutOfStep(f"seat {seat} has no pon to add it to")
        elif event.type == paifu.CLOSED_KAN and [int(kind_of_face(face)) for face in event.own] != [event.tile] * 4:
            raise OutOfStep("a closed kan is four equal tiles")
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


def answer(states: np.ndarray, seat: int, action: int) -> dict[str, Any]:
    """An action of the seat to move as mjai writes it."""
    state = states[0]
    if action == PASS:
        return NONE
    if action == NINE:
        return {"type": "ryukyoku", "actor": seat, "reason": "kyushukyuhai"}
    if action in (TSUMO, RON):
        source, face = (seat, int(state.drawn)) if action == TSUMO else (int(state.discarder), int(state.tile))
        return {"type": "hora", "actor": seat, "target": source, "pai": mjai.TILES[face]}
    return mjai.event_of(_event(states, seat, action))


def _event(states: np.ndarray, seat: int, action: int) -> Event:
    state = states[0]
    if action == RIICHI:
        return Event(paifu.RIICHI, seat)
    if action < RIICHI:
        drawn = bool(action == TSUMOGIRI)
        return Event(paifu.DISCARD, seat, int(state.drawn) if drawn else action, drawn)
    after = states.copy()  # the engine knows best which tiles go into a meld
    GAME.kernels.apply(after[0], action)
    if action >= KAN and pon_of(state, seat, action - KAN) >= 0:
        return Event(paifu.ADDED_KAN, seat, int(after[0].tile))
    slot = int(state.meld_count[seat])
    own = faces_of_meld(int(after[0].melds[seat, slot]), int(after[0].called[seat, slot]))
    if action >= KAN:
        return Event(paifu.CLOSED_KAN, seat, int(action - KAN), own=tuple(own))
    own.remove(int(state.tile))
    event_type = paifu.OPEN_KAN if action == OPEN_KAN else paifu.CHI if action < CHI + 6 else paifu.PON
    return Event(event_type, seat, int(state.tile), own=tuple(own), source=int(state.discarder))


class Bot:
    """A compiled player, who answers lines of mjai one after another."""

    def __init__(self, entrant: Entrant, rules: Rules, seed: int = 1, seat: int | None = None) -> None:
        if entrant.policy is None:
            raise Problem(f"{entrant.name} is not a compiled player: `tefuda players mahjong` lists those")
        self.entrant, self.rules, self.seed, self.given = entrant, rules, seed, seat
        self.seat = seat
        self.games = 0
        self.rngs = np.zeros(SEATS, np.uint64)
        self.deal: Following | None = None
        self.open = False  # whether something was told that may call for a decision
        self.lost: dict[str, Any] | None = None  # out of step: what can be done without knowing the table

    def react(self, line: str) -> tuple[dict[str, Any], list[str]]:
        """The answer to a line, and what was wrong with it."""
        wrong: list[str] = []
        try:
            told = json.loads(line)
        except (ValueError, RecursionError) as error:
            return NONE, [f"not a line of mjai, which is JSON: {error}"]
        events = told if isinstance(told, list) else [told]
        for event in events:
            try:
                self.take_in(event)
            except OutOfStep as problem:
                wrong.append(f"{event['type']}: {problem}; until the next deal the tile just drawn is discarded")
                self.deal = None
            except Problem as problem:
                wrong.append(str(problem))
            except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
                wrong.append(f"{event['type']} lacks or has a wrong {error}")
        if events and isinstance(events[-1], dict) and events[-1].get("can_act") is False:
            self.open = False
            return NONE, wrong
        return self.decide(), wrong

    def take_in(self, event: Any) -> None:
        """Note one event."""
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            raise Problem(f"an event of mjai is an object with a type, but here it is {json.dumps(event)[:60]}")
        event_type = event["type"]
        self.lost = None
        if event_type == "start_game":
            self._start(event)
        elif event_type == "start_kyoku":
            if self.seat is None:
                raise Problem("start_kyoku came before a start_game with an id: name the seat with --seat")
            self.deal, self.open = None, False
            self.deal = Following(self.rules, self.seat, event)
        elif event_type in ("hora", "ryukyoku", "end_game"):
            self.deal, self.open = None, False
        elif event_type == "dora" and self.deal is not None:
            self.deal.take(Event(paifu.DORA, -1, mjai.face_of(event["dora_marker"])))
        elif event_type in TYPES:
            self._take(event)
        elif event_type not in IGNORED and event_type != "dora":
            raise Problem(f"an event of the type {event_type!r} is not known, and left out")

    def _start(self, event: dict[str, Any]) -> None:
        seat = event.get("id", self.given)
        self.deal, self.open = None, False
        if seat is not None and seat not in range(SEATS):
            raise Problem(f"start_game has the id {seat!r}, but it is 0 to {SEATS - 1}")
        self.seat = seat
        self.rngs = np.array([stream(self.seed, self.games, each, PLAYER) for each in range(SEATS)], np.uint64)
        self.games += 1

    def _take(self, event: dict[str, Any]) -> None:
        event_type, actor = event["type"], event["actor"]
        if actor not in range(SEATS):
            raise Problem(f"{event_type} is of the actor {actor!r}, but it is 0 to {SEATS - 1}")
        if event_type == "tsumo" and actor == self.seat:
            self.lost = mjai.event_of(Event(paifu.DISCARD, actor, mjai.face_of(event["pai"]), True))
        if self.deal is not None:
            hidden = event_type == "tsumo" and actor != self.seat
            self.deal.take(Event(paifu.DRAW, actor) if hidden else mjai.read_event(event))
            self.open = True

    def decide(self) -> dict[str, Any]:
        """The answer to what was told."""
        if self.deal is None:
            return self.lost or NONE
        if not self.open or self.seat is None:
            return NONE
        self.open = False
        states = self.deal.asked()
        if states is None:
            return NONE
        table = Table(GAME, self.rules, self.seed, states=states)
        table.rngs = self.rngs
        return answer(states, self.seat, table.ask(self.entrant))


def serve(
    player: str, preset: str | None, changes: list[str], seed: int, seat: int | None, lines: Iterable[str],
    out: TextIO, errors: TextIO,
) -> None:  # fmt: skip
    """Answer lines until there are no more."""
    rules = GAME.rulebook.make(preset, changes)
    bot = Bot(resolve(GAME, player, rules), rules, seed, seat)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        action, wrong = bot.react(line)
        for each in wrong:
            print(f"tefuda: line {number}: {' '.join(each.split())}", file=errors, flush=True)
        print(json.dumps(action, separators=(",", ":")), file=out, flush=True)
