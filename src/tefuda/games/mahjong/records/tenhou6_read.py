"""Read tenhou/6 JSON: its parts by shape and bounds, and matches from them."""

import json
import re
from typing import Any

from tefuda.errors import Problem
from tefuda.games.mahjong.actions import FACES
from tefuda.games.mahjong.options import RULEBOOK
from tefuda.games.mahjong.records import paifu, tenhou6
from tefuda.games.mahjong.records.checked import (
    Wrong,
    checked,
    counter,
    of_all,
    points,
    quoted,
    seat,
    several,
    text,
    whole,
)
from tefuda.games.mahjong.records.holding import KIND
from tefuda.games.mahjong.records.mjlog import is_rounded
from tefuda.games.mahjong.records.order import Given, Order, Rows
from tefuda.games.mahjong.records.paifu import Deal, Event, Match, Statement, Win
from tefuda.games.mahjong.state import HAND, SEATS, WON

FACE = {tenhou6.number(face): face for face in range(FACES)}
MOST_DEALS = 200
MOST_MOVES = 40  # of one seat in a deal: 24 draws, four calls, kans
_RIICHI = re.compile(r"r[0-9]{2}")
_CALL = re.compile(r"((?:[1-5][1-9])*)([cpmka])((?:[1-5][1-9])+)")
_KINDS = {"c": paifu.CHI, "p": paifu.PON, "m": paifu.OPEN_KAN, "k": paifu.ADDED_KAN, "a": paifu.CLOSED_KAN}
_TILES = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4}
_DISTANCES = {"c": {0: 3}, "p": {0: 3, 1: 2, 2: 1}, "m": {0: 3, 1: 2, 3: 1}, "k": {0: 3, 1: 2, 2: 1}, "a": {3: 0}}


def tile(value: Any) -> int:
    """The face of a tile."""
    if type(value) is not int or value not in FACE:
        raise Wrong("a tile: 11 to 19, 21 to 29, 31 to 39, 41 to 47, or 51 to 53 for a red five")
    return FACE[value]


def meld(value: Any, letters: str) -> Event:
    """A call or a kan from its text, as if of seat 0; a closed kan has no source."""
    found = _CALL.fullmatch(value) if isinstance(value, str) and len(value) <= 9 else None
    if found is None or found[2] not in letters:
        raise Wrong("a tile, or a call as c111213")
    letter, before = found[2], len(found[1]) // 2
    numbers = [int((found[1] + found[3])[at : at + 2]) for at in range(0, len(value) - 1, 2)]
    if len(numbers) != _TILES[letter] or before not in _DISTANCES[letter] or not all(each in FACE for each in numbers):
        raise Wrong("a tile, or a call as c111213")
    faces = [FACE[each] for each in numbers]
    if letter == "a":
        return Event(paifu.CLOSED_KAN, 0, KIND[faces[0]], own=(faces[3], faces[2], faces[1], faces[0]))
    source = _DISTANCES[letter][before]
    if letter == "k":
        return Event(paifu.ADDED_KAN, 0, faces[before], source=source)
    return Event(_KINDS[letter], 0, faces[before], own=tuple(faces[:before] + faces[before + 1 :]), source=source)


def took(value: Any) -> Event:
    """A draw or a call."""
    return meld(value, "cpm") if isinstance(value, str) else Event(paifu.DRAW, 0, tile(value))


def gave(value: Any) -> Given:
    """A discard or a kan; nothing after an open kan."""
    riichi = isinstance(value, str) and _RIICHI.fullmatch(value) is not None
    if isinstance(value, str) and not riichi:
        return Given(kan=meld(value, "ka"))
    found = int(value[1:]) if riichi else value
    if type(found) is int and found == tenhou6.TSUMOGIRI:
        return Given(riichi, tsumogiri=True)
    if type(found) is int and found == tenhou6.NO_DISCARD and not riichi:
        return Given(nothing=True)
    return Given(riichi, tile(found))


def result(value: Any) -> list[Any]:
    """How a deal ended."""
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise Wrong("a list that begins with how the deal ended")
    paid = of_all(points)
    if value[0] != tenhou6.WON:
        known = (*tenhou6.DRAWS.values(), *tenhou6.OTHER_NAMES, tenhou6.ALL_READY, tenhou6.NONE_READY)
        if value[0] not in known or len(value) > 2:
            raise Wrong(f"{tenhou6.WON}, or a draw: {' '.join(known)}")
        for each in value[1:]:
            paid(each)
        return value
    if len(value) not in (3, 5, 7):
        raise Wrong("for each of at most three winners what is paid, and what the win is worth")
    for number, each in enumerate(value[1:]):
        if number % 2 == 0:
            paid(each)
            continue
        if not isinstance(each, list) or not 4 <= len(each) <= 30:
            raise Wrong("a winner, from whom, who is liable, the worth, and the yaku")
        several(seat, 3, 3)(each[:3])
        several(text, 1, 30)(each[3:])
    return value


def rows_of(value: Any) -> Rows:
    if not isinstance(value, list) or len(value) != len(tenhou6.PARTS):
        raise Problem(f"it is {quoted(value)}, but a deal is a list of {len(tenhou6.PARTS)}")

    def part(place: int, check: Any) -> Any:
        return checked(check, value[place], f"its {tenhou6.PARTS[place]}")

    def by_seat(first: int, check: Any) -> tuple[Any, ...]:
        return tuple(part(first + 3 * each, check) for each in range(SEATS))

    counters = part(0, several(counter, 3, 3))
    checked(whole(0, 4 * SEATS - 1), counters[0], "its kyoku")
    return Rows(
        counters, part(1, of_all(points)), part(2, several(tile, 1, 5)), part(3, several(tile, 0, 5)),
        by_seat(4, several(tile, HAND, HAND)), by_seat(5, several(took, 0, MOST_MOVES)),
        by_seat(6, several(gave, 0, MOST_MOVES)), part(16, result),
    )  # fmt: skip


def deal_from(value: Any) -> Deal:
    """One deal."""
    rows = rows_of(value)
    kyoku, honba, sticks = rows.counters
    deal = Deal(kyoku, honba, sticks, rows.points, rows.hands, list(rows.indicators), list(rows.ura), stated=[])
    deal.events = Order(rows).find()
    if rows.result[0] == tenhou6.WON:
        deal.ended = WON
        deal.wins = [Win(each[0], each[1]) for each in rows.result[2::2]]
    else:
        ends = {name: end for end, name in tenhou6.DRAWS.items()}
        deal.ended = ends.get(tenhou6.OTHER_NAMES.get(rows.result[0], rows.result[0]), ends["流局"])
    assert deal.stated is not None
    deal.stated.append(Statement(len(deal.events), "the deal", dict(zip(tenhou6.PARTS, value, strict=True))))
    return deal


def parse(content: str, name: str) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Problem(f"{name}: not a tenhou/6 record, which is one object of JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("log"), list):
        raise Problem(f"{name}: not a tenhou/6 record, which is an object with a log")
    return value


def rules_told(value: dict[str, Any]) -> tuple[str, list[str]]:
    """The preset and its changes."""
    rule = value.get("rule", {})
    if not isinstance(rule, dict):
        raise Problem(f"its rule is {quoted(rule)}, but it should be an object")
    if "rules" in rule:
        preset, *changes = checked(text, rule["rules"], "its rules").split() or [""]
        return preset, changes
    disp = checked(text, rule.get("disp", ""), "the disp of its rule")
    red = [
        checked(whole(0, 4), rule.get(key, 0), f"the {key} of its rule") for key in ("aka", "aka51", "aka52", "aka53")
    ]
    return tenhou6.plain_rules(disp, any(red))


def read(content: str, name: str = "") -> Match:
    """A match from one object of JSON."""
    value = parse(content, name)
    try:
        preset, changes = rules_told(value)
        players = checked(of_all(text), value.get("name", [""] * SEATS), "its name")
        match = Match(name, RULEBOOK.make(preset, changes), players=players, format=tenhou6.FORMAT)
        if "sc" in value:
            _finish(match, value["sc"], preset, changes)
        if not 0 < len(value["log"]) <= MOST_DEALS:
            raise Problem(f"its log has {len(value['log'])} deals, but it should have 1 to {MOST_DEALS}")
        for number, each in enumerate(value["log"], start=1):
            try:
                match.deals.append(deal_from(each))
            except Problem as problem:
                raise Problem(f"deal {number}: {problem}") from None
    except Problem as problem:
        raise Problem(f"{name}: {problem}") from None
    return match


def _finish(match: Match, value: Any, preset: str, changes: list[str]) -> None:
    """The final points and scores of the seats, in turns."""

    def score(each: Any) -> float:
        if type(each) not in (int, float) or not -10_000 <= each <= 10_000:
            raise Wrong("a number")
        return float(each)

    every = checked(several(lambda each: each, 2 * SEATS, 2 * SEATS), value, "its sc")
    match.points = checked(of_all(points), list(every[::2]), "the points of its sc")
    match.scores = checked(of_all(score), list(every[1::2]), "the scores of its sc")
    assert match.points is not None
    assert match.scores is not None
    if is_rounded(match.points, match.scores) and not any(each.startswith("rounded=") for each in changes):
        match.rules = RULEBOOK.make(preset, [*changes, "rounded=yes"])
