"""Read mjai: the fields that each event has, by shape and bounds, and matches from lines."""

import json
from typing import Any

from tefuda.errors import Problem
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import mjai, paifu
from tefuda.games.mahjong.records.checked import (
    Check,
    Wrong,
    checked,
    counter,
    of_all,
    points,
    quoted,
    seat,
    several,
    text,
    truth,
    whole,
)
from tefuda.games.mahjong.records.holding import KIND
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Statement, Win
from tefuda.games.mahjong.state import HAND, NINE_TERMINALS, SEATS, WON

MOST_LINE = 1_000_000  # characters; an event has some hundred


def tile(value: Any) -> int:
    """The face of a tile."""
    if not isinstance(value, str) or value not in mjai.FACES:
        raise Wrong("a tile, as 5m, 5mr or E")
    return mjai.FACES[value]


def tile_or_hidden(value: Any) -> int:
    """The face of a tile, or -1 for one that is not shown."""
    return -1 if value == mjai.HIDDEN else tile(value)


def wind(value: Any) -> int:
    if not isinstance(value, str) or len(value) != 1 or value not in mjai.WINDS:
        raise Wrong("E, S, W or N")
    return mjai.WINDS.index(value)


def reason(value: Any) -> str:
    if value not in ("", *mjai.REASONS.values()):
        raise Wrong(f"one of {', '.join(mjai.REASONS.values())}")
    return value


def first(value: Any) -> int:
    if type(value) is not int or value not in (0, mjai.TONPUU_FIRST):
        raise Wrong(f"0, or {mjai.TONPUU_FIRST} for the east round only")
    return value


def yaku(value: Any) -> tuple[str, int]:
    """A yaku and its han: a pair, or an object with these names."""
    pair = [value.get("name"), value.get("han")] if isinstance(value, dict) else value
    if not isinstance(pair, list) or len(pair) != 2:
        raise Wrong("a name and its han")
    return text(pair[0]), whole(0, 10_000)(pair[1])


HANDS = of_all(several(tile, HAND, HAND))
SHOWN = of_all(several(tile_or_hidden, 0, 14))  # hands at a draw
# Fields by their names; what an event cannot do without, and what else may be told of it.
CHECKS: dict[str, Check] = {
    "actor": seat, "target": seat, "pai": tile, "tsumogiri": truth, "dora_marker": tile, "bakaze": wind,
    "kyoku": whole(1, SEATS), "honba": counter, "kyotaku": counter, "oya": seat, "scores": of_all(points),
    "deltas": of_all(points), "reason": reason, "tenpais": of_all(truth), "ura_markers": several(tile, 0, 5),
    "hora_tehais": several(tile, 1, 14), "yakus": several(yaku, 0, 60), "fu": whole(0, 200), "fan": whole(0, 10_000),
    "hora_points": whole(0, 1_000_000), "names": of_all(text), "kyoku_first": first, "aka_flag": truth, "rules": text,
}  # fmt: skip
NEEDED: dict[str, tuple[str, ...]] = {
    "start_game": (), "start_kyoku": ("bakaze", "kyoku", "honba", "kyotaku", "scores", "dora_marker", "tehais"),
    "tsumo": ("actor", "pai"), "dahai": ("actor", "pai", "tsumogiri"), "reach": ("actor",),
    "reach_accepted": ("actor",), "chi": ("actor", "target", "pai", "consumed"),
    "pon": ("actor", "target", "pai", "consumed"), "daiminkan": ("actor", "target", "pai", "consumed"),
    "ankan": ("actor", "consumed"), "kakan": ("actor", "pai"), "dora": ("dora_marker",), "hora": ("actor", "target"),
    "ryukyoku": (), "end_kyoku": (), "end_game": (), "none": (),
}  # fmt: skip
ALSO: dict[str, tuple[str, ...]] = {
    "start_game": ("names", "kyoku_first", "aka_flag", "rules"), "start_kyoku": ("oya",), "kakan": ("consumed",),
    "reach_accepted": ("deltas", "scores"),
    "hora": ("pai", "ura_markers", "hora_tehais", "yakus", "fu", "fan", "hora_points", "deltas", "scores"),
    "ryukyoku": ("reason", "tehais", "tenpais", "deltas", "scores"), "end_game": ("scores",),
}  # fmt: skip
OWN = {"chi": 2, "pon": 2, "daiminkan": 3, "ankan": 4, "kakan": 3}  # tiles of `consumed`
CALL_TYPES = {name: event_type for event_type, name in mjai.CALLS.items()}


def check_of(event_type: str, key: str, hidden: bool) -> Check:
    """The check of a field; `hidden`: what another seat has may be told as ?."""
    if key == "consumed":
        return several(tile, OWN[event_type], OWN[event_type])
    if key == "tehais":
        open_hands = of_all(several(tile_or_hidden, HAND, HAND)) if hidden else HANDS
        return SHOWN if event_type == "ryukyoku" else open_hands
    return tile_or_hidden if hidden and (event_type, key) == ("tsumo", "pai") else CHECKS[key]


def values_of(event: dict[str, Any], hidden: bool = False) -> dict[str, Any]:
    """The fields of an event that we know, each checked."""
    event_type = event["type"]
    found = {}
    for key in NEEDED[event_type]:
        if key not in event:
            raise Problem(f"{event_type} has no {key}")
        found[key] = checked(check_of(event_type, key, hidden), event[key], f"{key} of {event_type}")
    for key in ALSO.get(event_type, ()):
        if event.get(key) is not None:
            found[key] = checked(check_of(event_type, key, hidden), event[key], f"{key} of {event_type}")
    if event_type == "start_kyoku" and found.get("oya", found["kyoku"] - 1) != found["kyoku"] - 1:
        raise Problem(f"oya of start_kyoku is {found['oya']}, but in kyoku {found['kyoku']} it is {found['kyoku'] - 1}")
    return found


def parse(line: str) -> Any:
    """One line of JSON, or a Problem that says what is wrong with it."""
    if len(line) > MOST_LINE:
        raise Problem(f"a line of mjai has at most {MOST_LINE:,} characters")
    try:
        return json.loads(line.removeprefix("\ufeff"))
    except ValueError as error:
        told = f"{error.msg} at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else "a number"
        raise Problem(f"not a line of mjai, which is one object of JSON: {told}") from None
    except RecursionError:
        raise Problem("not a line of mjai, which is one object of JSON: it is nested too deeply") from None


def event_from(value: Any) -> dict[str, Any]:
    """An event, which has a type."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise Problem(f"an event of mjai is an object with a type, but here it is {quoted(value)}")
    if "uradora_markers" in value:  # the older name
        value = {**value, "ura_markers": value["uradora_markers"]}
    return value


def move_of(event_type: str, values: dict[str, Any]) -> Event:
    """What a seat did, from checked fields."""
    actor, face, own = values["actor"], values.get("pai", -1), values.get("consumed", ())
    if event_type == "tsumo":
        return Event(paifu.DRAW, actor, face)
    if event_type == "dahai":
        return Event(paifu.DISCARD, actor, face, values["tsumogiri"])
    if event_type == "reach":
        return Event(paifu.RIICHI, actor)
    if event_type == "ankan":
        return Event(paifu.CLOSED_KAN, actor, KIND[own[0]], own=own)
    if event_type == "kakan":
        return Event(paifu.ADDED_KAN, actor, face)
    return Event(CALL_TYPES[event_type], actor, face, own=own, source=values["target"])


def read(content: str, name: str = "") -> Match:
    """A match from lines of mjai."""
    reading: _Reading | None = None
    for number, line in enumerate(content.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            event = event_from(parse(line))
            if event["type"] not in NEEDED:
                raise Problem(f"an event of the type {quoted(event['type'])} is not known")
            if reading is None and event["type"] != "start_game":
                raise Problem(f"an mjai record begins with start_game, but here it is {event['type']}")
            values = values_of(event)
            if reading is None:
                reading = _Reading(name, values)
            else:
                reading.take(event, values)
        except Problem as problem:
            raise Problem(f"{name}, line {number}: {problem}") from None
    if reading is None:
        raise Problem(f"{name}: the mjai record is cut off: it is empty")
    if reading.deal is not None:
        raise Problem(f"{name}: the mjai record is cut off: no end_kyoku")
    return reading.match


def _in_riichi(deal: Deal, actor: int) -> bool:
    return any(event.type == paifu.RIICHI and event.seat == actor for event in deal.events)


class _Reading:
    """A match while it is read."""

    def __init__(self, name: str, values: dict[str, Any]) -> None:
        told = {key: values[key] for key in ("kyoku_first", "aka_flag") if key in values}
        preset, *changes = values.get("rules", "").split() or [""]
        rules = RULEBOOK.make(preset, changes) if preset else RULEBOOK.make(*mjai.plain_rules(**told))
        self.match = Match(name, rules, format=mjai.FORMAT, players=values.get("names", ("",) * SEATS))
        self.deal: Deal | None = None
        self.over = False

    def take(self, event: dict[str, Any], values: dict[str, Any]) -> None:
        event_type = event["type"]
        if event_type == "none":
            return
        if self.over or event_type == "start_game":
            raise Problem(f"{event_type} stands {'behind end_game' if self.over else 'within a match'}")
        if event_type in ("start_kyoku", "end_game"):
            if self.deal is not None:
                raise Problem(f"{event_type} stands before the end_kyoku of the deal")
            if event_type == "start_kyoku":
                self._start(event, values)
            else:
                self.over = True
                self.match.points = values.get("scores")
        elif self.deal is None:
            raise Problem(f"{event_type} stands outside of start_kyoku and end_kyoku")
        elif event_type == "end_kyoku":
            if self.deal.cut:
                raise Problem("the deal has no end: hora or ryukyoku stands before end_kyoku")
            self.deal = None
        elif not self.deal.cut and not (event_type == "hora" and self.deal.wins):
            raise Problem(f"{event_type} stands behind the end of the deal")
        else:
            self._take(self.deal, event, values)

    def _state(self, deal: Deal, event: dict[str, Any], values: dict[str, Any]) -> None:
        """Keep what the event says."""
        assert deal.stated is not None
        fields = {key: event[key] for key in values}
        if "yakus" in fields:
            fields["yakus"] = [list(pair) for pair in values["yakus"]]
        if event["type"] == "hora" and not _in_riichi(deal, values["actor"]):
            fields.pop("ura_markers", None)  # some writers repeat those of another winner
        deal.stated.append(Statement(len(deal.events), event["type"], fields))

    def _start(self, event: dict[str, Any], values: dict[str, Any]) -> None:
        kyoku = SEATS * values["bakaze"] + values["kyoku"] - 1
        self.deal = Deal(
            kyoku, values["honba"], values["kyotaku"], values["scores"], values["tehais"], [values["dora_marker"]],
            cut=True, stated=[],
        )  # fmt: skip
        self.match.deals.append(self.deal)
        self._state(self.deal, event, values)

    def _take(self, deal: Deal, event: dict[str, Any], values: dict[str, Any]) -> None:
        event_type = event["type"]
        if event_type == "dora":
            deal.indicators.append(values["dora_marker"])
            deal.events.append(Event(paifu.DORA, -1, values["dora_marker"]))
            return
        if event_type in ("hora", "ryukyoku"):
            self._end(deal, event_type, values)
        elif event_type != "reach_accepted":
            deal.events.append(move_of(event_type, values))
        self._state(deal, event, values)

    def _end(self, deal: Deal, event_type: str, values: dict[str, Any]) -> None:
        deal.cut = False
        if event_type == "hora":
            deal.ended = WON
            deal.wins.append(Win(values["actor"], values["target"]))
            if _in_riichi(deal, values["actor"]):
                deal.ura = deal.ura or list(values.get("ura_markers", ()))
            return
        ends = {name: end for end, name in mjai.REASONS.items()}
        deal.ended = ends.get(values.get("reason", ""))
        if deal.ended is None and deal.events and deal.events[-1].type == paifu.DRAW:
            deal.ended = NINE_TERMINALS  # after a draw nothing else ends a deal without a winner
