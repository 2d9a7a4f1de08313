"""A compiled player of mahjong as an mjai bot: events come in as lines of JSON, an action goes out for each line.

A line is one event, or an array of all events since the last answer. The bot keeps a table of the engine on which all
that its seat cannot see is blank. What another seat shows is put into its blank hand right before it is taken from
there, so that the engine itself does the book-keeping. A discard or kan is carried out only when the next event tells
that nobody won on it, and who called it.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

import numpy as np

from tefuda.contract import Rules, legal_actions
from tefuda.errors import Problem
from tefuda.games import find
from tefuda.games.mahjong.actions import CHI, KAN, NINE, OPEN_KAN, PASS, RIICHI, RON, TSUMO, TSUMOGIRI
from tefuda.games.mahjong.calls import pon_of
from tefuda.games.mahjong.hiding import SOMETHING, clear_hand
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.records import mjai, mjai_read, paifu
from tefuda.games.mahjong.records.checked import quoted
from tefuda.games.mahjong.records.holding import KIND
from tefuda.games.mahjong.records.paifu import Event
from tefuda.games.mahjong.records.replay import action_of
from tefuda.games.mahjong.records.shapes import misshapen
from tefuda.games.mahjong.starting import all_faces, start_deal, wall_of
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
IGNORED = {"hello", "none", "reach_accepted", "end_kyoku", "error"}  # nothing to note: the engine knows it, or must not


BLANK = " \t\r\n\ufeff"  # some programs begin a file with a byte order mark


def _rehearsal() -> list[dict[str, Any]]:
    """A few events in which the bot, seat 1, draws, discards and calls, and others call and make kans."""
    own = ["1m", "2m", "3m", "4p", "5p", "6p", "7s", "8s", "E", "E", "P", "P", "9s"]
    hidden = [mjai.HIDDEN] * 13
    moves = [
        Event(paifu.DRAW, 0), Event(paifu.DISCARD, 0, 27), Event(paifu.PON, 1, 27, own=(27, 27), source=0),
        Event(paifu.DISCARD, 1, 26), Event(paifu.DRAW, 2), Event(paifu.CLOSED_KAN, 2, 28, own=(28,) * 4),
        Event(paifu.DORA, -1, 29), Event(paifu.DRAW, 2), Event(paifu.DISCARD, 2, 8, True),
        Event(paifu.CHI, 3, 8, own=(6, 7), source=2), Event(paifu.DISCARD, 3, 0), Event(paifu.DRAW, 0),
        Event(paifu.DISCARD, 0, 33, True), Event(paifu.DRAW, 1, 27), Event(paifu.ADDED_KAN, 1, 27),
        Event(paifu.DRAW, 1, 30), Event(paifu.DORA, -1, 29), Event(paifu.DISCARD, 1, 30, True),
    ]  # fmt: skip
    start = {
        "type": "start_kyoku", "bakaze": "E", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0, "dora_marker": "9m",
        "scores": [25000] * SEATS, "tehais": [hidden, own, hidden, hidden],
    }  # fmt: skip
    return [{"type": "start_game", "id": 1}, start, *(_told(event) for event in moves)]


def _told(event: Event) -> dict[str, Any]:
    """An event of the rehearsal; what another draws is hidden."""
    if event.type == paifu.DRAW and event.tile < 0:
        return {"type": "tsumo", "actor": event.seat, "pai": mjai.HIDDEN}
    return mjai.event_of(event)


REHEARSAL = _rehearsal()


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
            told = mjai_read.parse(line)
        except Problem as problem:
            return NONE, [str(problem)]
        events = told if isinstance(told, list) else [told]
        for event in events:
            try:
                self.note(mjai_read.event_from(event))
            except OutOfStep as problem:
                wrong.append(f"{event['type']}: {problem}; until the next deal the tile just drawn is discarded")
                self.deal = None
            except Problem as problem:
                wrong.append(str(problem))
        if events and isinstance(events[-1], dict) and events[-1].get("can_act") is False:
            self.open = False
            return NONE, wrong
        return self.decide(), wrong

    def note(self, event: dict[str, Any]) -> None:
        """Note one event."""
        event_type = event["type"]
        self.lost = None
        if event_type in IGNORED:
            return
        if event_type == "start_game":
            self._start(event)
        elif event_type == "start_kyoku":
            self.deal, self.open = None, False
            if self.seat is None:
                raise Problem("start_kyoku came before a start_game with an id: name the seat with --seat")
            self.deal = Following(self.rules, self.seat, mjai_read.values_of(event, hidden=True))
        elif event_type in ("hora", "ryukyoku", "end_game"):
            self.deal, self.open = None, False
        elif event_type == "dora":
            if self.deal is not None:
                self.deal.take(Event(paifu.DORA, -1, mjai_read.values_of(event)["dora_marker"]))
        elif event_type in TYPES:
            self._take(event)
        else:
            raise Problem(f"an event of the type {quoted(event_type)} is not known, and left out")

    def _start(self, event: dict[str, Any]) -> None:
        seat = event.get("id", self.given)
        self.deal, self.open = None, False
        if seat is not None and (type(seat) is not int or seat not in range(SEATS)):
            raise Problem(f"start_game has the id {quoted(seat)}, but it is 0 to {SEATS - 1}")
        self.seat = seat
        self.rngs = np.array([stream(self.seed, self.games, each, PLAYER) for each in range(SEATS)], np.uint64)
        self.games += 1

    def _take(self, event: dict[str, Any]) -> None:
        if event["type"] == "tsumo":
            event = {"pai": mjai.HIDDEN, **event}  # some servers leave out what others draw
        values = mjai_read.values_of(event, hidden=True)
        actor = values["actor"]
        move = mjai_read.move_of(event["type"], values)
        if move.type == paifu.DRAW and actor == self.seat:
            if move.tile < 0:
                raise Problem(f"tsumo hides what seat {actor} draws, which is the bot's own")
            self.lost = mjai.event_of(Event(paifu.DISCARD, actor, move.tile, True))
        if self.deal is not None:
            self.deal.take(Event(paifu.DRAW, actor) if move.type == paifu.DRAW and actor != self.seat else move)
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


def rehearse(entrant: Entrant, rules: Rules) -> None:
    """Let another bot of the same player play the beginning of a deal, so that all it needs is compiled."""
    bot = Bot(entrant, rules)
    for event in REHEARSAL:
        _, wrong = bot.react(json.dumps(event))
        if wrong:
            raise AssertionError(f"the rehearsal is wrong: {wrong[0]}")


def lines_of(source: TextIO) -> Iterator[str]:
    """The lines of a file. Of one that is far too long only the beginning is kept."""
    while line := source.readline(mjai_read.MOST_LINE + 1):
        rest = line
        while not rest.endswith("\n") and (rest := source.readline(mjai_read.MOST_LINE)):
            pass
        yield line


def serve(
    player: str, preset: str | None, changes: list[str], seed: int, seat: int | None, source: TextIO,
    out: TextIO, errors: TextIO,
) -> None:  # fmt: skip
    """Answer lines until there are no more."""
    rules = GAME.rulebook.make(preset, changes)
    entrant = resolve(GAME, player, rules)
    bot = Bot(entrant, rules, seed, seat)
    rehearse(entrant, rules)
    for number, line in enumerate(lines_of(source), start=1):
        if not line.strip(BLANK):
            continue
        action, wrong = bot.react(line)
        for each in wrong:
            print(f"tefuda: line {number}: {' '.join(each.split())}", file=errors, flush=True)
        print(json.dumps(action, separators=(",", ":")), file=out, flush=True)
