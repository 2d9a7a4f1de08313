"""A compiled player of mahjong as an mjai bot: events come in as lines of JSON, an action goes out for each line.

A line is one event, or an array of all events since the last answer. The bot keeps a table of the engine as its seat
sees it: see following.py.
"""

import json
from collections.abc import Iterator
from typing import Any, TextIO

import numpy as np

from tefuda.contract import Rules
from tefuda.errors import Problem
from tefuda.games.mahjong.actions import CHI, KAN, NINE, OPEN_KAN, PASS, RIICHI, RON, TSUMO, TSUMOGIRI
from tefuda.games.mahjong.calls import pon_of
from tefuda.games.mahjong.layout import faces_of_meld
from tefuda.games.mahjong.records import mjai, mjai_read, paifu
from tefuda.games.mahjong.records.checked import quoted
from tefuda.games.mahjong.records.paifu import Event
from tefuda.games.mahjong.state import SEATS
from tefuda.interop.following import GAME, Following, OutOfStep
from tefuda.interop.rehearsal import REHEARSAL
from tefuda.kernel.random import PLAYER, stream
from tefuda.players.entrant import Entrant
from tefuda.players.resolve import resolve
from tefuda.table.table import Table

NONE: dict[str, Any] = {"type": "none"}
TYPES = {"tsumo", "dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan"}  # what seats do
IGNORED = {"hello", "none", "reach_accepted", "end_kyoku", "error"}  # not taken in: the engine knows it, or must not
BLANK = " \t\r\n\ufeff"  # some programs begin a file with a byte order mark


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
                self.take_in(mjai_read.event_from(event))
            except OutOfStep as problem:
                wrong.append(f"{event['type']}: {problem}; until the next deal the tile just drawn is discarded")
                self.deal = None
            except Problem as problem:
                wrong.append(str(problem))
        if events and isinstance(events[-1], dict) and events[-1].get("can_act") is False:
            self.open = False
            return NONE, wrong
        return self.decide(), wrong

    def take_in(self, event: dict[str, Any]) -> None:
        """Take in one event."""
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
