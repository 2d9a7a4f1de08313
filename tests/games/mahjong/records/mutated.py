"""Mutations of good records and mjai lines: what a broken disk, another program or an enemy might make of them."""

import json
import random
import re
from typing import Any

from tests.games.mahjong.records.altered import leaves, with_leaf

NUMBERS = (
    "-1", "0", "1", "3", "4", "5", "34", "136", "137", "255", "256", "65535", "65536", "-136", str(2**31), str(2**63),
    str(10**30), "9" * 5000, "1.5", "1e999", "nan", "", " 1", "1_0", "+1", "０", "²", "0x10",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 4, 13, 37, 60, 10**6, 2**31, 2**63, 10**30, -(10**30), 0.5, 1e308, float("nan"),
    float("inf"), "", "?", "5m", "5mr", "E", "ES", "r60", "c111213", "414141m41", "和了", "\ud800", "\0", "x" * 5000,
    [], {}, [[]], ["?"] * 13, ["5m"] * 13, [0] * 4, [25000] * 4, [["1m"] * 13] * 4, {"type": "none"},
)  # fmt: skip
PIECES = ("\0", "\ufeff", "\n", "<", ">", '"', "&", "&amp;", "{", "}", "[", "]", ",", "-", "9" * 400, "\u2028", "<!--")


def cut_or_doubled(text: str, luck: random.Random) -> str:
    """A piece left out, repeated, moved, or another put in its place."""
    first, last = sorted(luck.randrange(len(text) + 1) for _ in range(2))
    last = min(last, first + luck.choice((1, 5, 50, 5000)))
    piece = text[first:last]
    at = luck.randrange(len(text) + 1)
    return luck.choice((
        text[:first] + text[last:], text[:last] + piece + text[last:], text[:at] + piece + text[at:], text[:first],
        text[first:], text[:first] + luck.choice(PIECES) + text[last:],
        text[:first] + "".join(luck.sample(piece, len(piece))) + text[last:],
    ))  # fmt: skip


def other_number(text: str, luck: random.Random) -> str:
    """One number in it is another."""
    found = luck.choice(list(re.finditer(r"\d+", text)))
    return text[: found.start()] + luck.choice(NUMBERS) + text[found.end() :]


def other_value(text: str, luck: random.Random) -> str:
    """In one line of JSON, one value is another, or one key is gone."""
    lines = text.split("\n")
    number = luck.randrange(max(len(lines) - 1, 1))
    value = json.loads(lines[number])
    paths = [path[: luck.randrange(1, len(path) + 1)] for path, _ in leaves(value)]
    lines[number] = json.dumps(with_leaf(value, luck.choice(paths), luck.choice(VALUES)))
    return "\n".join(lines)


def other_order(text: str, luck: random.Random) -> str:
    """Two lines or tags have changed places, or one stands twice."""
    parts = re.split(r"(?<=[>\n])", text)
    one, two = luck.randrange(len(parts)), luck.randrange(len(parts))
    if luck.randrange(2):
        parts[one], parts[two] = parts[two], parts[one]
    else:
        parts.insert(two, parts[one])
    return "".join(parts)


def mutated(text: str, luck: random.Random) -> str:
    """One to three mutations."""
    kinds = [cut_or_doubled, other_number, other_order] + [other_value] * 2 * text.startswith("{")
    for _ in range(luck.choice((1, 1, 1, 2, 3))):
        try:
            text = luck.choice(kinds)(text, luck)
        except (ValueError, IndexError):  # a mutation before has left no JSON, or no number
            text = cut_or_doubled(text, luck)
    return text
