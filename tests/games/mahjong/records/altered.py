"""Records with one field altered. Each alteration makes a record false, so that `records verify` must notice it.

What carries no information is left alone, and listed here:

- mjlog: `ver`, GO `lobby`, the bits of GO `type` that are no rules, all of UN, BYE and SHUFFLE (people, connections,
  the seed of the wall), the two dice of INIT `seed` within their bounds, the order of tiles in a hand and of yaku.
- mjai: `names`, end_game, fields that another program has added, when indicators are turned, ura_markers of a winner
  who is not in riichi, and fields that lean writers leave out.
- tenhou/6: `title`, `name`, people's `dan`, `rate` and `sx`, the order of tiles in a hand and of yaku, the payments
  of a draw at which nobody pays, and 流局 in place of 全員聴牌 or 全員不聴, which says less but nothing false.

A tile that is never seen again may be exchanged for another that nobody has seen: that is another true record. So a
tile is altered into one that is seen elsewhere. For the same reason a discard from the hand is not made into one of
the tile just drawn, or the other way round, where both look alike; a riichi is not left out where its discard was won
on; and a match that ends because somebody has nothing left is not made longer or shorter.
"""

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tefuda.games.mahjong.records import mjai, tenhou6

Altered = tuple[str, str]  # what was altered, as AGARI.ten[1], and the record
IGNORED = {"mjloggm", "UN", "BYE", "SHUFFLE"}
TILE_LISTS = {"hai0", "hai1", "hai2", "hai3", "hai", "doraHai", "doraHaiUra"}
_TAG = re.compile(r"<(/?\w+)((?: \w+=\"[^\"]*\")*) ?(/?)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')


# mjlog.


def mjlog(text: str) -> Iterator[Altered]:
    """Every attribute of every tag, every draw and discard, and every tag left out."""
    tags = [(found[1], dict(_ATTRIBUTE.findall(found[2])), found[3]) for found in _TAG.finditer(text)]
    assert "".join(map(_tag, tags)) == text.strip()
    if not re.search(r'owari="(?:[^"]*,)?-\d+,', text):
        yield "GO.type", re.sub(r'type="(\d+)"', lambda found: f'type="{int(found[1]) ^ 8}"', text, count=1)
    seen: list[int] = []
    for number, (name, fields, end) in enumerate(tags):
        if name.lstrip("/") in IGNORED:
            continue
        if name == "INIT":
            seen = [int(tile) for seat in range(4) for tile in fields[f"hai{seat}"].split(",")]
            seen.append(int(fields["seed"].split(",")[-1]))

        def with_tag(*tag: Any, number: int = number) -> str:
            return "".join(map(_tag, [*tags[:number], *tag, *tags[number + 1 :]]))

        kind = re.sub(r"\d+", "", name)
        for what, other in _altered_tags(name, fields, seen):
            yield what, with_tag((*other, end))
        for key in fields:
            if (name, key) not in (("GO", "lobby"),):
                yield f"{name} without {key}", with_tag((name, {k: v for k, v in fields.items() if k != key}, end))
        won_on = name == "REACH" and fields["step"] == "1" and tags[number + 2][0] == "AGARI"
        if name not in ("GO", "TAIKYOKU") and not won_on:
            yield f"without {kind}", with_tag()


def _tag(tag: tuple[str, dict[str, str], str]) -> str:
    name, fields, end = tag
    return f"<{name}{''.join(f' {key}={json.dumps(value)}' for key, value in fields.items())}{end}>"


def _altered_tags(name: str, fields: dict[str, str], seen: list[int]) -> Iterator[tuple[str, tuple[str, dict]]]:
    if found := re.fullmatch(r"([T-WD-G])(\d+)", name):
        letter, tile = found[1], int(found[2])
        letters = "TUVW" if letter in "TUVW" else "DEFG"
        yield f"seat of {letter}", (f"{letters[letters.index(letter) - 1]}{tile}", {})
        if letters == "TUVW":
            yield f"tile of {letter}", (f"{letter}{seen[tile % len(seen)]}", {})
            seen.append(tile)
        else:
            yield f"tile of {letter}", (f"{letter}{seen[52]}", {})  # the indicator, which nobody holds
        return
    for key, value in fields.items():
        for place, other in _altered_values(name, key, value, seen):
            yield f"{name}.{key}{place}", (name, {**fields, key: other})


def _altered_values(name: str, key: str, value: str, seen: list[int]) -> Iterator[tuple[str, str]]:
    if (name, key) == ("GO", "type"):
        yield "", str(int(value) ^ 16)
        return
    if (name, key) in (("GO", "lobby"), ("TAIKYOKU", "oya")):
        yield from (("", other) for other in ("1",) if key == "oya")
        return
    if (name, key) == ("RYUUKYOKU", "type"):
        yield from (("", other) for other in ("nm", "yao9", "kaze4", "reach4", "kan4", "ron3", "x") if other != value)
        return
    parts = value.split(",")
    for place, part in enumerate(parts):
        for other in _altered_number(name, key, place, part, seen):
            yield f"[{place}]", ",".join([*parts[:place], other, *parts[place + 1 :]])
    if len(parts) > 1:
        yield " shorter", ",".join(parts[:-1])
    yield " longer", f"{value},1"


def _altered_number(name: str, key: str, place: int, part: str, seen: list[int]) -> Iterator[str]:
    yield "-1" if part != "-1" else "-2"
    yield "x"
    if key == "owari" and place % 2:
        yield f"{float(part) + 0.1:.1f}"
        return
    number = int(part)
    if key == "m":
        yield from (str(number ^ 1 << bit) for bit in range(17))
    elif key in TILE_LISTS or key == "machi":
        yield str(next(tile for tile in seen if tile != number))
        yield "136"
    elif (name, key) == ("INIT", "seed"):
        yield {3: "6", 4: "6", 5: str(seen[0])}.get(place, str(number + 1))
    elif key in ("who", "fromWho", "paoWho", "oya"):
        yield from (str(other) for other in range(5) if other != number)
    else:
        yield str(number + 1)
        yield "9" * 30


# mjai.


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All places in a value of JSON that are neither lists nor objects."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(each, (*path, key))
    else:
        yield path, value


def with_leaf(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """A copy with another leaf."""
    found = copy.deepcopy(value)
    inner = found
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = other
    return found


def mjai_lines(text: str) -> Iterator[Altered]:
    """Every field of every event, and every event left out."""
    lines = text.splitlines()
    events = [json.loads(line) for line in lines]
    held: list[Counter] = []
    drawn = ""
    full: list[str] = []
    for number, event in enumerate(events):
        kind = event["type"]
        if kind == "start_kyoku":
            end = next(at for at in range(number, len(events)) if events[at]["type"] == "end_kyoku")
            full = _used_up(events[number:end])
            held = [Counter(hand) for hand in event["tehais"]]
        if kind == "tsumo":
            drawn = event["pai"]
            held[event["actor"]][drawn] += 1
        alike = kind == "dahai" and held[event["actor"]][event["pai"]] > 1

        def with_lines(*other: Any, number: int = number) -> str:
            return "\n".join([*lines[:number], *map(json.dumps, other), *lines[number + 1 :]])

        for path, leaf in leaves(event):
            key = path[0]
            if key in ("names", "type") or (key == "tsumogiri" and alike):
                continue
            for other in _altered_leaf(kind, key, leaf, held, event, full):
                yield f"{kind}.{key}", with_lines(with_leaf(event, path, other))
        for key in event:
            if isinstance(event[key], list) and event[key] and key != "names":
                for one in [place for place, each in enumerate(event[key]) if each != event.get("pai")][:1]:
                    yield f"{kind}.{key} shorter", with_lines({**event, key: event[key][:one] + event[key][one + 1 :]})
                yield f"{kind}.{key} longer", with_lines({**event, key: [*event[key], event[key][-1]]})
            if key not in ("type", "names"):
                yield f"{kind}.{key} of another form", with_lines({**event, key: {"a": 1}})
        won_on = kind == "reach" and events[number + 2]["type"] == "hora"
        if kind not in ("start_game", "end_game") and not won_on:
            yield f"without {kind}", with_lines()
        if kind in ("dahai", "kakan"):
            held[event["actor"]][event["pai"]] -= 1
        elif "consumed" in event:
            held[event["actor"]].subtract(event["consumed"])


def _used_up(events: list[dict[str, Any]]) -> list[str]:
    """Tiles of which every copy is seen in a deal."""
    seen = Counter(tile for hand in events[0]["tehais"] for tile in hand)
    seen.update(event["pai"] for event in events if event["type"] == "tsumo")
    seen.update(event["dora_marker"] for event in events if "dora_marker" in event)
    seen.update(next((event["ura_markers"] for event in events if event.get("ura_markers")), []))
    copies = {tile: 1 if tile.endswith("r") else 3 if tile[0] == "5" else 4 for tile in mjai.TILES}
    return [tile for tile in mjai.TILES if seen[tile] == copies[tile]]


def _altered_leaf(
    kind: str, key: str, leaf: Any, held: list[Counter], event: dict[str, Any], full: list[str]
) -> Iterator[Any]:
    """Other values of a field that make it false."""
    if key != "reason":
        yield from (None,) if key not in _optional(kind) else ()
    yield 10**30
    if isinstance(leaf, bool):
        if (kind, key) != ("start_game", "aka_flag"):
            yield not leaf
    elif isinstance(leaf, int):
        yield from (leaf + 1, leaf - 1, -1000000000, leaf + 0.5)
        if key in ("actor", "target", "oya"):
            yield from (seat for seat in range(4) if seat != leaf)
    elif leaf in mjai.FACES:
        yield "10m"
        if key in ("tehais", "ura_markers", "dora_marker") or kind == "tsumo":
            if kind == "ryukyoku":
                yield next(tile for tile in mjai.TILES if tile not in event["tehais"][0] + event["tehais"][1])
            yield from (tile for tile in full[:1] if tile != leaf)
        elif kind == "dahai":
            yield next(tile for tile in mjai.TILES if held[event["actor"]][tile] == 0)
        else:
            yield next(tile for tile in mjai.TILES if tile != leaf)
    elif key == "bakaze":
        yield from (wind for wind in ("E", "S", "W", "N", "ES", "") if wind != leaf)
    elif key == "reason":
        yield from (reason for reason in (*mjai.REASONS.values(), "rain") if reason != leaf)
    elif key == "yakus":
        yield from (name for name in ("pinfu", "sukantsu") if [name, 1] not in event["yakus"])


def _optional(kind: str) -> tuple[str, ...]:
    return {
        "start_kyoku": ("oya",), "reach_accepted": ("deltas", "scores"), "end_game": ("scores",),
        "start_game": ("kyoku_first", "aka_flag", "rules"), "kakan": ("consumed",),
        "hora": ("pai", "ura_markers", "hora_tehais", "yakus", "fu", "fan", "hora_points", "deltas", "scores"),
        "ryukyoku": ("tehais", "tenpais", "deltas", "scores"),
    }.get(kind, ())  # fmt: skip


# tenhou/6.


def tenhou6_object(text: str) -> Iterator[Altered]:
    """Every number and text of the log, the final scores, and the rules."""
    record = json.loads(text)
    for number, rows in enumerate(record["log"]):
        faces = Counter(each for part in (2, 3, 4, 7, 10, 13) for each in rows[part])
        faces.update(each for part in (5, 8, 11, 14) for each in rows[part] if isinstance(each, int))
        copies = {tenhou6.number(face): 4 for face in range(34)} | {15: 3, 25: 3, 35: 3, 51: 1, 52: 1, 53: 1}
        full = [tile for tile, count in copies.items() if faces[tile] == count]
        for path, leaf in leaves(rows):
            name = tenhou6.PARTS[path[0]] if path[0] < 4 else re.sub(r" \d", "", tenhou6.PARTS[path[0]])
            for other in _altered_part(rows, path, leaf, full):
                yield name, json.dumps(with_leaf(record, ("log", number, *path), other))
        for part, name in enumerate(tenhou6.PARTS):
            shorter = rows[part][:-1] if name != "result" or any(rows[part][-1]) else None  # see above: nobody pays
            for other in (shorter, [*rows[part], 11], {}, None, [[]] * 50):
                if other != rows[part]:
                    yield f"{name} of another form", json.dumps(with_leaf(record, ("log", number, part), other))
    for place, value in enumerate(record["sc"]):
        for other in (value + 1000, None, 10**30):
            yield "sc", json.dumps(with_leaf(record, ("sc", place), other))
    swapped = record["rule"]["disp"].translate(str.maketrans("東南", "南東"))
    if min(record["sc"][::2]) >= 0:
        yield "disp", json.dumps(with_leaf(record, ("rule", "disp"), swapped))
    for key in ("rule", "log", "sc"):
        yield key, json.dumps({**record, key: 5})


def _altered_part(rows: list[Any], path: tuple[Any, ...], leaf: Any, full: list[int]) -> Iterator[Any]:
    part = path[0]
    yield from (None, 10**30, -5, "x", 1.5)
    if part in (0, 1):
        yield leaf + 1
    elif part == 16:
        yield from _altered_result(path, leaf)
    elif part in (2, 3) or (part - 4) % 3 == 0 or ((part - 4) % 3 == 1 and isinstance(leaf, int)):
        yield from (tile for tile in full[:1] if tile != leaf)
    elif isinstance(leaf, int):
        had = {each % 60 for each in (*rows[part - 2], *rows[part - 1]) if isinstance(each, int)}
        yield next(tile for tile in range(11, 47) if tile % 10 and tile not in had)
    else:
        letter = re.sub(r"\d", "", leaf)
        yield leaf.replace(letter, "")
        yield re.sub(r"\d\d$", lambda found: "11" if found[0] != "11" else "12", leaf)
        if letter in "pm":  # from another side
            bare = leaf.replace(letter, "")
            yield from (f"{bare[:at]}{letter}{bare[at:]}" for at in (0, 2, 4, 6) if at != leaf.index(letter))


def _altered_result(path: tuple[Any, ...], leaf: Any) -> Iterator[Any]:
    if isinstance(leaf, int):
        yield from (leaf + 1, leaf + 100)
    elif len(path) == 2:  # how it ended; 流局 leaves open whether all or none were ready
        draws = (*tenhou6.DRAWS.values(), tenhou6.ALL_READY, tenhou6.NONE_READY, tenhou6.WON)
        yield from (name for name in draws if name not in (leaf, "流局"))
    else:
        yield re.sub(r"\d", lambda found: str((int(found[0]) + 1) % 10), leaf, count=1)
        yield "一発(1飜)" if leaf != "一発(1飜)" else "平和(1飜)"
        yield leaf + "x"
