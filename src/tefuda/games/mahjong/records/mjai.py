"""Read and write mjai: one event a line as JSON, the protocol of mahjong programs.

Tiles are 1m to 9s, 5mr for a red five, E S W N for the winds, P F C for the white, green and red dragon.
"""

import json
from collections.abc import Iterator
from typing import Any

from tefuda.errors import Problem
from tefuda.games.mahjong.actions import kind_of_face
from tefuda.games.mahjong.options import HANCHAN, RULEBOOK
from tefuda.games.mahjong.records import paifu
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Win
from tefuda.games.mahjong.state import (
    EXHAUSTED,
    FOUR_KANS,
    FOUR_RIICHI,
    FOUR_WINDS,
    NAGASHI,
    NINE_TERMINALS,
    SEATS,
    TRIPLE_RON,
    WON,
)
from tefuda.games.mahjong.tiles import KINDS

TILES = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + list("ESWNPFC") + ["5mr", "5pr", "5sr"]
FACES = {name: face for face, name in enumerate(TILES)}
WINDS = "ESWN"
REASONS = {
    EXHAUSTED: "fanpai", NAGASHI: "nagashimangan", NINE_TERMINALS: "kyushukyuhai", FOUR_WINDS: "sufonrenta",
    FOUR_RIICHI: "suchareach", FOUR_KANS: "sukaikan", TRIPLE_RON: "sanchaho",
}  # fmt: skip
CALLS = {paifu.CHI: "chi", paifu.PON: "pon", paifu.OPEN_KAN: "daiminkan"}
CALL_TYPES = {name: kind for kind, name in CALLS.items()}


def write(match: Match) -> str:
    """A match as lines of mjai."""
    return "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events(match))


def events(match: Match) -> Iterator[dict[str, Any]]:
    """The events of a match."""
    first = 0 if match.rules.values["length"] == HANCHAN else 4
    yield {
        "type": "start_game", "names": list(match.players), "kyoku_first": first,
        "aka_flag": bool(match.rules.values["red"]),
    }  # fmt: skip
    for deal in match.deals:
        yield from _deal(deal)
    yield {"type": "end_game"}


def start_of(deal: Deal) -> dict[str, Any]:
    return {
        "type": "start_kyoku", "bakaze": WINDS[deal.kyoku // SEATS], "kyoku": deal.kyoku % SEATS + 1,
        "honba": deal.honba, "kyotaku": deal.sticks, "oya": deal.kyoku % SEATS, "scores": list(deal.points),
        "dora_marker": TILES[deal.indicators[0]], "tehais": [[TILES[face] for face in hand] for hand in deal.hands],
    }  # fmt: skip


def _deal(deal: Deal) -> Iterator[dict[str, Any]]:
    yield start_of(deal)
    declared = -1  # who has declared riichi with the last discard
    riichi = -1
    for event in deal.events:
        if declared >= 0 and event.type != paifu.DORA:
            yield {"type": "reach_accepted", "actor": declared}
            declared = -1
        yield event_of(event)
        if event.type == paifu.RIICHI:
            riichi = event.seat
        elif event.type == paifu.DISCARD:
            declared, riichi = riichi, -1
    if declared >= 0 and not deal.wins and deal.ended != TRIPLE_RON:
        yield {"type": "reach_accepted", "actor": declared}
    for win in deal.wins:
        yield {
            "type": "hora", "actor": win.seat, "target": win.source, "deltas": list(win.paid or ()),
            "ura_markers": [TILES[face] for face in deal.ura],
        }  # fmt: skip
    if not deal.wins:
        yield {"type": "ryukyoku", "reason": REASONS.get(deal.ended or 0, ""), "deltas": list(deal.paid or ())}
    yield {"type": "end_kyoku"}


def event_of(event: Event) -> dict[str, Any]:
    """One event of a deal."""
    seat = event.seat
    if event.type == paifu.DRAW:
        return {"type": "tsumo", "actor": seat, "pai": TILES[event.tile]}
    if event.type == paifu.DISCARD:
        return {"type": "dahai", "actor": seat, "pai": TILES[event.tile], "tsumogiri": event.tsumogiri}
    if event.type == paifu.RIICHI:
        return {"type": "reach", "actor": seat}
    if event.type == paifu.DORA:
        return {"type": "dora", "dora_marker": TILES[event.tile]}
    consumed = [TILES[face] for face in event.own]
    if event.type == paifu.CLOSED_KAN:
        return {"type": "ankan", "actor": seat, "consumed": consumed}
    if event.type == paifu.ADDED_KAN:
        return {"type": "kakan", "actor": seat, "pai": TILES[event.tile], "consumed": _others(event.tile)}
    return {
        "type": CALLS[event.type], "actor": seat, "target": event.source, "pai": TILES[event.tile],
        "consumed": consumed,
    }  # fmt: skip


def _others(face: int) -> list[str]:
    """The three tiles to which a fourth is added."""
    kind = int(kind_of_face(face))
    red = kind < 27 and kind % 9 == 4 and face < KINDS
    return [TILES[kind], TILES[kind], TILES[KINDS + kind // 9] if red else TILES[kind]]


# Reading.


def read(text: str, name: str = "") -> Match:
    """A match from lines of mjai."""
    reading: _Reading | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{name}, line {number}"
        event = parse(line, where)
        try:
            if event["type"] == "start_game":
                reading = _Reading(name, event)
            elif reading is None:
                raise Problem(f"{where}: an mjai record begins with start_game, but here it is {event['type']}")
            else:
                reading.take(event)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise Problem(f"{where}: {event['type']} lacks or has a wrong {error}") from error
    if reading is None or reading.deal is not None:
        raise Problem(f"{name}: the mjai record is cut off: " + ("it is empty" if reading is None else "no end_kyoku"))
    return reading.match


def parse(line: str, where: str) -> dict[str, Any]:
    """One line of mjai, or a Problem that says what is wrong with it."""
    try:
        event = json.loads(line)
    except ValueError as error:
        raise Problem(f"{where}: not a line of mjai, which is one object of JSON: {error}") from error
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise Problem(f"{where}: an event of mjai is an object with a type, but here it is {line.strip()[:60]!r}")
    return event


def face_of(name: str) -> int:
    if name not in FACES:
        raise ValueError(f"tile {name!r}")
    return FACES[name]


def read_event(event: dict[str, Any]) -> Event:
    """What a seat did: one event of a deal, but for dora."""
    kind, seat = event["type"], int(event["actor"])
    own = tuple(face_of(tile) for tile in event.get("consumed", ()))
    if kind == "tsumo":
        return Event(paifu.DRAW, seat, face_of(event["pai"]))
    if kind == "dahai":
        return Event(paifu.DISCARD, seat, face_of(event["pai"]), bool(event["tsumogiri"]))
    if kind == "reach":
        return Event(paifu.RIICHI, seat)
    if kind in CALL_TYPES:
        return Event(CALL_TYPES[kind], seat, face_of(event["pai"]), own=own, source=int(event["target"]))
    if kind == "ankan":
        return Event(paifu.CLOSED_KAN, seat, int(kind_of_face(own[0])), own=own)
    if kind == "kakan":
        return Event(paifu.ADDED_KAN, seat, face_of(event["pai"]))
    raise ValueError(f"type {kind!r}")


class _Reading:
    """A match while it is read."""

    def __init__(self, name: str, event: dict[str, Any]) -> None:
        preset = "tonpuu" if event.get("kyoku_first") == 4 else "hanchan"
        red = "yes" if event.get("aka_flag", True) else "no"
        self.match = Match(name, RULEBOOK.make(preset, [f"red={red}"]))
        self.match.players = tuple(event.get("names", ("", "", "", "")))
        self.deal: Deal | None = None

    def take(self, event: dict[str, Any]) -> None:
        kind = event["type"]
        if kind == "start_kyoku":
            self._start(event)
        elif kind in ("end_game", "reach_accepted", "none"):
            return
        elif self.deal is None:
            raise ValueError("place: it stands outside of start_kyoku and end_kyoku")
        elif kind == "end_kyoku":
            self.deal = None
        elif kind in ("hora", "ryukyoku"):
            self._end(self.deal, event)
        else:
            self._event(self.deal, event)

    def _start(self, event: dict[str, Any]) -> None:
        hands = tuple(tuple(face_of(tile) for tile in hand) for hand in event["tehais"])
        kyoku = SEATS * WINDS.index(event["bakaze"]) + int(event["kyoku"]) - 1
        points = tuple(event["scores"])
        indicators = [face_of(event["dora_marker"])]
        self.deal = Deal(kyoku, int(event["honba"]), int(event["kyotaku"]), points, hands, indicators)
        self.match.deals.append(self.deal)

    def _event(self, deal: Deal, event: dict[str, Any]) -> None:
        if event["type"] == "dora":
            face = face_of(event["dora_marker"])
            deal.indicators.append(face)
            deal.events.append(Event(paifu.DORA, -1, face))
            return
        deal.events.append(read_event(event))

    def _end(self, deal: Deal, event: dict[str, Any]) -> None:
        deltas = tuple(event["deltas"]) if event.get("deltas") else None
        if event["type"] == "ryukyoku":
            reasons = {name: kind for kind, name in REASONS.items()}
            deal.ended = reasons.get(event.get("reason", ""))
            if deal.ended is None and deal.events[-1].type == paifu.DRAW:
                deal.ended = NINE_TERMINALS
            deal.paid = deltas
            return
        deal.ended = WON
        source = int(event["target"])
        tile = deal.events[-1].tile if deal.events[-1].type != paifu.DORA else deal.events[-2].tile
        deal.wins.append(Win(int(event["actor"]), source, tile, deltas))
        deal.ura = [face_of(tile) for tile in event.get("ura_markers", ())] or deal.ura
        if deltas:
            before = deal.paid or (0,) * SEATS
            deal.paid = tuple(had + more for had, more in zip(before, deltas, strict=True))
