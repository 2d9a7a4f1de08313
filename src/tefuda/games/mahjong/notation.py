"""Hands in writing: `123m406p789s1122z`, digits before their suit; 0 is a red five, 1z to 7z are east to red dragon."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from tefuda.errors import Problem
from tefuda.games.mahjong.tiles import COPIES, HONOURS, KIND_NAMES, KINDS, RED_FIVES, kinds_of

SUITS = "mpsz"  # characters, circles, bamboos, honours
_FIVE, _RED = 5, "0"


def kind_text(kind: int) -> str:
    """A kind as it is written: 5m, 1z."""
    return f"{kind % 9 + 1}{SUITS[kind // 9]}"


def tile_text(tile: int) -> str:
    """A tile as it is written; a red five is 0."""
    return _RED + SUITS[tile // 36] if tile in RED_FIVES else kind_text(tile // COPIES)


def parse(text: str) -> list[int]:
    """The tiles of a hand in the order written. Copies are given out from the lowest; a plain five is never the red."""
    names: list[str] = []
    digits = ""
    for sign in text.strip():
        if sign.isspace():
            continue
        if sign.isascii() and sign.isdigit():
            digits += sign
        elif sign in SUITS:
            if not digits:
                raise Problem(f"in {text!r} no digit stands before {sign!r}: write tiles as in 123m406p789s1122z")
            names += [digit + sign for digit in digits]
            digits = ""
        else:
            known = "m (characters), p (circles), s (bamboos) and z (honours)"
            raise Problem(f"in {text!r} {sign!r} is no suit: suits are {known}")
    if digits:
        raise Problem(f"in {text!r} no suit stands behind {digits!r}: write m, p, s or z behind the digits")
    return _tiles(names, text)


def _tiles(names: list[str], text: str) -> list[int]:
    """The tiles of single names, as 5m."""
    tiles: list[int] = []
    used = Counter[int]()  # plain copies of each kind
    for name in names:
        suit, number = SUITS.index(name[1]), int(name[0])
        if suit == 3 and not 1 <= number <= KINDS - HONOURS:
            known = "1z to 7z (east, south, west, north, white, green, red)"
            raise Problem(f"in {text!r} {name!r} is no tile: honours are {known}")
        kind = 9 * suit + (number or _FIVE) - 1
        red = COPIES * kind if COPIES * kind in RED_FIVES else None
        if number == 0 and red in tiles:
            raise Problem(f"in {text!r} {name!r} stands twice, but each suit has one red five")
        if number == 0:
            tiles.append(COPIES * kind)
            continue
        used[kind] += 1
        plain = COPIES if red is None else COPIES - 1
        if used[kind] > plain:
            there = "four" if red is None else f"three plain and one red ({_RED}{name[1]})"
            raise Problem(f"in {text!r} {name!r} stands {used[kind]} times, but there are {there}")
        tiles.append(COPIES * (kind + 1) - 1 - plain + used[kind])
    return tiles


def text(tiles: Iterable[int]) -> str:
    """Tiles in writing, sorted, a red five before the others."""
    result, last = "", ""
    for tile in sorted(tiles):
        name = tile_text(tile)
        digit, suit = name[0], name[1]
        result += (last if last and suit != last else "") + digit
        last = suit
    return result + last


def counts_of(tiles: Iterable[int]) -> np.ndarray:
    """How many tiles there are of each kind: int8[34]."""
    return np.bincount([tile // COPIES for tile in tiles], minlength=KINDS).astype(np.int8)


def kinds_text(mask: Any, lang: str = "en") -> str:
    """A set of kinds in writing, as 36m for waits; in Japanese by name."""
    kinds = kinds_of(mask)
    return "".join(KIND_NAMES[kind].ja for kind in kinds) if lang == "ja" else text(4 * kind + 1 for kind in kinds)
